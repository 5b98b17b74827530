"""What a process tells the service manager that started it (sd_notify(3)): that it serves, and that it is alive.

Where none listens nothing is told.  A process that tells nothing for too long is ended and started again.  `pbem up` is
such a manager itself, and listens with a `NotifyListener` for each of its processes.
"""

import socket
from contextlib import suppress
from pathlib import Path
from typing import Final

from pbem.config import settings

READY: Final = "READY=1"
ALIVE: Final = "WATCHDOG=1"
CHECK_INTERVAL_S: Final = 5.0
"""How often a process looks whether it is alive; the units wait much longer for word of it."""
SILENT_S: Final = 45.0
"""A process that has shown nothing for so long is not alive, whatever the system says of it."""


def notify(word: str) -> None:
    """Tell the manager; never an error, for it is away where a process is started by hand."""
    place = settings.current_environment().get("NOTIFY_SOCKET", "")
    if place:
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
            line.setblocking(False)  # a manager that stands still itself holds nobody up
            line.sendto(word.encode("ascii"), f"\0{place[1:]}" if place.startswith("@") else place)


class NotifyListener:
    """What one process tells us, who started it."""

    def __init__(self, place: Path) -> None:
        """`place`: of the socket; the process finds it by the variable NOTIFY_SOCKET.  Raises OSError."""
        self.place = place
        place.unlink(missing_ok=True)
        self._line = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._line.bind(str(place))
        self._line.setblocking(False)

    def has_received(self) -> bool:
        """Return True if a word has come since the last time."""
        heard = False
        with suppress(BlockingIOError):
            while self._line.recv(100):
                heard = True
        return heard

    def close(self) -> None:
        """Listen no more."""
        self._line.close()
        self.place.unlink(missing_ok=True)
