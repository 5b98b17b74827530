"""Rules made of chapters: a game's own modules put together, and asked as the kernel asks.

A game of any size is written as one module a chapter of its rulebook.  Each may hold some of these mappings:

    STEPS     type of step       -> take(table, step)
    GATES     Gate.asks         -> resolve(table, gate, answers)
    REFUSALS  type of order      -> refusal(seen, decision, order), or None
    DEFAULTS  question           -> the orders taken when nobody answers
    SETS      question           -> the kind of step that carries a set out, line by line

and PROBLEMS and NOTES, the codes of its refusals and of its remarks in a preview.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import ModuleType
from typing import Any, Generic

from engine.kernel.forms import Form
from engine.kernel.gates import Gate
from engine.kernel.orders import Order, Orders, Problem, Question
from engine.kernel.position import B, ExecuteOrders, Position, Step
from engine.kernel.secrets import Sealed
from engine.kernel.table import Table
from engine.kernel.viewers import Seat

Steps = Mapping[type[Step], Callable[[Table[Any], Any], None]]
Gates = Mapping[str, Callable[[Table[Any], str, Mapping[Seat, Orders]], None]]
Refusals = Mapping[type[Order], Callable[[Position[Any], Question, Any], Problem | None]]
Defaults = Mapping[str, Callable[[Position[Any], Question], Orders]]
Sets = Mapping[str, type[ExecuteOrders]]


class Chapters(Generic[B]):
    """Which chapter does a step, takes an answer, judges an order, knows a default."""

    def __init__(self, modules: Iterable[ModuleType], forms: Mapping[str, Sequence[Form]]) -> None:
        """`forms`: how each question is answered, and so by which orders.

        Raises ValueError where two chapters claim one thing, or one answers a question that no form does.
        """
        found = tuple(modules)
        self.forms = forms
        self.answers = {asks: frozenset(form.order for form in given) for asks, given in forms.items()}
        self._steps, self._gates, self._refusals, self._defaults, self._sets = (
            merge_handlers(name, found) for name in ("STEPS", "GATES", "REFUSALS", "DEFAULTS", "SETS")
        )
        self.questions("DEFAULTS", self._defaults)
        self.questions("SETS", self._sets)

    def questions(self, table: str, questions: Iterable[str]) -> None:
        """Raises ValueError if a table is about a question that no form answers: it would never be read."""
        if strange := sorted(set(questions) - self.forms.keys()):
            raise ValueError(
                f"{table} names {', '.join(strange)}, which no form answers; there is {', '.join(self.forms)}"
            )

    def take(self, table: Table[B], step: Step) -> None:
        """Do one step of the agenda."""
        _handler_for("STEPS", self._steps, type(step), type(step).__name__)(table, step)

    def resolve(self, table: Table[B], gate: str, answers: Mapping[Seat, Orders]) -> None:
        """All answers of a gate are in."""
        asks = Gate.parse(gate).topic
        _handler_for("GATES", self._gates, asks, repr(asks))(table, gate, answers)

    def execution_of(self, decision: Question, orders: Orders) -> ExecuteOrders | None:
        """The step that carries a set out line by line; None for a question that takes one order."""
        kind: type[ExecuteOrders] | None = self._sets.get(decision.topic)
        return kind(decision.seat, decision.gate, decision.topic, Sealed(orders)) if kind else None

    def refusal(self, seen: Position[B], decision: Question, order: Order) -> Problem | None:
        """Why this order cannot be done now, as far as its author knows."""
        if type(order) not in self.answers[decision.topic]:
            return Problem("not_here", {"asks": decision.topic}, lasting=True)
        refuse = _handler_for("REFUSALS", self._refusals, type(order), type(order).__name__)
        problem: Problem | None = refuse(seen, decision, order)
        return problem

    def default_orders(self, seen: Position[B], decision: Question) -> Orders:
        """The stated default if the deadline passes; to most questions it is nothing."""
        make = self._defaults.get(decision.topic)
        orders: Orders = make(seen, decision) if make else ()
        return orders


def _handler_for(table: str, found: Mapping[Any, Any], key: object, called: str) -> Any:
    """What the chapters have for a key; raises KeyError, which says in which table it is missed."""
    if key not in found:
        raise KeyError(f"no chapter has {called} in its {table}")
    return found[key]


def merge_handlers(name: str, modules: Iterable[ModuleType]) -> dict[Any, Any]:
    """One mapping of all chapters; raises ValueError for a thing that two of them claim differently."""
    found: dict[Any, Any] = {}
    for module in modules:
        part: Mapping[Any, Any] = getattr(module, name, {})
        twice = {key for key in found.keys() & part.keys() if found[key] is not part[key]}
        if twice:
            raise ValueError(f"{module.__name__}: {twice} is claimed by another chapter")
        found.update(part)
    return found
