"""The bots that sit at tables look ahead: they beat those that take what is suggested."""

import pytest

from engine import GAMES
from engine.kernel.bots import Bot, Temper, chooser, play_out
from engine.kernel.events import Ended
from engine.kernel.names import Seat
from pbem.service.run.bots import TEMPER

PLAYERS = 3
GAMES_PLAYED = 8
BY_CHANCE = Temper(suggested=95, fancy=0, passing=2, absent=0, ahead=0, meddling=0, keen=90, lines=6, tries=4)
"""Lines that the game suggests, mostly near the top, while the set is valid."""


def winners(title: str, tempers: list[Temper], seed: bytes) -> tuple[Seat, ...]:
    """Play a game between such bots; returns its winners."""
    rules = GAMES[title]
    seats = [Seat(f"s{number}") for number in range(1, len(tempers) + 1)]
    pairs = zip(seats, tempers, strict=True)
    bots = {seat: Bot(rules, seat, chooser(seed + seat.encode()), temper) for seat, temper in pairs}
    game = play_out(rules, seats, rules.meta.chosen({}), seed, bots)
    (ended,) = (event for event in game.entries[-1].after.events if isinstance(event, Ended))
    return ended.ranking[0] if ended.won else ()


@pytest.mark.slow
@pytest.mark.parametrize("title", sorted(GAMES))
def test_one_that_looks_ahead_wins_more_often_than_by_chance(title: str) -> None:
    """Alone among two that do not, in each seat in turn, it wins well more than its share of the games."""
    won = 0
    for number in range(GAMES_PLAYED):
        place = number % PLAYERS
        tempers = [TEMPER if seat == place else BY_CHANCE for seat in range(PLAYERS)]
        won += Seat(f"s{place + 1}") in winners(title, tempers, f"ahead/{title}/{number}".encode())
    assert won >= 1.5 * GAMES_PLAYED / PLAYERS
