"""Cycles without sockets and without a queue: the same work in one process, measured on the processor alone.

Each run is a process of its own that begins with a copy of the same tables, dealt once, and the same chance: what the
server does in it is the same each time, and only the machine differs.  A cycle is counted when all seats answer.
"""

import hashlib
import json
import multiprocessing
import shutil
import tempfile
from collections import Counter, deque
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from statistics import mean, median
from time import thread_time_ns
from typing import Any, Final

from pbem.app import Role, services_of
from pbem.bench.meter import Meter
from pbem.bench.players import BenchGame, Players, Sets
from pbem.bench.players import Seat as Player
from pbem.config import Settings
from pbem.door import is_ours
from pbem.memory import settle
from pbem.service.base.services import Outgoing, Services
from pbem.service.post import delivery, inbox_queue, key_rotation, taking_in
from pbem.service.run import game_visit, letter_came
from pbem.store.schema import create
from pbem.vault import KeyFolder

ROLES: Final = ("door", "post", "play")
_PROCESSES: Final[tuple[Role, ...]] = ("door", "post", "play", "web")
BEGAN: Final = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
BETWEEN: Final = timedelta(minutes=1)
"""How much later each cycle comes by the server's clock; a task takes a hundredth of a second of it."""
TASK: Final = timedelta(milliseconds=10)
WARM_UP: Final = 3
"""Cycles at the beginning of each run that are not counted."""
BENCH: Final = "the bench itself"
YARDSTICK: Final = "yardstick"
"""Two names of figures: the players' own work, and work that never changes, done beside each cycle."""
YARD: Final = 10
"""How many pieces of it."""
STUCK: Final = 60
"""So many steps in a row without a cycle mean that no table goes on."""

Say = Callable[[str], None]
GROUPS: Final = ("cpu_ms", "lock_ms", "work")
Figures = dict[str, dict[str, float]]
"""Of one cycle: what each thing cost, by group."""


@dataclass(frozen=True)
class Plan:
    """What is measured."""

    title: str
    seats: int
    games: int
    cycles: int
    runs: int


@dataclass
class House:
    """All roles of a server in one process; tasks that were woken lie in a queue, letters that went out in another."""

    settings: Settings
    players: Players
    meter: Meter = field(default_factory=Meter)
    woken: deque[tuple[str, str]] = field(default_factory=deque)
    sent: deque[Outgoing] = field(default_factory=deque)
    moment: datetime = BEGAN

    def __post_init__(self) -> None:
        """Open the services of each role, each with a chance of its own."""
        self.services = {role: self._of(role) for role in _PROCESSES}

    def _of(self, role: Role) -> Services:
        services = services_of(self.settings, role, lambda task, subject: self.woken.append((task, subject)))
        self.meter.observe(services.db.engine)
        return replace(
            services,
            clock=lambda: self.moment,
            chance=_chance(role),
            count=lambda key, seconds: 0,
            send=self._send if role == "post" else None,
        )

    def _send(self, message: Outgoing) -> None:
        self.sent.append(message)

    def take_in(self, seat: Player, recipient: str, sets: Sets) -> None:
        """A letter comes to the door."""
        raw = self.players.written(seat, recipient, sets)
        door = self.services["door"]
        self.moment += TASK
        with self.meter.task("door"):
            if not is_ours(door, recipient):
                raise LookupError("the door knows no such address")
            taking_in.take_in(door, (recipient,), raw)

    def settle(self) -> tuple[int, int]:
        """Do what was woken, and let players read what they were sent, until nothing is left; letters in and out."""
        came = went = 0
        while self.woken or self.sent:
            while self.woken:
                self._work(*self.woken.popleft())
            while self.sent:
                went += 1
                came += self._read(self.sent.popleft())
        return came, went

    def _work(self, task: str, subject: str) -> None:
        """Do one task, as a worker would."""
        self.moment += TASK
        post, play = self.services["post"], self.services["play"]
        with self.meter.task("play" if task == "play" else "post"):
            match task:
                case "ingest":
                    inbox_queue.ingest(post, subject, letter_came, inbox_queue.BESIDE, delivery)
                case "deliver":
                    delivery.deliver_for_a_while(post)
                case "play":
                    game_visit.visit(play, subject)
                case other:
                    raise LookupError(f"the bench knows no task {other}")

    def _read(self, message: Outgoing) -> int:
        """A player reads a letter; whether they answered at once."""
        seat = self.players.by_address[message.recipient]
        letter, sets = self.players.come(seat, message.wire)
        if sets:
            self.take_in(seat, letter.reply_to, sets)
        return 1 if sets else 0


def yardstick() -> int:
    """Nanoseconds of a piece of work that never changes: how fast the machine is just now."""
    began = thread_time_ns()
    for number in range(YARD):
        things = [{"name": f"thing {number} {n}", "parts": list(range(n % 7))} for n in range(100)]
        again = json.loads(json.dumps(sorted(things, key=lambda thing: str(thing["name"])), sort_keys=True))
        hashlib.sha256(repr(again).encode()).digest()
    return thread_time_ns() - began


def _chance(words: str) -> Callable[[int], bytes]:
    """Random bytes that are the same in each run."""
    numbers = count()
    return lambda size: hashlib.shake_256(f"{words} {next(numbers)}".encode()).digest(size)


# --- one process each


def _dealt(folder: Path, plan: Plan) -> Players:
    """Make all tables, and play until each has asked all its seats something."""
    settings = _settings(folder)
    KeyFolder.create(settings.keys_dir)
    create(settings.database_url)
    house = House(settings, Players(plan.title, plan.seats, plan.games))
    key_rotation.turn(house.services["post"])
    house.players.deal(house.services["web"])
    house.settle()
    for _ in range(STUCK):
        late = [table for table in house.players.tables if len(table.waiting) < plan.seats]
        if not late:
            return house.players
        for table in late:  # a game may ask its seats one by one at first
            _answer(house, table)
    raise LookupError("a table did not begin as it should")


def _played(folder: Path, players: Players, cycles: int) -> list[Figures]:
    """One run: the figures of each cycle after a warm-up, the tables by turns."""
    house = House(_settings(folder), players)
    house.meter.watch()
    settle()
    found: list[Figures] = []
    turns, left, idle = deque(players.tables), WARM_UP, 0
    while len(found) < cycles:
        table = turns[0]
        turns.rotate(-1)
        whole = len(table.waiting) == players.size and not table.over
        figures = _step(house, table)
        if whole and not left:
            found.append(figures)
        left, idle = max(0, left - whole), 0 if whole else idle + 1
        if idle > STUCK:
            raise LookupError(f"no table goes on after {len(found)} cycles: ask for fewer cycles or more games")
    return found


def _step(house: House, table: BenchGame) -> Figures:
    """All who were asked at a table answer; what that cost."""
    house.moment += BETWEEN
    house.meter.reset()
    yard = yardstick()
    began = thread_time_ns()
    letters = _answer(house, table)
    spent = thread_time_ns() - began
    return _figures(house.meter, spent, yard + yardstick(), letters)


def _answer(house: House, table: BenchGame) -> Mapping[str, float]:
    """All who were asked at a table answer; how many letters came in and went out."""
    asked, table.waiting = table.waiting, {}
    for address, (to, sets) in asked.items():
        house.take_in(table.seats[address], to, sets)
    came, went = house.settle()
    return {"letters in": came + len(asked), "letters out": went}


def _figures(meter: Meter, spent: int, yard: int, letters: Mapping[str, float]) -> Figures:
    by_role = Counter[str]()
    for (role, _), passed in meter.cpu.items():
        by_role[role] += passed
    ours = by_role.total()
    cpu = {"all": ours, **by_role, **_by_role(meter.cpu), BENCH: spent - ours, YARDSTICK: yard}
    lock = {**_of_all(meter.lock), **_by_role(meter.lock)}
    return {
        "cpu_ms": {name: passed / 1e6 for name, passed in cpu.items()},
        "lock_ms": {name: passed / 1e6 for name, passed in lock.items()},
        "work": {**letters, **_of_all(meter.work), **_by_role(meter.work)},
    }


def _by_role(counts: Mapping[tuple[str, str], int]) -> dict[str, int]:
    parts = sorted(counts.items(), key=lambda part: (ROLES.index(part[0][0]), part[0][1]))
    return {f"{role}: {kind}": number for (role, kind), number in parts}


def _of_all(counts: Mapping[tuple[str, str], int]) -> dict[str, int]:
    summed = Counter[str]()
    for (_, kind), number in sorted(counts.items()):
        summed[kind] += number
    return {f"all: {kind}": number for kind, number in summed.items()}


# --- the whole


def measure(plan: Plan, say: Say = lambda text: None) -> dict[str, Any]:
    """Median, lowest and highest of each figure over the runs; raises LookupError where the tables do not last."""
    with tempfile.TemporaryDirectory(prefix="pbem-cpu-") as folder:
        dealt = Path(folder) / "dealt"
        players = _aside(_dealt, dealt, plan)
        say(f"{plan.games} tables are dealt")
        runs = []
        for number in range(plan.runs):
            own = Path(folder) / f"run{number}"
            shutil.copytree(dealt, own)
            runs.append(_aside(_played, own, players, plan.cycles))
            shutil.rmtree(own)
            taken = mean(cycle["cpu_ms"]["all"] for cycle in runs[-1])
            say(f"run {number + 1} of {plan.runs}: {taken:.1f} ms a cycle")
    figures = _over(runs)
    ours, players = (figures["cpu_ms"][name]["median"] for name in ("all", BENCH))
    return {**asdict(plan), "bench_share": round(players / (players + ours), 3), "figures": figures}


def _settings(folder: Path) -> Settings:
    return Settings.embedded(folder, relay_port=9)


def _aside(work: Callable[..., Any], *given: Any) -> Any:
    """Do something in a process of its own, made of this one as it is."""
    with multiprocessing.get_context("fork").Pool(1) as pool:
        return pool.apply(work, given)


def _over(runs: list[list[Figures]]) -> dict[str, dict[str, dict[str, float]]]:
    """Each figure of a cycle, over the runs its median, lowest and highest; of these the mean over the cycles."""
    cycles = list(zip(*runs, strict=True))
    names = {group: dict.fromkeys(name for same in cycles for one in same for name in one[group]) for group in GROUPS}
    return {
        group: {name: _spread([[one[group].get(name, 0) for one in same] for same in cycles]) for name in names[group]}
        for group in GROUPS
    }


def _spread(cycles: list[list[float]]) -> dict[str, float]:
    ways: Mapping[str, Callable[[list[float]], float]] = {"median": median, "low": min, "high": max}
    return {name: round(mean(of(same) for same in cycles), 3) for name, of in ways.items()}
