"""The zones of the table: the viewer's ships and cards, the board, the rows, the other players, titles and decrees."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final

from engine.amalfi.board import Phase
from engine.amalfi.catalogue import DECREES, HANDS, RIVAL, RIVALS, SOLO, TITLES, WORDS
from engine.amalfi.drawing.benefits import GAP, counted, counted_words
from engine.amalfi.drawing.cards import (
    FIELD,
    HALF,
    LINE,
    SLOT,
    called,
    card,
    colour,
    fields,
    letter,
    lined,
    lines,
    nothing,
    roman,
    rows,
    short,
)
from engine.amalfi.drawing.look import (
    PALETTE,
    PEN,
    RIVAL_LOOK,
    SIGNS,
    chain,
    disc,
    extent,
    ground,
    look,
    say,
    sign,
    text,
)
from engine.amalfi.drawing.ships import LINE as FIGURES
from engine.amalfi.drawing.ships import MAT, head, line, mat
from engine.amalfi.figures import NAMES
from engine.kernel.catalogues import Words
from engine.kernel.drawing import Sheet
from engine.kernel.languages import Language
from engine.kernel.pictures import LEGIBLE, Theme, tag
from engine.kernel.rules import View
from engine.kernel.zones import Board, Item, Zone

OWN: Final = 1000
"""The weight of the viewer's own ships, which come first unless packets are chosen."""
ASKED: Final = 1
"""The weight of what an action can be about."""
TITLE: Final = 84
DECREE: Final = 64
EMPTY: Final = 80
_SIGNS_A_ROW: Final = 3
_MARKS: Final = ("changed", "intended")


def zones(sheet: Sheet) -> Iterator[Zone]:
    """Yield the viewer's own zones first, then common ones, then those of other players."""
    view = sheet.view
    order = turned(view)
    own = view["seat"] in order
    if own:
        yield _mat(sheet)
        yield from _choices(sheet)
        yield _hand(sheet)
    yield _places(sheet)
    yield from (_row(sheet, row) for row in ("atelier", "atlas", "council"))
    yield _players(sheet, order)
    if own:
        yield _goods(sheet, order[0], "goods", part("goods"))
    yield _aims(sheet)
    for seat in order[1:] if own else order:
        look = colour(view, seat)
        yield _goods(sheet, seat, look, part(look))
    if view["rival"]:
        yield _rival(sheet)
    yield from (_packet(sheet, hand) for hand in view["hands"])
    yield _legend(sheet)


def turned(view: View) -> tuple[str, ...]:
    """Return the players from the viewer on; for other viewers clockwise from the Compass."""
    order = tuple(view["order"])
    own = order.index(view["seat"]) if view["seat"] in order else 0
    return order[own:] + order[:own]


def part(name: str) -> Words:
    """Return the title of a zone."""
    return WORDS(f"parts.{name}")


def course(view: View, language: Language) -> str:
    """Return period, round and phase in words."""
    phase = say(language, f"phase_{view['phase']}")
    if not view["turn"]:
        return phase
    return say(language, "course", period=roman(view["turn"]), round=view["round"], phase=phase)


# --- the viewer's own


def _mat(sheet: Sheet) -> Zone:
    seat = sheet.view["seat"]
    look = NAMES.looks[colour(sheet.view, seat)]
    return Zone("own", part("own"), (LEGIBLE, MAT), tuple(mat(sheet, seat)), weight=OWN, owner=look)


def _choices(sheet: Sheet) -> Iterator[Zone]:
    """Yield the cards to choose from, if any."""
    player = sheet.view["powers"][sheet.view["seat"]]
    for name in ("packet", "aside"):
        if player[name]:
            found = tuple(lines(player[name], sheet))
            yield Zone(name, part(name), (LEGIBLE, LINE * len(found)), found, weight=OWN)


def _hand(sheet: Sheet) -> Zone:
    found = tuple(lines(sheet.view["powers"][sheet.view["seat"]]["cards"], sheet))
    return replace(_listed(sheet, "hand", part("hand"), LINE * len(found), found), aside=True)


def _listed(
    sheet: Sheet, name: str, words: Words, high: int, found: tuple[Item, ...], owner: int | None = None
) -> Zone:
    """Return a zone of items, or one with the text for none."""
    if found:
        return Zone(name, words, (LEGIBLE, high), found, owner=owner)
    said = say(sheet.language, "nothing")
    return Zone(name, words, (LEGIBLE, EMPTY), (), nothing(sheet), (f"{said[:1].upper()}{said[1:]}.",), owner=owner)


def _goods(sheet: Sheet, seat: str, name: str, words: Words) -> Zone:
    """Return the private destinations, characters and artworks of a player; the viewer's characters
    with their effects.
    """
    player: Mapping[str, Any] = sheet.view["powers"][seat]
    found = list(fields(player["destinations"], sheet))
    y = rows(len(found)) * FIELD
    people = [(one["card"], _state(one)) for one in player["invited"]]
    if seat == sheet.view["seat"]:
        for n, (person, state) in enumerate(people):
            found.append(lined(card(person, sheet.language), sheet, y + n * LINE, state=state))
        y += len(people) * LINE
    else:
        found += (short(p, sheet, n % 2 * HALF, y + n // 2 * LINE, state) for n, (p, state) in enumerate(people))
        y += rows(len(people)) * LINE
    works = player["artworks"]
    found += (short(work, sheet, n % 2 * HALF, y + n // 2 * LINE) for n, work in enumerate(works))
    y += rows(len(works)) * LINE
    return _listed(sheet, name, words, y, tuple(found), NAMES.looks[player["colour"]])


def _state(laid: Mapping[str, Any]) -> str:
    """Return the sign of an engaged character."""
    return "engaged" if laid["engaged"] else ""


# --- common zones


def _places(sheet: Sheet) -> Zone:
    found = tuple(fields(sheet.view["places"], sheet))
    return Zone("places", part("places"), (LEGIBLE, rows(len(found)) * FIELD), found, weight=_concern(sheet.view))


def _row(sheet: Sheet, row: str) -> Zone:
    """Return a row in the order of its slots, each after what the slot costs and gives."""
    view, language, theme = sheet.view, sheet.language, sheet.theme
    shown = view["rows"][row]
    kind, pays = ("bread", "extra_bread") if row == "council" else ("any", "extra_resources")
    found = tuple(lined(card(lot["card"], language), sheet, n * LINE, SLOT) for n, lot in enumerate(shown))
    high = LINE * len(shown) or EMPTY
    left = say(language, "deck", n=view["decks"][row])
    notes = [say(language, pays, list=", ".join(str(lot["pays"]) for lot in shown))] if shown else []
    notes += [say(language, "last_bread")] if any(lot["gains"] for lot in shown) else []

    def under() -> str:
        slots = (_slot(lot, kind, n * LINE, theme) for n, lot in enumerate(shown))
        return "".join((*slots, text(10, high + 38, left, theme, "soft") if shown else nothing(sheet)))

    weight = _concern(view)
    return Zone(row, part(row), (LEGIBLE, high + 50), found, under, (*notes, left), weight=weight)


def _concern(view: View) -> int:
    """Return how much destinations and rows concern the viewer, whose action may use any of them."""
    return ASKED if view["phase"] == Phase.ACTIONS and view["seat"] in view["order"] else 0


def _slot(lot: Mapping[str, Any], kind: str, y: int, theme: Theme) -> str:
    """Return what a slot costs, or the bread that it gives."""
    tokens = (f"+{lot['gains']}", "@bread") if lot["gains"] else ("0",)
    if lot["pays"]:
        tokens = (f"{'−' if kind == 'bread' else '+'}{lot['pays']}", f"@{kind}")
    return chain(tokens, (SLOT - extent(tokens)) // 2, y + LINE // 2, theme, "soft")


def _players(sheet: Sheet, order: tuple[str, ...]) -> Zone:
    """Return the figures of all players."""
    now = course(sheet.view, sheet.language)
    found = tuple(line(sheet, seat, 106 + n * FIGURES) for n, seat in enumerate(order))

    def under() -> str:
        return text(4, 34, now, sheet.theme, "soft") + tag("g", head(sheet.theme), transform="translate(0 50)")

    return Zone("players", part("players"), (LEGIBLE, 106 + FIGURES * len(order)), found, under, (f"{now}.",))


# --- titles and decrees


def _aims(sheet: Sheet) -> Zone:
    view = sheet.view
    titles = tuple(_title(sheet, one, n * TITLE) for n, one in enumerate(view["titles"]))
    top = TITLE * len(titles)
    decrees = tuple(_decree(sheet, n, one, top + n * DECREE) for n, one in enumerate(view["decrees"]))
    return _listed(sheet, "aims", part("aims"), top + DECREE * len(decrees), (*titles, *decrees))


def _title(sheet: Sheet, one: Mapping[str, Any], y: int) -> Item:
    """Return what a title needs, and its cells with the players who have earned it."""
    view, language, title = sheet.view, sheet.language, TITLES[one["title"]]
    name = title.words.printed(language)
    asked = ", ".join(f"{counted_words(what, language)} {n}" for what, n in title.needs.items())
    said = [say(language, "signs.title"), name, say(language, "needs", what=asked)]
    said.append(say(language, "cells", list=", ".join(map(str, one["points"]))))
    claims = zip(one["points"], one["claims"], strict=False)
    said += [say(language, "claim", n=n, who=called(view, seat, language)) for n, seat in claims]
    return Item(title.id, ", ".join(said), (0, y, LEGIBLE, TITLE), lambda: "".join(_titled(sheet, one, y)))


def _titled(sheet: Sheet, one: Mapping[str, Any], y: int) -> Iterator[str]:
    view, language, theme, title = sheet.view, sheet.language, sheet.theme, TITLES[one["title"]]
    yield ground(0, y, LEGIBLE, TITLE, "land", theme)
    yield sign("title", 34, y + 42, theme)
    yield text(62, y + 54, title.words.printed(language), theme, font_weight="bold")
    needs = [token for what, n in title.needs.items() for token in (str(n), *counted(what), GAP)]
    yield chain(needs, 330, y + 42, theme)
    for n, points in enumerate(one["points"]):
        x = 790 + n * 92
        yield tag("rect", x=x, y=y + 12, width=84, height=60, rx=6, **PALETTE.line("line", theme, 3))
        yield text(x + 42, y + 54, str(points), theme, text_anchor="middle")
        if n < len(one["claims"]):
            seat = one["claims"][n]
            yield disc(x + 42, y + 42, colour(view, seat), letter(view, seat, language))


def _decree(sheet: Sheet, n: int, one: Mapping[str, Any], y: int) -> Item:
    """Return the points of a period's decree, and those that the board adds."""
    language, decree = sheet.language, DECREES[one["decree"]]
    name, now, extra = decree.words.printed(language), sheet.view["turn"] == n + 1, one["extra"]
    said = [say(language, "decree", period=roman(n + 1), name=name), _points(decree.vp, language)]
    said += [say(language, "extra", what=_points(one["extra"], language))] if extra else []
    if one["over"] or now:
        said.append(say(language, "over" if one["over"] else "current"))
    return Item(decree.id, ", ".join(said), (0, y, LEGIBLE, DECREE), lambda: "".join(_decreed(sheet, n, one, y)))


def _decreed(sheet: Sheet, n: int, one: Mapping[str, Any], y: int) -> Iterator[str]:
    theme, decree, now = sheet.theme, DECREES[one["decree"]], sheet.view["turn"] == n + 1
    shade, name = "soft" if one["over"] else "ink", decree.words.printed(sheet.language)
    own, extra = (
        [token for what, points in each.items() for token in (*counted(what), str(points), GAP)]
        for each in (decree.vp, one["extra"])
    )
    colour = "end_game" if now else "land"
    yield ground(0, y, LEGIBLE, DECREE, "unused" if one["over"] else colour, theme)
    yield chain((roman(n + 1),), 12, y + 32, theme, shade)
    yield sign("decree", 90, y + 32, theme, shade)
    yield text(118, y + 44, name, theme, shade, font_weight="bold" if now else None)
    yield chain((*own, *(("+", GAP, *extra) if extra else ())), 400, y + 32, theme, shade)


def _points(each: Mapping[str, int], language: Language) -> str:
    return ", ".join(f"{counted_words(what, language)} +{n}" for what, n in each.items())


# --- the solo rival, packets, signs


def _rival(sheet: Sheet) -> Zone:
    """Return the rival's remaining ships and lighthouses, and the titles needed after each period."""
    view, language, theme = sheet.view, sheet.language, sheet.theme
    rival = RIVALS[view["rival"]]
    shown = (*view["places"], *(place for one in view["powers"].values() for place in one["destinations"]))
    ships = SOLO["ships"] - sum(place["dock"] == RIVAL for place in shown)
    lights = SOLO["lighthouses"] - view["rival_lights"]
    held = len(view["powers"][view["order"][0]]["titles"])
    asked = ", ".join(map(str, rival.titles))
    titles = [token for n, count in enumerate(rival.titles, 1) for token in (f"{roman(n)}≥{count}", GAP)]
    found = tuple(
        Item(key, said, (0, n * 64, LEGIBLE, 60), partial(chain, tokens, 8, n * 64 + 30, theme))
        for n, (key, tokens, said) in enumerate(
            (
                ("ships", ("@ship", " ", str(ships)), say(language, "rival_ships", n=ships)),
                ("lights", ("@lighthouse", " ", str(lights)), say(language, "rival_lights", n=lights)),
                ("titles", ("@title", " ", str(held), GAP, *titles), say(language, "rival_titles", list=asked, n=held)),
            )
        )
    )
    name = WORDS(f"options.rival.{rival.id}")
    words = Words.each(lambda tag: (part("rival").printed(tag).format(name=name.printed(tag)),))
    return Zone("rival", words, (LEGIBLE, 192), found, owner=RIVAL_LOOK)


def _packet(sheet: Sheet, hand: str) -> Zone:
    """Return a packet not chosen yet: its name and its six characters."""
    language, packet = sheet.language, HANDS[hand]
    name = packet.words.printed(language)
    words = Words.each(lambda tag: (part("hands").printed(tag).format(name=packet.words.printed(tag)),))
    drawn = ground(0, 0, LEGIBLE, LINE, "place", sheet.theme) + chain(("@hand", f" {name}"), 14, 36, sheet.theme)
    cards = ", ".join(card(one, language).words.printed(language) for one in packet.cards)
    choice = Item(hand, say(language, "packet", name=name, cards=cards), (0, 0, LEGIBLE, LINE), drawn, name)
    found = (choice, *lines(packet.cards, sheet, LINE))
    weight = 2 * OWN if sheet.view["seat"] in sheet.view["order"] else 0
    return Zone(f"packet-{hand}", words, (LEGIBLE, LINE * len(found)), found, weight=weight)


def _legend(sheet: Sheet) -> Zone:
    """Return the signs with their words, the marks, and the note on reconstruction."""
    high, rebuilt = -(-(len(SIGNS) + len(_MARKS)) // _SIGNS_A_ROW) * 56, say(sheet.language, "rebuilt")

    def under() -> str:
        return "".join(_explained(sheet, high, rebuilt))

    return Zone("legend", part("legend"), (LEGIBLE, high + 110), (), under, (f"{rebuilt}.",), aside=True)


def _explained(sheet: Sheet, high: int, rebuilt: str) -> Iterator[str]:
    language, theme = sheet.language, sheet.theme
    for n, name in enumerate((*SIGNS, *_MARKS)):
        x, y = 30 + n % _SIGNS_A_ROW * 388, 36 + n // _SIGNS_A_ROW * 56
        if name in _MARKS:
            look = PALETTE.line(name, theme, 6)
            dash = "10 6" if name == "intended" else None
            yield tag("rect", x=x - 18, y=y - 18, width=36, height=36, stroke_dasharray=dash, **look)
        else:
            yield sign(name, x, y, theme)
        yield text(x + 34, y + 12, say(language, f"signs.{name}"), theme)
    for n, one in enumerate(PEN.fit_text(rebuilt, LEGIBLE - 20, 2)):
        yield text(8, high + 52 + 40 * n, one, theme, "soft")


def _board_title(view: View, language: Language) -> str:
    return say(language, "title", course=course(view, language))


def _looks(view: View) -> Iterator[int]:
    yield from (look(player["colour"]) for player in view["powers"].values())
    if view["rival"]:
        yield look(RIVAL)


BOARD: Final = Board(PALETTE, lambda sheet: tuple(zones(sheet)), _board_title, _looks, PEN.definitions())
"""The drawing of the table: ships, destinations, rows of cards, titles and decrees."""
