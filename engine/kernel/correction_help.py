"""Help for corrections: each form that a game master may write now, with a line that is possible in this position."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from itertools import islice, product
from math import prod
from typing import Any, Final

from engine.kernel.correction_events import CorrectionRefused
from engine.kernel.corrections import Ruling
from engine.kernel.forms import Form, Slot
from engine.kernel.languages import Language
from engine.kernel.orders import Order
from engine.kernel.position import Position
from engine.kernel.printing import CannotPrint, HelpRow, print_order, usage
from engine.kernel.rules import Rules, SupportsCorrections
from engine.kernel.run import ruling_events
from engine.kernel.secrets import seen_by
from engine.kernel.viewers import PUBLIC

MOST_TRIES: Final = 400
"""The most lines of one form that are tried, for each choice of its optional names."""
_STRIDE: Final = 7919
"""A prime: the combinations of a form are tried in steps of it, so that each slot varies early."""
_DEEPEST: Final = 3
"""How many names the path of a patch has at most in an example."""


def list_corrections(rules: Rules[Any], view: Position[Any], language: Language) -> tuple[HelpRow, ...]:
    """Return the help for each form of the game's corrections; no example where none of those tried is possible.

    `view`: the public position, so that no example tells what is hidden.
    """
    if not isinstance(rules, SupportsCorrections):
        return ()
    with seen_by(PUBLIC):
        forms = rules.corrections.forms(view)
        return tuple(
            HelpRow(usage(form, language), form.about.printed(language), _find_example(rules, view, form, language))
            for form in forms
        )


def _find_example(rules: Rules[Any], view: Position[Any], form: Form, language: Language) -> str:
    for order in _orders(form, view):
        try:
            if _changes_something(rules, view, order):
                return print_order((form,), order, language)
        except (CorrectionRefused, CannotPrint):
            continue
    return ""


def _changes_something(rules: Rules[Any], view: Position[Any], order: Order) -> bool:
    """Return True if an order is possible. Raises CorrectionRefused, mostly before the position is copied."""
    ruling = Ruling(view, lambda entry, seat: (), trial=True)
    if isinstance(rules, SupportsCorrections):
        rules.corrections.facts(ruling, order)
    return bool(ruling_events(rules, ruling, (order,)))


def _orders(form: Form, view: Position[Any]) -> Iterator[Order]:
    """Yield orders of a form, with small numbers; without its optional names first, then with some, then with all."""
    named = [slot.name for slot in form.slots if slot.optional and slot.choices]
    for named_too in product((False, True), repeat=len(named)):
        left_out = {name for name, taken in zip(named, named_too, strict=True) if not taken}
        slots = [(slot.default,) if slot.name in left_out else _values(slot, view) for slot in form.slots]
        count = prod(len(values) for values in slots)
        for n in range(min(count, MOST_TRIES)):
            at, chosen = n * _STRIDE % count, dict[str, object]()
            for slot, values in zip(form.slots, slots, strict=True):
                at, place = divmod(at, len(values))
                chosen[slot.name] = values[place]
            yield form.make(chosen)


def _values(slot: Slot, view: Position[Any]) -> Sequence[object]:
    if slot.text:
        return tuple(islice(_patches(view), MOST_TRIES))
    if slot.choices:
        return [choice.value for choice in slot.choices]
    if slot.optional:
        return (slot.default,)
    low = max(slot.low or 0, 1)
    return range(low, min(low + 2, slot.high or low) + 1)


def _patches(view: Position[Any]) -> Iterator[str]:
    """Yield patches that add one to a public number of a seat."""
    seats = frozenset(str(seat) for seat in view.core.seats)
    for path, value in _numbers(view.board, ()):
        if not seats.isdisjoint(path):
            yield f"{'/'.join(path)} = {value} -> {value + 1}"


def _numbers(thing: object, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], int]]:
    if isinstance(thing, int) and not isinstance(thing, bool):
        yield path, thing
    elif len(path) < _DEEPEST:
        for key, value in _parts(thing):
            yield from _numbers(value, (*path, key))


def _parts(thing: object) -> Iterator[tuple[str, object]]:
    if isinstance(thing, Mapping):
        yield from ((str(key), value) for key, value in thing.items())
    elif is_dataclass(thing):
        yield from ((field.name, getattr(thing, field.name)) for field in fields(thing))
