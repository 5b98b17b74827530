"""The syntax of orders as data: keywords and typed slots, in each language.

The email parser, web forms, the JSON API and help pages are all made from these.
"""

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property

from engine.kernel.catalogues import NOTHING, Words
from engine.kernel.orders import Condition, Order


@dataclass(frozen=True)
class Choice:
    """A value that a slot can hold, and its names.

    `place`: the name of another thing on the board that also means it when touched: the province where a unit stands.
    """

    value: str
    names: Words
    place: str = ""


@dataclass(frozen=True)
class Slot:
    """A place to fill in a form.

    `choices`: the things that can be named. Empty for free text if `text`, or else a number from `low` to `high`.
    `many`: one or more, separated by commas, `and`, or spaces if unambiguous; the value is a tuple.
    `counted`: a number before or after a thing repeats it (`2 pikemen`, `pikemen x 2`).
    `unit_choices`: the choice that a thing with the number 1 means, if it differs from the thing without a number.
    `amounts`: amounts of things (`2 wood, 1 wine`); the value maps things to numbers; `low` and `high` bound the sum.
    `lead`: words before the slot (`À`, `AS`); the slot may then come anywhere after the keyword.
    `leading`: the slot comes before the keyword (`Firenze IS EMPTY`, `A PAR H`).
    `default`: the value of an `optional` slot that is left out.
    `spare`: an order that is legal with a value in this `optional` slot is legal without one.
    `suggested`: the values valid now, best first, for web forms, help and refusals.
    """

    name: str
    kind: str
    title: Words
    choices: tuple[Choice, ...] = ()
    many: bool = False
    optional: bool = False
    default: object = None
    spare: bool = False
    lead: Words | None = None
    low: int | None = None
    high: int | None = None
    text: bool = False
    suggested: Sequence[str | int] = ()
    leading: bool = False
    counted: bool = False
    amounts: bool = False
    unit_choices: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def choice_of(self) -> Mapping[object, Choice]:
        """Return the choices by value; the first one of each."""
        return {choice.value: choice for choice in reversed(self.choices)}

    def suggesting(self, values: Sequence[str | int]) -> "Slot":
        """Return a copy with other suggested values. A grammar makes hundreds, so it is faster than `replace`."""
        made = copy(self)
        object.__setattr__(made, "suggested", values)
        return made


class _Spoken:
    """What has a keyword and slots, one of which may come before the keyword."""

    slots: tuple[Slot, ...]

    @property
    def subject(self) -> Slot | None:
        """Return the slot before the keyword, or None."""
        return next((slot for slot in self.slots if slot.leading), None)

    @property
    def predicate(self) -> tuple[Slot, ...]:
        """Return the slots behind the keyword."""
        return tuple(slot for slot in self.slots if not slot.leading)


@dataclass(frozen=True)
class Form(_Spoken):
    """One way to write one class of order.

    `keyword`: if a slot comes before it, the two may change places, and a keyword that is only a mark in some spelling
    (`-`) may be left out.
    `slots`: in their usual order; the one that comes before the keyword first.
    `fixed`: fields of the order that this form sets (`BUY CARD` and `BUY SHIP` may share a class).
    `about`: one sentence for help and web pages.
    `called`: a word for buttons, if the keyword is a letter or a sign (`-`: move).
    `fillers`: words that may come between slots and mean nothing.
    `variants`: other forms that make the same orders. They are tried if no form fits, and never printed or offered.
    """

    keyword: Words
    order: type[Order]
    slots: tuple[Slot, ...] = ()
    fixed: Mapping[str, object] = field(default_factory=dict)
    about: Words = NOTHING
    called: Words = NOTHING
    fillers: Words = NOTHING
    variants: tuple["Form", ...] = ()

    def make(self, values: Mapping[str, object]) -> Order:
        """Return the order for slot values. Slots left out take their default."""
        filled = {s.name: values.get(s.name, s.default) for s in self.slots}
        return self.order(**filled, **self.fixed)

    def parse(self, order: Order) -> Mapping[str, object] | None:
        """Return the slot values of an order, or None if another form makes it."""
        if type(order) is not self.order or any(getattr(order, k) != v for k, v in self.fixed.items()):
            return None
        return {s.name: getattr(order, s.name) for s in self.slots}


@dataclass(frozen=True)
class Fact(_Spoken):
    """A fact for IF: written like a form, stored as a Condition called `name`."""

    name: str
    keyword: Words
    slots: tuple[Slot, ...] = ()
    about: Words = NOTHING

    def make(self, values: Mapping[str, str | int], negated: bool) -> Condition:
        """Return the condition for slot values."""
        return Condition(self.name, dict(values), negated)


@dataclass(frozen=True)
class Topic:
    """A kind of question; `Question.topic` is its key.

    `words`: the section's name in emails (`FOR TURN 5 EXPANSION`) or the reaction's (`ON CIVIL WAR`).
    `lines`: the answer is a set of lines, carried out in order. If False, it is one order, or none if `may_pass`.
    `is_reaction`: it may be answered in advance with any email, for the turn; if it `lasts`, until that is changed.
    `is_resignation`: an order in answer takes its author out of the game for good. The server treats it as RESIGN
    instead.
    `counted`: it may be asked several times in a turn, and headings have a number (`FOR TURN 3 WAR 2`): that of the
    gate `war/3/2`, or `war/3#2` if one gate asks a seat several.
    `exhaustive`: a line is expected for each thing that is asked about; bots write all that is suggested.
    `as_standing_orders`: the one order may have a fallback kept for later, so the line may end in ASK ME.
    """

    key: str
    words: Words
    lines: bool = False
    is_reaction: bool = False
    lasts: bool = False
    may_pass: bool = True
    is_resignation: bool = False
    about: Words = NOTHING
    counted: bool = False
    as_standing_orders: bool = False
    exhaustive: bool = False
