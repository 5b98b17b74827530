"""The words of the game as choices and slots, for forms. Nothing depends on a position."""

from typing import Final

from engine.kernel.catalogues import Words
from engine.kernel.forms import Slot
from engine.kernel.phrasebook import amounts_of, as_optional, choices, number, one_choice, some_choices, with_lead
from engine.kernel.vocabulary import FormWords
from engine.patchistory.catalogue import (
    ALLIED_ROUTES,
    BUILDINGS,
    COLOURS,
    LEVELS,
    MAIN_ROUTES,
    PROSPERITY,
    ROOMS,
    SIDES,
    STOCKS,
    VALUES,
    WORDS,
)
from engine.patchistory.territory import ALL_SQUARES

LOTS: Final = ("A", "B", "C", "D")
MOST_ROUTES: Final = 99
"""The highest route number; numbers are never reused."""
MOST: Final = 99
ENDS: Final = ("A", "B")
SAID: Final = FormWords(WORDS)
named, title, lead = SAID.find, SAID.title, SAID.lead


SQUARES: Final = choices((square, Words.same(square)) for square in ALL_SQUARES)
LOT_CHOICES: Final = choices((lot, WORDS("choices.lot").formatted(lot=lot)) for lot in LOTS)
END_CHOICES: Final = choices((end, WORDS("choices.end").formatted(end=end)) for end in ENDS)
ROUTE_CHOICES: Final = choices(
    (str(n), WORDS("choices.route").formatted(n=n)) for n in range(1, 2 * (MAIN_ROUTES + ALLIED_ROUTES) + 1)
)
PLAYERS: Final = named(COLOURS, "colour")
GOODS: Final = named(VALUES, "good")
"""The goods that can be given, taken and exchanged: not Culture (A-17)."""
STOCK_CHOICES: Final = named(STOCKS, "good")
"""The goods behind a screen."""
DEMANDS: Final = named(("culture", "money"), "good")
LEVEL_CHOICES: Final = choices((level, WORDS(f"figures.{level}")) for level in LEVELS)
SIDE_CHOICES: Final = named(SIDES, "side")
HONOURED: Final = named(("hero", "wonder"), "honoured")
BUILDING_CHOICES: Final = choices((b.id, ROOMS[b.room].words) for b in BUILDINGS.values())
CARD_CHOICES: Final = choices((card.id, card.words) for card in PROSPERITY.values())


def square(name: str = "square") -> Slot:
    """Return a slot for one square."""
    return one_choice(name, "square", title(name), SQUARES)


def squares(name: str = "squares") -> Slot:
    """Return a slot for squares, in order."""
    return some_choices(name, "square", title(name), SQUARES)


def player() -> Slot:
    """Return a slot for another player, by colour."""
    return with_lead(one_choice("to", "player", title("player"), PLAYERS), lead("to"))


def lot() -> Slot:
    """Return a slot for a tile on offer."""
    return one_choice("lot", "lot", title("lot"), LOT_CHOICES)


def goods(name: str, low: int = 1, high: int = MOST) -> Slot:
    """Return a slot for amounts of goods (`2 food, 1 money`), from `low` to `high` in total."""
    return amounts_of(name, "good", title("goods"), GOODS, low, high)


def route() -> Slot:
    """Return a slot for a trade route, by its number."""
    return with_lead(number("route", title("route"), 1, MOST_ROUTES), lead("route"))


def building(*, optional: bool = False) -> Slot:
    """Return a slot for a building tile in hand."""
    slot = one_choice("building", "building", title("building"), BUILDING_CHOICES)
    return as_optional(with_lead(slot, lead("tile")), "", spare=True) if optional else slot


def end() -> Slot:
    """Return a slot for the end of an allied route."""
    return as_optional(one_choice("end", "end", title("end"), END_CHOICES), "A")
