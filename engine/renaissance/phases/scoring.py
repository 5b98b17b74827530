"""Séquence 6: points of Renaissance, the treasury, the shuffle of all cards, the end and its tie-breaks."""

from typing import Final

from engine.kernel.events import Ended
from engine.kernel.position import Options
from engine.kernel.secrets import Secret
from engine.kernel.viewers import Seat
from engine.renaissance.acts import Game, privileged
from engine.renaissance.board import Board, Phase
from engine.renaissance.catalogue import CARDS, FORTRESS, INCOME, RAMPART
from engine.renaissance.events import DeckMade, IncomeTaken, MarkersLifted, PhaseBegan, PointsScored

VENICE_BONUS: Final = 2
"""Pouvoirs par état: the ducats that Venice's privilege adds."""


def score(table: Game) -> None:
    """Séquence 6  Score points, then pay income, then remove the pillage markers."""
    board = table.board
    table.emit(PhaseBegan(phase=Phase.SCORING))
    for seat in board.order:
        table.emit(PointsScored(seat=seat, provinces=board.provinces(seat), artists=artists(board, seat)))
    for power in board.playing():
        table.emit(income(table.core.options, board, power.seat))
    marked = tuple(town for town, city in board.cities.items() if city.pillaged)
    if marked:
        table.emit(MarkersLifted(cities=marked))


def artists(board: Board, seat: Seat) -> tuple[str, ...]:
    """Les points de Renaissance  Return a seat's cities with an artist."""
    return tuple(town for town in board.held(seat) if board.cities[town].artist)


def income(options: Options, board: Board, seat: Seat) -> IncomeTaken:
    """Le trésor  Return the income by the walls of each city, without pillaged ones.

    Venice's privilege adds two.
    """
    cities = {town: board.cities[town] for town in board.held(seat)}
    pillaged = tuple(town for town, city in cities.items() if city.pillaged)
    ducats = sum(INCOME[city.level] for city in cities.values() if not city.pillaged)
    bonus = VENICE_BONUS * privileged(options, board, seat, "venise")
    return IncomeTaken(seat=seat, ducats=ducats, pillaged=pillaged, bonus=bonus)


def gather_cards(table: Game) -> None:
    """Phase 2 - Combats  Shuffle all cards, including hands, into the deck of the next turn."""
    cards = table.shuffle(f"deck/{table.board.turn}", tuple(CARDS))
    table.emit(DeckMade(deck=tuple(Secret(card) for card in cards), cause="turn"))


def finish(table: Game) -> None:
    """But du jeu  End the game: most points, then fortresses, ramparts, ducats; seats equal in all share the place."""
    board = table.board
    keys = {seat: merit(board, seat) for seat in board.order}
    ranks = sorted(set(keys.values()), reverse=True)
    ranking = tuple(tuple(seat for seat in board.order if keys[seat] == rank) for rank in ranks)
    points = {seat: board.powers[seat].score for seat in board.order}
    table.emit(Ended(reason="last_turn", ranking=ranking, points=points))


def merit(board: Board, seat: Seat) -> tuple[int, int, int, int]:
    """Return the key of the final ranking, the most important first."""
    levels = [board.level(town) for town in board.held(seat)]
    power = board.powers[seat]
    return power.score, levels.count(FORTRESS), levels.count(RAMPART), power.ducats
