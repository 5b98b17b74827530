"""Long lists, of which one part at a time is read."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from sqlalchemy import Select
from sqlalchemy.orm import Session

T = TypeVar("T")
K = TypeVar("K")

MAX_LIMIT: Final = 50
"""So much of a list is shown at once."""


@dataclass(frozen=True)
class Page(Generic[T]):
    """What is shown of a list.  `onward`: how much to leave out to read on; 0 where the list ends."""

    rows: tuple[T, ...]
    onward: int = 0


@dataclass(frozen=True)
class PageWindow:
    """Which part of a list is asked for: so many from one on."""

    first: int = 0
    most: int = MAX_LIMIT

    def of(self, session: Session, keys: Select[K], read: Callable[[Sequence[K]], Sequence[T]]) -> Page[T]:
        """The part of a query of keys, read together; what is not to be shown of it is left out by `read`."""
        found = session.scalars(self._slice_query(keys)).all()
        return Page(tuple(read(found[: self.most])), self._next_offset(len(found)))

    def run_row_query(
        self, session: Session, rows: Select[*tuple[Any, ...]], read: Callable[[Sequence[Any]], Sequence[T]]
    ) -> Page[T]:
        """The same of a query of several columns."""
        found = session.execute(self._slice_query(rows)).all()
        return Page(tuple(read(found[: self.most])), self._next_offset(len(found)))

    def slice(self, found: Sequence[T]) -> Page[T]:
        """The part of a list that has been read whole."""
        rows = found[max(0, self.first) :][: self.most + 1]
        return Page(tuple(rows[: self.most]), self._next_offset(len(rows)))

    def _slice_query(self, asked: Select[*tuple[Any, ...]]) -> Select[*tuple[Any, ...]]:
        return asked.offset(max(0, self.first)).limit(self.most + 1)

    def _next_offset(self, length: int) -> int:
        return max(0, self.first) + self.most if length > self.most else 0


FIRST_PAGE: Final = PageWindow()
"""The beginning of a list."""
ALL_ROWS: Final = PageWindow(most=100_000)
"""All of it, for what is no page."""
