"""The frame of a map drawn by a game: the map, a panel under it, and marks of what has changed.

A game supplies a `Drawing`: sizes, colours, layers, and the description for screen readers. Its `picture` is the game's
`DrawsBoard.draw`. A board that is not a map is made of zones instead (`kernel/zones.py`).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from engine.kernel.catalogues import Words
from engine.kernel.keywords import WORDS
from engine.kernel.languages import Language
from engine.kernel.pictures import Palette, Theme, label, patterns, svg_document, tag
from engine.kernel.rules import View
from engine.kernel.text_layout import Box, text_width

COLOURS: Final[Mapping[str, tuple[str, str]]] = {
    "paper": ("#fbf8f0", "#1b1a18"),
    "ink": ("#221e18", "#f1ebdd"),
    "soft": ("#6a6254", "#b4aa98"),
    "faint": ("#a89d87", "#6f675a"),
    "line": ("#857a66", "#8d8474"),
    "coast": ("#51718a", "#7d9bb1"),
    "water": ("#c6ddec", "#1d2e3b"),
    "wild": ("#ece7da", "#262522"),
    "unused": ("#dcd6c7", "#302e2a"),
    "changed": ("#c2185b", "#ff6fa5"),
    "intended": ("#1a237e", "#a7b4ff"),
}
"""Colours that the maps of all games share; a game adds its own."""
_SEMICOLON: Final = WORDS("lists.semicolon")
_HEADED: Final = WORDS("lists.headed")


@dataclass(frozen=True)
class Sheet:
    """What a picture is made from: a view, the views to compare it with, and the style; see `DrawsBoard.draw`."""

    view: View
    language: Language
    since: View | None = None
    preview: View | None = None
    theme: Theme = Theme.AUTO
    live: bool = False

    def steps(self) -> Iterator[tuple[str, View, View]]:
        """Yield (`changes`, then, now) and (`intentions`, now, after the viewer's orders), if there are such views."""
        if self.since is not None:
            yield "changes", self.since, self.view
        if self.preview is not None:
            yield "intentions", self.view, self.preview


@dataclass(frozen=True)
class Captions:
    """The words of a picture, with terms to fill in."""

    words: Mapping[str, Words]

    def __call__(self, language: Language, word: str, **terms: object) -> str:
        """Return a word or sentence. Raises KeyError if there is none."""
        return self.words[word].printed(language).format(**terms)


@dataclass(frozen=True)
class Pen:
    """Tools for pictures of zones: colours, signs by name, and the size of text.

    Each sign is a path around (0, 0), about 36 units wide, filled even-odd. `tints`: the signs that have a colour of
    their own besides their shape.
    """

    palette: Palette
    signs: Mapping[str, str]
    size: int
    tints: Mapping[str, str] = field(default_factory=dict)

    def definitions(self) -> str:
        """Return the SVG definitions of all signs, which `sign` uses."""
        return "".join(tag("path", d=path, id=f"g-{name}", fill_rule="evenodd") for name, path in self.signs.items())

    def sign(self, name: str, x: int, y: int, theme: Theme, colour: str = "ink") -> str:
        """Return one sign with its centre at a point. One with a colour of its own is drawn in it instead of ink."""
        tint = self.tints.get(name, colour) if colour == "ink" else colour
        return tag("use", href=f"#g-{name}", x=x, y=y, **self.palette.fill(tint, theme))

    def text(self, x: int, y: int, said: str, theme: Theme, colour: str = "ink", **more: str | int | None) -> str:
        """Return a line of text of the usual size."""
        return label(x, y, said, self.size, **{**self.palette.fill(colour, theme), **more})

    def fit_text(self, said: str, wide: int, lines: int) -> Iterator[str]:
        """Yield a text in at most `lines` lines of width `wide`, broken between words.

        The last line takes the rest.
        """
        words = said.split()
        for line in range(lines):
            taken = 1
            while taken < len(words) and text_width(" ".join(words[: taken + 1]), self.size) <= wide:
                taken += 1
            if words:
                yield " ".join(words if line == lines - 1 else words[:taken])
                words = words[taken:]


@dataclass(frozen=True)
class Drawing:
    """How a game draws its board.

    `size`: width and height of the map.
    `caption`: the height of the panel under it, which a live picture leaves to its page.
    `signs`: SVG definitions for the layers.
    `styles`: the owners whose patterns are needed.
    `layers`: SVG drawn over the background, from bottom to top.
    `window`: the box of a crop; raises KeyError for an unknown one.
    `title`, `description`: the words for screen readers.
    """

    size: tuple[int, int]
    palette: Palette
    caption: Callable[[View], int]
    styles: Callable[[View], Iterable[int]]
    layers: Callable[[Sheet], Iterable[str]]
    window: Callable[[str, View], Box]
    title: Callable[[View, Language], str]
    description: Callable[[Sheet], str]
    signs: str = ""

    def picture(
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
        """Return the board as `DrawsBoard.draw` does. Raises KeyError for an unknown crop."""
        sheet = Sheet(view, language, since, preview, theme, live)
        wide, high = self.size[0], self.size[1] + (0 if live else self.caption(view))
        return svg_document(
            (wide, high),
            self.title(view, language),
            self.description(sheet),
            self.palette.style(theme),
            tag("defs", self.signs, patterns(sorted(set(self.styles(view))), 3)),
            tag("rect", width=wide, height=high, **self.palette.fill("paper", theme)),
            *self.layers(sheet),
            box=self.window(crop, view) if crop else None,
            live=live,
            language=language,
        )


def join_words(said: Iterable[str], language: Language) -> str:
    """Return texts joined by semicolons, because they may contain commas."""
    return _SEMICOLON.printed(language).join(said)


def with_heading(title: str, what: str, language: Language) -> str:
    """Return a text after its heading."""
    return _HEADED.printed(language).format(title=title, what=what)


def outline_text(palette: Palette, theme: Theme, changed: Iterable[str], intended: Iterable[str]) -> Iterator[str]:
    """Yield a line around each area `a-...` that has changed, and a dashed one around areas that
    orders would change.
    """
    for name in changed:
        line = palette.line("changed", theme, 13, "changed")
        yield tag("use", href=f"#a-{name}", stroke_opacity=".85", **line)
    for name in intended:
        line = palette.line("intended", theme, 13, "intended")
        yield tag("use", href=f"#a-{name}", stroke_dasharray="30 16", **line)


def describe(sheet: Sheet, say: Captions, changed: Callable[[View, View], Sequence[str]]) -> Iterator[str]:
    """Yield a sentence for what has changed, and one for what the viewer's orders would change, if anything."""
    for word, before, after in sheet.steps():
        what = changed(before, after)
        if what:
            yield say(sheet.language, word, what=", ".join(what))
