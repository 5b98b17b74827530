"""Line charts of a game's public figures over its turns, as SVG, and the protocol of a game that has such figures.

Charts are made from public views only. Lines differ by colour, by the shape of their points and by the name at their
end, each sufficient alone.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, runtime_checkable

from engine.kernel.catalogues import Words
from engine.kernel.languages import Language
from engine.kernel.pictures import OWNERS, Palette, Theme, label, svg_document, tag
from engine.kernel.rules import View

Numbers = Mapping[str, int | None]


@dataclass(frozen=True)
class FigureLabel:
    """The name that a seat plays under, and the index of its look in `OWNERS`."""

    name: str
    look: int


@runtime_checkable
class HasStatistics(Protocol):
    """Rules with public figures to chart turn by turn (optional, like `DrawsBoard`)."""

    @property
    def figures(self) -> Mapping[str, Words]:
        """Return the titles of the figures, by key, in the order shown."""
        ...

    def count(self, view: View) -> Mapping[str, Numbers]:
        """Return the number of each seat for each figure, from a public view; None if it is not public."""
        ...

    def labels(self, view: View, language: Language) -> Mapping[str, FigureLabel]:
        """Return the label of each seat, from a public view."""
        ...


@dataclass(frozen=True)
class Line:
    """One figure of one seat: a number for each turn, None if there is none."""

    called: FigureLabel
    numbers: Sequence[int | None]


PALETTE: Final = Palette(
    {
        "paper": ("#fbf8f0", "#1b1a18"),
        "ink": ("#221e18", "#f1ebdd"),
        "soft": ("#6a6254", "#b4aa98"),
        "faint": ("#d8d0bf", "#45413a"),
    }
)
WIDE, HIGH = 560, 420
LEFT, RIGHT, TOP, BOTTOM = 64, 400, 64, 370
LETTERS, ROOM = 18, 28
"""`LETTERS`: the size of text, 9 pixels high on a chart 328 pixels wide.

`ROOM`: the width of a turn's number and its gap.
"""
_SHAPES: Final = (
    "M-6 0a6 6 0 1 0 12 0a6 6 0 1 0 -12 0",  # disc
    "M-6 -6H6V6H-6Z",  # square
    "M0 -8L8 6H-8Z",  # triangle
    "M0 -8L8 0L0 8L-8 0Z",  # lozenge
    "M0 8L8 -6H-8Z",  # triangle on its point
    "M-7 -3H-3V-7H3V-3H7V3H3V7H-3V3H-7Z",  # cross
    "M-7 -4H7V4H-7Z",  # bar
    "M-4 -7H4V7H-4Z",  # post
)
"""The shape of a line's points, one for each look in `OWNERS`."""


def draw_chart(title: str, turns: Sequence[int], lines: Sequence[Line], language: Language, theme: Theme) -> str:
    """Return the chart of one figure over the turns as an SVG document; its description has every number."""
    low, high, step = _scale([n for line in lines for n in line.numbers if n is not None])
    across = [_x_of(n, len(turns)) for n in range(len(turns))]

    def down(number: int) -> int:
        return BOTTOM - (BOTTOM - TOP) * (number - low) // (high - low)

    return svg_document(
        (WIDE, HIGH),
        title,
        " ".join(_label(line, turns) for line in lines),
        PALETTE.style(theme),
        tag("rect", width=WIDE, height=HIGH, **PALETTE.fill("paper", theme)),
        label(LEFT - 44, 36, title, 24, font_weight="bold", **PALETTE.fill("ink", theme)),
        *(_grid(number, down(number), theme) for number in range(low, high + 1, step)),
        *(
            label(x, BOTTOM + 28, str(turn), LETTERS, text_anchor="middle", **PALETTE.fill("soft", theme))
            for x, turn in list(zip(across, turns, strict=True))[:: -(-len(turns) * ROOM // (RIGHT - LEFT)) or 1]
        ),
        *(part for line in lines for part in _line(line, across, [_point(n, down) for n in line.numbers], theme)),
        *_end_labels(lines, across, [[_point(n, down) for n in line.numbers] for line in lines], theme),
        language=language,
        name="plot",
    )


def _point(number: int | None, down: Callable[[int], int]) -> int | None:
    return None if number is None else down(number)


def _label(line: Line, turns: Sequence[int]) -> str:
    told = ", ".join(f"{turn}: {'–' if n is None else n}" for turn, n in zip(turns, line.numbers, strict=True))
    return f"{line.called.name} {told}."


def _x_of(place: int, count: int) -> int:
    return RIGHT if count < 2 else LEFT + (RIGHT - LEFT) * place // (count - 1)


def _scale(numbers: Sequence[int]) -> tuple[int, int, int]:
    """Return the first and last number of the axis and the step of its lines, at most six round steps."""
    least, most = min([0, *numbers]), max([1, *numbers])
    step = 1
    for factor in (2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000):
        if (most - least) <= 6 * step:
            break
        step = factor
    low = least // step * step
    return low, low + -((low - most) // step) * step, step


def _grid(number: int, y: int, theme: Theme) -> str:
    return tag("path", d=f"M{LEFT} {y}H{RIGHT}", **PALETTE.line("faint", theme, 2)) + label(
        LEFT - 12, y + 6, str(number), LETTERS, text_anchor="end", **PALETTE.fill("soft", theme)
    )


def _line(line: Line, across: Sequence[int], down: Sequence[int | None], theme: Theme) -> Iterator[str]:
    """Yield a line with a dark edge, so that a light colour is visible on a light background, and its points."""
    spots = [(x, y) for x, y in zip(across, down, strict=True) if y is not None]
    if not spots:
        return
    path, colour = "M" + "L".join(f"{x} {y}" for x, y in spots), OWNERS[line.called.look].colour
    yield tag("path", d=path, stroke_linejoin="round", stroke_opacity=".75", **PALETTE.line("ink", theme, 6))
    yield tag("path", d=path, fill="none", stroke=colour, stroke_width=4, stroke_linejoin="round")
    for x, y in spots:
        yield tag(
            "path",
            d=_SHAPES[line.called.look],
            transform=f"translate({x} {y})",
            fill=colour,
            stroke=PALETTE.of("ink", theme),
            stroke_width=1,
            class_="s-ink",
        )


def _end_labels(
    lines: Sequence[Line], across: Sequence[int], down: Sequence[Sequence[int | None]], theme: Theme
) -> Iterator[str]:
    """Yield the names at the ends of the lines, moved apart if they would touch."""
    ended = ([y for y in ys if y is not None] for ys in down)
    ends = sorted(((ys[-1], line) for ys, line in zip(ended, lines, strict=True) if ys), key=lambda end: end[0])
    free = TOP - 20
    spare = [max(0, (len(ends) - n - 1) * 26) for n in range(len(ends))]
    for (y, line), after in zip(ends, spare, strict=True):
        at = max(free, min(y, BOTTOM + 6 - after))
        free = at + 26
        yield tag("path", d=f"M{across[-1] + 10} {y}L{RIGHT + 20} {at}", **PALETTE.line("soft", theme, 1))
        yield tag(
            "path",
            d=_SHAPES[line.called.look],
            transform=f"translate({RIGHT + 30} {at})",
            fill=OWNERS[line.called.look].colour,
            stroke=PALETTE.of("ink", theme),
            stroke_width=1,
            class_="s-ink",
        )
        name = line.called.name if len(line.called.name) < 13 else f"{line.called.name[:11]}…"
        yield label(RIGHT + 44, at + 6, name, LETTERS, **PALETTE.fill("ink", theme))
