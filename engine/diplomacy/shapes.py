"""Coordinates on the canvas: the outlines and places of `data/shapes.json`, as SVG path data."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from engine.diplomacy.catalogue import PROVINCES, SEA
from engine.kernel.borders import FRAME, Spot, load_borders
from engine.kernel.data_tables import load_table

_SHAPES: Final[Any] = load_table(__package__, "shapes")
WILD, STRAIT = "-", "~"
"""Land that no unit enters; water that is no sea."""
SIZE: Final[tuple[int, int]] = (_SHAPES["size"][0], _SHAPES["size"][1])
MAP: Final = load_borders(_SHAPES["arcs"], _SHAPES["areas"])
OUTLINES: Final[Mapping[str, str]] = MappingProxyType({label: MAP.path(label) for label in MAP.areas})
"""Path data of every area."""


def _spots(key: str) -> Mapping[str, Spot]:
    return MappingProxyType({name: (x, y) for name, (x, y) in _SHAPES[key].items()})


NAMES, WHOLE, UNITS, LOST, MARKS, COASTS = map(_spots, ("names", "whole", "units", "lost", "marks", "coasts"))
"""Middles: of the short name of each province; of its whole name, where there is room; of a unit, by its place; of a
dislodged unit; of the mark of a centre; of the name of a coast.
"""


def is_land(label: str) -> bool:
    """Return True for land, with that which no unit enters."""
    return label == WILD or (label in PROVINCES and PROVINCES[label].kind != SEA)


def _lines(land: int) -> str:
    """Return path data of the borders with land on so many sides."""
    return MAP.lines(lambda sides: FRAME not in sides and sum(map(is_land, sides)) == land)


SHORES, COAST, FRONTIERS = map(_lines, range(3))
"""Path data of the borders between waters, between land and water, between lands."""
