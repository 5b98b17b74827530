"""§10 The fair, at tables that have one: each turn two stalls, of which every seat is asked at one gate, in secret."""

from collections.abc import Mapping
from typing import Final

from engine.kernel.gates import Gate
from engine.kernel.hidden_amounts import count_visible
from engine.kernel.orders import Order, Orders, Pace, Problem, Question, single_order
from engine.kernel.position import Step
from engine.kernel.secrets import Secret
from engine.kernel.table import Table
from engine.kernel.viewers import Seat
from tests.toy.board import GOODS, Board, playing
from tests.toy.events import Awarded, Harvested
from tests.toy.orders import Offer

STALLS: Final = (1, 2)
HARVEST: Final = 3
"""What each seat brings of everything, each turn."""


class AskFair(Step, saved="toy.AskFair"):
    """§10  Ask everybody what they offer at each stall."""


def ask_fair(table: Table[Board]) -> None:
    """§10  Goods are brought; one gate, and for each stall a question of its own."""
    seats = playing(table.board)
    table.emit(Harvested(each=HARVEST))
    table.ask(*(_stall(f"stall/{table.board.turn}#{stall}", seat, stall) for stall in STALLS for seat in seats))


def _stall(gate: str, seat: Seat, stall: int) -> Question:
    return Question(gate, seat, "stall", {"stall": stall}, pace=Pace.CHOICE)


def refusal(board: Board, seat: Seat, order: Offer) -> Problem | None:
    """§10  What one has; whether it lasts for both stalls shows when the second is held."""
    held = {goods: count_visible(there) for goods, there in board.stores.get(seat, {}).items()}
    short = next((goods for goods, count in order.goods.items() if count > held.get(goods, 0)), None)
    return None if short is None else Problem("not_in_store", {"goods": short, "count": held.get(short, 0)})


def likely(board: Board, seat: Seat) -> tuple[Offer, ...]:
    """One of something, or one of everything."""
    held = {goods: 1 for goods, there in board.stores.get(seat, {}).items() if count_visible(there)}
    return tuple(Offer(goods) for goods in (*({one: 1} for one in held), held) if goods)


def award(table: Table[Board], gate: str, answers: Mapping[Seat, Orders]) -> None:
    """§10  The highest offer that can still be paid takes the ribbon; equals take none.  How much, all are told."""
    board = table.board
    offers = {seat: _goods(single_order(given)) for seat, given in answers.items() if seat not in board.gone}
    good = {s: sum(goods.values()) for s, goods in offers.items() if goods and refusal(board, s, Offer(goods)) is None}
    best = [seat for seat, count in good.items() if count == max(good.values())]
    winner = best[0] if len(best) == 1 else None
    paid = {goods: offers[winner].get(goods, 0) for goods in GOODS} if winner is not None else {}
    told = {goods: Secret(count, frozenset(best)) for goods, count in paid.items()}
    counted = {seat: sum(goods.values()) for seat, goods in offers.items()}
    table.emit(Awarded(stall=Gate.parse(gate).part, offers=counted, seat=winner, paid=told))


def result(table: Table[Board]) -> str:
    """§10  At the end of a fair: who is far ahead has a golden ribbon; where nobody has any, nobody wins."""
    most, *rest = sorted((table.board.ribbons.get(seat, 0) for seat in playing(table.board)), reverse=True)
    if table.core.options["fair"] != "yes" or (most and most < max(rest, default=0) + 2):
        return ""
    return "golden" if most else "bare"


def _goods(order: Order | None) -> Mapping[str, int]:
    return order.goods if isinstance(order, Offer) else {}
