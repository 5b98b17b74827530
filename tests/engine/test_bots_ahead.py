"""The bots that sit at tables look ahead: they beat those that take what is suggested."""

import pytest

from engine import GAMES
from engine.kernel.bots import Bot, Temper, chooser, play_out
from engine.kernel.events import Ended
from engine.kernel.names import Seat
from pbem.service.run.bots import TEMPER

BY_CHANCE = Temper(suggested=95, fancy=0, passing=2, absent=0, ahead=0, meddling=0, keen=90, lines=6, tries=4)
"""Lines that the game suggests, mostly near the top, as long as the set stands: how bots at tables once played."""
SEATS = tuple(Seat(f"s{n}") for n in range(1, 4))
GAMES_PLAYED = 8


@pytest.mark.slow
@pytest.mark.parametrize("title", sorted(GAMES))
def test_one_that_looks_ahead_wins_more_often_than_by_chance(title: str) -> None:
    """Alone among two that do not, in each seat in turn, it wins well more than its share of the games."""
    rules, won = GAMES[title], 0
    for number in range(GAMES_PLAYED):
        seed, ahead = f"ahead/{title}/{number}".encode(), SEATS[number % len(SEATS)]
        tempers = {seat: TEMPER if seat == ahead else BY_CHANCE for seat in SEATS}
        bots = {seat: Bot(rules, seat, chooser(seed + seat.encode()), temper) for seat, temper in tempers.items()}
        game = play_out(rules, SEATS, {}, seed, bots)
        (ended,) = (event for event in game.entries[-1].after.events if isinstance(event, Ended))
        won += ahead in ended.ranking[0]
    assert won >= 1.5 * GAMES_PLAYED / len(SEATS)
