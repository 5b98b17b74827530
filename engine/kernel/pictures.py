"""Pictures as SVG: the protocol of a game that draws its board, and a small writer every picture is made with.

A picture is made from views only (`Rules.present_view`), so nothing can be in it that its viewer may not know. Numbers
are integers, texts and attributes are escaped here and nowhere else. Colours are written twice: as attributes, which
any rasteriser and any page understands, and as classes, which a style sheet may turn for a dark page; `sheet` is that
style sheet. Owners are told apart by colour, pattern and letter, each enough alone.
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
    """The paper a picture is drawn on. AUTO is light, and turns dark by itself where its reader's screen is."""

    LIGHT = "light"
    DARK = "dark"
    AUTO = "auto"


@dataclass(frozen=True)
class Part:
    """A part of the board that can be drawn alone, larger: its name, its window, and how much in it concerns a viewer.

    `box`: left, top, width, height on the canvas. `weight`: 0 where nothing there concerns the viewer.
    """

    words: Words
    box: tuple[int, int, int, int]
    weight: int = 0


LEGIBLE: Final = 1160
"""The widest window whose letters, 32 units high at least, can be read on a phone: 9 pixels high in 328."""


@runtime_checkable
class DrawsBoard(Protocol):
    """Rules of a game that can draw its board (optional, like `SupportsReadings`)."""

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
        """The board of `view` as one SVG document, the same text for the same arguments.

        `since`: an earlier view of the same viewer; what has changed from it is marked. `preview`: the view that the
        viewer's orders would lead to; what it adds is drawn as an intention. `crop`: one of `crops`, empty for all.
        `live`: for a page whose script lets one choose places: they are buttons, `data-name` is what an order calls
        them, `data-room` how many of one's pieces they may take, `data-needs` how many an attack takes; the first has
        tabindex 0 and the others -1, so that a script moves on by arrow keys. Raises KeyError for a crop that is none.
        """
        ...

    def crops(self, view: View, since: View | None = None) -> Mapping[str, Part]:
        """The parts of the board that can be drawn alone, larger: first `map`, the board without what is written
        below it, then those no wider than `LEGIBLE`, which together show every place.  Those come first where most
        has changed since an earlier view, or where the viewer has most.  Empty for a board that is legible whole.
        """
        ...


# --- writing


FONT: Final = "DejaVu Sans Condensed, DejaVu Sans, Verdana, Arial, sans-serif"
"""The first is delivered with the server, for the pictures in mails; a browser takes what it has."""

_ESCAPES: Final = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;", **{chr(n): " " for n in range(32)}}
)

Value = str | int | None
Corner = tuple[int, int]


def escape(text: str) -> str:
    """A text as it may stand in an element or a quoted attribute; control characters become spaces."""
    return text.translate(_ESCAPES)


def tag(name: str, *children: str, **attributes: Value) -> str:
    """An element. Children are SVG already; attributes are escaped here, those that are None are left out.

    `class_`, `stroke_width`: an underscore at the end is dropped, one inside becomes a hyphen.
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(value) if isinstance(value, str) else value}"'
        for key, value in attributes.items()
        if value is not None
    )
    inside = "".join(children)
    return f"<{name}{written}>{inside}</{name}>" if inside else f"<{name}{written}/>"


def label(x: int, y: int, text: str, size: int, **attributes: Value) -> str:
    """A line of text whose baseline begins (or, by `text_anchor`, is centred or ends) at a point."""
    return tag("text", escape(text), x=x, y=y, font_size=size, **attributes)


def outline_path(path: Sequence[tuple[int, int]]) -> str:
    """A closed outline as path data, in steps from corner to corner: short, and whole numbers only."""
    (x, y), written = path[0], [f"M{path[0][0]} {path[0][1]}"]
    for across, down in path[1:]:
        dx, dy = across - x, down - y
        written.append(f"h{dx}" if not dy else f"v{dy}" if not dx else f"l{dx} {dy}")
        x, y = across, down
    return "".join(written) + "z"


def rim(boxes: Iterable[tuple[int, int, int, int]], inset: int) -> str:
    """A line round boxes of one size, so far within, as path data; between those that adjoin side by side runs none.

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
    """The closed ways that steps from corner to corner make."""
    while start := next((corner for corner, ends in steps.items() if ends), None):
        ring, at = [start], steps[start].pop()
        while at != start:
            ring.append(at)
            at = steps[at].pop()
        yield ring


def _fit_box(ring: list[Corner], inset: int) -> Iterator[Corner]:
    """The corners of a way walked clockwise where it turns, each moved inwards."""
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
    """A whole SVG document, described for those who do not look. `box`: the part of it that is shown.

    `name` begins its ids, for pages that hold several. As a picture it is one image with a title and a description;
    `live`, it is a group whose parts can be reached.
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


_VIEW_BOX: Final = re.compile(r'viewBox="\d+ \d+ (\d+) (\d+)"')


SEPARATOR: Final = 40
"""How often the strip between two pictures goes into their width."""


def stack(*pictures: str) -> str:
    """Pictures of one board below each other in one, each as wide as the widest; for what draws it, not for pages.

    A strip of white parts them.  Nothing is cut at a window's lower edge, which takes a rasteriser long: the strip and
    each picture paint their whole ground, and so cover what hangs over from the one above.  Raises ValueError for what
    is no picture of `svg_document`.
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


def _parse_size(picture: str) -> tuple[str, ...]:
    found = _VIEW_BOX.search(picture)
    if found is None:
        raise ValueError("a picture without a viewBox")
    return found.groups()


# --- colours


@dataclass(frozen=True)
class Palette:
    """Named colours, each (light, dark). The name is the class as well: `.c-water` fills, `.s-water` strokes."""

    colours: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    def of(self, name: str, theme: Theme) -> str:
        """The colour to write; AUTO writes the light one."""
        return self.colours[name][theme is Theme.DARK]

    def fill(self, name: str, theme: Theme, *classes: str) -> dict[str, Value]:
        """Attributes of what is filled with a colour, and may be filled anew by the style sheet."""
        return {"fill": self.of(name, theme), "class_": " ".join((*classes, f"c-{name}"))}

    def line(self, name: str, theme: Theme, width: int, *classes: str) -> dict[str, Value]:
        """Attributes of a line of a colour."""
        shown = " ".join((*classes, f"s-{name}"))
        return {"fill": "none", "stroke": self.of(name, theme), "stroke_width": width, "class_": shown}

    def sheet(self, prefix: str = ".picture ", *, light: bool = False) -> str:
        """CSS that turns every colour dark (or light), each rule under `prefix`."""
        rules = (
            f"{prefix}.c-{name}{{fill:{pair[not light]}}}{prefix}.s-{name}{{stroke:{pair[not light]}}}"
            for name, pair in self.colours.items()
        )
        return "".join(rules)

    def style(self, theme: Theme) -> str:
        """The element that makes an AUTO picture dark on a dark screen, and light on paper; nothing otherwise.

        A rasteriser that knows no media queries leaves it out, and draws the light one.
        """
        if theme is not Theme.AUTO:
            return ""
        return tag("style", f"@media screen and (prefers-color-scheme:dark){{{self.sheet()}}}")


@dataclass(frozen=True)
class Owner:
    """How the pieces of one owner look: colour of the paper they lie on and of what is written on it, and a pattern.

    The same on light and dark paper, so that a player is the same colour everywhere.
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
"""Eight colours of Okabe and Ito's set, which stay apart under every common colour blindness, and eight patterns."""

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
    """What an area of an owner is filled with: their pattern, or the bare colour of an owner who has none."""
    return OWNERS[number].colour if OWNERS[number].pattern == "solid" else f"url(#own-{number})"


def patterns(numbers: Iterable[int], scale: int = 1) -> str:
    """The definitions of the patterns of these owners, white or black lines over their colours, for `fill_for`."""
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
