"""What time costs a server with many tables: looks with nothing due, and one at which many questions are due at once.

All is done in one process, as the clock, a post worker and a play worker would do it, and measured on the processor
alone, with its statements.  The server's time is the bench's.  At the tables that are to be due all seats but the last
have sent orders, by the pages' own way and sealed to the table's own key, so that their gates are carried out.
"""

import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from statistics import quantiles
from time import thread_time_ns
from typing import Any, Final

from sqlalchemy import delete, func, select, update

import engine
from engine.kernel.names import Seat
from engine.kernel.secrets import redact
from pbem.app import Role, services_of
from pbem.bench.cpu import Say
from pbem.bench.meter import Meter
from pbem.bench.tables import SEEDS, Course, named, played, write_down
from pbem.config import Settings
from pbem.narration.facts import ReceiptFacts
from pbem.service.base.services import Services
from pbem.service.orders import web_orders
from pbem.service.post import key_rotation
from pbem.service.run import bots, clock_tick, game_visit
from pbem.states import LetterOutState
from pbem.store.models import DecisionRow, Game, LetterOut, LetterOutContent
from pbem.store.schema import create
from pbem.vault import KeyFolder, new_token

SEED: Final = b"clock"
"""What the answers are left to."""
SOON_H: Final = 1
LATE_H: Final = 24 * 10
"""How long questions wait at the tables that are to be due, and at all others."""
LOOK: Final = timedelta(seconds=5)
"""How much time passes from look to look, as the clock's schedule has it."""
STEP: Final = timedelta(minutes=5)
"""How fast the bench goes on to where questions are due: no gap that is taken for a stopped server."""
SAID: Final = 500
"""So many tables are written down before that is told."""
LOOKS: Final[Mapping[str, tuple[Role, Callable[[Services], Any]]]] = {
    "tick": ("clock", clock_tick.tick),
    "attend": ("post", clock_tick.attend),
    "sweep": ("clock", clock_tick.sweep),
}
"""What the clock has done every few seconds, and who does it."""


@dataclass(frozen=True)
class Plan:
    """What is measured: so many tables, of which `due` have questions that are due at once, and so many looks."""

    title: str
    seats: int
    games: int
    due: int
    looks: int


@dataclass
class House:
    """The roles that look at the clock, and the one that plays, in one process; what is woken waits in a list."""

    settings: Settings
    meter: Meter = field(default_factory=Meter)
    woken: list[tuple[str, str]] = field(default_factory=list)
    moment: datetime = field(default_factory=partial(datetime.now, UTC))

    def __post_init__(self) -> None:
        """Open the services of each role."""
        self.services = {role: self._of(role) for role in ("clock", "post", "play", "web")}

    def _of(self, role: Role) -> Services:
        services = services_of(self.settings, role, lambda task, subject: self.woken.append((task, subject)))
        return replace(services, clock=lambda: self.moment)

    def count(self) -> None:
        """Count statements from here on: while tables are written down that would be most of the work."""
        for services in self.services.values():
            self.meter.observe(services.db.engine)

    def timed(self, role: str, work: Callable[[Services], Any]) -> dict[str, float]:
        """Do a thing: its milliseconds on the processor, and how many statements it took."""
        self.meter.reset()
        began = thread_time_ns()
        work(self.services[role])
        spent = (thread_time_ns() - began) / 1e6
        return {"cpu_ms": spent, "statements": sum(n for (_, kind), n in self.meter.work.items() if kind.isupper())}

    def look(self) -> dict[str, dict[str, float]]:
        """Everything that the clock has done at one moment, by name."""
        return {name: self.timed(role, work) for name, (role, work) in LOOKS.items()}


def measure(plan: Plan, say: Say = lambda text: None, seeded: Path | None = None) -> dict[str, Any]:
    """Percentiles of each look with nothing due, and what it costs when many questions are due at once.

    `seeded`: a folder in which `seed` has written the tables down; it stays as it is.  Raises LookupError for a game
    that never asks all its seats together.
    """
    with tempfile.TemporaryDirectory(prefix="pbem-clock-") as folder:
        place = Path(folder) / "state"
        if seeded is None:
            seed(plan, place, say)
        else:
            shutil.copytree(seeded, place)
        house = House(Settings.embedded(place, relay_port=9))
        house.moment = began = _began(house)
        house.count()
        calm = _looks(house, plan.looks)
        return {**asdict(plan), "questions": _questions(house), "calm": calm, "due_at_once": _due(house, began, say)}


def _began(house: House) -> datetime:
    """When the last table was written down."""
    with house.services["play"].db.reading() as session:
        return datetime.fromtimestamp((session.scalar(select(func.max(Game.created_at))) or 0) / 1000, UTC)


def seed(plan: Plan, folder: Path, say: Say = lambda text: None) -> None:
    """Write the tables of a plan down, in a folder that is not there yet, as they stand before anything is due."""
    folder.mkdir(mode=0o700)
    settings = Settings.embedded(folder, relay_port=9)
    KeyFolder.create(settings.keys_dir)
    create(settings.database_url)
    house = House(settings)
    key_rotation.turn(house.services["post"])
    _seeded(house, plan, say)
    for services in house.services.values():
        services.db.close()


def _seeded(house: House, plan: Plan, say: Say) -> None:
    """All tables, written down; their first reports count as sent."""
    chairs = tuple(Seat(f"s{n + 1}") for n in range(plan.seats))
    courses = [_asking_all(plan.title, chairs, seed + 1) for seed in range(min(SEEDS, plan.games))]
    answers = [_answers(course) for course in courses]
    for number in range(plan.games):
        hours, which = SOON_H if number < plan.due else LATE_H, number % len(courses)
        users = write_down(house.services["play"], courses[which], number, hours)
        if number < plan.due:
            _answered(
                house.services["web"], number, courses[which], dict(zip(chairs, users, strict=True)), answers[which]
            )
        if number % SAID == SAID - 1:
            say(f"{number + 1} of {plan.games} tables are written down")
    with house.services["play"].db.writing() as session:
        session.execute(update(LetterOut).values(state=LetterOutState.SENT))
        session.execute(delete(LetterOutContent))
        session.execute(update(Game).values(play_wanted=None))


Answers = Mapping[Seat, Sequence[Sequence[Sequence[str]]]]
"""What each seat may send to each of its questions: sets of lines, of which the first that stands is its answer."""


def _answers(course: Course) -> Answers:
    """What all seats but the last answer where a course ends."""
    rules, position = engine.rules(course.title), course.entries[-1].after.position
    found = dict[Seat, Sequence[Sequence[Sequence[str]]]]()
    for seat in course.seats[:-1]:
        seen = redact(position, seat)
        owed = [d for d in seen.core.open if d.seat == seat and d.blocking]
        found[seat] = [list(bots.sets(bots.Owed(rules, seen, d, len(course.entries), "", SEED))) for d in owed]
    return found


def _answered(web: Services, number: int, course: Course, users: Mapping[Seat, int], answers: Answers) -> None:
    """Send the answers of a table's seats; raises LookupError for a question to which nothing can be sent."""
    for seat, questions in answers.items():
        for sets in questions:
            if not any(_taken(web, users[seat], named(number), len(course.entries), lines) for lines in sets):
                raise LookupError(f"{seat} of {course.title} has no answer that stands")


def _taken(web: Services, user: int, game: str, entry: int, lines: Sequence[str]) -> bool:
    done = web_orders.submit(web, user, game, entry, new_token(), lines)
    return isinstance(done, ReceiptFacts) and any(one.taken for one in done.sets)


def _asking_all(title: str, seats: tuple[Seat, ...], seed: int) -> Course:
    """A game up to where all its seats are asked for the first time."""
    course = played(engine.rules(title), seats, seed)
    asking = (n for n in range(len(course.entries)) if all(course.asks(n, seat) for seat in seats))
    first = next(asking, None)
    if first is None:
        raise LookupError(f"no gate of {title} asks all seats")
    return course.until(first)


def _questions(house: House) -> int:
    with house.services["play"].db.reading() as session:
        return session.scalar(select(func.count()).select_from(DecisionRow).where(DecisionRow.blocking)) or 0


def _looks(house: House, looks: int) -> dict[str, Any]:
    """So many looks with nothing due, after a first one that is not counted."""
    house.look()
    found: list[dict[str, dict[str, float]]] = []
    for _ in range(looks):
        house.moment += LOOK
        found.append(house.look())
    return {name: _spread([one[name] for one in found]) for name in LOOKS}


def _spread(found: list[dict[str, float]]) -> dict[str, float]:
    cuts = quantiles((one["cpu_ms"] for one in found), n=100, method="inclusive")
    statements = max(one["statements"] for one in found)
    return {"cpu_ms_p50": round(cuts[49], 2), "cpu_ms_p95": round(cuts[94], 2), "most_statements": statements}


def _due(house: House, began: datetime, say: Say) -> dict[str, Any]:
    """Reminders go out on the way; then all is due at one look, and each table is visited."""
    reminding = {"cpu_ms": 0.0, "statements": 0.0}
    while house.moment + STEP < began + timedelta(hours=SOON_H):
        house.moment += STEP
        looked = house.look()["attend"]
        reminding = max(reminding, looked, key=lambda one: one["cpu_ms"])
    say("questions are due")
    house.woken.clear()
    house.moment = began + timedelta(hours=SOON_H) + LOOK
    first = house.look()
    asked = [subject for task, subject in house.woken if task == "play"]
    house.moment += LOOK
    second = house.look()
    visits = [house.timed("play", partial(_visited, game=game)) for game in asked]
    return {
        "reminding": _rounded(reminding),
        "tick": _rounded(first["tick"]),
        "tables": len(asked),
        "tick_before_any_visit": _rounded(second["tick"]),
        "visits": _spread(visits) if len(visits) > 1 else {},
    }


def _visited(services: Services, game: str) -> None:
    game_visit.visit(services, game)


def _rounded(figures: Mapping[str, float]) -> dict[str, float]:
    return {name: round(figure, 2) for name, figure in figures.items()}
