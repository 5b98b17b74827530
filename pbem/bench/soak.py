"""A server over months, with people as they are and faults by chance, in one process and by a clock that leaps.

Every hour of the simulated time the clock ticks and what is due is done; between, players answer as their habits are.
Tasks die at the crash points, wake-up calls are lost, letters come twice, the relay is away, mailboxes are full or
gone, and the whole server stands still, all by a seed.  At the end the faults stop, and what is then
not in order is told.
"""

import hashlib
import heapq
import os
import random
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import count
from pathlib import Path
from time import process_time
from typing import Any, Final

from sqlalchemy import func, select, update

from engine.kernel.workload import options_of
from pbem.app import Role, services_of
from pbem.bench.cpu import House
from pbem.bench.players import LANGUAGE, Players, Seat, Sets
from pbem.bench.series import draw, growth
from pbem.bench.sink import answered_key, letter_key
from pbem.config import Settings
from pbem.service.base.calendar import Rhythm, Schedule
from pbem.service.base.services import NotTaken, Outgoing, Services
from pbem.service.game.standstill import CLOCK, TICK
from pbem.service.post import key_rotation, retries, taking_in
from pbem.service.run import bots, clock_tick, health
from pbem.service.run.figures import size
from pbem.service.seats import tables
from pbem.states import GameState
from pbem.store.models import Beat, DayKey, Game, LetterIn, LetterInContent, LetterOut, LetterOutContent
from pbem.store.schema import create
from pbem.vault import KeyFolder

HOUR: Final = timedelta(hours=1)
WEEK_H: Final = 7 * 24
CALM_H: Final = 12 * 24
"""So long nothing fails at the end, and nobody writes: whatever waits for an hour or a deadline has its time."""
SLOW_WEEKS: Final = 4
"""A game whose entry stays the same for so many weeks is stuck: a deadline is five days."""
KNOWN_WEEKS: Final = 8
"""A letter is known again for at least so long; what knew all of them would grow, and hide what grows in the server."""
TIMING: Final = Schedule(Rhythm(120, least=48, clock=20 * 60, zone="Europe/Paris"), missed="bot", misses=0)
HABITS: Final = ("prompt", "prompt", "late", "sunday", "sunday", "forgetful", "bouncing", "leaving")
"""How people are, as often as they stand here."""
KILLS, LOST, TWICE, AWAY, DOWN = 0.002, 0.01, 0.01, 0.02, 0.001
"""Chances: of dying at each crash point, of a wake-up call's loss, of a letter's coming twice; each hour, of the
relay's going away, and of the server's standing still."""
FIGURES: Final = ("memory_mb", "database_mb", "files", "day_keys", "letters_kept", "letters_waiting", "running")
FLAT: Final = ("memory_mb", "files", "day_keys")
"""What must not grow with the weeks; the database grows by what is played."""

THEIRS: Final = ("Letters whose recipients cannot be reached", "Players whose addresses refuse letters")
"""What the doctor says of mailboxes that refused letters for good, as some do here."""

_WRITTEN: Final = re.compile(rb"^Message-ID: <([^>]+)>", re.MULTILINE)

Say = Callable[[str], None]


class Killed(BaseException):
    """The process is gone: nothing of it runs any more, no handler of errors either."""


@dataclass(frozen=True)
class Plan:
    """What is simulated."""

    title: str
    seats: int
    games: int
    weeks: int
    seed: int


@dataclass
class Person:
    """How somebody is, and until when their mailbox takes nothing."""

    habit: str
    gone_after: datetime
    full_until: datetime
    refuses: bool = False
    last: str = ""


@dataclass
class Neighbourhood(House):
    """All roles of a server, its people, and what goes wrong."""

    chance: random.Random = field(default_factory=random.Random)
    people: dict[str, Person] = field(default_factory=dict)
    events: list[tuple[datetime, int, Callable[[], None]]] = field(default_factory=list)
    numbers: Any = field(default_factory=count)
    wild: bool = False
    away_until: datetime = datetime(1970, 1, 1, tzinfo=UTC)
    unanswered: set[str] = field(default_factory=set)
    shapes: list[dict[str, bytes]] = field(default_factory=lambda: [{}, {}])
    """What each letter was, by its name: those of this span of weeks, and those of the one before."""
    counts: Counter[str] = field(default_factory=Counter)

    def _of(self, role: Role) -> Services:
        services = services_of(self.settings, role, self._wake)
        return replace(
            services,
            clock=lambda: self.moment,
            point=self._point,
            count=lambda key, seconds: 0,
            send=self._take if role == "post" else None,
        )

    # --- what goes wrong

    def _happens(self, chance: float) -> bool:
        return self.wild and self.chance.random() < chance

    def _wake(self, task: str, subject: str) -> None:
        if self._happens(LOST):
            self.counts["wake-up calls lost"] += 1
        else:
            self.woken.append((task, subject))

    def _point(self, name: str) -> None:
        if self._happens(KILLS):
            self.counts["deaths"] += 1
            raise Killed(name)

    def _take(self, message: Outgoing) -> NotTaken | None:
        """The relay's answer; a letter that comes again must be the same to the byte, and is read once."""
        key, shape = letter_key(message.wire), hashlib.sha256(message.wire).digest()
        self.unanswered.discard(answered_key(message.wire))
        person = self.people[message.recipient]
        if self.moment < self.away_until:
            return NotTaken("relay ConnectionRefusedError", away=True)
        if self.moment < person.full_until:
            self.counts["letters refused"] += 1
            return NotTaken("recipient 550 5.1.1", theirs=True) if person.refuses else NotTaken("recipient 452 4.2.2")
        known = next((shapes[key] for shapes in self.shapes if key in shapes), None)
        if known is not None:
            self.counts["letters sent again"] += 1
            self.counts["letters in two shapes"] += known != shape
            return None
        self.shapes[0][key] = shape
        self.counts["letters out"] += 1
        self.sent.append(message)
        return None

    # --- what people do

    def _read(self, message: Outgoing) -> int:
        """A player reads a letter, and answers it as their habit is; a refusal is answered at once."""
        seat = self.players.by_address[message.recipient]
        letter, sets = self.players.come(seat, message.wire)
        person = self.people[seat.address]
        if sets:
            self._write(seat, letter.reply_to, sets)
        asked = seat.table.waiting.get(seat.address)
        if asked is not None:
            person.last = asked[0]
        at = self._when(person) if asked is not None and not letter.answers else None
        if asked is not None and at is not None:
            self.later(at, partial(self._answer, seat, asked))
        return 0

    def _when(self, person: Person) -> datetime | None:
        """When somebody answers what they were just asked; None for never."""
        hours = self.chance.uniform
        if self.moment > person.gone_after or (person.habit == "forgetful" and self.chance.random() < 0.25):
            return None
        if person.habit == "late":
            return self.moment + HOUR * hours(60, 118)
        if person.habit == "sunday":
            evening = self.moment.replace(hour=18, minute=0) + timedelta(days=6 - self.moment.weekday())
            return max(evening, self.moment) + HOUR * hours(0, 4)
        return self.moment + HOUR * hours(0.2, 24)

    def _answer(self, seat: Seat, asked: tuple[str, Sets]) -> None:
        if seat.table.waiting.get(seat.address) is asked:
            del seat.table.waiting[seat.address]
            self._write(seat, *asked)

    def _write(self, seat: Seat, recipient: str, sets: Sets) -> None:
        """A letter comes to the door, again while the door dies over it, and sometimes once more."""
        raw = self.players.written(seat, recipient, sets)
        found = _WRITTEN.search(raw)
        if found is not None and sets != [["JOIN"]]:
            self.unanswered.add(found.group(1).decode())
        self.counts["letters in"] += 1
        again = True
        while again:
            try:
                taking_in.take_in(self.services["door"], (recipient,), raw)
                again = self._happens(TWICE)
                self.counts["letters twice"] += again
            except Killed:
                self.counts["letters handed again"] += 1

    def later(self, at: datetime, act: Callable[[], None]) -> None:
        """Something happens at a time to come."""
        heapq.heappush(self.events, (at, next(self.numbers), act))

    def trouble(self, address: str, person: Person) -> None:
        """A mailbox takes nothing for a while; then its owner writes, and is there again."""
        days = self.chance.uniform(2, 20)
        person.refuses = self.chance.random() < 0.5
        person.full_until = self.moment + timedelta(days=days)
        self.counts["mailboxes in trouble"] += 1
        self.later(person.full_until + HOUR, lambda: self._back(address, person))

    def _back(self, address: str, person: Person) -> None:
        """They ask where their game stands; the address of one that is over is forgotten in time, and not answered."""
        seat = self.players.by_address[address]
        if person.last and not seat.table.over:
            self._write(seat, person.last, [["STATUS"]])

    # --- how time goes by

    def _work(self, task: str, subject: str) -> None:
        with suppress(Killed):
            if task == "answer":
                bots.answer(self.services["post"], subject)
            else:
                super()._work(task, subject)

    def hour(self) -> None:
        """Go on by one hour, with what people do in it; then the clock ticks."""
        end = self.moment + HOUR
        while self.events and self.events[0][0] <= end:
            at, _, act = heapq.heappop(self.events)
            self._to(max(at, self.moment))
            act()
            self.settle()
        self._to(max(end, self.moment))
        self._ticks()
        self.settle()

    def _to(self, moment: datetime) -> None:
        """The clock has been looked at all the while, as it is every few seconds."""
        self.moment = moment
        now = int(moment.timestamp() * 1000)
        with self.services["play"].db.writing() as session:
            session.execute(update(Beat).where(Beat.name.in_((TICK, CLOCK))).values(at=now))

    def _ticks(self) -> None:
        post, play = self.services["post"], self.services["play"]
        with suppress(Killed):
            clock_tick.attend(post)
        clock_tick.tick(play)
        clock_tick.sweep(play)
        if self.moment.hour == 4:
            clock_tick.tidy(post)

    def fate(self) -> None:
        """What this hour brings."""
        if self._happens(AWAY) and self.moment >= self.away_until:
            self.away_until = self.moment + HOUR * self.chance.uniform(0.5, 8)
            self.counts["times the relay was away"] += 1
        if self._happens(DOWN):
            self.moment += HOUR * self.chance.randint(1, 30)
            self.counts["times the server stood still"] += 1
        for address, person in self.people.items():
            if person.habit == "bouncing" and self._happens(1 / (60 * 24)) and self.moment >= person.full_until:
                self.trouble(address, person)


def measure(plan: Plan, say: Say, plots: Path | None = None) -> dict[str, Any]:
    """Simulate; figures week by week, what went wrong on purpose, and what was not in order at the end.

    `plots`: a folder for a chart of each figure.
    """
    with tempfile.TemporaryDirectory(prefix="pbem-soak-") as folder:
        settings = Settings.embedded(Path(folder), relay_port=9)
        KeyFolder.create(settings.keys_dir)
        create(settings.database_url)
        found = _lived(plan, settings, say)
    if plots is not None:
        draw(found["weeks"], "week", FIGURES, plots)
    return found


def _lived(plan: Plan, settings: Settings, say: Say) -> dict[str, Any]:
    chance = random.Random(plan.seed)  # noqa: S311 - nothing here is secret
    house = Neighbourhood(settings, Players(plan.title, plan.seats, plan.games), chance=chance)
    for address in house.players.by_address:
        habit = chance.choice(HABITS)
        stays = chance.uniform(1, plan.weeks) if habit == "leaving" else 2 * plan.weeks
        house.people[address] = Person(habit, house.moment + timedelta(weeks=stays), house.moment)
    key_rotation.turn(house.services["post"])
    _dealt(house, plan)
    house.wild = True
    weeks, entries = list[Mapping[str, int]](), list[dict[str, int]]()
    for week in range(plan.weeks):
        if week % KNOWN_WEEKS == 0:
            house.shapes = [{}, house.shapes[0]]
        for _ in range(WEEK_H):
            house.fate()
            house.hour()
        weeks.append(_figures(house, week + 1))
        entries.append(_entries(house))
        told = ", ".join(f"{name} {weeks[-1][name]}" for name in FIGURES)
        say(f"week {week + 1} of {plan.weeks}: {told}, letters in {house.counts['letters in']}")
    _calm(house)
    return {
        "seed": plan.seed,
        "games": plan.games,
        "weeks": weeks,
        "counts": dict(house.counts),
        "growth": {name: growth([one[name] for one in weeks]) for name in FIGURES},
        "stuck": _stuck(house, entries),
        "lost": sorted(house.unanswered),
        "complaints": [line for line in health.complaints(house.services["play"]) if not line.startswith(THEIRS)],
    }


def _dealt(house: Neighbourhood, plan: Plan) -> None:
    """All tables, with deadlines; who is invited comes at once."""
    web, options = house.services["web"], options_of(house.services["web"].installed[plan.title])
    for table in house.players.tables:
        host, *others = table.seats
        with web.db.writing() as session:
            user = tables.user_of(web, session, host, language=LANGUAGE)
        game = tables.create(web, user.id, plan.title, table.name, plan.seats, options, None, TIMING)
        tables.invite(web, game, user.id, others)
        house.settle()
    house.hour()


def _calm(house: Neighbourhood) -> None:
    """Nothing fails any more, everybody's mailbox takes letters, and the operator sends again what was refused."""
    house.wild = False
    house.away_until = house.moment
    for person in house.people.values():
        person.full_until = min(person.full_until, house.moment)
        person.gone_after = house.moment
    for _ in range(CALM_H):
        house.hour()
    retries.retry(house.services["post"])
    house.hour()


def _figures(house: Neighbourhood, week: int) -> Mapping[str, int]:
    with house.services["play"].db.reading() as session:

        def many(of: Any, *where: Any) -> int:
            return session.scalar(select(func.count()).select_from(of).where(*where)) or 0

        return {
            "week": week,
            "memory_mb": _own_memory() // 1_000_000,
            "database_mb": round(size(session, sqlite=True) / 1_000_000),
            "files": sum(len(files) for _, _, files in os.walk(house.settings.state_dir)),
            "day_keys": many(DayKey),
            "letters_kept": many(LetterIn) + many(LetterOut),
            "letters_waiting": many(LetterInContent) + many(LetterOutContent),
            "running": many(Game, Game.state == GameState.RUNNING),
            "cpu_s": round(process_time()),
        }


def _own_memory() -> int:
    """Bytes that this process holds of its own, in memory or swapped out; pages of files come and go as others need."""
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines())
    return sum(int(status[name].split()[0]) for name in ("RssAnon", "VmSwap")) * 1024


def _entries(house: Neighbourhood) -> dict[str, int]:
    with house.services["play"].db.reading() as session:
        rows = session.execute(select(Game.id, Game.entry).where(Game.state == GameState.RUNNING))
        return {row.id: row.entry for row in rows}


def _stuck(house: Neighbourhood, entries: Sequence[Mapping[str, int]]) -> list[str]:
    """The games that have not gone on, through weeks of faults or in the calm that followed."""
    last = _entries(house)
    early = entries[-SLOW_WEEKS] if len(entries) >= SLOW_WEEKS else entries[0]
    return sorted(game for game, entry in last.items() if early.get(game) == entry)
