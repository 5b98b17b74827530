"""A program for tests of forked processes: it says what it has, and waits."""

import os
import sys
import time


def main() -> None:
    """Say it, and wait for a signal."""
    names = sorted(name for name in os.environ if name in ("PATH", "PBEM_WORD", "PYTEST_CURRENT_TEST"))
    print(sys.argv, names, os.getcwd(), os.getpid(), os.getsid(0))
    time.sleep(600)
