"""The fixed parts of the map, drawn once for each language and theme and cached."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final

from engine.age_of_renaissance import atlas, catalogue
from engine.age_of_renaissance.catalogue import CAPITALS, PROVINCES, REGIONS, REGIONS_IN_PLAY, Province
from engine.age_of_renaissance.drawing import shapes
from engine.age_of_renaissance.drawing.look import CROWN, GOODS, PALETTE, SHIP, say
from engine.kernel.languages import Language
from engine.kernel.pictures import SMALLEST, Theme, Value, label, tag
from engine.kernel.text_layout import Box, text_width

NAME, PILL, SIGN = 42, 54, 46
"""`NAME`, `PILL`: the heights of a province's name and of the pill with its market.

`SIGN`: the width of a sign in it.
"""
LIGHT: Final = 91
"""The width of a regular letter, in percent of a bold one."""
NO_MOUSE: Value = "none"


@lru_cache(maxsize=8)
def ground(theme: Theme) -> str:
    """Return water, and land outside all provinces."""
    seas = (
        tag("path", d=shapes.OUTLINES[sea], **PALETTE.fill("water2" if n % 2 else "water", theme, "sea"))
        for n, sea in enumerate(sorted(atlas.SEAS))
    )
    return tag(
        "g",
        tag("path", d=shapes.OUTLINES[shapes.NARROWS], **PALETTE.fill("narrow", theme)),
        *seas,
        tag("path", d=shapes.OUTLINES[shapes.WILDS], **PALETTE.fill("wild", theme)),
        tag("path", d=shapes.SHORES, stroke_dasharray="4 14", **PALETTE.line("seaname", theme, 4)),
        pointer_events=NO_MOUSE,
        aria_hidden="true",
    )


@lru_cache(maxsize=64)
def frame(language: Language, theme: Theme, players: int) -> str:
    """Return what is above the provinces and below the pieces: borders, arrows, crossings, seas and markets."""
    return tag(
        "g",
        tag("path", d=shapes.FRONTIERS + shapes.EDGES, **PALETTE.line("line", theme, 4)),
        tag("path", d=shapes.COAST, **PALETTE.line("coast", theme, 6)),
        tag("path", d=shapes.REGIONS, stroke_dasharray="26 10", **PALETTE.line("ink", theme, 9)),
        *(tag("path", d=shapes.OUTLINES[box], **PALETTE.line("line", theme, 6)) for box in shapes.BOXES),
        *_numerals(theme, players),
        *_crossings(theme),
        *_arrows(theme, players),
        *_seas(language, theme),
        *_pills(theme, players),
        pointer_events=NO_MOUSE,
        aria_hidden="true",
        stroke_linejoin="round",
        stroke_linecap="round",
    )


def in_play(province: Province, players: int) -> bool:
    """Return True if a province is in play with `players` players (§8.2)."""
    return province.region in REGIONS_IN_PLAY[players]


def _crossings(theme: Theme) -> Iterator[str]:
    path = "".join(f"M{a} {b}L{c} {d}" for _, _, (a, b), (c, d) in shapes.CROSSINGS)
    yield tag("path", d=path, stroke_dasharray="2 16", **PALETTE.line("seaname", theme, 8))


def _arrows(theme: Theme, players: int) -> Iterator[str]:
    shafts, heads = [], []
    for satellite, _, (a, b), (c, d) in shapes.ARROWS:
        if in_play(PROVINCES[satellite], players):
            dx, dy = _scaled(c - a, d - b, 26)
            shafts.append(f"M{a} {b}L{c - dx // 2} {d - dy // 2}")
            heads.append(f"M{c} {d}l{-dx - dy // 2} {-dy + dx // 2}l{dy} {-dx}z")
    yield tag("path", d="".join(shafts), **PALETTE.line("soft", theme, 7, "arrow"))
    yield tag("path", d="".join(heads), **PALETTE.fill("soft", theme, "arrow"))


def _scaled(across: int, down: int, long: int) -> tuple[int, int]:
    """Return a vector in the same direction with about length `long`, in whole numbers."""
    square = across * across + down * down
    size = max(1, _root(square))
    return across * long // size, down * long // size


def _root(square: int) -> int:
    """Return the integer square root."""
    guess = 1 << ((square.bit_length() + 1) // 2)
    while (better := (guess + square // guess) // 2) < guess:
        guess = better
    return guess


def _seas(language: Language, theme: Theme) -> Iterator[str]:
    for sea in atlas.SEAS.values():
        (x, y, turn), rows = shapes.SEA_NAMES[sea.id], _rows(sea.words.printed(language))
        colour = PALETTE.fill("seaname", theme, "sea-name")
        if turn:
            colour["transform"] = f"rotate({turn} {x} {y})"
        for n, row in enumerate(rows):
            yield label(x, y + 50 * n, row, 46, text_anchor="middle", font_style="italic", letter_spacing=5, **colour)


def _numerals(theme: Theme, players: int) -> Iterator[str]:
    """Yield the number of each region on a seal of its colour, next to its land."""
    for region, (x, y) in shapes.NUMERALS.items():
        paper, ink = (f"reg-{region}", "ink") if region in REGIONS_IN_PLAY[players] else ("unused", "soft")
        yield tag("circle", cx=x, cy=y, r=54, **PALETTE.fill(ink, theme))
        yield tag("circle", cx=x, cy=y, r=49, **PALETTE.fill(paper, theme))
        yield label(x, y + 22, region, 60, text_anchor="middle", font_weight="bold", **PALETTE.fill(ink, theme))


def _rows(name: str) -> list[str]:
    """Return a name in two rows if it is long and has a gap near its middle."""
    first, _, rest = name.partition(" ")
    if len(name) < 15 or not rest:
        return [name]
    while " " in rest and len(first) + len(rest.partition(" ")[0]) < len(name) * 5 // 8:
        word, _, rest = rest.partition(" ")
        first = f"{first} {word}"
    return [first, rest]


@lru_cache(maxsize=64)
def names(language: Language, theme: Theme, players: int) -> str:
    """Return the names of the provinces, above everything else: without goods plain, out of play pale."""
    halo: dict[str, Value] = {
        "stroke": PALETTE.of("paper", theme),
        "stroke_width": 9,
        "stroke_opacity": ".8",
        "paint_order": "stroke",
    }
    groups = [
        tag(
            "g",
            *(_name(p, language) for p in PROVINCES.values() if (in_play(p, players), p.satellite) == (playing, small)),
            font_weight=None if small else "bold",
            **PALETTE.fill("ink" if playing else "soft", theme, "names", "s-paper"),
        )
        for playing in (True, False)
        for small in (True, False)
    ]
    return tag(
        "g", *groups, pointer_events=NO_MOUSE, aria_hidden="true", text_anchor="middle", stroke_linejoin="round", **halo
    )


def _name(province: Province, language: Language) -> str:
    (x, y), name = shapes.MIDDLES[province.id], province.words.printed(language)
    return label(x, y - 26, name, _size(province, name))


def _size(province: Province, name: str) -> int:
    return SMALLEST if province.satellite or len(name) > 12 else NAME


@lru_cache(maxsize=64)
def label_boxes(language: Language, players: int) -> Mapping[str, tuple[Box, ...]]:
    """Return the boxes of the name and the pill of each province."""
    return {p.id: tuple(_boxes(p, language, players)) for p in PROVINCES.values()}


def _boxes(province: Province, language: Language, players: int) -> Iterator[Box]:
    (x, y), name = shapes.MIDDLES[province.id], province.words.printed(language)
    size = _size(province, name)
    half = text_width(name, size) * (LIGHT if province.satellite else 100) // 200
    yield x - half, y - 26 - size * 3 // 4, x + half, y - 18
    if in_play(province, players):
        left = _left(province, players)
        yield left, y - 14, left + pill_width(province, players), y - 14 + PILL


def pill_width(province: Province, players: int) -> int:
    """Return the width of a province's pill."""
    return 44 + SIGN * (len(province.goods) + crowned(province, players))


def crowned(province: Province, players: int) -> bool:
    """Return True if a province is a capital with `players` players."""
    return province.id in CAPITALS[players]


def _pills(theme: Theme, players: int) -> Iterator[str]:
    """Yield the capacity of each province and the signs of its goods."""
    playing = [p for p in PROVINCES.values() if in_play(p, players)]
    paper, ink = PALETTE.fill("paper", theme, "s-line"), PALETTE.fill("ink", theme)
    yield tag(
        "g",
        *(_pill(p, players) for p in playing),
        fill_opacity=".86",
        stroke=PALETTE.of("line", theme),
        stroke_width=3,
        **paper,
    )
    sizes = (label(_left(p, players) + 23, shapes.MIDDLES[p.id][1] + 29, str(p.capacity), 44) for p in playing)
    yield tag("g", *sizes, text_anchor="middle", font_weight="bold", **ink)
    used = (
        tag(
            "use",
            href=f"#sign-{sign}",
            x=_left(p, players) + 41 + SIGN // 2 + SIGN * n,
            y=shapes.MIDDLES[p.id][1] + 13,
            **(PALETTE.fill(f"t-{sign}", theme) if sign in GOODS else {}),
        )
        for p in playing
        for n, sign in enumerate([*(["crown"] if crowned(p, players) else []), *p.goods])
    )
    yield tag("g", *used, **ink)


def _left(province: Province, players: int) -> int:
    return shapes.MIDDLES[province.id][0] - pill_width(province, players) // 2


def _pill(province: Province, players: int) -> str:
    return tag(
        "rect",
        x=_left(province, players),
        y=shapes.MIDDLES[province.id][1] - 14,
        width=pill_width(province, players),
        height=PILL,
        rx=16,
        stroke_dasharray="6 6" if province.satellite else None,
    )


def _signs() -> str:
    drawn = {**GOODS, "crown": CROWN, "ship": SHIP}
    return "".join(tag("path", id=f"sign-{name}", d=path, fill_rule="evenodd") for name, path in drawn.items())


SIGNS: Final = _signs()
"""The definitions of the signs of goods, of a crown and of a ship, without a colour."""


def region_of(province: Province, language: Language) -> str:
    """Return the name of a province's region."""
    return REGIONS[province.region].words.printed(language)


def tint(province: Province, players: int) -> str:
    """Return the colour of a province that nobody controls."""
    return f"reg-{province.region}" if in_play(province, players) else "unused"


def place_told(province: Province, language: Language) -> str:
    """Return a province in words: name, region, capacity, goods."""
    told = say(
        language,
        "place",
        name=province.words.printed(language),
        region=region_of(province, language),
        capacity=province.capacity,
    )
    goods = [catalogue.GOODS[good].words.printed(language) for good in province.goods]
    return ", ".join([told, *goods, *([say(language, "satellite")] if province.satellite else [])])
