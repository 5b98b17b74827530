"""What a viewer is shown: names, numbers, tuples and mappings, from a redacted position."""

from collections.abc import Iterator, Mapping
from typing import Any

from engine.kernel.names import Seat, Viewer
from engine.kernel.rules import View
from engine.kernel.secrets import seen_by
from engine.patchistory.acts import Seen, held
from engine.patchistory.board import Board, Lot, Player, Route
from engine.patchistory.catalogue import BUILDINGS, GOODS, LEVELS, ROOMS, SIDES, STOCKS, TILES, VOTE, Room
from engine.patchistory.effects import level, points, production, upkeep
from engine.patchistory.territory import location, locations


def present(seen: Seen, viewer: Viewer) -> View:
    """The table as a viewer may see it; zones for a picture and for a page, each with its own data."""
    with seen_by(viewer):
        return _table(seen.board, viewer)


def _table(board: Board, viewer: Viewer) -> View:
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
        "deck": len(board.deck),
        "pile": len(board.pile),
    }


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
        "pack": held(player),
        "buildings": tuple(_building(kind) for kind in held(player)),
        "tiles": len(player.pack),
        "cards": tuple(card.value for card in player.cards if card.visible),
        "hand": len(player.cards),
        "won": _tile(player.won) if player.won else None,
    }


def _territory(player: Player) -> tuple[Mapping[str, Any], ...]:
    """Location by location, its squares from the top left, what it gives, and where a worker stands."""
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
    """A location as printed: its symbols outside and inside the gold frame."""
    return {"room": room.id, "kind": room.kind.value, "base": dict(room.base), "gold": dict(room.gold)}


def _building(kind: str) -> Mapping[str, Any]:
    """A building tile as printed, with its price in Resources."""
    return {**_room(ROOMS[BUILDINGS[kind].room]), "cost": BUILDINGS[kind].cost}


def _lot(board: Board, place: int) -> Mapping[str, Any]:
    lot = board.offer[place]
    leader = board.leader(lot.name)
    money = board.bids[leader].money if leader is not None else 0
    return {**_tile(lot), "leader": leader, "money": money}


def _tile(lot: Lot) -> Mapping[str, Any]:
    """A land tile with the side that is up, or both where its owner chooses; each by its locations."""
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
