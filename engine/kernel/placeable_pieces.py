"""Pieces that an answer places on a grid of the board, so that a page can show them before they are placed.

A game supplies the shape of the piece, its picture and the names of the squares. The page moves the piece and writes
the order; the usual check validates it.
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
    """A side of a piece that may be up.

    `value`: the choice of this side; "" if there is no choice.
    `spots`: its squares, with the top left one at (0, 0).
    `picture`: SVG, in units of the picture.
    `text`: its contents in words.
    """

    value: str
    spots: tuple[Spot, ...]
    picture: str
    text: str


@dataclass(frozen=True)
class Piece:
    """A piece that its owner may place now.

    `topic`: the question that it answers.
    `corner`, `under`, `face`: the slots of the form for the top left square, for the squares that go under
    existing ones, and for the side that is up.
    `zone`: the zone of the picture where it is placed.
    `side`: the width of a square.
    `grid`: each reachable square by its name.
    """

    topic: str
    corner: str
    under: str
    face: str
    zone: str
    side: int
    grid: Mapping[str, Spot]
    faces: Sequence[Face]


@runtime_checkable
class HasPieces(Protocol):
    """Rules whose questions may ask where to place a piece (optional, like `HasZones`)."""

    def pieces(self, view: View, language: Language) -> Sequence[Piece]:
        """Return the pieces that the viewer may place now, from their own view."""
        ...
