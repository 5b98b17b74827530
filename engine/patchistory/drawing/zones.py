"""The zones of the table: territories, levels, the viewer's hand, the offer, routes, the legend."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from engine.kernel.catalogues import Words
from engine.kernel.drawing import Sheet, join_words, with_heading
from engine.kernel.languages import Language
from engine.kernel.pictures import LEGIBLE, Theme, tag
from engine.kernel.rules import View
from engine.kernel.text_layout import text_width
from engine.kernel.zones import Board, Item, Zone
from engine.patchistory.catalogue import (
    ALLIED_TRACK,
    GOODS,
    LEVELS,
    MAIN_TRACK,
    PREPARATION,
    PROSPERITY,
    ROOMS,
    SIDES,
    VOTE,
    WAR_SPACE,
    WORDS,
    WORKERS,
)
from engine.patchistory.drawing.look import NAMED, PALETTE, PEN, SIGNS, SIZE, disc, say, sign, symbols, text
from engine.patchistory.drawing.squares import SIDE, Cell, Ground, cells, face_cells, given, in_words, items, shown
from engine.patchistory.drawing.squares import size as size_of
from engine.patchistory.drawing.squares import under as ground_of
from engine.patchistory.figures import NAMES

OWN: Final = 1000
"""The weight of the viewer's own territory, which comes first but in an auction."""
ROW: Final = 112
TRACK: Final = 160
STEP: Final = 138
COLUMN: Final = 88
FIGURES: Final = (*LEVELS, *GOODS, VOTE)
PER_ROW: Final = 3
"""The number of offered tiles in a row."""
LOT: Final = (2 * SIDE + 30, 2 * SIDE + 90)
"""The space for a tile on offer."""
_SIGNS_A_ROW: Final = 2
_MARKS: Final = ("frame", "changed", "intended")


def zones(sheet: Sheet) -> Iterator[Zone]:
    """Yield the viewer's territory first, then common zones, then the other territories."""
    order = turned(sheet.view)
    yield _territory(sheet, order[0])
    yield _levels(sheet, order)
    if sheet.view["seat"] in order:
        yield _hand(sheet)
    yield _offer(sheet)
    yield _routes(sheet)
    yield from (_territory(sheet, seat) for seat in order[1:])
    yield _legend(sheet)


def turned(view: View) -> tuple[str, ...]:
    """Return the players from the viewer on; for other viewers in turn order."""
    order = tuple(view["order"])
    own = order.index(view["seat"]) if view["seat"] in order else 0
    return order[own:] + order[:own]


def colour(view: View, seat: str) -> str:
    """Return the colour of a player's workers."""
    return str(view["powers"][seat]["colour"])


def called(view: View, seat: str, language: Language) -> str:
    """Return the name of a player."""
    return NAMES.words[colour(view, seat)].printed(language)


def letter(view: View, seat: str, language: Language) -> str:
    """Return the letter on a player's workers."""
    return called(view, seat, language)[0]


def part(name: str) -> Words:
    """Return the title of a zone."""
    return WORDS(f"parts.{name}")


# --- territories


def _territory(sheet: Sheet, seat: str) -> Zone:
    view, look = sheet.view, colour(sheet.view, seat)
    found = cells(view["powers"][seat]["territory"])
    ground = Ground(sheet.language, sheet.theme, look, letter(view, seat, sheet.language))
    return Zone(
        look,
        part(look),
        size_of(found),
        tuple(items(found, ground)),
        partial(ground_of, found, sheet.theme),
        weight=OWN * (seat == view["seat"]),
        owner=NAMES.looks[look],
        owner_text="" if seat == view["seat"] else called(view, seat, sheet.language),
    )


# --- levels


def _levels(sheet: Sheet, order: tuple[str, ...]) -> Zone:
    """Return the zone of all players' levels and production, with the People tracks."""
    course_now = course(sheet.view, sheet.language)
    lines = tuple(_line(sheet, seat, 130 + n * ROW) for n, seat in enumerate(order))

    def head() -> str:
        signs = (sign(name, 330 + n * COLUMN, 90, sheet.theme) for n, name in enumerate(FIGURES))
        return "".join((text(4, 40, course_now, sheet.theme, "soft"), *signs))

    return Zone("levels", part("levels"), (LEGIBLE, 130 + ROW * len(order)), lines, head, (f"{course_now}.",))


def _line(sheet: Sheet, seat: str, y: int) -> Item:
    view, language = sheet.view, sheet.language
    player = view["powers"][seat]
    first = say(language, "first") if seat == view["first"] else ""
    keep = say(language, "upkeep", workers=player["workers"], food=player["upkeep"])
    figures = {name: figure(player, name) for name in FIGURES}

    def drawn() -> str:
        return "".join(_lined(sheet, seat, y, tuple(figures.values()), keep))

    names = ", ".join(f"{NAMED[name].printed(language)} {n}" for name, n in figures.items())
    said = ", ".join(filter(None, (called(view, seat, language), first, names, keep)))
    return Item(seat, said, (0, y, LEGIBLE, ROW), drawn, called(view, seat, language))


def _lined(sheet: Sheet, seat: str, y: int, figures: tuple[int, ...], keep: str) -> Iterator[str]:
    view, language, theme = sheet.view, sheet.language, sheet.theme
    player, name = view["powers"][seat], called(view, seat, language)
    yield tag("path", d=f"M0 {y}h{LEGIBLE}", **PALETTE.line("faint", theme, 3))
    yield disc(30, y + 36, player["colour"], letter(view, seat, language))
    yield text(70, y + 48, name, theme, font_weight="bold")
    if seat == view["first"]:
        yield sign("first", 96 + text_width(name, SIZE), y + 36, theme)
    for n, one in enumerate(figures):
        yield text(330 + n * COLUMN, y + 48, str(one), theme, text_anchor="middle")
    yield from _people(player["track"], y + 82, theme)
    yield text(440, y + 94, keep, theme, "soft")


def _people(track: int, y: int, theme: Theme) -> Iterator[str]:
    """Yield the People track; workers in play have left their places."""
    return (sign("worker", 60 + n * 44, y, theme, "ink" if n < track else "unused") for n in range(WORKERS))


def figure(player: Mapping[str, Any], name: str) -> int:
    """Return a level, or the production of a good."""
    return int(player["levels"][name] if name in LEVELS else player["production"][name])


def course(view: View, language: Language) -> str:
    """Return era, round and phase in words."""
    phase = say(language, f"phase_{view['phase']}")
    return say(language, "course", era="I" * view["era"], round=view["round"], phase=phase) if view["turn"] else phase


# --- the viewer's hand


def _hand(sheet: Sheet) -> Zone:
    """Return the zone behind the viewer's screen: goods, building tiles, prosperity cards."""
    player, language = sheet.view["powers"][sheet.view["seat"]], sheet.language
    goods = player["stock"]
    stock = Item("stock", given(goods, language) or "0", (0, 0, LEGIBLE, 56), partial(_row, goods, sheet.theme))
    buildings = [Cell(((0, n),), ROOMS[place["room"]]) for n, place in enumerate(player["buildings"])]
    tiles = (
        Item(
            f"building {n}",
            in_words(cell, language),
            (n * SIDE, 60, SIDE, SIDE),
            partial(shown, (cell,), Ground(language, sheet.theme), 0, 60),
            cell.room.words.printed(language),
        )
        for n, cell in enumerate(buildings)
    )
    cards = (
        Item(card, said, (0, 236 + n * 48, LEGIBLE, 48), partial(text, 10, 272 + n * 48, said, sheet.theme), said)
        for n, card in enumerate(player["cards"])
        for said in (PROSPERITY[card].words.printed(language),)
    )
    high = 240 + 48 * max(1, len(player["cards"]))
    return Zone("hand", part("hand"), (LEGIBLE, high), (stock, *tiles, *cards), owner_text="", aside=True)


def _row(found: Mapping[str, int], theme: Theme) -> str:
    """Return each good with its amount, including zeros."""
    return "".join(
        sign(name, 24 + n * 190, 26, theme) + text(50 + n * 190, 38, str(amount), theme, font_weight="bold")
        for n, (name, amount) in enumerate(found.items())
    )


# --- the offer


@dataclass(frozen=True)
class Face:
    """A side of a tile on the table, with the text above it. `both`: the other side is shown too."""

    lot: str
    tile: str
    side: str
    both: bool
    seat: str = ""
    money: int = 0


def _faces(view: View) -> Iterator[Face]:
    """Yield tiles on offer with their bids, then won tiles to be placed."""
    for lot in view["offer"]:
        for side in (lot["side"],) if lot["side"] else SIDES:
            yield Face(lot["lot"], lot["tile"], side, not lot["side"], lot["leader"] or "", lot["money"])
    for seat in view["order"]:
        won = view["powers"][seat]["won"]
        if won:
            for side in (won["side"],) if won["side"] else SIDES:
                yield Face(won["lot"], won["tile"], side, not won["side"], seat)


def _offer(sheet: Sheet) -> Zone:
    found = tuple(_lot(sheet, n, face) for n, face in enumerate(_faces(sheet.view)))
    rows = max(1, (len(found) + PER_ROW - 1) // PER_ROW)
    nothing = "" if found else text(10, 48, say(sheet.language, "no_offer"), sheet.theme, "soft")
    high = rows * LOT[1] if found else 80
    return Zone("offer", part("offer"), (LEGIBLE, high), found, nothing, weight=_concern(sheet.view))


def _concern(view: View) -> int:
    """Return how much the tiles concern the viewer: in the auction above all, then while theirs is to be placed."""
    own = view["powers"].get(view["seat"])
    if own is None:
        return 0
    return 2 * OWN if view["offer"] else OWN if own["won"] else 0


def _lot(sheet: Sheet, n: int, face: Face) -> Item:
    """Return a tile under its letter, with the leading bid or its winner."""
    language, (x, y) = sheet.language, (n % PER_ROW * LOT[0] + 2, n // PER_ROW * LOT[1])
    said = [_letter_of(face, language)]
    said += [called(sheet.view, face.seat, language)] if face.seat else []
    said += [given({"money": face.money}, language)] if face.money else []
    found = face_cells(face.tile, face.side)
    words = with_heading(", ".join(said), join_words((in_words(cell, language) for cell in found), language), language)

    def drawn() -> str:
        return "".join(_faced(sheet, face, found, x, y))

    return Item(f"{face.lot} {face.side}", words, (x, y, 2 * SIDE, LOT[1] - 20), drawn, face.lot)


def _letter_of(face: Face, language: Language) -> str:
    """Return the letter of a tile, and the colour of its side where both are shown."""
    lot = say(language, "lot", lot=face.lot)
    return f"{lot}, {WORDS(f'choices.side.{face.side}').printed(language).lower()}" if face.both else lot


def _faced(sheet: Sheet, face: Face, found: tuple[Cell, ...], x: int, y: int) -> Iterator[str]:
    view, language, theme = sheet.view, sheet.language, sheet.theme
    yield text(x + 4, y + 46, _letter_of(face, language), theme, font_weight="bold")
    if face.seat:
        yield disc(x + (300 if face.both else 210), y + 32, colour(view, face.seat), letter(view, face.seat, language))
    if face.money:
        yield symbols({"money": face.money}, x + 244, y + 32, theme)[0]
    yield shown(found, Ground(language, theme), x, y + 60)


# --- routes


def _routes(sheet: Sheet) -> Zone:
    found = tuple(_route(sheet, route, n * TRACK) for n, route in enumerate(sheet.view["routes"]))
    nothing = "" if found else text(10, 48, say(sheet.language, "no_route"), sheet.theme, "soft")
    return Zone("routes", part("routes"), (LEGIBLE, max(80, len(found) * TRACK)), found, nothing)


def _route(sheet: Sheet, route: Mapping[str, Any], y: int) -> Item:
    """Return a route: its number and ends, then its spaces from the start, with workers."""
    view, language = sheet.view, sheet.language
    start, end = (called(view, route[side], language) for side in ("start", "end"))
    title = say(language, "allied" if route["allied"] else "main", number=route["number"], start=start, end=end)
    title += f", {say(language, 'at_war')}" if route["war"] else ""
    track = ALLIED_TRACK if route["allied"] else MAIN_TRACK
    said = [title]
    for seat, spot in route["spots"].items():
        stands = say(language, "sign_rest") if seat in route["rests"] else say(language, "space", n=spot)
        said.append(f"{called(view, seat, language)} {stands}")
    name = WORDS("choices.route").formatted(n=route["number"]).printed(language)

    def drawn() -> str:
        pieces = _stood(sheet, route, len(track), y + 98)
        return "".join((text(8, y + 40, title, sheet.theme), *_track(route, track, y + 98, sheet.theme), *pieces))

    return Item(str(route["number"]), ", ".join(said), (0, y, LEGIBLE, TRACK), drawn, name)


def _stood(sheet: Sheet, route: Mapping[str, Any], length: int, y: int) -> Iterator[str]:
    """Yield the workers on a route."""
    for seat, spot in route["spots"].items():
        place = length - 1 - spot if _far(route, seat) else spot
        if seat in route["rests"]:
            place = length
        yield disc(60 + place * STEP, y, colour(sheet.view, seat), letter(sheet.view, seat, sheet.language))


def _far(route: Mapping[str, Any], seat: str) -> bool:
    return bool(route["allied"] and seat == route["end"])


def _track(route: Mapping[str, Any], track: Iterable[Mapping[str, int]], y: int, theme: Theme) -> Iterator[str]:
    line, n = PALETTE.line("line", theme, 5), 0
    for n, goods in enumerate(track):
        at = 60 + n * STEP
        yield tag("circle", cx=at, cy=y, r=46, stroke_dasharray="14 8" if route["allied"] else None, **line)
        if goods:
            yield symbols(goods, at - 32, y, theme)[0]
        elif not n:
            yield sign("transport", at, y, theme, "soft")
        elif not route["allied"] and n in (PREPARATION, WAR_SPACE):
            yield sign("preparation" if n == PREPARATION else "military", at, y, theme, "soft")
    if not route["allied"]:
        yield tag("rect", x=14 + (n + 1) * STEP, y=y - 46, width=92, height=92, **line)
        yield sign("rest", 60 + (n + 1) * STEP, y, theme, "soft")


# --- the legend


def _legend(sheet: Sheet) -> Zone:
    """Return the zone of signs with their words, the gold frame, the marks, and the note on reconstruction."""
    rows, rebuilt = -(-(len(SIGNS) + len(_MARKS)) // _SIGNS_A_ROW), say(sheet.language, "rebuilt")

    def under() -> str:
        lines = enumerate(PEN.fit_text(rebuilt, LEGIBLE - 20, 2))
        said = (text(8, 70 + rows * 56 + 40 * n, line, sheet.theme, "soft") for n, line in lines)
        return "".join((*_explained(sheet), *said))

    return Zone("legend", part("legend"), (LEGIBLE, 130 + rows * 56), (), under, (f"{rebuilt}.",), aside=True)


def _explained(sheet: Sheet) -> Iterator[str]:
    language, theme = sheet.language, sheet.theme
    for n, (name, word) in enumerate((*((name, name) for name in SIGNS), *(("", mark) for mark in _MARKS))):
        x, y = 30 + n % _SIGNS_A_ROW * 580, 40 + n // _SIGNS_A_ROW * 56
        if name:
            yield sign(name, x, y, theme)
        else:
            look, dash = PALETTE.line("gold" if word == "frame" else word, theme, 6), "10 6" * (word == "intended")
            yield tag("rect", x=x - 18, y=y - 18, width=36, height=36, stroke_dasharray=dash or None, **look)
        said = NAMED[name].printed(language) if name in NAMED else say(language, f"sign_{word}")
        yield text(x + 34, y + 12, said, theme)


def _title(view: View, language: Language) -> str:
    return say(language, "title", course=course(view, language))


BOARD: Final = Board(
    PALETTE,
    lambda sheet: tuple(zones(sheet)),
    _title,
    lambda view: (NAMES.looks[player["colour"]] for player in view["powers"].values()),
    PEN.definitions(),
)
