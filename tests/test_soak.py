"""Weeks of several games in one process, with faults by chance: nothing is stuck, lost or sent in two shapes.

Every hour of simulated time the server does what is due, and people answer as their habits are.  Tasks die at the crash
points, wake-up calls are lost, letters come twice, the relay is away, mailboxes are full or gone, and the whole server
stands still.  Then the faults stop, and after a calm that is longer than any deadline everything must be in order.
"""

import hashlib
import heapq
import os
import random
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import count, cycle
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select, update

from engine.kernel.workload import options_of
from pbem.app import Role
from pbem.bench.in_process import InProcessServer, new_settings
from pbem.bench.players import Players, Seat, Sets
from pbem.common.states import GameState
from pbem.service.access import users
from pbem.service.base.calendar import DeadlinePolicy, DeadlineRule
from pbem.service.base.services import DeliveryFailure, RenderedEmail, Services
from pbem.service.game.clock_state import MAIL_JOBS, SCHEDULER
from pbem.service.mail import delivery_status
from pbem.service.seats import tables
from pbem.service.tasks import bot_turns, health, jobs
from pbem.store.models import DailyKey, Game, Heartbeat
from tests.budget import budget

TITLE = "age_of_renaissance"
HOUR = timedelta(hours=1)
CALM_HOURS = 12 * 24
"""Hours without faults at the end: longer than a deadline and than any time between tries."""
TIMING = DeadlinePolicy(DeadlineRule(120, least=48, clock=20 * 60, zone="Europe/Paris"), on_missed="bot", max_misses=0)
HABITS = ("prompt", "prompt", "late", "sunday", "forgetful", "bouncing", "leaving")
KILL, LOSE_CALL, TWICE, RELAY_AWAY, STANDSTILL, FULL_MAILBOX = 0.002, 0.01, 0.01, 0.02, 0.001, 0.01
"""Chances: at each crash point; of each wake-up call; of each letter; and three of each hour."""
EXPECTED = ("Letters whose recipients cannot be reached", "Players whose addresses refuse letters")
"""Complaints of the doctor about mailboxes that refused letters for good, as some do here."""


class Killed(BaseException):
    """The process is gone: no handler of errors runs either."""


@dataclass
class Person:
    """How a player behaves, and until when their mailbox takes nothing."""

    habit: str
    gone_after: datetime
    full_until: datetime
    refuses: bool = False
    reply_to: str = ""


@dataclass
class World(InProcessServer):
    """A server, its players, and what goes wrong."""

    players: Players = field(default_factory=lambda: Players(TITLE, 3, budget(4, 8)))
    chance: random.Random = field(default_factory=lambda: random.Random(2))
    people: dict[str, Person] = field(default_factory=dict)
    events: list[tuple[datetime, int, Callable[[], None]]] = field(default_factory=list)
    numbers: Any = field(default_factory=count)
    wild: bool = False
    relay_away_until: datetime = datetime(1970, 1, 1, tzinfo=UTC)
    unanswered: set[str] = field(default_factory=set)
    sent_before: dict[str, bytes] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)

    def services_for(self, role: Role) -> Services:
        """Services that may die at any crash point."""
        return replace(super().services_for(role), fault_point=self._point)

    # --- faults

    def happens(self, chance: float) -> bool:
        """Decide by chance, as long as things go wrong at all."""
        return self.wild and self.chance.random() < chance

    def _point(self, name: str) -> None:
        if self.happens(KILL):
            self.counts["deaths"] += 1
            raise Killed(name)

    def wake(self, task: str, subject: str) -> None:
        """Enqueue a task, or lose it."""
        if self.happens(LOSE_CALL):
            self.counts["wake-up calls lost"] += 1
        else:
            super().wake(task, subject)

    def run_task(self, task: str, subject: str) -> None:
        """Do a task; its process may die over it."""
        with suppress(Killed):
            if task == "play_bot_turns":
                bot_turns.play_turn(self.services["mailer"], subject)
            else:
                super().run_task(task, subject)

    def send(self, message: RenderedEmail) -> DeliveryFailure | None:
        """Answer as relay and mailbox; a letter that comes again must be the same to the byte, and is read once."""
        head = message.wire.partition(b"\r\n\r\n")[0]
        self.unanswered.discard(_header(head, b"In-Reply-To"))
        person = self.people[message.recipient]
        if self.moment < self.relay_away_until:
            return DeliveryFailure("relay ConnectionRefusedError", away=True)
        if self.moment < person.full_until:
            return (
                DeliveryFailure("recipient 550 5.1.1", is_permanent=True)
                if person.refuses
                else DeliveryFailure("recipient 452 4.2.2")
            )
        digest = hashlib.sha256(message.wire).digest()
        key = _header(head, b"Message-ID")
        if key in self.sent_before:
            self.counts["letters in two shapes"] += self.sent_before[key] != digest
            return None
        self.sent_before[key] = digest
        return super().send(message)

    # --- people

    def read_letters(self) -> None:
        """Let players read what came; a refusal is answered at once, a question as the player's habit is."""
        while self.tasks or self.sent:
            self.run_tasks()
            while self.sent:
                message = self.sent.popleft()
                seat = self.players.by_address[message.recipient]
                person = self.people[seat.address]
                letter, sets = self.players.read(seat, message.wire)
                if sets:
                    self.write(seat, letter.reply_to, sets)
                asked = seat.table.waiting.get(seat.address)
                if asked is None:
                    continue
                person.reply_to = asked[0]
                if not letter.is_receipt and (at := self._answer_time(person)):
                    self.later(at, partial(self._answer, seat, asked))

    def _answer_time(self, person: Person) -> datetime | None:
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
            self.write(seat, *asked)

    def write(self, seat: Seat, recipient: str, sets: Sets) -> None:
        """Hand a letter to the door, again while the door dies over it, and sometimes once more."""
        raw = self.players.write(seat, recipient, sets)
        if sets != [["JOIN"]]:
            self.unanswered.add(_header(raw, b"Message-ID"))
        self.counts["letters in"] += 1
        again = True
        while again:
            with suppress(Killed):
                self.take_in(recipient, raw)
                again = self.happens(TWICE)
                self.counts["letters twice"] += again

    def later(self, at: datetime, act: Callable[[], None]) -> None:
        """Let something happen at a time to come."""
        heapq.heappush(self.events, (at, next(self.numbers), act))

    def _break_mailbox(self, address: str, person: Person) -> None:
        """A mailbox takes nothing for days; then its owner writes, and is there again."""
        person.refuses = self.chance.random() < 0.5
        person.full_until = self.moment + timedelta(days=self.chance.uniform(2, 20))
        self.counts["mailboxes in trouble"] += 1
        self.later(person.full_until + HOUR, partial(self._ask_status, self.players.by_address[address], person))

    def _ask_status(self, seat: Seat, person: Person) -> None:
        if person.reply_to and not seat.table.over:
            self.write(seat, person.reply_to, [["STATUS"]])

    # --- time

    def hour(self) -> None:
        """Go on by an hour, with what people do in it; then the clock ticks."""
        end = self.moment + HOUR
        while self.events and self.events[0][0] <= end:
            at, _, act = heapq.heappop(self.events)
            self._go_to(max(at, self.moment))
            act()
            self.read_letters()
        self._go_to(max(end, self.moment))
        post, clock = self.services["mailer"], self.services["scheduler"]
        with suppress(Killed):
            jobs.run_mail_jobs(post)
        jobs.enqueue_due_games(clock)
        jobs.requeue_stuck_work(clock)
        if self.moment.hour == 4:
            jobs.delete_expired_rows(post)
        self.read_letters()

    def _go_to(self, moment: datetime) -> None:
        """Set the clock; it has ticked all the while, as it does every few seconds."""
        self.moment = moment
        with self.services["resolver"].db.transaction() as session:
            seen = update(Heartbeat).where(Heartbeat.name.in_((MAIL_JOBS, SCHEDULER)))
            session.execute(seen.values(beat_at=int(moment.timestamp() * 1000)))

    def wild_hour(self) -> None:
        """Decide what goes wrong, then go on by an hour."""
        if self.happens(RELAY_AWAY) and self.moment >= self.relay_away_until:
            self.relay_away_until = self.moment + HOUR * self.chance.uniform(0.5, 8)
            self.counts["times the relay was away"] += 1
        if self.happens(STANDSTILL):
            self.moment += HOUR * self.chance.randint(1, 30)
            self.counts["times the server stood still"] += 1
        for address, person in self.people.items():
            if person.habit == "bouncing" and self.moment >= person.full_until and self.happens(FULL_MAILBOX):
                self._break_mailbox(address, person)
        self.hour()

    def begin(self, weeks: int) -> None:
        """Deal all games with deadlines; their players come at once."""
        for address, habit in zip(self.players.by_address, cycle(HABITS), strict=False):
            stays = self.chance.uniform(1, weeks) if habit == "leaving" else 2 * weeks
            self.people[address] = Person(habit, self.moment + timedelta(weeks=stays), self.moment)
        web = self.services["web"]
        for game in self.players.games:
            host, *others = game.seats
            with web.db.transaction() as session:
                user = users.get_or_create_user(web, session, host, language="en")
            options = options_of(web.installed[TITLE])
            game_id = tables.create(web, user.id, TITLE, game.name, self.players.size, options, None, TIMING)
            tables.invite(web, game_id, user.id, others)
            self.read_letters()
        self.hour()
        self.wild = True

    def calm_down(self) -> None:
        """Stop all faults; every mailbox takes letters, nobody writes, and the operator retries what was refused."""
        self.wild, self.relay_away_until = False, self.moment
        for person in self.people.values():
            person.full_until, person.gone_after = min(person.full_until, self.moment), self.moment
        for _ in range(CALM_HOURS):
            self.hour()
        delivery_status.retry_all(self.services["mailer"])
        self.hour()

    # --- what is found

    def entries(self) -> Mapping[str, int]:
        """The last entry of each running game."""
        with self.services["resolver"].db.snapshot() as session:
            rows = session.execute(select(Game.id, Game.entry).where(Game.state == GameState.RUNNING))
            return {row.id: row.entry for row in rows}

    def remains(self) -> Mapping[str, int]:
        """What must not pile up with the weeks."""
        with self.services["resolver"].db.snapshot() as session:
            day_keys = session.scalar(select(func.count()).select_from(DailyKey))
        files = sum(len(files) for _, _, files in os.walk(self.settings.state_dir))
        return {"day keys": day_keys or 0, "files": files}


def _header(raw: bytes, name: bytes) -> str:
    """The value of a header between angle brackets; empty if there is none."""
    return raw.partition(b"\r\n" + name + b": <")[2].partition(b">")[0].decode()


@pytest.mark.night
@pytest.mark.timeout(7200)
def test_weeks_of_faults_leave_nothing_behind(tmp_path: Path) -> None:
    """Under every kind of fault all games go on, each letter is answered once, and nothing piles up."""
    weeks = budget(4, 45)
    world = World(new_settings(tmp_path, relay_port=9))
    world.begin(weeks)
    remains = []
    for _ in range(weeks):
        for _ in range(7 * 24):
            world.wild_hour()
        remains.append(world.remains())
    before = world.entries()
    world.calm_down()
    after = world.entries()
    complaints = [line for line in health.list_problems(world.services["resolver"]) if not line.startswith(EXPECTED)]
    world.close()
    assert [game for game in after if after[game] == before[game]] == []
    assert world.unanswered == set()
    assert complaints == []
    counts = world.counts
    assert counts["letters in two shapes"] == 0
    assert counts["letters in"] > 50
    kinds = ("deaths", "wake-up calls lost", "times the relay was away", "mailboxes in trouble", "letters twice")
    assert all(counts[kind] for kind in kinds), counts
    for name in ("day keys", "files"):
        assert remains[-1][name] <= 1.2 * remains[weeks // 4][name], (name, remains)
