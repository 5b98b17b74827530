"""Ships, bread and lighthouses: the viewer's board in full, and a line of figures for each player."""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any, Final

from engine.amalfi.catalogue import (
    BONUSES,
    CHARACTERS,
    HOLD_VALUES,
    HOLDS,
    LIGHT_BONUSES,
    LIGHTHOUSES,
    START,
    WORDS,
    YARD_BONUSES,
    Mod,
)
from engine.amalfi.drawing.benefits import bonus, effects_words, hold_words
from engine.amalfi.drawing.cards import HALF, called, letter
from engine.amalfi.drawing.look import (
    PALETTE,
    Chain,
    boat,
    chain,
    disc,
    extent,
    ground,
    lamp,
    no_lamp,
    say,
    sign,
    text,
    waves,
)
from engine.amalfi.figures import FIGURES, figures_of
from engine.kernel.drawing import Sheet
from engine.kernel.languages import Language
from engine.kernel.panels import Panel, PanelFigure
from engine.kernel.pictures import LEGIBLE, Theme, tag
from engine.kernel.rules import View
from engine.kernel.text_layout import Box
from engine.kernel.zones import DrawnItem, Item

HEAD: Final = 64
BOX: Final = 128
"""The height of a box of ships, with its name above."""
PLACES: Final = (("bay", 460), ("port", 350), ("docks", 350))
"""The places of ships, with the width of their box."""
STOCK: Final = (("yard", YARD_BONUSES), ("lights", LIGHT_BONUSES))
"""What is left under a player's board, the leftmost first, with the icons under it."""
BERTH: Final = 94
MAT: Final = HEAD + 3 * BOX + 64
"""The height of the viewer's board."""
LINE: Final = 64
COLUMNS: Final = (
    ("vp", 320),
    ("bread", 396),
    ("hand", 456),
    ("bay", 516),
    ("port", 576),
    ("dock", 636),
    ("yard", 696),
    *((hold, 762 + 62 * n) for n, hold in enumerate(HOLDS)),
    ("lighthouse", 1080),
)
"""The columns of figures, with their left edges."""


def mat(sheet: Sheet, seat: str) -> Iterator[Item]:
    """Yield the viewer's board: figures, bay, port and docks, the five holds, the yard and the lighthouses."""
    player: Mapping[str, Any] = sheet.view["powers"][seat]
    yield _figures(sheet, seat, player)
    left = 0
    ships = {"bay": player["bay"], "port": player["port"], "docks": len(player["docked"])}
    for name, wide in PLACES:
        said = say(sheet.language, "ships_at", where=say(sheet.language, name), n=ships[name])
        title = ("@dock" if name == "docks" else f"@{name}", say(sheet.language, name), str(ships[name]))
        yield Item(name, said, *_boats(sheet, player, (left, HEAD, wide, BOX), title, ships[name]))
        left += wide
    for n, hold in enumerate(HOLDS):
        yield _hold(sheet, player, hold, n * LEGIBLE // len(HOLDS))
    for n, (name, bonuses) in enumerate(STOCK):
        yield _stock(sheet, seat, name, bonuses, n * HALF)


def _figures(sheet: Sheet, seat: str, player: Mapping[str, Any]) -> Item:
    """Return points, bread and granary, the meal, the cost of a ship, and whose turn it is."""
    language = sheet.language
    room = f"{player['bread']}/{player['granary']}"
    shown: list[tuple[Chain, str]] = [
        (("@vp", str(player["vp"])), say(language, "gives_points", n=player["vp"])),
        (("@bread", room), say(language, "bread_of", bread=player["bread"], room=player["granary"])),
        (("@meal", f"−{player['meal']}"), say(language, "meal_due", n=player["meal"])),
    ]
    if player["ship_cost"]:
        price = ("@yard", str(player["ship_cost"]), "@wood")
        shown.append((price, say(language, "ship_costs", n=player["ship_cost"])))
    for mark in marks(sheet.view, seat):
        said = say(language, f"signs.{mark}")
        shown.append(((f"@{mark}", said), said))
    if player["queue"]:
        shown.append((("@act", str(player["queue"])), say(language, "queued", n=player["queue"])))
    drawn = partial(_apart, [tokens for tokens, _ in shown], sheet.theme)
    return Item("figures", ", ".join(said for _, said in shown), (0, 0, LEGIBLE, HEAD - 4), drawn)


def _apart(found: Iterable[Chain], theme: Theme) -> str:
    """Return chains side by side."""
    drawn, x = [], 4
    for tokens in found:
        drawn.append(chain(tokens, x, 30, theme))
        x += extent(tokens) + 34
    return "".join(drawn)


def marks(view: View, seat: str) -> Iterator[str]:
    """Yield the Compass, the turn, and a pass; a single player has only the last."""
    shared = len(view["powers"]) > 1
    if shared and view["first"] == seat:
        yield "compass"
    if shared and view["active"] == seat:
        yield "turn"
    if view["powers"][seat]["done"]:
        yield "passed"


def _boats(sheet: Sheet, player: Mapping[str, Any], box: Box, title: Chain, ships: int) -> tuple[Box, DrawnItem]:
    """Return a box with its title and ships."""
    x, y, wide, high = box
    return (x, y, wide - 6, high - 6), partial(_boxed, sheet, player, box, title, ships)


def _boxed(sheet: Sheet, player: Mapping[str, Any], box: Box, title: Chain, ships: int) -> str:
    """Return the box; many ships are drawn closer together."""
    x, y, wide, high = box
    apart = min(46, (wide - 50) // max(1, ships - 1))
    drawn = [
        ground(x, y, wide - 6, high - 6, "sea", sheet.theme),
        waves(x, y + 56, wide, high - 60, sheet.theme),
        chain(_spaced(title), x + 10, y + 34, sheet.theme),
        *(boat(x + 32 + n * apart, y + 88, player["colour"], sheet.theme) for n in range(ships)),
    ]
    return tag("g", *drawn, pointer_events="none")


def _spaced(tokens: Iterable[str]) -> Chain:
    return [token for part in tokens for token in (part, " ")]


def _hold(sheet: Sheet, player: Mapping[str, Any], hold: str, left: int) -> Item:
    """Return a hold under its name in orders, with the value of a ship in it."""
    ships, each = player["holds"][hold], worth(player, hold)
    name = WORDS(f"choices.hold.{hold}").printed(sheet.language)
    said = say(sheet.language, "hold_at", where=hold_words(hold, sheet.language), n=ships, each=each)
    box = (left, HEAD + BOX, LEGIBLE // len(HOLDS), BOX)
    return Item(hold, said, *_boats(sheet, player, box, (f"@{hold}", f"{ships}×{each}"), ships), name)


def worth(player: Mapping[str, Any], hold: str) -> int:
    """Return the value of a ship lowered from a hold, including the player's characters."""
    laid = (CHARACTERS[one["card"]] for one in player["invited"])
    return max([HOLD_VALUES[hold], *(person.n for person in laid if person.mod is Mod.HOLD and person.hold == hold)])


def _stock(sheet: Sheet, seat: str, name: str, bonuses: tuple[str, ...], left: int) -> Item:
    """Return ships of the yard, or lighthouses, with the icons under those that are left."""
    player, language, y = sheet.view["powers"][seat], sheet.language, HEAD + 2 * BOX
    n = player["yard"] if name == "yard" else player["lights_left"]
    gone = (START["yard"] if name == "yard" else LIGHTHOUSES) - n
    said = say(language, f"{name}_at", n=n)
    if n and bonuses[gone]:
        said += ", " + say(language, "next_bonus", what=effects_words(BONUSES[bonuses[gone]], language))

    def drawn() -> str:
        return tag("g", *_stocked(sheet, seat, name, bonuses, (n, gone), (left, y)), pointer_events="none")

    return Item(name, said, (left, y, HALF - 6, BOX + 58), drawn)


def _stocked(
    sheet: Sheet, seat: str, name: str, bonuses: tuple[str, ...], count: tuple[int, int], at: tuple[int, int]
) -> Iterator[str]:
    """Yield the stock. `count`: how many are left, and how many are gone. `at`: left and top."""
    theme, (n, gone), (left, y) = sheet.theme, count, at
    own, mine = sheet.view["powers"][seat]["colour"], letter(sheet.view, seat, sheet.language)
    yield ground(left, y, HALF - 6, BOX + 58, "land", theme)
    yield chain((f"@{'lighthouse' if name == 'lights' else name}", f" {n}"), left + 10, y + 30, theme)
    for place, under in enumerate(bonuses):
        x = left + 10 + place * BERTH
        if name == "yard" and place >= gone:
            yield boat(x + 36, y + 84, own, theme)
        elif name == "lights":
            yield lamp(x + 36, y + 84, own, mine) if place >= gone else no_lamp(x + 36, y + 84, theme)
        yield chain(icon(under), x, y + 146, theme, "ink" if place >= gone else "faint")


def icon(name: str) -> Chain:
    """Return a bonus for little space: without "+1"."""
    return [shown for shown in bonus(name) if shown != "+1"]


# --- everybody


def head(theme: Theme) -> str:
    """Return the headings of the columns."""
    return "".join(sign(name, x + 22, 26, theme) for name, x in COLUMNS)


def line(sheet: Sheet, seat: str, y: int) -> Item:
    """Return the figures of one player."""
    view, language = sheet.view, sheet.language
    who, stands = called(view, seat, language), tuple(marks(sheet.view, seat))
    found = figures(view["powers"][seat])
    said = (who, *(say(language, f"signs.{mark}") for mark in stands), *figures_words(found, language))
    return Item(seat, ", ".join(said), (0, y, LEGIBLE, LINE), lambda: "".join(_line(sheet, seat, y)), who)


def _line(sheet: Sheet, seat: str, y: int) -> Iterator[str]:
    view, language, theme = sheet.view, sheet.language, sheet.theme
    player: Mapping[str, Any] = view["powers"][seat]
    who, found = called(view, seat, language), figures(player)
    yield tag("path", d=f"M0 {y}h{LEGIBLE}", **PALETTE.line("faint", theme, 3))
    yield disc(30, y + 32, player["colour"], letter(view, seat, language))
    yield text(66, y + 44, who, theme, font_weight="bold")
    yield chain([f"@{mark}" for mark in marks(sheet.view, seat)], 70 + extent((who,)), y + 32, theme)
    for name, x in COLUMNS:
        shade = "ink" if found[name] else "soft"
        yield text(x + 22, y + 44, str(found[name]), theme, shade, text_anchor="middle")


def figures(player: Mapping[str, Any]) -> Mapping[str, int]:
    """Return a player's figures, by column."""
    return {
        "vp": player["vp"],
        "bread": player["bread"],
        "hand": player["hand"],
        "bay": player["bay"],
        "port": player["port"],
        "dock": len(player["docked"]),
        "yard": player["yard"],
        **player["holds"],
        "lighthouse": player["lights_left"],
    }


def figures_words(found: Mapping[str, int], language: Language) -> Iterator[str]:
    """Yield figures in words."""
    for name, n in found.items():
        held = say(language, "columns.in", hold=hold_words(name, language)) if name in HOLDS else ""
        yield f"{held or say(language, f'columns.{name}')} {n}"


def panels(view: View, language: Language) -> Mapping[str, Panel]:
    """Return the panel of each player, in turn order: the figures that count, the cards in hand, and the marks."""
    return {seat: _panel(view, seat, language) for seat in view["order"]}


def _panel(view: View, seat: str, language: Language) -> Panel:
    player = view["powers"][seat]
    found = [PanelFigure(FIGURES[name].printed(language), str(n)) for name, n in figures_of(player).items()]
    found.append(PanelFigure(say(language, "columns.hand"), str(player["hand"])))
    return Panel(tuple(found), ", ".join(say(language, f"signs.{mark}") for mark in marks(view, seat)))
