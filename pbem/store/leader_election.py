"""Which one of several processes leads, by a lock of PostgreSQL's that ends with its connection."""

import threading
from collections.abc import Callable
from typing import Final

from sqlalchemy import Connection, func, select
from sqlalchemy.exc import SQLAlchemyError

from pbem.store.database import Database

SCHEDULER_LOCK: Final = 0x7062656D_0001
"""The lock of the clocks; its number is only ours within our own database."""


class LeaderLock:
    """Asks for a lock, and keeps it as long as its connection lives; on SQLite there is one machine, which leads."""

    def __init__(self, database: Callable[[], Database], lock: int) -> None:
        """`database`: called at the first question, and not before."""
        self._database, self._lock = database, lock
        self._held: Connection | None = None
        self._guard = threading.Lock()

    def __call__(self) -> bool:
        """Return True if this process leads now, or while the database does not say who does; False where another does.

        Several that lead do no harm, and all processes notice by the clock's tasks that the database is away.
        """
        with self._guard:
            return self._database().sqlite or self._is_held() or self._try_acquire()

    def close(self) -> None:
        """Let another one lead."""
        with self._guard:
            if self._held is not None:
                self._held.invalidate()
                self._held.close()
                self._held = None

    def _is_held(self) -> bool:
        """Return True if the lock was ours, and its connection lives."""
        if self._held is None:
            return False
        try:
            self._held.scalar(select(1))
        except SQLAlchemyError:
            self._held.invalidate()
            self._held.close()
            self._held = None
        return self._held is not None

    def _try_acquire(self) -> bool:
        try:
            connection = self._database().engine.connect().execution_options(isolation_level="AUTOCOMMIT")
            if connection.scalar(select(func.pg_try_advisory_lock(self._lock))):
                self._held = connection
            else:
                connection.close()
        except SQLAlchemyError:
            return True
        return self._held is not None
