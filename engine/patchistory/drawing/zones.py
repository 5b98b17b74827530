"""What lies on the table, zone by zone: territories, what is on offer, levels, routes, what the signs mean."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from engine.kernel.drawing import Sheet
from engine.kernel.languages import Language
from engine.kernel.pictures import LEGIBLE, Theme, Value, paint, tag
from engine.kernel.rules import View
from engine.patchistory.catalogue import ALLIED_TRACK, GOODS, LEVELS, MAIN_TRACK, PREPARATION, SIDES, WAR_SPACE, WORKERS
from engine.patchistory.drawing.look import NAMED, PALETTE, SIGNS, disc, say, sign, symbols, text
from engine.patchistory.drawing.squares import SIDE, Ground, cells, differing, drawn, face_cells, size
from engine.patchistory.figures import NAMES

HEAD: Final = 70
"""How high the heading of a zone is."""
ROW: Final = 112
STEP: Final = 138
COLUMN: Final = 88
FIGURES: Final = (*LEVELS, *GOODS)
PER_ROW: Final = 3
"""Tiles on offer beside each other."""
GAP: Final = 30

Draw = Callable[[Sheet, int, int], Iterator[str]]


@dataclass(frozen=True)
class Zone:
    """A part of the table: its name, how high it is, and how it is drawn below a point."""

    name: str
    high: int
    draw: Draw


def zones(view: View) -> Iterator[Zone]:
    """One's own territory first, then what all look at, then those of the others."""
    order = turned(view)
    yield _territory(view, order[0])
    yield Zone("levels", HEAD + ROW * (len(order) + 1), _levels)
    shown = tuple(_faces(view))
    if shown:
        rows = (len(shown) + PER_ROW - 1) // PER_ROW
        yield Zone("offer", HEAD + rows * (2 * SIDE + 90), _offer)
    if view["routes"]:
        yield Zone("routes", HEAD + len(view["routes"]) * 160, _routes)
    yield from (_territory(view, seat) for seat in order[1:])


def turned(view: View) -> tuple[str, ...]:
    """The players from the viewer on; in turn order for everybody else."""
    order = tuple(view["order"])
    own = order.index(view["seat"]) if view["seat"] in order else 0
    return order[own:] + order[:own]


def colour(view: View, seat: str) -> str:
    """The colour of a player's workers."""
    return str(view["powers"][seat]["colour"])


def called(view: View, seat: str, language: Language) -> str:
    """What a player is called."""
    return NAMES.words[colour(view, seat)].printed(language)


def letter(view: View, seat: str, language: Language) -> str:
    """What stands on a player's workers."""
    return called(view, seat, language)[0]


def _heading(x: int, y: int, said: str, theme: Theme, look: str = "") -> Iterator[str]:
    if look:
        yield tag("rect", x=x, y=y + 12, width=44, height=44, rx=8, fill=paint(NAMES.looks[look]), stroke="#000000")
    yield text(x + 58 * bool(look), y + 48, said, theme, font_weight="bold")


# --- territories


def _territory(view: View, seat: str) -> Zone:
    _, high = size(view["powers"][seat]["territory"])

    def draw(sheet: Sheet, x: int, y: int) -> Iterator[str]:
        yield from _shown_territory(sheet, seat, x, y)

    return Zone(colour(view, seat), HEAD + max(1, high) * SIDE + 20, draw)


def _shown_territory(sheet: Sheet, seat: str, x: int, y: int) -> Iterator[str]:
    view, language, theme = sheet.view, sheet.language, sheet.theme
    shown, player = sheet.preview or view, view["powers"][seat]
    yield from _heading(x, y, called(view, seat, language), theme, player["colour"])
    line, _ = symbols(player["stock"], x + 320, y + 36, theme)
    yield line
    found = cells(shown["powers"][seat]["territory"])
    yield from drawn(
        found,
        Ground(
            x + 2,
            y + HEAD,
            language,
            theme,
            player["colour"],
            letter(view, seat, language),
            differing(sheet.since, view, seat),
            differing(view, sheet.preview, seat) if sheet.preview is not None else frozenset(),
            sheet.live,
            found[0].names[0] if found and seat == turned(view)[0] else "",
        ),
    )


# --- the offer


@dataclass(frozen=True)
class Face:
    """A side of a tile that lies on the table, and what is written over it."""

    lot: str
    tile: str
    side: str
    seat: str = ""
    money: int = 0


def _faces(view: View) -> Iterator[Face]:
    """Tiles on offer with the bids on them, then those that were won and are to be placed."""
    for lot in view["offer"]:
        for side in (lot["side"],) if lot["side"] else SIDES:
            yield Face(lot["lot"], lot["tile"], side, lot["leader"] or "", lot["money"])
    for seat in view["order"]:
        won = view["powers"][seat]["won"]
        if won:
            for side in (won["side"],) if won["side"] else SIDES:
                yield Face(won["lot"], won["tile"], side, seat)


def _offer(sheet: Sheet, x: int, y: int) -> Iterator[str]:
    yield from _heading(x, y, say(sheet.language, "offer"), sheet.theme)
    for n, face in enumerate(_faces(sheet.view)):
        left = x + (n % PER_ROW) * (2 * SIDE + GAP) + 2
        top = y + HEAD + (n // PER_ROW) * (2 * SIDE + 90)
        yield from _lot(sheet, face, left, top)


def _lot(sheet: Sheet, face: Face, x: int, y: int) -> Iterator[str]:
    """A tile under its letter, with the bid that leads."""
    said = say(sheet.language, "lot", lot=face.lot)
    named: dict[str, Value] = {"data_lot": face.lot, "class_": "lot"}
    if sheet.live and not face.money and not face.seat:
        named |= {"data_name": face.lot, "role": "button", "aria_label": said, "tabindex": -1}
    ground = Ground(x, y + 60, sheet.language, sheet.theme)
    yield tag("g", text(x + 4, y + 46, said, sheet.theme, font_weight="bold"), **named)
    if face.seat:
        look = colour(sheet.view, face.seat)
        yield disc(x + 210, y + 32, look, letter(sheet.view, face.seat, sheet.language))
    if face.money:
        line, _ = symbols({"money": face.money}, x + 244, y + 32, sheet.theme)
        yield line
    yield from drawn(face_cells(face.tile, face.side), ground)


# --- levels


def _levels(sheet: Sheet, x: int, y: int) -> Iterator[str]:
    """Levels and production of everybody, and below them the People track."""
    view, language, theme = sheet.view, sheet.language, sheet.theme
    yield from _heading(x, y, course(view, language), theme)
    for n, name in enumerate((*FIGURES, "vote")):
        yield sign(name, x + 330 + n * COLUMN, y + HEAD + 40, theme, "soft")
    for n, seat in enumerate(turned(view), 1):
        yield from _line(sheet, seat, x, y + HEAD + n * ROW - 20)


def _line(sheet: Sheet, seat: str, x: int, y: int) -> Iterator[str]:
    view, theme = sheet.view, sheet.theme
    player = view["powers"][seat]
    yield tag("path", d=f"M{x} {y}h{LEGIBLE}", **PALETTE.line("faint", theme, 3))
    yield disc(x + 30, y + 36, player["colour"], letter(view, seat, sheet.language))
    star = " ★" if seat == view["first"] else ""
    yield text(x + 70, y + 48, called(view, seat, sheet.language) + star, theme, font_weight="bold")
    for n, name in enumerate((*FIGURES, "vote")):
        now = _figure(player, name)
        at = x + 330 + n * COLUMN
        yield text(at, y + 48, str(now), theme, text_anchor="middle", **_bold(sheet, seat, name, now))
    track = player["track"]
    for n in range(WORKERS):
        yield sign("worker", x + 60 + n * 44, y + 82, theme, "ink" if n < track else "unused")
    said = say(sheet.language, "upkeep", workers=player["workers"], food=player["upkeep"])
    yield text(x + 440, y + 94, said, theme, "soft")


def _bold(sheet: Sheet, seat: str, name: str, now: int) -> dict[str, Value]:
    """A figure that has changed since is in the colour of changes, and bold."""
    then = sheet.since["powers"].get(seat) if sheet.since is not None else None
    if then is None or _figure(then, name) == now:
        return {}
    return {"font_weight": "bold", **PALETTE.fill("changed", sheet.theme)}


def _figure(player: Mapping[str, Any], name: str) -> int:
    return int(player["levels"][name] if name in LEVELS else player["production"][name])


def course(view: View, language: Language) -> str:
    """Era, round and phase."""
    phase = say(language, f"phase_{view['phase']}")
    return say(language, "course", era="I" * view["era"], round=view["round"], phase=phase) if view["turn"] else phase


# --- routes


def _routes(sheet: Sheet, x: int, y: int) -> Iterator[str]:
    yield from _heading(x, y, say(sheet.language, "routes"), sheet.theme)
    for n, route in enumerate(sheet.view["routes"]):
        yield from _route(sheet, route, x, y + HEAD + n * 160)


def _route(sheet: Sheet, route: Mapping[str, Any], x: int, y: int) -> Iterator[str]:
    """Its number and ends, then its spaces from the start on, with those who stand there."""
    view, language, theme = sheet.view, sheet.language, sheet.theme
    start, end = (called(view, route[side], language) for side in ("start", "end"))
    said = say(language, "allied" if route["allied"] else "main", number=route["number"], start=start, end=end)
    said += f", {say(language, 'at_war')}" if route["war"] else ""
    changed = sheet.since is not None and route not in sheet.since["routes"]
    yield text(x + 8, y + 40, said, theme, "changed" if changed else "ink", font_weight="bold" if changed else None)
    track = ALLIED_TRACK if route["allied"] else MAIN_TRACK
    for n, goods in enumerate(track):
        at = x + 60 + n * STEP
        wide = {"stroke_dasharray": "14 8"} if route["allied"] else {}
        yield tag("circle", cx=at, cy=y + 98, r=46, **PALETTE.line("line", theme, 5), **wide)
        yield from _space(route, n, goods, at, y + 98, theme)
    if not route["allied"]:
        yield tag("rect", x=x + 14 + len(track) * STEP, y=y + 52, width=92, height=92, **PALETTE.line("line", theme, 5))
        yield sign("rest", x + 60 + len(track) * STEP, y + 98, theme, "soft")
    for seat, spot in route["spots"].items():
        place = len(track) if seat in route["rests"] else len(track) - 1 - spot if _far(route, seat) else spot
        yield disc(x + 60 + place * STEP, y + 98, colour(view, seat), letter(view, seat, language))


def _far(route: Mapping[str, Any], seat: str) -> bool:
    return bool(route["allied"] and seat == route["end"])


def _space(route: Mapping[str, Any], n: int, goods: Mapping[str, int], x: int, y: int, theme: Theme) -> Iterator[str]:
    if goods:
        line, _ = symbols(goods, x - 32, y, theme)
        yield line
    elif not route["allied"] and n in (PREPARATION, WAR_SPACE):
        yield sign("preparation" if n == PREPARATION else "military", x, y, theme, "soft")
    elif not n:
        yield sign("transport", x, y, theme, "soft")


# --- what the signs mean

_COLUMNS: Final = 4
LEGEND: Final = HEAD + (len(SIGNS) + 3 + _COLUMNS - 1) // _COLUMNS * 60 + 60


def legend(sheet: Sheet, x: int, y: int) -> Iterator[str]:
    """Each sign with its word, the gold frame, the marks; and that most of this is reconstructed."""
    language, theme = sheet.language, sheet.theme
    yield from _heading(x, y, say(language, "legend"), theme)
    words = [*((name, name) for name in SIGNS), ("", "frame"), ("", "changed"), ("", "intended")]
    for n, (name, word) in enumerate(words):
        left, top = x + 30 + n % _COLUMNS * 580, y + HEAD + 40 + n // _COLUMNS * 60
        if name:
            yield sign(name, left, top, theme)
        else:
            look = PALETTE.line("gold" if word == "frame" else word, theme, 6)
            dash = "10 6" if word == "intended" else None
            yield tag("rect", x=left - 18, y=top - 18, width=36, height=36, stroke_dasharray=dash, **look)
        said = NAMED[name].printed(language) if name in NAMED else say(language, f"sign_{word}")
        yield text(left + 34, top + 12, said, theme)
    yield text(x + 8, y + LEGEND - 20, say(language, "rebuilt"), theme, "soft", font_style="italic")
