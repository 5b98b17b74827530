"""The table: the only object through which rules act."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Generic, Protocol, TypeVar

from engine.kernel.apply import SupportsApply, apply
from engine.kernel.dice import Draw, Draws, NameUsedTwice
from engine.kernel.events import (
    Event,
    LineFailed,
    LinesDropped,
    LineStarted,
    QuestionRepeated,
    QuestionsAsked,
    StepsQueued,
    Withdrawn,
)
from engine.kernel.forms import Topic
from engine.kernel.gates import Gate
from engine.kernel.orders import AskMe, Clause, Condition, Line, Order, Problem, Question
from engine.kernel.position import B, Core, ExecuteOrders, Position, Step
from engine.kernel.secrets import Sealed, seen_by
from engine.kernel.viewers import Seat

T = TypeVar("T")
S = TypeVar("S", bound=ExecuteOrders)


class NotForeseeable(Exception):
    """A trial reached a draw; rules must presume its result instead."""


class Topics(Protocol):
    """The topics of a game."""

    def topic(self, asks: str) -> Topic:
        """Return the topic of a key. Raises KeyError."""
        ...


class JudgesOrders(SupportsApply[B], Protocol[B]):
    """The part of a game's rules that a table uses."""

    @property
    def meta(self) -> Topics:
        """Return the game's topics."""
        ...

    def refusal(self, seen: Position[B], decision: Question, order: Order) -> Problem | None:
        """Return why this order is impossible now, as far as its author knows, or None."""
        ...

    def fact_holds(self, seen: Position[B], seat: Seat, condition: Condition) -> bool:
        """Return True if the fact holds on the seat's own view. The kernel applies `negated`."""
        ...


class Table(Generic[B]):
    """A position during an entry. Rules change it only by events, and draw by name."""

    trial = False
    """True while lines are tried on their author's view: draws are presumed won, and no questions are asked."""

    def __init__(self, rules: JudgesOrders[B], position: Position[B], draws: Draws) -> None:
        """`position`: changed in place."""
        self.rules, self.position = rules, position
        self.events: list[Event] = []
        self.drawn: list[Draw] = []
        self._draws, self._names = draws, set[str]()

    @property
    def board(self) -> B:
        """Return the game's own state."""
        return self.position.board

    @property
    def core(self) -> Core:
        """Return seats, options, agenda and open questions."""
        return self.position.core

    def emit(self, event: Event) -> None:
        """Apply an event at once and record it."""
        apply(self.rules, self.position, event)
        self.events.append(event)

    def ask(self, *decisions: Question) -> None:
        """Ask questions. The loop stops while a blocking one is open."""
        if decisions:
            self.emit(QuestionsAsked(decisions=decisions))

    def withdraw(self, seat: Seat) -> None:
        """Close the open questions of a seat, for example of an eliminated one."""
        self.emit(Withdrawn(seat=seat))

    def then(self, *steps: Step) -> None:
        """Queue steps before the rest of the agenda, in order."""
        if steps:
            self.emit(StepsQueued(steps=steps))

    def note(self, problem: Problem) -> None:
        """Add a remark about the current line; only a trial keeps it, for the line's result."""

    def roll(self, name: str, sides: int = 6) -> int:
        """Return a drawn number from 1 to `sides`. Raises NameUsedTwice for a repeated name in this entry."""
        self._claim(name)
        result = self._draws.roll(name, sides)
        self.drawn.append(Draw(name, sides, result))
        return result

    def shuffle(self, name: str, items: Sequence[T]) -> tuple[T, ...]:
        """Return the items in a drawn order. Raises NameUsedTwice for a repeated name in this entry."""
        self._claim(name)
        places = self._draws.shuffle(name, items)
        self.drawn.append(Draw(name, len(items), places))
        return tuple(items[p] for p in places)

    def _claim(self, name: str) -> None:
        if name in self._names:
            raise NameUsedTwice(name)
        self._names.add(name)

    def next_order(self, step: S) -> tuple[Order | None, S]:
        """Start the next line that is possible now.

        Return its order and the remaining step, or (None, step) if none is left.

        The caller queues what remains: `rest.line_done()` after success, `rest` to try again. Lines that are impossible
        fail, visible to their owner alone. The question is repeated at gate `GATE~n` if a line says ASK ME, or if a
        line fails and the option `failures` is `again`.
        """
        lines = step.orders.value
        while step.line < len(lines):
            line = lines[step.line]
            found, reasons, otherwise = self._pick(step, line)
            if found is not None:
                self._start_line(step, found, reasons, otherwise)
            if found is not None and isinstance(found.order, AskMe):
                step = self._repeat_question(step, len(lines))
                continue
            if found is not None:
                return found.order, self._after_line(step, line, otherwise)
            if step.tries == 0 or line.fallback:
                self._fail_line(step, line, reasons)
            step = replace(step, line=step.line + 1, tries=0)
            if self._stop_after(step, len(lines), conditional=_is_conditional(line)):
                return None, replace(step, line=len(lines))
        return None, step

    def _pick(self, step: ExecuteOrders, line: Line) -> tuple[Clause | None, tuple[Problem, ...], bool]:
        """Return the clause to do at this try, the reasons of those before it, and True if it is of the fallback."""
        reasons: tuple[Problem, ...] = ()
        if step.tries < line.repeat:
            found, reasons = self.choose(step, line.plan)
            if found is not None:
                return found, reasons, False
        found, more = self.choose(step, line.fallback)
        return found, (*reasons, *more), True

    def choose(self, step: ExecuteOrders, plan: Iterable[Clause]) -> tuple[Clause | None, tuple[Problem, ...]]:
        """Return the first clause whose conditions hold and whose order is legal on the owner's view.

        Also return the problems of the clauses before it. The clause is None if there is none.
        """
        reasons: list[Problem] = []
        decision = step.question()
        with seen_by(step.seat):
            for clause in plan:
                problem = self._unmet_conditions(step.seat, clause)
                if problem is None and not isinstance(clause.order, AskMe):
                    problem = self.rules.refusal(self.position, decision, clause.order)
                if problem is None:
                    return clause, tuple(reasons)
                reasons.append(problem)
        return None, tuple(reasons)

    def _unmet_conditions(self, seat: Seat, clause: Clause) -> Problem | None:
        for condition in clause.conditions:
            if self.rules.fact_holds(self.position, seat, condition) == condition.negated:
                return Problem("condition_fails", {"condition": condition})
        return None

    def _start_line(self, step: ExecuteOrders, clause: Clause, reasons: tuple[Problem, ...], otherwise: bool) -> None:
        self.emit(
            LineStarted(
                seat=step.seat,
                gate=step.gate,
                line=step.line,
                attempt=step.tries + 1,
                clause=clause,
                passed=reasons,
                otherwise=otherwise,
                visible_to=_only_seat(step.seat),
            )
        )

    def _fail_line(self, step: ExecuteOrders, line: Line, reasons: tuple[Problem, ...]) -> None:
        self.emit(
            LineFailed(
                seat=step.seat,
                gate=step.gate,
                line=step.line,
                reasons=reasons,
                attempted=line,
                visible_to=_only_seat(step.seat),
            )
        )

    def _repeat_question(self, step: S, lines: int) -> S:
        """Ask the owner again instead of doing the remaining lines; a trial goes on, to check those too."""
        if self.trial:
            return replace(step, line=step.line + 1, tries=0)
        left = lines - step.line - 1
        self.emit(
            QuestionRepeated(
                seat=step.seat, gate=step.gate, line=step.line, lines=left, visible_to=_only_seat(step.seat)
            )
        )
        self._ask_again(step)
        return replace(step, line=lines)

    def _ask_again(self, step: ExecuteOrders) -> None:
        self.ask(Question(str(Gate.parse(step.gate).next()), step.seat, step.topic))

    def _after_line(self, step: S, line: Line, otherwise: bool) -> S:
        """Return the step if the current order fails: another try, or the next line."""
        last = otherwise or (step.tries + 1 >= line.repeat and not line.fallback)
        return replace(step, line=step.line + 1, tries=0) if last else replace(step, tries=step.tries + 1)

    def _stop_after(self, step: ExecuteOrders, lines: int, conditional: bool) -> bool:
        """Return True if a failed line ends the orders, by the option `failures`.

        A conditional line never does, because it was written to be able to fail. Nor does the answer to a reaction
        question, which is not asked twice.
        """
        policy = self.core.options.get("failures", "next")
        if self.trial or conditional or policy == "next" or self.rules.meta.topic(step.topic).is_reaction:
            return False
        again = policy == "again"
        self.emit(
            LinesDropped(
                seat=step.seat, gate=step.gate, lines=lines - step.line, again=again, visible_to=_only_seat(step.seat)
            )
        )
        if again:
            self._ask_again(step)
        return True


def _only_seat(seat: Seat) -> frozenset[Seat]:
    return frozenset({seat})


def _is_conditional(line: Line) -> bool:
    return bool(line.fallback) or any(clause.conditions for clause in line.plan)


def seal(value: T) -> Sealed[T]:
    """Return a value that only the engine can read."""
    return Sealed(value)
