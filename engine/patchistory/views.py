"""The view of one viewer: names, numbers, tuples and mappings, from a redacted position."""

from collections.abc import Iterator, Mapping
from typing import Any

from engine.kernel.rules import View
from engine.kernel.secrets import seen_by
from engine.kernel.viewers import Seat, Viewer
from engine.patchistory.acts import Seen, held
from engine.patchistory.board import Board, Lot, Phase, Player, Route
from engine.patchistory.catalogue import BUILDINGS, GOODS, LEVELS, PROSPERITY, ROOMS, SIDES, STOCKS, TILES, VOTE, Room
from engine.patchistory.effects import counted, level, points, price, production, upkeep
from engine.patchistory.orders import Bid
from engine.patchistory.phases.administration import building_cost
from engine.patchistory.phases.auction import amount, bidders
from engine.patchistory.phases.production import specials_upkeep
from engine.patchistory.territory import location, locations


def present(seen: Seen, viewer: Viewer) -> View:
    """Return the whole view for a viewer."""
    with seen_by(viewer):
        return _table(seen.board, viewer)


def _table(board: Board, viewer: Viewer) -> View:
    seat = Seat(viewer)
    return {
        "turn": board.turn,
        "phase": board.phase.value,
        "era": board.era,
        "round": board.round,
        "seat": viewer,
        "first": board.first,
        "order": board.seats,
        "powers": {seat: _player(board, seat) for seat in board.seats},
        "offer": tuple(_lot(board, n) for n in range(len(board.offer))),
        "routes": tuple(_route(route) for route in board.routes),
        "polls": tuple(
            {"card": poll.card, "ranks": dict(poll.ranks), "votes": dict(poll.votes)} for poll in board.polls
        ),
        "standings": {card: _standing(board, card) for card in _cards(board, seat)},
        "deck": len(board.deck),
        "pile": len(board.pile),
        "bids": tuple(_price(board, seat, lot.name) for lot in board.offer) if _bids(board, seat) else (),
    }


def _cards(board: Board, seat: Seat) -> Iterator[str]:
    """Yield the prosperity cards in a viewer's hand."""
    player = board.players.get(seat)
    return (card.value for card in player.cards if card.visible) if player is not None else iter(())


def _standing(board: Board, card: str) -> Mapping[str, int]:
    """7. Vote: Return what a prosperity card counts, for each player now."""
    return {seat: counted(board, seat, PROSPERITY[card].counts) for seat in board.seats}


def _player(board: Board, seat: Seat) -> Mapping[str, Any]:
    player = board.players[seat]
    made = production(board, seat)
    return {
        "colour": player.colour,
        "capital": player.capital,
        "territory": _territory(player),
        "levels": {name: level(board, seat, name) for name in LEVELS},
        "points": points(board, seat),
        "production": {name: made[name] for name in (*GOODS, VOTE)},
        "stock": {good: player.amount(good) for good in STOCKS if player.counted(good)},
        "track": player.track,
        "workers": board.in_play(seat),
        "upkeep": upkeep(board, seat),
        "specials": specials_upkeep(board, seat),
        "pack": held(player),
        "buildings": tuple(_building(board, seat, kind) for kind in held(player)),
        "tiles": len(player.pack),
        "cards": tuple(card.value for card in player.cards if card.visible),
        "hand": len(player.cards),
        "won": _tile(player.won) if player.won else None,
    }


def _territory(player: Player) -> tuple[Mapping[str, Any], ...]:
    """Return the locations of a territory: squares, symbols, workers."""
    return tuple(
        {
            "squares": squares,
            **_room(player.territory[squares[0]].shows),
            "tile": player.territory[squares[0]].tile,
            "built": bool(player.territory[squares[0]].over),
            "workers": tuple(s for s in player.workers if location(player.territory, s) == squares),
        }
        for squares in locations(player.territory)
    )


def _room(room: Room) -> Mapping[str, Any]:
    """Return a location as printed: its symbols outside and inside the gold frame."""
    return {"room": room.id, "kind": room.kind.value, "base": dict(room.base), "gold": dict(room.gold)}


def _building(board: Board, seat: Seat, kind: str) -> Mapping[str, Any]:
    """Return a building tile: its printed and current price in Resources, its Politics Points, and True if it is
    affordable.
    """
    resources, pp = building_cost(board, seat, kind), price(board, seat, "construct_building")
    player = board.players[seat]
    able = player.counted("resource") and resources <= player.amount("resource") and pp <= points(board, seat)
    room = _room(ROOMS[BUILDINGS[kind].room])
    return {**room, "cost": BUILDINGS[kind].cost, "price": resources, "points": pp, "able": able}


def _bids(board: Board, seat: Seat) -> bool:
    """Return True if a viewer bids for the tiles on offer."""
    return board.phase is Phase.AUCTION and seat in bidders(board)


def _price(board: Board, seat: Seat, lot: str) -> Mapping[str, Any]:
    """1.-5.: Return the least bid that leads on a tile now, what the viewer would add, and True if they have it.

    `leads`: the viewer's own bid is the highest.
    """
    if board.leader(lot) == seat:
        return {"lot": lot, "least": board.bids[seat].money, "adds": 0, "able": True, "leads": True}
    least = amount(board, seat, Bid(lot))
    adds = least - (board.bids[seat].money if seat in board.bids else 0)
    return {
        "lot": lot,
        "least": least,
        "adds": adds,
        "able": adds <= board.players[seat].amount("money"),
        "leads": False,
    }


def _lot(board: Board, place: int) -> Mapping[str, Any]:
    lot = board.offer[place]
    leader = board.leader(lot.name)
    money = board.bids[leader].money if leader is not None else 0
    return {**_tile(lot), "leader": leader, "money": money}


def _tile(lot: Lot) -> Mapping[str, Any]:
    """Return a land tile with the side that is up, or with both if its owner chooses."""
    sides = (lot.side,) if lot.side else SIDES
    faces = {side: tuple(map(_room, _rooms(lot.tile, side))) for side in sides}
    return {"lot": lot.name, "tile": lot.tile, "side": lot.side, "faces": faces}


def _rooms(tile: str, side: str) -> Iterator[Room]:
    face = TILES[tile].face(side)
    return (face.room(letter) for letter in face.rooms)


def _route(route: Route) -> Mapping[str, Any]:
    return {
        "number": route.number,
        "start": route.start,
        "end": route.end,
        "allied": route.allied,
        "spots": dict(route.spots),
        "rests": tuple(route.rests),
        "war": dict(route.war),
    }
