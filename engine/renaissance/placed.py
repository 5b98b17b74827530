"""Where the pieces of the board lie: garrisons, walls, palaces and artists in cities; cards in hands and in battle."""

from collections.abc import Iterator

from engine.kernel.movements import CARD, MAP, SEAT, TABLE, Piece, Placed, Spot, card_faces
from engine.kernel.viewers import Viewer
from engine.renaissance.board import Battle, Board, City, Power
from engine.renaissance.catalogue import FORTRESS, RAMPART

_TABLE = Spot(TABLE)


def placed(board: Board, viewer: Viewer) -> Iterator[Placed]:
    """Yield the pieces of a board, as far as the current reader may know."""
    for town, city in board.cities.items():
        yield from _city(Spot(MAP, town), city)
    for power in board.powers.values():
        yield from _held(board, power, viewer)
    if board.battle is not None:
        yield from _battle(board.battle)
    for piece, supply in (
        ("rampart", "ramparts"),
        ("castle", "castles"),
        ("palace", "palaces"),
        ("pillage", "pillage"),
    ):
        yield _TABLE, Piece(piece), board.left(supply)
    yield _TABLE, Piece(CARD), len(board.deck)
    for card in board.discard:
        yield _TABLE, Piece(CARD, card), 1


def _city(spot: Spot, city: City) -> Iterator[Placed]:
    """Yield what stands in a city. A castle is built over its rampart."""
    if city.owner is not None:
        yield spot, Piece("garrison", "", city.owner), 1
    yield spot, Piece("rampart"), int(city.level >= RAMPART)
    yield spot, Piece("castle"), int(city.level == FORTRESS)
    yield spot, Piece("palace"), int(city.palace)
    yield spot, Piece("pillage"), int(city.pillaged)
    if city.artist:
        yield spot, Piece("artist", city.artist), 1


def _held(board: Board, power: Power, viewer: Viewer) -> Iterator[Placed]:
    """Yield what a power has off the map. Others do not see which cards a hidden attack has left in a hand."""
    spot = Spot(SEAT, power.seat)
    yield spot, Piece("garrison", "", power.seat), board.garrisons(power.seat)
    yield spot, Piece("rampart"), power.ramparts
    yield spot, Piece("palace"), power.palaces
    if viewer != power.seat:
        yield spot, Piece(CARD), power.cards
    else:
        for card in (*card_faces(power.hand), *(Piece(CARD, card) for card in power.shown)):
            yield spot, card, 1
    for name in power.aside:
        yield spot, Piece(CARD, name), 1


def _battle(battle: Battle) -> Iterator[Placed]:
    """Yield the cards laid in a battle, which lie at its city."""
    for card in card_faces(laid.card for laid in (*battle.attack, *battle.defence)):
        yield Spot(MAP, battle.city), card, 1
