"""Whole games by bots under the laws of every game, in every scenario, pace and number of players."""

from collections import Counter
from functools import cache
from typing import Any

import pytest

from engine.kernel.bots import Bot, Played, Temper, chooser, play_out
from engine.kernel.names import Seat
from engine.renaissance.ruleset import RULES
from tests import laws
from tests.engine.renaissance.case import OPTIONS, TEMPERS, alike
from tests.every_game import SEATS, Case, hold_laws, own_events

CASE = Case(RULES, sampled=5, options=OPTIONS, tempers=TEMPERS, alike=alike)
GAMES = range(8)


@cache
def game(number: int) -> tuple[laws.Beginning, Played[Any]]:
    """One whole game between bots."""
    players, options = (3, 4, 5, 6)[number % 4], OPTIONS[number % len(OPTIONS)]
    beginning = laws.Beginning(SEATS[:players], options, f"renaissance/{number}".encode())
    choose = chooser(beginning.seed)
    bots = {seat: Bot(RULES, seat, choose, TEMPERS[number % len(TEMPERS)]) for seat in beginning.seats}
    return beginning, play_out(RULES, beginning.seats, options, beginning.seed, bots)


@pytest.mark.parametrize("number", GAMES)
def test_the_laws_hold_in_whole_games(number: int) -> None:
    """Nothing leaks, nothing is minted, the facts make the position, and what is offered is accepted."""
    hold_laws(CASE, *game(number))


def test_every_event_of_the_game_occurs() -> None:
    """What happens in no game is a rule that nobody tried."""
    occurred = Counter[str]()
    for number in GAMES:
        occurred += game(number)[1].events
    missing = own_events(RULES) - set(occurred)
    assert missing <= {"ren.Eliminated", "ren.Returned", "ren.SwapRecalled", "ren.Swapped", "ren.ArtistLured"}, missing


@pytest.mark.parametrize("temper", [Temper(absent=100, meddling=0), Temper(suggested=0, absent=0)], ids=["late", "own"])
def test_games_end_whoever_plays(temper: Temper) -> None:
    """A game ends even if nobody ever answers; and if nobody listens to what the game suggests."""
    bots = {Seat(seat): Bot(RULES, seat, chooser(b"end"), temper) for seat in SEATS[:4]}
    assert play_out(RULES, SEATS[:4], {}, b"end", bots).position.core.ending == "last_turn"


@pytest.mark.parametrize("number", [0, 3])
def test_forms_read_what_bots_wrote(number: int) -> None:
    """Every line of a game is read back from its printed text, in both languages, as the same line."""
    for entry in game(number)[1].entries[::3]:
        laws.printed_is_read(RULES, entry)
