"""The order language of the game, for one question: forms, likely lines.

Static parts are built once, in `forms`, `vocabulary` and `conditions`; here they meet a position, as its author
sees it.
"""

from collections.abc import Sequence

from engine.kernel.forms import Fact, Form
from engine.kernel.names import Seat
from engine.kernel.orders import Condition, Decision, Line, Order, simply
from engine.kernel.phrasebook import hopeful
from engine.renaissance import conditions, riders
from engine.renaissance.acts import Seen
from engine.renaissance.chapters import CHAPTERS
from engine.renaissance.forms import FORMS
from engine.renaissance.suggestions import proposals


def forms(seen: Seen, decision: Decision) -> Sequence[Form]:
    """What may be written: the whole vocabulary, with what would be accepted now where the question is of now."""
    return hopeful(FORMS[decision.asks], _accepted(seen, decision))


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
    found = (o for o in proposals(seen, decision) if CHAPTERS.refusal(seen, decision, o) is None)
    return tuple(dict.fromkeys(found))
