"""Figures of a view that the rules can tell beforehand: what each thing on offer would cost a player now."""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.amalfi.acts import in_hand
from engine.amalfi.board import Board
from engine.amalfi.catalogue import ARTWORKS, CHARACTERS, DESTINATIONS
from engine.amalfi.payment import most
from engine.amalfi.values import council_bread, invite_cost, row_cost
from engine.kernel.lazy_mapping import LazyMapping
from engine.kernel.viewers import Seat


def prices(board: Board, seat: Seat) -> LazyMapping:
    """What lies open in the Atelier and the Atlas, and the own hand: each with the resources that it takes now.

    The characters of the Council take bread. All discounts and slots are counted; `able`: the player can pay it.
    """
    atelier, atlas = board.rows["atelier"], board.rows["atlas"]
    reckon = {
        "atelier": lambda: tuple(_thing(board, seat, card, _row(board, seat, "atelier", card)) for card in atelier),
        "atlas": lambda: tuple(_thing(board, seat, tile, _row(board, seat, "atlas", tile)) for tile in atlas),
        "council": lambda: tuple(_character(board, seat, card) for card in board.rows["council"]),
        "invite": lambda: tuple(
            _thing(board, seat, card, (invite_cost(board, seat, card), CHARACTERS[card].accepts))
            for card in in_hand(board, seat)
        ),
    }
    return LazyMapping(seat, reckon)


def _row(board: Board, seat: Seat, row: str, thing: str) -> tuple[int, Sequence[str]]:
    printed = ARTWORKS[thing] if row == "atelier" else DESTINATIONS[thing]
    return row_cost(board, seat, row, thing), printed.accepts


def _thing(board: Board, seat: Seat, thing: str, cost: tuple[int, Sequence[str]]) -> Mapping[str, Any]:
    price, accepts = cost
    return {"card": thing, "price": price, "accepts": tuple(accepts), "able": price <= most(board, seat, accepts)}


def _character(board: Board, seat: Seat, card: str) -> Mapping[str, Any]:
    pays, gains = council_bread(board, seat, card)
    return {"card": card, "price": pays, "gains": gains, "able": pays <= board.players[seat].bread}
