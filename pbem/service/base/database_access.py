"""How services use the database: work prepared before its transaction, rows that may not be believed, pages of rows."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Generic, TypeVar

from sqlalchemy import Select, inspect, select
from sqlalchemy.orm import Session

from pbem.common.outage_log import SIGNATURE_ERRORS
from pbem.crypto import DecryptionError
from pbem.store.columns import InClause
from pbem.store.database import Database
from pbem.store.models import Base
from pbem.store.versions import ConflictError

P = TypeVar("P")
T = TypeVar("T")

MAX_RETRIES: Final = 3
"""So often what was prepared may be overtaken before it is prepared under the lock."""


def retry_on_conflict(
    db: Database, prepare: Callable[[Session], P], act: Callable[[Session, P, bool], T], first: P | None = None
) -> T:
    """Prepare on a look at one moment, then act in a transaction, which raises Outrun where the moment has passed.

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


M = TypeVar("M", bound=Base)
RowKey = TypeVar("RowKey", int, str)


def load_verified(session: Session, model: type[M], key: int | str | None) -> M | None:
    """A row, if there is one and its signature fits; otherwise the log tells of it."""
    try:
        return session.get(model, key) if key is not None else None
    except DecryptionError as error:
        SIGNATURE_ERRORS.record(error)
        return None


@cache
def _by_key(model: type[M]) -> InClause[Select[M]]:
    return InClause(inspect(model).primary_key[0], lambda these: select(model).where(these))


def split_verified(session: Session, model: type[M], keys: Sequence[RowKey]) -> tuple[list[M], list[RowKey]]:
    """The rows of these keys that are believed, in this order, and the keys of the others."""
    if not keys:
        return [], []
    own = inspect(model).primary_key[0]
    try:
        found: dict[RowKey, M] = {getattr(row, own.name): row for row in session.scalars(*_by_key(model).bind(keys))}
    except DecryptionError:
        rows = {key: load_verified(session, model, key) for key in keys}
        found = {key: row for key, row in rows.items() if row is not None}
        return list(found.values()), [key for key in keys if key not in found]
    return [found[key] for key in keys if key in found], []


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
