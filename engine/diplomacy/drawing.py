"""The board as a map of Europe: provinces in the colours of who owns their centres, units, and arrows for orders."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from math import isqrt
from typing import Any, Final

from engine.diplomacy import shapes
from engine.diplomacy.board import Board as Position
from engine.diplomacy.catalogue import ARMY, POWERS, PROVINCES, SEA, WORDS, province_of
from engine.diplomacy.views import NAMES
from engine.kernel.borders import Spot as Point
from engine.kernel.drawing import COLOURS, Captions, Sheet
from engine.kernel.languages import Language
from engine.kernel.movements import Piece, Placed, Spot
from engine.kernel.pictures import LEGIBLE, OWNERS, Palette, Theme, Value, fill_for, label, tag
from engine.kernel.rules import View
from engine.kernel.text_layout import Box
from engine.kernel.viewers import Viewer
from engine.kernel.zones import LEGEND, Board, Item, Zone

EUROPE: Final = "europe"
UNIT: Final = (64, 50)
"""The width and height of a unit."""
SHORT, LONG = 46, 36
"""The sizes of short names, and of whole names and coasts."""
MARK: Final = 14
"""The radius of the mark of a centre."""
_LAND: Final = ("#efe8d2", "#3b372d")


def _tinted(colour: str, share: int) -> tuple[str, str]:
    """Return the colours of land, light and dark, with so many per cent of an owner's colour."""
    both = (zip(bytes.fromhex(colour[1:]), bytes.fromhex(land[1:]), strict=True) for land in _LAND)
    light, dark = (bytes((a * share + b * (100 - share)) // 100 for a, b in pairs).hex() for pairs in both)
    return f"#{light}", f"#{dark}"


_PALETTE: Final = Palette(
    {
        **COLOURS,
        **{f"own{look}": _tinted(OWNERS[look].colour, 42) for look in NAMES.looks.values()},
        "land": _LAND,
        "water": ("#d6e4ec", "#17242e"),
        "wild": ("#dcd7c9", "#2a2926"),
        "line": ("#8f8670", "#857d6e"),
        "coast": ("#4f6b80", "#7d97a9"),
        "seaname": ("#3d5f78", "#9dbbcf"),
        "failed": ("#b3261e", "#ff8a80"),
    }
)
_SAYS: Final = Captions(WORDS.section("picture"))
_SIGNS: Final = tag(
    "pattern",
    tag("path", d="M-4 4L4 -4M0 24L24 0M20 28L28 20", **_PALETTE.line("line", Theme.LIGHT, 3)),
    id="g-wild",
    width=24,
    height=24,
    patternUnits="userSpaceOnUse",
)
"""The hatching of land that no unit enters."""


def _zones(sheet: Sheet) -> Iterator[Zone]:
    units = {province_of(unit["place"]): unit for unit in sheet.view["units"]}
    lost = {province_of(unit["place"]): unit for unit in sheet.view["dislodged"]}
    items = [_province(sheet, p) for p in PROVINCES]
    items += [_unit(sheet, p, unit, is_lost=False) for p, unit in units.items()]
    items += [_unit(sheet, p, unit, is_lost=True) for p, unit in lost.items()]
    yield Zone(EUROPE, WORDS("picture.europe"), shapes.SIZE, items, caption=lambda: _ground(sheet))
    size = (LEGIBLE, _KEY_LINE * len(_KEYS) + 20)
    yield Zone(LEGEND, WORDS("picture.legend"), size, caption=lambda: _explain(sheet), aside=True)


# --- the ground


def _ground(sheet: Sheet) -> str:
    """Return what lies over the provinces and under the units: other land, borders, names, marks of centres."""
    theme = sheet.theme
    return "".join(
        (
            tag("path", d=shapes.OUTLINES[shapes.STRAIT], **_PALETTE.fill("water", theme)),
            tag("path", d=shapes.OUTLINES[shapes.WILD], **_PALETTE.fill("wild", theme)),
            tag("path", d=shapes.OUTLINES[shapes.WILD], fill="url(#g-wild)", fill_opacity=".5"),
            tag("path", d=shapes.SHORES, stroke_opacity=".55", **_PALETTE.line("coast", theme, 3)),
            tag("path", d=shapes.FRONTIERS, **_PALETTE.line("line", theme, 4)),
            tag("defs", tag("path", d=shapes.COAST, id="g-coast", stroke_linejoin="round")),
            tag("use", href="#g-coast", stroke_opacity=".2", **_PALETTE.line("coast", theme, 20)),
            tag("use", href="#g-coast", **_PALETTE.line("coast", theme, 5)),
            *(_mark(sheet, p) for p in shapes.MARKS),
            *(_arrow(theme, one["place"], one) for one in _resolved(sheet) if one["aim"]),
            tag("g", *_names(sheet, is_sea=True), **_lettering("seaname", "water", theme)),
            tag("g", *_names(sheet, is_sea=False), **_lettering("ink", "land", theme)),
        )
    )


def _lettering(colour: str, halo: str, theme: Theme) -> dict[str, Value]:
    """Return the look of names, which stay legible over borders and arrows."""
    around: dict[str, Value] = {
        "stroke": _PALETTE.of(halo, theme),
        "stroke_width": 8,
        "stroke_opacity": ".6",
        "paint_order": "stroke",
    }
    look = _PALETTE.fill(colour, theme, f"s-{halo}")
    return {**look, **around, "stroke_linejoin": "round", "text_anchor": "middle"}


def _names(sheet: Sheet, *, is_sea: bool) -> Iterator[str]:
    for p, (x, y) in shapes.NAMES.items():
        if (PROVINCES[p].kind == SEA) == is_sea:
            yield label(x, y + SHORT // 3 + 1, p, SHORT)
            if p in shapes.WHOLE:
                x, y = shapes.WHOLE[p]
                yield label(x, y + LONG // 3, PROVINCES[p].words.printed(sheet.language), LONG)
    for place, (x, y) in shapes.COASTS.items() if not is_sea else ():
        yield label(x, y + LONG // 3, place.partition("/")[2], LONG)


def _mark(sheet: Sheet, p: str) -> str:
    """Return the mark of a centre, in the colour of who owns it."""
    owner, (x, y) = sheet.view["provinces"][p]["owner"], shapes.MARKS[p]
    return _disc(x, y, fill_for(NAMES.looks[owner]) if owner else "", sheet.theme)


def _disc(x: int, y: int, fill: str, theme: Theme) -> str:
    filled = {"fill": fill} if fill else _PALETTE.fill("paper", theme)
    edge = _PALETTE.line("ink", theme, 4)
    rim = tag("circle", cx=x, cy=y, r=MARK, **edge)
    return (
        tag("circle", cx=x, cy=y, r=MARK, **filled)
        + rim
        + tag("circle", cx=x, cy=y, r=4, **_PALETTE.fill("ink", theme))
    )


def _province(sheet: Sheet, p: str) -> Item:
    """A province as an area, tinted in the colour of who owns its centre."""
    province, owner = PROVINCES[p], sheet.view["provinces"][p]["owner"]
    outline = shapes.OUTLINES[p]
    colour = f"own{NAMES.looks[owner]}" if owner else "water" if province.kind == SEA else "land"
    said = f"{province.words.printed(sheet.language)} ({p})"
    if province.centre:
        word = "owned" if owner else "free"
        said += f", {_SAYS(sheet.language, word, power=_power(owner, sheet.language) if owner else '')}"
    filled = partial(tag, "path", d=outline, **_PALETTE.fill(colour, sheet.theme))
    return Item(p, said, _box(shapes.UNITS[p]), filled, p, outline=outline)


def _box(at: Point) -> Box:
    """Return the box of a unit."""
    return at[0] - UNIT[0] // 2, at[1] - UNIT[1] // 2, *UNIT


def _power(power: str, language: Language) -> str:
    return POWERS[power].words.printed(language)


# --- units and orders


def _resolved(sheet: Sheet) -> Sequence[Mapping[str, Any]]:
    """Return what the arrows of the last season show: nothing where no change is marked, or new orders are drawn."""
    shown = sheet.since is not None and sheet.preview is None and not sheet.view["orders"]
    return sheet.view["resolved"] if shown else ()


_EMBLEMS: Final = {
    "A": "M-32 -21q0 -4 4 -4h56q4 0 4 4v42q0 4 -4 4h-56q-4 0 -4 -4z",
    "F": "M-32 -2h16v-23h32v23h16q-4 27 -16 27h-32q-12 0 -16 -27z",
}
"""The outlines of an army, a block, and of a fleet, a ship, around (0, 0)."""


def _unit(sheet: Sheet, p: str, unit: Mapping[str, Any], *, is_lost: bool) -> Item:
    """A unit with the arrow of its order; a dislodged one beside it, with a dashed edge."""
    at = shapes.LOST[p] if is_lost else shapes.UNITS[unit["place"]]
    sort = _SAYS(sheet.language, ("lost_" if is_lost else "") + ("army" if unit["kind"] == ARMY else "fleet"))
    said = f"{_power(unit['power'], sheet.language)}: {sort} {unit['place']}"
    order = {} if is_lost else sheet.view["orders"].get(p, {})
    said += f" ({order['line']})" if order else ""

    def draw() -> str:
        arrow = _arrow(sheet.theme, unit["place"], order) if order.get("aim") else ""
        return arrow + _emblem(*at, unit["kind"], NAMES.looks[unit["power"]], sheet.theme, is_lost=is_lost)

    own = sheet.view["powers"].get(sheet.view["seat"], {}).get("power") == unit["power"]
    key, name = f"{'lost' if is_lost else 'unit'} {p}", f"{unit['kind']} {p}"
    return Item(key, said, _box(at), draw, name, weight=int(own))


def _emblem(x: int, y: int, kind: str, look: int, theme: Theme, *, is_lost: bool = False) -> str:
    edge = _PALETTE.line("ink", theme, 4) | {"stroke_dasharray": "9 6" if is_lost else None}
    shape = tag("path", d=_EMBLEMS[kind], fill=fill_for(look)) + tag("path", d=_EMBLEMS[kind], **edge)
    letter = label(0, 14, kind, 38, text_anchor="middle", font_weight="bold", fill=OWNERS[look].ink)
    return tag("g", shape, letter, transform=f"translate({x} {y})")


_DASHES: Final = {"move": None, "support": "20 14", "convoy": "2 20"}
_HEAD: Final = 40
"""How long the head of an arrow is."""
_BEFORE: Final = 36
"""How far the tip of an arrow is from the middle of a unit."""


def _arrow(theme: Theme, place: str, order: Mapping[str, Any]) -> str:
    """The order of a unit at a place, as an arrow to where it goes.

    Help for a unit that moves ends in a dot halfway along its move. What failed is red and crossed out at its end.
    """
    start, aim = shapes.UNITS[place], shapes.UNITS[order["aim"]]
    helped = shapes.UNITS[order["helps"]] if order["helps"] else aim
    is_along = helped != aim
    end = _between(helped, aim, 50, 100) if is_along else aim
    return _line(theme, start, end, order["sort"], is_along=is_along, is_failed=not order.get("succeeded", True))


def _line(theme: Theme, start: Point, end: Point, sort: str, *, is_along: bool, is_failed: bool) -> str:
    """Return an arrow; `is_along`: it ends in a dot."""
    colour, long = "failed" if is_failed else "ink", max(_far(start, end), 1)
    x, y = end if is_along else _between(end, start, min(_BEFORE, long // 3), long)
    neck = (x, y) if is_along else _between((x, y), start, _HEAD - 12, max(_far(start, (x, y)), 1))
    shaft = f"M{start[0]} {start[1]}L{neck[0]} {neck[1]}"
    drawn = tag("path", d=shaft, stroke_opacity=".7", **_PALETTE.line("paper", theme, 17))
    look = _PALETTE.line(colour, theme, 9) | {"stroke_dasharray": _DASHES[sort], "stroke_linecap": "round"}
    drawn += tag("path", d=shaft, **look)
    if is_failed:
        drawn += tag("path", d=f"M{x - 15} {y - 15}l30 30m0 -30l-30 30", **_PALETTE.line(colour, theme, 10))
    elif is_along:
        drawn += tag("circle", cx=x, cy=y, r=11, **_PALETTE.fill(colour, theme))
    else:
        dx, dy = _HEAD * (x - start[0]) // long, _HEAD * (y - start[1]) // long
        head = f"M{x} {y}L{x - dx - dy // 2} {y - dy + dx // 2}L{x - dx + dy // 2} {y - dy - dx // 2}Z"
        drawn += tag("path", d=head, **_PALETTE.fill(colour, theme))
    return tag("g", drawn, pointer_events="none")


def _far(one: Point, other: Point) -> int:
    return isqrt((one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2)


def _between(one: Point, other: Point, part: int, whole: int) -> Point:
    """Return the point on the way from one to another where `part` of `whole` is behind."""
    return one[0] + (other[0] - one[0]) * part // whole, one[1] + (other[1] - one[1]) * part // whole


# --- the legend

_KEY_LINE: Final = 64
_KEYS: Final = ("army", "fleet", "lost_army", "move", "support", "convoy", "failed", "owned_centre", "free", "wild")
"""What the legend explains, in the words of the picture."""


def _explain(sheet: Sheet) -> str:
    ink = _PALETTE.fill("ink", sheet.theme)
    drawn = ""
    for n, name in enumerate(_KEYS):
        y = _KEY_LINE * n + 40
        drawn += _sign(name, 54, y, sheet.theme) + label(120, y + 14, _SAYS(sheet.language, name), 40, **ink)
    for n, power in enumerate(POWERS):
        y = _KEY_LINE * n + 40
        drawn += _emblem(880, y, ARMY, NAMES.looks[power], sheet.theme)
        drawn += label(930, y + 14, _power(power, sheet.language), 40, **ink)
    return drawn


def _sign(name: str, x: int, y: int, theme: Theme) -> str:
    look = next(iter(NAMES.looks.values()))
    match name:
        case "army" | "fleet" | "lost_army":
            return _emblem(x, y, "F" if name == "fleet" else ARMY, look, theme, is_lost=name == "lost_army")
        case "owned_centre" | "free":
            return _disc(x, y, fill_for(look) if name == "owned_centre" else "", theme)
        case "wild":
            where: dict[str, Value] = {"x": x - 32, "y": y - 24, "width": 64, "height": 48, "rx": 8}
            hatched = tag("rect", fill="url(#g-wild)", **where) + tag(
                "rect", **where, **_PALETTE.line("line", theme, 4)
            )
            return tag("rect", **where, **_PALETTE.fill("wild", theme)) + hatched
    is_failed = name == "failed"
    sort = "move" if is_failed else name
    return _line(theme, (x - 40, y), (x + 44, y), sort, is_along=sort != "move", is_failed=is_failed)


def _title(view: View, language: Language) -> str:
    season = WORDS(f"topics.{view['phase']}.name").printed(language).lower()
    return f"{WORDS('title').printed(language)}, {view['turn']}, {season}"


BOARD: Final = Board(
    _PALETTE, lambda sheet: tuple(_zones(sheet)), _title, lambda view: sorted(set(NAMES.looks.values())), _SIGNS
)


def placed(board: Position, viewer: Viewer) -> Iterator[Placed]:
    """Yield where the units stand; dislodged ones lie beside who dislodged them."""
    seats = {player.power: seat for seat, player in board.powers.items()}
    for p, unit in board.units.items():
        yield Spot(EUROPE, p), Piece(unit.kind, "", seats.get(unit.power, "")), 1
    for p, lost in board.dislodged.items():
        yield Spot(EUROPE, p), Piece(lost.unit.kind, "dislodged", seats.get(lost.unit.power, "")), 1
