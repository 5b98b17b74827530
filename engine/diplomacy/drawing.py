"""A plain board: every province a field at its place in Europe, lines between those that units pass between.

It shows no coasts; what stands where, who owns which centre and what touches what can be read from it.
"""

from collections.abc import Iterator, Mapping
from math import isqrt
from typing import Any, Final

from engine.diplomacy.board import Board as Position
from engine.diplomacy.catalogue import ARMY, POWERS, PROVINCES, SEA, WORDS, places_of, province_of, reach
from engine.diplomacy.views import NAMES
from engine.kernel.drawing import COLOURS, Captions, Sheet
from engine.kernel.languages import Language
from engine.kernel.movements import Piece, Placed, Spot
from engine.kernel.pictures import LEGIBLE, OWNERS, Palette, Theme, Value, fill_for, label, tag
from engine.kernel.rules import View
from engine.kernel.viewers import Viewer
from engine.kernel.zones import LEGEND, Board, Item, Zone

EUROPE: Final = "europe"
WIDE, HIGH = 150, 118
"""The size of a field."""
_WEST, _NORTH, _MARGIN = -150, 720, 90
_ACROSS, _DOWN = 64, 98
"""How far a tenth of a degree is, in tenths of a unit: degrees of latitude are longer on a map of Europe."""
_MOVED: Final = {"CLY": (-50, -10), "EDI": (30, 0), "LVP": (-60, 0), "YOR": (40, 0), "APU": (30, -20), "NAP": (-30, 30)}
"""Fields beside their place, where several are close to each other."""
_UNIT: Final = 54
_PALETTE: Final = Palette({**COLOURS, "land": ("#e7dfc8", "#3a3529")})
_SAYS: Final = Captions(WORDS.section("picture"))


def _place(p: str) -> tuple[int, int]:
    """Return the middle of a field."""
    (lon, lat), (right, down) = PROVINCES[p].at, _MOVED.get(p, (0, 0))
    return (lon - _WEST) * _ACROSS // 10 + _MARGIN + right, (_NORTH - lat) * _DOWN // 10 + _MARGIN + down


MIDDLES: Final[Mapping[str, tuple[int, int]]] = {p: _place(p) for p in PROVINCES}
SIZE: Final = tuple(max(middle[n] for middle in MIDDLES.values()) + _MARGIN for n in (0, 1))


def _ways() -> Iterator[tuple[str, str]]:
    """Yield the pairs of provinces between which some unit passes."""
    for p in PROVINCES:
        near = reach(ARMY, p).union(*(reach("F", place) for place in places_of(p)))
        yield from ((p, q) for q in sorted(map(province_of, near)) if p < q)


_WAYS: Final = tuple(dict.fromkeys(_ways()))


def _zones(sheet: Sheet) -> Iterator[Zone]:
    units = {province_of(unit["place"]): unit for unit in sheet.view["units"]}
    lost = {province_of(unit["place"]): unit for unit in sheet.view["dislodged"]}
    items = [_field(sheet, p) for p in PROVINCES]
    items += [_unit(sheet, p, unit, is_lost=False) for p, unit in units.items()]
    items += [_unit(sheet, p, unit, is_lost=True) for p, unit in lost.items()]
    yield Zone(EUROPE, WORDS("picture.europe"), (SIZE[0], SIZE[1]), items, caption=lambda: _draw_ways(sheet))
    size = (LEGIBLE, _KEY_LINE * len(_SIGNS) + 30)
    yield Zone(LEGEND, WORDS("picture.legend"), size, caption=lambda: _explain(sheet), aside=True)


_KEY_LINE: Final = 84
_SIGNS: Final = ("army", "fleet", "lost_army", "owned_centre", "free", "land", "sea", "way")
"""What the legend explains, in the words of the picture."""


def _explain(sheet: Sheet) -> str:
    ink = _PALETTE.fill("ink", sheet.theme)
    drawn = ""
    for n, name in enumerate(_SIGNS):
        y = _KEY_LINE * n + 20
        drawn += _sign(name, 20, y, sheet.theme) + label(130, y + 42, _SAYS(sheet.language, name), 44, **ink)
    return drawn


def _sign(name: str, x: int, y: int, theme: Theme) -> str:
    edge, look = _PALETTE.line("ink", theme, 4), {"fill": fill_for(next(iter(NAMES.looks.values())))}
    match name:
        case "army" | "fleet" | "lost_army":
            dashes = {"stroke_dasharray": "8 6" if name == "lost_army" else None}
            rx = _UNIT // 2 if name == "fleet" else 6
            return _edged("rect", look, edge | dashes, x=x + 10, y=y, width=_UNIT, height=_UNIT, rx=rx)
        case "owned_centre" | "free":
            filled = look if name == "owned_centre" else _PALETTE.fill("paper", theme)
            return _edged("circle", filled, edge, cx=x + 37, cy=y + 27, r=18)
        case "way":
            return tag("path", d=f"M{x} {y + 27}h80", **_PALETTE.line("line", theme, 5))
    is_sea = name == "sea"
    ground, line = _PALETTE.fill("water" if is_sea else "land", theme), _PALETTE.line("line", theme, 4)
    return _edged("rect", ground, line, x=x, y=y, width=80, height=_UNIT, rx=24 if is_sea else 8)


def _draw_ways(sheet: Sheet) -> str:
    ends = ((*MIDDLES[p], *MIDDLES[q]) for p, q in _WAYS)
    path = "".join(f"M{x} {y}L{to_x} {to_y}" for x, y, to_x, to_y in ends)
    orders = "".join(_arrow(sheet, p, order) for p, order in sheet.view["orders"].items() if order["aim"])
    return tag("path", d=path, **_PALETTE.line("line", sheet.theme, 5)) + orders


_DASHES: Final = {"move": None, "support": "26 18", "convoy": "6 16"}


def _arrow(sheet: Sheet, p: str, order: Mapping[str, str]) -> str:
    """An order of the viewer, from the unit to before the field that it moves to or helps into."""
    (x, y), (to_x, to_y) = MIDDLES[p], MIDDLES[province_of(order["aim"])]
    long = max(isqrt((to_x - x) ** 2 + (to_y - y) ** 2), 1)
    back = min(_HEAD_BEFORE, long // 2)
    end_x, end_y = to_x - (to_x - x) * back // long, to_y - (to_y - y) * back // long
    along, across = ((to_x - x) * _HEAD // long, (to_y - y) * _HEAD // long), _HEAD // 2
    left = (end_x - along[0] - along[1] * across // _HEAD, end_y - along[1] + along[0] * across // _HEAD)
    right = (end_x - along[0] + along[1] * across // _HEAD, end_y - along[1] - along[0] * across // _HEAD)
    look = _PALETTE.line("ink", sheet.theme, 14) | {"stroke_dasharray": _DASHES[order["sort"]]}
    head = f"M{end_x} {end_y}L{left[0]} {left[1]}L{right[0]} {right[1]}Z"
    shaft = tag("path", d=f"M{x} {y}L{end_x - along[0] // 2} {end_y - along[1] // 2}", **look)
    return shaft + tag("path", d=head, **_PALETTE.fill("ink", sheet.theme))


_HEAD: Final = 56
_HEAD_BEFORE: Final = 92
"""How long the head of an arrow is, and how far its tip is from the middle of a field."""


def _power(power: str, language: Language) -> str:
    return POWERS[power].words.printed(language)


def _field(sheet: Sheet, p: str) -> Item:
    """A province: its letters, and a ring if it is a centre, in the colour of who owns it."""
    province, owner = PROVINCES[p], sheet.view["provinces"][p]["owner"]
    left, top = MIDDLES[p][0] - WIDE // 2, MIDDLES[p][1] - HIGH // 2
    is_sea = province.kind == SEA
    ground = _PALETTE.fill("water" if is_sea else "land", sheet.theme)
    edge = _PALETTE.line("coast" if is_sea else "line", sheet.theme, 4)
    drawn = _edged("rect", ground, edge, x=left, y=top, width=WIDE, height=HIGH, rx=46 if is_sea else 12)
    ink = _PALETTE.fill("ink", sheet.theme)
    drawn += label(left + WIDE // 2, top + HIGH - 10, p, 56, text_anchor="middle", **ink)
    said = f"{province.words.printed(sheet.language)} ({p})"
    if province.centre:
        filled = {"fill": fill_for(NAMES.looks[owner])} if owner else _PALETTE.fill("paper", sheet.theme)
        edge = _PALETTE.line("ink", sheet.theme, 4)
        drawn += _edged("circle", filled, edge, cx=left + WIDE - 30, cy=top + 30, r=18)
        word = "owned" if owner else "free"
        said += f", {_SAYS(sheet.language, word, power=_power(owner, sheet.language) if owner else '')}"
    return Item(p, said, (left, top, WIDE, HIGH), drawn, p)


def _edged(shape: str, filled: Mapping[str, Any], edge: Mapping[str, Any], **where: Value) -> str:
    """Return a shape that is filled, with its edge on top."""
    return tag(shape, **where, **filled) + tag(shape, **where, **edge)


def _unit(sheet: Sheet, p: str, unit: Mapping[str, Any], *, is_lost: bool) -> Item:
    """A unit in its field; a dislodged one beside it, with a dashed edge."""
    owner = NAMES.looks[unit["power"]]
    left, top = MIDDLES[p][0] - WIDE // 2 + 8 + is_lost * _UNIT, MIDDLES[p][1] - HIGH // 2 + 8
    rx = 6 if unit["kind"] == ARMY else _UNIT // 2
    edge = _PALETTE.line("ink", sheet.theme, 4) | {"stroke_dasharray": "8 6" if is_lost else None}
    shape = _edged("rect", {"fill": fill_for(owner)}, edge, x=left, y=top, width=_UNIT, height=_UNIT, rx=rx)
    letter = label(left + _UNIT // 2, top + 40, unit["kind"], 36, text_anchor="middle", fill=OWNERS[owner].ink)
    sort = _SAYS(sheet.language, ("lost_" if is_lost else "") + ("army" if unit["kind"] == ARMY else "fleet"))
    said = f"{_power(unit['power'], sheet.language)}: {sort} {unit['place']}"
    order = {} if is_lost else sheet.view["orders"].get(p, {})
    said += f" ({order['line']})" if order else ""
    key = f"{'lost' if is_lost else 'unit'} {p}"
    return Item(key, said, (left, top, _UNIT, _UNIT), shape + letter, f"{unit['kind']} {p}")


def _title(view: View, language: Language) -> str:
    season = WORDS(f"topics.{view['phase']}.name").printed(language).lower()
    return f"{WORDS('title').printed(language)}, {view['turn']}, {season}"


BOARD: Final = Board(
    _PALETTE, lambda sheet: tuple(_zones(sheet)), _title, lambda view: sorted(set(NAMES.looks.values()))
)


def placed(board: Position, viewer: Viewer) -> Iterator[Placed]:
    """Yield where the units stand; dislodged ones lie beside who dislodged them."""
    seats = {player.power: seat for seat, player in board.powers.items()}
    for p, unit in board.units.items():
        yield Spot(EUROPE, p), Piece(unit.kind, "", seats.get(unit.power, "")), 1
    for p, lost in board.dislodged.items():
        yield Spot(EUROPE, p), Piece(lost.unit.kind, "dislodged", seats.get(lost.unit.power, "")), 1
