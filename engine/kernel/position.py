"""The position of a game: the core that every game has, and the game's own board."""

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
"""The options chosen for a game, by name; `Meta` has their possible values."""


class Step(Record):
    """A unit of work on the agenda of the rules. Each game defines its own."""


class ExecuteOrders(Step):
    """A step that carries out orders line by line; games derive their own.

    `line`: the number of lines ended. `tries`: the tries of the current line. `orders` stay sealed until the table
    starts a line.
    """

    seat: Seat
    gate: str
    topic: str
    orders: Sealed[Orders]
    line: int = 0
    tries: int = 0

    def question(self) -> Question:
        """Return the question that refusals of the next line are about. A game may add limits that later lines set."""
        return Question(self.gate, self.seat, self.topic)

    def line_done(self) -> Self:
        """Return the step with the current line ended: no further try, no fallback."""
        return self if self.tries == 0 else replace(self, line=self.line + 1, tries=0)


class ResolveQuestion(Step, saved="kernel.ResolveQuestion"):
    """A step that resolves one of several questions of a gate.

    `gate`: the name of the question. `answers`: by seat.
    """

    gate: str
    answers: Sealed[Mapping[Seat, Orders]]


@serializable("kernel.Core")
@dataclass
class Core:
    """The part of a position that the loop needs.

    `seats`: in the order of the table.
    """

    seats: tuple[Seat, ...]
    options: Options
    seed: Secret[bytes]
    agenda: tuple[Step, ...] = ()
    questions: tuple[Question, ...] = ()
    over: bool = False
    ending: str = ""

    def redacted(self, viewer: Viewer) -> "Core":
        """Return a copy without the agenda, which may reveal orders."""
        return replace(self, agenda=())

    def is_waiting(self) -> bool:
        """Return True if a question blocks."""
        return any(d.blocking for d in self.questions)

    def gate(self, name: str) -> tuple[Question, ...]:
        """Return the open questions of one gate."""
        return tuple(d for d in self.questions if parse_closing(d.gate) == name)

    def gates(self) -> tuple[str, ...]:
        """Return the names of the open gates, oldest first."""
        return tuple(dict.fromkeys(parse_closing(d.gate) for d in self.questions))


@serializable("kernel.Position")
@dataclass
class Position(Generic[B]):
    """A core and the board of the game."""

    core: Core
    board: B
