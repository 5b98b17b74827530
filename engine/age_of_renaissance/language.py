"""The order language of the game, for one question: forms, likely lines, riders, facts.

Static parts are built once, in `forms`, `vocabulary` and `conditions`; here they meet a position, as its author
sees it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from engine.age_of_renaissance import chapters, conditions, riders
from engine.age_of_renaissance.acts import Seen
from engine.age_of_renaissance.forms import FORMS
from engine.age_of_renaissance.orders import Attack
from engine.age_of_renaissance.suggestions import proposals
from engine.kernel.forms import Fact, Form, Slot
from engine.kernel.names import Seat
from engine.kernel.orders import Clause, Condition, Decision, Line, Order

_TRIES: Final = 2
"""How often a suggested attack is tried: the first defeat often leaves tokens for a second one (§9.5.2)."""


def forms(seen: Seen, decision: Decision) -> Sequence[Form]:
    """What may be written: the whole vocabulary, with what would be accepted now where the question is of now."""
    full = FORMS[decision.asks]
    accepted = _accepted(seen, decision)
    return tuple(_likely(form, accepted) for form in full) if accepted else full


def suggest(seen: Seen, decision: Decision) -> Sequence[Line]:
    """Lines that would each be accepted alone now, best first; none for a phase of another turn."""
    again = chapters.carrying(decision, ()) is not None
    return tuple(_line(order, again) for order in _accepted(seen, decision))


def ahead(seen: Seen, seat: Seat) -> Sequence[Decision]:
    """Riders that could matter to this seat, and phases to come."""
    return riders.ahead(seen, seat)


def facts(seen: Seen, seat: Seat) -> Sequence[Fact]:
    """What IF may ask: the same for everybody at any time."""
    return conditions.FACTS


def holds(seen: Seen, seat: Seat, condition: Condition) -> bool:
    """Whether a fact holds on the seat's own view."""
    return conditions.holds(seen.board, seat, condition)


def _accepted(seen: Seen, decision: Decision) -> tuple[Order, ...]:
    """The proposals that the rules do not refuse now."""
    if not _of_now(seen, decision):
        return ()
    return tuple(o for o in proposals(seen, decision) if chapters.refusal(seen, decision, o) is None)


def _of_now(seen: Seen, decision: Decision) -> bool:
    """Whether this board can judge the question: it is open, or a rider, or a later phase of this turn."""
    if any(decision.gate == d.gate and decision.seat == d.seat for d in seen.core.open):
        return True
    rider = decision.asks not in ("tokens", *(phase.value for phase in riders.SETS), "final")
    turn = decision.gate.split("/")[1] if "/" in decision.gate else ""
    return rider or turn == str(seen.board.turn)


def _line(order: Order, again: bool) -> Line:
    return Line((Clause(order),), _TRIES if again and isinstance(order, Attack) and not order.convert else 1)


def _likely(form: Form, orders: Iterable[Order]) -> Form:
    """The form with the values of accepted orders as the likely values of its slots."""
    readings = [values for order in orders if (values := form.read(order)) is not None]
    return replace(form, slots=tuple(replace(s, likely=_values(s, readings)) for s in form.slots))


def _values(slot: Slot, readings: Sequence[Mapping[str, object]]) -> tuple[str | int, ...]:
    found: dict[str | int, None] = {}
    for values in readings:
        value = values[slot.name]
        items = value if isinstance(value, tuple) else (value,)
        found.update(dict.fromkeys(item for item in items if item != ""))
    return tuple(found)
