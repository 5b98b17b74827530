"""The orders that a game master may write in any game, and their forms."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.kernel.catalogues import Catalogue, Words
from engine.kernel.forms import Choice, Form, Slot
from engine.kernel.keywords import WORDS
from engine.kernel.orders import Order
from engine.kernel.phrasebook import as_optional


class Give(Order):
    """Add `count` of a figure to a seat."""

    count: int
    what: str
    seat: str


class Take(Order):
    """Take `count` of a figure from a seat."""

    count: int
    what: str
    seat: str


class SwapPlaces(Order):
    """Swap two seats in the order of play."""

    seat: str
    other: str


class Deal(Order):
    """Deal `count` cards from the top of the pile to a seat."""

    count: int
    seat: str


class Return(Order):
    """Move an open card to a hand."""

    card: str
    seat: str


class MoveCard(Order):
    """Move a card of a hand elsewhere.

    `which`: a card at random. `entry`: the card that came in this entry; `nth`: which of several.
    """

    seat: str
    target: str
    which: str = ""
    entry: int = 0
    nth: int = 0
    to: str = ""


class Patch(Order):
    """Replace a public value of the board, by its path. For what no other order can correct."""

    text: str


class Adopt(Order):
    """Play on under another reading of a rule."""

    option: str
    value: str


COUNT: Final = WORDS("slots.count")
CARD: Final = WORDS("slots.card")
_RANDOM: Final = (Choice("random", WORDS("choices.random")),)
ORIGIN_FACT: Final = WORDS("leads.from")
TO: Final = WORDS("leads.to")
_WITH: Final = WORDS("leads.with")


def seat_slot(seats: Sequence[Choice], lead: Words | None = None, name: str = "seat") -> Slot:
    """Return a slot for one seat, by the name of its power."""
    return Slot(name, "power", WORDS("slots.seat"), tuple(seats), lead=lead)


def ruling_form(said: Catalogue, name: str, order: type[Order], *slots: Slot, **fixed: Any) -> Form:
    """Return a form of a master's order, with the words of a catalogue under `rulings`.

    `fixed`: fields it sets.
    """
    return Form(said(f"rulings.{name}.keyword"), order, slots, fixed, said(f"rulings.{name}.about"))


def common_rulings(
    seats: Sequence[Choice], figures: Mapping[str, Words], cards: Sequence[Choice] | None, adoptable: Sequence[Any]
) -> tuple[Form, ...]:
    """Return the forms of corrections for any game: figures, cards, seats, readings and patches.

    `cards`: those that can be named; None if the game has no cards.
    """
    readings = (_adopt_forms(option) for option in adoptable)
    moves = _cards(seats, cards) if cards is not None else ()
    return (*_figures(seats, figures), *moves, _swap(seats), *readings, _PATCH)


def _figures(seats: Sequence[Choice], figures: Mapping[str, Words]) -> tuple[Form, ...]:
    if not figures:
        return ()
    count = Slot("count", "number", COUNT, low=1, high=999)
    what = Slot("what", "figure", WORDS("slots.figure"), tuple(Choice(k, w) for k, w in figures.items()))
    return (
        ruling_form(WORDS, "give", Give, count, what, seat_slot(seats, TO)),
        ruling_form(WORDS, "take", Take, count, what, seat_slot(seats, ORIGIN_FACT)),
    )


def _cards(seats: Sequence[Choice], cards: Sequence[Choice]) -> tuple[Form, ...]:
    hand, to = seat_slot(seats, ORIGIN_FACT), seat_slot(seats, TO)
    found = [ruling_form(WORDS, "deal", Deal, Slot("count", "number", WORDS("slots.cards"), low=1, high=20), to)]
    if cards:
        found.append(ruling_form(WORDS, "return", Return, Slot("card", "card", CARD, tuple(cards)), to))
    for name, target in _TARGETS.items():
        found.append(ruling_form(WORDS, name, MoveCard, hand, *WHICH, target=target, to=""))
    other = seat_slot(seats, TO, "to")
    return (*found, ruling_form(WORDS, "move", MoveCard, hand, other, *WHICH, target="hand"))


def _swap(seats: Sequence[Choice]) -> Form:
    return ruling_form(WORDS, "swap", SwapPlaces, seat_slot(seats), seat_slot(seats, _WITH, "other"))


def _short(reading: Words) -> Words:
    """Return the words of a reading up to its colon."""
    return Words.each(lambda language: tuple(said.partition(":")[0].strip() for said in reading.of(language)))


def _adopt_forms(option: Any) -> Form:
    """Return the form that adopts a reading of one option."""
    readings = tuple(Choice(value, _short(reading) | Words.same(value)) for value, reading in option.values.items())
    adopt = WORDS("rulings.adopt.keyword")
    titles = Words.each(lambda tag: (adopt.printed(tag).format(rule=option.title.printed(tag)),))
    slot = Slot("value", "reading", WORDS("slots.reading"), readings)
    keyword = titles | adopt.formatted(rule=option.name)
    return Form(keyword, Adopt, (slot,), {"option": option.name}, WORDS("rulings.adopt.about"))


_PATCH: Final = ruling_form(WORDS, "patch", Patch, Slot("text", "text", WORDS("slots.value"), text=True))
_ENTRY: Final = Slot("entry", "number", WORDS("slots.entry"), lead=WORDS("leads.entry"), low=1, high=99999)
_NTH: Final = Slot("nth", "number", WORDS("slots.nth"), lead=WORDS("leads.nth"), low=1, high=20)
WHICH: Final = (as_optional(Slot("which", "card", CARD, _RANDOM), ""), as_optional(_ENTRY, 0), as_optional(_NTH, 0))
_TARGETS: Final = {"put_back": "deck", "shuffle": "pile", "discard": "discard"}
