"""Checking of orders from their author's own view: line by line, in order, with draws presumed won.

Orders are judged by the author's view alone, so that refusals and conditions cannot reveal secrets. An order that is
impossible only in truth fails when it is carried out, as an event.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final, Generic, TypeVar, cast

from engine.kernel.dice import Draws
from engine.kernel.events import Event, LineFailed, LineStarted
from engine.kernel.orders import (
    AskMe,
    Clause,
    Line,
    LineResult,
    Orders,
    Problem,
    Question,
    always_requests_new_answer,
    single_order,
)
from engine.kernel.position import B, ExecuteOrders, Position
from engine.kernel.rules import Rules
from engine.kernel.secrets import Sealed, deep_copy, redact, seen_by
from engine.kernel.table import NotForeseeable, Table
from engine.kernel.viewers import Seat

S = TypeVar("S", bound=ExecuteOrders)
UNREACHED: Final = Problem("behind_ask_me", lasting=True)
USED: Final = Problem("used_before")


class NoDraws:
    """Draws of a trial: every draw raises NotForeseeable."""

    def roll(self, name: str, sides: int) -> int:
        raise NotForeseeable(name)

    def shuffle(self, name: str, items: Sequence[object]) -> tuple[int, ...]:
        raise NotForeseeable(name)


class TrialStopped(Exception):
    """A trial goes no further."""


class Trial(Table[B]):
    """A table on which an author's lines are tried on their own view, as if no other player moved."""

    trial = True

    def __init__(self, rules: Rules[B], position: Position[B], orders: Orders) -> None:
        """`position`: the author's redacted position, changed in place."""
        draws: Draws = NoDraws()
        super().__init__(rules, position, draws)
        self.lines, self.not_held = orders, rules.meta.not_held
        self.notes: dict[int, list[Problem]] = {}
        self.under_way = 0
        self.author: Seat | None = None

    def ask(self, *decisions: Question) -> None:
        """Note what the author will be asked: nobody answers in a trial, so what a question would change does not
        happen.
        """
        for decision in decisions:
            if decision.seat == self.author and decision.blocking:
                self.note(Problem("asked_next", {"asks": decision.topic}))

    def note(self, problem: Problem) -> None:
        """Add a remark about the current line, such as the odds of a draw."""
        self.notes.setdefault(self.under_way, []).append(problem)

    def next_order(self, step: S) -> tuple[object, S]:  # type: ignore[override]
        """Work as `Table.next_order`, with the lines of the trial, because those of the step are sealed."""
        found = super().next_order(replace(step, orders=_Open(self.lines)))
        taken = next((e for e in reversed(self.events) if isinstance(e, LineStarted)), None)
        self.under_way = taken.line if taken else 0
        self.author = step.seat
        return found


class _Open(Sealed[Orders]):
    """Orders that their author may read, because they are writing them."""

    @property
    def value(self) -> Orders:
        return cast(Orders, self.held)


@dataclass(frozen=True)
class Preview(Generic[B]):
    """The result of orders on their author's view, if no other player moved and every draw were won."""

    results: tuple[LineResult, ...]
    events: tuple[Event, ...]
    position: Position[B]


def spend_nothing() -> None:
    """Allow any amount of work."""


def check_orders(
    rules: Rules[B], position: Position[B], decision: Question, orders: Orders, *, own: bool = False
) -> tuple[LineResult, ...]:
    """Return one result for each line.

    `position`: the true position or the author's redacted copy; the results are the same. `own`: it is the redacted
    copy, which saves redacting it.
    """
    return preview_orders(rules, position, decision, orders, own=own).results


def all_valid(rulings: Iterable[LineResult]) -> bool:
    """Return True if every line is valid: orders count as a whole or not at all."""
    return all(r.is_valid for r in rulings)


def preview_orders(
    rules: Rules[B],
    position: Position[B],
    decision: Question,
    orders: Orders,
    *,
    own: bool = False,
    spend: Callable[[], None] = spend_nothing,
) -> Preview[B]:
    """Carry out the lines on the author's view, as if no other player moved and every draw were won.

    `own`: `position` is the author's redacted copy already.
    `spend`: called before each clause and each step; it may raise to limit the work.
    """
    # Either way a copy that may be changed: only frozen values are shared.
    seen = deep_copy(position) if own else redact(position, decision.seat)
    step = rules.execution_of(decision, orders)
    with seen_by(decision.seat):
        if step is None:
            return Preview(_check_single(rules, seen, decision, orders), (), seen)
        return _run_in_sequence(rules, seen, decision, orders, step, spend)


def _check_single(rules: Rules[B], seen: Position[B], decision: Question, orders: Orders) -> tuple[LineResult, ...]:
    """Check the answer to a question that takes one order, without conditions."""
    topic = rules.meta.topic(decision.topic)
    if len(orders) > 1:
        problem = Problem("one_answer", {"count": len(orders)}, lasting=True)
        return (LineResult(orders[0]), *(LineResult(line, problem) for line in orders[1:]))
    if not orders:
        return () if topic.may_pass else (LineResult(Line(()), Problem("answer_needed", {}, lasting=True)),)
    order = single_order(orders)
    if order is None or isinstance(order, AskMe):
        return (LineResult(orders[0], Problem("no_plan_here", {}, lasting=True)),)
    return (LineResult(orders[0], rules.refusal(seen, decision, order), orders[0].plan[0]),)


def _run_in_sequence(
    rules: Rules[B],
    seen: Position[B],
    decision: Question,
    orders: Orders,
    step: ExecuteOrders,
    spend: Callable[[], None],
) -> Preview[B]:
    lasting = [_find_lasting(rules, seen, decision, line, spend) for line in orders]
    behind = next((n + 1 for n, line in enumerate(orders) if always_requests_new_answer(line)), len(orders))
    lasting[behind:] = [problem or UNREACHED for problem in lasting[behind:]]
    trial = Trial(rules, seen, orders)
    run_trial(rules, trial, step, spend)
    rulings = tuple(_to_result(trial, n, line, lasting[n]) for n, line in enumerate(orders))
    return Preview(rulings, tuple(trial.events), seen)


def run_trial(rules: Rules[B], trial: Trial[B], step: ExecuteOrders, spend: Callable[[], None] = spend_nothing) -> None:
    """Carry out the lines of a trial by the step for them, to the end or until it raises TrialStopped."""
    trial.position.core.agenda, trial.position.core.questions = (), ()
    trial.then(step)
    core = trial.core
    with suppress(TrialStopped):
        while core.agenda:
            spend()
            step_now = core.agenda[0]
            core.agenda = core.agenda[1:]
            rules.take(trial, step_now)


def _find_lasting(
    rules: Rules[B], seen: Position[B], decision: Question, line: Line, spend: Callable[[], None]
) -> Problem | None:
    """Return the problem of any clause that nothing in the phase can change, or None."""
    for clause in (*line.plan, *line.fallback):
        spend()
        problem = None if isinstance(clause.order, AskMe) else rules.refusal(seen, decision, clause.order)
        if problem is not None and problem.lasting:
            return problem
    return None


def _to_result(trial: Trial[B], number: int, line: Line, lasting: Problem | None) -> LineResult:
    opened = [e for e in trial.events if isinstance(e, LineStarted) and e.line == number]
    lapsed = [e for e in trial.events if isinstance(e, LineFailed) and e.line == number]
    notes = tuple(trial.notes.get(number, ()))
    chosen: Clause | None = opened[-1].clause if opened else None
    if lasting is not None:
        return LineResult(line, lasting, None, notes)
    if chosen is None and lapsed and not (line.fallback or any(c.conditions for c in line.plan)):
        nothing = Problem("nothing_to_do", lasting=True)
        problem = next(iter(lapsed[0].reasons), nothing)
        return LineResult(line, USED if _used_before(trial, number, line, problem) else problem, None, notes)
    return LineResult(line, None, chosen, notes)


def _used_before(trial: Trial[B], number: int, line: Line, problem: Problem) -> bool:
    """Return True if a card is not held only because an earlier line uses it."""
    if problem.code not in trial.not_held:
        return False
    wanted = _words(vars(line.plan[0].order)) & _words(problem.terms)
    before = (e.clause.order for e in trial.events if isinstance(e, LineStarted) and e.line < number)
    return any(order == line.plan[0].order or wanted & _words(vars(order)) for order in before)


def _words(fields: Mapping[str, object]) -> set[object]:
    """Return the values of fields, those of tuples one by one."""
    return {word for value in fields.values() for word in (value if isinstance(value, tuple) else (value,))}
