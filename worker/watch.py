"""A worker that takes no more tasks ends itself, and is started again by what runs it."""

import logging
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Final

from pbem.ops import systemd_notify

IDLE_S: Final = 60.0
"""A worker that has taken nothing for so long while tasks wait in its queue takes none any more."""
TASK_S: Final = 900.0
"""Longer than any task: one that takes longer will not end."""

_LOG = logging.getLogger(__name__)


def _exit_process() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class Watchdog:
    """When a worker last had something to do, or was right to do nothing."""

    def __init__(
        self,
        waiting: Callable[[], int],
        show_alive: Callable[[], None],
        end: Callable[[], None] = _exit_process,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        """`waiting`: how many tasks lie in the worker's queue, 0 where nobody knows; `end`: what ends the process.

        `show_alive`: shows to others that this worker is alive.
        """
        self._waiting, self._show_alive, self._end, self._clock = waiting, show_alive, end, clock
        self._busy, self._since = False, clock()

    @contextmanager
    def mark_busy(self) -> Iterator[None]:
        """A task is in hand."""
        self._busy, self._since = True, self._clock()
        try:
            yield
        finally:
            self._busy, self._since = False, self._clock()

    def check(self) -> None:
        """End the process if a task does not end, or if none is taken though some wait."""
        if not self._busy and not self._waiting():
            self._since = self._clock()
        elif self._clock() - self._since > (TASK_S if self._busy else IDLE_S):
            _LOG.error(
                "this worker %s and ends itself", "does not end its task" if self._busy else "takes no more tasks"
            )
            self._end()
            return
        systemd_notify.notify(systemd_notify.ALIVE)
        self._show_alive()

    def start(self) -> None:
        """Look from a thread of its own, from now on."""
        self._since = self._clock()
        systemd_notify.notify(systemd_notify.READY)
        self._show_alive()
        threading.Thread(target=self._run, name="watch", daemon=True).start()

    def _run(self) -> None:
        pause = threading.Event()
        while not pause.wait(systemd_notify.CHECK_INTERVAL_S):
            self.check()
