"""The places of pieces and notes on the map: under their province's pill, or nearby where they cover least."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from engine.age_of_renaissance.catalogue import PROVINCES
from engine.age_of_renaissance.drawing import chart, shapes
from engine.age_of_renaissance.drawing.holdings import Held
from engine.age_of_renaissance.drawing.look import DISC
from engine.kernel.languages import Language
from engine.kernel.text_layout import Box, boxes_near, covered_area, freest_box, text_width

WIDE, HIGH, ROW = 84, 52, 60
"""The width and height of a pile of tokens, and the distance between rows of them."""
NOTE, LINE = 42, 42
"""The size of a note's letters, and the distance between its lines."""
BELOW: Final = 74
"""The distance from a province's centre to its first row of tokens."""
FAR: Final = 420
"""Boxes farther away than this are not checked for overlap."""

Lying = Mapping[str, tuple[Held, ...]]


@dataclass(frozen=True)
class Pile:
    """Tokens of one owner. `kind`: `old` or `new`."""

    held: Held
    kind: str
    count: int


@dataclass(frozen=True)
class Stack:
    """The piles of a province, in rows of two. `across`, `down`: the offset from the place under its pill."""

    province: str
    piles: tuple[Pile, ...]
    across: int = 0
    down: int = 0

    @property
    def spots(self) -> Iterator[tuple[Pile, int, int]]:
        """Yield each pile with its centre."""
        x, y = shapes.MIDDLES[self.province]
        for n, pile in enumerate(self.piles):
            alone = len(self.piles) == 1 or (n == len(self.piles) - 1 and n % 2 == 0)
            aside = 0 if alone else (n % 2 * 2 - 1) * (WIDE // 2 + 3)
            yield pile, x + self.across + aside, y + self.down + BELOW + n // 2 * ROW

    @property
    def box(self) -> Box:
        """Return the box that it takes."""
        x, y = shapes.MIDDLES[self.province]
        half, rows = (WIDE // 2 if len(self.piles) == 1 else WIDE + 3) + 4, (len(self.piles) + 1) // 2
        top = y + self.down + BELOW - HIGH // 2 - 4
        return x + self.across - half, top, x + self.across + half, top + (rows - 1) * ROW + HIGH + 8


def marker(name: str, players: int) -> tuple[int, int]:
    """Return the centre of a province's marker, left of its pill."""
    x, y = shapes.MIDDLES[name]
    return x - chart.pill_width(PROVINCES[name], players) // 2 - DISC + 2, y + 13


@dataclass(frozen=True)
class Note:
    """The text of a change in a province. `x`, `y`: the middle of the first base line."""

    province: str
    lines: Sequence[str]
    x: int
    y: int

    @property
    def box(self) -> Box:
        """Return the box that it takes."""
        half = max((text_width(line, NOTE) for line in self.lines), default=0) // 2
        return self.x - half, self.y - NOTE * 3 // 4, self.x + half, self.y + LINE * (len(self.lines) - 1) + 8


Standing = TypeVar("Standing", Stack, Note)


def stacks(lying: Lying, language: Language, players: int) -> Iterator[Stack]:
    """Yield the tokens of each province: under its pill, or where they cover less text."""
    taken = _label_boxes(lying, language, players)
    for name, held in lying.items():
        piles = tuple(Pile(h, kind, n) for h in held for kind, n in (("old", h.old), ("new", h.new)) if n)
        if piles:
            rows = (len(piles) + 1) // 2
            up = -BELOW - 26 - chart.NAME - HIGH // 2 - (rows - 1) * ROW
            best = _freest(
                (Stack(name, piles, *step) for step in _around(120, (0, 14, 28, up))),
                boxes_near(*shapes.MIDDLES[name], FAR, taken),
            )
            taken.append(best.box)
            yield best


def notes(
    said: Mapping[str, Sequence[str]], lying: Lying, stood: Sequence[Stack], language: Language, players: int
) -> Iterator[Note]:
    """Yield the note of each province, under its tokens or where it covers less."""
    below = {stack.province: stack.box[3] for stack in stood}
    taken = [*_label_boxes(lying, language, players), *(stack.box for stack in stood)]
    for name, lines in said.items():
        x, y = shapes.MIDDLES[name]
        under = max(y + BELOW - HIGH // 2, below.get(name, 0)) + NOTE - y
        downs = (under, under + 24, under + 48, under - 30, -26 - chart.NAME - LINE * (len(lines) - 1), -60, 20)
        places = (Note(name, lines, x + across, y + down) for across, down in _around(260, downs))
        best = _freest(places, boxes_near(*shapes.MIDDLES[name], FAR, taken))
        taken.append(best.box)
        yield best


def _freest(places: Iterable[Standing], others: Sequence[Box]) -> Standing:
    """Return the first place that covers nothing, or else the one that covers least."""
    best = freest_box(places, lambda place: covered_area(place.box, others))
    if best is None:
        raise ValueError("there is always a place")
    return best


def _around(far: int, downs: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield offsets aside and down, those least aside first. `downs`: in order of preference."""
    for aside in range(0, far + 1, 20):
        for side in (1, -1) if aside else (1,):
            yield from ((side * aside, down) for down in downs)


def _label_boxes(lying: Lying, language: Language, players: int) -> list[Box]:
    """Return the boxes of names, pills and markers."""
    boxes = [box for both in chart.label_boxes(language, players).values() for box in both]
    for name, held in lying.items():
        if any(h.marker for h in held):
            x, y = marker(name, players)
            boxes.append((x - DISC - 4, y - DISC - 4, x + DISC + 4, y + DISC + 4))
    return boxes
