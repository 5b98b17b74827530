"""The market as zones: the towns, what everybody has, the turns, and the viewer's cards."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from engine.kernel.drawing import COLOURS, Sheet
from engine.kernel.languages import Language
from engine.kernel.pictures import Palette, label, tag
from engine.kernel.rules import View
from engine.kernel.zones import Board, Item, Zone
from tests.bilingual import words
from tests.toy.board import CARDS, TOWNS
from tests.toy.meta import LENGTH

_PALETTE = Palette({**COLOURS, "town": ("#d8cba8", "#4a4330")})
_WIDE, _HIGH, _ROW = 380, 120, 3
_LAST = max(int(turns) for turns in LENGTH.values)
_TITLE = words("Le Petit Marché", "The Small Market")

Thing = tuple[str, str, str]
"""By its key: what is there, and what orders call it."""


def zones(sheet: Sheet) -> Iterator[Zone]:
    """What lies on the table; a hand only where its owner looks."""
    view, language = sheet.view, sheet.language
    names = {town: name.printed(language) for town, name in TOWNS.items()}
    called = _called(view, language)
    towns = [(town, f"{name}: {called.get(view['towns'].get(town), '-')}", name) for town, name in names.items()]
    yield _zone(sheet, Zone("towns", words("places", "towns"), (0, 0)), towns)
    coins = [(seat, f"{called[seat]}: {count}", "") for seat, count in view["coins"].items()]
    yield _zone(sheet, Zone("coins", words("pièces", "coins"), (0, 0)), coins)
    yield _track(sheet)
    if view["seat"] in view["known"]:
        hand = [(card, CARDS[card].printed(language)) for card in view["known"][view["seat"]]]
        cards = [(card, name, name) for card, name in hand]
        owner = list(view["coins"]).index(view["seat"])
        yield _zone(sheet, Zone("hand", words("votre main", "your hand"), (0, 0), weight=1, owner=owner), cards)


def _called(view: View, language: Language) -> Mapping[str, str]:
    """The seats as they are called on the table, where nobody knows the names of players: in the order of play."""
    player = words("joueur", "player").printed(language)
    return {seat: f"{player} {number}" for number, seat in enumerate(view["coins"], 1)}


def _zone(sheet: Sheet, zone: Zone, things: Sequence[Thing]) -> Zone:
    """Things in rows of three."""
    items = tuple(_item(sheet, n, *thing) for n, thing in enumerate(things))
    rows = max(1, -(-len(items) // _ROW))
    return replace(zone, size=(_ROW * _WIDE, rows * _HIGH), items=items)


def _item(sheet: Sheet, n: int, key: str, said: str, name: str) -> Item:
    x, y = n % _ROW * _WIDE, n // _ROW * _HIGH
    shape = tag("rect", x=x + 5, y=y + 5, width=_WIDE - 10, height=_HIGH - 10, **_PALETTE.fill("town", sheet.theme))
    text = label(x + 20, y + 72, said, 36, **_PALETTE.fill("ink", sheet.theme))
    return Item(key, said, (x, y, _WIDE, _HIGH), shape + text, name)


def _track(sheet: Sheet) -> Zone:
    """A disc for each turn, those that have begun in ink: wider than a phone can show."""
    view, called = sheet.view, words("tour", "turn").printed(sheet.language)
    items = []
    for turn in range(1, _LAST + 1):
        look = _PALETTE.fill("ink" if turn <= view["turn"] else "unused", sheet.theme)
        said = f"{called} {turn}{' *' if turn == view['turn'] else ''}"
        disc = tag("circle", cx=240 * turn - 120, cy=60, r=40, **look)
        items.append(Item(str(turn), said, (240 * (turn - 1), 0, 240, _HIGH), disc))
    return Zone(
        "turns", words("tours", "turns"), (240 * _LAST, _HIGH), tuple(items), notes=(f"{called} {view['turn']}.",)
    )


def _title(view: View, language: Language) -> str:
    return _TITLE.printed(language)


BOARD = Board(_PALETTE, lambda sheet: tuple(zones(sheet)), _title)
