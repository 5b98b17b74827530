"""CPU time of `advance` on the heaviest gate of a game, early and late, and of loading a game behind a long journal.

Positions and orders come from a game between bots.
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
from engine.kernel.orders import Orders
from engine.kernel.position import Position
from engine.kernel.rules import Rules
from engine.kernel.run import Advance, AnswerKey, advance
from engine.kernel.viewers import Seat
from engine.kernel.workload import HasBenchmark, Workload
from pbem.bench.in_process import InProcessServer, new_settings
from pbem.bench.tables import game_id, play_bot_game, store_game
from pbem.games import load_rules
from pbem.service.base.services import Services
from pbem.service.game.journal import load_game_keys, load_state
from pbem.store.models import Game

MOST_SEATS: Final = 6
WARM_UP: Final = 20
SEEDS: Final = 8
"""Games that are tried for an early and a late gate."""
JOURNALS: Final = (10, 100, 1000)
"""Entries of the journals behind which a game is loaded."""
_PLAYERS: Final = BotProfile(
    suggested=95, random_share=0, passing=2, absent=0, unasked_share=0, eagerness=80, ahead=0, lines=6, tries=4
)


@dataclass(frozen=True)
class Gate:
    """A complete gate: a position, the answers of all seats, and the number of events that they lead to."""

    rules: Rules[Any]
    position: Position[Any]
    name: str
    answers: Mapping[AnswerKey, Orders]
    events: int

    def resolve(self) -> Advance[Any]:
        """Resolve the gate."""
        return advance(self.rules, self.position, self.name, self.answers, b"bench")

    @property
    def turn(self) -> int:
        """The turn of the game."""
        return GateName.parse(self.name).turn or 0


def bench_seats(rules: Rules[Any]) -> tuple[Seat, ...]:
    """List the seats of the largest table that is measured."""
    count = max((n for n in rules.meta.seats if n <= MOST_SEATS), default=min(rules.meta.seats))
    return tuple(Seat(f"s{number + 1}") for number in range(count))


def find_gates(title: str) -> tuple[Gate, Gate]:
    """Find the early and the late gate of one game with most events.

    Raises KeyError for an unknown game, LookupError for one without a workload or without two such gates.
    """
    rules = load_rules(title)
    if not isinstance(rules, HasBenchmark):
        raise LookupError(f"{title} does not say what of it is to be measured")
    workload = rules.workload
    for seed in range(1, SEEDS + 1):
        gates = list(_play_gates(rules, workload, f"bench/{seed}".encode()))
        early = [gate for gate in gates if gate.turn == workload.early]
        late = [gate for gate in gates if gate.turn >= workload.late]
        if early and late:
            return max(early, key=_count_events), max(late, key=_count_events)
    raise LookupError("no game of bots has an early and a late gate of all seats")


def _count_events(gate: Gate) -> int:
    return gate.events


def _play_gates(rules: Rules[Any], workload: Workload, seed: bytes) -> Iterator[Gate]:
    """Play a game and yield its gates that all seats answered."""
    seats = bench_seats(rules)
    bots = {seat: Bot(rules, seat, chooser(seed), _PLAYERS) for seat in seats}
    for entry in play_game(rules, seats, workload.options, seed, bots).entries:
        wanted = entry.gate.startswith(workload.gate) and len(entry.answers) == len(seats)
        if entry.before is not None and wanted:
            yield Gate(rules, entry.before, entry.gate, entry.answers, len(entry.after.events))


def _store_journals(services: Services, rules: Rules[Any], lengths: Sequence[int]) -> Mapping[str, Callable[[], Any]]:
    """Store games whose journals have so many equal entries; returns what loads the position of each."""
    game = play_bot_game(rules, bench_seats(rules), 1)
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
    early, late = find_gates(title)
    gates = {"early": early, "late": late}
    works: dict[str, Callable[[], Any]] = {name: gate.resolve for name, gate in gates.items()}
    times: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory(prefix="pbem-bench-") as folder:
        server = InProcessServer(new_settings(Path(folder), relay_port=9))
        works |= _store_journals(server.services["resolver"], early.rules, journals)
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
    about = {f"{name}_gate": {"turn": gate.turn, "events": gate.events} for name, gate in gates.items()}
    return {"title": title, **about, **{name: _percentiles(taken[WARM_UP:]) for name, taken in times.items()}}


def _percentiles(taken: list[float]) -> dict[str, float]:
    cuts = quantiles(taken, n=20, method="inclusive")
    return {"p50_ms": round(cuts[9], 2), "p95_ms": round(cuts[18], 2)}
