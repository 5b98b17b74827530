"""Orders, grouped into clauses, lines and sets; the questions that they answer; and the results of checking them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import ClassVar

from engine.kernel.codec import Record, serializable
from engine.kernel.secrets import Secret
from engine.kernel.viewers import Seat


class Order(Record):
    """One act of a player. Each game defines its own, whose fields are the slots of its form.

    `may_retry`: it may fail by chance when it is carried out, so that a line may try it UP TO 2 TIMES.
    """

    may_retry: ClassVar[bool] = False


class AskMe(Order, saved="kernel.AskMe"):
    """Ask the author again instead of acting; the lines after it are not carried out."""


@serializable("kernel.Condition")
@dataclass(frozen=True)
class Condition:
    """A fact that a clause requires on its author's view.

    `fact`: its name. `about`: its slot values. `negated`: the fact must not hold.
    """

    fact: str
    about: Mapping[str, str | int]
    negated: bool = False


@serializable("kernel.Clause")
@dataclass(frozen=True)
class Clause:
    """An order, done only if all its conditions hold."""

    order: Order
    conditions: tuple[Condition, ...] = ()


@serializable("kernel.Line")
@dataclass(frozen=True)
class Line:
    """A plan: the first clause that is possible is done, at most `repeat` times.

    `fallback`: a second plan, done once after the tries of the first end without success.
    """

    plan: tuple[Clause, ...]
    repeat: int = 1
    fallback: tuple[Clause, ...] = ()

    @property
    def may_retry(self) -> bool:
        """Return True if an order of the plan may fail by chance, so that it can be tried again."""
        return any(clause.order.may_retry for clause in self.plan)


Orders = tuple[Line, ...]
"""An answer: lines carried out in order, which share the player's means. Empty: nothing, confirmed."""


def unconditional(*orders: Order) -> Orders:
    """Return one unconditional line for each order."""
    return tuple(Line((Clause(order),)) for order in orders)


def single_order(orders: Orders) -> Order | None:
    """Return the order if there is only one line with one unconditional clause; else None."""
    if len(orders) == 1 and len(orders[0].plan) == 1 and not orders[0].plan[0].conditions:
        return orders[0].plan[0].order
    return None


def requests_new_answer(orders: Orders) -> bool:
    """Return True if any clause asks its author again."""
    return any(isinstance(clause.order, AskMe) for line in orders for clause in (*line.plan, *line.fallback))


def always_requests_new_answer(line: Line) -> bool:
    """Return True if a line always asks its author again, so that no line after it is ever reached."""
    return any(isinstance(clause.order, AskMe) and not clause.conditions for clause in line.plan[:1])


@serializable("kernel.Pace")
class Pace(Enum):
    """How long a question may stay open: a normal deadline (TURN), a short one for interruptions (REACTION), or
    between.

    CHOICE is for a choice within a turn, which needs thought while all others wait.
    """

    TURN = "turn"
    CHOICE = "choice"
    REACTION = "reaction"


@serializable("kernel.Question")
@dataclass(frozen=True)
class Question:
    """A question to one seat.

    `gate`: groups the questions that resolve together and names the turn (`expansion/5`). If it asks a seat several
    questions, their names end in a number (`war/3#2`).
    `topic`: the key of its Topic.
    `limits`: values that the question needs, as secrets if not public.
    `blocking`: the game waits for the answer.
    """

    gate: str
    seat: Seat
    topic: str
    limits: Mapping[str, int | str | tuple[str, ...] | Secret[int] | Secret[str]] = field(default_factory=dict)
    blocking: bool = True
    pace: Pace = Pace.TURN


@serializable("kernel.Problem")
@dataclass(frozen=True)
class Problem:
    """Why an order is not possible: a code, and the terms of its sentence.

    `lasting`: nothing that happens in the phase can change this, so even a conditional clause is refused.
    """

    code: str
    terms: Mapping[str, object] = field(default_factory=dict)
    lasting: bool = False


@serializable("kernel.LineResult")
@dataclass(frozen=True)
class LineResult:
    """The result of checking one line: the clause that would be done now, or the problem.

    `notes`: remarks of a preview.
    """

    line: Line
    problem: Problem | None = None
    chosen: Clause | None = None
    notes: tuple[Problem, ...] = ()

    @property
    def is_valid(self) -> bool:
        """Return True if the line has no problem."""
        return self.problem is None
