"""What a player may write: orders, ranked into clauses, lines and whole sets; and what is asked of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from engine.kernel.codec import Record, serializable
from engine.kernel.secrets import Secret
from engine.kernel.viewers import Seat


class Order(Record):
    """One act. Each game has its own, whose fields are the slots of its form."""


class AskMe(Order, saved="kernel.AskMe"):
    """No act of the game: its author is asked again here, and what follows is not carried out."""


@serializable("kernel.Condition")
@dataclass(frozen=True)
class Condition:
    """A fact of the game's own view that a clause waits for: its name, what it is about, and whether it must fail."""

    fact: str
    about: Mapping[str, str | int]
    negated: bool = False


@serializable("kernel.Clause")
@dataclass(frozen=True)
class Clause:
    """An order, done only when all its conditions hold."""

    order: Order
    conditions: tuple[Condition, ...] = ()


@serializable("kernel.Line")
@dataclass(frozen=True)
class Line:
    """A plan (the first clause that applies and is legal is done), tried at most `repeat` times.

    `fallback` is a second plan, done once when the tries of the first end without success.
    """

    plan: tuple[Clause, ...]
    repeat: int = 1
    fallback: tuple[Clause, ...] = ()


Orders = tuple[Line, ...]
"""An answer: lines carried out in sequence, sharing one purse. Empty: the confirmed empty set."""


def unconditional(*orders: Order) -> Orders:
    """Return a set of unconditional lines, one for each order."""
    return tuple(Line((Clause(order),)) for order in orders)


def single_order(orders: Orders) -> Order | None:
    """Return the single unconditional order of a set, or None."""
    if len(orders) == 1 and len(orders[0].plan) == 1 and not orders[0].plan[0].conditions:
        return orders[0].plan[0].order
    return None


def requests_new_answer(orders: Orders) -> bool:
    """Return True if any clause of a set asks its author again."""
    return any(isinstance(clause.order, AskMe) for line in orders for clause in (*line.plan, *line.fallback))


def always_requests_new_answer(line: Line) -> bool:
    """Return True if nothing behind a line can ever be reached: it asks its author again, whatever happens."""
    return any(isinstance(clause.order, AskMe) and not clause.conditions for clause in line.plan[:1])


@serializable("kernel.Pace")
class Pace(Enum):
    """How long a question may wait: a whole deadline, the short one of an interruption, or one between the two.

    A choice within a turn takes thought, and yet all others wait for it.
    """

    TURN = "turn"
    CHOICE = "choice"
    REACTION = "reaction"


@serializable("kernel.Question")
@dataclass(frozen=True)
class Question:
    """A question to one seat.

    `gate` groups the questions that resolve together and carries the turn (`expansion/5`); of several that it asks
    of one seat it tells which this is (`war/3#2`).  `topic` names the topic; `limits` are the figures that the
    question needs, wrapped where they would tell.
    """

    gate: str
    seat: Seat
    topic: str
    limits: Mapping[str, int | str | Secret[int] | Secret[str]] = field(default_factory=dict)
    blocking: bool = True
    pace: Pace = Pace.TURN


@serializable("kernel.Problem")
@dataclass(frozen=True)
class Problem:
    """Why an order cannot stand: a code, and what the narrator needs to word it.

    `lasting`: nothing that can happen in the phase would mend it, so even a conditional clause is refused.
    """

    code: str
    terms: Mapping[str, object] = field(default_factory=dict)
    lasting: bool = False


@serializable("kernel.LineResult")
@dataclass(frozen=True)
class LineResult:
    """What was found about one line: the clause that would be done now, or the problem; with notes for a preview."""

    line: Line
    problem: Problem | None = None
    chosen: Clause | None = None
    notes: tuple[Problem, ...] = ()

    @property
    def is_valid(self) -> bool:
        """Return True if the line may be sealed."""
        return self.problem is None
