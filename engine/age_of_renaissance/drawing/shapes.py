"""Coordinates on the canvas: the outlines and places of `data/shapes.json`, as SVG path data."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from engine.age_of_renaissance.catalogue import PROVINCES
from engine.kernel.borders import FRAME, Spot, load_borders
from engine.kernel.data_tables import load_table
from engine.kernel.pictures import outline_path

_SHAPES: Final[Any] = load_table("engine.age_of_renaissance", "shapes")

WILDS, NARROWS = "-", "~"
"""Land outside all provinces, and water outside all seas."""
WIDE, HIGH = _SHAPES["size"]


_MAP: Final = load_borders(_SHAPES["arcs"], _SHAPES["areas"])
ARCS, AREAS, SIDES, lines = _MAP.arcs, _MAP.areas, _MAP.sides, _MAP.lines
BOXES: Final[Mapping[str, tuple[int, int, int, int]]] = MappingProxyType(
    {name: tuple(box) for name, box in _SHAPES["boxes"].items()}
)
"""The overseas boxes: left, top, width, height."""
MIDDLES: Final[Mapping[str, Spot]] = MappingProxyType(
    {
        **{name: (x, y) for name, (x, y) in _SHAPES["middle"].items()},
        **{name: (x + wide // 2, y + high // 2) for name, (x, y, wide, high) in BOXES.items()},
    }
)
"""The centre of each province, where its pieces are drawn."""
SEA_NAMES: Final[Mapping[str, tuple[int, int, int]]] = MappingProxyType(
    {name: (x, y, turn) for name, (x, y, turn) in _SHAPES["seas"].items()}
)
"""The centre of each sea's name, and its rotation in degrees."""
NUMERALS: Final[Mapping[str, Spot]] = MappingProxyType({name: (x, y) for name, (x, y) in _SHAPES["regions"].items()})
"""The place of each region's number."""
ARROWS: Final = tuple((one, other, (a, b), (c, d)) for one, other, a, b, c, d in _SHAPES["arrows"])
"""Satellite, province that it points to, start and end of its arrow."""
CROSSINGS: Final = tuple((one, other, (a, b), (c, d)) for one, other, a, b, c, d in _SHAPES["crossings"])
"""Pairs of coasts that are adjacent over water, and the line between them."""


def rings(label: str) -> tuple[tuple[Spot, ...], ...]:
    """Return the outlines of an area; each closes from its last point to its first."""
    if label in BOXES:
        x, y, wide, high = BOXES[label]
        return (((x, y), (x, y + high), (x + wide, y + high), (x + wide, y)),)
    return _MAP.rings(label)


OUTLINES: Final[Mapping[str, str]] = MappingProxyType(
    {label: "".join(outline_path(ring) for ring in rings(label)) for label in (*AREAS, *BOXES)}
)
"""Path data of every area."""


def _land(label: str) -> bool:
    return label in PROVINCES or label == WILDS


COAST: Final = lines(lambda sides: FRAME not in sides and len({_land(label) for label in sides}) == 2)
"""Path data of the borders between land and water."""
FRONTIERS: Final = lines(lambda sides: all(label in PROVINCES for label in sides))
"""Path data of the borders between provinces."""
EDGES: Final = lines(lambda sides: WILDS in sides and any(label in PROVINCES for label in sides))
"""Path data of the borders between provinces and other land."""
REGIONS: Final = lines(lambda sides: len({PROVINCES[p].region for p in sides if p in PROVINCES}) == 2)
"""Path data of the borders between regions."""
SHORES: Final = lines(lambda sides: FRAME not in sides and not any(_land(label) for label in sides))
"""Path data of the borders between waters."""
