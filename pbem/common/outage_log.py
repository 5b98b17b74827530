"""What the log tells its operator once: outages, when they begin and end, and records that do not fit their seal."""

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Final

from sqlalchemy.exc import InterfaceError, OperationalError

from pbem.crypto import DecryptionError


def is_connection_error(error: BaseException | None) -> bool:
    """Return True if an error says that the database cannot be used just now, and nothing of the program."""
    if not isinstance(error, (OperationalError, InterfaceError)):
        return False
    return getattr(error.orig, "sqlite_errorname", "") != "SQLITE_ERROR"


class OutageLog:
    """One thing that a process needs: there or away, as the process last saw it; several threads may report."""

    def __init__(self, what: str, log: logging.Logger, clock: Callable[[], float] = monotonic) -> None:
        """`what`: how the log calls it, such as "the broker"."""
        self._what, self._log, self._clock = what, log, clock
        self._since: float | None = None
        self._lock = threading.Lock()

    def start(self, why: str) -> None:
        """It did not answer; `why` is a class of error or a code, never the text of one."""
        with self._lock:
            if self._since is None:
                self._since = self._clock()
                self._log.error("%s is away (%s)", self._what, why)

    def end(self) -> None:
        """It answered."""
        if self._since is None:
            return
        with self._lock:
            if self._since is not None:
                self._log.warning("%s is back after %d s", self._what, self._clock() - self._since)
                self._since = None


class SignatureErrorLog:
    """Records that could not be opened or believed: the log tells of each kind once, with what can be done."""

    def __init__(self, log: logging.Logger) -> None:
        """`log`: where it is told."""
        self._log = log
        self._told: set[str] = set()

    def record(self, error: DecryptionError) -> None:
        """A record could not be opened, or a row not be believed; the text of such an error holds no content."""
        said = str(error)
        if said not in self._told:
            self._told.add(said)
            self._log.error("%s Was the database written to? pbem doctor names what it finds.", said)


SIGNATURE_ERRORS: Final = SignatureErrorLog(logging.getLogger(__name__))
"""What this process has told already."""


@contextmanager
def skip_unreadable() -> Iterator[None]:
    """Go on with the others where a record of one cannot be opened or believed; the log tells of it once."""
    try:
        yield
    except DecryptionError as error:
        SIGNATURE_ERRORS.record(error)
