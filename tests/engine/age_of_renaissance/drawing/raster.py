"""From coasts and points to a grid of cells, each land of a province, wild land, or water."""

import heapq
import itertools
import json
from collections import Counter, deque
from collections.abc import Iterator
from math import hypot
from typing import Final

from tests.engine.age_of_renaissance.drawing.extract import LAND
from tests.engine.age_of_renaissance.drawing.sketch import CARVED, FILLED, ISLAND_AT, ISLANDS, LENSES, MAURITANIA, Spot

CELL: Final = 8
WIDE, HIGH = 500, 362
Cell = tuple[int, int]
WILDS: Final = "-"
WAYS: Final = (
    *((dx, dy, 1.0) for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))),
    *((dx, dy, 1.42) for dx in (1, -1) for dy in (1, -1)),
)

_X_KNOTS: Final[list[tuple[float, int]]] = [
    (-24.0, -70),
    (-10.5, 40),
    (0.0, 132),
    (10.0, 220),
    (20.0, 306),
    (30.0, 384),
    (40.0, 451),
    (49.0, 495),
    (60.0, 540),
]
_Y_KNOTS: Final[list[tuple[float, int]]] = [
    (72.0, -90),
    (62.0, 4),
    (56.0, 62),
    (50.0, 128),
    (45.0, 192),
    (38.0, 280),
    (33.0, 325),
    (29.0, 360),
    (18.0, 420),
]


def _monotone(knots: list[tuple[float, int]], at: float) -> float:
    """A smooth curve through rising or falling knots that never turns back (Fritsch and Carlson)."""
    knots = sorted(knots)
    slopes = [(b[1] - a[1]) / (b[0] - a[0]) for a, b in itertools.pairwise(knots)]
    ends = [slopes[0], *(2 * a * b / (a + b) for a, b in itertools.pairwise(slopes)), slopes[-1]]
    for n, (one, two) in enumerate(itertools.pairwise(knots)):
        if at <= two[0] or n == len(slopes) - 1:
            wide = two[0] - one[0]
            t = (at - one[0]) / wide
            return (
                one[1] * (1 + 2 * t) * (1 - t) ** 2
                + two[1] * t * t * (3 - 2 * t)
                + wide * (ends[n] * t * (1 - t) ** 2 - ends[n + 1] * t * t * (1 - t))
            )
    raise AssertionError


def placed(lat: float, lon: float) -> Spot:
    """Where a point of the earth lies on the grid; the crowded middle is drawn larger than the empty edges."""
    x, y = _flat(lat, lon)
    for middle, reach, more in LENSES:
        mx, my = _flat(*middle)
        far = hypot(x - mx, y - my) / reach
        if far < 1:
            pull = 1 + more * (1 - far) ** 2
            x, y = mx + (x - mx) * pull, my + (y - my) * pull
    return x, y


def _flat(lat: float, lon: float) -> Spot:
    return _monotone(_X_KNOTS, lon), _monotone(_Y_KNOTS, lat)


def near(cell: Cell) -> Iterator[Cell]:
    """The up to four cells beside a cell."""
    x, y = cell
    for across, down in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
        if 0 <= across < WIDE and 0 <= down < HIGH:
            yield across, down


def filled(ring: list[tuple[float, float]]) -> Iterator[Cell]:
    """The cells whose middle lies within a ring (even-odd)."""
    low, top = min(y for _, y in ring), max(y for _, y in ring)
    for down in range(max(0, int(low) - 1), min(HIGH, int(top) + 2)):
        y = down + 0.5
        cuts = []
        for (x1, y1), (x2, y2) in zip(ring, ring[1:] + ring[:1], strict=True):
            if (y1 <= y) != (y2 <= y):
                cuts.append(x1 + (y - y1) / (y2 - y1) * (x2 - x1))
        cuts.sort()
        for left, right in zip(cuts[::2], cuts[1::2], strict=True):
            for across in range(max(0, round(left)), min(WIDE, round(right))):
                yield across, down


def _rings() -> Iterator[list[tuple[float, float]]]:
    """The coasts on the grid; islands of the sketch are moved and enlarged."""
    moved = {_ring_of(*ISLAND_AT[name]): spec for name, spec in ISLANDS.items()}
    for flat in json.loads(LAND.read_text()):
        ring = [placed(y / 100, x / 100) for x, y in zip(flat[::2], flat[1::2], strict=True)]
        spec = moved.get(tuple(flat))
        if spec:
            middle_x, middle_y = (sum(p[axis] for p in ring) / len(ring) for axis in (0, 1))
            to_x, to_y = placed(*spec[1])
            ring = [(to_x + spec[0] * (x - middle_x), to_y + spec[0] * (y - middle_y)) for x, y in ring]
        yield ring


def _ring_of(lat: float, lon: float) -> tuple[int, ...]:
    """The coast that runs round a point: of those whose bounds hold it, the smallest."""
    holding = []
    for flat in json.loads(LAND.read_text()):
        xs, ys = flat[::2], flat[1::2]
        if min(xs) <= 100 * lon <= max(xs) and min(ys) <= 100 * lat <= max(ys):
            holding.append((max(xs) - min(xs), tuple(flat)))
    return min(holding)[1]


def land() -> set[Cell]:
    """The cells of dry land."""
    dry: set[Cell] = set()
    for ring in [*_rings(), [(x, y) for x, y in MAURITANIA]]:
        dry ^= set(filled(ring))
    for half, spot in FILLED:
        x, y = placed(*spot)
        dry |= set(_disc(int(x), int(y), half))
    for half, course in CARVED:
        spots = [placed(*spot) for spot in course]
        for (x1, y1), (x2, y2) in itertools.pairwise(spots):
            for n in range(41):
                x, y = x1 + (x2 - x1) * n / 40, y1 + (y2 - y1) * n / 40
                dry -= set(_disc(int(x), int(y), half))
    return worn(worn(dry))


def _disc(x: int, y: int, half: float) -> Iterator[Cell]:
    reach = range(-int(half) - 1, int(half) + 2)
    return ((x + dx, y + dy) for dx in reach for dy in reach if dx * dx + dy * dy <= half * half)


def worn(dry: set[Cell]) -> set[Cell]:
    """Land without its splinters and fjords: a cell is what most of the nine around it are."""
    count: Counter[Cell] = Counter()
    for x, y in dry:
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                count[min(max(x + dx, 0), WIDE - 1), min(max(y + dy, 0), HIGH - 1)] += 1
    return {cell for cell, land_near in count.items() if land_near >= 5}


def _noise(x: int, y: int, salt: int) -> float:
    """A rough number between 0 and 1 for a lattice point, always the same."""
    n = (x * 374761393 + y * 668265263 + salt * 2246822519) & 0xFFFFFFFF
    n = ((n ^ (n >> 13)) * 1274126177) & 0xFFFFFFFF
    return ((n ^ (n >> 16)) & 0xFFFF) / 0xFFFF


def rough(x: int, y: int, size: int = 9, salt: int = 1) -> float:
    """The same made smooth over `size` cells: hills that borders run round."""
    i, j = x // size, y // size
    u, v = (x % size) / size, (y % size) / size
    u, v = u * u * (3 - 2 * u), v * v * (3 - 2 * v)
    top = _noise(i, j, salt) * (1 - u) + _noise(i + 1, j, salt) * u
    low = _noise(i, j + 1, salt) * (1 - u) + _noise(i + 1, j + 1, salt) * u
    return top * (1 - v) + low * v


def grown(room: set[Cell], seeds: list[tuple[Cell, str, float]], limit: dict[str, float], rest: str) -> dict[Cell, str]:
    """Each cell of `room` goes to the seed it is nearest to on foot; beyond a label's limit it is `rest`.

    Seeds: a cell, its label, and how far behind it starts.
    """
    waiting = [(late, n, cell, label) for n, (cell, label, late) in enumerate(seeds) if cell in room]
    heapq.heapify(waiting)
    count = len(waiting)
    taken: dict[Cell, str] = {}
    effort = {cell: 0.7 + 0.9 * rough(*cell) for cell in room}
    while waiting:
        far, _, (x, y), label = heapq.heappop(waiting)
        if (x, y) in taken or far > limit.get(label, 1e9):
            continue
        taken[x, y] = label
        for dx, dy, step in WAYS:
            beside = (x + dx, y + dy)
            if beside in room and beside not in taken:
                count += 1
                heapq.heappush(waiting, (far + step * effort[beside], len(seeds) + count, beside, label))
    return {cell: taken.get(cell, rest) for cell in room}


def parts(room: set[Cell]) -> list[set[Cell]]:
    """The connected parts of a set of cells, largest first."""
    left, found = set(room), []
    while left:
        start = min(left)
        part, waiting = {start}, deque([start])
        left.discard(start)
        while waiting:
            for cell in near(waiting.popleft()):
                if cell in left:
                    left.discard(cell)
                    part.add(cell)
                    waiting.append(cell)
        found.append(part)
    return sorted(found, key=lambda part: (-len(part), min(part)))
