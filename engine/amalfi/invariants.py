"""Invariants that hold after every entry: no piece is created, lost or misplaced."""

from collections import Counter
from collections.abc import Iterator

from engine.amalfi.acts import Seen
from engine.amalfi.board import Board, Player
from engine.amalfi.catalogue import ARTWORKS, CHARACTERS, LIGHTHOUSES, PRIVATE, RIVAL, SHIPS
from engine.kernel.orders import Problem

PROBLEMS = (
    "ships_counted",  # {seat, count}: not ten in all
    "below_zero",  # {seat, what}
    "granary_full",  # {seat, bread, most}
    "lights_counted",  # {seat, count}
    "cards_counted",  # {row, count}: artworks, characters, tiles
    "card_twice",  # {card}
    "dark_place",  # {place}: a lighthouse or a ship at an impossible place
)


def problems(position: Seen) -> tuple[Problem, ...]:
    """Return every broken invariant; empty for a sound position.

    Hidden cards are counted only if the current reader knows them all.
    """
    board = position.board
    found = [problem for player in board.players.values() for problem in _player(board, player)]
    return (*found, *_places(board), *_cards(board))


def _player(board: Board, player: Player) -> Iterator[Problem]:
    seat = player.seat
    count = player.bay + player.port + player.yard + player.in_holds + len(board.docked(seat))
    if count != SHIPS:
        yield Problem("ships_counted", {"seat": seat, "count": count})
    figures = {"bay": player.bay, "port": player.port, "yard": player.yard, "bread": player.bread, **player.holds}
    for what, n in figures.items():
        if n < 0:
            yield Problem("below_zero", {"seat": seat, "what": what})
    if player.bread > board.granary(seat):
        yield Problem("granary_full", {"seat": seat, "bread": player.bread, "most": board.granary(seat)})


def _places(board: Board) -> Iterator[Problem]:
    for owner in (*board.players, RIVAL):
        if board.erected(owner) > LIGHTHOUSES:
            yield Problem("lights_counted", {"seat": owner, "count": board.erected(owner)})
    for place in (*board.lights, *board.docks):
        if place not in board.places or (place in board.lights and not board.has_slot(place)):
            yield Problem("dark_place", {"place": place})


def _cards(board: Board) -> Iterator[Problem]:
    """Check that every card is in one place; characters once they are all dealt."""
    players = board.players.values()
    hidden = {
        "atelier": board.decks["atelier"],
        "atlas": board.decks["atlas"],
        "council": (*board.decks["council"], *(card for player in players for card in player.hand)),
    }
    owned: dict[str, list[str]] = {
        "atelier": [card for player in players for card in player.artworks],
        "atlas": [*(tile for player in players for tile in player.destinations), *board.covered.values()],
        "council": [card for player in players for card in player.invited],
    }
    for row, things in (("atelier", ARTWORKS), ("atlas", PRIVATE), ("council", CHARACTERS)):
        if not board.period or not all(card.visible for card in hidden[row]):
            continue
        found = Counter((*owned[row], *board.rows[row], *board.discards[row], *(c.value for c in hidden[row])))
        if found.total() != len(things):
            yield Problem("cards_counted", {"row": row, "count": found.total()})
        yield from (Problem("card_twice", {"card": card}) for card, n in found.items() if n > 1)
