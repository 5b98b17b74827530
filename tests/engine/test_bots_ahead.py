"""The bots that sit at tables look ahead: they beat those that take what is suggested."""

import pytest

from engine import GAMES
from engine.kernel.names import Seat
from pbem.bench.bots import BY_CHANCE, winners
from pbem.service.run.bots import TEMPER

PLAYERS = 3
GAMES_PLAYED = 8


@pytest.mark.slow
@pytest.mark.parametrize("title", sorted(GAMES))
def test_one_that_looks_ahead_wins_more_often_than_by_chance(title: str) -> None:
    """Alone among two that do not, in each seat in turn, it wins well more than its share of the games."""
    won = 0
    for number in range(GAMES_PLAYED):
        place = number % PLAYERS
        tempers = [TEMPER if seat == place else BY_CHANCE for seat in range(PLAYERS)]
        won += Seat(f"s{place + 1}") in winners(title, tempers, f"ahead/{title}/{number}".encode())[0]
    assert won >= 1.5 * GAMES_PLAYED / PLAYERS
