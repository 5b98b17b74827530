"""Boards as SVG: the protocol of a game that draws its board, and functions that write SVG.

A picture is made from views only (`Rules.present_view`), so it cannot show anything its viewer may not know. Numbers
are integers. Texts and attributes are escaped here and nowhere else. Colours are written as attributes, which every
renderer understands, and as classes, which the style sheet of `Palette.sheet` can turn dark. Owners differ by colour,
pattern and letter, each sufficient alone.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, Protocol, runtime_checkable

from engine.kernel.catalogues import Words
from engine.kernel.languages import DEFAULT, Language
from engine.kernel.rules import View


class Theme(StrEnum):
    """The background of a picture. AUTO is light, and dark on a screen that prefers dark."""

    LIGHT = "light"
    DARK = "dark"
    AUTO = "auto"


@dataclass(frozen=True)
class Part:
    """A part of the board that can be drawn alone, larger.

    `box`: left, top, width, height on the canvas. `weight`: how much of it concerns the viewer; 0 for nothing.
    """

    words: Words
    box: tuple[int, int, int, int]
    weight: int = 0


LEGIBLE: Final = 1160
"""The widest crop that is legible on a phone, in units."""
SMALLEST: Final = 36
"""The smallest letters of a crop, in units: 11 pixels high if `LEGIBLE` is 360 pixels wide."""


@runtime_checkable
class DrawsBoard(Protocol):
    """Rules that can draw their board (optional, like `SupportsReadings`)."""

    def draw(
        self,
        view: View,
        language: Language,
        *,
        since: View | None = None,
        preview: View | None = None,
        theme: Theme = Theme.AUTO,
        crop: str = "",
        live: bool = False,
    ) -> str:
        """Return the board of `view` as one SVG document, the same text for the same arguments.

        `since`: an earlier view of the same viewer; changes since then are marked.
        `preview`: the view that the viewer's orders would lead to; additions are drawn as intentions.
        `crop`: one of `crops`; empty for the whole board.
        `live`: for a page whose script lets players choose places. Places are buttons: `data-name` is the name in
        orders, `data-room` how many of the player's pieces it can take, `data-needs` how many an attack needs. The
        first has tabindex 0 and the others -1, for arrow keys.

        Raises KeyError for an unknown crop.
        """
        ...

    def crops(self, view: View, since: View | None = None) -> Mapping[str, Part]:
        """Return the parts of the board that can be drawn alone; empty for a board that is legible as a whole.

        First `map`, the board without the texts below it; then parts at most `LEGIBLE` wide, which together show every
        place. The parts with most changes since an earlier view come first, or those that concern the viewer most.
        """
        ...


@runtime_checkable
class DrawsColumn(Protocol):
    """Rules whose board has parts that can stand below each other, for a phone (optional, like `DrawsBoard`)."""

    def draw_column(self, view: View, language: Language, *, since: View | None = None) -> str:
        """Return the parts of the board that concern the viewer now as one light picture, `LEGIBLE` wide.

        First what the viewer is asked about, then what has changed since an earlier view; empty if nothing does.
        """
        ...


# --- writing


FONT: Final = "DejaVu Sans Condensed, DejaVu Sans, Verdana, Arial, sans-serif"
"""The first font is shipped with the server, for pictures in emails; a browser uses what it has."""

_ESCAPES: Final = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;", **{chr(n): " " for n in range(32)}}
)

Value = str | int | None
Corner = tuple[int, int]


def escape(text: str) -> str:
    """Return a text for use in an element or a quoted attribute; control characters become spaces."""
    return text.translate(_ESCAPES)


def tag(name: str, *children: str, **attributes: Value) -> str:
    """Return an element.

    Children are SVG already; attributes are escaped here, and those that are None are left out.

    In names of attributes (`class_`, `stroke_width`) a final underscore is dropped and others become hyphens.
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(value) if isinstance(value, str) else value}"'
        for key, value in attributes.items()
        if value is not None
    )
    inside = "".join(children)
    return f"<{name}{written}>{inside}</{name}>" if inside else f"<{name}{written}/>"


def label(x: int, y: int, text: str, size: int, **attributes: Value) -> str:
    """Return a line of text whose baseline begins at (x, y), or is centred or ends there by `text_anchor`."""
    return tag("text", escape(text), x=x, y=y, font_size=size, **attributes)


def outline_path(path: Sequence[tuple[int, int]]) -> str:
    """Return a closed outline as path data, in relative steps between its corners."""
    (x, y), written = path[0], [f"M{path[0][0]} {path[0][1]}"]
    for across, down in path[1:]:
        dx, dy = across - x, down - y
        if dx and dy:
            written.append(f"l{dx} {dy}")
        else:
            written.append(f"v{dy}" if dy else f"h{dx}")
        x, y = across, down
    return "".join(written) + "z"


def rim(boxes: Iterable[tuple[int, int, int, int]], inset: int) -> str:
    """Return path data for a line around boxes of one size, `inset` inside their edges; adjoining boxes share one line.

    Each box: left, top, width, height.
    """
    steps: dict[Corner, list[Corner]] = {}
    for left, top, wide, high in boxes:
        corners = ((left, top), (left + wide, top), (left + wide, top + high), (left, top + high))
        for start, end in zip(corners, (*corners[1:], corners[0]), strict=True):
            if start in steps.get(end, ()):
                steps[end].remove(start)
            else:
                steps.setdefault(start, []).append(end)
    return "".join(outline_path(tuple(_fit_box(ring, inset))) for ring in _ring_paths(steps))


def _ring_paths(steps: dict[Corner, list[Corner]]) -> Iterator[list[Corner]]:
    """Yield the closed paths made of steps from corner to corner."""
    while start := next((corner for corner, ends in steps.items() if ends), None):
        ring, at = [start], steps[start].pop()
        while at != start:
            ring.append(at)
            at = steps[at].pop()
        yield ring


def _fit_box(ring: list[Corner], inset: int) -> Iterator[Corner]:
    """Yield the corners where a clockwise path turns, each moved inwards."""
    for before, at, after in zip((ring[-1], *ring), ring, (*ring[1:], ring[0]), strict=False):
        (dx, dy), (ex, ey) = _heading(before, at), _heading(at, after)
        if (dx, dy) != (ex, ey):
            yield at[0] - inset * (dy + ey), at[1] + inset * (dx + ex)


def _heading(start: Corner, end: Corner) -> Corner:
    dx, dy = end[0] - start[0], end[1] - start[1]
    return (dx > 0) - (dx < 0), (dy > 0) - (dy < 0)


def svg_document(
    size: tuple[int, int],
    title: str,
    description: str,
    *children: str,
    box: tuple[int, int, int, int] | None = None,
    live: bool = False,
    language: Language = DEFAULT,
    name: str = "pic",
) -> str:
    """Return a whole SVG document with a title and a description for screen readers.

    `box`: the part that is shown. `name`: the prefix of its ids, for pages with several pictures. `live`: the root is a
    group whose parts can be focused, instead of an image.
    """
    left, top, wide, high = box or (0, 0, *size)
    return tag(
        "svg",
        tag("title", escape(title), id=f"{name}-title"),
        tag("desc", escape(description), id=f"{name}-desc"),
        *children,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"{left} {top} {wide} {high}",
        role="group" if live else "img",
        aria_labelledby=f"{name}-title",
        aria_describedby=f"{name}-desc",
        lang=language,
        font_family=FONT,
        class_="picture",
    )


_TEXT: Final = re.compile(r'<text [^>]*?font-size="(\d+)".*?</text>')
_VIEW_BOX: Final = re.compile(r'viewBox="\d+ \d+ (\d+) (\d+)"')


SEPARATOR: Final = 40
"""The strip between two stacked pictures is their width divided by this."""


def stack(*pictures: str) -> str:
    """Return one picture of several, below each other and scaled to the width of the widest; for renderers, not for
    pages.

    A white strip separates them. Nothing is clipped, because clipping is slow in a rasteriser: strips and pictures
    paint their whole background and so cover the overflow of the one above.

    Raises ValueError for text that is not a picture of `svg_document`.
    """
    sizes = [(int(wide), int(high)) for wide, high in (_parse_size(picture) for picture in pictures)]
    width, top = max(wide for wide, _ in sizes), 0
    placed: list[str] = []
    for picture, (wide, high) in zip(pictures, sizes, strict=True):
        if placed:
            placed.append(tag("rect", x=0, y=top, width=width, height=width // SEPARATOR, fill="#ffffff"))
            top += width // SEPARATOR
        height = high * width // wide
        where = f'<svg x="0" y="{top}" width="{width}" height="{height}" overflow="visible" '
        placed.append(picture.replace("<svg ", where, 1))
        top += height
    return tag("svg", *placed, xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {width} {top}")


def without_small_text(picture: str) -> str:
    """Return a picture without the letters that are smaller than `SMALLEST` in a picture that is `LEGIBLE` wide.

    Raises ValueError for text that is not a picture of `svg_document`.
    """
    least = SMALLEST * int(_parse_size(picture)[0]) / LEGIBLE
    return _TEXT.sub(lambda found: found[0] if int(found[1]) >= least else "", picture)


def _parse_size(picture: str) -> tuple[str, ...]:
    found = _VIEW_BOX.search(picture)
    if found is None:
        raise ValueError("a picture without a viewBox")
    return found.groups()


# --- colours


@dataclass(frozen=True)
class Palette:
    """Named colours, each (light, dark). Names are classes too: `.c-water` fills, `.s-water` strokes."""

    colours: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    def of(self, name: str, theme: Theme) -> str:
        """Return the colour for a theme; AUTO uses the light one."""
        return self.colours[name][theme is Theme.DARK]

    def fill(self, name: str, theme: Theme, *classes: str) -> dict[str, Value]:
        """Return the attributes that fill a shape with a colour; the style sheet can override them by class."""
        return {"fill": self.of(name, theme), "class_": " ".join((*classes, f"c-{name}"))}

    def line(self, name: str, theme: Theme, width: int, *classes: str) -> dict[str, Value]:
        """Return the attributes of a line in a colour."""
        shown = " ".join((*classes, f"s-{name}"))
        return {"fill": "none", "stroke": self.of(name, theme), "stroke_width": width, "class_": shown}

    def sheet(self) -> str:
        """Return CSS that turns every colour of a picture dark."""
        rules = (
            f".picture .c-{name}{{fill:{dark}}}.picture .s-{name}{{stroke:{dark}}}"
            for name, (_, dark) in self.colours.items()
        )
        return "".join(rules)

    def style(self, theme: Theme) -> str:
        """Return the style element that makes an AUTO picture dark on a dark screen; "" for other themes.

        A rasteriser without media queries ignores it and draws the light picture.
        """
        if theme is not Theme.AUTO:
            return ""
        return tag("style", f"@media screen and (prefers-color-scheme:dark){{{self.sheet()}}}")


@dataclass(frozen=True)
class Owner:
    """The look of one owner's pieces: background colour, colour of text on it, and pattern.

    It is the same on light and dark backgrounds, so that a player has the same colour everywhere.
    """

    colour: str
    ink: str
    pattern: str


OWNERS: Final = (
    Owner("#0072b2", "#ffffff", "solid"),
    Owner("#e69f00", "#000000", "rising"),
    Owner("#009e73", "#ffffff", "dots"),
    Owner("#cc79a7", "#000000", "falling"),
    Owner("#f0e442", "#000000", "cross"),
    Owner("#d55e00", "#ffffff", "across"),
    Owner("#56b4e9", "#000000", "upright"),
    Owner("#5c4033", "#ffffff", "checks"),
)
"""Eight patterns, and eight colours based on Okabe and Ito's set, which differ under the common colour blindnesses."""

_STROKES: Final[Mapping[str, str]] = {
    "rising": "M-2 10L10 -2M6 18L18 6M-2 26L26 -2",
    "dots": "M4 8a4 4 0 1 0 8 0a4 4 0 1 0 -8 0",
    "falling": "M-2 6L10 18M-2 -10L26 18M6 -2L18 10",
    "cross": "M0 8H16M8 0V16",
    "across": "M0 4H16M0 12H16",
    "upright": "M4 0V16M12 0V16",
    "checks": "M0 0H8V8H0ZM8 8H16V16H8Z",
}
_FILLED: Final = frozenset({"dots", "checks"})


def fill_for(number: int) -> str:
    """Return the fill of an owner's area: their pattern, or their plain colour."""
    return OWNERS[number].colour if OWNERS[number].pattern == "solid" else f"url(#own-{number})"


def patterns(numbers: Iterable[int], scale: int = 1) -> str:
    """Return the definitions of these owners' patterns, used by `fill_for`."""
    return "".join(_pattern(number, scale) for number in numbers if OWNERS[number].pattern != "solid")


def _pattern(number: int, scale: int) -> str:
    owner = OWNERS[number]
    veil = "#ffffff" if owner.ink == "#ffffff" else "#000000"
    drawn: dict[str, Value] = {"fill": "none", "stroke": veil, "stroke_width": 3, "stroke_opacity": ".28"}
    if owner.pattern in _FILLED:
        drawn = {"fill": veil, "fill_opacity": ".28"}
    return tag(
        "pattern",
        tag("path", d="M0 0H16V16H0Z", fill=owner.colour),
        tag("path", d=_STROKES[owner.pattern], **drawn),
        id=f"own-{number}",
        width=16,
        height=16,
        patternUnits="userSpaceOnUse",
        patternTransform=f"scale({scale})" if scale != 1 else None,
    )
