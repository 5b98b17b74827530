"""Which games the laws are held against, and how whole games of them are played for it."""

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from engine import GAMES
from engine.age_of_renaissance.catalogue import FACE
from engine.amalfi import RULES as AMALFI
from engine.diplomacy import RULES as DIPLOMACY
from engine.kernel.bots import BotProfile, Entry, FinishedGame, chooser
from engine.kernel.codec import saved_name
from engine.kernel.correction_events import CorrectionEvent
from engine.kernel.events import Ended
from engine.kernel.narration_hooks import hooks_of
from engine.kernel.position import Position
from engine.kernel.rules import Rules
from engine.kernel.secrets import redact, seen_by
from engine.patchistory import RULES as PATCHISTORY
from engine.renaissance import RULES as RENAISSANCE
from tests import bot_games, invariants
from tests.bot_games import SEATS
from tests.budget import budget
from tests.engine.amalfi import case as amalfi
from tests.engine.diplomacy import case as diplomacy
from tests.engine.patchistory import case as patchistory
from tests.engine.renaissance import case as renaissance
from tests.rule_marks import held
from tests.toy import RULES as TOY


@dataclass(frozen=True)
class Case:
    """A game under the laws.

    `games`: how many whole games are played, each with the next number of seats and the next options.
    `sampled`: with `--full` one entry in so many is held against all laws, else one in four of these (the first and
    last always are).
    `options`: sets of options to be gone through; `tempers`: how bots play, likewise.  `kind`: which hidden values may
    stand for each other; `alike`: which names an order writes in the same way.
    """

    rules: Rules[Any]
    games: int = 6
    sampled: int = 1
    options: Sequence[Mapping[str, str]] = ({},)
    tempers: Sequence[BotProfile] = (BotProfile(),)
    kind: invariants.Kind = invariants.by_type
    alike: invariants.Alike = invariants.by_itself

    def excused(self) -> frozenset[str]:
        """The names of what bots need not bring about, since tests are marked to."""
        return frozenset(name for _, name in held(self.rules.meta.name))

    def beginnings(self) -> Iterator[invariants.Beginning]:
        """What each game is started with."""
        for n in range(self.games):
            count = self.rules.meta.seats[n % len(self.rules.meta.seats)]
            options = self.options[n % len(self.options)]
            yield invariants.Beginning(SEATS[:count], options, f"{self.rules.meta.name}/{n}".encode())


_KEEN = BotProfile(suggested=95, random_share=10, passing=2, absent=1, unasked_share=0, eagerness=80, lines=8, tries=6)
"""A player who knows what they do, plays to the end, and gets far."""

_PLANS = BotProfile(passing=0, absent=0, unasked_share=2, lines=3, plans=True, alternatives=2)
"""A player who takes what the game suggests first, and looks what it leads to."""

_MARKETS: Sequence[Mapping[str, str]] = (
    {},
    {"pace": "in_order", "failures": "drop"},
    {"turns": "6", "failures": "again"},
    {"pace": "in_order", "turns": "6", "failures": "again"},
    {"failures": "drop", "income": "1"},
)
_FAIRS: Sequence[Mapping[str, str]] = (
    {"fair": "yes"},
    {"fair": "yes", "pace": "in_order", "failures": "again"},
    {"fair": "yes", "turns": "6"},
    {"fair": "yes"},
    {"fair": "yes", "turns": "6"},
    {"fair": "yes", "pace": "in_order"},
)

CASES: dict[str, Case] = {
    "age_of_renaissance": Case(
        GAMES["age_of_renaissance"],
        games=6,
        sampled=13,
        options=(
            {},
            {"pace": "order", "failures": "again", "war_bonus": "each", "tiers": "phase", "unanswered": "ask"},
            {"cash": "piled", "failures": "drop", "prerequisites": "printed", "civil_war_order": "civil_war"},
            {"pace": "order", "cash": "piled", "withheld": "turn_3", "rebellion": "others", "marco_polo": "hereafter"},
            {"epochs": "1-2", "tied_rank": "first", "pair_cost": "10", "failures": "again"},
        ),
        tempers=(
            BotProfile(unasked_share=0),
            _KEEN,
            BotProfile(suggested=85, random_share=15, passing=5, eagerness=50, lines=8),
        ),
        alike=lambda name: FACE.get(name, name),
    ),
    "renaissance": Case(
        RENAISSANCE,
        games=10,
        sampled=13,
        options=renaissance.OPTIONS,
        tempers=(BotProfile(), _KEEN, BotProfile(unasked_share=12)),
        alike=renaissance.alike,
    ),
    "patchistory": Case(
        PATCHISTORY,
        games=6,
        sampled=13,
        options=patchistory.OPTIONS,
        tempers=(BotProfile(unasked_share=0), _KEEN, BotProfile(unasked_share=12)),
        alike=patchistory.alike,
    ),
    "amalfi": Case(
        AMALFI,
        games=8,
        sampled=13,
        options=amalfi.OPTIONS,
        tempers=(_PLANS, _KEEN, BotProfile(unasked_share=12), _PLANS, BotProfile(unasked_share=0)),
    ),
    "diplomacy": Case(
        DIPLOMACY,
        games=4,
        sampled=13,
        options=diplomacy.OPTIONS,
        tempers=diplomacy.TEMPERS,
    ),
    "toy": Case(
        TOY,
        games=24,
        options=(*itertools.islice(itertools.cycle(_MARKETS), 18), *_FAIRS),
        tempers=(*itertools.repeat(BotProfile(), 18), *itertools.repeat(BotProfile(random_share=60, asking=40), 6)),
    ),
}  # fmt: skip
"""The cases that say more than the rules do; every other registered game is played with its defaults."""


def cases() -> Mapping[str, Case]:
    """The smallest game and every registered one."""
    return {**CASES, **{name: CASES.get(name, Case(rules)) for name, rules in GAMES.items()}}


def played(case: Case, beginning: invariants.Beginning, temper: BotProfile | None = None) -> FinishedGame[Any]:
    """A whole game by bots."""
    return bot_games.played(case.rules, beginning.seats, beginning.options, beginning.seed, temper)


def one_game(name: str, number: int) -> tuple[invariants.Beginning, FinishedGame[Any]]:
    """One of the games of a case, with what it was started with."""
    case = cases()[name]
    beginning = next(itertools.islice(case.beginnings(), number, None))
    return beginning, played(case, beginning, case.tempers[number % len(case.tempers)])


def hold_laws(case: Case, beginning: invariants.Beginning, game: FinishedGame[Any]) -> None:
    """Every law, on a sample of the entries of one game; what is cheap, on all of them."""
    last, step = len(game.entries) - 1, case.sampled * budget(4, 1)
    for n, entry in enumerate(game.entries):
        invariants.folds(case.rules, beginning, entry)
        invariants.sound(case.rules, entry)
        if n % step == 0 or n == last:
            sampled(case, beginning, [entry])
    invariants.journal_folds(case.rules, beginning, game.entries, game.position)


def sampled(case: Case, beginning: invariants.Beginning, entries: Iterable[Entry[Any]]) -> None:
    """Every law, on these entries."""
    for entry in entries:
        choose = chooser(beginning.seed + entry.luck)
        invariants.every_law(case.rules, beginning, entry, choose, case.kind, case.alike)
        invariants.printed_is_read(case.rules, entry)
        invariants.apart(case.rules, entry)


@dataclass(frozen=True)
class Shelf:
    """The games played of one case, with what they were started with."""

    case: Case
    games: tuple[tuple[invariants.Beginning, FinishedGame[Any]], ...]

    def occurred(self) -> Counter[str]:
        """How often each event (saved name), each form (keyword) and each ending occurred."""
        counted = Counter[str]()
        for _, game in self.games:
            counted += game.events + game.forms
            counted[game.position.core.ending] += 1
            counted.update(e.result for e in game.entries[-1].after.events if isinstance(e, Ended))
        return counted

    def offered(self) -> frozenset[str]:
        """The keywords of all forms that were offered for any open question."""
        found = set[str]()
        for _, game in self.games:
            for entry in game.entries:
                found |= _keywords(self.case.rules, entry.after.position)
        return frozenset(found)


def _keywords(rules: Rules[Any], position: Position[Any]) -> set[str]:
    found = set[str]()
    for decision in position.core.questions:
        with seen_by(decision.seat):
            forms = rules.forms(redact(position, decision.seat), decision)
        found |= {form.keyword.printed("fr") for form in forms}
    return found


@cache
def shelf(name: str) -> Shelf:
    """The games of one case."""
    case = cases()[name]
    return Shelf(case, tuple(one_game(name, number) for number in range(case.games)))


def own_events(rules: Rules[Any]) -> frozenset[str]:
    """The saved names of the events that a game says are its own, those of rulings apart."""
    return frozenset(saved_name(event) for event in hooks_of(rules).events if not issubclass(event, CorrectionEvent))
