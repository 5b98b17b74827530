"""The value of a position to a seat, and the change that a line of orders would make, from that seat's own view."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, Generic, Protocol, runtime_checkable

from engine.kernel.orders import Orders, Question
from engine.kernel.position import B, Position
from engine.kernel.rules import Rules
from engine.kernel.validation import all_valid, preview_orders
from engine.kernel.viewers import Seat

ODDS: Final = frozenset({"wins", "of"})
"""Terms of a note that states odds: a draw that a trial presumes won is won in `wins` of `of` cases."""


@runtime_checkable
class EvaluatesPosition(Protocol):
    """Rules that can evaluate a position for a seat (optional, like `SupportsReadings`)."""

    def evaluate(self, seen: Position[Any], seat: Seat) -> int:
        """Return a rough value in a unit of the game; a position that the seat prefers has a higher value."""
        ...


@dataclass(frozen=True)
class Outlook(Generic[B]):
    """The expected result of a set of orders.

    `position`: the position if every draw is won. `worth`: its value, weighted by the odds of the last line.
    """

    orders: Orders
    position: Position[B]
    worth: Fraction


def evaluate_orders(rules: Rules[B], seen: Position[B], seat: Seat) -> Fraction:
    """Return the value of a position to a seat; call it under `seen_by`, with rules that are `EvaluatesPosition`."""
    assert isinstance(rules, EvaluatesPosition)
    return Fraction(rules.evaluate(seen, seat))


def preview_outcome(
    rules: Rules[B], seen: Position[B], decision: Question, orders: Orders, before: Fraction
) -> Outlook[B] | None:
    """Preview orders on their author's view.

    Return None if they are invalid or the last line would do nothing.

    `before`: the value without the last line, which counts if its draws are lost.
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
