"""Builders for a game's order language: choices, slots and forms, and the values that are likely now."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from engine.kernel.catalogues import Catalogue, Words
from engine.kernel.forms import Choice, Fact, Form, Slot, Topic
from engine.kernel.lazy import LazySequence
from engine.kernel.orders import Order
from engine.kernel.viewers import PUBLIC


def choices(named: Iterable[tuple[str, Words]]) -> tuple[Choice, ...]:
    """Return choices made from pairs of id and words, in order."""
    return tuple(Choice(value, names) for value, names in named)


def one_choice(name: str, kind: str, title: Words, values: tuple[Choice, ...]) -> Slot:
    """Return a slot for one named thing."""
    return Slot(name, kind, title, values)


def some_choices(name: str, kind: str, title: Words, values: tuple[Choice, ...], *, counted: bool = False) -> Slot:
    """Return a slot for one or more named things, in order. `counted`: a number may repeat a thing."""
    return Slot(name, kind, title, values, many=True, counted=counted)


def amounts_of(
    name: str, kind: str, title: Words, values: tuple[Choice, ...], low: int = 1, high: int | None = None
) -> Slot:
    """Return a slot for amounts of named things (`2 wood, 1 wine`), from `low` to `high` in total."""
    return Slot(name, kind, title, values, many=True, counted=True, amounts=True, low=low, high=high)


def number(name: str, title: Words, low: int | None = None, high: int | None = None) -> Slot:
    """Return a slot for a number from `low` to `high`."""
    return Slot(name, "number", title, low=low, high=high)


def with_lead(slot: Slot, lead: Words) -> Slot:
    """Return a copy of a slot with a lead word before it."""
    return replace(slot, lead=lead)


def as_optional(slot: Slot, unsaid: object, *, spare: bool = False) -> Slot:
    """Return a copy of a slot that may be left out; its value is then `unsaid`. `spare`: see `Slot`."""
    return replace(slot, optional=True, default=unsaid, spare=spare)


def leading(slot: Slot) -> Slot:
    """Return a copy of a slot that comes before the keyword of a fact."""
    return replace(slot, leading=True)


def fact(said: Catalogue, name: str, *slots: Slot) -> Fact:
    """Return a fact for IF, with the words of a catalogue under `facts`."""
    return Fact(name, said(f"facts.{name}.keyword"), slots, said(f"facts.{name}.about"))


def topic(said: Catalogue, asks: str, **what: bool) -> Topic:
    """Return a topic with the words of a catalogue under `topics`. `what`: further fields of Topic."""
    return Topic(asks, said(f"topics.{asks}.name"), about=said(f"topics.{asks}.about"), **what)


@dataclass(frozen=True)
class Exact(Form):
    """A form that writes only values in its own vocabulary, so that several forms can share one order class."""

    def parse(self, order: Order) -> Mapping[str, object] | None:
        """Return the slot values that make `order`, or None if this form cannot write it."""
        found = super().parse(order)
        if found is None:
            return None
        values = {slot.name: self.find(slot, found[slot.name]) for slot in self.slots}
        return values if all(is_expressible(slot, values[slot.name]) for slot in self.slots) else None

    def find(self, slot: Slot, value: object) -> object:
        """Return a value as it is written; a game overrides this if several things share one name."""
        return value


def is_expressible(slot: Slot, value: object) -> bool:
    """Return True if a value can be written in a slot."""
    if slot.optional and value == slot.default:
        return True
    if slot.many and not value:
        return False
    if not slot.choices:
        return True
    return all(item in slot.choice_of for item in (value if isinstance(value, tuple | Mapping) else (value,)))


def is_within(form: Form, order: Order) -> bool:
    """Return True if a form writes an order and its numbers are within the bounds of the form's slots.

    Bounds change with the position; stored orders do not.
    """
    values = form.parse(order)
    return values is not None and all(in_bounds(slot, values[slot.name]) for slot in form.slots)


def in_bounds(slot: Slot, value: object) -> bool:
    """Return True if a value is not a number, or is one that a slot accepts."""
    if isinstance(value, Mapping):
        value = sum(value.values())
    elif not isinstance(value, int) or slot.choices:
        return True
    return (slot.low is None or value >= slot.low) and (slot.high is None or value <= slot.high)


def likely_forms(forms: Sequence[Form], accepted: Sequence[Order]) -> Sequence[Form]:
    """Return the forms, with the values of accepted orders as the suggested values of their slots.

    `accepted` is read only when suggestions are needed; parsing an order does not need them.
    """
    return tuple(_with_suggestions(form, LazySequence(PUBLIC, partial(_readings, form, accepted))) for form in forms)


def _readings(form: Form, orders: Iterable[Order]) -> Iterator[Mapping[str, object]]:
    return (values for order in orders if (values := form.parse(order)) is not None)


def _with_suggestions(form: Form, readings: Sequence[Mapping[str, object]]) -> Form:
    slots = tuple(slot.suggesting(LazySequence(PUBLIC, partial(_values, slot, readings))) for slot in form.slots)
    return replace(form, slots=slots)


def _values(slot: Slot, readings: Iterable[Mapping[str, object]]) -> tuple[str | int, ...]:
    found: dict[str | int, None] = {}
    for values in readings:
        value = values[slot.name]
        items = value if isinstance(value, tuple | Mapping) else (value,)
        found.update(dict.fromkeys(item for item in items if isinstance(item, int | str) and item != ""))
    return tuple(found)
