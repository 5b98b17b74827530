"""Where a game stands: the core that every game has, and its own board."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Generic, Self, TypeVar

from engine.kernel.codec import Record, serializable
from engine.kernel.gates import parse_closing
from engine.kernel.orders import Orders, Question
from engine.kernel.secrets import Sealed, Secret
from engine.kernel.viewers import Seat, Viewer

B = TypeVar("B")

Options = Mapping[str, str]
"""The options chosen for a game, by name; the game's Meta holds what each may be."""


class Step(Record):
    """What the rules still have to do. Each game has its own."""


class ExecuteOrders(Step):
    """A set of orders being carried out, line by line; games derive their own step from it.

    `line` counts the lines ended, `tries` the tries of the one under way. Nobody reads the orders
    before the table takes the line.
    """

    seat: Seat
    gate: str
    topic: str
    orders: Sealed[Orders]
    line: int = 0
    tries: int = 0

    def line_done(self) -> Self:
        """The rest, with the line under way closed: no further try, no otherwise."""
        return self if self.tries == 0 else replace(self, line=self.line + 1, tries=0)


class ResolveQuestion(Step, saved="kernel.ResolveQuestion"):
    """One of several questions of a gate is still to be resolved: its name, and what each seat answered."""

    gate: str
    answers: Sealed[Mapping[Seat, Orders]]


@serializable("kernel.Core")
@dataclass
class Core:
    """What the loop needs: seats in the order of the table, the seed, the agenda, the open questions."""

    seats: tuple[Seat, ...]
    options: Options
    seed: Secret[bytes]
    agenda: tuple[Step, ...] = ()
    questions: tuple[Question, ...] = ()
    over: bool = False
    ending: str = ""

    def redacted(self, viewer: Viewer) -> "Core":
        """No reader sees what the rules still have to do: it may tell what a player ordered."""
        return replace(self, agenda=())

    def is_waiting(self) -> bool:
        """Return True if a player must answer before the game goes on."""
        return any(d.blocking for d in self.questions)

    def gate(self, name: str) -> tuple[Question, ...]:
        """The open questions of one gate."""
        return tuple(d for d in self.questions if parse_closing(d.gate) == name)

    def gates(self) -> tuple[str, ...]:
        """The names of the open gates, oldest first."""
        return tuple(dict.fromkeys(parse_closing(d.gate) for d in self.questions))


@serializable("kernel.Position")
@dataclass
class Position(Generic[B]):
    """A core and a board."""

    core: Core
    board: B
