"""How an order is written: keywords and typed slots as data, in each language.

Mail parser, web form, JSON API and help page are all made from these; nothing else knows the language.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from engine.kernel.catalogues import NOTHING, Words
from engine.kernel.orders import Condition, Order


@dataclass(frozen=True)
class Choice:
    """One thing that a slot may hold: the value that the order keeps, and its names."""

    value: str
    names: Words


@dataclass(frozen=True)
class Slot:
    """A place to fill in.

    `choices`: what may be named (empty: a number, from `low` to `high`, or free text when `text`).
    `many`: one or more, parted by commas, `and`, or mere spaces where that is unambiguous; the value is a tuple.
    `counted`: one thing may be meant several times, by a number before it or behind it (`2 pikemen`, `pikemen x 2`).
    `unit_choices`: of these things a number 1 means another choice than no number does.
    `amounts`: so many of each thing (`2 wood, 1 wine`); the value is a mapping of things to numbers, and `low` and
    `high` bound their sum.
    `lead`: words that introduce the slot (`À`, `AS`); a led slot may stand anywhere after the keyword.
    `leading`: it stands before the keyword (`Firenze IS EMPTY`), in facts only.
    `default`: the value when the slot is left out (only if `optional`).
    `suggested`: the values that would be accepted now, best first: what web forms, help and near misses offer.
    """

    name: str
    kind: str
    title: Words
    choices: tuple[Choice, ...] = ()
    many: bool = False
    optional: bool = False
    default: object = None
    lead: Words | None = None
    low: int | None = None
    high: int | None = None
    text: bool = False
    suggested: Sequence[str | int] = ()
    leading: bool = False
    counted: bool = False
    amounts: bool = False
    unit_choices: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Form:
    """A way to write one kind of order: keyword, slots in their usual order, and what it makes.

    `fixed`: fields of the order that this form sets by itself (`BUY CARD` and `BUY SHIP` may share a class).
    `about`: one plain sentence for help and web pages, in each language.
    """

    keyword: Words
    order: type[Order]
    slots: tuple[Slot, ...] = ()
    fixed: Mapping[str, object] = field(default_factory=dict)
    about: Words = NOTHING

    def make(self, values: Mapping[str, object]) -> Order:
        """Return the order that slot values make. Slots left out take their default."""
        filled = {s.name: values.get(s.name, s.default) for s in self.slots}
        return self.order(**filled, **self.fixed)

    def parse(self, order: Order) -> Mapping[str, object] | None:
        """Return the slot values that make an order, or None where another form makes it."""
        if type(order) is not self.order or any(getattr(order, k) != v for k, v in self.fixed.items()):
            return None
        return {s.name: getattr(order, s.name) for s in self.slots}


@dataclass(frozen=True)
class Fact:
    """A fact that IF may ask: written like a form, kept as a Condition named `name`."""

    name: str
    keyword: Words
    slots: tuple[Slot, ...] = ()
    about: Words = NOTHING

    @property
    def subject(self) -> Slot | None:
        """Return the slot before the keyword, or None."""
        return next((slot for slot in self.slots if slot.leading), None)

    def make(self, values: Mapping[str, str | int], negated: bool) -> Condition:
        """Return the condition that slot values make."""
        return Condition(self.name, dict(values), negated)


@dataclass(frozen=True)
class Topic:
    """A kind of question: what `Question.asks` names.

    `words`: the section's name in letters (`FOR TURN 5 EXPANSION`) or the rider's (`ON CIVIL WAR`).
    `lines`: whether the answer is a set carried out line by line; otherwise it is exactly one order
    (or none, where `may_pass`). `is_reaction`: it may be answered ahead with any letter, for the turn.
    `is_resignation`: an order in answer takes its author out of the game for good; who runs the game may want
    more than their word for that.
    `as_standing_orders`: of the one order, what follows ELSE is kept for later, so that it may end in ASK ME as a line
    of a set may.
    `counted`: it may be asked several times in a turn, and its headings count (`FOR TURN 3 WAR 2`) by what its gates
    say: `war/3/2`, or `war/3#2` where one gate asks one seat several.
    """

    key: str
    words: Words
    lines: bool = False
    is_reaction: bool = False
    may_pass: bool = True
    is_resignation: bool = False
    about: Words = NOTHING
    counted: bool = False
    as_standing_orders: bool = False
