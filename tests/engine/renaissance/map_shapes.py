"""Makes the shapes of the map of Italy out of coasts and the places of the cities; the same shapes every time.

    python -m tests.engine.renaissance.map_shapes

The coasts are Natural Earth's (public domain).  Degrees become the catalogue's own units by the straight line that
fits eleven cities best; the land is then shared out among the cities, each cell to the one nearest on foot.  The
printed board is not at hand: what province a place belongs to is as reconstructed as the catalogue says.  The outcome
is committed: the engine reads it, and never makes it.
"""

import itertools
import json
from heapq import heappop, heappush
from math import hypot, inf, log, radians, tan
from pathlib import Path
from typing import Any, Final

from engine.renaissance.catalogue import ROADS, TOWNS
from tests.engine.age_of_renaissance.drawing.extract import LAND
from tests.engine.age_of_renaissance.drawing.label import swept
from tests.engine.age_of_renaissance.drawing.raster import CELL, Cell, filled, grown, near, parts, worn
from tests.engine.age_of_renaissance.drawing.trace import Arc, arcs, rings

SHAPES: Final = Path(__file__).resolve().parents[3] / "engine" / "renaissance" / "data" / "shapes.json"
NOTE: Final = (
    "Our own drawing, made from the cities' places (map.json) and coasts (Natural Earth, public domain) by "
    "tests/engine/renaissance/map_shapes.py; positions and frontiers are reconstructed, the printed board is not at "
    "hand. arcs: each border once, its first point and steps. areas: outlines as arcs, ~n walked backwards; - is "
    "land of no city, ~ is water. towns: where the cities lie. roads: first point and steps, round the water."
)
WIDE, HIGH = 352, 362
"""Cells of the grid that are used."""
SCALE, LEFT, TOP = 0.34, 13.0, 9.0
"""Cells for a unit of the catalogue, and the empty cells at the left and at the top."""
WILDS, WATER = "-", "~"
KNOWN: Final = {
    "torino": (45.07, 7.69),
    "milano": (45.46, 9.19),
    "venezia": (45.44, 12.32),
    "genova": (44.41, 8.93),
    "firenze": (43.77, 11.25),
    "ancona": (43.62, 13.52),
    "roma": (41.90, 12.50),
    "napoli": (40.85, 14.27),
    "bari": (41.12, 16.87),
    "palermo": (38.12, 13.36),
    "ajaccio": (41.93, 8.74),
}
WILD: Final = (
    (45.2, 6.0),
    (44.4, 6.0),
    (43.8, 6.3),
    (46.2, 6.2),
    (47.4, 10.5),
    (47.2, 13.0),
    (46.4, 13.6),
    (45.7, 14.6),
    (46.5, 15.5),
    (45.2, 15.8),
    (44.3, 16.6),
    (43.9, 17.6),
    (43.6, 18.9),
    (44.6, 18.5),
    (42.0, 19.9),
    (40.6, 20.0),
    (40.0, 9.1),
    (39.4, 9.0),
    (40.8, 9.2),
    (47.6, 8.0),
    (47.0, 6.6),
    (47.5, 16.0),
    (42.4, 19.5),
)
"""Land that is nobody's: beyond the Alps, beyond the Adriatic, Sardinia."""
LIMIT: Final = {"svizzera": 58.0, "trento": 58.0, "ragusa": 46.0, "torino": 60.0, "nizza": 48.0, "treviso": 56.0}
SMALL: Final = 30
REACH: Final = 5
"""So many cells around a city, which may lie on the shore, a road may leave the land."""


def _line(pairs: list[tuple[float, float]]) -> tuple[float, float]:
    """Slope and beginning of the straight line that fits best."""
    n = len(pairs)
    mean_x, mean_y = sum(x for x, _ in pairs) / n, sum(y for _, y in pairs) / n
    slope = sum((x - mean_x) * (y - mean_y) for x, y in pairs) / sum((x - mean_x) ** 2 for x, _ in pairs)
    return slope, mean_y - slope * mean_x


def _north(lat: float) -> float:
    """Mercator's northing, so that shapes keep their angles."""
    return log(tan(radians(45 + lat / 2)))


_EAST: Final = _line([(lon, TOWNS[name].place[0]) for name, (_, lon) in KNOWN.items()])
_SOUTH: Final = _line([(_north(lat), TOWNS[name].place[1]) for name, (lat, _) in KNOWN.items()])


def placed(lat: float, lon: float) -> tuple[float, float]:
    """Where a point of the earth lies on the grid."""
    return on_grid(_EAST[0] * lon + _EAST[1], _SOUTH[0] * _north(lat) + _SOUTH[1])


def on_grid(x: float, y: float) -> tuple[float, float]:
    """Where a place of the catalogue lies on the grid."""
    return LEFT + x * SCALE, TOP + y * SCALE


def land() -> set[Cell]:
    """The cells of dry land."""
    dry: set[Cell] = set()
    for flat in json.loads(LAND.read_text()):
        dry ^= set(filled([placed(y / 100, x / 100) for x, y in zip(flat[::2], flat[1::2], strict=True)]))
    return {(x, y) for x, y in worn(dry) if x < WIDE and y < HIGH}


def _nearest(room: set[Cell], spot: tuple[float, float]) -> Cell:
    """The cell of `room` closest to a spot: places on a shore may fall into the water."""
    x, y = int(spot[0]), int(spot[1])
    return min(room, key=lambda cell: ((cell[0] - x) ** 2 + (cell[1] - y) ** 2, cell))


def cells() -> dict[Cell, str]:
    """Whose each cell is."""
    dry = land()
    own = {name: _nearest(dry, on_grid(*town.place)) for name, town in TOWNS.items()}
    settled = set(own.values())
    room = {cell for part in parts(dry) if len(part) >= SMALL or part & settled for cell in part}
    beyond = [(int(x), int(y)) for x, y in (placed(*spot) for spot in WILD)]
    seeds = [(cell, name, 0.0) for name, cell in own.items()]
    seeds += [(cell, WILDS, 0.0) for cell in beyond if cell in room]
    shared = swept(grown(room, seeds, dict.fromkeys(TOWNS, 75.0) | LIMIT, WILDS), SMALL)
    wet = {(x, y): WATER for x in range(WIDE) for y in range(HIGH)}
    return {**wet, **_islands(shared)}


def _islands(shared: dict[Cell, str]) -> dict[Cell, str]:
    """An island belongs to its one city whole, however far it is across."""
    for part in parts(set(shared)):
        held = {shared[cell] for cell in part} - {WILDS}
        if len(held) == 1:
            shared.update(dict.fromkeys(part, held.pop()))
    return shared


# --- roads


def _inland(labelled: dict[Cell, str]) -> set[Cell]:
    """The cells on which a road may run: dry, and no shore."""
    dry = {cell for cell, label in labelled.items() if label != WATER}
    return {cell for cell in dry if all(other in dry for other in near(cell))}


def _between(one: Cell, other: Cell) -> list[Cell]:
    """The cells under a straight line."""
    steps = max(abs(other[0] - one[0]), abs(other[1] - one[1]), 1)
    return [
        (round(one[0] + (other[0] - one[0]) * n / steps), round(one[1] + (other[1] - one[1]) * n / steps))
        for n in range(steps + 1)
    ]


def _walked(room: set[Cell], start: Cell, end: Cell) -> list[Cell]:
    """The shortest way over the cells of `room`; the ends may lie outside."""
    open_, before, spent = [(0.0, start)], {start: start}, {start: 0.0}
    while open_:
        at = heappop(open_)[1]
        if at == end:
            break
        for dx, dy in itertools.product((-1, 0, 1), repeat=2):
            to = (at[0] + dx, at[1] + dy)
            if (dx, dy) == (0, 0) or (
                to not in room
                and hypot(to[0] - end[0], to[1] - end[1]) > REACH < hypot(to[0] - start[0], to[1] - start[1])
            ):
                continue
            cost = spent[at] + hypot(dx, dy) * (1 if to in room else 4)
            if cost < spent.get(to, inf):
                spent[to], before[to] = cost, at
                heappush(open_, (cost + hypot(end[0] - to[0], end[1] - to[1]), to))
    path = [end]
    while path[-1] != start:
        path.append(before[path[-1]])
    return path[::-1]


def _pulled(room: set[Cell], path: list[Cell]) -> list[Cell]:
    """The corners of a way pulled tight: from each on to the farthest that a straight line over land reaches."""

    def is_free(cell: Cell) -> bool:
        return cell in room or min(hypot(cell[0] - x, cell[1] - y) for x, y in (path[0], path[-1])) <= REACH

    kept, at = [path[0]], 0
    while at < len(path) - 1:
        ahead = range(len(path) - 1, at, -1)
        at = next(n for n in ahead if n == at + 1 or all(map(is_free, _between(path[at], path[n]))))
        kept.append(path[at])
    return kept


def roads(labelled: dict[Cell, str]) -> dict[str, list[int]]:
    """Every road as its corners: straight where that leads over land, else round the water."""
    room, found = _inland(labelled), {}
    for one, other in ((a, b) for a in TOWNS for b in ROADS[a] if a < b):
        ends = [on_grid(*TOWNS[name].place) for name in (one, other)]
        start, end = ((int(x), int(y)) for x, y in ends)
        corners = _pulled(room, _walked(room, start, end))[1:-1]
        points = [(round(CELL * x), round(CELL * y)) for x, y in (ends[0], *corners, ends[1])]
        found[f"{one} {other}"] = _stepped(points)
    return found


def _stepped(path: list[tuple[int, int]]) -> list[int]:
    steps = [b[axis] - a[axis] for a, b in itertools.pairwise(path) for axis in (0, 1)]
    return [*path[0], *steps]


def shapes() -> dict[str, Any]:
    """Everything that `shapes.json` holds."""
    labelled = cells()
    borders: list[Arc] = arcs(labelled)
    return {
        "note": NOTE,
        "size": [WIDE * CELL, HIGH * CELL],
        "arcs": [_stepped(arc.points) for arc in borders],
        "areas": {label: rings(borders, label) for label in (*TOWNS, WILDS, WATER)},
        "towns": {name: [round(CELL * at) for at in on_grid(*town.place)] for name, town in TOWNS.items()},
        "roads": roads(labelled),
    }


def touching(labelled: dict[Cell, str]) -> set[frozenset[str]]:
    """Which areas lie side by side."""
    return {frozenset((label, labelled.get(b, label))) for cell, label in labelled.items() for b in near(cell)}


def written() -> str:
    """The file, an entry a line."""
    said = []
    for key, value in shapes().items():
        if isinstance(value, dict):
            body = ",\n".join(f"  {json.dumps(k)}: {json.dumps(v, separators=(',', ':'))}" for k, v in value.items())
            said.append(f' "{key}": {{\n{body}\n }}')
        elif key == "arcs":
            body = ",\n".join("  " + json.dumps(v, separators=(",", ":")) for v in value)
            said.append(f' "{key}": [\n{body}\n ]')
        else:
            said.append(f' "{key}": {json.dumps(value)}')
    return "{\n" + ",\n".join(said) + "\n}\n"


if __name__ == "__main__":
    SHAPES.write_text(written(), encoding="utf-8")
