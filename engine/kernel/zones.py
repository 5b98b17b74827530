"""A board that is no map: zones of different kinds, each drawn, cropped, chosen from, and told in words.

A game says what lies in each zone, and draws it.  The frame lays the zones out in columns that a phone can show,
writes their headings, makes places to choose from of what orders can name, and marks what has changed.  Pictures,
their parts and the words for those who do not look all come from the same zones, so they cannot differ.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Protocol, runtime_checkable

from engine.kernel.catalogues import Words
from engine.kernel.drawing import Captions, Drawing, Sheet, join_words, with_heading
from engine.kernel.keywords import WORDS
from engine.kernel.languages import DEFAULT, Language
from engine.kernel.pictures import LEGIBLE, OWNERS, Palette, Part, Theme, Value, escape, fill_for, label, rim, tag
from engine.kernel.rules import View
from engine.kernel.text_layout import Box

COLUMNS: Final = 2
APART: Final = 40
"""How far zones stand from each other."""
HEAD: Final = 72
"""How high a heading is."""
OVERLAP: Final = 260
"""How much the parts of a zone share that is wider than a phone: nothing in a zone may be wider."""
INSET: Final = 4
"""How far within an item the line runs that marks it."""
CHANGED: Final = 5
"""How much more a change weighs than a zone that concerns its viewer."""
translate: Final = Captions(WORDS.section("zones"))
DrawnItem = str | Callable[[], str]
"""SVG, or what draws it when it is wanted: a board that is told in words is not drawn."""


@dataclass(frozen=True)
class Item:
    """Something that lies in a zone: a square, a card, a space of a track.

    `key`: what it goes by within its zone, from view to view.  `text`: what is there, in words; where they differ from
    those of another view it has changed.  `box`: left, top, width and height in the zone; `drawn`: it in the same
    units.  `name`: what orders call it, which makes it a place to choose; `data`: further figures for the page, as
    `DrawsBoard.draw` has them (`{"room": 2}`).  `whole`: what it is a part of, by any word: adjoining parts of
    one size are marked together, so that no line runs through what is written across them.
    """

    key: str
    text: str
    box: Box
    drawn: DrawnItem
    name: str = ""
    data: Mapping[str, int] = field(default_factory=dict)
    whole: str = ""


@dataclass(frozen=True)
class Zone:
    """A part of the board: a territory, a row of offers, a track, a hand.

    `name`: what its part of the picture is called; `words`: its heading.  `size`: width and height without the heading;
    one that is wider than a phone can show has several parts.  `caption`: what lies below its items.  `notes`: what is
    to be said beside the items.  `weight`: how much it concerns its viewer.  `owner`: whose look (`OWNERS`) its heading
    has.  `owner_text`: what sentences call whose it is, where other players have things of the same names; empty for
    one's own.
    """

    name: str
    words: Words
    size: tuple[int, int]
    items: Sequence[Item] = ()
    caption: DrawnItem = ""
    notes: Sequence[str] = ()
    weight: int = 0
    owner: int | None = None
    owner_text: str | None = None

    @property
    def text(self) -> Mapping[str, str]:
        """What is there, by its key."""
        return {item.key: item.text for item in self.items}


@dataclass(frozen=True)
class PlacedZone:
    """A zone on the canvas, with the keys of what has changed in it, and of what one's orders would change."""

    zone: Zone
    x: int
    y: int
    changed: frozenset[str] = frozenset()
    intended: frozenset[str] = frozenset()

    @property
    def parts(self) -> Mapping[str, Box]:
        """Its windows: one, or as many as show all of it on a phone, each beginning within the one before."""
        wide, high = self.zone.size
        more = max(0, -(-(wide - LEGIBLE) // (LEGIBLE - OVERLAP)))
        lefts = [self.x + (wide - LEGIBLE) * n // more for n in range(more + 1)] if more else [self.x]
        return {_number_items(self.zone.name, n): (left, self.y, LEGIBLE, HEAD + high) for n, left in enumerate(lefts)}

    def lines(self, language: Language) -> tuple[str, ...]:
        """The zone in words: its notes, what lies there, what has changed, what one's orders would do."""
        said = join_words((item.text for item in self.zone.items), language)
        told = (
            (word, join_words((item.text for item in self.zone.items if item.key in keys), language))
            for word, keys in (("changes", self.changed), ("intentions", self.intended))
        )
        whole = [f"{said[:1].upper()}{said[1:]}."] if said else []
        return (*self.zone.notes, *whole, *(translate(language, word, what=what) for word, what in told if what))


@runtime_checkable
class HasZones(Protocol):
    """Rules of a game whose board is made of zones (optional, like `DrawsBoard`)."""

    def zones(
        self, view: View, language: Language, *, since: View | None = None, preview: View | None = None
    ) -> Sequence[PlacedZone]:
        """The zones of a view as `DrawsBoard.draw` shows them, with what lies in each."""
        ...


@dataclass(frozen=True)
class Board:
    """How a game draws and tells a board of zones; `picture`, `crops` and `zones` are what its rules give.

    `built`: what lies on the board, from the view of a sheet, in its language and theme; nothing else of a sheet is for
    the game.  `title`: in words.  `styles`: the owners whose patterns are needed; `signs`: definitions for what is
    drawn.  `palette` has the colours of `drawing.COLOURS`, and the game's own.
    """

    palette: Palette
    built: Callable[[Sheet], Sequence[Zone]]
    title: Callable[[View, Language], str]
    styles: Callable[[View], Iterable[int]] = lambda view: ()
    signs: str = ""

    def zones(
        self, view: View, language: Language, *, since: View | None = None, preview: View | None = None
    ) -> Sequence[PlacedZone]:
        return self._placed(Sheet(view, language, since, preview))

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
        sheet = Sheet(view, language, since, preview, theme, live)
        found = self._placed(sheet)
        boxes = _boxes(found)
        drawing = Drawing(
            (boxes["map"][2], boxes["map"][3]),
            self.palette,
            lambda _: 0,
            lambda _: (*self.styles(view), *(one.zone.owner for one in found if one.zone.owner is not None)),
            lambda _: _layers(found, sheet, self.palette, boxes),
            lambda name, _: boxes[name],
            self.title,
            lambda _: _describe(found, language),
            self.signs,
        )
        return drawing.picture(view, language, since=since, preview=preview, theme=theme, crop=crop, live=live)

    def crops(self, view: View, since: View | None = None) -> Mapping[str, Part]:
        """See `DrawsBoard`: the zones, those first where most has changed, or that concern the viewer most."""
        found = self._placed(Sheet(view, DEFAULT, since))
        parts = {name: part for one in found for name, part in _parts(one)}
        ranked = sorted(parts.items(), key=lambda item: -item[1].weight)
        return {"map": Part(translate.words["board"], _boxes(found)["map"]), **dict(ranked)}

    def _placed(self, sheet: Sheet) -> tuple[PlacedZone, ...]:
        zones = self.built(sheet)
        before = self._said(sheet, sheet.since)
        ahead = {zone.name: zone for zone in self.built(replace(sheet, view=sheet.preview))} if sheet.preview else {}
        shown = [_grow(zone, ahead.get(zone.name, zone)) for zone in zones]
        marks = [
            (
                _changed_keys(before[zone.name], zone.text) if zone.name in before else frozenset[str](),
                _changed_keys(zone.text, ahead[zone.name].text) if zone.name in ahead else frozenset[str](),
            )
            for zone in zones
        ]
        return tuple(
            PlacedZone(zone, x, y, *mark) for zone, mark, (x, y) in zip(shown, marks, _corner_marks(shown), strict=True)
        )

    def _said(self, sheet: Sheet, view: View | None) -> Mapping[str, Mapping[str, str]]:
        if view is None:
            return {}
        return {zone.name: zone.text for zone in self.built(replace(sheet, view=view))}


def _grow(zone: Zone, ahead: Zone) -> Zone:
    """The zone as one's orders would make it, unless that would take something out of sight."""
    larger = all(now <= then for now, then in zip(zone.size, ahead.size, strict=True))
    return ahead if larger and zone.text.keys() <= ahead.text.keys() else zone


def _changed_keys(before: Mapping[str, str], after: Mapping[str, str]) -> frozenset[str]:
    """What is not as it was: new, otherwise, or gone."""
    return frozenset(key for key in (*before, *after) if before.get(key) != after.get(key))


# --- where zones stand


def _corner_marks(zones: Sequence[Zone]) -> Iterator[tuple[int, int]]:
    """Each in the columns that are shortest so far, and as many as it is wide."""
    spans = [-(-(max(zone.size[0], LEGIBLE) + APART) // (LEGIBLE + APART)) for zone in zones]
    heights = [0] * max(COLUMNS, *spans, 0)
    for zone, span in zip(zones, spans, strict=True):
        tops = [max(heights[n : n + span]) for n in range(len(heights) - span + 1)]
        column = tops.index(min(tops))
        yield column * (LEGIBLE + APART), tops[column]
        heights[column : column + span] = [tops[column] + HEAD + zone.size[1] + APART] * span


def _boxes(found: Sequence[PlacedZone]) -> Mapping[str, Box]:
    """The windows of all parts, and of the whole."""
    boxes = {name: box for one in found for name, box in one.parts.items()}
    wide = max((one.x + max(LEGIBLE, one.zone.size[0]) for one in found), default=LEGIBLE)
    high = max((one.y + HEAD + one.zone.size[1] for one in found), default=HEAD)
    return {"map": (0, 0, wide, high), **boxes}


def _parts(one: PlacedZone) -> Iterator[tuple[str, Part]]:
    """Each part of a zone with what concerns its viewer there; a change counts where it can be seen whole."""
    for number, (name, box) in enumerate(one.parts.items()):
        changes = sum(_fit(item, one, box) for item in one.zone.items if item.key in one.changed)
        yield name, Part(_with_title(one.zone.words, number), box, one.zone.weight + CHANGED * changes)


def _fit(item: Item, one: PlacedZone, box: Box) -> bool:
    left = one.x + item.box[0]
    return box[0] <= left and left + item.box[2] <= box[0] + box[2]


def _number_items(name: str, number: int) -> str:
    return f"{name}-{number + 1}" if number else name


def _with_title(words: Words, number: int) -> Words:
    return Words.each(lambda tag: (f"{words.printed(tag)} {number + 1}",)) if number else words


# --- how they are drawn


def _layers(found: Sequence[PlacedZone], sheet: Sheet, palette: Palette, boxes: Mapping[str, Box]) -> Iterator[str]:
    first = next((item for one in found for item in one.zone.items if item.name), None)
    for one in found:
        yield tag(
            "g",
            *_heading(one.zone, sheet, palette),
            tag(
                "g",
                to_svg(one.zone.caption),
                *(_draw(item, sheet, first=item is first) for item in one.zone.items),
                *_change_marks(one, sheet.theme, palette),
                transform=f"translate(0 {HEAD})",
            ),
            transform=f"translate({one.x} {one.y})",
            class_="zone",
            data_zone=one.zone.name,
            data_of=one.zone.owner_text if sheet.live else None,
        )
    if sheet.live:
        for name, box in boxes.items():
            yield tag("view", id=f"zone-{name}", viewBox=" ".join(map(str, box)))


def _heading(zone: Zone, sheet: Sheet, palette: Palette) -> Iterator[str]:
    if zone.owner is not None:
        yield tag(
            "rect", x=2, y=12, width=44, height=44, rx=8, fill=fill_for(zone.owner), stroke=OWNERS[zone.owner].ink
        )
    said = zone.words.printed(sheet.language)
    written = f"{said[:1].upper()}{said[1:]}"
    left = 2 if zone.owner is None else 60
    yield label(left, 48, written, 40, font_weight="bold", **palette.fill("ink", sheet.theme))


def _draw(item: Item, sheet: Sheet, *, first: bool) -> str:
    """An item with its words; on a live picture, one that orders can name is a place to choose."""
    named: dict[str, Value] = {"data_item": item.key}
    if sheet.live and item.name:
        named |= {"data_name": item.name, "role": "button", "aria_label": item.text, "tabindex": 0 if first else -1}
        named |= {f"data_{name}": figure for name, figure in item.data.items()}
    left, top, wide, high = item.box
    ground = tag("rect", x=left, y=top, width=wide, height=high, fill_opacity=0)
    return tag("g", tag("title", escape(item.text)), ground, to_svg(item.drawn), **named)


def to_svg(drawn: DrawnItem) -> str:
    """Return the SVG of an item, drawn if it is not yet."""
    return drawn if isinstance(drawn, str) else drawn()


def _change_marks(one: PlacedZone, theme: Theme, palette: Palette) -> Iterator[str]:
    """A line round what has changed, and a broken one round what one's orders would change."""
    for keys, colour, dashes in ((one.changed, "changed", None), (one.intended, "intended", "30 16")):
        marked = dict.fromkeys(item.whole or item.key for item in one.zone.items if item.key in keys)
        for whole in marked:
            boxes = [item.box for item in one.zone.items if (item.whole or item.key) == whole]
            line = palette.line(colour, theme, 9, colour)
            path = rim(boxes, INSET)
            yield tag("path", d=path, stroke_dasharray=dashes, stroke_linejoin="round", pointer_events="none", **line)


def _describe(found: Sequence[PlacedZone], language: Language) -> str:
    return " ".join(
        with_heading(one.zone.words.printed(language), " ".join(one.lines(language)), language) for one in found
    )
