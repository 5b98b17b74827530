"""The frame in which a game draws a map: the map, a panel below it, and what has changed on it.

A game gives a `Drawing`: sizes, colours, layers, and what the picture says to those who do not look.  The rest of
`DrawsBoard` follows from it.  A board that is no map is made of zones instead (`kernel/zones.py`).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
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
"""What maps of all games look alike in; a game adds its own."""
_SEMICOLON: Final = WORDS("lists.semicolon")
_HEADED: Final = WORDS("lists.headed")


@dataclass(frozen=True)
class Sheet:
    """What a picture is made of: a view, what it is compared with, and how it is drawn; see `DrawsBoard.picture`."""

    view: View
    language: Language
    since: View | None = None
    preview: View | None = None
    theme: Theme = Theme.AUTO
    live: bool = False

    def steps(self) -> Iterator[tuple[str, View, View]]:
        """What is compared: since then (`changes`), and by one's orders (`intentions`), each before and after."""
        if self.since is not None:
            yield "changes", self.since, self.view
        if self.preview is not None:
            yield "intentions", self.view, self.preview


@dataclass(frozen=True)
class Captions:
    """The words of a picture, each with its terms filled in."""

    words: Mapping[str, Words]

    def __call__(self, language: Language, word: str, **terms: object) -> str:
        """Return a word or a sentence. Raises KeyError if there is none."""
        return self.words[word].printed(language).format(**terms)


@dataclass(frozen=True)
class Pen:
    """What a picture of zones is written with: colours, signs of its own by name, and the size of letters.

    Each sign is a path round a middle of 0, 0, about 36 units wide, drawn even-odd.
    """

    palette: Palette
    signs: Mapping[str, str]
    size: int

    def definitions(self) -> str:
        """Return the SVG definitions of all signs, to be drawn by `sign`."""
        return "".join(tag("path", d=path, id=f"g-{name}", fill_rule="evenodd") for name, path in self.signs.items())

    def sign(self, name: str, x: int, y: int, theme: Theme, colour: str = "ink") -> str:
        """Draw one sign with its middle at a point."""
        return tag("use", href=f"#g-{name}", x=x, y=y, **self.palette.fill(colour, theme))

    def text(self, x: int, y: int, said: str, theme: Theme, colour: str = "ink", **more: str | int | None) -> str:
        """Draw a line of text of the usual size."""
        return label(x, y, said, self.size, **{**self.palette.fill(colour, theme), **more})

    def fit_text(self, said: str, wide: int, lines: int) -> Iterator[str]:
        """Break a text between words into lines. The last one has what is left."""
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

    `size`: of the map; `caption`: how high the panel under it is.  `signs`: definitions for the layers.  `styles`: the
    owners whose patterns are needed.  `layers`: all that is drawn over the paper, from the ground up.  `window`: the
    part of the canvas that a crop shows, raising KeyError for one that is none.  `title`, `description`: in words.
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
        """The board, as `DrawsBoard` says; raises KeyError for a crop that does not exist."""
        sheet = Sheet(view, language, since, preview, theme, live)
        wide, high = self.size[0], self.size[1] + self.caption(view)
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
    """Join texts that have commas of their own."""
    return _SEMICOLON.printed(language).join(said)


def with_heading(title: str, what: str, language: Language) -> str:
    """Return a text under a heading."""
    return _HEADED.printed(language).format(title=title, what=what)


def outline_text(palette: Palette, theme: Theme, changed: Iterable[str], intended: Iterable[str]) -> Iterator[str]:
    """A line round each area `a-…` that has changed, and a broken one round those that orders would change."""
    for name in changed:
        line = palette.line("changed", theme, 13, "changed")
        yield tag("use", href=f"#a-{name}", stroke_opacity=".85", **line)
    for name in intended:
        line = palette.line("intended", theme, 13, "intended")
        yield tag("use", href=f"#a-{name}", stroke_dasharray="30 16", **line)


def describe(sheet: Sheet, say: Captions, changed: Callable[[View, View], Sequence[str]]) -> Iterator[str]:
    """Yield a sentence for what has changed since, and one for what orders would change, if anything."""
    for word, before, after in sheet.steps():
        what = changed(before, after)
        if what:
            yield say(sheet.language, word, what=", ".join(what))
