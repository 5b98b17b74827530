"""Which province each cell of the grid belongs to."""

import itertools
import json
from collections import Counter
from collections.abc import Iterator
from math import cos, hypot, log, radians, sin, tan
from typing import Final

from engine.diplomacy.catalogue import PROVINCES, SEA
from tests.engine.age_of_renaissance.drawing.raster import Cell, filled, near, parts, rough
from tests.engine.diplomacy.drawing.extract import COUNTRIES
from tests.engine.diplomacy.drawing.sketch import BRIDGED, CARVED, PARTS, STRAIT, WATERS, WHOLE, WILD, Spot

WIDE, HIGH = 424, 362
SCALE: Final = 590.0
"""Cells for the radius of the earth, before the lenses."""
MIDDLE: Final = (13.0, 51.0)
SOUTH, NORTH = 40.0, 58.0
"""The standard parallels of the projection (Lambert's conformal conic)."""
LEFT, TOP = 206.0, 191.0
"""Where the middle lies on the grid."""
LENSES: Final = (
    ((8.5, 49.8), 95.0, 0.5),
    ((20.5, 42.8), 58.0, 0.3),
    ((-3.0, 54.2), 58.0, 0.55),
    ((13.2, 42.4), 50.0, 0.62),
    ((10.2, 56.0), 34.0, 0.3),
    ((-4.2, 57.0), 26.0, 0.4),
)
"""Crowded places, drawn larger: their middle, how far the lens reaches in cells, and how much it adds there."""
HIGH_NORTH: Final = (70.0, 0.62)
FAR_EAST: Final = (312.0, 0.72)
"""Beyond this row the north is drawn lower, by this factor; beyond this column the east narrower."""
SMALL: Final = 26
"""Islands and splinters of fewer cells are left out."""


def _conic() -> tuple[float, float]:
    """The constants n and F of the projection."""
    one, two = radians(SOUTH), radians(NORTH)
    n = log(cos(one) / cos(two)) / log(tan(radians(45) + two / 2) / tan(radians(45) + one / 2))
    return n, cos(one) * tan(radians(45) + one / 2) ** n / n


_N, _F = _conic()


def _flat(lon: float, lat: float) -> Spot:
    far = _F / tan(radians(45 + min(lat, 88) / 2)) ** _N
    home = _F / tan(radians(45 + MIDDLE[1] / 2)) ** _N
    turn = _N * radians(lon - MIDDLE[0])
    x, y = LEFT + SCALE * far * sin(turn), TOP + SCALE * (far * cos(turn) - home)
    (row, lower), (column, narrower) = HIGH_NORTH, FAR_EAST
    return (column + (x - column) * narrower if x > column else x), (row + (y - row) * lower if y < row else y)


def placed(lon: float, lat: float) -> Spot:
    """Where a point of the earth lies on the grid; what is crowded is drawn larger."""
    x, y = _flat(lon, lat)
    for middle, reach, more in LENSES:
        mx, my = _flat(*middle)
        far = hypot(x - mx, y - my) / reach
        if far < 1:
            pull = 1 + more * (1 - far) ** 2
            x, y = mx + (x - mx) * pull, my + (y - my) * pull
    return x, y


def corners(said: str) -> list[Spot]:
    """The corners of an outline or a course, on the earth."""
    return [(float(lon), float(lat)) for lon, lat in (spot.split() for spot in said.split(","))]


def _bent(ring: list[Spot]) -> list[Spot]:
    """An outline on the grid: its sides are straight on the earth, and bend as rivers and ranges do."""
    bent = []
    for (ax, ay), (bx, by) in itertools.pairwise((*ring, ring[0])):
        steps = max(2, int(4 * hypot(bx - ax, by - ay)))
        for n in range(steps):
            x, y = placed(ax + (bx - ax) * n / steps, ay + (by - ay) * n / steps)
            at = (int(4 * x) + 4000, int(4 * y) + 4000)
            bent.append((x + 3.4 * (rough(*at, 24, 5) - 0.5), y + 3.4 * (rough(*at, 24, 6) - 0.5)))
    return bent


def _countries() -> dict[Cell, str]:
    """The country of each cell of land."""
    found: dict[Cell, str] = {}
    for country, rings in json.loads(COUNTRIES.read_text()).items():
        cells: set[Cell] = set()
        for flat in rings:
            cells ^= set(filled([placed(x / 100, y / 100) for x, y in zip(flat[::2], flat[1::2], strict=True)]))
        found.update(dict.fromkeys(cells, country))
    return found


def _land() -> dict[Cell, str]:
    countries = _countries()
    land = {cell: WHOLE.get(country, WILD) for cell, country in countries.items() if cell[0] < WIDE}
    for country, shares in PARTS.items():
        for province, said in shares:
            within = filled(_bent(corners(said)))
            land.update({cell: province for cell in within if cell in land and countries[cell] == country})
    for half, said in BRIDGED:
        for cell in sorted(set(_stroke(half, said)) - land.keys()):
            beside = Counter(land[b] for b in _around(cell, 5) if b in land)
            land[cell] = beside.most_common(1)[0][0]
    for half, said in CARVED:
        for cell in _stroke(half, said):
            land.pop(cell, None)
    return land


def _stroke(half: float, said: str) -> Iterator[Cell]:
    """The cells of a course."""
    for one, two in itertools.pairwise(placed(*spot) for spot in corners(said)):
        for n in range(41):
            x, y = (a + (b - a) * n / 40 for a, b in zip(one, two, strict=True))
            yield from (
                cell
                for cell in _around((int(x), int(y)), int(half) + 1)
                if hypot(cell[0] + 0.5 - x, cell[1] + 0.5 - y) <= half
            )


def _around(cell: Cell, reach: int) -> Iterator[Cell]:
    x, y = cell
    return ((x + dx, y + dy) for dx in range(-reach, reach + 1) for dy in range(-reach, reach + 1))


def _water(dry: dict[Cell, str]) -> dict[Cell, str]:
    water = {(x, y): "MAO" for x in range(WIDE) for y in range(HIGH) if (x, y) not in dry}
    for sea, said in WATERS:
        ring = [placed(*spot) for spot in _divided(corners(said))]
        water.update({cell: sea for cell in filled(ring) if cell in water})
    return water


def _divided(ring: list[Spot]) -> Iterator[Spot]:
    for (ax, ay), (bx, by) in itertools.pairwise((*ring, ring[0])):
        yield from ((ax + (bx - ax) * n / 12, ay + (by - ay) * n / 12) for n in range(12))


def cells() -> dict[Cell, str]:
    """The label of each cell."""
    land = _smoothed(_smoothed(_land()))
    kept = {cell for part in parts(set(land)) if len(part) >= SMALL for cell in part}
    land = {cell: label for cell, label in land.items() if cell in kept}
    return _swept({**land, **_water(land)})


def _smoothed(land: dict[Cell, str]) -> dict[Cell, str]:
    """Land without its splinters and fjords: a cell is land if most of the nine around it are, and of what most are."""
    found = {}
    for cell in {b for c in land for b in _around(c, 1)}:
        x, y = cell
        if 0 <= x < WIDE and 0 <= y < HIGH:
            beside = [land.get((min(max(bx, 0), WIDE - 1), min(max(by, 0), HIGH - 1))) for bx, by in _around(cell, 1)]
            dry = Counter(label for label in beside if label)
            if dry.total() >= 5:
                here = land.get(cell)
                found[cell] = max(dry, key=lambda label: (dry[label], label == here, label))
    return found


def _swept(cells: dict[Cell, str]) -> dict[Cell, str]:
    """Splinters go to what lies longest beside them: of land to land, of water to water; islands stay."""
    by_label: dict[str, set[Cell]] = {}
    for cell, label in cells.items():
        by_label.setdefault(label, set()).add(cell)
    for label in sorted(by_label):
        wet = _is_wet(label)
        for part in parts(by_label[label])[1:]:
            beside = Counter(cells[b] for c in part for b in near(c) if b in cells and b not in part)
            same = {other: n for other, n in beside.items() if _is_wet(other) == wet}
            if same and len(part) < 4 * SMALL:
                cells.update(dict.fromkeys(part, max(same, key=lambda other: (same[other], other))))
            elif wet and label != STRAIT:
                cells.update(dict.fromkeys(part, beside.most_common(1)[0][0]))
    return cells


def _is_wet(label: str) -> bool:
    return label == STRAIT or (label in PROVINCES and PROVINCES[label].kind == SEA)


def borders(cells: dict[Cell, str]) -> Counter[tuple[str, str]]:
    """How long, in cells, each two labels lie side by side."""
    found: Counter[tuple[str, str]] = Counter()
    for (x, y), label in cells.items():
        for beside in ((x + 1, y), (x, y + 1)):
            other = cells.get(beside, label)
            if other != label:
                found[min(label, other), max(label, other)] += 1
    return found
