"""The table: the only handle that a rule gets, and all that it may do."""

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
    """A trial met a draw: it must presume a result instead of drawing."""


class Topics(Protocol):
    """What a game asks for."""

    def topic(self, asks: str) -> Topic:
        """The topic of a question; raises KeyError."""
        ...


class JudgesOrders(SupportsApply[B], Protocol[B]):
    """The part of a game's rules that a table asks."""

    @property
    def meta(self) -> Topics:
        """The game's topics."""
        ...

    def refusal(self, seen: Position[B], decision: Question, order: Order) -> Problem | None:
        """Why this order cannot be done now, as far as its author knows; None if it can."""
        ...

    def fact_holds(self, seen: Position[B], seat: Seat, condition: Condition) -> bool:
        """Return True if the fact holds on the seat's own view (negation is the kernel's)."""
        ...


class Table(Generic[B]):
    """A position under way: rules change it by events alone, and draw by name."""

    trial = False
    """True while lines are only tried on their author's own view: draws are presumed won, nobody is asked."""

    def __init__(self, rules: JudgesOrders[B], position: Position[B], draws: Draws) -> None:
        """`position` is the table's own: it is changed in place."""
        self.rules, self.position = rules, position
        self.events: list[Event] = []
        self.drawn: list[Draw] = []
        self._draws, self._names = draws, set[str]()

    @property
    def board(self) -> B:
        """The game's own state."""
        return self.position.board

    @property
    def core(self) -> Core:
        """Seats, options, agenda, open questions."""
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
        """Close the open questions of a seat that is eliminated or gone."""
        self.emit(Withdrawn(seat=seat))

    def then(self, *steps: Step) -> None:
        """Queue steps before the rest of the agenda, in their order."""
        if steps:
            self.emit(StepsQueued(steps=steps))

    def note(self, problem: Problem) -> None:
        """Say something about the line under way; heard in a trial only, where it goes with the line's ruling."""

    def roll(self, name: str, sides: int = 6) -> int:
        """Draw a number from 1 to `sides`, under a name used once in this entry."""
        self._claim(name)
        result = self._draws.roll(name, sides)
        self.drawn.append(Draw(name, sides, result))
        return result

    def shuffle(self, name: str, items: Sequence[T]) -> tuple[T, ...]:
        """Return the items in a drawn order."""
        self._claim(name)
        places = self._draws.shuffle(name, items)
        self.drawn.append(Draw(name, len(items), places))
        return tuple(items[p] for p in places)

    def _claim(self, name: str) -> None:
        if name in self._names:
            raise NameUsedTwice(name)
        self._names.add(name)

    def next_order(self, step: S) -> tuple[Order | None, S]:
        """Take the next line that can be done now: its order, and what remains (tries counted).

        The caller queues what remains: `rest.done()` after success, `rest` to try again.  Lines that cannot
        be done lapse, and their owner alone is told why.  (None, rest) means that nothing is left; where the
        option `failures` is `again`, and always where a line says ASK ME, the owner is asked the same question once
        more, at gate `GATE~n`.
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
        """The clause to do at this try, why the ones before it are passed over, and whether it is an otherwise."""
        reasons: tuple[Problem, ...] = ()
        if step.tries < line.repeat:
            found, reasons = self.choose(step, line.plan)
            if found is not None:
                return found, reasons, False
        found, more = self.choose(step, line.fallback)
        return found, (*reasons, *more), True

    def choose(self, step: ExecuteOrders, plan: Iterable[Clause]) -> tuple[Clause | None, tuple[Problem, ...]]:
        """The first clause that applies and is legal on the owner's own view, and the reasons of those before it."""
        reasons: list[Problem] = []
        decision = Question(step.gate, step.seat, step.topic)
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
        """The owner is asked again instead of what follows; a trial goes on, to judge that too."""
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
        """What remains when the order just taken fails: another try, or the next line."""
        last = otherwise or (step.tries + 1 >= line.repeat and not line.fallback)
        return replace(step, line=step.line + 1, tries=0) if last else replace(step, tries=step.tries + 1)

    def _stop_after(self, step: ExecuteOrders, lines: int, conditional: bool) -> bool:
        """Return True if a line that lapsed ends the set: never for a conditional line, which was meant to be able to.

        Nor for the answer to an interruption, which may stand for a whole turn: nobody waits for it twice.
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
    """A value that nobody reads before the table opens it."""
    return Sealed(value)
