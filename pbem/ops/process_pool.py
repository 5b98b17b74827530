"""Processes of one user, forked from one that has loaded everything and holds no key: so they share its memory.

That one is started with the first of them, and ends with us; what it forks ends with it.
"""

import multiprocessing
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Final

from pbem.config import settings
from pbem.ops.servers import STOP_SECONDS, ServerError, die_with_parent, set_process_name

_FORKS: Final = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(["pbem.ops.preload"])


class ForkedProcess:
    """A process of ours, and what it wrote."""

    def __init__(self, name: str, log: Path) -> None:
        self.name, self.log = name, log
        self.process: ForkServerProcess | None = None

    @property
    def pid(self) -> int:
        """The process id; ServerError if it was not started."""
        if self.process is None or self.process.pid is None:
            raise ServerError(f"{self.name} is not running: start it first.")
        return self.process.pid

    def is_alive(self) -> bool:
        """Return True if it was started and has not ended."""
        return self.process is not None and self.process.is_alive()

    def launch(self, line: Sequence[str], env: Mapping[str, str]) -> None:
        """Start what a command line would: the name of one of our programs, and its words."""
        self.log.touch(mode=0o600)
        given = self.name, list(line), dict(env), str(self.log)
        self.process = _FORKS.Process(target=_run_child, args=given, name=self.name)
        self.process.start()

    def kill(self) -> None:
        """End it by force, also if it is stopped."""
        if self.process is not None:
            self.process.kill()
            self.process.join()

    def stop(self, how: signal.Signals) -> None:
        """End it in good order, or by force if it takes too long; nothing happens if it has ended."""
        if self.process is not None and self.process.is_alive():
            os.kill(self.pid, how)
            self.process.join(STOP_SECONDS)
            self.process.kill()
            self.process.join()
        self.process = None


def _run_child(name: str, line: Sequence[str], env: Mapping[str, str], log: str) -> None:
    """What the forked process does: it takes on an environment, lets go of all that is ours, and runs."""
    die_with_parent(os.getppid(), signal.SIGKILL)
    over = multiprocessing.parent_process()
    if over is None or not over.is_alive():  # it ended before we asked to end with it: nobody looks after us
        os._exit(1)
    set_process_name(name)
    os.setsid()  # Ctrl-C is for the supervisor, which stops its children in order
    os.chdir("/")
    _redirect_output(log)
    for ending in (signal.SIGINT, signal.SIGTERM):
        signal.signal(ending, signal.SIG_DFL)
    settings.replace_environment(env)
    sys.argv = list(line)
    run = import_module(line[0]).main
    run()


def _redirect_output(log: str) -> None:
    """Nothing to read from, and all output goes to a file, line by line."""
    out, nothing = os.open(log, os.O_WRONLY | os.O_APPEND), os.open(os.devnull, os.O_RDONLY)
    for number, here in ((nothing, 0), (out, 1), (out, 2)):
        os.dup2(number, here)
    sys.stdin = os.fdopen(0, "r", closefd=False)
    sys.stdout, sys.stderr = (os.fdopen(number, "w", buffering=1, closefd=False) for number in (1, 2))
