"""Which games the laws are held against, and how whole games of them are played for it."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine import GAMES
from engine.kernel.bots import Bot, Played, Temper, chooser, play_out
from engine.kernel.names import Seat
from engine.kernel.rules import Rules
from tests import laws
from tests.toy import RULES as TOY

SEATS = tuple(Seat(name) for name in ("ann", "bob", "cleo", "dan", "eve", "finn"))


@dataclass(frozen=True)
class Case:
    """A game under the laws.

    `games`: how many whole games are played, each with the next number of seats and the next options.
    `sampled`: one entry in so many is held against all laws (the first and last always are).
    `options`: sets of options to be gone through; `kind`: which hidden values may stand for each other.
    `unseen`: events of the game that bots need not bring about, each with the test that does.
    """

    rules: Rules[Any]
    games: int = 6
    sampled: int = 1
    options: Sequence[Mapping[str, str]] = ({},)
    kind: laws.Kind = laws.by_type
    unseen: Mapping[str, str] = field(default_factory=dict)

    def beginnings(self) -> Iterator[laws.Beginning]:
        """What each game is started with."""
        for n in range(self.games):
            count = self.rules.meta.seats[n % len(self.rules.meta.seats)]
            options = self.options[n % len(self.options)]
            yield laws.Beginning(SEATS[:count], options, f"{self.rules.meta.name}/{n}".encode())


CASES: dict[str, Case] = {
    "toy": Case(
        TOY,
        games=12,
        options=(
            {}, {"pace": "in_order", "failures": "drop"}, {"turns": "6", "failures": "again"},
            {"pace": "in_order", "turns": "6", "failures": "again"}, {"failures": "drop", "income": "1"},
        ),
    ),
}  # fmt: skip
"""The cases that say more than the rules do; every other registered game is played with its defaults."""


def cases() -> Mapping[str, Case]:
    """The smallest game and every registered one."""
    return {**CASES, **{name: CASES.get(name, Case(rules)) for name, rules in GAMES.items()}}


def played(case: Case, beginning: laws.Beginning, temper: Temper | None = None) -> Played[Any]:
    """A whole game by bots."""
    choose = chooser(beginning.seed)
    bots = {seat: Bot(case.rules, seat, choose, temper) for seat in beginning.seats}
    return play_out(case.rules, beginning.seats, beginning.options, beginning.seed, bots)


def hold_laws(case: Case, beginning: laws.Beginning, game: Played[Any]) -> None:
    """Every law, on a sample of the entries of one game; what is cheap, on all of them."""
    last = len(game.entries) - 1
    for n, entry in enumerate(game.entries):
        laws.folds(case.rules, beginning, entry)
        laws.sound(case.rules, entry)
        if n % case.sampled == 0 or n == last:
            laws.every_law(case.rules, beginning, entry, chooser(beginning.seed + str(n).encode()), case.kind)
    laws.journal_folds(case.rules, beginning, game.entries, game.position)


def occurred(games: Sequence[Played[Any]]) -> tuple[Counter[str], Counter[str], Counter[str]]:
    """How often each event, each form and each ending occurred."""
    events, forms, endings = Counter[str](), Counter[str](), Counter[str]()
    for game in games:
        events += game.events
        forms += game.forms
        endings[game.position.core.ending] += 1
    return events, forms, endings
