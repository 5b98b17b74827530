"""An ending with a result of its own: a shared victory, a game that beats its players, a band of scores."""

import pytest

from engine.kernel.bots import Bot, BotProfile, FinishedGame, chooser, play_game
from engine.kernel.events import Ended
from engine.kernel.viewers import Seat
from tests.toy import RULES
from tests.toy.board import Board

SEATS = (Seat("ann"), Seat("bob"))


def played(temper: BotProfile, **options: str) -> FinishedGame[Board]:
    """A whole game by bots of this temper."""
    bots = {seat: Bot(RULES, seat, chooser(b"result"), temper) for seat in SEATS}
    return play_game(RULES, SEATS, options, b"result", bots)


def ended(game: FinishedGame[Board]) -> Ended:
    """How it ended."""
    (found,) = (event for event in game.entries[-1].after.events if isinstance(event, Ended))
    return found


@pytest.mark.holds("toy", "result", "bare")
def test_a_game_may_beat_all_its_players() -> None:
    """Where nobody has a ribbon nobody wins, whatever their points; the ranking says who came nearest."""
    found = ended(played(BotProfile(passing=100, absent=0, unasked_share=0, ahead=0), fair="yes"))
    assert (found.is_won, found.result) == (False, "bare")
    assert {seat for group in found.ranking for seat in group} == set(SEATS)


def test_a_game_without_results_of_its_own_ends_as_ever() -> None:
    """Its first group has won, and nothing else is said of it."""
    found = ended(played(BotProfile(passing=100, absent=0, unasked_share=0, ahead=0)))
    assert (found.is_won, found.result) == (True, "")
