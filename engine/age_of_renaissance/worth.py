"""What a position is worth to a power, roughly, in tenths of a ducat at the end: by this bots look ahead."""

from typing import Final

from engine.age_of_renaissance.acts import Seen
from engine.age_of_renaissance.board import Board, Power
from engine.age_of_renaissance.catalogue import ADVANCES, GOODS, MISERY, payout
from engine.kernel.viewers import Seat

TURNS: Final = 17
"""A game lasts about so long; the last turn is never foreseen nearer than one to come."""
INCOME: Final = 6
"""Tenths of a ducat that each ducat of income a turn is worth: provinces are lost again."""
FOOTHOLD: Final = 15
TOKEN: Final = 5
CARD: Final = 30
SHIP: Final = 200
UNREST: Final = 40
"""What a step of misery is worth beside its place on the ladder, for each of ten turns to come."""


def evaluate(seen: Seen, seat: Seat) -> int:
    """What the seat has, less what the average rival holds on the map."""
    board = seen.board
    left = max(1, TURNS - board.turn)
    rivals = [power for power in board.playing() if power.seat != seat]
    theirs = sum(_held(board, power.seat, left) for power in rivals) // max(1, len(rivals))
    return _held(board, seat, left) + _owned(board, board.powers[seat], left) - theirs


def _held(board: Board, seat: Seat, left: int) -> int:
    """§9.6, §9.3.1  Income of provinces, what their goods may pay, and a little for a foothold."""
    provinces = board.provinces(seat) * board.players * left * INCOME
    goods = sum(payout(good, board.controls(seat, good), 0) for good in GOODS) * left
    footholds = sum(not piece.controls for _, piece in board.held(seat)) * FOOTHOLD
    return provinces + goods + footholds


def _owned(board: Board, power: Power, left: int) -> int:
    """§11.2  What the end counts, and what helps until then."""
    advances = sum(ADVANCES[letter].cost * (10 + left // 4) for letter in power.advances)
    misery = MISERY[min(power.misery, len(MISERY) - 1)] * 10 + UNREST * power.misery * left // 10
    hand = CARD * len(power.hand) + SHIP * (power.ship is not None)
    return power.cash * 10 + TOKEN * power.expansion + advances + hand - misery
