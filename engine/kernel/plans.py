"""Plans: the next turns of a seat in a game in which seats act in turn, each with a first choice and another.

Templates offer them, with the reactions that such turns may need.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import Any, Final, Protocol, runtime_checkable

from engine.kernel.events import Event, LineStarted
from engine.kernel.gates import Gate
from engine.kernel.orders import Clause, Line, Order, Orders, Question
from engine.kernel.position import B, Position
from engine.kernel.rules import Rules
from engine.kernel.secrets import seen_by
from engine.kernel.validation import all_valid, check_orders, preview_orders
from engine.kernel.viewers import Seat

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

    def in_plan(self, order: Order) -> Order:
        """Return an order as a plan states it: without the choices that a lasting reaction makes."""
        ...


@runtime_checkable
class AnswersPhases(Protocol):
    """Rules of a game whose seats can answer later phases of a turn in one letter (optional).

    `later`: by the topic that is asked, the topics of later phases, each with the kinds of orders of which a template
    offers a line, in this order; without any it offers PASS.
    """

    later: Mapping[str, Mapping[str, tuple[type[Order], ...]]]


def is_planned(rules: object, decision: Question) -> bool:
    """Return True if the lines that answer a question are done one a turn."""
    return isinstance(rules, TakesTurns) and decision.topic in rules.turn_orders


def plan_turns(rules: Rules[B], seen: Position[B], decision: Question) -> Orders:
    """Return a line for each of the next turns: what is best after the lines before it, and another after ELSE.

    The set is valid as it stands, and its last line takes a turn. It is empty if a seat does not answer this topic turn
    by turn, or if nothing is worth a turn.
    """
    if not is_planned(rules, decision):
        return ()
    assert isinstance(rules, TakesTurns)
    kept: Orders = ()
    at, left, whole = seen, TURNS, 0
    while left and len(kept) < LINES:
        with seen_by(decision.seat):
            suggested = rules.suggest_orders(at, decision, TRIED)
        line = _first_and_other(rules, decision.topic, suggested)
        if line is None or (left == TURNS and type(line.plan[0].order) in rules.leaving):
            break
        found = preview_orders(rules, seen, decision, (*kept, line), own=True)
        if not all_valid(found.results) or found.results[-1].chosen is None:
            break
        kept, at = (*kept, line), found.position
        if type(line.plan[0].order) in rules.leaving:
            return kept
        if type(line.plan[0].order) in rules.turn_orders[decision.topic]:
            left, whole = left - 1, len(kept)
    return kept[:whole]


def _first_and_other(rules: TakesTurns, topic: str, suggested: Sequence[Line]) -> Line | None:
    """Return the first suggestion, and after ELSE the next one that takes a turn and leaves the author in play."""
    if not suggested:
        return None
    acting = rules.turn_orders[topic] - rules.leaving
    orders: list[Any] = [rules.in_plan(line.plan[0].order) for line in suggested]
    first = orders[0]
    others = (o for o in orders[1:] if type(o) in acting and type(first) in acting and o != first)
    return Line((Clause(first),), 1, tuple(Clause(o) for o in others)[:1])


def offer_ahead(
    rules: Rules[B], seen: Position[B], seat: Seat, filed: Mapping[str, Orders]
) -> Iterator[tuple[Question, Orders]]:
    """Yield what a template offers beyond what it asks: the plan of a seat that is not asked yet, then reactions.

    In a game of phases that all answer, orders for the later ones.

    `filed`: what the seat has on file, by topic; a reaction is offered again if it would be refused now.
    """
    with seen_by(seat):
        coming = rules.advance_questions(seen, seat)
    asked = {d.topic for d in seen.core.questions if d.seat == seat and d.blocking}
    if isinstance(rules, AnswersPhases):
        later = {topic: kinds for one in asked for topic, kinds in rules.later.get(one, {}).items()}
        yield from ((d, _plan_set(rules, seen, d, later[d.topic])) for d in coming if d.topic in later.keys() - filed)
    if isinstance(rules, TakesTurns):
        yield from _offer_turns(rules, seen, coming, asked, filed)


def _plan_set(rules: Rules[B], seen: Position[B], decision: Question, kinds: tuple[type[Order], ...]) -> Orders:
    """Return a line of each kind of which one is suggested after the lines before it: the best."""
    kept: Orders = ()
    at, suggested = seen, None
    for kind in kinds:
        if suggested is None:
            with seen_by(decision.seat):
                suggested = rules.suggest_orders(at, decision)
        line = next((line for line in suggested if type(line.plan[0].order) is kind), None)
        if line is not None:
            found = preview_orders(rules, seen, decision, (*kept, line), own=True)
            if all_valid(found.results) and found.results[-1].chosen is not None:
                kept, at, suggested = (*kept, line), found.position, None
    return kept


def _offer_turns(
    rules: Rules[B], seen: Position[B], coming: Sequence[Question], asked: Set[str], filed: Mapping[str, Orders]
) -> Iterator[tuple[Question, Orders]]:
    planned = () if asked else (d for d in coming if is_planned(rules, d) and d.topic not in filed)
    found = [(d, orders) for d in planned if (orders := plan_turns(rules, seen, d))]
    yield from found
    if not (asked or found):
        return
    for d in coming:
        if rules.meta.topic(d.topic).lasts and not _serves(rules, seen, d, filed):
            with seen_by(d.seat):
                orders = tuple(rules.suggest_orders(seen, d, 1))
            if orders:
                yield d, orders


def _serves(rules: Rules[B], seen: Position[B], decision: Question, filed: Mapping[str, Orders]) -> bool:
    """Return True if what is on file would answer a question now."""
    orders = filed.get(decision.topic)
    return orders is not None and all_valid(check_orders(rules, seen, decision, orders, own=True))


def has_ended(rules: Rules[B], seen: Position[B], seat: Seat, events: Iterable[Event]) -> bool:
    """Return True if the last line of a plan of several turns was done, so that its author may file the next one."""
    if not isinstance(rules, TakesTurns):
        return False
    started = (e for e in events if isinstance(e, LineStarted) and e.line)
    if not any(Gate.parse(e.gate).topic in rules.turn_orders for e in started):
        return False
    with seen_by(seat):
        return any(is_planned(rules, d) for d in rules.advance_questions(seen, seat))
