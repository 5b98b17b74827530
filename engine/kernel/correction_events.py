"""Events that only a game master's ruling makes, and the error for a ruling that is not possible."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, ClassVar, Self

from engine.kernel.events import KernelEvent
from engine.kernel.orders import Problem
from engine.kernel.secrets import Secret
from engine.kernel.viewers import Seat


class CorrectionRefused(Exception):
    """A correction is not possible; `problem` has the reason for the game master."""

    def __init__(self, code: str, **terms: object) -> None:
        super().__init__(code)
        self.problem = Problem(code, terms)


class CorrectionEvent(KernelEvent):
    """An event that only a ruling makes.

    The `corrections` of the game apply it and compute its inverse; `put` and `inverse` are their defaults.
    """

    def put(self, board: Any) -> None:
        """Change the board as this correction says."""
        raise TypeError(f"{type(self).__name__} does not say what it puts right")

    def inverse(self, board: Any) -> "CorrectionEvent":
        """Return the event that undoes this one on the current board.

        Raises CorrectionRefused if the board has changed since.
        """
        raise CorrectionRefused("moved_on")


class ValueSet(CorrectionEvent):
    """A value of the board was changed from `before` to `after`.

    `path`: where the value is, given by the class; a part in braces is replaced by that field of the event
    (`powers/{seat}/ship`).
    """

    path: ClassVar[str]
    before: Any
    after: Any

    def current(self, board: Any) -> Any:
        """Return the value on the board now."""
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
    """Return the value at a path of keys and attributes. Raises KeyError or AttributeError."""
    for part in path:
        board = board[part] if isinstance(board, dict) else getattr(board, part)
    return board


class FigureCorrected(CorrectionEvent, saved="kernel.FigureCorrected"):
    """A figure of a seat was changed by `by`. `about`: which of several, such as the points of one turn."""

    seat: Seat
    what: str
    by: int
    about: str = ""


class PlacesSwapped(CorrectionEvent, saved="kernel.PlacesSwapped"):
    """Two seats swapped places in the order of play."""

    seat: Seat
    other: Seat


class CardMoved(CorrectionEvent, saved="kernel.CardMoved"):
    """A card moved between zones: `hand` (of a seat), `deck`, or a zone of open cards.

    `chance`: the card was drawn at random.
    `place`, `into`: its index in the old and in the new zone, readable by viewers who see the cards; -1 for the end.
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
    """The pile was shuffled, so nobody knows the position of a card in it."""

    before: tuple[Secret[str], ...]
    after: tuple[Secret[str], ...]
