"""CPU time of `advance` on the heaviest gate of a game, early and late, and of loading a game behind a long journal.

Positions come from a game between bots; each seat has eight orders, two of them fights, judged from its own view.
"""

import gc
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from statistics import quantiles
from time import thread_time_ns
from typing import Any, Final

from engine.kernel.bots import Bot, BotProfile, chooser, play_game
from engine.kernel.gates import Gate as GateName
from engine.kernel.orders import Line, Orders, Question, single_order
from engine.kernel.position import Position
from engine.kernel.rules import Rules
from engine.kernel.run import Advance, advance
from engine.kernel.secrets import deep_copy, redact, seen_by
from engine.kernel.validation import all_valid, check_orders
from engine.kernel.viewers import Seat
from engine.kernel.workload import HasBenchmark, Workload
from pbem.bench.in_process import InProcessServer, new_settings
from pbem.bench.tables import game_id, play_bot_game, store_game
from pbem.games import load_rules
from pbem.service.base.services import Services
from pbem.service.game.journal import load_game_keys, load_state
from pbem.store.models import Game

MOST_SEATS: Final = 6
LINES: Final = 8
FIGHTS: Final = 2
WARM_UP: Final = 20
SEEDS: Final = 8
"""Games that are tried for two gates in which something is fought over."""
JOURNALS: Final = (10, 100, 1000)
"""Entries of the journals behind which a game is loaded."""
_PLAYERS: Final = BotProfile(
    suggested=95, random_share=0, passing=2, absent=0, unasked_share=0, eagerness=80, ahead=0, lines=6, tries=4
)


@dataclass(frozen=True)
class Course:
    """A game to measure: its rules, its workload, its seats."""

    rules: Rules[Any]
    workload: Workload
    seats: tuple[Seat, ...]


@dataclass(frozen=True)
class Gate:
    """A complete gate: a position and the orders of all seats."""

    course: Course
    position: Position[Any]
    name: str
    answers: Mapping[Seat, Orders]

    def resolve(self, position: Position[Any]) -> Advance[Any]:
        """Resolve the gate from this copy of its position."""
        return advance(self.course.rules, position, self.name, self.answers, b"bench")

    @property
    def turn(self) -> int:
        """The turn of the game."""
        return GateName.parse(self.name).turn or 0

    @property
    def fights(self) -> int:
        """The number of fights that the orders lead to."""
        return self.course.workload.play_fight(self.resolve(self.position).events)


def course(title: str) -> Course:
    """The game and its workload; raises KeyError for an unknown game, LookupError for one without a workload."""
    rules = load_rules(title)
    if not isinstance(rules, HasBenchmark):
        raise LookupError(f"{title} does not say what of it is to be measured")
    seats = tuple(Seat(f"s{n + 1}") for n in range(min(MOST_SEATS, max(rules.meta.seats))))
    return Course(rules, rules.workload, seats)


def find_gates(on: Course) -> tuple[Gate, Gate]:
    """The early and the late gate with most fights of one game; raises LookupError if no game has both."""
    for seed in range(1, SEEDS + 1):
        found = list(_play_gates(on, f"bench/{seed}".encode()))
        early = max((gate for gate in found if gate.turn == on.workload.early), key=_fights, default=None)
        late = max((gate for gate in found if gate.turn >= on.workload.late), key=_fights, default=None)
        if early and late and early.fights and late.fights:
            return early, late
    raise LookupError("no game of bots has an early and a late gate of all seats that is resolved without questions")


def _fights(gate: Gate) -> int:
    return gate.fights


def _play_gates(on: Course, seed: bytes) -> Iterator[Gate]:
    """Play a game; yields its gates of all seats, with the orders of the bench."""
    bots = {seat: Bot(on.rules, seat, chooser(seed), _PLAYERS) for seat in on.seats}
    for entry in play_game(on.rules, on.seats, on.workload.options, seed, bots).entries:
        turn = GateName.parse(entry.gate).turn or 0 if entry.gate else 0
        wanted = entry.gate.startswith(on.workload.gate) and (turn == on.workload.early or turn >= on.workload.late)
        if entry.before is not None and wanted and len(entry.answers) == len(on.seats):
            position = deep_copy(entry.before)
            on.workload.filled(position.board)
            asked = position.core.gate(entry.gate)
            yield Gate(on, position, entry.gate, {d.seat: _fill_orders(on, position, d) for d in asked})


def _fill_orders(on: Course, position: Position[Any], decision: Question) -> Orders:
    """Two fights and six other orders; those that are no longer possible when their turn comes lapse."""
    seen = redact(position, decision.seat)
    with seen_by(decision.seat):
        suggested = [replace(line, repeat=1) for line in on.rules.suggest(seen, decision)]

    def valid(kind: type[Any]) -> Orders:
        kept: Orders = ()
        for line in suggested:
            if (
                _is(line, kind)
                and len(kept) < LINES
                and all_valid(check_orders(on.rules, seen, decision, (*kept, line)))
            ):
                kept = (*kept, line)
        return kept

    lines = (*valid(on.workload.fights)[:FIGHTS], *valid(on.workload.others), *suggested)
    return (lines * LINES)[:LINES]


def _is(line: Line, kind: type[Any]) -> bool:
    return isinstance(single_order((line,)), kind)


def _store_journals(services: Services, on: Course, lengths: Sequence[int]) -> Mapping[str, Callable[[], Any]]:
    """Store games whose journals have so many equal entries; returns what loads the position of each."""
    game = play_bot_game(on.rules, on.seats, 1)
    entry = game.entries[len(game.entries) // 2]
    for number, length in enumerate(lengths):
        store_game(services, replace(game, entries=(entry,) * length), number)
    return {f"load_{length}": partial(_load, services, game_id(number)) for number, length in enumerate(lengths)}


def _load(services: Services, name: str) -> Position[Any]:
    with services.db.snapshot() as session:
        game = session.get_one(Game, name)
        return load_state(session, load_game_keys(services, game), game)


def measure(title: str, runs: int, journals: Sequence[int] = JOURNALS) -> dict[str, Any]:
    """Percentiles in milliseconds: `early` and `late` of `advance`, `load_N` of loading a game behind N entries."""
    on = course(title)
    early, late = find_gates(on)
    gates = {"early": early, "late": late}
    works: dict[str, Callable[[], Any]] = {name: partial(gate.resolve, gate.position) for name, gate in gates.items()}
    times: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory(prefix="pbem-bench-") as folder:
        server = InProcessServer(new_settings(Path(folder), relay_port=9))
        works |= _store_journals(server.services["resolver"], on, journals)
        gc.collect()
        gc.freeze()
        for _ in range(WARM_UP + runs):  # by turns, so that other load on the machine weighs on all alike
            for name, work in works.items():
                work()  # so that caches are as warm whatever ran before
                gc.collect(0)
                began = thread_time_ns()
                work()
                times.setdefault(name, []).append((thread_time_ns() - began) / 1e6)
        gc.unfreeze()
        server.close()
    about = {f"{name}_gate": {"turn": gate.turn, "fights": gate.fights} for name, gate in gates.items()}
    return {"title": title, **about, **{name: _percentiles(taken[WARM_UP:]) for name, taken in times.items()}}


def _percentiles(taken: list[float]) -> dict[str, float]:
    cuts = quantiles(taken, n=20, method="inclusive")
    return {"p50_ms": round(cuts[9], 2), "p95_ms": round(cuts[18], 2)}
