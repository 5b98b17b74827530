"""Where everything lies on the canvas: the outlines and places of `data/shapes.json`, as text ready to be drawn."""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final

from engine.age_of_renaissance.catalogue import PROVINCES
from engine.kernel.pictures import points
from engine.kernel.reading import read_table

_SHAPES: Final[Any] = read_table("engine.age_of_renaissance", "shapes")

Spot = tuple[int, int]
WILDS, NARROWS, FRAME = "-", "~", ""
"""Land of no province, water of no sea, and what lies beyond the canvas."""
WIDE, HIGH = _SHAPES["size"]


def _path(steps: list[int]) -> tuple[Spot, ...]:
    """An arc: its first point, then a step to each next one."""
    x, y = steps[:2]
    found = [(x, y)]
    for dx, dy in zip(steps[2::2], steps[3::2], strict=True):
        x, y = x + dx, y + dy
        found.append((x, y))
    return tuple(found)


ARCS: Final = tuple(_path(steps) for steps in _SHAPES["arcs"])
AREAS: Final[Mapping[str, tuple[tuple[int, ...], ...]]] = MappingProxyType(
    {label: tuple(tuple(ring) for ring in rings) for label, rings in _SHAPES["areas"].items()}
)
"""Who lies where: each ring the numbers of its arcs, ~n for one that is walked backwards."""
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
    return tuple(
        tuple(p for number in ring for p in (ARCS[number] if number >= 0 else ARCS[~number][::-1])[:-1])
        for ring in AREAS[label]
    )


OUTLINES: Final[Mapping[str, str]] = MappingProxyType(
    {label: "".join(points(ring) for ring in rings(label)) for label in (*AREAS, *BOXES)}
)
"""Path data of every area."""


def _sides() -> tuple[frozenset[str], ...]:
    """Who lies on the two sides of each arc."""
    beside: list[set[str]] = [set() for _ in ARCS]
    for label, outline in AREAS.items():
        for number in (n for ring in outline for n in ring):
            beside[number if number >= 0 else ~number].add(label)
    return tuple(frozenset(labels if len(labels) == 2 else {*labels, FRAME}) for labels in beside)


SIDES: Final = _sides()


def _open(path: Iterable[Spot]) -> str:
    return points(tuple(path))[:-1]


def lines(wanted: Callable[[frozenset[str]], bool]) -> str:
    """Path data of all arcs whose two sides satisfy `wanted`."""
    return "".join(_open(arc) for arc, sides in zip(ARCS, SIDES, strict=True) if wanted(sides))


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


def bounds(places: Iterable[str]) -> tuple[int, int, int, int]:
    """The smallest box that holds these areas: left, top, width, height."""
    held = [spot for place in places for ring in rings(place) for spot in ring]
    xs, ys = [x for x, _ in held], [y for _, y in held]
    return min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)
