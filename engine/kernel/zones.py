"""A board made of zones instead of a map: each zone can be drawn, cropped, chosen from and described in words.

A game says what is in each zone, and draws it. This module places the zones in columns that a phone can show, writes
headings, makes buttons of things that orders can name, and marks changes. Pictures, crops and text descriptions are
made from the same zones, so they cannot differ.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import Final, Protocol, runtime_checkable

from engine.kernel.catalogues import Words
from engine.kernel.drawing import Captions, Drawing, Sheet, join_words, with_heading
from engine.kernel.keywords import WORDS
from engine.kernel.languages import DEFAULT, Language
from engine.kernel.pictures import (
    LEGIBLE,
    OWNERS,
    Palette,
    Part,
    Theme,
    Value,
    escape,
    fill_for,
    label,
    patterns,
    rim,
    stack,
    svg_document,
    tag,
)
from engine.kernel.rules import View
from engine.kernel.text_layout import Box

COLUMNS: Final = 2
APART: Final = 40
"""The space between zones, in units of the picture."""
HEAD: Final = 72
"""The height of a heading."""
OVERLAP: Final = 260
"""The overlap of the parts of a zone wider than a phone. No item may be wider."""
INSET: Final = 4
"""How far inside an item its change mark is drawn."""
LEGEND: Final = "legend"
"""The name of the zone that explains the signs."""
TALL: Final = 4_000
"""The greatest height of a column of parts in a letter, in units: the picture stays small in bytes."""
CHANGED: Final = 5
"""The weight of one change; the zone's own weight is added to it."""
translate: Final = Captions(WORDS.section("zones"))
DrawnItem = str | Callable[[], str]
"""SVG, or a function that draws it when needed: text descriptions do not draw."""


@dataclass(frozen=True)
class Item:
    """A thing in a zone: a square, a card, a space of a track, an area of a map.

    `key`: its identity in the zone across views.
    `text`: its contents in words; a different text is a change.
    `box`: left, top, width and height in the zone.
    `drawn`: its SVG, in the same units.
    `name`: its name in orders; makes it a button.
    `data`: figures for the page, as in `DrawsBoard.draw` (`{"room": 2}`).
    `whole`: any word shared by the parts of one thing; they are marked together, so that no mark crosses text written
    over them.
    `outline`: the path data of an area, which `drawn` fills; areas lie under the caption of their zone, and their box
    is where things lie in them.
    `weight`: how much it concerns its viewer, beyond the weight of its zone.
    """

    key: str
    text: str
    box: Box
    drawn: DrawnItem
    name: str = ""
    data: Mapping[str, int] = field(default_factory=dict)
    whole: str = ""
    outline: str = ""
    weight: int = 0


@dataclass(frozen=True)
class Zone:
    """A part of the board: a territory, a row of offers, a track, a hand.

    `name`: the name of its crop.
    `words`: its heading.
    `size`: width and height without the heading; a zone wider than a phone has several crops.
    `caption`: SVG drawn under its items, and over its areas.
    `notes`: sentences of the description besides the items.
    `weight`: how much it concerns its viewer.
    `owner`: whose look (`OWNERS`) its heading has.
    `owner_text`: the owner in sentences, if other players have things with the same names; "" for the viewer's own.
    `aside`: a page shows the same beside the board, so a live picture does not.
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
    aside: bool = False

    @property
    def text(self) -> Mapping[str, str]:
        """Return the texts of its items by key."""
        return {item.key: item.text for item in self.items}


@dataclass(frozen=True)
class PlacedZone:
    """A zone at a place on the canvas.

    `changed`: keys of items that have changed. `intended`: keys of items that the viewer's orders would change.
    """

    zone: Zone
    x: int
    y: int
    changed: frozenset[str] = frozenset()
    intended: frozenset[str] = frozenset()

    @property
    def parts(self) -> Mapping[str, Box]:
        """Return its crops by name: one, or as many overlapping ones as show all of it on a phone."""
        wide, high = self.zone.size
        more = max(0, -(-(wide - LEGIBLE) // (LEGIBLE - OVERLAP)))
        lefts = [self.x + (wide - LEGIBLE) * n // more for n in range(more + 1)] if more else [self.x]
        return {_number_crop(self.zone.name, n): (left, self.y, LEGIBLE, HEAD + high) for n, left in enumerate(lefts)}

    def lines(self, language: Language) -> tuple[str, ...]:
        """Return the zone in words: notes, contents, changes, and what the viewer's orders would change."""
        lines = list(self.zone.notes)
        contents = join_words((item.text for item in self.zone.items), language)
        if contents:
            lines.append(f"{contents[:1].upper()}{contents[1:]}.")
        for word, keys in (("changes", self.changed), ("intentions", self.intended)):
            marked = join_words((item.text for item in self.zone.items if item.key in keys), language)
            if marked:
                lines.append(translate(language, word, what=marked))
        return tuple(lines)


@runtime_checkable
class HasZones(Protocol):
    """Rules whose board is made of zones (optional, like `DrawsBoard`)."""

    def zones(
        self, view: View, language: Language, *, since: View | None = None, preview: View | None = None
    ) -> Sequence[PlacedZone]:
        """Return the zones of a view as `DrawsBoard.draw` shows them, with what is in each."""
        ...


@dataclass(frozen=True)
class Board:
    """How a game draws a board of zones. Its rules use `picture`, `crops` and `zones`.

    `built`: the zones of a sheet, made from its view, language and theme only.
    `title`: the title of the picture.
    `styles`: the owners whose patterns are needed.
    `signs`: SVG definitions for the items.
    `palette`: the colours of `drawing.COLOURS`, and the game's own.
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
        return self._draw(sheet, found, boxes[crop] if crop else None)

    def _draw(self, sheet: Sheet, found: Sequence[PlacedZone], box: Box | None) -> str:
        """Return zones as one picture, or what of it is in a box."""
        boxes, size = _boxes(found), _measure(found)
        drawing = Drawing(
            size,
            self.palette,
            lambda _: 0,
            lambda view: (*self.styles(view), *(one.zone.owner for one in found if one.zone.owner is not None)),
            lambda _: _layers(found, sheet, self.palette, boxes),
            lambda *_: box or (0, 0, *size),
            self.title,
            lambda _: _describe(found, sheet.language),
            self.signs,
        )
        return drawing.picture(
            sheet.view,
            sheet.language,
            since=sheet.since,
            preview=sheet.preview,
            theme=sheet.theme,
            crop="box" if box else "",
            live=sheet.live,
        )

    def column(self, view: View, language: Language, *, since: View | None = None) -> str:
        """Return the parts that concern the viewer below each other, at most `TALL` high (see `DrawsColumn`)."""
        sheet = Sheet(view, language, since, theme=Theme.LIGHT)
        alone = (replace(one, x=0, y=0) for one in self._placed(sheet))
        parts = [(one, part) for one in alone for _, part in _parts(one) if part.weight]
        ranked = sorted(parts, key=lambda found: -found[1].weight)
        heights = accumulate(part.box[3] for _, part in ranked)
        shown = [found for found, high in zip(ranked, heights, strict=True) if found is ranked[0] or high <= TALL]
        return stack(*(self._draw(sheet, (one,), part.box) for one, part in shown)) if shown else ""

    def legend(self, view: View, language: Language, theme: Theme) -> str:
        """Return the zone `legend` as a picture of its own, to stand beside the board (see `HasLegend`)."""
        sheet = Sheet(view, language, theme=theme)
        zone = next(zone for zone in self.built(sheet) if zone.name == LEGEND)
        wide, high = zone.size
        return svg_document(
            zone.size,
            zone.words.printed(language),
            " ".join(zone.notes),
            self.palette.style(theme),
            tag("defs", self.signs, patterns(sorted(set(self.styles(view))), 3)),
            tag("rect", width=wide, height=high, **self.palette.fill("paper", theme)),
            to_svg(zone.caption),
            language=language,
            name=LEGEND,
        )

    def crops(self, view: View, since: View | None = None) -> Mapping[str, Part]:
        """Return the crops of all zones, those with changes or that concern the viewer first (see `DrawsBoard`)."""
        found = self._placed(Sheet(view, DEFAULT, since))
        parts = {name: part for one in found for name, part in _parts(one)}
        ranked = sorted(parts.items(), key=lambda item: -item[1].weight)
        return {"map": Part(translate.words["board"], _boxes(found)["map"]), **dict(ranked)}

    def _placed(self, sheet: Sheet) -> tuple[PlacedZone, ...]:
        zones = tuple(zone for zone in self.built(sheet) if not (sheet.live and zone.aside))
        before = self._said(sheet, sheet.since)
        ahead = {zone.name: zone for zone in self.built(replace(sheet, view=sheet.preview))} if sheet.preview else {}
        shown = [_grow(zone, ahead.get(zone.name, zone)) for zone in zones]
        placed = []
        for zone, drawn, (x, y) in zip(zones, shown, _corners(shown), strict=True):
            changed = _changed_keys(before.get(zone.name, zone.text), zone.text)
            intended = _changed_keys(zone.text, ahead.get(zone.name, zone).text)
            placed.append(PlacedZone(drawn, x, y, changed, intended))
        return tuple(placed)

    def _said(self, sheet: Sheet, view: View | None) -> Mapping[str, Mapping[str, str]]:
        if view is None:
            return {}
        return {zone.name: zone.text for zone in self.built(replace(sheet, view=view))}


def _grow(zone: Zone, ahead: Zone) -> Zone:
    """Return the zone as the viewer's orders would make it, unless that would remove something."""
    larger = all(now <= then for now, then in zip(zone.size, ahead.size, strict=True))
    return ahead if larger and zone.text.keys() <= ahead.text.keys() else zone


def _changed_keys(before: Mapping[str, str], after: Mapping[str, str]) -> frozenset[str]:
    """Return the keys whose text is new, different or gone."""
    return frozenset(key for key in (*before, *after) if before.get(key) != after.get(key))


# --- layout


def _corners(zones: Sequence[Zone]) -> Iterator[tuple[int, int]]:
    """Yield the corner of each zone: in the shortest columns so far, across as many as its width needs."""
    spans = [-(-(max(zone.size[0], LEGIBLE) + APART) // (LEGIBLE + APART)) for zone in zones]
    heights = [0] * max(COLUMNS, *spans, 0)
    for zone, span in zip(zones, spans, strict=True):
        tops = [max(heights[n : n + span]) for n in range(len(heights) - span + 1)]
        column = tops.index(min(tops))
        yield column * (LEGIBLE + APART), tops[column]
        heights[column : column + span] = [tops[column] + HEAD + zone.size[1] + APART] * span


def _boxes(found: Sequence[PlacedZone]) -> Mapping[str, Box]:
    """Return the boxes of all crops, and of the whole without what stands beside it on a page."""
    boxes = {name: box for one in found for name, box in one.parts.items()}
    return {"map": (0, 0, *_measure([one for one in found if not one.zone.aside])), **boxes}


def _measure(found: Sequence[PlacedZone]) -> tuple[int, int]:
    """Return the width and height of the canvas of these zones."""
    wide = max((one.x + max(LEGIBLE, one.zone.size[0]) for one in found), default=LEGIBLE)
    return wide, max((one.y + HEAD + one.zone.size[1] for one in found), default=HEAD)


def _parts(one: PlacedZone) -> Iterator[tuple[str, Part]]:
    """Yield each crop of a zone with its weight; an item counts if it is wholly in the crop."""
    for number, (name, box) in enumerate(one.parts.items()):
        items = [item for item in one.zone.items if _fit(item, one, box)]
        weight = sum(item.weight + CHANGED * (item.key in one.changed) for item in items)
        yield name, Part(_with_title(one.zone.words, number), box, one.zone.weight + weight)


def _fit(item: Item, one: PlacedZone, box: Box) -> bool:
    left = one.x + item.box[0]
    return box[0] <= left and left + item.box[2] <= box[0] + box[2]


def _number_crop(name: str, number: int) -> str:
    return f"{name}-{number + 1}" if number else name


def _with_title(words: Words, number: int) -> Words:
    return Words.each(lambda tag: (f"{words.printed(tag)} {number + 1}",)) if number else words


# --- drawing


def _layers(found: Sequence[PlacedZone], sheet: Sheet, palette: Palette, boxes: Mapping[str, Box]) -> Iterator[str]:
    first = next((item for one in found for item in one.zone.items if item.name), None)
    for one in found:
        areas, items = (
            [_draw(item, sheet, first=item is first) for item in one.zone.items if bool(item.outline) == is_area]
            for is_area in (True, False)
        )
        yield tag(
            "g",
            tag("g", *_heading(one.zone, sheet, palette), pointer_events="none"),
            tag(
                "g",
                *areas,
                tag("g", to_svg(one.zone.caption), pointer_events="none"),
                *items,
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
    """Return an item with its description; on a live picture, an item with a name is a button."""
    named: dict[str, Value] = {}
    if sheet.live and item.name:
        named |= {"data_name": item.name, "role": "button", "aria_label": item.text, "tabindex": 0 if first else -1}
        named |= {f"data_{name}": figure for name, figure in item.data.items()}
    left, top, wide, high = item.box
    ground = {"x": left, "y": top, "width": wide, "height": high, "fill_opacity": 0}
    title, drawn = tag("title", escape(item.text)), to_svg(item.drawn)
    if item.outline:
        return tag("g", title, drawn, tag("g", tag("rect", **ground), data_item=item.key), **named)
    return tag("g", title, tag("rect", **ground), drawn, data_item=item.key, **named)


def to_svg(drawn: DrawnItem) -> str:
    """Return the SVG of an item, drawing it if necessary."""
    return drawn if isinstance(drawn, str) else drawn()


def _change_marks(one: PlacedZone, theme: Theme, palette: Palette) -> Iterator[str]:
    """Yield a line around what has changed, and a dashed one around what the viewer's orders would change."""
    for keys, colour, dashes in ((one.changed, "changed", None), (one.intended, "intended", "30 16")):
        marked = dict.fromkeys(item.whole or item.key for item in one.zone.items if item.key in keys)
        for whole in marked:
            parts = [item for item in one.zone.items if (item.whole or item.key) == whole]
            line = palette.line(colour, theme, 9, colour)
            path = "".join(item.outline for item in parts) or rim([item.box for item in parts], INSET)
            yield tag("path", d=path, stroke_dasharray=dashes, stroke_linejoin="round", pointer_events="none", **line)


def _describe(found: Sequence[PlacedZone], language: Language) -> str:
    return " ".join(
        with_heading(one.zone.words.printed(language), " ".join(one.lines(language)), language) for one in found
    )
