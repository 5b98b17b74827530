"""Long lists, of which one part at a time is read."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from sqlalchemy import Select
from sqlalchemy.orm import Session

T = TypeVar("T")
K = TypeVar("K")

MOST: Final = 50
"""So much of a list is shown at once."""


@dataclass(frozen=True)
class Found(Generic[T]):
    """What is shown of a list.  `onward`: how much to leave out to read on; 0 where the list ends."""

    rows: tuple[T, ...]
    onward: int = 0


@dataclass(frozen=True)
class Part:
    """Which part of a list is asked for: so many from one on."""

    first: int = 0
    most: int = MOST

    def of(self, session: Session, keys: Select[K], read: Callable[[Sequence[K]], Sequence[T]]) -> Found[T]:
        """The part of a query of keys, read together; what is not to be shown of it is left out by `read`."""
        found = session.scalars(self._cut_out(keys)).all()
        return Found(tuple(read(found[: self.most])), self._onward(len(found)))

    def of_rows(
        self, session: Session, rows: Select[*tuple[Any, ...]], read: Callable[[Sequence[Any]], Sequence[T]]
    ) -> Found[T]:
        """The same of a query of several columns."""
        found = session.execute(self._cut_out(rows)).all()
        return Found(tuple(read(found[: self.most])), self._onward(len(found)))

    def cut(self, found: Sequence[T]) -> Found[T]:
        """The part of a list that has been read whole."""
        rows = found[max(0, self.first) :][: self.most + 1]
        return Found(tuple(rows[: self.most]), self._onward(len(rows)))

    def _cut_out(self, asked: Select[*tuple[Any, ...]]) -> Select[*tuple[Any, ...]]:
        return asked.offset(max(0, self.first)).limit(self.most + 1)

    def _onward(self, length: int) -> int:
        return max(0, self.first) + self.most if length > self.most else 0


FIRST: Final = Part()
"""The beginning of a list."""
WHOLE: Final = Part(most=100_000)
"""All of it, for what is no page."""
