"""The pace of a phase: its orders are asked of all players at once (`sealed`), or of each in turn (`order`).

The board of such a game has `turn`, `powers` by seat, and `playing()`, in order of play.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from engine.kernel.orders import Pace, Question
from engine.kernel.position import Options, Position, Step
from engine.kernel.table import Table
from engine.kernel.viewers import Seat


class Player(Protocol):
    """The part of a power that turns need."""

    seat: Seat
    eliminated: bool


class Course(Protocol):
    """The part of a board that turns need."""

    turn: int

    @property
    def powers(self) -> Any:
        """Return the power of each seat."""
        ...

    def playing(self) -> Sequence[Player]:
        """Return the powers still in the game, in order of play."""
        ...


class AskInTurn(Step):
    """A step that asks one seat for its orders of a phase, in pace `order`.

    A game derives its own to save it.
    """

    seat: Seat
    topic: str


def is_in_order(options: Options) -> bool:
    """Return True if each player is asked in turn."""
    return options["pace"] == "order"


def phase_gate(board: Course, asks: str) -> str:
    """Return the gate for the orders of a phase in this turn."""
    return f"{asks}/{board.turn}"


def call_for_orders(table: Table[Any], asks: str, turn: type[AskInTurn]) -> None:
    """Ask all players for the orders of a phase: at one gate, or each in turn."""
    board: Course = table.board
    seats = [power.seat for power in board.playing()]
    if is_in_order(table.core.options):
        table.then(*(turn(seat, asks) for seat in seats))
    else:
        table.ask(*(Question(phase_gate(board, asks), seat, asks) for seat in seats))


def ask_in_turn(table: Table[Any], step: AskInTurn) -> None:
    """Ask one seat, unless its power has been eliminated."""
    if not table.board.powers[step.seat].eliminated:
        table.ask(Question(f"{phase_gate(table.board, step.topic)}/{step.seat}", step.seat, step.topic))


def question(seen: Position[Any], seat: Seat, asks: str, turn: int) -> Question:
    """Return the question for the orders of a phase, as `call_for_orders` will ask it in `turn`."""
    return Question(f"{asks}/{turn}/{seat}" if is_in_order(seen.core.options) else f"{asks}/{turn}", seat, asks)


def is_waiting(board: Course, seat: Seat, asked: Iterable[Seat]) -> bool:
    """Return True if `asked` is not empty and all its seats come before `seat` in order of play."""
    order, now = [power.seat for power in board.playing()], list(asked)
    return bool(now) and all(order.index(other) < order.index(seat) for other in now if other in order)


def ask_reaction(table: Table[Any], asks: str, about: str, seats: Iterable[Seat], **limits: int | str) -> str:
    """Ask seats a reaction question at one gate, and return the gate.

    `about` must be unique for this topic within the turn.
    """
    gate = f"{asks}/{table.board.turn}/{about}"
    table.ask(*(Question(gate, seat, asks, dict(limits), pace=Pace.REACTION) for seat in seats))
    return gate
