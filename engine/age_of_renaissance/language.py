"""The order language of the game, for one question: forms, likely lines, riders, facts.

Static parts are built once, in `forms`, `vocabulary` and `conditions`; here they meet a position, as its author
sees it.
"""

from collections.abc import Sequence
from typing import Final

from engine.age_of_renaissance import conditions, riders
from engine.age_of_renaissance.acts import Seen
from engine.age_of_renaissance.chapters import CHAPTERS
from engine.age_of_renaissance.forms import FORMS
from engine.age_of_renaissance.orders import Attack
from engine.age_of_renaissance.suggestions import proposals
from engine.kernel.forms import Fact, Form
from engine.kernel.gates import Gate
from engine.kernel.names import Seat
from engine.kernel.orders import Clause, Condition, Decision, Line, Order
from engine.kernel.phrasebook import hopeful

_TRIES: Final = 2
"""How often a suggested attack is tried: the first defeat often leaves tokens for a second one (§9.5.2)."""


def forms(seen: Seen, decision: Decision) -> Sequence[Form]:
    """What may be written: the whole vocabulary, with what would be accepted now where the question is of now."""
    return hopeful(FORMS[decision.asks], _accepted(seen, decision))


def suggest(seen: Seen, decision: Decision) -> Sequence[Line]:
    """Lines that would each be accepted alone now, best first; none for a phase of another turn."""
    again = CHAPTERS.carrying(decision, ()) is not None
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
    return tuple(o for o in proposals(seen, decision) if CHAPTERS.refusal(seen, decision, o) is None)


def _of_now(seen: Seen, decision: Decision) -> bool:
    """Whether this board can judge the question: it is open, or a rider, or a later phase of this turn."""
    if any(decision.gate == d.gate and decision.seat == d.seat for d in seen.core.open):
        return True
    rider = decision.asks not in ("tokens", *(phase.value for phase in riders.SETS), "final")
    return rider or Gate.parse(decision.gate).turn == seen.board.turn


def _line(order: Order, again: bool) -> Line:
    return Line((Clause(order),), _TRIES if again and isinstance(order, Attack) and not order.convert else 1)
