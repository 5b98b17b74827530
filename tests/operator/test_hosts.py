"""Three machines; database and broker have a standby each: whatever fails, no letter is lost or doubled."""

import os
import shutil
import signal
import smtplib
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from sqlalchemy import text

from engine import GAMES
from pbem.app import DAY_KEYS, build_services
from pbem.broker.task_queue import TaskQueue
from pbem.config.settings import Settings
from pbem.demo.post_office import PostOffice
from pbem.ops.supervisor import ROLES
from pbem.store.schema import upgrade
from tests.crashes.server import Server
from tests.crashes.test_crashes import check, extra_lines
from tests.operator.hosts import Brokers, Databases, Process, Yard, create_yard, lacking
from tests.operator.runbook import call

pytestmark = [pytest.mark.night, pytest.mark.timeout(1800)]

PLACES = {
    1: ("smtp", "mailer", "resolver", "scheduler"),
    2: ("smtp", "mailer", "resolver", "scheduler"),
    3: ("web", "metrics"),
}
"""Which processes run on which machine."""
DATABASES = (1, 2)
BROKERS = (3, 1)
RELAY = 2525
WORDS = "the same chance for all"


def environment(yard: Yard, folder: Path, database: str, broker: str) -> dict[str, str]:
    """The settings that all machines share."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("PBEM_")}
    return plain | {
        "PBEM_PRODUCTION": "no",
        "PBEM_ALLOW_SHARED_USER": "yes",
        "PBEM_PUBLIC_URL": f"http://{yard.address(3)}:8000",
        "PBEM_MAIL_DOMAIN": "games.localhost",
        "PBEM_KEYS_DIR": str(folder / "keys"),
        "PBEM_DATABASE_URL": database,
        "PBEM_BROKER_URL": broker,
        "PBEM_RELAY_HOST": yard.here,
        "PBEM_RELAY_PORT": str(RELAY),
        "PBEM_RELAY_TLS": "none",
        "PBEM_PICTURES": "no",
    }


def of_host(yard: Yard, env: dict[str, str], folder: Path, host: int) -> dict[str, str]:
    """What one machine has of its own: its folder, and where its processes listen."""
    return env | {
        "PBEM_STATE_DIR": str(folder / f"state{host}"),
        "PBEM_SMTP_LISTEN": f"{yard.address(host)}:2525",
        "PBEM_HTTP_LISTEN": f"{yard.address(host)}:8000",
        "PBEM_METRICS_LISTEN": f"{yard.address(host)}:9464",
    }


@dataclass
class Machines:
    """All processes of the server, on their machines: what ends is started again, unless its machine is off."""

    yard: Yard
    logs: Path
    envs: dict[int, dict[str, str]]
    children: dict[str, Process] = field(default_factory=dict)
    off: set[int] = field(default_factory=set)

    @property
    def roles(self) -> tuple[str, ...]:
        """The processes that should run now."""
        return tuple(f"{role}{host}" for host, roles in PLACES.items() if host not in self.off for role in roles)

    def check_processes(self) -> list[str]:
        """Start what does not run."""
        ended = [name for name in self.roles if name not in self.children or not self.children[name].child.is_alive()]
        for name in ended:
            role, host = name[:-1], int(name[-1])
            line = [sys.executable, "-m", "pbem.cli.main", "run", role]
            self.children[name] = Process(self.yard, host, role, line, self.logs / f"{name}.log", self.envs[host])
            self.children[name].start()
        return ended

    def pids(self) -> dict[str, int]:
        """The processes that run, and one for the brokers, which are not looked after here."""
        alive = {name: process.child.pid for name, process in self.children.items() if process.child.is_alive()}
        return {**alive, "broker": 0}

    def switch_off(self, host: int) -> None:
        """All processes of a machine end at once."""
        self.off.add(host)
        for name, process in self.children.items():
            if int(name[-1]) == host:
                process.child.kill()

    def switch_on(self, host: int) -> None:
        """The machine is there again."""
        self.off.discard(host)

    def stop(self) -> None:
        """End all."""
        for process in self.children.values():
            process.child.stop(signal.SIGTERM)


class Hosts(Server):
    """The server of the crash tests on three machines."""

    def __init__(self, yard: Yard, folder: Path, public: Path) -> None:
        """`public`: a folder that PostgreSQL's user may enter."""
        self.yard, self.folder = yard, folder
        self.databases, self.brokers = Databases(yard, public, DATABASES), Brokers(yard, folder, BROKERS)
        env = environment(yard, folder, self.databases.url, self.brokers.url)
        self.envs = {host: of_host(yard, env, folder, host) for host in PLACES}
        for host in PLACES:
            (folder / f"state{host}").mkdir(mode=0o700)
            (folder / f"state{host}" / "same-chance").write_text(WORDS, encoding="ascii")
        (folder / "logs").mkdir()
        self.patience_s = 60.0

    def start(self, roles: Sequence[str] = ROLES) -> None:
        """Start databases and brokers, make keys and tables as an operator does, then start the machines."""
        self.databases.start()
        self.brokers.start()
        for words in (("keys", "init"), ("keys", "share-daily")):
            made = call(self.envs[1], *words)
            assert made.returncode == 0, made.stderr
        shutil.copytree(self.folder / "state1" / DAY_KEYS, self.folder / "state2" / DAY_KEYS)
        upgrade(self.databases.url)
        super().__init__(Settings.from_env(self.envs[3]), next(iter(GAMES)))
        self.post = PostOffice(self.folder / "mailboxes", RELAY, lambda mail: None, self.yard.here)
        self.post.start()
        self.machines = Machines(self.yard, self.folder / "logs", self.envs)
        self.server = self.machines  # type: ignore[assignment]
        self.machines.check_processes()
        self.services = build_services(self.settings, "web", TaskQueue(self.settings))

    def stop(self) -> None:
        """Stop everything that was started."""
        for end in ("machines", "brokers", "databases", "mailer"):
            if hasattr(self, end):
                getattr(self, end).stop()
        if hasattr(self, "services"):
            self.services.db.close()

    def _sent(self, sender: str, recipient: str, wire: bytes) -> bool:
        """As a mail server does: the first door, and the other where it does not take the letter."""
        return any(self._handed(host, sender, recipient, wire) for host in (1, 2))

    def _handed(self, host: int, sender: str, recipient: str, wire: bytes) -> bool:
        try:
            with smtplib.SMTP(self.yard.address(host), 2525, timeout=self.patience_s) as line:
                line.sendmail(sender, [recipient], wire)
        except ConnectionRefusedError:
            return False
        except (OSError, smtplib.SMTPException):
            self.resent += 1
            return False
        return True

    def both_take(self) -> bool:
        """Return True if workers of both machines wait for tasks."""
        return len(self.brokers.takers()) == 2

    def leaders(self) -> int:
        """How many clocks lead."""
        with self.services.db.snapshot() as session:
            return session.scalar(text("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'")) or 0


@pytest.fixture
def server() -> Iterator[Hosts]:
    """Three machines with a game dealt; nothing of them is left afterwards."""
    if why := lacking():
        pytest.skip(why)
    with (
        create_yard() as yard,
        TemporaryDirectory(prefix="pbem-ho-") as folder,
        TemporaryDirectory(prefix="pbem-pg-") as open_,
    ):
        shutil.chown(open_, "nobody", "nogroup")
        found = Hosts(yard, Path(folder), Path(open_))
        try:
            found.start()
            found.deal()
            yield found
        finally:
            found.stop()


def a_machine_of_play_dies(server: Hosts) -> None:
    """In the middle of a gate; what it had in hand is done by the other."""
    orders = {host: server.folder / f"state{host}" / "crash-at" for host in (1, 2)}
    for order in orders.values():
        order.write_text("resolver.before_commit", encoding="ascii")
    died: list[int] = []

    def switch_off() -> None:
        for host, order in orders.items():
            if not order.exists() and not died:
                died.append(host)
                server.machines.switch_off(host)
                orders[3 - host].unlink(missing_ok=True)

    server.watch = switch_off
    server.round(extra_lines(server.title))
    assert len(died) == 1
    server.watch = lambda: None
    server.machines.switch_on(died[0])
    server.until("one leader", lambda: server.leaders() == 1)


def post_and_broker_are_parted(server: Hosts) -> None:
    """One machine does not reach the broker, and the others do: what it has in hand is done, or found again."""
    server.until("both at work", server.both_take)
    broker = server.yard.address(BROKERS[0], "broker")
    server.yard.cut(2, broker)
    server.round(extra_lines(server.title))
    server.yard.mend(2, broker)


def the_broker_fails_over(server: Hosts) -> None:
    """The machine of the broker loses it in the middle of a round; the sentinels agree on the standby."""
    server.until("both at work", server.both_take)
    process = server.brokers.servers[BROKERS[0]]
    assert server.brokers.first() == server.yard.address(BROKERS[0], "broker")
    server.round(extra_lines(server.title), lambda number: process.child.kill() if number == 1 else None)
    assert server.brokers.first() == server.yard.address(BROKERS[1], "broker")
    process.start()
    server.until("both at work", server.both_take)


def the_standby_is_lost(server: Hosts) -> None:
    """Without a standby no letter is taken: it stays with its sender until there is one."""
    standby, before = server.databases.servers[server.databases.second], server.resent
    server.until("questions", lambda: all(map(server.last_question, server.written)))
    server.settle()
    taken = server.taken_in()
    standby.child.kill()
    server.patience_s = 3.0

    def promote() -> None:
        if server.resent > before and not standby.child.is_alive():
            assert server.taken_in() == taken, "a letter that only one machine has is not taken"
            server.databases.rise(server.databases.second)
            server.patience_s = 60.0

    server.watch = promote
    server.round(extra_lines(server.title))
    server.watch = lambda: None
    assert server.resent > before


def the_database_fails_over(server: Hosts) -> None:
    """The first database is cut off as soon as letters are taken; its standby has them all."""
    server.until("a standby that has everything", server.databases.follows)
    server.until("questions", lambda: all(map(server.last_question, server.written)))
    server.settle()
    server.answer_all(extra_lines(server.title))
    server.services.db.close()
    server.databases.fail_over()
    server.settle()
    server.until("one leader", lambda: server.leaders() == 1)


FAULTS = (
    a_machine_of_play_dies,
    post_and_broker_are_parted,
    the_broker_fails_over,
    the_standby_is_lost,
    the_database_fails_over,
)


def test_machines_that_fail_one_after_the_other_change_nothing(server: Hosts) -> None:
    """With each fault in a round of its own the game comes out as it does when nothing fails, letter by letter."""
    for fault in FAULTS:
        fault(server)
    check(server, len(FAULTS))
    assert server.post.differing == []
