"""Coordinates on the canvas: the outlines and places of `data/shapes.json`, as SVG path data."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from engine.kernel.borders import Borders, Spot, load_borders, to_path
from engine.kernel.data_tables import load_table
from engine.renaissance.catalogue import TOWNS

_SHAPES: Final[Any] = load_table("engine.renaissance", "shapes")

WILDS, WATER = "-", "~"
"""Land outside all provinces, and the sea."""
WIDE, HIGH = _SHAPES["size"]
OUTLINES: Final[Borders] = load_borders(_SHAPES["arcs"], _SHAPES["areas"])
PLACES: Final[Mapping[str, Spot]] = {name: (x, y) for name, (x, y) in _SHAPES["towns"].items()}
"""The places of the cities."""
AREAS: Final[Mapping[str, str]] = {name: OUTLINES.path(name) for name in (*TOWNS, WILDS)}
"""Path data of every area of land."""


def _land(sides: frozenset[str]) -> int:
    return sum(side in TOWNS or side == WILDS for side in sides)


COAST: Final = OUTLINES.lines(lambda sides: WATER in sides and _land(sides) == 1)
FRONTIERS: Final = OUTLINES.lines(
    lambda sides: _land(sides) == 2 and len({TOWNS[s].province if s in TOWNS else s for s in sides}) == 2
)
"""Path data of the borders between provinces, and with other land."""
BOUNDS: Final = OUTLINES.lines(
    lambda sides: all(s in TOWNS for s in sides) and len({TOWNS[s].province for s in sides}) == 1
)
"""Path data of the borders between the cities of one province."""


def _bent(path: Sequence[Spot]) -> str:
    """Return path data of a line through the middles between its corners, rounded at each."""
    middles = (f"Q{x} {y} {(x + to_x) // 2} {(y + to_y) // 2}" for (x, y), (to_x, to_y) in pairwise(path[1:]))
    return f"M{path[0][0]} {path[0][1]}" + "".join(middles) + f"L{path[-1][0]} {path[-1][1]}"


ROADS: Final[Mapping[str, Sequence[Spot]]] = {name: to_path(steps) for name, steps in _SHAPES["roads"].items()}
"""The corners of each road, by the two cities that it joins; roads lead round the sea."""
ROAD_LINES: Final = "".join(map(_bent, ROADS.values()))
"""Path data of all roads."""
