"""Where everything lies on the canvas: the outlines and places of `data/shapes.json`, as text ready to be drawn."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from engine.age_of_renaissance.catalogue import PROVINCES
from engine.kernel.borders import FRAME, Spot, load_borders
from engine.kernel.data_tables import load_table
from engine.kernel.pictures import outline_path

_SHAPES: Final[Any] = load_table("engine.age_of_renaissance", "shapes")

WILDS, NARROWS = "-", "~"
"""Land of no province, and water of no sea."""
WIDE, HIGH = _SHAPES["size"]


_MAP: Final = load_borders(_SHAPES["arcs"], _SHAPES["areas"])
ARCS, AREAS, SIDES, lines = _MAP.arcs, _MAP.areas, _MAP.sides, _MAP.lines
BOXES: Final[Mapping[str, tuple[int, int, int, int]]] = MappingProxyType(
    {name: tuple(box) for name, box in _SHAPES["boxes"].items()}
)
"""The boxes overseas: left, top, width, height."""
MIDDLES: Final[Mapping[str, Spot]] = MappingProxyType(
    {
        **{name: (x, y) for name, (x, y) in _SHAPES["middle"].items()},
        **{name: (x + wide // 2, y + high // 2) for name, (x, y, wide, high) in BOXES.items()},
    }
)
"""Where the pieces of a province lie."""
SEA_NAMES: Final[Mapping[str, tuple[int, int, int]]] = MappingProxyType(
    {name: (x, y, turn) for name, (x, y, turn) in _SHAPES["seas"].items()}
)
"""The middles of the names of the seas, and by how many degrees they are turned."""
NUMERALS: Final[Mapping[str, Spot]] = MappingProxyType({name: (x, y) for name, (x, y) in _SHAPES["regions"].items()})
"""Where the number of a region stands."""
ARROWS: Final = tuple((one, other, (a, b), (c, d)) for one, other, a, b, c, d in _SHAPES["arrows"])
"""Satellite, province that it points to, where its arrow begins and ends."""
CROSSINGS: Final = tuple((one, other, (a, b), (c, d)) for one, other, a, b, c, d in _SHAPES["crossings"])
"""Coasts that lie next to each other over water, and the line between them."""


def rings(label: str) -> tuple[tuple[Spot, ...], ...]:
    """The outlines of an area, each closed: its last point is followed by its first."""
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
"""Path data of where land meets water."""
FRONTIERS: Final = lines(lambda sides: all(label in PROVINCES for label in sides))
"""Path data of the borders between provinces."""
EDGES: Final = lines(lambda sides: WILDS in sides and any(label in PROVINCES for label in sides))
"""Path data of the borders between provinces and land of nobody."""
REGIONS: Final = lines(lambda sides: len({PROVINCES[p].region for p in sides if p in PROVINCES}) == 2)
"""Path data of the borders between two regions."""
SHORES: Final = lines(lambda sides: FRAME not in sides and not any(_land(label) for label in sides))
"""Path data of where one water ends and the next begins."""
