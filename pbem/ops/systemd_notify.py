"""What a process tells the service manager that started it (sd_notify(3)): that it serves, and that it is alive.

Where none listens nothing is told.  A process that tells nothing for too long is ended and started again.
"""

import socket
from contextlib import suppress
from typing import Final

from pbem.config import settings

READY: Final = "READY=1"
ALIVE: Final = "WATCHDOG=1"
CHECK_INTERVAL_S: Final = 5.0
"""How often a process looks whether it is alive; the units wait much longer for word of it."""


def notify(word: str) -> None:
    """Tell the manager; never an error, for it is away where a process is started by hand."""
    place = settings.current_environment().get("NOTIFY_SOCKET", "")
    if place:
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
            line.sendto(word.encode("ascii"), f"\0{place[1:]}" if place.startswith("@") else place)
