"""Invariants that hold after every entry: no piece is created, lost or misplaced."""

from collections import Counter
from collections.abc import Iterator

from engine.kernel.orders import Problem
from engine.patchistory.acts import Seen
from engine.patchistory.board import Board, Player
from engine.patchistory.catalogue import (
    ALLIED_ROUTES,
    FIRST_PACK,
    MAIN_ROUTES,
    PROSPERITY,
    STOCKS,
    TILES,
    WORKERS,
    Kind,
)
from engine.patchistory.territory import CAPITAL, location, neighbours

PROBLEMS = (
    "workers_counted",  # {seat, count}: not eight in all
    "crowded",  # {seat, square}: several workers in a location, and its owner is not asked
    "below_zero",  # {seat, good}
    "seas_touch",  # {seat, square}
    "routes_counted",  # {main, allied}
    "buildings_counted",  # {count}: not 36 in all
    "cards_counted",  # {count}: not 15 in all
    "tile_twice",  # {tile}
)


def problems(position: Seen) -> tuple[Problem, ...]:
    """Return every broken invariant; empty for a sound position.

    Hidden things are counted only if the current reader knows them all.
    """
    board = position.board
    making_room = {decision.seat for decision in position.core.questions if decision.topic == "crowd"}
    found = [
        problem
        for player in board.players.values()
        for problem in _player(board, player)
        if problem.code != "crowded" or player.seat not in making_room
    ]
    return (*found, *_pieces(board), *_tiles(board))


def _player(board: Board, player: Player) -> Iterator[Problem]:
    seat = player.seat
    away = sum(seat in route.spots for route in board.of(seat))
    count = player.track + len(player.workers) + away
    if count != WORKERS:
        yield Problem("workers_counted", {"seat": seat, "count": count})
    here = Counter(location(player.territory, square) for square in player.workers if square in player.territory)
    for squares, n in here.items():
        if n > 1:
            yield Problem("crowded", {"seat": seat, "square": squares[0]})
    for good in STOCKS:
        if player.counted(good) and player.amount(good) < 0:
            yield Problem("below_zero", {"seat": seat, "good": good})
    seas = {square for square, shown in player.territory.items() if shown.shows.kind is Kind.SEA}
    for square in sorted(seas):
        if any(n in seas for n in neighbours(square)):
            yield Problem("seas_touch", {"seat": seat, "square": square})


def _pieces(board: Board) -> Iterator[Problem]:
    allied = sum(route.allied for route in board.routes)
    main = len(board.routes) - allied
    if main > MAIN_ROUTES or allied > ALLIED_ROUTES:
        yield Problem("routes_counted", {"main": main, "allied": allied})
    packs = [tile for player in board.players.values() for tile in player.pack]
    tiles = (*board.pile, *board.cleared, *packs)
    known = all(tile.visible for tile in tiles)
    if board.turn and known and sorted((*(t.value for t in tiles), *board.built)) != sorted(FIRST_PACK):
        yield Problem("buildings_counted", {"count": len(tiles) + len(board.built)})
    hands = [card for player in board.players.values() for card in player.cards]
    cards = (*board.stack, *hands)
    known = all(card.visible for card in cards)
    if board.turn and known and sorted((*(c.value for c in cards), *board.scored)) != sorted(PROSPERITY):
        yield Problem("cards_counted", {"count": len(cards)})


def _tiles(board: Board) -> Iterator[Problem]:
    """Check that each land tile is in one place: deck, offer, hand, one territory, or box."""
    seen = Counter((*(lot.tile for lot in board.offer), *board.discarded))
    seen.update(tile.value for tile in (*board.deck, *board.gone) if tile.visible)
    for player in board.players.values():
        seen.update([player.won.tile] if player.won else [])
        seen.update({square.tile for square in player.territory.values()} - {CAPITAL})
    for tile, n in seen.items():
        if n > 1 or tile not in TILES:
            yield Problem("tile_twice", {"tile": tile})
