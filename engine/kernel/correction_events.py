"""The facts that only a ruling makes, and why one cannot be made: whatever puts a board right, and takes it back."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, ClassVar, Self

from engine.kernel.events import KernelEvent
from engine.kernel.orders import Problem
from engine.kernel.secrets import Secret
from engine.kernel.viewers import Seat


class CorrectionRefused(Exception):
    """A correction that cannot stand, with the reason to be told."""

    def __init__(self, code: str, **terms: object) -> None:
        super().__init__(code)
        self.problem = Problem(code, terms)


class CorrectionEvent(KernelEvent):
    """A fact that only a ruling makes: what it puts right on the board, and what takes it back.

    Those of every game are put right and taken back by the game's `corrections`, which know where its cards lie.
    """

    def put(self, board: Any) -> None:
        """Change the board as this correction says."""
        raise TypeError(f"{type(self).__name__} does not say what it puts right")

    def inverse(self, board: Any) -> "CorrectionEvent":
        """Return the event that undoes this one on the current board. Raises CorrectionRefused if it has moved on."""
        raise CorrectionRefused("moved_on")


class ValueSet(CorrectionEvent):
    """A value of the board is another one: from `before` to `after`, at the `path` that the class gives.

    A part in braces stands for that field of the fact: `powers/{seat}/ship`.
    """

    path: ClassVar[str]
    before: Any
    after: Any

    def current(self, board: Any) -> Any:
        """What the value is now."""
        return value_at(board, self._parts())

    def put(self, board: Any) -> None:
        *way, last = self._parts()
        holder = value_at(board, way)
        if isinstance(holder, dict):
            holder[last] = self.after
        else:
            setattr(holder, last, self.after)

    def inverse(self, board: Any) -> Self:
        if self.current(board) != self.after:
            raise CorrectionRefused("moved_on")
        return replace(self, before=self.after, after=self.before)

    def _parts(self) -> tuple[str, ...]:
        return tuple(part.format_map(vars(self)) for part in self.path.split("/"))


def value_at(board: Any, path: Iterable[str]) -> Any:
    """What lies at a path of keys and attributes; raises KeyError or AttributeError."""
    for part in path:
        board = board[part] if isinstance(board, dict) else getattr(board, part)
    return board


class FigureCorrected(CorrectionEvent, saved="kernel.FigureCorrected"):
    """A figure of a seat was changed by so much; `about`: which of several (a turn's points)."""

    seat: Seat
    what: str
    by: int
    about: str = ""


class PlacesSwapped(CorrectionEvent, saved="kernel.PlacesSwapped"):
    """Two seats changed places in the order of play."""

    seat: Seat
    other: Seat


class CardMoved(CorrectionEvent, saved="kernel.CardMoved"):
    """A card went from one place to another: `hand` (of a seat), `deck` (its top) or one where cards lie open.

    `chance`: it was taken at random.  `place`, `into`: where it lay and lies there, from the first, for viewers who see
    the cards; -1: at the end.
    """

    card: Secret[str]
    source: str
    target: str
    seat: Seat | None = None
    to: Seat | None = None
    place: Secret[int]
    into: Secret[int]
    chance: bool = False


class PileShuffled(CorrectionEvent, saved="kernel.PileShuffled"):
    """The pile was shuffled: nobody knows any more where a card lies in it."""

    before: tuple[Secret[str], ...]
    after: tuple[Secret[str], ...]
