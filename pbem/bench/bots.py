"""How well the bots of tables play: one of them among bots that take what is suggested, or alone, game by game."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from engine.kernel.bots import Bot, Temper, chooser, play_out
from engine.kernel.events import Ended
from engine.kernel.names import Seat
from pbem.games import rules_of
from pbem.service.run.bots import TEMPER

BY_CHANCE: Final = Temper(suggested=95, fancy=0, passing=2, absent=0, ahead=0, meddling=0, keen=90, lines=6, tries=4)
"""Lines that the game suggests, mostly near the top, as long as the set stands: how bots at tables once played."""
FINE: Final = 1000
"""Victories are counted in thousandths, for some are shared."""

Say = Callable[[str], None]


def measure(title: str, players: Sequence[int], games: int, say: Say) -> dict[str, Any]:
    """For each number of players: what the one that looks ahead won, by chance would have, and the points of both.

    A victory that is shared counts by its share.  Alone, both play the same deals, and win or lose by the game's word.
    """
    found: dict[str, Any] = {"game": title, "games": games}
    for seats in players:
        results = []
        for number in range(games):
            results.append(_alone(title, number) if seats == 1 else _among(title, seats, number))
            say(f"{title}, {seats} players: {number + 1} of {games}, {sum(r[0] for r in results) / FINE:.1f} won")
        won, lost, mine, theirs = (sum(column) for column in zip(*results, strict=True))
        found[str(seats)] = {
            "won": round(won / FINE, 1),
            "by_others" if seats > 1 else "by_the_other": round(lost / FINE, 1),
            "by_chance": round(games / seats, 1) if seats > 1 else None,
            "points": round(mine / games, 1),
            "points_of_others": round(theirs / games, 1),
        }
    return found


def winners(title: str, tempers: Sequence[Temper], seed: bytes) -> tuple[tuple[Seat, ...], dict[Seat, int]]:
    """Who won a game of such bots, seat by seat, nobody where it beat them all; and everybody's points."""
    rules = rules_of(title)
    seats = [Seat(f"s{number}") for number in range(1, len(tempers) + 1)]
    pairs = zip(seats, tempers, strict=True)
    bots = {seat: Bot(rules, seat, chooser(seed + seat.encode()), temper) for seat, temper in pairs}
    game = play_out(rules, seats, rules.meta.chosen({}), seed, bots)
    (ended,) = (event for event in game.entries[-1].after.events if isinstance(event, Ended))
    return (ended.ranking[0] if ended.won else ()), dict(ended.points)


def _among(title: str, players: int, number: int) -> tuple[int, int, int, float]:
    """Thousandths of a victory, of the one and of the others; points, of the one and of the others on average."""
    place = number % players
    tempers = [TEMPER if seat == place else BY_CHANCE for seat in range(players)]
    first, points = winners(title, tempers, f"ahead/{title}/{number}".encode())
    me = Seat(f"s{place + 1}")
    share = FINE // len(first) if me in first else 0
    others = sum(count for seat, count in points.items() if seat != me)
    return share, (FINE if first else 0) - share, points[me], others / (players - 1)


def _alone(title: str, number: int) -> tuple[int, int, int, int]:
    """The same of two games from one deal."""
    (new, mine), (old, theirs) = (
        winners(title, [temper], f"ahead/{title}/{number}".encode()) for temper in (TEMPER, BY_CHANCE)
    )
    return FINE * bool(new), FINE * bool(old), sum(mine.values()), sum(theirs.values())
