"""Makes the shapes of the map out of coasts, points and the catalogue; the same shapes every time.

    python -m tests.engine.age_of_renaissance.drawing.make

Land is cut into provinces by growing them from their places over a grid of cells (`label`), borders are traced and
smoothed once each (`trace`), and what is drawn on top is given its place here. The outcome is committed: the engine
reads it, and never makes it.
"""

import itertools
import json
from collections.abc import Iterable, Iterator
from math import hypot
from pathlib import Path
from typing import Any, Final

from engine.age_of_renaissance import atlas
from engine.age_of_renaissance.catalogue import PROVINCES
from engine.kernel.data_tables import load_table
from tests.engine.age_of_renaissance.drawing.label import NARROW, provinces, waters
from tests.engine.age_of_renaissance.drawing.raster import CELL, HIGH, WIDE, WILDS, Cell, placed
from tests.engine.age_of_renaissance.drawing.sketch import BOXES, MIDDLES, NUMERALS, SEA_NAMES
from tests.engine.age_of_renaissance.drawing.trace import FRAME, Arc, Corner, along, arcs, rings

ROOT: Final = Path(__file__).resolve().parents[4]
SHAPES: Final = ROOT / "engine" / "age_of_renaissance" / "data" / "shapes.json"
NOTE: Final = (
    "Our own drawing, made from real-world positions (provinces.json), frontiers (borders.json) and coasts (Natural "
    "Earth, public domain) by tests/engine/age_of_renaissance/drawing. arcs: each border once, its first point and "
    "steps. areas: outlines as arcs, ~n walked backwards. Land shares an arc if and only if it is linked; a sea, if "
    "and only if it washes the coast; ~ is water of no sea, - land of no province. middle: where pieces lie. arrows: "
    "of satellites. crossings: coasts linked over water. bridges: linked but not touching; barred: touching but not "
    "linked."
)


def middles(cells: dict[Cell, str]) -> dict[str, Corner]:
    """For each label the point furthest from its borders, counting less across than down, for words run across."""
    far: dict[Cell, float] = dict.fromkeys(cells, 1e9)
    steps = (((-1, 0), 0.6), ((0, -1), 1.0), ((-1, -1), 1.2), ((1, -1), 1.2))
    for sign in (1, -1):
        for y in range(HIGH)[::sign]:
            for x in range(WIDE)[::sign]:
                for (dx, dy), step in steps:
                    beside = (x + sign * dx, y + sign * dy)
                    same = cells.get(beside) == cells[x, y]
                    far[x, y] = min(far[x, y], (far[beside] if same else 0.0) + step)
    best: dict[str, tuple[float, Cell]] = {}
    for cell, label in sorted(cells.items()):
        if label not in best or far[cell] > best[label][0]:
            best[label] = (far[cell], cell)
    return {label: (cell[0] * CELL + CELL // 2, cell[1] * CELL + CELL // 2) for label, (_, cell) in best.items()}


def outline(borders: list[Arc], label: str) -> list[Corner]:
    """All points of a label's borders."""
    return [p for ring in rings(borders, label) for number in ring for p in along(borders, number)]


def closest(one: Iterable[Corner], other: list[Corner]) -> tuple[Corner, Corner]:
    """The two points, one of each, that are nearest to each other."""
    return min(((a, b) for a in one for b in other), key=lambda pair: (_far(*pair), pair))


def _far(one: Corner, other: Corner) -> float:
    return hypot(one[0] - other[0], one[1] - other[1])


def _towards(start: Corner, end: Corner, far: float) -> Corner:
    long = _far(start, end) or 1.0
    return round(start[0] + (end[0] - start[0]) * far / long), round(start[1] + (end[1] - start[1]) * far / long)


def arrows(borders: list[Arc], centre: dict[str, Corner]) -> Iterator[list[Any]]:
    """From each satellite to where its arrows point (§9.5.2): across the frontier, or out over the water."""
    for province in PROVINCES.values():
        for target in province.points_to:
            shared = [p for arc in borders if {arc.left, arc.right} == {province.id, target} for p in arc.points[1:-1]]
            if shared:
                x, y = (sum(p[axis] for p in shared) // len(shared) for axis in (0, 1))
                middle = min(shared, key=lambda p: (_far(p, (x, y)), p))
                start, end = _towards(middle, centre[province.id], 46), _towards(middle, centre[target], 46)
            else:
                shore, beyond = closest(outline(borders, province.id), outline(borders, target))
                start, end = _towards(shore, centre[province.id], 14), _towards(shore, beyond, 66)
            yield [province.id, target, *start, *end]


def crossings(borders: list[Arc]) -> Iterator[list[Any]]:
    """Coasts that a galley goes between over water: the shortest way from shore to shore."""
    lines = {}
    for group in load_table("engine.age_of_renaissance", "borders")["coast"]:
        for pair in group["pairs"]:
            one, other = sorted(coast.partition("#")[0] for coast in pair)
            if other not in atlas.NEIGHBOURS[one]:
                lines[one, other] = closest(outline(borders, one), outline(borders, other))
    for (one, other), (start, end) in sorted(lines.items()):
        yield [one, other, *start, *end]


def shapes() -> dict[str, Any]:
    """Everything that `shapes.json` holds."""
    land = provinces()
    cells = {**land, **waters(land)}
    borders, centre = arcs(cells), middles(cells)
    centre |= {name: _on_canvas(*spot) for name, spot in MIDDLES.items()}
    labels = [*(p for p in PROVINCES if p not in BOXES), *atlas.SEAS, NARROW, WILDS]
    touching = {frozenset((arc.left, arc.right)) for arc in borders} - {frozenset((FRAME,))}
    linked = {frozenset((one, other)) for one in PROVINCES for other in atlas.NEIGHBOURS[one]}
    return {
        "note": NOTE,
        "size": [WIDE * CELL, HIGH * CELL],
        "arcs": [_stepped(arc.points) for arc in borders],
        "areas": {label: rings(borders, label) for label in labels},
        "middle": {label: centre[label] for label in labels if label in PROVINCES},
        "seas": {sea: [*_on_canvas(lat, lon), turn] for sea, (lat, lon, turn) in SEA_NAMES.items()},
        "regions": {region: [*_on_canvas(*spot)] for region, spot in NUMERALS.items()},
        "boxes": {name: list(box) for name, box in BOXES.items()},
        "arrows": list(arrows(borders, centre)),
        "crossings": list(crossings(borders)),
        "bridges": sorted(sorted(pair) for pair in linked - touching),
        "barred": sorted(sorted(pair) for pair in touching - linked if all(label in PROVINCES for label in pair)),
    }


def _on_canvas(lat: float, lon: float) -> Corner:
    x, y = placed(lat, lon)
    return round(CELL * x), round(CELL * y)


def _stepped(path: list[Corner]) -> list[int]:
    steps = [b[axis] - a[axis] for a, b in itertools.pairwise(path) for axis in (0, 1)]
    return [*path[0], *steps]


def written() -> str:
    """The file, an entry a line."""
    parts = []
    for key, value in shapes().items():
        if isinstance(value, dict):
            body = ",\n".join(f"  {json.dumps(k)}: {json.dumps(v, separators=(',', ':'))}" for k, v in value.items())
            parts.append(f' "{key}": {{\n{body}\n }}')
        elif key in ("arcs", "arrows", "crossings"):
            body = ",\n".join("  " + json.dumps(v, separators=(",", ":")) for v in value)
            parts.append(f' "{key}": [\n{body}\n ]')
        else:
            parts.append(f' "{key}": {json.dumps(value, ensure_ascii=False)}')
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    SHAPES.write_text(written(), encoding="utf-8")
