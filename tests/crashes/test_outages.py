"""What a server needs goes away and comes back under its feet, with real processes: it heals by itself."""

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

import pytest
from celery import Celery

from engine import GAMES
from pbem.app import services_of
from pbem.broker import Backlog, queue
from pbem.service.game.standstill import CLOCK
from pbem.service.run.health import complaints
from pbem.store.models import Beat
from pbem.supervisor import ROLES
from tests.crashes.server import Server, opened
from worker.watch import IDLE_S

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]


@pytest.fixture
def server() -> Iterator[Server]:
    """All processes of a server, with a game dealt."""
    with TemporaryDirectory(prefix="pbem-st-") as folder:
        found = opened(Path(folder), next(iter(GAMES)))
        found.start(ROLES)
        try:
            found.deal()
            yield found
        finally:
            found.stop()


def last_tick(server: Server) -> int:
    """When the clock ticked last."""
    with server.services.db.reading() as session:
        row = session.get(Beat, CLOCK)
        return row.at if row is not None else 0


def told(server: Server) -> list[str]:
    """What health says."""
    services = services_of(server.settings, "play")
    try:
        return complaints(services)
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


def ticks_again(server: Server) -> float:
    """How many seconds pass until the clock ticks."""
    before = last_tick(server)
    return seconds_until(server, "a tick", lambda: last_tick(server) > before)


def test_a_clock_that_is_killed_ticks_again(server: Server) -> None:
    """The process of the clock dies: it is started again by itself, and ticks, without a word to anybody else."""
    before = server.server.pids()["clock"]
    server.kill("clock")
    healed = ticks_again(server)
    assert server.server.pids()["clock"] != before
    assert healed < 30
    assert told(server) == []
    server.round()
    assert server.deaths == ["clock"]


def test_a_worker_that_takes_no_more_tasks_is_started_again(server: Server) -> None:
    """A worker that lives and does not take its tasks ends itself after a minute, and its letters are read."""
    before = server.server.pids()["post"]
    Celery(broker=server.settings.broker_url).control.cancel_consumer("post", reply=True, timeout=10)
    healed = seconds_until(server, "another post worker", lambda: server.server.pids().get("post", before) != before)
    assert IDLE_S / 2 < healed < 3 * IDLE_S
    assert "this worker takes no more tasks and ends itself" in log(server, "post")
    server.round()


@pytest.mark.parametrize("way", ["stopped", "hung"])
def test_a_broker_that_is_away_costs_only_time(server: Server, way: str) -> None:
    """Letters are taken while the broker is away; when it is back all is done that waited, and each log stays short."""
    before = server.outcome().entry
    sizes = {role: len(log(server, role).splitlines()) for role in ROLES}
    broker = server.server.broker
    assert broker is not None
    server.server.broker = None
    if way == "stopped":
        broker.stop()
    else:
        os.kill(broker.pid, signal.SIGSTOP)
    server.until("letters", lambda: all(server.last_question(address) is not None for address in server.written))
    taken = server.taken_in()
    began = monotonic()
    server.answer_all()
    assert monotonic() - began < 20, "the door waits for nobody"
    assert server.taken_in() == taken + len(server.written)
    assert server.resent == 0
    server.until("word of it", lambda: any("last tick" in line for line in told(server)))
    if way == "stopped":
        broker.start()
    else:
        os.kill(broker.pid, signal.SIGCONT)
    server.server.broker = broker
    healed = seconds_until(server, "a tick", lambda: last_tick(server) > server.services.now() - 5_000)
    healed += seconds_until(server, "play", lambda: server.outcome().entry > before)
    assert healed < 60
    assert told(server) == []
    for role in ROLES:
        said = log(server, role).splitlines()[sizes[role] :]
        assert len(said) <= 4, (role, said)
        assert not [line for line in said if "Traceback" in line]


def test_the_backlog_of_a_queue_is_told(server: Server) -> None:
    """What a worker watches is the queue that its tasks lie in."""
    server.signal("post", signal.SIGSTOP)
    backlog = Backlog(server.settings, "post")
    server.until("a backlog", lambda: backlog() > 0)
    server.signal("post", signal.SIGCONT)
    server.until("the backlog's end", lambda: backlog() == 0)
    assert queue(server.settings).conf.task_ignore_result
