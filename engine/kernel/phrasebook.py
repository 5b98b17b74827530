"""What a game's order language is built of: choices, slots and forms, and which values are likely now."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice, product
from typing import Final

from engine.kernel.catalogues import Catalogue, Words
from engine.kernel.forms import Choice, Fact, Form, Slot, Topic
from engine.kernel.lazy import LazySequence
from engine.kernel.orders import Order
from engine.kernel.viewers import PUBLIC


def choices(named: Iterable[tuple[str, Words]]) -> tuple[Choice, ...]:
    """Return choices from ids and words, in the order given."""
    return tuple(Choice(value, names) for value, names in named)


def one_choice(name: str, kind: str, title: Words, values: tuple[Choice, ...]) -> Slot:
    """Return a slot for one named thing."""
    return Slot(name, kind, title, values)


def some_choices(name: str, kind: str, title: Words, values: tuple[Choice, ...], *, counted: bool = False) -> Slot:
    """Return a slot for one or more named things, in order. `counted`: a number may say how many of one."""
    return Slot(name, kind, title, values, many=True, counted=counted)


def amounts_of(
    name: str, kind: str, title: Words, values: tuple[Choice, ...], low: int = 1, high: int | None = None
) -> Slot:
    """Return a slot for amounts of named things (`2 wood, 1 wine`), from `low` to `high` in all."""
    return Slot(name, kind, title, values, many=True, counted=True, amounts=True, low=low, high=high)


def number(name: str, title: Words, low: int | None = None, high: int | None = None) -> Slot:
    """Return a slot for a number."""
    return Slot(name, "number", title, low=low, high=high)


def with_lead(slot: Slot, lead: Words) -> Slot:
    """Return a slot behind a lead word."""
    return replace(slot, lead=lead)


def as_optional(slot: Slot, unsaid: object) -> Slot:
    """Return a slot that may be left out."""
    return replace(slot, optional=True, default=unsaid)


def leading(slot: Slot) -> Slot:
    """Return a slot that stands before the keyword of a fact."""
    return replace(slot, leading=True)


def fact(said: Catalogue, name: str, *slots: Slot) -> Fact:
    """Return a fact that IF may ask, with the words of a catalogue below `facts`."""
    return Fact(name, said(f"facts.{name}.keyword"), slots, said(f"facts.{name}.about"))


def topic(said: Catalogue, asks: str, **what: bool) -> Topic:
    """Return a topic with the words of a catalogue below `topics`. `what`: fields of Topic."""
    return Topic(asks, said(f"topics.{asks}.name"), about=said(f"topics.{asks}.about"), **what)


@dataclass(frozen=True)
class Exact(Form):
    """A form that writes only what its own vocabulary holds, so that several may make one kind of order."""

    def parse(self, order: Order) -> Mapping[str, object] | None:
        """The slot values that make `order`, or None where another form (or none) makes it."""
        found = super().parse(order)
        if found is None:
            return None
        values = {slot.name: self.find(slot, found[slot.name]) for slot in self.slots}
        return values if all(is_expressible(slot, values[slot.name]) for slot in self.slots) else None

    def find(self, slot: Slot, value: object) -> object:
        """A value as it is written; a game may have things that share one name."""
        return value


def is_expressible(slot: Slot, value: object) -> bool:
    """Return True if a slot can be filled with this."""
    if slot.optional and value == slot.default:
        return True
    if slot.many and not value:
        return False
    known = {choice.value for choice in slot.choices}
    return not known or all(item in known for item in (value if isinstance(value, tuple | Mapping) else (value,)))


def is_within(form: Form, order: Order) -> bool:
    """Return True if a form writes an order whose numbers it would read back: figures change, orders on file do not."""
    values = form.parse(order)
    return values is not None and all(in_bounds(slot, values[slot.name]) for slot in form.slots)


def in_bounds(slot: Slot, value: object) -> bool:
    """Return True if a value is no number, or one that a slot takes."""
    if isinstance(value, Mapping):
        value = sum(value.values())
    elif not isinstance(value, int) or slot.choices:
        return True
    return (slot.low is None or value >= slot.low) and (slot.high is None or value <= slot.high)


def likely_forms(forms: Sequence[Form], accepted: Sequence[Order]) -> Sequence[Form]:
    """Return the forms with the values of accepted orders as the likely values of their slots.

    What is accepted is not looked at before a value is asked for: to read an order nobody needs it.
    """
    return tuple(_with_suggestions(form, LazySequence(PUBLIC, partial(_readings, form, accepted))) for form in forms)


def _readings(form: Form, orders: Iterable[Order]) -> Iterator[Mapping[str, object]]:
    return (values for order in orders if (values := form.parse(order)) is not None)


def _with_suggestions(form: Form, readings: Sequence[Mapping[str, object]]) -> Form:
    return replace(
        form, slots=tuple(replace(s, suggested=LazySequence(PUBLIC, partial(_values, s, readings))) for s in form.slots)
    )


def _values(slot: Slot, readings: Iterable[Mapping[str, object]]) -> tuple[str | int, ...]:
    found: dict[str | int, None] = {}
    for values in readings:
        value = values[slot.name]
        items = value if isinstance(value, tuple | Mapping) else (value,)
        found.update(dict.fromkeys(item for item in items if isinstance(item, int | str) and item != ""))
    return tuple(found)


EACH: Final = 12
"""How many orders of a form, and values of a slot, are tried at most."""


def example_orders(forms: Iterable[Form]) -> Iterator[Order]:
    """Yield orders that forms can write, their slots filled with one value after the other, without free text.

    The first slot changes first: every lot is offered for a coin before one is for two.
    """
    for form in forms:
        slots = tuple(reversed(form.slots))
        values = [tuple(islice(_fill_slots(slot), EACH)) for slot in slots]
        for filling in islice(product(*values), EACH):
            yield form.make(dict(zip((slot.name for slot in slots), filling, strict=True)))


def _fill_slots(slot: Slot) -> Iterator[object]:
    if slot.optional:
        yield slot.default
    elif slot.amounts:
        yield from ({choice.value: max(1, slot.low or 0)} for choice in slot.choices)
    elif slot.choices:
        yield from (((choice.value,) if slot.many else choice.value) for choice in slot.choices)
    elif not slot.text:
        low = 0 if slot.low is None else slot.low
        yield from range(low, low + EACH if slot.high is None else slot.high + 1)
