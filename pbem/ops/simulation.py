"""Whole games played by bots through the engine alone, every position checked, and a table of what occurred.

Simulated games hold nobody's secrets: what goes wrong may be told in full.
"""

import multiprocessing
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Final

from engine.kernel.bots import Bot, BotProfile, Entry, FinishedGame, chooser, play_game
from engine.kernel.coverage import CoverageItem, coverage_of, expect_all, witness_all
from engine.kernel.rules import Rules
from engine.kernel.run import fold
from engine.kernel.secrets import truth
from engine.kernel.viewers import Seat
from pbem.games import load_rules

PROCESSES: Final = 2
MAX_SHOWN: Final = 3
"""So many games are sooner played here than in processes of their own."""

TEMPERS: Final = (
    BotProfile(suggested=95, random_share=10, passing=2, absent=1, unasked_share=0, eagerness=80, lines=8, tries=6),
    BotProfile(),
    BotProfile(suggested=85, random_share=15, passing=5, absent=1, unasked_share=1, eagerness=50, lines=12, tries=8),
    BotProfile(passing=0, absent=0, ahead=5, unasked_share=0, lines=3, plans=True, alternatives=2),
)
"""Players who know what they do, who try everything, something between, and who plan: a game of each in turn."""

Say = Callable[[str], None]


@dataclass(frozen=True)
class Job:
    """One game to play: everything that decides it."""

    title: str
    players: int
    number: int
    seed: int
    options: Mapping[str, str]
    coverage: bool

    @property
    def seed_bytes(self) -> bytes:
        """The seed of the game and of its bots."""
        return f"{self.title}/{self.players}/{self.seed}/{self.number}".encode()


@dataclass(frozen=True)
class Outcome:
    """What came of a game: whether it ended, what was wrong, how many answers were given, what occurred."""

    number: int
    finished: bool
    problems: tuple[str, ...]
    decisions: int
    turn: int = 0
    seen: Counter[CoverageItem] = field(default_factory=Counter)


def simulate(
    title: str,
    players: int,
    games: int,
    seed: int,
    options: Mapping[str, str],
    *,
    coverage: bool = False,
    say: Say = lambda text: None,
) -> dict[str, Any]:
    """Play so many games; the same arguments play the same ones.

    `problems` is empty when every position was sound and every fold exact.  Raises KeyError for a title that does
    not exist, ValueError for a number of players or an option that it does not have.
    """
    rules = load_rules(title)
    if players not in rules.meta.seats:
        raise ValueError(f"{title} is not for {players} players; it is for {', '.join(map(str, rules.meta.seats))}.")
    rules.meta.chosen(options, players)
    began = time.perf_counter()
    outcomes = []
    for outcome in _play([Job(title, players, n, seed, dict(options), coverage) for n in range(games)]):
        outcomes.append(outcome)
        state = f"ended in turn {outcome.turn}" if outcome.finished else "did not end"
        say(f"game {outcome.number + 1} of {games}: {state}, {outcome.decisions} answers")
    result: dict[str, Any] = {
        "games": games,
        "finished": sum(outcome.finished for outcome in outcomes),
        "problems": [problem for outcome in outcomes for problem in outcome.problems],
        "decisions": sum(outcome.decisions for outcome in outcomes),
        "seconds": round(time.perf_counter() - began, 2),
    }
    return result | (format_table(rules, sum((o.seen for o in outcomes), Counter[CoverageItem]())) if coverage else {})


def _play(jobs: list[Job]) -> Iterator[Outcome]:
    if len(jobs) <= MAX_SHOWN:
        yield from map(judge_game, jobs)
        return
    with ProcessPoolExecutor(PROCESSES, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield from pool.map(judge_game, jobs)


def judge_game(job: Job) -> Outcome:
    """Play one game and look at everything it left behind."""
    rules = load_rules(job.title)
    seats = [Seat(f"s{n + 1}") for n in range(job.players)]
    choose, temper = chooser(job.seed_bytes), TEMPERS[job.number % len(TEMPERS)]
    bots = {seat: Bot(rules, seat, choose, temper) for seat in seats}
    try:
        game = play_game(rules, seats, job.options, job.seed_bytes, bots)
    except Exception as error:  # noqa: BLE001 - whatever breaks a game is what a simulation is there to tell
        return Outcome(job.number, False, (f"game {job.number + 1}: {type(error).__name__}: {error}"[:300],), 0)
    problems = tuple(
        f"game {job.number + 1}, {text}" for entry in game.entries for text in _find_violations(rules, entry)
    )
    decisions = sum(len(entry.answers) for entry in game.entries)
    seen = _count_coverage(rules, game) if job.coverage else Counter[CoverageItem]()
    return Outcome(job.number, game.position.core.over, problems, decisions, _turn_of(rules, game), seen)


def _turn_of(rules: Rules[Any], game: FinishedGame[Any]) -> int:
    with truth():
        return rules.turn(game.position)


def _find_violations(rules: Rules[Any], entry: Entry[Any]) -> Iterator[str]:
    """What is wrong with the position after an entry."""
    with truth():
        found = rules.list_violations(entry.after.position)
    for problem in found:
        yield f"{entry.gate or 'start'}: {problem.code} {dict(problem.terms)}"[:200]
    if entry.before is not None and fold(rules, entry.before, entry.after.events) != entry.after.position:
        yield f"{entry.gate}: the facts do not add up to the position"


# --- what occurred


def _count_coverage(rules: Rules[Any], game: FinishedGame[Any]) -> Counter[CoverageItem]:
    counted = Counter[CoverageItem]()
    for thing, count in witness_all(game):
        counted[thing] += count
    witness = coverage_of(rules).witness
    with truth():
        for entry in game.entries:
            counted.update(witness(entry))
    return counted


def format_table(rules: Rules[Any], seen: Mapping[CoverageItem, int]) -> dict[str, Any]:
    """Every expected thing with how often it occurred; what no game shows is `missing`."""
    expected = {*expect_all(rules), *_expected_items(coverage_of(rules).expected)}
    table: dict[str, dict[str, int]] = {}
    for kind, name in sorted({*expected, *seen}, key=_sort_key):
        table.setdefault(kind, {})[name] = seen.get((kind, name), 0)
    absent = sorted((thing for thing in expected if not seen.get(thing)), key=_sort_key)
    return {"coverage": table, "missing": ["/".join(thing) for thing in absent]}


def _expected_items(expected: Mapping[str, Any]) -> Iterator[CoverageItem]:
    yield from ((kind, name) for kind, names in expected.items() for name in names)


def _sort_key(thing: CoverageItem) -> tuple[str, int, str]:
    """Kinds together, rulings by number."""
    kind, name = thing
    digits = "".join(filter(str.isdigit, name))
    return kind, int(digits) if digits and kind == "ruling" else 0, name
