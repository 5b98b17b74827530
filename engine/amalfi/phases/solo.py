"""Défis solo: Naples or Genoa reacts to each action, and the player must earn titles to go on."""

from typing import Final

from engine.amalfi import events as e
from engine.amalfi.acts import Game, discard_rightmost, next_light
from engine.amalfi.board import Board
from engine.amalfi.catalogue import ARTWORKS, DESTINATIONS, EVOLVING, RIVAL, RIVALS, SOLO, Rival
from engine.amalfi.phases.lighthouses import UseLight
from engine.amalfi.values import counted
from engine.kernel.position import Options
from engine.kernel.viewers import Seat

BANDS: Final = ("beginner", "hope", "contributor", "pillar")


def rival_of(options: Options) -> Rival:
    """Return the player's opponent."""
    return RIVALS[options["rival"]]


def react(table: Game, what: str) -> None:
    """Action, réaction: React to an action after all its bonuses (A23)."""
    match what:
        case "Sail":
            _sail(table, *looks(table.board, rival_of(table.core.options)))
        case "Acquire":
            discard_rightmost(table, "atelier", RIVAL)
        case "Discover":
            discard_rightmost(table, "atlas", RIVAL)
        case "Invite":
            discard_rightmost(table, "council", RIVAL)
        case "Engage":
            free = [place for place in _evolving(table.board) if place not in table.board.docks]
            _sail(table, *free[:1])
        case "Build":
            for place in lights(table.board):
                _erect(table, place)


def looks(board: Board, rival: Rival) -> tuple[str, ...]:
    """Return the destinations of the rightmost artwork's cost, and for Genoa of its bonus."""
    found: list[str] = []
    for card in board.rows["atelier"][-1:]:
        found += (SOLO["by_resource"][resource] for resource in ARTWORKS[card].accepts)
        if rival.bonus:
            found.append(SOLO["by_bonus"][ARTWORKS[card].bonus])
    return tuple(dict.fromkeys(found))


def lights(board: Board) -> tuple[str, ...]:
    """Return the destinations of the rightmost tile's cost, where a construction brings lighthouses of the rival."""
    return tuple(dict.fromkeys(SOLO["by_resource"][resource] for resource in _asked_by_tile(board)))


def _asked_by_tile(board: Board) -> tuple[str, ...]:
    return tuple(resource for tile in board.rows["atlas"][-1:] for resource in DESTINATIONS[tile].accepts)


def _evolving(board: Board) -> tuple[str, ...]:
    """Return the current evolving destinations, from the top."""
    return tuple(board.covered.get(place, place) for place in EVOLVING)


def _sail(table: Game, *places: str) -> None:
    """Send ships of the rival, while any are left, to free docks; the player's own lighthouses there may be used."""
    board = table.board
    reached = []
    for place in places:
        if place not in board.docks and len(board.docked(RIVAL)) < SOLO["ships"]:
            table.emit(e.RivalSailed(place=place))
            reached.append(place)
    table.then(*(UseLight(place, Seat(RIVAL)) for place in reached))


def _erect(table: Game, place: str) -> None:
    """Erect a lighthouse of the rival, if one is left and the place is free."""
    board = table.board
    if not board.light(place) and board.erected(RIVAL) < SOLO["lighthouses"]:
        table.emit(e.RivalErected(place=place, number=next_light(board)))


def goes_on(table: Game) -> bool:
    """Fin de période: Report the titles needed, and return True if the player has enough."""
    board = table.board
    (seat,) = board.seats
    needed = rival_of(table.core.options).titles[board.period - 1]
    titles = counted(board, seat, "title")
    if needed:
        table.emit(e.RivalChecked(seat=seat, titles=titles, needed=needed))
    return titles >= needed


def band(points: int) -> str:
    """Return the result of a finished game by its points."""
    return BANDS[sum(points > most for most in SOLO["bands"])]
