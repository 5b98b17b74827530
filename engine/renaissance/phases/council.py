"""Diplomatie, A38: a stop between the last campaign and the count, at which ducats and cities change hands once more.

In the last turn everybody is waited for; before it, where the table waits for reactions at all.  The question of
diplomacy stays open beside it, so that an offer made now stands at once; what is accepted or given in answer to the
stop is done when it closes, in order of play.
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
    """A seat's last gifts and consents under way."""


def begin(table: Game) -> None:
    """Everybody at once; in the last turn it is a question like others, before that a reaction."""
    board = table.board
    table.emit(PhaseBegan(phase=Phase.COUNCIL))
    pace = Pace.TURN if board.turn == TURNS else Pace.REACTION
    table.ask(*(Question(f"council/{board.turn}", power.seat, "council", pace=pace) for power in board.playing()))


def answered(table: Game, gate: str, answers: Mapping[Seat, Orders]) -> None:
    """In order of play."""
    for power in reversed(table.board.playing()):
        if power.seat in answers:
            table.then(Council(power.seat, gate, "council", Sealed(answers[power.seat])))


def carry_on(table: Game, step: Council) -> None:
    """One line of a set; of one that was given ahead a trial shows nothing."""
    order, rest = table.next_order(step)
    if order is None:
        return
    table.then(rest.line_done())
    if table.board.phase is Phase.COUNCIL:
        diplomacy.carry_out(table, step.seat, order)


STEPS: Final[Steps] = {Council: carry_on}
GATES: Final[Gates] = {"council": answered}
SETS: Final[Sets] = {"council": Council}
