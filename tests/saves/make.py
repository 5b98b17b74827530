"""Write the saves that are missing: `python -m tests.saves.make [NAME]`.

A game that is named is written again, which is right only until its version is published.
"""

import sys
from typing import Any

import engine
from engine.kernel.bots import Bot, BotProfile, FinishedGame, chooser, play_game
from engine.kernel.rules import Rules
from engine.kernel.viewers import Seat
from tests.bot_games import nearest
from tests.saves import SavedGame, path_of, write, written

SEATS = 3
KEEN = BotProfile(
    suggested=90, random_share=20, passing=5, absent=1, ahead=40, unasked_share=0, eagerness=60, lines=8, tries=6
)
PLANS = BotProfile(passing=0, absent=2, ahead=20, unasked_share=5, lines=2, plans=True, alternatives=2, asking=10)
ENOUGH = 60
"""A game of fewer entries is played again by who plans: it was passed too soon."""
FEW = 50
"""A game of no more answers is played again with another seed."""


def finished(rules: Rules[Any]) -> SavedGame:
    """A whole game by bots that go far, with conditions, reactions and a deadline missed now and then."""
    seats = tuple(Seat(f"s{n + 1}") for n in range(nearest(rules, SEATS)))
    seed = rules.meta.name.encode()
    game = _played(rules, seats, seed, KEEN)
    if len(game.entries) < ENOUGH:
        game = _played(rules, seats, seed, PLANS)
    again = 1
    while sum(len(entry.answers) for entry in game.entries) <= FEW:
        again += 1
        seed = f"{rules.meta.name} {again}".encode()
        game = _played(rules, seats, seed, PLANS)
    return SavedGame(seats, dict(game.position.core.options), seed, tuple(written(entry) for entry in game.entries))


def _played(rules: Rules[Any], seats: tuple[Seat, ...], seed: bytes, temper: BotProfile) -> FinishedGame[Any]:
    return play_game(rules, seats, {}, seed, {seat: Bot(rules, seat, chooser(seed), temper) for seat in seats})


def main(names: list[str]) -> None:
    """The files named, or all that are missing."""
    for name, rules in engine.GAMES.items():
        path = path_of(rules)
        if name in names or not path.exists():
            write(path, finished(rules))
            print(f"{path.name}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])
