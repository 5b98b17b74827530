"""Whose land each cell is, and which sea each cell of water."""

from collections import Counter
from typing import Final

from engine.age_of_renaissance import atlas
from engine.age_of_renaissance.catalogue import PROVINCES
from tests.engine.age_of_renaissance.drawing.raster import HIGH, WIDE, WILDS, Cell, grown, land, near, parts, placed
from tests.engine.age_of_renaissance.drawing.sketch import ISLANDS, NARROWS, REACH, SEAS, WILD

LIMIT: Final = 62.0
NARROW: Final = "~"
SMALL: Final = 40


def seeds() -> list[tuple[Cell, str, float]]:
    """Where provinces and wild land begin to grow."""
    found = []
    for name, spots in REACH.items():
        place = PROVINCES[name].place
        assert place
        own = ISLANDS[name][1] if name in ISLANDS else (29.4, -12.3) if name == "mauritania" else None
        for lat, lon in [own or (place[0] / 10, place[1] / 10), *spots]:
            x, y = placed(lat, lon)
            found.append(((int(x), int(y)), name, 0.0))
    return found + [((int(x), int(y)), WILDS, 0.0) for x, y in (placed(*spot) for spot in WILD)]


def provinces() -> dict[Cell, str]:
    """The land, shared out; islands too small to be seen become water."""
    dry, begin = land(), seeds()
    settled = {cell for cell, _, _ in begin}
    room = {cell for part in parts(dry) if len(part) >= SMALL or part & settled for cell in part}
    ashore = [(_nearest(room, cell), label, late) for cell, label, late in begin if label != WILDS or cell in room]
    return swept(grown(room, ashore, dict.fromkeys(REACH, LIMIT), WILDS), SMALL)


def _nearest(room: set[Cell], cell: Cell) -> Cell:
    """The cell itself, or the one of `room` closest to it: places on a shore may fall into the water."""
    x, y = cell
    return cell if cell in room else min(room, key=lambda c: ((c[0] - x) ** 2 + (c[1] - y) ** 2, c))


def swept(cells: dict[Cell, str], least: int) -> dict[Cell, str]:
    """Splinters of a label go to the label that lies longest beside them; islands stay."""
    by_label: dict[str, set[Cell]] = {}
    for cell, label in cells.items():
        by_label.setdefault(label, set()).add(cell)
    for label in sorted(by_label):
        for part in parts(by_label[label])[1:]:
            beside = Counter(cells[b] for cell in part for b in near(cell) if b in cells and b not in part)
            if len(part) < least and beside:
                cells.update(dict.fromkeys(part, min(beside, key=lambda other: (-beside[other], other))))
    return cells


def waters(dry: dict[Cell, str]) -> dict[Cell, str]:
    """The rest of the map, shared out among the seas; a sea keeps off the coasts that are not its own."""
    wet = {(x, y) for x in range(WIDE) for y in range(HIGH)} - set(dry)
    begin = [(placed(*spot), name) for name, spots in [*SEAS.items(), (NARROW, NARROWS)] for spot in spots]
    cells = grown(wet, [((int(x), int(y)), name, 0.0) for (x, y), name in begin], {NARROW: 26.0}, NARROW)
    return _kept_off(swept(_kept_off(cells, dry), 60), dry)


def _kept_off(cells: dict[Cell, str], dry: dict[Cell, str]) -> dict[Cell, str]:
    own = {sea.id: {coast.partition("#")[0] for coast in sea.coasts} for sea in atlas.SEAS.values()}
    for (x, y), label in dry.items():
        if label == WILDS:
            continue
        for dx in range(-2, 3):
            for dy in range(-2, 3):
                sea = cells.get((x + dx, y + dy), NARROW)
                if sea != NARROW and label not in own[sea]:
                    cells[x + dx, y + dy] = NARROW
    return cells


def borders(cells: dict[Cell, str]) -> Counter[tuple[str, str]]:
    """How long each two labels lie side by side."""
    found: Counter[tuple[str, str]] = Counter()
    for cell, label in cells.items():
        for beside in near(cell):
            other = cells.get(beside)
            if other is not None and label < other:
                found[label, other] += 1
    return found
