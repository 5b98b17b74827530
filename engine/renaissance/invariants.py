"""Invariants that hold after every entry: no piece is created, lost or misplaced."""

from collections import Counter
from collections.abc import Iterator

from engine.kernel.orders import Problem
from engine.renaissance.acts import Seen
from engine.renaissance.board import Board
from engine.renaissance.catalogue import ARTISTS, CARDS, HIRED_FREE, SUPPLIES

PROBLEMS = (
    "card_counted",  # {card, count}: not exactly once in the game
    "ducats_below_zero",  # {seat}
    "pieces_counted",  # {what, count}: more on the map than in the box (Le jeu comprend)
    "garrisons_counted",  # {seat, count}: more than 21
    "artist_counted",  # {artist, count}
    "artist_homeless",  # {city}: an artist without a palace
    "city_of_nobody",  # {city}: walls without an owner, or an owner without a garrison
    "closed_city_held",  # {city}
    "cityless",  # {seat}: in the game without a city, or eliminated with one
)


def problems(position: Seen) -> tuple[Problem, ...]:
    """Return every broken invariant; empty for a sound position.

    Cards are counted only if the current reader knows them all.
    """
    board = position.board
    return (*_cards(board), *_powers(board), *_pieces(board), *_artists(board), *_cities(board))


def _cards(board: Board) -> Iterator[Problem]:
    hidden = (*board.deck, *(card for power in board.powers.values() for card in power.hand))
    seen = [card for power in board.powers.values() for card in (*power.shown, *power.aside)]
    battle = board.battle
    laid = [laid.card for laid in (*battle.attack, *battle.defence)] if battle is not None else []
    if not all(card.visible for card in (*hidden, *laid)):
        return
    counted = Counter([*board.discard, *seen, *(card.value for card in (*hidden, *laid))])
    del counted[HIRED_FREE]
    for card in {*CARDS, *counted}:
        if counted[card] != (card in CARDS):
            yield Problem("card_counted", {"card": card, "count": counted[card]})


def _powers(board: Board) -> Iterator[Problem]:
    for seat, power in board.powers.items():
        count = len(board.held(seat))
        if power.ducats < 0:
            yield Problem("ducats_below_zero", {"seat": seat})
        if count > SUPPLIES["garrisons"]:
            yield Problem("garrisons_counted", {"seat": seat, "count": count})
        if board.turn and power.eliminated != (count == 0):
            yield Problem("cityless", {"seat": seat})


def _pieces(board: Board) -> Iterator[Problem]:
    for what in ("ramparts", "castles", "palaces", "pillage"):
        if board.left(what) < 0:
            yield Problem("pieces_counted", {"what": what, "count": SUPPLIES[what] - board.left(what)})


def _artists(board: Board) -> Iterator[Problem]:
    placed = [city.artist for city in board.cities.values() if city.artist]
    counted = Counter([*placed, *board.supply])
    for artist in {*ARTISTS, *counted}:
        if counted[artist] != (artist in ARTISTS):
            yield Problem("artist_counted", {"artist": artist, "count": counted[artist]})
    for town, city in board.cities.items():
        if city.artist and not city.palace:
            yield Problem("artist_homeless", {"city": town})


def _cities(board: Board) -> Iterator[Problem]:
    for town, city in board.cities.items():
        if (city.owner is None) != (city.level == 0):
            yield Problem("city_of_nobody", {"city": town})
        if city.owner is not None and town in board.closed:
            yield Problem("closed_city_held", {"city": town})
