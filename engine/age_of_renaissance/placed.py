"""Where the pieces of the board lie: tokens and markers on the map and in stock, cards in hands and on the table."""

from collections.abc import Iterator

from engine.age_of_renaissance.board import Board, Power
from engine.kernel.movements import CARD, MAP, SEAT, TABLE, Piece, Placed, Spot, card_faces
from engine.kernel.viewers import Viewer

_TABLE = Spot(TABLE)


def placed(board: Board, viewer: Viewer) -> Iterator[Placed]:
    """Yield the pieces of a board, as far as the current reader may know."""
    for province, here in board.pieces.items():
        for seat, piece in here.items():
            spot = Spot(MAP, province)
            yield spot, Piece("token", "old", seat), piece.old
            yield spot, Piece("token", "new", seat), piece.new
            if piece.marker:
                yield spot, Piece("marker", piece.marker, seat), 1
    for power in board.powers.values():
        yield from _held(power)
    yield _TABLE, Piece(CARD), len(board.deck)
    for card in board.this_turn:
        yield _TABLE, Piece(CARD, card), 1


def _held(power: Power) -> Iterator[Placed]:
    """Yield what a power has off the map."""
    spot = Spot(SEAT, power.seat)
    yield spot, Piece("token", "", power.seat), power.stock + power.expansion
    yield spot, Piece("marker", "", power.seat), power.markers
    for card in card_faces(power.hand):
        yield spot, card, 1
