"""A program for tests of supervision: it gives signs of life until it is stopped, and does nothing else."""

import time

from pbem.ops import systemd_notify


def main() -> None:
    """Give one twenty times a second."""
    print("It runs.")
    while True:
        systemd_notify.notify(systemd_notify.ALIVE)
        time.sleep(0.05)
