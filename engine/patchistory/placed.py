"""Where the pieces of the table lie: tiles, workers and buildings in territories, bids on the offer, hands."""

from collections.abc import Iterator
from typing import Final

from engine.kernel.movements import CARD, TABLE, Piece, Placed, Spot, card_faces
from engine.kernel.viewers import Viewer
from engine.patchistory.board import Board, Lot, Player
from engine.patchistory.catalogue import BUILDINGS, SIDES, kind_of

_TABLE = Spot(TABLE)
_KINDS: Final = {building.room: kind for kind, building in BUILDINGS.items()}
"""The kind of the building tile that makes a location; a Wasteland is any tile, face down."""


def placed(board: Board, viewer: Viewer) -> Iterator[Placed]:
    """Yield the pieces of a board, as far as the current reader may know."""
    for lot in board.offer:
        yield _lot(lot), Piece("tile", lot.tile), 1
    for seat, stake in board.bids.items():
        wanted = board.lot(stake.lot)
        if wanted is not None:
            yield _lot(wanted), Piece("bid", "", seat), 1
    for player in board.players.values():
        yield from _territory(player)
        yield from _held(board, player, viewer)
    for route in board.routes:
        yield Spot("routes", str(route.number)), Piece("route", "allied" if route.allied else "main"), 1
        for seat in route.spots:
            yield Spot("routes", str(route.number)), Piece("worker", "", seat), 1
    yield _TABLE, Piece("tile"), len(board.deck)
    yield _TABLE, Piece("building"), len(board.pile)
    yield _TABLE, Piece(CARD), len(board.stack)
    for card in board.scored:
        yield _TABLE, Piece(CARD, card), 1


def _lot(lot: Lot) -> Spot:
    """Return the place of a tile on offer, or of one that was won and waits to be placed."""
    return Spot("offer", f"{lot.name} {lot.side or SIDES[0]}")


def _territory(player: Player) -> Iterator[Placed]:
    """Yield the land tiles of a territory, of which nobody counts the squares; and workers and buildings on squares."""
    for tile in sorted({square.tile for square in player.territory.values()}):
        yield Spot(player.colour), Piece("tile", tile), 1
    for name, square in player.territory.items():
        if square.over:
            yield Spot(player.colour, name), Piece("building", _KINDS.get(square.over, "")), 1
    for name in player.workers:
        yield Spot(player.colour, name), Piece("worker", "", player.seat), 1


def _held(board: Board, player: Player, viewer: Viewer) -> Iterator[Placed]:
    """Yield what a player has beside the territory: the tile that was won, workers to come, building tiles, cards."""
    if player.won is not None:
        yield _lot(player.won), Piece("tile", player.won.tile), 1
    line = Spot("levels", player.seat)
    yield line, Piece("worker", "", player.seat), player.track
    hand = Spot("hand") if player.seat == viewer else line
    for tile in player.pack:
        yield hand, Piece("building", kind_of(tile.value) if tile.visible else ""), 1
    for piece in card_faces(player.cards):
        yield hand, piece, 1
