"""Milliseconds of `advance` for the heaviest gate of a game: early, in a late turn, behind a long journal.

Positions come out of a game that bots play; the sets are eight lines a seat, two of them fights, written from each
seat's own view.  The three are measured by turns, so that whatever else the machine does weighs on all alike.
"""

import gc
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import quantiles
from typing import Any, Final

from engine.kernel.bots import Bot, Temper, chooser, play_out
from engine.kernel.gates import Gate as GateName
from engine.kernel.languages import DEFAULT
from engine.kernel.names import Seat
from engine.kernel.orders import Decision, Line, Orders, only
from engine.kernel.position import Position
from engine.kernel.rules import Rules
from engine.kernel.run import Advance, advance
from engine.kernel.secrets import copied, redact, seen_by
from engine.kernel.standing import check
from engine.kernel.workload import Measured, Workload
from pbem.games import rules_of
from pbem.service.game.journal import Record, append, position_of
from pbem.states import GameState
from pbem.store.database import Database
from pbem.store.models import Base, Game, User
from pbem.vault import GameKeys, KeyFolder, PlayKeys, new_game_keys, open_game_keys

MOST_SEATS: Final = 6
LINES: Final = 8
FIGHTS: Final = 2
WARM_UP: Final = 20
RUNS: Final = 300
SEEDS: Final = 8
ENOUGH: Final = 6
"""So many games are looked at, or fewer, once both gates have so many fights that come to pass."""
JOURNAL: Final = 100
LONGER: Final = 10
_PLAYERS: Final = Temper(suggested=95, fancy=0, passing=2, absent=0, meddling=0, keen=80, ahead=0, lines=6, tries=4)


@dataclass(frozen=True)
class Course:
    """A game to measure: its rules, what of them weighs most, and as many seats as it has."""

    rules: Rules[Any]
    workload: Workload

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The names of the seats."""
        return tuple(Seat(f"s{n + 1}") for n in range(min(MOST_SEATS, max(self.rules.meta.seats))))


def course(title: str) -> Course:
    """A game and its workload; raises KeyError for a game that there is not, LookupError where it has none."""
    rules = rules_of(title)
    if not isinstance(rules, Measured):
        raise LookupError(f"{title} does not say what of it is to be measured")
    return Course(rules, rules.workload)


@dataclass(frozen=True)
class Gate:
    """A complete gate: where the game stands, and everybody's sealed set."""

    course: Course
    position: Position[Any]
    name: str
    answers: Mapping[Seat, Orders]

    def close(self, position: Position[Any]) -> Advance[Any]:
        """Resolve it, from this copy of its position."""
        return advance(self.course.rules, position, self.name, self.answers, b"bench")

    @property
    def turn(self) -> int:
        """Its turn."""
        return GateName.parse(self.name).turn or 0

    @property
    def rivalries(self) -> int:
        """How many fights come to pass."""
        return self.course.workload.fought(self.close(self.position).events)


# --- the gates


def gates(on: Course) -> tuple[Gate, Gate]:
    """An early gate, and one of the last turn that is played in full."""
    best: list[Gate] = []
    for seed in range(1, SEEDS + 1):
        found = list(_played(on, f"bench/{seed}".encode()))
        early = [gate for gate in found if gate.turn == on.workload.early]
        late = [gate for gate in found if gate.turn >= on.workload.late]
        for pair in ([a, b] for a in early for b in reversed(late)):
            if _fought(pair) > _fought(best):
                best = pair
        if _fought(best) >= ENOUGH:
            break
    if not _fought(best):
        raise LookupError("no game of bots has an early and a late gate of all seats that is resolved unasked")
    return best[0], best[1]


def _fought(pair: Sequence["Gate"]) -> int:
    """The fewer fights of the two."""
    return min((gate.rivalries for gate in pair), default=0)


def _played(on: Course, seed: bytes) -> Iterator[Gate]:
    """The gates of a game in which all seats take part, with the sets of the bench."""
    bots = {seat: Bot(on.rules, seat, chooser(seed), _PLAYERS) for seat in on.seats}
    for entry in play_out(on.rules, on.seats, on.workload.options, seed, bots).entries:
        whole = entry.gate.startswith(on.workload.gate) and len(entry.answers) == len(on.seats)
        if entry.before is not None and whole:
            position = copied(entry.before)
            on.workload.filled(position.board)
            asked = position.core.gate(entry.gate)
            yield Gate(on, position, entry.gate, {d.seat: _set(on, position, d) for d in asked})


def _set(on: Course, position: Position[Any], decision: Decision) -> Orders:
    """Two fights and six lines more; those that cannot be done any more when their turn comes lapse."""
    seen = redact(position, decision.seat)
    with seen_by(decision.seat):
        suggested = [replace(line, repeat=1) for line in on.rules.suggest(seen, decision)]
    fights = _kept(on.rules, seen, decision, suggested, on.workload.fights)[:FIGHTS]
    others = _kept(on.rules, seen, decision, suggested, on.workload.others)
    lines = (*fights, *others, *suggested)
    return (lines * LINES)[:LINES]


def _kept(rules: Rules[Any], seen: Position[Any], decision: Decision, lines: Sequence[Line], kind: type[Any]) -> Orders:
    """The lines of one kind that stand one after the other, as many as a set may have."""
    kept: Orders = ()
    for line in lines:
        more = (*kept, line)
        if (
            isinstance(only((line,)), kind)
            and len(more) <= LINES
            and all(ruling.stands for ruling in check(rules, seen, decision, more))
        ):
            kept = more
    return kept


# --- a journal


@dataclass(frozen=True)
class Shelf:
    """A game in a database, with a journal of some length."""

    db: Database
    keys: GameKeys
    game: str

    def load(self) -> Position[Any]:
        """Where the game stands, as a play worker reads it."""
        with self.db.reading() as session:
            game = session.get(Game, self.game)
            if game is None:
                raise LookupError(self.game)
            return position_of(session, self.keys, game)


def _shelved(folder: Path, gate: Gate, length: int) -> Shelf:
    """A journal of so many entries, each with the gate's position and its facts."""
    folder.mkdir()
    keys, db = PlayKeys.load(KeyFolder.create(folder / "keys").of("play")), Database(f"sqlite:///{folder}/db")
    Base.metadata.create_all(db.engine)
    wrapped = new_game_keys(keys.master, keys.signing, "bench")
    opened = open_game_keys(keys.master, "bench", wrapped)
    made = replace(gate.close(gate.position), position=gate.position)
    with db.writing() as session:
        game = Game(
            id="bench",
            rules=gate.course.rules.meta.name,
            title="Bench",
            options={},
            state=GameState.RUNNING,
            host_id=1,
            entry=0,
            created_at=0,
            rules_version="1",
            play_tries=0,
            keys=wrapped.to_bytes(),
        )
        session.add(User(id=1, address="b@localhost", name="B", language=DEFAULT, zone="UTC", created_at=0))
        session.flush()
        session.add(game)
        session.flush()
        for number in range(1, length + 1):
            record = Record("bench", number, gate.name, 0, (), b"", made.events, made.draws)
            append(session, opened, game, made, record, gate.course.rules.meta)
    return Shelf(db, opened, "bench")


# --- the clock


def measure(title: str, runs: int = RUNS) -> dict[str, Any]:
    """p50 and p95 in milliseconds of each, and how late and long compare with early and late."""
    early, late = gates(course(title))
    with tempfile.TemporaryDirectory(prefix="pbem-bench-") as folder:
        short = _shelved(Path(folder) / "short", late, JOURNAL)
        long = _shelved(Path(folder) / "long", late, JOURNAL * LONGER)
        try:
            times = _timed(_things(early, late, short, long), runs)
        finally:
            short.db.close()
            long.db.close()
    turns = {"turn2": early, "last": late, "long_journal": late}
    shown = {name: _figures(times[name]) | _about(gate) for name, gate in turns.items()}
    shown["long_journal"] |= {"entries": JOURNAL * LONGER, "load_ms": _figures(times["load_long"])["p50"]}
    shown["last"] |= {"entries": JOURNAL, "load_ms": _figures(times["load_short"])["p50"]}
    return {
        **shown,
        "ratio_last": _ratio(times, "last", "turn2"),
        "ratio_long": _ratio(times, "long_journal", "last"),
        "ratio_load": _ratio(times, "load_long", "load_short"),
        "runs": runs,
    }


Thing = tuple[Callable[[], Any], Callable[[Any], Any]]
"""What is made ready unmeasured, and what is then measured with it."""


Times = list[tuple[float, float]]
"""Milliseconds of each run: of the processor, and of the clock on the wall."""


def _things(early: Gate, late: Gate, short: Shelf, long: Shelf) -> Mapping[str, Thing]:
    return {
        "turn2": (lambda: early.position, early.close),
        "last": (short.load, late.close),
        "long_journal": (long.load, late.close),
        "load_short": (lambda: None, lambda _: short.load()),
        "load_long": (lambda: None, lambda _: long.load()),
    }


def _timed(things: Mapping[str, Thing], runs: int) -> dict[str, Times]:
    """Milliseconds of each run, the things by turns; the collector works between runs as it would in a worker."""
    times: dict[str, Times] = {name: [] for name in things}
    gc.collect()
    gc.freeze()
    try:
        for number in range(WARM_UP + runs):
            for name, (ready, measured) in things.items():
                given = ready()
                gc.collect(0)
                began, computed = time.perf_counter_ns(), time.thread_time_ns()
                measured(given)
                spent = time.thread_time_ns() - computed, time.perf_counter_ns() - began
                if number >= WARM_UP:
                    times[name].append((spent[0] / 1e6, spent[1] / 1e6))
    finally:
        gc.unfreeze()
    return times


def _figures(times: Times) -> dict[str, Any]:
    """p50 and p95 of the processor's time, which is what passes where nothing else wants the processor; and `wall`."""
    computed, passed = (quantiles(part, n=20, method="inclusive") for part in zip(*times, strict=True))
    figures = {"p50": computed[9], "p95": computed[18], "wall_p50": passed[9], "wall_p95": passed[18]}
    return {name: round(figure, 3) for name, figure in figures.items()}


def _about(gate: Gate) -> dict[str, Any]:
    return {
        "turn": gate.turn,
        "lines": sum(len(orders) for orders in gate.answers.values()),
        "rivalries": gate.rivalries,
    }


def _ratio(times: Mapping[str, Times], one: str, other: str) -> float:
    return round(float(_figures(times[one])["p50"]) / float(_figures(times[other])["p50"]), 3)
