"""What a server needs goes away and comes back under its feet, with real processes: it heals by itself."""

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from time import monotonic

import pytest
from celery import Celery

from engine import GAMES
from pbem.app import build_services, relay_settings
from pbem.broker.task_queue import QueueLength, create_app
from pbem.demo.players import reply_to
from pbem.ops import doctor
from pbem.ops.servers import Postgres
from pbem.ops.supervisor import ROLES
from pbem.service.game.clock_state import SCHEDULER
from pbem.service.mail import delivery_status
from pbem.service.tasks.health import SLOW_MS, list_problems
from pbem.store.models import Heartbeat
from tests import broken_broker
from tests.crashes.server import ADDRESSES, Server, UnforkedSupervisor, running
from tests.crashes.slow_relay import SlowRelay
from worker.watch import IDLE_S

pytestmark = [pytest.mark.night, pytest.mark.timeout(900)]


@pytest.fixture
def server() -> Iterator[Server]:
    """All processes of a server, with a game dealt."""
    with running(next(iter(GAMES))) as server:
        yield server


def last_tick(server: Server) -> int:
    """When the clock ticked last."""
    with server.services.db.snapshot() as session:
        row = session.get(Heartbeat, SCHEDULER)
        return row.beat_at if row is not None else 0


def health_report(server: Server, later_ms: int = 0) -> list[str]:
    """What health says, or will say so much later if nothing changes."""
    services = build_services(server.settings, "resolver")
    try:
        return list_problems(replace(services, clock=lambda: datetime.now(UTC) + timedelta(milliseconds=later_ms)))
    finally:
        services.db.close()


def seconds_until(server: Server, what: str, ready: Callable[[], bool]) -> float:
    """How long something takes to come about."""
    began = monotonic()
    server.until(what, ready)
    return monotonic() - began


def log(server: Server, role: str) -> str:
    """What a process has written so far."""
    return (server.settings.state_dir / "logs" / f"{role}.log").read_text(encoding="utf-8")


OBEDIENT = """
from worker import run
make = run.create_worker
def create_worker(role):
    app = make(role)
    app.conf.worker_enable_remote_control = True
    return app
run.create_worker = create_worker
run.main()
"""
"""A worker that does what it is told by way of the broker, as ours do not."""


class ObedientSupervisor(UnforkedSupervisor):
    """Processes of which the mailer can be told to take no more tasks."""

    def command(self, role: str) -> list[str]:
        """How a process is begun."""
        return [sys.executable, "-c", OBEDIENT, role] if role == "mailer" else super().command(role)


def test_a_worker_that_takes_no_more_tasks_is_started_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that lives and does not take its tasks ends itself after a minute, and its letters are read."""
    monkeypatch.setattr("tests.crashes.server.Supervisor", ObedientSupervisor)
    with running(next(iter(GAMES))) as server:
        before = server.server.pids()["mailer"]
        control = Celery(broker=server.settings.broker_url).control
        assert control.cancel_consumer("mailer", reply=True, timeout=10)
        healed = seconds_until(server, "another mailer", lambda: server.server.pids().get("mailer", before) != before)
        assert IDLE_S / 2 < healed < 3 * IDLE_S
        assert "this worker takes no more tasks and ends itself" in log(server, "mailer")
        server.round()


class Logs:
    """What the processes of a server write from now on."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.before = {role: len(log(server, role)) for role in ROLES}

    def lines(self, role: str) -> list[str]:
        """What one of them has written of trouble: letters and games that go their way have lines too."""
        written = log(self.server, role)[self.before[role] :].splitlines()
        return [line for line in written if "[info" not in line]

    def check(self, what: str) -> None:
        """Two lines at most, one for the beginning and one for the end, and no traceback."""
        for role in ROLES:
            said = self.lines(role)
            assert [line for line in said if what not in line] == [], role
            assert len(said) <= 2, role


@pytest.mark.parametrize("way", ["stopped", "hung"])
def test_a_broker_that_is_away_costs_only_time(server: Server, way: str) -> None:
    """Letters are taken while the broker is away; when it is back all is done that waited, and the logs are short."""
    before, logs = server.outcome().entry, Logs(server)
    broker = server.server.broker
    assert broker is not None
    server.until("questions", lambda: all(server.last_question(address) is not None for address in server.written))
    taken, server.server.broker = server.taken_in(), None
    with broken_broker.break_broker(broker, way):
        assert seconds(server.answer_all) < 30, "the door waits for nobody"
        assert server.taken_in() == taken + len(server.written)
        server.until("word of it", lambda: any("last tick" in line for line in health_report(server)))
    server.server.broker = broker
    healed = seconds_until(server, "a tick", lambda: last_tick(server) > server.services.now() - 5_000)
    healed += seconds_until(server, "resolver", lambda: server.outcome().entry > before)
    assert healed < 120
    server.settle()
    assert (health_report(server), server.resent, set(server.deaths) - {"broker"}) == ([], 0, set())
    logs.check("the broker is")


@pytest.fixture
def database() -> Iterator[Postgres]:
    """A PostgreSQL that the test may stop."""
    with Postgres() as found:
        yield found


@pytest.fixture
def stored(database: Postgres) -> Iterator[Server]:
    """The same server on PostgreSQL."""
    with running(next(iter(GAMES)), database.url) as server:
        yield server


def test_a_database_that_is_stopped_costs_only_time(stored: Server, database: Postgres) -> None:
    """While PostgreSQL is stopped letters stay with their sender; when it is back the game goes on."""
    before, logs = stored.outcome().entry, Logs(stored)
    stored.until("questions", lambda: all(stored.last_question(address) is not None for address in stored.written))
    stored.services.db.close()
    database.halt()
    assert [line for line in health_report(stored) if "cannot be read" in line]
    assert [line for line in doctor.check_schema(stored.settings.database_url) if "does not answer" in line]
    stored.until("each log", lambda: bool(logs.lines("scheduler") and logs.lines("mailer")))
    question = stored.last_question(ADDRESSES[0])
    assert question is not None
    assert not stored._sent(ADDRESSES[0], reply_to(question.message()), b"Subject: x\r\n\r\nSTATUS\r\n")
    database.resume()
    healed = seconds_until(stored, "a tick", lambda: last_tick(stored) > stored.services.now() - 5_000)
    assert healed < 120
    stored.round()
    assert stored.outcome().entry > before
    assert (health_report(stored), stored.deaths) == ([], [])
    logs.check("the database is")


def test_a_relay_that_is_away_costs_only_time(server: Server) -> None:
    """Letters wait while nobody takes them; when the relay is back each goes out once, and the log is short."""
    before, logs, boxes = server.outcome().entry, Logs(server), server.post.boxes
    server.until("questions", lambda: all(server.last_question(address) is not None for address in server.written))
    letters = sum(map(len, boxes.values()))
    server.post.stop()
    server.answer_all()
    server.until("resolver", lambda: server.outcome().entry > before)
    server.until("a try", lambda: bool(logs.lines("mailer")))
    assert [line for line in doctor.list_problems(server.settings, relay_settings(server.settings)) if "relay" in line]
    server.post.start()
    waiting = seconds_until(
        server, "reports", lambda: sum(map(len, boxes.values())) >= letters + 2 * len(server.written)
    )
    assert waiting < 150
    server.settle()
    assert (server.post.differing, server.post.repeated) == ([], [])
    logs.check("the relay is")


@pytest.mark.parametrize("answer", ["554 5.7.1 relay access denied", "550 no"])
def test_a_relay_that_refuses_everybody_loses_nothing(server: Server, answer: str) -> None:
    """Whatever it says, the game goes on, nobody is marked, and `pbem mail flush` sends every letter."""
    before, boxes, relay = server.outcome().entry, server.post.boxes, server.settings.relay
    assert relay is not None
    server.until("questions", lambda: all(server.last_question(address) is not None for address in server.written))
    letters = sum(map(len, boxes.values()))
    server.post.stop()
    with SlowRelay(relay.port, answer) as surly:
        server.answer_all()
        server.until("resolver", lambda: server.outcome().entry > before)
        server.until("refusals", lambda: surly.asked >= 2 * len(server.written))
        said = f"still wait to be sent (recipient {answer[:3]}"
        server.until("word of them", lambda: any(said in line for line in health_report(server, 2 * SLOW_MS)))
    server.post.start()
    delivery_status.retry_all(server.services)
    waiting = seconds_until(
        server, "reports", lambda: sum(map(len, boxes.values())) >= letters + 2 * len(server.written)
    )
    assert waiting < 120
    server.settle()
    assert (server.post.differing, server.post.repeated, health_report(server)) == ([], [], [])
    server.round()


def test_a_slow_relay_holds_up_nobody_else(server: Server) -> None:
    """While each letter takes ten seconds to go out the clock ticks, letters are read, and the game is played."""
    before, relay = server.outcome().entry, server.settings.relay
    assert relay is not None
    server.until("questions", lambda: all(server.last_question(address) is not None for address in server.written))
    server.post.stop()
    with SlowRelay(relay.port, "250 ok", pause_s=10.0) as surly:
        server.answer_all()
        server.until("resolver", lambda: server.outcome().entry > before)
        server.until("letters on their way", lambda: surly.asked >= 3)
        assert server.services.now() - last_tick(server) < 15_000
        assert health_report(server) == []


def seconds(act: Callable[[], None]) -> float:
    """How long something takes."""
    began = monotonic()
    act()
    return monotonic() - began


def test_the_backlog_of_a_queue_is_told(server: Server) -> None:
    """What a worker watches is the queue that its tasks lie in."""
    server.hold("mailer")
    backlog = QueueLength(server.settings, "mailer")
    server.until("a backlog", lambda: backlog() > 0)
    server.go_on("mailer")
    server.until("the backlog's end", lambda: backlog() == 0)
    assert create_app(server.settings).conf.task_ignore_result
