"""A piece that an answer lays on a grid of the board, so that a page can let it hover there before it is laid.

A game gives what only it knows: the shape of the piece, what it looks like, and what the squares are called.  The page
moves it, and writes the line that the question takes; the judge of all lines judges it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from engine.kernel.languages import Language
from engine.kernel.rules import View

Spot = tuple[int, int]
"""A row and a column."""


@dataclass(frozen=True)
class Face:
    """A side of a piece that may lie up.

    `value`: the choice that says so, empty where there is no choice.  `spots`: its squares, from the top left one at
    0, 0.  `picture`: SVG, in units of the picture.  `text`: what is on it, in words.
    """

    value: str
    spots: tuple[Spot, ...]
    picture: str
    text: str


@dataclass(frozen=True)
class Piece:
    """A piece that its owner may lay now.

    `topic`: the question that it answers; `corner`, `keyword_field`, `face`: the slots of the form that name its top
    left square, the squares that go below what lies there, and the side that is up.  `zone`: where it is laid, a zone
    of the picture with places on a grid; `side`: how wide a square of it is; `grid`: what each square in reach is
    called.
    """

    topic: str
    corner: str
    keyword_field: str
    face: str
    zone: str
    side: int
    grid: Mapping[str, Spot]
    faces: Sequence[Face]


@runtime_checkable
class HasPieces(Protocol):
    """Rules of a game whose questions may ask where a piece is laid (optional, like `HasZones`)."""

    def pieces(self, view: View, language: Language) -> Sequence[Piece]:
        """The pieces that the viewer may lay now, from their own view."""
        ...
