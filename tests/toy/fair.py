"""§10 The fair, at tables that have one: each turn two stalls, of which every seat is asked at one gate, in secret."""

from collections.abc import Mapping
from typing import Final

from engine.kernel.gates import Gate
from engine.kernel.names import Seat
from engine.kernel.orders import Decision, Order, Orders, Problem, only
from engine.kernel.position import Step
from engine.kernel.table import Table
from tests.toy.board import Board, playing
from tests.toy.events import Awarded
from tests.toy.orders import Offer

STALLS: Final = (1, 2)


class AskFair(Step, saved="toy.AskFair"):
    """§10  Ask everybody what they offer at each stall."""


def ask_fair(table: Table[Board]) -> None:
    """§10  One gate, and for each stall a question of its own."""
    turn, seats = table.board.turn, playing(table.board)
    for stall in STALLS:
        table.ask(*(Decision(f"stall/{turn}#{stall}", seat, "stall", {"stall": stall}) for seat in seats))


def refusal(board: Board, seat: Seat, order: Offer) -> Problem | None:
    """§10  What one has; whether it lasts for both stalls shows when the second is held."""
    return None if 0 < order.coins <= board.coins[seat] else Problem("too_dear", {"coins": board.coins[seat]})


def award(table: Table[Board], gate: str, answers: Mapping[Seat, Orders]) -> None:
    """§10  The highest offer that can still be paid takes the ribbon; equals take none."""
    board = table.board
    offers = {seat: _coins(only(given)) for seat, given in answers.items() if seat not in board.gone}
    paid = {seat: coins for seat, coins in offers.items() if 0 < coins <= board.coins[seat]}
    best = [seat for seat, coins in paid.items() if coins == max(paid.values())]
    winner = best[0] if len(best) == 1 else None
    table.emit(Awarded(stall=Gate.parse(gate).part, offers=offers, seat=winner))


def _coins(order: Order | None) -> int:
    return order.coins if isinstance(order, Offer) else 0
