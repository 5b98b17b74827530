"""The won tile, as a piece that the page moves over the territory until it is placed."""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from engine.kernel.drawing import join_words
from engine.kernel.languages import Language
from engine.kernel.pictures import Theme
from engine.kernel.placeable_pieces import Face, Piece, Spot
from engine.kernel.rules import View
from engine.patchistory.catalogue import SIDES, TILES
from engine.patchistory.drawing.squares import SIDE, Ground, face_cells, in_words, shown
from engine.patchistory.territory import ALL_SQUARES, where

REACH = 2
"""How far outside a territory a tile's top left square is offered: one square more than is ever possible."""


def pieces(view: View, language: Language) -> tuple[Piece, ...]:
    """Return the tile that the viewer must place; empty for a viewer without one."""
    own = view["powers"].get(view["seat"])
    if own is None or not own["won"]:
        return ()
    won = own["won"]
    faces = tuple(_face(won, side, language) for side in ((won["side"],) if won["side"] else SIDES))
    return (Piece("placement", "corner", "under", "side", own["colour"], SIDE, _grid(own["territory"]), faces),)


def _face(won: Mapping[str, Any], side: str, language: Language) -> Face:
    cells = face_cells(won["tile"], side)
    drawn = shown(cells, Ground(language, Theme.AUTO), 0, 0)
    spots = tuple(spot for spot, _ in TILES[won["tile"]].face(side).spots())
    words = join_words((in_words(cell, language) for cell in cells), language)
    return Face("" if won["side"] else side, spots, drawn, words)


def _grid(territory: tuple[Mapping[str, Any], ...]) -> Mapping[str, Spot]:
    """Return the names of the squares that a tile could take, and some more."""
    rows, columns = zip(*(where(square) for place in territory for square in place["squares"]), strict=True)
    near = set(product(_around(rows), _around(columns)))
    return {square: where(square) for square in ALL_SQUARES if where(square) in near}


def _around(numbers: tuple[int, ...]) -> Iterator[int]:
    return iter(range(min(numbers) - REACH, max(numbers) + REACH + 1))
