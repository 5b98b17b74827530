"""Lines of rulings at random, made of the forms alone."""

from collections.abc import Callable
from typing import Any

from engine.kernel.forms import Form, Slot
from engine.kernel.position import Position
from engine.kernel.printing import print_order
from engine.kernel.rules import Rules
from engine.kernel.secrets import redact, seen_by
from engine.kernel.viewers import PUBLIC

Choose = Callable[[str, int], int]
"""A number below another one, by a name: the same name gives the same number."""


def forms_of(rules: Rules[Any], position: Position[Any]) -> tuple[Form, ...]:
    """The forms of a game's rulings, as everybody may see them."""
    with seen_by(PUBLIC):
        found: tuple[Form, ...] = rules.corrections.forms(redact(position, PUBLIC))  # type: ignore[attr-defined]
    return found


def a_line(rules: Rules[Any], position: Position[Any], choose: Choose, mark: str, language: str = "en") -> str:
    """A line that can be written; whether it can stand is another matter."""
    forms = [form for form in forms_of(rules, position) if not any(slot.text for slot in form.slots)]
    form = forms[choose(f"{mark}/form", len(forms))]
    values = {slot.name: _value(slot, position, choose, f"{mark}/{slot.name}") for slot in form.slots}
    if {"which", "entry"} <= set(values):
        random = choose(f"{mark}/random", 2) == 0
        values |= {"which": "random", "entry": 0, "nth": 0} if random else {"which": "", "nth": 1}
    return print_order(forms, form.make(values), language)


def _value(slot: Slot, position: Position[Any], choose: Choose, mark: str) -> object:
    if slot.choices:
        return slot.choices[choose(mark, len(slot.choices))].value
    low = slot.low or 0
    return low + choose(mark, max(1, min((slot.high or 9) - low + 1, 4)))
