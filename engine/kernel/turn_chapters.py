"""Rules made of chapters: a game's modules combined into the methods that the kernel calls.

A game has one module for each chapter of its rulebook. Each may define some of these mappings:

    STEPS     type of step     -> take(table, step)
    GATES     Gate.topic       -> resolve(table, gate, answers)
    REFUSALS  type of order    -> refusal(seen, decision, order), the Problem, or None if the order is possible
    DEFAULTS  Question.topic   -> default(seen, decision), the orders if nobody answers
    SETS      Question.topic   -> the type of step that carries out a set of orders

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
    """The handlers of all chapters, by step, gate, order and topic."""

    def __init__(self, modules: Iterable[ModuleType], forms: Mapping[str, Sequence[Form]]) -> None:
        """`forms`: the forms of each topic, which also say the orders that may answer it.

        Raises ValueError if two chapters handle the same thing, or a chapter handles a topic that no form answers.
        """
        found = tuple(modules)
        self.forms = forms
        self.answers = {asks: frozenset(form.order for form in given) for asks, given in forms.items()}
        self._steps, self._gates, self._refusals, self._defaults, self._sets = (
            merge_handlers(name, found) for name in ("STEPS", "GATES", "REFUSALS", "DEFAULTS", "SETS")
        )
        self.check_topics("DEFAULTS", self._defaults)
        self.check_topics("SETS", self._sets)

    def check_topics(self, table: str, topics: Iterable[str]) -> None:
        """Raise ValueError if a table names a topic that no form answers."""
        if strange := sorted(set(topics) - self.forms.keys()):
            raise ValueError(
                f"{table} names {', '.join(strange)}, which no form answers; there is {', '.join(self.forms)}"
            )

    def take(self, table: Table[B], step: Step) -> None:
        """Do one step of the agenda. Raises KeyError if no chapter handles it."""
        _handler_for("STEPS", self._steps, type(step), type(step).__name__)(table, step)

    def resolve(self, table: Table[B], gate: str, answers: Mapping[Seat, Orders]) -> None:
        """Resolve a gate whose answers are all in. Raises KeyError if no chapter handles it."""
        asks = Gate.parse(gate).topic
        _handler_for("GATES", self._gates, asks, repr(asks))(table, gate, answers)

    def execution_of(self, decision: Question, orders: Orders) -> ExecuteOrders | None:
        """Return the step that carries out a set of orders, or None for a question that takes one order."""
        kind: type[ExecuteOrders] | None = self._sets.get(decision.topic)
        return kind(decision.seat, decision.gate, decision.topic, Sealed(orders)) if kind else None

    def refusal(self, seen: Position[B], decision: Question, order: Order) -> Problem | None:
        """Return why this order is impossible now, as far as its author knows, or None."""
        if type(order) not in self.answers[decision.topic]:
            return Problem("not_here", {"asks": decision.topic}, lasting=True)
        refuse = _handler_for("REFUSALS", self._refusals, type(order), type(order).__name__)
        problem: Problem | None = refuse(seen, decision, order)
        return problem

    def default_orders(self, seen: Position[B], decision: Question) -> Orders:
        """Return the orders used if the deadline passes; none for most topics."""
        make = self._defaults.get(decision.topic)
        orders: Orders = make(seen, decision) if make else ()
        return orders


def _handler_for(table: str, found: Mapping[Any, Any], key: object, called: str) -> Any:
    """Return the handler of a key. Raises KeyError, with the name of the table."""
    if key not in found:
        raise KeyError(f"no chapter has {called} in its {table}")
    return found[key]


def merge_handlers(name: str, modules: Iterable[ModuleType]) -> dict[Any, Any]:
    """Return the handlers of one table in all chapters.

    Raises ValueError if two chapters have different handlers for one key.
    """
    found: dict[Any, Any] = {}
    for module in modules:
        part: Mapping[Any, Any] = getattr(module, name, {})
        twice = {key for key in found.keys() & part.keys() if found[key] is not part[key]}
        if twice:
            raise ValueError(f"{module.__name__}: {twice} is claimed by another chapter")
        found.update(part)
    return found
