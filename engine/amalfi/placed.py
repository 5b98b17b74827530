"""Where the pieces of the table lie: ships and lighthouses, cards and tiles in rows, in hands and before players."""

from collections.abc import Iterator

from engine.amalfi.board import Board, Player
from engine.kernel.movements import CARD, TABLE, Piece, Placed, Spot, card_faces
from engine.kernel.viewers import Viewer

_TABLE = Spot(TABLE)


def placed(board: Board, viewer: Viewer) -> Iterator[Placed]:
    """Yield the pieces of a board, as far as the current reader may know, where the viewer's picture shows them."""
    for row, cards in board.rows.items():
        for card in cards:
            yield Spot(row, card), Piece(CARD, card), 1
    for place in board.public:
        yield Spot("places", place), Piece(CARD, place), 1
        yield from _destination(board, Spot("places", place), place)
    for player in board.players.values():
        yield from _ships(board, player, viewer)
        yield from _cards(board, player, viewer)
    yield _TABLE, Piece(CARD), sum(map(len, board.decks.values()))
    for discarded in board.discards.values():
        for card in discarded:
            yield _TABLE, Piece(CARD, card), 1


def _destination(board: Board, spot: Spot, place: str) -> Iterator[Placed]:
    """Yield the ship docked at a destination and its lighthouse."""
    if place in board.docks:
        yield spot, Piece("ship", "", board.docks[place]), 1
    if board.light(place):
        yield spot, Piece("lighthouse", "", board.light(place)), 1


def _ships(board: Board, player: Player, viewer: Viewer) -> Iterator[Placed]:
    """Yield ships and lighthouses that are not at a destination: those of others stand in their line of figures."""
    seat, mine = player.seat, player.seat == viewer
    places = {"bay": player.bay, "port": player.port, "yard": player.yard, **player.holds}
    for name, ships in places.items():
        yield Spot("own", name) if mine else Spot("players", seat), Piece("ship", "", seat), ships
    lights = Spot("own", "lights") if mine else Spot("players", seat)
    yield lights, Piece("lighthouse", "", seat), board.left(seat)


def _cards(board: Board, player: Player, viewer: Viewer) -> Iterator[Placed]:
    """Yield the cards in hand and before a player, and the private destinations."""
    seat, mine = player.seat, player.seat == viewer
    for piece in card_faces(player.hand):
        yield Spot("hand", piece.face) if mine else Spot("players", seat), piece, 1
    for name in ("packet", "aside"):
        for piece in card_faces(getattr(player, name)):
            yield Spot(name, piece.face) if mine else Spot("players", seat), piece, 1
    zone = "goods" if mine else player.colour
    for card in player.artworks:
        yield Spot(zone, card), Piece(CARD, card), 1
    for card in player.invited:
        yield Spot(zone, card), Piece(CARD, card), 1
        yield Spot(zone, card), Piece("mark", "engaged" if card in player.engaged else "ready"), 1
    for place in player.destinations:
        yield Spot(zone, place), Piece(CARD, place), 1
        yield from _destination(board, Spot(zone, place), place)
