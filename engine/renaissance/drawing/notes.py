"""Notes of what changed in a city, next to it: at the nearest free place, over no name and no other note."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from engine.kernel.pictures import label
from engine.kernel.text_layout import Box, boxes_near, covered_area, freest_box, text_width
from engine.renaissance.catalogue import TOWNS
from engine.renaissance.drawing import names, shapes
from engine.renaissance.drawing.look import LETTER, PALETTE, say
from engine.renaissance.drawing.scene import DISC, City, Scene

SIZE: Final = 36
LINE: Final = 40
FAR: Final = 500
"""Boxes farther away than this are not checked for overlap."""
WORDS: Final = 50
"""The weight of covering words, compared with signs."""

_STEPS: Final = tuple(
    sorted(
        ((side, far, down) for side in (-1, 1) for far in range(-24, 200, 14) for down in range(-170, 160, 12)),
        key=lambda step: (step[1] ** 2 + (step[2] + SIZE // 2) ** 2, step),
    )
)
"""Offsets from a city's centre: the side, the distance, and the top of a note; the nearest first."""
_PANEL: Final[tuple[Box, ...]] = ((1800, 40, shapes.WIDE, 430), (840, 1690, 1560, 2720))
"""The boxes of texts over the sea: the heading and the legend."""


@dataclass(frozen=True)
class Note:
    """A note of one or more lines. `x`, `y`: the baseline of the first line."""

    colour: str
    lines: tuple[str, ...]
    x: int
    y: int
    anchor: str

    @property
    def box(self) -> Box:
        """Return the box that it takes."""
        wide = max(text_width(line, SIZE) for line in self.lines)
        left = self.x - wide if self.anchor == "end" else self.x
        return left, self.y - SIZE, left + wide, self.y + LINE * (len(self.lines) - 1) + 10


def notes(scene: Scene) -> Iterator[str]:
    """Yield all notes, above everything else."""
    for note in placed(scene):
        for n, line in enumerate(note.lines):
            yield label(
                note.x,
                note.y + n * LINE,
                line,
                SIZE,
                text_anchor=note.anchor,
                font_weight="bold",
                paint_order="stroke",
                stroke=PALETTE.of("paper", scene.theme),
                stroke_width=10,
                **PALETTE.fill(note.colour, scene.theme, "note", "s-paper"),
            )


def placed(scene: Scene) -> tuple[Note, ...]:
    """Return each note at the nearest place where it covers nothing, or else least, words before signs."""
    signs, taken = tuple(_signs(scene)), [*_PANEL, *(names.box(name, scene.language) for name in TOWNS)]
    found: list[Note] = []
    for name, colour, lines in _said(scene):
        words, others = boxes_near(*shapes.PLACES[name], FAR, taken), boxes_near(*shapes.PLACES[name], FAR, signs)
        best = freest_box(_places(name, colour, lines), partial(_covering, words, others))
        if best is not None:
            found.append(best)
            taken.append(best.box)
    return tuple(found)


def _covering(words: Sequence[Box], others: Sequence[Box], note: Note) -> int:
    box = note.box
    return WORDS * covered_area(box, words) + covered_area(box, others)


def _said(scene: Scene) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    for name in TOWNS:
        now = scene.cities.get(name)
        for colour, one, other in (("changed", scene.before.get(name), now), ("intended", now, scene.ahead.get(name))):
            lines = tuple(steps(one, other, scene)) if one is not None and other is not None else ()
            if lines:
                yield name, colour, lines


def _places(name: str, colour: str, lines: tuple[str, ...]) -> Iterator[Note]:
    """Yield the possible places of a note within the canvas, the nearest first."""
    x, y = shapes.PLACES[name]
    for side, far, down in _STEPS:
        note = Note(colour, lines, x + side * far, y + down + SIZE, "end" if side < 0 else "start")
        left, top, right, bottom = note.box
        if left > 0 and top > 0 and right < shapes.WIDE and bottom < shapes.HIGH:
            yield note


def _signs(scene: Scene) -> Iterator[Box]:
    """Yield the boxes of cities and of the signs next to them."""
    for name, (x, y) in shapes.PLACES.items():
        city = scene.ahead.get(name, scene.cities.get(name))
        wall = DISC + 24 if city is not None else DISC // 2
        yield x - wall, y - wall, x + wall, y + wall
        count = sum(bool(city[what]) for what in ("palace", "artist", "pillaged")) if city is not None else 0
        for place in range(count):
            dx, dy = names.beside(name, place)
            yield x + dx - 22, y + dy - 22, x + dx + 22, y + dy + 22


def steps(one: City, other: City, scene: Scene) -> Iterator[str]:
    """Yield how a city changed, in signs: owner, walls, palace, artist, pillage."""
    if one["owner"] != other["owner"]:
        was, now = (LETTER[scene.nations[c["owner"]]] if c["owner"] else "–" for c in (one, other))
        yield f"{was}→{now}"
    if one["level"] != other["level"] and other["owner"] and one["owner"] == other["owner"]:
        yield "▲" if other["level"] > one["level"] else "▼"
    for what in ("palace", "artist", "pillaged"):
        if bool(one[what]) != bool(other[what]):
            yield ("+" if other[what] else "−") + say(scene.language, what)
