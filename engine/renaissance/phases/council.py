"""Diplomatie, A38: a stop between the last combat turn and scoring, for gifts and swaps.

In the last turn all players are waited for; in earlier turns it is a reaction. The question of diplomacy stays open at
the same time, so that an offer is valid at once. Answers to the stop are carried out when it closes, in order of play.
"""

from collections.abc import Mapping
from typing import Final

from engine.kernel.orders import Orders, Pace, Question
from engine.kernel.position import ExecuteOrders
from engine.kernel.secrets import Sealed
from engine.kernel.turn_chapters import Gates, Sets, Steps
from engine.kernel.viewers import Seat
from engine.renaissance.acts import Game
from engine.renaissance.board import Phase
from engine.renaissance.catalogue import TURNS
from engine.renaissance.events import PhaseBegan
from engine.renaissance.phases import diplomacy


class Council(ExecuteOrders, saved="ren.Council"):
    """A seat's last gifts and accepted swaps."""


def begin(table: Game) -> None:
    """Ask all players at once; in the last turn with a normal deadline, else as a reaction."""
    board = table.board
    table.emit(PhaseBegan(phase=Phase.COUNCIL))
    pace = Pace.TURN if board.turn == TURNS else Pace.REACTION
    table.ask(*(Question(f"council/{board.turn}", power.seat, "council", pace=pace) for power in board.playing()))


def answered(table: Game, gate: str, answers: Mapping[Seat, Orders]) -> None:
    """Queue the answers, in order of play."""
    for power in reversed(table.board.playing()):
        if power.seat in answers:
            table.then(Council(power.seat, gate, "council", Sealed(answers[power.seat])))


def carry_on(table: Game, step: Council) -> None:
    """Do one line of an answer; a trial of advance orders changes nothing."""
    order, rest = table.next_order(step)
    if order is None:
        return
    table.then(rest.line_done())
    if table.board.phase is Phase.COUNCIL:
        diplomacy.carry_out(table, step.seat, order)


STEPS: Final[Steps] = {Council: carry_on}
GATES: Final[Gates] = {"council": answered}
SETS: Final[Sets] = {"council": Council}
