"""The view of one viewer: names, numbers, tuples and mappings, from a redacted position."""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.amalfi.acts import Seen, in_hand
from engine.amalfi.board import Board, Phase, Player
from engine.amalfi.catalogue import (
    ARTWORKS,
    CHARACTERS,
    COUNCIL,
    DECREE_EXTRA,
    DESTINATIONS,
    LIGHTHOUSES,
    PERIODS,
    RIVAL,
    ROW,
    TITLES,
)
from engine.amalfi.payment import most
from engine.amalfi.values import council_bread, invite_cost, meal, row_cost, ship_cost, slot
from engine.kernel.lazy import LazyMapping
from engine.kernel.rules import View
from engine.kernel.secrets import seen_by
from engine.kernel.viewers import Seat, Viewer


def present(seen: Seen, viewer: Viewer) -> View:
    """Return the whole view for a viewer."""
    with seen_by(viewer):
        return _table(seen, viewer)


def _table(seen: Seen, viewer: Viewer) -> View:
    board = seen.board
    return {
        "turn": board.period,
        "phase": board.phase.value,
        "round": board.round,
        "seat": viewer,
        "first": board.next_first or board.first,
        "over": seen.core.over,
        "active": board.active if board.phase is Phase.ACTIONS and not seen.core.over else None,
        "order": board.seats,
        "powers": {seat: player_told(board, seat) for seat in board.seats},
        "places": tuple(_place(board, place) for place in board.public),
        "rows": {row: _row(board, row) for row in board.rows},
        "decks": {row: len(deck) for row, deck in board.decks.items()},
        "discards": dict(board.discards),
        "titles": tuple(
            {"title": title, "claims": board.claims[title], "points": TITLES[title].vp} for title in board.titles
        ),
        "decrees": tuple(
            {"decree": decree, "extra": dict(DECREE_EXTRA[n]), "over": n + 1 < board.period}
            for n, decree in enumerate(board.decrees)
        ),
        "hands": () if board.period or seen.core.options["hands"] not in ("standard", "list") else board.hands,
        "rival": seen.core.options["rival"] if len(board.players) == 1 else "",
        "rival_lights": board.erected(RIVAL),
        "last": board.period == PERIODS,
        "prices": prices(board, Seat(viewer)) if board.period and viewer in board.players else {},
    }


def _row(board: Board, row: str) -> tuple[Mapping[str, Any], ...]:
    """Return a row with the costs and gains of its slots: bread at the Council, resources elsewhere."""
    printed = COUNCIL if row == "council" else ROW
    pays = printed["pays" if row == "council" else "extra"]
    cards = ((card, slot(board, row, card)) for card in board.rows[row])
    return tuple({"card": card, "slot": at, "pays": pays[at], "gains": printed["gains"][at]} for card, at in cards)


def _place(board: Board, place: str) -> Mapping[str, Any]:
    return {
        "place": place,
        "kind": DESTINATIONS[place].kind.value,
        "evolving": board.evolving(place),
        "dock": board.docks.get(place, ""),
        "light": board.light(place),
        "slot": board.has_slot(place),
    }


def player_told(board: Board, seat: Seat) -> Mapping[str, Any]:
    """Return a player's row, as far as the current reader may know."""
    player = board.players[seat]
    return {
        "colour": player.colour,
        "vp": player.vp,
        "bread": player.bread,
        "granary": board.granary(seat),
        "bay": player.bay,
        "port": player.port,
        "yard": player.yard,
        "holds": dict(player.holds),
        "docked": board.docked(seat),
        "fleet": player.fleet,
        "hand": len(player.hand),
        "cards": in_hand(board, seat),
        "packet": tuple(card.value for card in player.packet if card.visible),
        "aside": tuple(card.value for card in player.aside if card.visible),
        "invited": tuple({"card": card, "engaged": card in player.engaged} for card in player.invited),
        "artworks": player.artworks,
        "destinations": tuple(_place(board, place) for place in player.destinations),
        "lights": board.erected(seat),
        "lights_left": LIGHTHOUSES - board.erected(seat),
        "titles": tuple(title for title in board.titles if seat in board.claims[title]),
        "meal": meal(board, seat),
        "ship_cost": ship_cost(board, seat) if board.period else 0,
        "done": player.done,
        "queue": _queue(player),
    }


def _queue(player: Player) -> int:
    """Return the number of stored actions, for their author alone."""
    return player.queued.value if player.queued is not None and player.queued.visible else 0


# --- prices


def prices(board: Board, seat: Seat) -> LazyMapping:
    """Return the current prices of the open rows and the own hand, including discounts and slots.

    Characters of the Council cost bread. `able`: the player can pay.
    """
    atelier, atlas = board.rows["atelier"], board.rows["atlas"]
    reckon = {
        "atelier": lambda: tuple(_price(board, seat, card, _priced(board, seat, "atelier", card)) for card in atelier),
        "atlas": lambda: tuple(_price(board, seat, tile, _priced(board, seat, "atlas", tile)) for tile in atlas),
        "council": lambda: tuple(_character(board, seat, card) for card in board.rows["council"]),
        "invite": lambda: tuple(
            _price(board, seat, card, (invite_cost(board, seat, card), CHARACTERS[card].accepts))
            for card in in_hand(board, seat)
        ),
    }
    return LazyMapping(seat, reckon)


def _priced(board: Board, seat: Seat, row: str, thing: str) -> tuple[int, Sequence[str]]:
    printed = ARTWORKS[thing] if row == "atelier" else DESTINATIONS[thing]
    return row_cost(board, seat, row, thing), printed.accepts


def _price(board: Board, seat: Seat, thing: str, cost: tuple[int, Sequence[str]]) -> Mapping[str, Any]:
    price, accepts = cost
    return {"card": thing, "price": price, "accepts": tuple(accepts), "able": price <= most(board, seat, accepts)}


def _character(board: Board, seat: Seat, card: str) -> Mapping[str, Any]:
    pays, gains = council_bread(board, seat, card)
    return {"card": card, "price": pays, "gains": gains, "able": pays <= board.players[seat].bread}
