"""What a viewer is shown: names, numbers, tuples and mappings, from a redacted position."""

from collections.abc import Mapping
from typing import Any

from engine.kernel.names import Seat, Viewer
from engine.kernel.rules import View
from engine.patchistory.acts import Seen, held
from engine.patchistory.board import Board, Player, Route
from engine.patchistory.catalogue import GOODS, LEVELS, STOCKS, VOTE
from engine.patchistory.effects import level, points, production, upkeep
from engine.patchistory.territory import location, locations


def present(seen: Seen, viewer: Viewer) -> View:
    """The table as a viewer may see it; zones for a picture and for a page, each with its own data."""
    board = seen.board
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
        "tiles": len(player.pack),
        "cards": tuple(card.value for card in player.cards if card.visible),
        "hand": len(player.cards),
        "won": {"tile": player.won.tile, "lot": player.won.name, "side": player.won.side} if player.won else None,
    }


def _territory(player: Player) -> tuple[Mapping[str, Any], ...]:
    """Location by location, its squares from the top left, and where a worker stands."""
    return tuple(
        {
            "squares": squares,
            "room": player.territory[squares[0]].shows.id,
            "kind": player.territory[squares[0]].shows.kind.value,
            "tile": player.territory[squares[0]].tile,
            "built": bool(player.territory[squares[0]].over),
            "workers": tuple(s for s in player.workers if location(player.territory, s) == squares),
        }
        for squares in locations(player.territory)
    )


def _lot(board: Board, place: int) -> Mapping[str, Any]:
    lot = board.offer[place]
    leader = board.leader(lot.name)
    money = board.bids[leader].money if leader is not None else 0
    return {"lot": lot.name, "tile": lot.tile, "side": lot.side, "leader": leader, "money": money}


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
