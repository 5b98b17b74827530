"""The pace of a phase: its orders are asked of all at once (`sealed`), or of each in turn (`order`).

A board in such a game says whose turn it is: `turn`, `phase`, `powers` by seat, and `playing()`, in order of play.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from engine.kernel.orders import Pace, Question
from engine.kernel.position import Options, Position, Step
from engine.kernel.table import Table
from engine.kernel.viewers import Seat


class Player(Protocol):
    """A seat's affairs, as far as its turn goes."""

    seat: Seat
    eliminated: bool


class Course(Protocol):
    """A board, as far as turns go."""

    turn: int

    @property
    def powers(self) -> Any:
        """Each seat's affairs."""
        ...

    def playing(self) -> Sequence[Player]:
        """Those who are in the game, in order of play."""
        ...


class AskInTurn(Step):
    """In the pace `order`: one seat's turn of a phase.  A game derives its own, which has a saved name."""

    seat: Seat
    topic: str


def is_in_order(options: Options) -> bool:
    """Return True if each player is asked in turn."""
    return options["pace"] == "order"


def phase_gate(board: Course, asks: str) -> str:
    """Return the gate of the orders of a phase in this turn."""
    return f"{asks}/{board.turn}"


def call_for_orders(table: Table[Any], asks: str, turn: type[AskInTurn]) -> None:
    """Ask all players for the orders of a phase: at one gate, or each when their turn comes."""
    board: Course = table.board
    seats = [power.seat for power in board.playing()]
    if is_in_order(table.core.options):
        table.then(*(turn(seat, asks) for seat in seats))
    else:
        table.ask(*(Question(phase_gate(board, asks), seat, asks) for seat in seats))


def ask_in_turn(table: Table[Any], step: AskInTurn) -> None:
    """Ask one seat, unless it has left the game meanwhile."""
    if not table.board.powers[step.seat].eliminated:
        table.ask(Question(f"{phase_gate(table.board, step.topic)}/{step.seat}", step.seat, step.topic))


def question(seen: Position[Any], seat: Seat, asks: str, turn: int) -> Question:
    """Return the question for the orders of a phase as `call_for_orders` will ask it in a turn."""
    return Question(f"{asks}/{turn}/{seat}" if is_in_order(seen.core.options) else f"{asks}/{turn}", seat, asks)


def is_waiting(board: Course, seat: Seat, asked: Iterable[Seat]) -> bool:
    """Return True if seats are asked, and all of them come before this one in order of play."""
    order, now = [power.seat for power in board.playing()], list(asked)
    return bool(now) and all(order.index(other) < order.index(seat) for other in now if other in order)


def ask_reaction(table: Table[Any], asks: str, about: str, seats: Iterable[Seat], **limits: int | str) -> str:
    """Ask an interrupting question of seats at once and return its gate.

    `about` makes the name of the gate unlike any other of this turn.
    """
    gate = f"{asks}/{table.board.turn}/{about}"
    table.ask(*(Question(gate, seat, asks, dict(limits), pace=Pace.REACTION) for seat in seats))
    return gate
