"""The table of deploy/FAULTS.md, line by line: each fault is done to a server at work, and what it tells compared."""

import re
import shutil
import subprocess
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep

import pytest
from prometheus_client import CollectorRegistry, generate_latest
from sqlalchemy import select

from engine import GAMES
from pbem.app import build_services, relay_settings
from pbem.broker.worker_heartbeats import SilentRoles
from pbem.config.settings import Settings
from pbem.demo.players import reply_to
from pbem.ops import doctor
from pbem.ops.metrics import ServerCollector
from pbem.ops.servers import Postgres, free_port
from pbem.ops.supervisor import ROLES
from pbem.ops.systemd_notify import SILENT_S
from pbem.service.mail import delivery_status
from pbem.service.tasks import health
from pbem.store.database import Database
from pbem.store.models import Outage
from tests import broken_broker, certificates
from tests.crashes.browser_user import Desk
from tests.crashes.server import ADDRESSES, Server, UnforkedSupervisor, opened
from tests.crashes.slow_relay import SlowRelay

pytestmark = pytest.mark.timeout(1800)

TABLE = Path(__file__).parent.parent.parent / "deploy" / "FAULTS.md"
MINUTE_MS = 60_000


@dataclass(frozen=True)
class Row:
    """What the table says of one fault."""

    fault: str
    taken: bool
    minutes: int
    alive: str
    ready: str
    figure: str
    sentences: tuple[str, ...]
    desk: tuple[str, ...]
    """Of the operator's page; empty where it says that nothing is stuck."""
    later_ms: int
    """How much later the last sentence of the doctor's comes."""


def rows() -> dict[str, Row]:
    """The lines of the table, by their faults."""
    found = {}
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 8 and cells[0] not in ("fault", "---"):
            fault, letters, within, alive, ready, figure, said, desk = cells
            minutes = int(within.removesuffix(" min"))
            later = next((ms for word, ms in LATER.items() if word in said), 0)
            quoted = tuple(re.findall(r'"([^"]+)"', said))
            seen = ("no answer",) if desk == "no answer" else tuple(re.findall(r'"([^"]+)"', desk))
            assert quoted or said == "nothing"
            assert seen or desk == "nothing"
            assert letters in ("are taken", "stay with their senders")
            found[fault] = Row(
                fault, letters == "are taken", minutes, alive, ready, figure.strip("`"), quoted, seen, later
            )
    return found


LATER: Mapping[str, int] = {"after a minute": 2 * MINUTE_MS, "after five minutes": 6 * MINUTE_MS}

# --- what is seen


def page(server: Server, path: str) -> str:
    """What a balancer is told."""
    at = server.settings.http_listen
    assert at is not None
    try:
        with urllib.request.urlopen(f"http://{at}{path}", timeout=30) as answer:
            return str(answer.read().decode().strip())
    except urllib.error.HTTPError as error:
        with error:
            return error.read().decode().strip()
    except OSError:
        return "no answer"


def figures(server: Server) -> str:
    """What Prometheus is told."""
    registry, database = CollectorRegistry(), Database(server.settings.database_url)
    ServerCollector(server.settings, database, registry)
    shown = generate_latest(registry).decode()
    database.close()
    return shown


def doctor_report(server: Server, settings: Settings, later_ms: int) -> list[str]:
    """What the doctor says, or will say so much later if nothing changes."""
    services = build_services(settings, "resolver")
    try:
        soon = replace(services, clock=lambda: datetime.now(UTC) + timedelta(milliseconds=later_ms))
        schema = doctor.check_schema(settings.database_url)
        return [*doctor.list_problems(settings, relay_settings(settings)), *schema, *health.list_problems(soon)]
    finally:
        services.db.close()


def is_reported(server: Server, settings: Settings, later_ms: int, sentence: str) -> bool:
    """Return True if the doctor says it."""
    return sentence in "\n".join(doctor_report(server, settings, later_ms))


# --- what is done


@contextmanager
def _dead(server: Server, *, broker: bool) -> Iterator[None]:
    """All processes are killed, and nobody starts them again for a while."""
    check, server.server.check_processes = server.server.check_processes, list  # type: ignore[method-assign]
    server.kill(*ROLES)
    if broker and server.server.broker is not None:
        server.server.broker.kill()
    try:
        yield
    finally:
        server.server.check_processes = check  # type: ignore[method-assign]


@contextmanager
def _stopped(server: Server) -> Iterator[None]:
    """The mailer gets SIGSTOP, and for a while nobody starts it again."""
    silent = SilentRoles(server.settings.redis_url)
    server.hold("mailer")
    seen_within(server, "silence", lambda: silent() == ("mailer",))
    yield
    server.server.silent_s = SILENT_S


@contextmanager
def _no_broker(server: Server) -> Iterator[None]:
    broker = server.server.broker
    assert broker is not None
    server.server.broker = None
    with broken_broker.break_broker(broker, "stopped"):
        yield
    server.server.broker = broker


@contextmanager
def _no_room(server: Server) -> Iterator[None]:
    """The disk that the server lies on is filled to its last byte, and emptied again.

    The database's log is emptied before: a small letter would still find room in it.
    """
    with closing(server.services.db.engine.raw_connection()) as connection:
        connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")
    filler = server.settings.state_dir / "filler"
    for size in (1_000_000, 4096, 1):
        with filler.open("ab", buffering=0) as file, suppress(OSError):
            while True:
                file.write(bytes(size))
    try:
        yield
    finally:
        filler.unlink()


@contextmanager
def _no_relay(server: Server) -> Iterator[None]:
    server.post.stop()
    yield
    server.post.start()


@contextmanager
def _full(server: Server) -> Iterator[None]:
    relay = server.settings.relay
    assert relay is not None
    server.post.stop()
    with SlowRelay(relay.port, "452 4.2.2 mailbox full"):
        yield
    server.post.start()


def has_restarted(server: Server, before: int) -> bool:
    """Return True if post runs, and not as this process."""
    return server.server.pids().get("mailer", before) != before


@contextmanager
def set_for_post(server: Server, changes: Mapping[str, str]) -> Iterator[None]:
    """Post is started anew with other settings, and again with its own."""
    own = server.server.settings
    for settings in (Settings.from_env({**own.variables, **changes}), own):
        server.server.settings = settings
        before = server.server.pids()["mailer"]
        server.kill("mailer")
        server.until("mailer", partial(has_restarted, server, before))
        if settings is not own:
            yield


@contextmanager
def _unknown(server: Server) -> Iterator[None]:
    with set_for_post(server, {"PBEM_RELAY_HOST": "relay.invalid", "PBEM_RELAY_TLS": "none"}):
        yield


@contextmanager
def _out_of_date(server: Server) -> Iterator[None]:
    """Letters go out through TLS whose certificate ended yesterday."""
    relay, port = server.settings.relay, free_port()
    assert relay is not None
    changes = {"PBEM_RELAY_HOST": "localhost", "PBEM_RELAY_TLS": "tls", "PBEM_RELAY_PORT": str(port)}
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        file = certificates.write(Path(folder))
        patch.setenv("SSL_CERT_FILE", str(file))
        with certificates.shown(file, port), set_for_post(server, changes):
            yield


FAULTS: Mapping[str, Callable[[Server], AbstractContextManager[None]]] = {
    "a process dies: each of the five at once": lambda server: _dead(server, broker=False),
    "the machine: all processes and the broker die": lambda server: _dead(server, broker=True),
    "a worker is stopped: the mailer gets SIGSTOP": _stopped,
    "the broker is stopped": _no_broker,
    "the disk is full (SQLite)": _no_room,
    "the relay is stopped": _no_relay,
    "DNS does not know the relay": _unknown,
    "the relay's certificate is out of date": _out_of_date,
    "players' mailboxes are full (452)": _full,
}
STORED = "the database is stopped (PostgreSQL)"
LEAP = "the machine's clock leaps three days ahead"
LEAP_MS = 3 * 24 * 60 * MINUTE_MS
FAKETIME = next(iter(Path("/usr/lib").glob("*/faketime/libfaketime.so.1")), None)


def test_each_line_of_the_table_is_seen() -> None:
    """No line without a test, no fault without a line."""
    assert set(rows()) == {*FAULTS, STORED, LEAP}


# --- seen


@contextmanager
def begun(folder: Path, database: str = "") -> Iterator[Desk]:
    """All processes of a server, with a game dealt, and an operator at their page."""
    server = opened(folder, next(iter(GAMES)), database=database)
    server.start(ROLES)
    try:
        server.deal()
        yield Desk(server)
    finally:
        server.stop()


@pytest.fixture(scope="module")
def desk() -> Iterator[Desk]:
    """A server on a disk of its own where that can be made, which one fault after the other is done to."""
    with TemporaryDirectory(prefix="pbem-fa-") as folder:
        mounted = (
            shutil.which("mount") is not None
            and not subprocess.run(
                ["mount", "-t", "tmpfs", "-o", "size=700m,mode=700", "tmpfs", folder], check=False, capture_output=True
            ).returncode
        )
        try:
            with begun(Path(folder)) as found:
                yield found
        finally:
            if mounted:
                subprocess.run(["umount", folder], check=True)


def see(desk: Desk, row: Row, fault: AbstractContextManager[None], ahead: timedelta = timedelta()) -> None:
    """Do it to a server at work, look at all that tells of it, and wait until the game has gone on.

    `ahead`: how far the server's clock goes ahead of ours meanwhile.
    """
    server = desk.server
    server.until("questions", lambda: all(map(server.last_question, server.written)))
    server.settle()
    before = server.outcome().entry
    with fault:
        now = server.server.settings
        assert (page(server, "/healthz"), page(server, "/readyz")) == (row.alive, row.ready)
        if row.taken:
            server.answer_all()
        else:
            question = server.last_question(ADDRESSES[0])
            assert question is not None
            assert not server._sent(ADDRESSES[0], reply_to(question.message()), b"Subject: x\r\n\r\nSTATUS\r\n")
        seen_within(server, row.figure, lambda: row.figure in figures(server))
        for sentence in row.sentences:
            seen_within(server, sentence, partial(is_reported, server, now, row.later_ms, sentence))
        if not row.sentences:
            seen_within(server, "no word of it", lambda: doctor_report(server, now, row.later_ms) == [])
        if ahead:
            desk.unlock(ahead)
        for sentence in row.desk or ("Nothing is stuck.", "Still to be sent None."):
            shown_within(desk, sentence)
    began = monotonic()
    delivery_status.retry_all(server.services)
    if not row.taken:
        server.answer_all()
    server.settle()
    server.until("resolver", lambda: server.outcome().entry > before)
    server.settle()
    server.until("calm", lambda: doctor_report(server, server.settings, 0) == [])
    healed = monotonic() - began
    print(f"{row.fault}: healed after {healed:.0f} s")
    assert healed < 60 * row.minutes
    orders = tuple(len(server.written[address]) - (address != ADDRESSES[0]) for address in ADDRESSES)
    assert server.outcome().receipts == orders, "one for each letter; two letters joined the table"
    assert server.post.differing == []


def shown_within(desk: Desk, sentence: str) -> None:
    """Wait until the operator's page says it, loading the page no more often than a person would."""
    end = monotonic() + 120
    while sentence not in (shown := desk.read_page()):
        assert monotonic() < end, f"“{sentence}” was not on the page: {shown}"
        sleep(1)


def seen_within(server: Server, what: str, seen: Callable[[], bool]) -> None:
    """Wait until it is so, without starting again what is dead."""
    end = monotonic() + 120
    while not seen():
        assert monotonic() < end, f"{what} was not seen"
        sleep(0.2)


QUICK = (
    "the machine: all processes and the broker die",
    "a worker is stopped: the mailer gets SIGSTOP",
    "the relay is stopped",
)
"""Faults that heal within seconds."""


@pytest.mark.parametrize(
    "fault",
    [pytest.param(fault, marks=pytest.mark.long if fault in QUICK else pytest.mark.night) for fault in FAULTS],
)
def test_a_fault_is_told_and_heals(desk: Desk, fault: str) -> None:
    """Pages, figures and doctor say what the table says; then all goes on, and nothing was lost."""
    if fault.startswith("the disk") and not desk.server.settings.state_dir.is_mount():
        pytest.skip("no disk of its own can be mounted here")
    see(desk, rows()[fault], FAULTS[fault](desk.server))


@pytest.mark.night
def test_a_database_that_is_stopped_is_told_and_heals() -> None:
    """The same on PostgreSQL, which is stopped and started."""

    @contextmanager
    def stopped(server: Server) -> Iterator[None]:
        server.services.db.close()
        database.halt()
        yield
        database.resume()

    with (
        Postgres() as database,
        TemporaryDirectory(prefix="pbem-fa-") as folder,
        begun(Path(folder), database.url) as desk,
    ):
        see(desk, rows()[STORED], stopped(desk.server))


class FakedSupervisor(UnforkedSupervisor):
    """The processes under a clock that a file sets."""

    def variables(self) -> Mapping[str, str]:
        """What fakes the clock."""
        file = {"FAKETIME_TIMESTAMP_FILE": str(self.settings.state_dir / "scheduler"), "FAKETIME_NO_CACHE": "1"}
        return {"LD_PRELOAD": str(FAKETIME), "FAKETIME_DONT_FAKE_MONOTONIC": "1", **file}


@pytest.mark.night
def test_a_clock_that_leaps_is_told_and_heals(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time that nobody had is on record as lost, so that no deadline passes by it."""
    if FAKETIME is None:
        pytest.skip("no libfaketime is installed")

    @contextmanager
    def leapt(server: Server) -> Iterator[None]:
        (server.settings.state_dir / "scheduler").write_text("+3d\n", encoding="ascii")
        seen_within(server, "the time lost", lambda: lost(server) > LEAP_MS - MINUTE_MS)
        yield

    monkeypatch.setattr("tests.crashes.server.Supervisor", FakedSupervisor)
    with TemporaryDirectory(prefix="pbem-fa-") as folder:
        (Path(folder) / "scheduler").write_text("+0\n", encoding="ascii")
        with begun(Path(folder)) as desk:
            see(desk, replace(rows()[LEAP], later_ms=LEAP_MS), leapt(desk.server), timedelta(days=3))


def lost(server: Server) -> int:
    """The longest stretch of lost time on record."""
    with server.services.db.snapshot() as session:
        return max(((row.ended_at or 0) - row.started_at for row in session.scalars(select(Outage))), default=0)
