"""How services use the database: work prepared before its transaction, pages of rows."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from sqlalchemy import Select
from sqlalchemy.orm import Session

from pbem.store.database import Database
from pbem.store.versions import ConflictError

P = TypeVar("P")
T = TypeVar("T")

MAX_RETRIES: Final = 3
"""So often what was prepared may be overtaken before it is prepared under the lock."""


def retry_on_conflict(
    db: Database, prepare: Callable[[Session], P], act: Callable[[Session, P, bool], T], first: P | None = None
) -> T:
    """Prepare on a snapshot, then act in a transaction, which raises ConflictError if the snapshot is outdated.

    `act` is told whether it is the last attempt: then it prepares anew, `run_locked`.  `first`: what was prepared
    for the first attempt already.
    """
    losses, prepared = 0, first
    while True:
        if prepared is None:
            with db.snapshot() as session:
                prepared = prepare(session)
        try:
            with db.transaction() as writing:
                return act(writing, prepared, losses == MAX_RETRIES)
        except ConflictError:
            losses, prepared = losses + 1, None


def run_locked(work: Callable[[], T]) -> T:
    """Do in the transaction itself what was overtaken too often."""
    return work()


K = TypeVar("K")

MAX_LIMIT: Final = 50
"""So much of a list is shown at once."""


@dataclass(frozen=True)
class Page(Generic[T]):
    """What is shown of a list.  `next_offset`: how much to leave out to read on; 0 where the list ends."""

    rows: tuple[T, ...]
    next_offset: int = 0


@dataclass(frozen=True)
class PageWindow:
    """Which part of a list is asked for: so many from one on."""

    offset: int = 0
    limit: int = MAX_LIMIT

    def run_query(self, session: Session, keys: Select[K], read: Callable[[Sequence[K]], Sequence[T]]) -> Page[T]:
        """The part of a query of keys, read together; what is not to be shown of it is left out by `read`."""
        found = session.scalars(self._slice_query(keys)).all()
        return Page(tuple(read(found[: self.limit])), self._next_offset(len(found)))

    def run_row_query(
        self, session: Session, rows: Select[*tuple[Any, ...]], read: Callable[[Sequence[Any]], Sequence[T]]
    ) -> Page[T]:
        """The same of a query of several columns."""
        found = session.execute(self._slice_query(rows)).all()
        return Page(tuple(read(found[: self.limit])), self._next_offset(len(found)))

    def slice(self, found: Sequence[T]) -> Page[T]:
        """The part of a list that has been read whole."""
        rows = found[max(0, self.offset) :][: self.limit + 1]
        return Page(tuple(rows[: self.limit]), self._next_offset(len(rows)))

    def _slice_query(self, asked: Select[*tuple[Any, ...]]) -> Select[*tuple[Any, ...]]:
        return asked.offset(max(0, self.offset)).limit(self.limit + 1)

    def _next_offset(self, length: int) -> int:
        return max(0, self.offset) + self.limit if length > self.limit else 0


FIRST_PAGE: Final = PageWindow()
"""The beginning of a list."""
ALL_ROWS: Final = PageWindow(limit=100_000)
"""All of it, for what is no page."""
