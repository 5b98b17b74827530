"""Where the name, the unit and the mark of each province stand: inside it, and nowhere over each other.

All is measured in cells. What is too small for its province leans over water rather than over another's land.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from math import hypot
from typing import Final

from engine.diplomacy.catalogue import CENTRES, PROVINCES, SEA, WORDS, places_of
from engine.kernel.languages import LANGUAGES
from engine.kernel.text_layout import text_width
from tests.engine.age_of_renaissance.drawing.raster import Cell
from tests.engine.diplomacy.drawing.label import HIGH, WIDE, placed
from tests.engine.diplomacy.drawing.sketch import COASTS

Size = tuple[int, int]
NAME: Final = (16, 6)
UNIT: Final = (11, 9)
MARK: Final = (7, 7)
COAST: Final = (9, 6)
LETTERS: Final = 34
"""The size of a whole name, in units of the canvas."""
UNIT_OF_CELL: Final = 6
DEEP: Final = 14
"""Further from the edge than this, in cells, no place is better than another."""
BESIDE: Final = tuple(
    (dx, dy)
    for dx in range(-14, 15, 2)
    for dy in range(-9, 10)
    if abs(dx) * 2 >= NAME[0] + UNIT[0] or abs(dy) * 2 >= NAME[1] + UNIT[1]
    if abs(dx) in (13, 14) or abs(dy) in (8,)
)
"""Where a unit may stand from the middle of the name."""


@dataclass
class Ground:
    """What it costs to cover the cells near a province, as sums from the corner of a window."""

    label: str
    left: int
    top: int
    wide: int
    high: int
    sums: list[list[float]] = field(repr=False)
    own: frozenset[Cell] = field(repr=False)

    def cost(self, middle: Cell, size: Size) -> float:
        """What it costs to cover a box."""
        x, y = middle[0] - size[0] // 2 - self.left, middle[1] - size[1] // 2 - self.top
        right, low = x + size[0], y + size[1]
        if x < 0 or y < 0 or right > self.wide or low > self.high:
            return 1e6
        s, outside = self.sums, 0 if middle in self.own else 200
        return outside + s[low][right] - s[y][right] - s[low][x] + s[y][x]


def depths(cells: Mapping[Cell, str]) -> dict[Cell, float]:
    """How far each cell is from the edge of its label, up to `DEEP`."""
    far: dict[Cell, float] = dict.fromkeys(cells, float(DEEP))
    steps = (((-1, 0), 1.0), ((0, -1), 1.0), ((-1, -1), 1.41), ((1, -1), 1.41))
    for sign in (1, -1):
        for y in range(HIGH)[::sign]:
            for x in range(WIDE)[::sign]:
                for (dx, dy), step in steps:
                    beside = (x + sign * dx, y + sign * dy)
                    same = cells.get(beside) == cells[x, y]
                    far[x, y] = min(far[x, y], (far[beside] if same else 0.0) + step)
    return far


def ground(cells: Mapping[Cell, str], far: Mapping[Cell, float], covered: Set[Cell], label: str) -> Ground:
    """The window around a province. Its own cells cost less the deeper they lie; what is covered costs most."""
    own = [cell for cell, other in cells.items() if other == label]
    left, right = min(x for x, _ in own) - 18, max(x for x, _ in own) + 19
    top, low = min(y for _, y in own) - 18, max(y for _, y in own) + 19
    wet = PROVINCES[label].kind == SEA
    sums = [[0.0] * (right - left + 1)]
    for y in range(top, low):
        row, total = [0.0], 0.0
        for x in range(left, right):
            other = cells.get((x, y), "")
            total += 40 * ((x, y) in covered)
            if other == label:
                total += (1 - min(far[x, y], DEEP) / DEEP) ** 2 * 0.5 + (0.8 if far[x, y] < 1.5 else 0)
            elif not other or x < 3 or y < 3 or x > WIDE - 4 or y > HIGH - 4:
                total += 500
            else:
                total += 6 if wet or not _is_wet(other) else 2
            row.append(sums[-1][len(row)] + total)
        sums.append(row)
    return Ground(label, left, top, right - left, low - top, sums, frozenset(own))


def _is_wet(label: str) -> bool:
    return label == "~" or (label in PROVINCES and PROVINCES[label].kind == SEA)


def whole_name(label: str) -> int:
    """How many cells the longest whole name of a province takes."""
    widest = max(text_width(WORDS(f"provinces.{label}").printed(language), LETTERS) for language in LANGUAGES)
    return int(widest / UNIT_OF_CELL) + 2


def _apart(one: Cell, size: Size, other: Cell, other_size: Size) -> bool:
    return (
        abs(one[0] - other[0]) * 2 >= size[0] + other_size[0] or abs(one[1] - other[1]) * 2 >= size[1] + other_size[1]
    )


def _middles(ground: Ground) -> Iterator[Cell]:
    return (
        (x, y)
        for x in range(ground.left, ground.left + ground.wide)
        for y in range(ground.top, ground.top + ground.high)
    )


@dataclass
class Stand:
    """The places of a province, as middles. `whole`: of its whole name, if there is room for it."""

    name: Cell
    units: dict[str, Cell]
    lost: Cell
    mark: Cell | None = None
    whole: Cell | None = None
    coasts: dict[str, Cell] = field(default_factory=dict)


def stands(cells: Mapping[Cell, str]) -> dict[str, Stand]:
    """Find the places of all provinces, the smallest first: later ones keep off what stands there."""
    far, sizes = depths(cells), Counter(cells.values())
    covered = set[Cell]()
    found = {}
    for label in sorted(PROVINCES, key=lambda label: (sizes[label], label)):
        found[label], boxes = _stand(ground(cells, far, covered, label), label)
        for (x, y), (wide, high) in boxes:
            left, top = x - wide // 2, y - high // 2
            covered |= {(left + dx, top + dy) for dx in range(wide) for dy in range(high)}
    return {label: found[label] for label in PROVINCES}


def _stand(land: Ground, label: str) -> tuple[Stand, list[tuple[Cell, Size]]]:
    """Find the places of a province, with the boxes that they take up."""
    line = (whole_name(label), 6)
    best: tuple[float, Cell, Cell, Cell | None] | None = None
    for name in _middles(land):
        cost = 2.5 * land.cost(name, NAME)
        if best is not None and cost > best[0]:
            continue
        for dx, dy in BESIDE:
            unit = (name[0] + dx, name[1] + dy)
            full = cost + land.cost(unit, UNIT)
            below = (name[0], name[1] + (7 if dy <= 0 else -7))
            extra = land.cost(below, line) if _apart(below, line, unit, UNIT) else 1e6
            fits = extra < 0.5 * line[0] * line[1]
            full += (0 if fits else 12) + (0.6 if dx else 0) + (1.0 if dy > 0 else 0)
            if best is None or full < best[0]:
                best = (full, name, unit, below if fits else None)
    assert best is not None
    _, name, unit, whole = best
    found = Stand(name, {label: unit}, unit, None, whole)
    taken = [(name, NAME), (unit, UNIT), *([(whole, line)] if whole else [])]
    if label in CENTRES:
        mark = found.mark = _free(land, MARK, taken, name, 0.08)
        taken.append((mark, MARK))
    for place in places_of(label) if len(places_of(label)) > 1 else ():
        x, y = placed(*COASTS[place])
        shore = (int(x), int(y))
        found.coasts[place] = _free(land, COAST, taken, shore, 0.35)
        taken.append((found.coasts[place], COAST))
        found.units[place] = _free(land, UNIT, taken, shore, 0.6)
        taken.append((found.units[place], UNIT))
    found.lost = _free(land, UNIT, taken, unit, 0.5)
    return found, taken


def _free(land: Ground, size: Size, taken: Iterable[tuple[Cell, Size]], target: Cell, pull: float) -> Cell:
    """The best middle for a box that lies over nothing that is there, near a target."""
    held = [*taken]
    free = (at for at in _middles(land) if all(_apart(at, size, *other) for other in held))
    return min(free, key=lambda at: (land.cost(at, size) + pull * hypot(at[0] - target[0], at[1] - target[1]), at))
