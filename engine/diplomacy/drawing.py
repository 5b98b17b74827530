"""The board as a map of Europe: provinces in the colours of who owns their centres, units, and arrows for orders."""

from collections.abc import Iterator, Mapping
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
from engine.kernel.viewers import Viewer
from engine.kernel.zones import LEGEND, Board, Item, Zone

EUROPE: Final = "europe"
UNIT: Final = (64, 50)
"""The width and height of a unit."""
SHORT, LONG = 46, 34
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
    id="wild",
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
            tag("path", d=shapes.OUTLINES[shapes.WILD], fill="url(#wild)", fill_opacity=".5"),
            tag("path", d=shapes.SHORES, stroke_opacity=".55", **_PALETTE.line("coast", theme, 3)),
            tag("path", d=shapes.FRONTIERS, **_PALETTE.line("line", theme, 4)),
            tag("path", d=shapes.COAST, stroke_linejoin="round", **_PALETTE.line("coast", theme, 5)),
            *(_mark(sheet, p) for p in shapes.MARKS),
            tag("g", *_names(sheet, is_sea=True), text_anchor="middle", **_PALETTE.fill("seaname", theme)),
            tag("g", *_names(sheet, is_sea=False), text_anchor="middle", **_PALETTE.fill("ink", theme)),
        )
    )


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
    outline, (x, y) = shapes.OUTLINES[p], shapes.NAMES[p]
    colour = f"own{NAMES.looks[owner]}" if owner else "water" if province.kind == SEA else "land"
    said = f"{province.words.printed(sheet.language)} ({p})"
    if province.centre:
        word = "owned" if owner else "free"
        said += f", {_SAYS(sheet.language, word, power=_power(owner, sheet.language) if owner else '')}"
    box = (x - SHORT, y - SHORT // 2, 2 * SHORT, SHORT)
    return Item(p, said, box, tag("path", d=outline, **_PALETTE.fill(colour, sheet.theme)), p, outline=outline)


def _power(power: str, language: Language) -> str:
    return POWERS[power].words.printed(language)


# --- units and orders

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
    drawn = _arrow(sheet, at, order) if order.get("aim") else ""
    drawn += _emblem(*at, unit["kind"], NAMES.looks[unit["power"]], sheet.theme, is_lost=is_lost)
    box = (at[0] - UNIT[0] // 2, at[1] - UNIT[1] // 2, *UNIT)
    return Item(f"{'lost' if is_lost else 'unit'} {p}", said, box, drawn, f"{unit['kind']} {p}")


def _emblem(x: int, y: int, kind: str, look: int, theme: Theme, *, is_lost: bool = False) -> str:
    edge = _PALETTE.line("ink", theme, 4) | {"stroke_dasharray": "9 6" if is_lost else None}
    shape = tag("path", d=_EMBLEMS[kind], fill=fill_for(look)) + tag("path", d=_EMBLEMS[kind], **edge)
    letter = label(0, 14, kind, 38, text_anchor="middle", font_weight="bold", fill=OWNERS[look].ink)
    return tag("g", shape, letter, transform=f"translate({x} {y})")


_DASHES: Final = {"move": None, "support": "22 16", "convoy": "6 16"}
_HEAD: Final = 46
"""How long the head of an arrow is."""


def _arrow(sheet: Sheet, start: Point, order: Mapping[str, str]) -> str:
    """An order of the viewer, from the unit to before the place that it moves to or helps into."""
    aim = order["aim"]
    (x, y), (to_x, to_y) = start, shapes.UNITS.get(aim, shapes.UNITS[province_of(aim)])
    long = max(isqrt((to_x - x) ** 2 + (to_y - y) ** 2), 1)
    back = min(_BEFORE, long // 3)
    end_x, end_y = to_x - (to_x - x) * back // long, to_y - (to_y - y) * back // long
    along, across = ((to_x - x) * _HEAD // long, (to_y - y) * _HEAD // long), _HEAD // 2
    left = (end_x - along[0] - along[1] * across // _HEAD, end_y - along[1] + along[0] * across // _HEAD)
    right = (end_x - along[0] + along[1] * across // _HEAD, end_y - along[1] - along[0] * across // _HEAD)
    shaft = f"M{x} {y}L{end_x - along[0] // 2} {end_y - along[1] // 2}"
    head = f"M{end_x} {end_y}L{left[0]} {left[1]}L{right[0]} {right[1]}Z"
    dashes = {"stroke_dasharray": _DASHES[order["sort"]]}
    return tag(
        "g",
        tag("path", d=shaft, stroke_opacity=".8", **_PALETTE.line("paper", sheet.theme, 20)),
        tag("path", d=shaft, **_PALETTE.line("ink", sheet.theme, 11) | dashes),
        tag("path", d=head, **_PALETTE.fill("ink", sheet.theme)),
        pointer_events="none",
    )


_BEFORE: Final = 34
"""How far the tip of an arrow is from the middle of a unit."""


# --- the legend

_KEY_LINE: Final = 70
_KEYS: Final = ("army", "fleet", "lost_army", "owned_centre", "free", "land", "sea", "wild")
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
    ground = _PALETTE.fill("water" if name == "sea" else name, theme)
    where: dict[str, Value] = {"x": x - 32, "y": y - 24, "width": 64, "height": 48, "rx": 8}
    hatched = tag("rect", fill="url(#wild)", **where) if name == "wild" else ""
    return tag("rect", **where, **ground) + hatched + tag("rect", **where, **_PALETTE.line("line", theme, 4))


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
