"""Where coins and cards lie, and whose banner stands in a town."""

from collections.abc import Iterator

from engine.kernel.movements import CARD, TABLE, Piece, Placed, Spot, card_faces
from engine.kernel.viewers import Viewer
from tests.toy.board import Board

_TABLE = Spot(TABLE)


def placed(board: Board, viewer: Viewer) -> Iterator[Placed]:
    """A hand lies open to its owner alone; the others see how many cards it holds."""
    for seat, coins in board.coins.items():
        yield Spot("coins", seat), Piece("coin"), coins
        for card in card_faces(board.hands.get(seat, ())):
            yield Spot("hand", card.face) if seat == viewer else Spot("coins", seat), card, 1
    for town, seat in board.owner.items():
        yield Spot("towns", town), Piece("banner", "", seat), 1
    yield _TABLE, Piece("coin"), board.bank
    yield _TABLE, Piece(CARD), len(board.deck)
    for ware in board.discard:
        yield _TABLE, Piece(CARD, ware), 1
