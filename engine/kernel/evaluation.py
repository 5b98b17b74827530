"""How well a seat stands, and what a line of orders would change in it, as far as its own view tells."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, Generic, Protocol, runtime_checkable

from engine.kernel.orders import Orders, Question
from engine.kernel.position import B, Position
from engine.kernel.rules import Rules
from engine.kernel.validation import all_valid, preview_orders
from engine.kernel.viewers import Seat

ODDS: Final = frozenset({"wins", "of"})
"""What a note says that tells odds: in how many of how many throws would be won what a trial took as won."""


@runtime_checkable
class EvaluatesPosition(Protocol):
    """Rules of a game that can tell what a position is worth to a seat (optional, like `SupportsReadings`)."""

    def evaluate(self, seen: Position[Any], seat: Seat) -> int:
        """Return the rough worth of a position, in a unit of the game: more for the one that its owner would prefer."""
        ...


@dataclass(frozen=True)
class Outlook(Generic[B]):
    """What a set may lead to: the position if all goes well, and its worth, which counts the odds of its last line."""

    orders: Orders
    position: Position[B]
    worth: Fraction


def evaluate_orders(rules: Rules[B], seen: Position[B], seat: Seat) -> Fraction:
    """Return what a position is worth to a seat, as read under `seen_by`, by rules that evaluate."""
    assert isinstance(rules, EvaluatesPosition)
    return Fraction(rules.evaluate(seen, seat))


def preview_outcome(
    rules: Rules[B], seen: Position[B], decision: Question, orders: Orders, before: Fraction
) -> Outlook[B] | None:
    """Preview a set on the view of its author. Return None if it is not valid.

    `before`: what things are worth without its last line, and if that is tried in vain.
    """
    found = preview_orders(rules, seen, decision, orders, own=True)
    if not all_valid(found.results) or (orders and found.results[-1].chosen is None):
        return None
    odds = Fraction(1)
    for note in found.results[-1].notes if orders else ():
        if note.terms.keys() >= ODDS:
            odds *= Fraction(int(str(note.terms["wins"])), int(str(note.terms["of"])))
    won = evaluate_orders(rules, found.position, decision.seat)
    return Outlook(orders, found.position, odds * won + (1 - odds) * before)
