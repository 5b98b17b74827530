"""The rough value of a position for a power, in tenths of a ducat at the end of the game; used by bots."""

from typing import Final

from engine.age_of_renaissance.acts import Seen
from engine.age_of_renaissance.board import Board, Power
from engine.age_of_renaissance.catalogue import ADVANCES, GOODS, MISERY, payout
from engine.kernel.viewers import Seat

TURNS: Final = 17
"""The assumed length of a game; at least one more turn is always assumed."""
INCOME: Final = 6
"""Tenths of a ducat for each ducat of income a turn; less than 10, because provinces are lost again."""
FOOTHOLD: Final = 15
TOKEN: Final = 5
CARD: Final = 30
SHIP: Final = 200
UNREST: Final = 40
"""The cost of a step of misery, besides its points, for each 10 turns left."""


def evaluate(seen: Seen, seat: Seat) -> int:
    """Return the seat's possessions, minus what the average rival holds on the map."""
    board = seen.board
    left = max(1, TURNS - board.turn)
    rivals = [power for power in board.playing() if power.seat != seat]
    theirs = sum(_held(board, power.seat, left) for power in rivals) // max(1, len(rivals))
    return _held(board, seat, left) + _owned(board.powers[seat], left) - theirs


def _held(board: Board, seat: Seat, left: int) -> int:
    """§9.6, §9.3.1  Return the value of a seat's pieces on the map: income, expected payments for goods, footholds."""
    provinces = board.provinces(seat) * board.players * left * INCOME
    goods = sum(payout(good, board.controls(seat, good), 0) for good in GOODS) * left
    footholds = sum(not piece.controls for _, piece in board.held(seat)) * FOOTHOLD
    return provinces + goods + footholds


def _owned(power: Power, left: int) -> int:
    """§11.2  Return the value of what counts at the end, and of what helps until then."""
    advances = sum(ADVANCES[letter].cost * (10 + left // 4) for letter in power.advances)
    misery = MISERY[min(power.misery, len(MISERY) - 1)] * 10 + UNREST * power.misery * left // 10
    hand = CARD * len(power.hand) + SHIP * (power.ship is not None)
    return power.cash * 10 + TOKEN * power.expansion + advances + hand - misery
