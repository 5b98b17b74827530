"""The order language of the game, for one question: forms, likely lines.

Static parts are built once, in `forms`, `vocabulary` and `conditions`; here they meet a position, as its author
sees it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from engine.kernel.forms import Fact, Form, Slot
from engine.kernel.names import Seat
from engine.kernel.orders import Condition, Decision, Line, Order, simply
from engine.renaissance import chapters, conditions, riders
from engine.renaissance.acts import Seen
from engine.renaissance.forms import FORMS
from engine.renaissance.suggestions import proposals


def forms(seen: Seen, decision: Decision) -> Sequence[Form]:
    """What may be written: the whole vocabulary, with what would be accepted now where the question is of now."""
    full = FORMS[decision.asks]
    accepted = _accepted(seen, decision)
    return tuple(_likely(form, accepted) for form in full) if accepted else full


def suggest(seen: Seen, decision: Decision) -> Sequence[Line]:
    """Lines that would each be accepted alone now, best first; none for a sequence of another turn."""
    return simply(*_accepted(seen, decision))


def ahead(seen: Seen, seat: Seat) -> Sequence[Decision]:
    """Standing instructions, and sequences to come."""
    return riders.ahead(seen, seat)


def facts(seen: Seen, seat: Seat) -> Sequence[Fact]:
    """What IF may ask: the same for everybody at any time."""
    return conditions.FACTS


def holds(seen: Seen, seat: Seat, condition: Condition) -> bool:
    """Whether a fact holds on the seat's own view."""
    return conditions.holds(seen, seat, condition)


def _accepted(seen: Seen, decision: Decision) -> tuple[Order, ...]:
    """The proposals that the rules do not refuse now."""
    found = (o for o in proposals(seen, decision) if chapters.refusal(seen, decision, o) is None)
    return tuple(dict.fromkeys(found))


def _likely(form: Form, orders: Iterable[Order]) -> Form:
    """The form with the values of accepted orders as the likely values of its slots."""
    readings = [values for order in orders if (values := form.read(order)) is not None]
    return replace(form, slots=tuple(replace(s, likely=_values(s, readings)) for s in form.slots))


def _values(slot: Slot, readings: Sequence[Mapping[str, object]]) -> tuple[str | int, ...]:
    found: dict[str | int, None] = {}
    for values in readings:
        value = values[slot.name]
        items = value if isinstance(value, tuple) else (value,)
        found.update(dict.fromkeys(item for item in items if isinstance(item, int | str) and item != ""))
    return tuple(found)
