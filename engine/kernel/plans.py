"""Plans: the next turns of a seat in a game in which seats act in turn, each with a first choice and another."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol, runtime_checkable

from engine.kernel.orders import Clause, Line, Order, Orders, Question
from engine.kernel.position import B, Position
from engine.kernel.rules import Rules
from engine.kernel.secrets import seen_by
from engine.kernel.validation import all_valid, preview_orders

TURNS: Final = 3
"""How many turns a plan covers."""
LINES: Final = 5
"""The most lines of a plan: an order that takes no turn has a line of its own."""
TRIED: Final = 6
"""How many suggestions are looked at for a line."""


@runtime_checkable
class TakesTurns(Protocol):
    """Rules of a game that keeps the lines of an answer and does them one a turn (optional).

    `turn_orders`: by topic, the orders that take a turn. `leaving`: those of them that end the turns of their author.
    """

    turn_orders: Mapping[str, frozenset[type[Order]]]
    leaving: frozenset[type[Order]]


def plan_turns(rules: Rules[B], seen: Position[B], decision: Question, turns: int = TURNS) -> Orders:
    """Return a line for each of the next turns: what is best after the lines before it, and another after ELSE.

    The set is valid as it stands. It is empty if a seat does not answer this topic turn by turn, or nothing is
    suggested.
    """
    if not isinstance(rules, TakesTurns) or decision.topic not in rules.turn_orders:
        return ()
    kept: Orders = ()
    at, left = seen, turns
    while left and len(kept) < LINES:
        with seen_by(decision.seat):
            suggested = rules.suggest_orders(at, decision, TRIED)
        line = _first_and_other(rules, decision.topic, suggested)
        if line is None or (kept and type(line.plan[0].order) in rules.leaving):
            break
        found = preview_orders(rules, seen, decision, (*kept, line), own=True)
        if not all_valid(found.results) or found.results[-1].chosen is None:
            break
        kept, at = (*kept, line), found.position
        left -= type(line.plan[0].order) in rules.turn_orders[decision.topic]
    return kept


def _first_and_other(rules: TakesTurns, topic: str, suggested: Sequence[Line]) -> Line | None:
    """Return the first suggestion, and after ELSE the next one that takes a turn and leaves the author in play."""
    if not suggested:
        return None
    first: Line = suggested[0]
    if type(first.plan[0].order) not in rules.turn_orders[topic] - rules.leaving:
        return first
    others: list[Any] = [line.plan[0].order for line in suggested[1:]]
    other = next((o for o in others if type(o) in rules.turn_orders[topic] - rules.leaving), None)
    return first if other is None else Line(first.plan, first.repeat, (Clause(other),))
