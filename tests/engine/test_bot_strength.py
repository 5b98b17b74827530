"""The bots that sit at tables look ahead: they beat those that take what is suggested."""

import pytest

from engine import GAMES
from engine.kernel.bots import BotProfile
from engine.kernel.events import Ended
from engine.kernel.viewers import Seat
from pbem.service.tasks.bot_turns import TEMPER
from tests.bot_games import SEATS, played
from tests.budget import budget

BY_CHANCE = BotProfile(
    suggested=95, random_share=0, passing=2, absent=0, ahead=0, unasked_share=0, eagerness=90, lines=6, tries=4
)
"""Lines that the game suggests, mostly near the top, as long as the set stands."""
PLAYERS = SEATS[:3]


@pytest.mark.long
@pytest.mark.parametrize("title", sorted(title for title, rules in GAMES.items() if len(PLAYERS) in rules.meta.seats))
def test_one_that_looks_ahead_wins_more_often_than_by_chance(title: str) -> None:
    """Alone among two that do not, in each seat in turn, it wins well more than its share of the games."""
    games = budget(6, 12)
    won = sum(_has_won(title, number, PLAYERS[number % len(PLAYERS)]) for number in range(games))
    assert won >= 1.5 * games / len(PLAYERS)


def _has_won(title: str, number: int, ahead: Seat) -> bool:
    """Return True if the seat that looks ahead is among the winners of one game."""
    tempers = {seat: TEMPER if seat == ahead else BY_CHANCE for seat in PLAYERS}
    game = played(GAMES[title], PLAYERS, seed=f"ahead/{title}/{number}".encode(), temper=tempers)
    (ended,) = (event for event in game.entries[-1].after.events if isinstance(event, Ended))
    return ended.is_won and ahead in ended.ranking[0]
