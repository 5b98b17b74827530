"""Rules made of chapters: a game's own modules put together, and asked as the kernel asks.

A game of any size is written as one module a chapter of its rulebook.  Each may hold some of these mappings:

    STEPS     type of step       -> take(table, step)
    GATES     Gate.asks         -> resolve(table, gate, answers)
    REFUSALS  type of order      -> refusal(seen, decision, order), or None
    DEFAULTS  question           -> the orders taken when nobody answers
    SETS      question           -> the step that carries a set out, line by line
"""

from collections.abc import Iterable, Mapping, Sequence
from types import ModuleType
from typing import Any, Generic, Protocol

from engine.kernel.forms import Fact, Form
from engine.kernel.gates import Gate
from engine.kernel.names import Seat
from engine.kernel.orders import Condition, Decision, Line, Order, Orders, Problem
from engine.kernel.position import B, Carrying, Position, Step
from engine.kernel.table import Table


class Chapters(Generic[B]):
    """Which chapter does a step, takes an answer, judges an order, knows a default."""

    def __init__(self, modules: Iterable[ModuleType], answers: Mapping[str, tuple[type[Order], ...]]) -> None:
        """`answers`: the orders that answer each question.  Raises ValueError where two chapters claim one thing."""
        found = tuple(modules)
        self.answers = answers
        self._steps, self._gates, self._refusals, self._defaults, self._sets = (
            merged(name, found) for name in ("STEPS", "GATES", "REFUSALS", "DEFAULTS", "SETS")
        )

    def take(self, table: Table[B], step: Step) -> None:
        """Do one step of the agenda."""
        self._steps[type(step)](table, step)

    def resolve(self, table: Table[B], gate: str, answers: Mapping[Seat, Orders]) -> None:
        """All answers of a gate are in."""
        self._gates[Gate.parse(gate).asks](table, gate, answers)

    def carrying(self, decision: Decision, orders: Orders) -> Carrying | None:
        """The step that carries a set out line by line; None for a question that takes one order."""
        make = self._sets.get(decision.asks)
        step: Carrying | None = make(decision, orders) if make else None
        return step

    def refusal(self, seen: Position[B], decision: Decision, order: Order) -> Problem | None:
        """Why this order cannot be done now, as far as its author knows."""
        if type(order) not in self.answers[decision.asks]:
            return Problem("not_here", {"asks": decision.asks}, lasting=True)
        problem: Problem | None = self._refusals[type(order)](seen, decision, order)
        return problem

    def default(self, seen: Position[B], decision: Decision) -> Orders:
        """The stated default if the deadline passes; to most questions it is nothing."""
        make = self._defaults.get(decision.asks)
        orders: Orders = make(seen, decision) if make else ()
        return orders


def merged(name: str, modules: Iterable[ModuleType]) -> dict[Any, Any]:
    """One mapping of all chapters; raises ValueError for a thing that two of them claim differently."""
    found: dict[Any, Any] = {}
    for module in modules:
        part: Mapping[Any, Any] = getattr(module, name, {})
        twice = {key for key in found.keys() & part.keys() if found[key] is not part[key]}
        if twice:
            raise ValueError(f"{module.__name__}: {twice} is claimed by another chapter")
        found.update(part)
    return found


class Spoken(Protocol[B]):
    """The order language of a game, for one question: its module `language`."""

    def forms(self, seen: Position[B], decision: Decision) -> Sequence[Form]:
        """What may be written in answer."""
        ...

    def suggest(self, seen: Position[B], decision: Decision) -> Sequence[Line]:
        """Likely lines, best first."""
        ...

    def ahead(self, seen: Position[B], seat: Seat) -> Sequence[Decision]:
        """What may be answered before it is asked."""
        ...

    def facts(self, seen: Position[B], seat: Seat) -> Sequence[Fact]:
        """What IF may ask."""
        ...

    def holds(self, seen: Position[B], seat: Seat, condition: Condition) -> bool:
        """Whether a fact holds on the seat's own view."""
        ...


class Chaptered(Generic[B]):
    """The part of a game's Rules that hands each question on to the chapter, or to the language, that knows.

    The game adds its Meta, `blank`, `begin`, `apply`, `turn`, `present` and `problems`.
    """

    def __init__(self, chapters: Chapters[B], language: Spoken[B]) -> None:
        """Stateless beside these."""
        self.take = chapters.take
        self.resolve = chapters.resolve
        self.carrying = chapters.carrying
        self.refusal = chapters.refusal
        self.default = chapters.default
        self.forms = language.forms
        self.suggest = language.suggest
        self.ahead = language.ahead
        self.facts = language.facts
        self.holds = language.holds
