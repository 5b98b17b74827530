"""A year of a six-seat game under a test clock, with everything that a year brings, and nobody to look after it."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from engine import GAMES
from engine.kernel.bots import Bot, chooser
from engine.kernel.grammar import build_grammar
from engine.kernel.printing import print_line
from engine.kernel.secrets import seen_by
from engine.kernel.viewers import Seat
from pbem.crypto import new_token
from pbem.service.access import users
from pbem.service.base.calendar import DeadlinePolicy, DeadlineRule
from pbem.service.deadlines import gate_timing
from pbem.service.game import seat_views
from pbem.service.orders import web_orders
from pbem.service.seats import substitutes, tables
from pbem.store.models import DeadlineExtension, Outage, QuestionRow, SeatRow, SeatTenure, User
from tests.archive.bots import KEEN
from tests.service.server_fixtures import ServerHarness, build

HOUR = 3_600_000
PARIS = ZoneInfo("Europe/Paris")
TABLE = DeadlinePolicy(
    DeadlineRule(144, least=96, clock=20 * 60, zone="Europe/Paris", days="123456", grace=60),
    on_missed="bot",
    excused_misses=1,
)
VANISHES = {"p4": datetime(2026, 4, 20, tzinfo=UTC), "p1": datetime(2026, 7, 1, tzinfo=UTC)}
"""One player loses interest in spring; the host and master in summer."""

OUTAGES = [(datetime(2026, 5, 18, 3, tzinfo=UTC), 31), (datetime(2026, 9, 7, 12, tzinfo=UTC), 77)]
AWAY = datetime(2026, 6, 5, tzinfo=UTC), datetime(2026, 6, 20, tzinfo=UTC)


class Year:
    """The table, its players, and who of them is still there."""

    def __init__(self, folder: Path) -> None:
        self.harness = build(folder, installed=GAMES)
        self.harness.current_time = datetime(2026, 3, 1, 12, tzinfo=UTC)
        self.game = self._seated()
        self.outages = list(OUTAGES)
        self.lost: list[tuple[int, int]] = []
        self.announced = False

    def _seated(self) -> str:
        harness = self.harness
        with harness.web.db.transaction() as session:
            host = users.get_or_create_user(harness.web, session, "p1@games.test", "p1").id
        game = tables.create(harness.web, host, "age_of_renaissance", "Rose", 6, {}, None, TABLE)
        harness.run_queued_tasks()
        tables.invite(harness.web, game, host, [f"p{n}@games.test" for n in range(2, 7)])
        harness.run_queued_tasks()
        for address, facts in list(harness.sent):
            if address.kind == "invitation":
                tables.join(harness.web, facts.frame.links.act.rpartition("/")[2])
        harness.run_queued_tasks()
        harness.sent.clear()
        harness.run_scheduled_jobs()
        return game

    # --- who does what, and when

    def run(self, steps: int) -> None:
        """Go from one moment to the next at which anybody does anything, until the game is over."""
        for _ in range(steps):
            if self.harness.load_game(self.game).state != "running":
                return
            self._meanwhile()
            if not self._act():
                self._wait()

    def _meanwhile(self) -> None:
        """What happens beside the game: an outage, an absence, a newcomer for a seat that looks for one."""
        if self.outages and self.harness.current_time >= self.outages[0][0]:
            _, hours = self.outages.pop(0)
            began = self.harness.mailer.now()
            self.harness.simulate_downtime(hours=hours)
            self.lost.append((began, began + hours * HOUR))
            self._tick()
        if not self.announced and self.harness.current_time >= AWAY[0] - timedelta(days=10):
            self.announced = True
            since, until = (int(day.timestamp()) * 1000 for day in AWAY)
            gate_timing.add_absence(self.harness.web, self._user("p6"), since, until)
        for offer in substitutes.list_open_seats(self.harness.web).rows:
            with self.harness.web.db.transaction() as session:
                name = f"n{offer.seat}{self.harness.mailer.now()}"
                nobody = users.get_or_create_user(self.harness.web, session, f"{name}@games.test", name).id
            substitutes.take_over(self.harness.web, nobody, self.game, offer.seat)
            self.harness.run_queued_tasks()

    def _user(self, name: str) -> int:
        return next(row.id for row in self.harness.load_rows(User) if row.name == name)

    def _owed(self) -> list[tuple[QuestionRow, User]]:
        """The open questions that somebody answers who is there, with who it is."""
        users = {row.id: row for row in self.harness.load_rows(User)}
        sits = {row.seat: users[row.user_id or 0] for row in self.harness.load_rows(SeatRow)}
        rows = [row for row in self.harness.load_rows(QuestionRow) if row.is_blocking and row.answered_at is None]
        return [(row, sits[row.seat]) for row in rows if self._there(sits[row.seat])]

    def _there(self, user: User) -> bool:
        gone = user.name in VANISHES and self.harness.current_time >= VANISHES[user.name]
        return not gone and not (user.name == "p6" and AWAY[0] <= self.harness.current_time < AWAY[1])

    def _lead(self, row: QuestionRow) -> int:
        """Everybody answers late: the first in the last two hours, the others some hours before."""
        return (2 + 5 * (int(row.seat[1:]) - 1)) * HOUR

    def _act(self) -> bool:
        """Every player who finds it time answers all that they owe."""
        ready = [
            (row, user)
            for row, user in self._owed()
            if self.harness.mailer.now() >= int(row.due_at or 0) - self._lead(row)
        ]
        for seat, user in {row.seat: user.id for row, user in ready}.items():
            self._answer(seat, user)
        self.harness.run_queued_tasks()
        return bool(ready)

    def _answer(self, seat: str, user: int) -> None:
        harness, game = self.harness, self.harness.load_game(self.game)
        rules = harness.resolver.rules(game.rules)
        with harness.web.db.snapshot() as session:
            seen = seat_views.last_view(harness.web, session, game, seat)
        bot, lines = Bot(rules, Seat(seat), chooser(self.game.encode()), KEEN), list[str]()
        with seen_by(seat):
            grammar = build_grammar(rules, seen, Seat(seat), "en")
        for decision in (d for d in seen.core.questions if d.seat == seat and d.blocking):
            section = next(s for s in grammar.sections if s.open and s.topic.key == decision.topic)
            orders = bot.answer(seen, decision)
            lines += [print_line(section.forms, line, "en", grammar.facts) for line in orders] or ["PASS"]
        web_orders.submit_orders(harness.web, user, self.game, game.entry, new_token(), lines)

    def _wait(self) -> None:
        """Until somebody acts, a question closes, or something happens beside the game."""
        now = self.harness.mailer.now()
        acts = [int(row.due_at or 0) - self._lead(row) for row, _ in self._owed()]
        closes = [int(row.closes_at or 0) for row in self.harness.load_rows(QuestionRow) if row.closes_at is not None]
        beside = [int(at.timestamp()) * 1000 for at, _ in self.outages]
        beside += [int(at.timestamp()) * 1000 for at in (*VANISHES.values(), *AWAY, AWAY[0] - timedelta(days=10))]
        ahead = [at for at in (*acts, *closes, *beside) if at > now]
        span = min((at - now for at in ahead), default=24 * HOUR)
        self.harness.advance_time(milliseconds=min(span, 24 * HOUR))
        self._tick()

    def _tick(self) -> None:
        self.harness.run_scheduled_jobs()
        self.harness.run_queued_tasks()

    @property
    def names(self) -> dict[int, str]:
        """The players' numbers and names."""
        return {row.id: row.name for row in self.harness.load_rows(User)}


@pytest.mark.night
@pytest.mark.timeout(1800)
def test_a_year_passes_without_anybody_watching_and_without_a_wrongly_missed_turn(state_dir: Path) -> None:
    """With absences, misses, substitutes, two outages, both changes of the clocks and a vanished master a game ends.

    A player who was there missed nothing; one who left was replaced; what was given back is what was lost, to the
    millisecond; every deadline of a time of day fell at it, in winter and in summer.
    """
    year = Year(state_dir)
    year.run(4000)
    harness = year.harness
    assert harness.load_game(year.game).state == "over"
    assert harness.current_time > datetime(2026, 11, 1, tzinfo=UTC), harness.current_time
    assert_nobody_missed_wrongly(harness)
    assert_seats_passed_on(year)
    assert_given_back_exactly(year)


def assert_nobody_missed_wrongly(harness: ServerHarness) -> None:
    """All but those who vanished were on time whenever they were asked."""
    late = {row.name for row in harness.load_rows(User) if row.turns_on_time < row.turns_asked}
    assert late == set(VANISHES)


def assert_seats_passed_on(year: Year) -> None:
    """Each of those who vanished was replaced once, by a player who finished the game."""
    held = [
        (year.names[row.user_id], row.end_reason)
        for row in year.harness.load_rows(SeatTenure)
        if row.ends_at is not None
    ]
    assert sorted(held) == [("p1", "replaced"), ("p4", "replaced")]
    finished = {row.name for row in year.harness.load_rows(User) if row.games_finished}
    assert {"p2", "p3", "p5", "p6"} < finished
    assert len(finished) == 6


def assert_given_back_exactly(year: Year) -> None:
    """Two outages, and for each question open in them the whole of it; deadlines at eight in the evening in Paris."""
    stopped = [row for row in year.harness.load_rows(Outage) if row.cause == "stopped"]
    assert [(row.started_at, row.ended_at) for row in stopped] == year.lost
    gifts = year.harness.load_rows(DeadlineExtension)
    assert {gift.outage_id for gift in gifts} == {row.id for row in stopped}
    for outage in stopped:
        lost = [gift.lost_ms for gift in gifts if gift.outage_id == outage.id]
        assert lost
        assert set(lost) == {int(outage.ended_at or 0) - outage.started_at}
    for gift in gifts:
        shown = datetime.fromtimestamp(gift.due_after / 1000, UTC).astimezone(PARIS)
        assert shown.hour == 20 or gift.due_before % HOUR
        assert gift.due_after - gift.due_before >= gift.lost_ms
