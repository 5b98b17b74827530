"""Three machines on one: network namespaces on a bridge, with addresses that lead nowhere else, gone with the test."""

import os
import re
import shlex
import shutil
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import psutil

from pbem.broker import redis_client
from pbem.ops.servers import Child, find_server
from tests.operator.documents import block

NUMBERS = (1, 2, 3)
NUMBERED = 100_000
"""The machines of a test are named by the number of its process, cut to the length that a name may have."""
PROGRAMS = ("initdb", "pg_basebackup", "psql")
"""What of PostgreSQL's a standby is made and asked with, beside the server."""
CHAPTER = "On several machines"
(REPLICATOR,) = block(CHAPTER, "CREATE ROLE")
(STANDBY,) = block(CHAPTER, "pg_basebackup")
WAIT_FOR_BOTH = block(CHAPTER, "ALTER SYSTEM")
FOLLOW, *WATCH = block(CHAPTER, "replicaof")
DATABASE_URL, BROKER_URL = (line.split("=", 1)[1] for line in block(CHAPTER, "PBEM_DATABASE_URL"))
"""What the document says, by the names of its machines."""
PLAIN = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C", "TZ": "UTC"}


def run(*words: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    """A command to its end."""
    return subprocess.run(words, capture_output=True, text=True, check=check, timeout=300)


@cache
def lacking() -> str:
    """Why no machines can be laid here; empty if they can."""
    if os.geteuid() != 0:
        return "only root can lay machines as network namespaces"
    if absent := [name for name in ("ip", "nsenter", "setpriv") if shutil.which(name) is None]:
        return f"{', '.join(absent)} is not installed"
    beside = find_server("postgres").parent
    if absent := [name for name in PROGRAMS if not (beside / name).exists()]:
        return f"PostgreSQL's own {', '.join(absent)} is not installed"
    name = f"pbem-try-{os.getpid()}"
    made = run("ip", "netns", "add", name, check=False)
    run("ip", "netns", "del", name, check=False)
    return f"no network namespace can be made here ({made.stderr.strip()})" if made.returncode else ""


@dataclass(frozen=True)
class Yard:
    """The bridge that the machines hang on, and their names; the test itself is there too, as `.1`."""

    number: int
    net: str

    @property
    def here(self) -> str:
        """The address of the test."""
        return f"{self.net}.1"

    def space(self, host: int) -> str:
        """The namespace of a machine."""
        return f"pbem-{self.number}-{host}"

    def address(self, host: int, what: str = "host") -> str:
        """An address of a machine: of its processes, of its database, of its broker."""
        return f"{self.net}.{host}{('host', 'database', 'broker').index(what)}"

    def inside(self, host: int, *words: str) -> list[str]:
        """A command line that runs on a machine."""
        return ["nsenter", f"--net=/run/netns/{self.space(host)}", *words]

    def ip(self, host: int, *words: str) -> None:
        """Change the network of a machine."""
        run(*self.inside(host, "ip", *words))

    def cut(self, host: int, address: str) -> None:
        """What a machine sends to an address goes nowhere from now on."""
        self.ip(host, "route", "add", "blackhole", f"{address}/32")
        assert run(*self.inside(host, "ip", "route", "get", address), check=False).returncode

    def mend(self, host: int, address: str) -> None:
        """The way is there again."""
        self.ip(host, "route", "del", "blackhole", f"{address}/32")

    def fence(self, host: int, what: str) -> None:
        """Nobody reaches this part of a machine any more, nor does it reach anybody."""
        self.ip(host, "address", "del", f"{self.address(host, what)}/24", "dev", "eth0")

    def admit(self, host: int, what: str) -> None:
        """It is reached again."""
        self.ip(host, "address", "add", f"{self.address(host, what)}/24", "dev", "eth0")


def swept() -> None:
    """Take away the machines of tests that were ended before they could: their numbers are of no process that runs."""
    alive = {pid % NUMBERED for pid in psutil.pids()}
    for space in re.findall(r"^pbem-(\d+)-\d\b", run("ip", "netns", "list").stdout, re.MULTILINE):
        if int(space) not in alive:
            _cleared(Yard(int(space), ""))
    for bridge in re.findall(r"^\d+: pb(\d+):", run("ip", "-o", "link", "show", "type", "bridge").stdout, re.MULTILINE):
        if int(bridge) not in alive:
            run("ip", "link", "del", f"pb{bridge}", check=False)


def _cleared(yard: Yard) -> None:
    """End what still runs on the machines of a yard, and take them away."""
    for host in NUMBERS:
        for pid in run("ip", "netns", "pids", yard.space(host), check=False).stdout.split():
            run("kill", "-9", pid, check=False)
        run("ip", "netns", "del", yard.space(host), check=False)


@contextmanager
def create_yard() -> Iterator[Yard]:
    """Three machines; whatever happens, nothing of them is left."""
    swept()
    number = os.getpid() % NUMBERED
    yard = Yard(number, f"10.77.{number % 250 + 1}")
    bridge = f"pb{number}"
    try:
        run("ip", "link", "add", bridge, "type", "bridge")
        run("ip", "address", "add", f"{yard.here}/24", "dev", bridge)
        run("ip", "link", "set", bridge, "up")
        for host in NUMBERS:
            _lay(yard, bridge, host)
        yield yard
    finally:
        for host in NUMBERS:
            run("ip", "netns", "del", yard.space(host), check=False)
        run("ip", "link", "del", bridge, check=False)


def _lay(yard: Yard, bridge: str, host: int) -> None:
    near = f"pv{yard.number}{host}"
    run("ip", "netns", "add", yard.space(host))
    run("ip", "link", "add", near, "type", "veth", "peer", "name", "eth0", "netns", yard.space(host))
    run("ip", "link", "set", near, "master", bridge, "up")
    yard.ip(host, "link", "set", "lo", "up")
    for what in ("host", "database", "broker"):
        yard.admit(host, what)
    yard.ip(host, "link", "set", "eth0", "up")


@dataclass
class Process:
    """A program on one of the machines, started again as often as one likes."""

    yard: Yard
    host: int
    name: str
    line: Sequence[str]
    log: Path
    env: Mapping[str, str] = field(default_factory=lambda: PLAIN)
    end: signal.Signals = signal.SIGTERM

    def __post_init__(self) -> None:
        self.child = Child(self.name, self.log, signal.SIGKILL)

    def start(self) -> None:
        """Start it."""
        self.child.launch(self.yard.inside(self.host, *self.line), self.env)

    def stop(self) -> None:
        """Stop it in good order, if it runs."""
        self.child.stop(self.end)


class Databases:
    """PostgreSQL on two of the machines, one of them the other's synchronous standby."""

    def __init__(self, yard: Yard, folder: Path, hosts: tuple[int, int]) -> None:
        """`folder`: anyone may enter it."""
        self.yard, self.folder, self.hosts = yard, folder, hosts
        self.program = find_server("postgres")
        self.servers = {host: self._server(host) for host in hosts}
        self.first = hosts[0]
        self._names = dict(zip(("one", "two"), hosts, strict=True))

    @property
    def url(self) -> str:
        """The address that leads to whichever takes writes."""
        url = DATABASE_URL.replace("postgresql:///pbem", "postgresql+psycopg://postgres@/postgres")
        for name, host in self._names.items():
            url = url.replace(f"host={name}:", f"host={self.yard.address(host, 'database')}:")
        return url

    @property
    def second(self) -> int:
        """Where the standby is."""
        return next(host for host in self.hosts if host != self.first)

    def start(self) -> None:
        """Make the first, then its standby; from then on writes wait for both."""
        data = self._data(self.first)
        self._nobody(str(self.program.with_name("initdb")), "--no-sync", "-A", "trust", "-U", "postgres", "-D", data)
        with (Path(data) / "pg_hba.conf").open("a", encoding="ascii") as file:
            file.writelines(f"host {what} all {self.yard.net}.0/24 trust\n" for what in ("all", "replication"))
        self.rise(self.first)
        self._ask(self.first, REPLICATOR)
        self.follow()

    def stop(self) -> None:
        """Stop both."""
        for server in self.servers.values():
            server.stop()

    def rise(self, host: int) -> None:
        """Start one, and wait until it answers."""
        self.servers[host].start()
        self.servers[host].child.wait_until(lambda: self._ask(host, "SELECT 1") == "1")

    def follow(self) -> None:
        """Make the other one, from nothing, a standby of the first that every write waits for."""
        host, first = self.second, self.yard.address(self.first, "database")
        shutil.rmtree(self._data(host), ignore_errors=True)
        (name,) = [name for name, each in self._names.items() if each == host]
        written = STANDBY.replace("FOLDER", self._data(host)).replace("host=one", f"host={first}")
        program, *words = shlex.split(written.replace("application_name=two", f"application_name={name}"))
        self._nobody(str(self.program.with_name(program)), *words, "-c", "fast", "--no-sync", host=host)
        self.rise(host)
        for statement in WAIT_FOR_BOTH:
            self._ask(self.first, statement)

    def follows(self) -> bool:
        """Return True if the standby has all that the first has."""
        return self._ask(self.first, "SELECT sync_state FROM pg_stat_replication") == "quorum"

    def fail_over(self) -> None:
        """The first is cut off as it runs, and the standby takes its place; then the old one becomes its standby."""
        old = self.first
        self.yard.fence(old, "database")
        assert self.servers[old].child.is_alive(), "it runs, and knows nothing of what happens"
        assert self._ask(old, "SELECT 1") == ""
        self._ask(self.second, "SELECT pg_promote()")
        self.first = self.second
        self.servers[old].stop()
        self.yard.admit(old, "database")
        self.follow()

    def _server(self, host: int) -> Process:
        settings = {
            "listen_addresses": self.yard.address(host, "database"),
            "unix_socket_directories": "",
            "fsync": "off",
            "wal_sender_timeout": "5s",
            "wal_receiver_timeout": "5s",
            "max_connections": "200",
        }
        options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        line = [*self._as_nobody(), str(self.program), "-D", self._data(host), *options]
        log = self.folder / f"postgres{host}.log"
        return Process(self.yard, host, "postgres", line, log, end=signal.SIGQUIT)

    def _data(self, host: int) -> str:
        return str(self.folder / f"data{host}")

    def _as_nobody(self) -> list[str]:
        return ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "--pdeathsig=QUIT"]

    def _nobody(self, *words: str, host: int | None = None) -> None:
        line = [*self._as_nobody(), *words]
        run(*(self.yard.inside(host, *line) if host is not None else line))

    def _ask(self, host: int, statement: str) -> str:
        """What a server says; empty where it does not answer."""
        address = self.yard.address(host, "database")
        asked = run(
            str(self.program.with_name("psql")),
            *("-h", address, "-U", "postgres", "-X", "-A", "-t", "-c", statement),
            check=False,
        )
        return asked.stdout.strip()


class Brokers:
    """Valkey on two of the machines, and a sentinel on each of the three."""

    def __init__(self, yard: Yard, folder: Path, hosts: tuple[int, int]) -> None:
        self.yard, self.folder, self.hosts = yard, folder, hosts
        self.program = str(find_server("valkey-server"))
        self.servers = {host: self._server(host) for host in hosts}
        self.sentinels = {host: self._sentinel(host) for host in NUMBERS}

    @property
    def url(self) -> str:
        """The address of the sentinels."""
        url = BROKER_URL
        for name, host in zip(("one", "two", "three"), NUMBERS, strict=True):
            url = url.replace(f"{name}:", f"{self.yard.address(host)}:")
        return url

    def start(self) -> None:
        """Start all."""
        for process in (*self.servers.values(), *self.sentinels.values()):
            process.start()

    def stop(self) -> None:
        """Stop all."""
        for process in (*self.sentinels.values(), *self.servers.values()):
            process.stop()

    def first(self) -> str:
        """The address of the server that the sentinels agree on."""
        with redis_client.connect(self.url, 5.0) as client:
            found: Any = client.connection_pool.get_master_address()
        return str(found[0])

    def takers(self) -> set[str]:
        """The addresses of those that wait for a task there."""
        with redis_client.connect(self.url, 5.0) as client:
            found: Any = client.client_list()
        return {one["addr"].rpartition(":")[0] for one in found if one["cmd"] == "brpop"}

    def _server(self, host: int) -> Process:
        data = self.folder / f"broker{host}"
        data.mkdir(mode=0o700)
        options = {"bind": self.yard.address(host, "broker"), "port": "6379", "dir": str(data), "save": ""}
        options |= {"appendonly": "yes", "protected-mode": "no", "replica-announce-ip": options["bind"]}
        if host != self.hosts[0]:
            name, value = FOLLOW.split(" ", 1)
            options[name] = value.replace("three", self.yard.address(self.hosts[0], "broker"))
        words = [word for name, value in options.items() for word in (f"--{name}", *(value.split() or [""]))]
        return Process(self.yard, host, "valkey", [self.program, *words], data / "log")

    def _sentinel(self, host: int) -> Process:
        data = self.folder / f"sentinel{host}"
        data.mkdir(mode=0o700)
        file = data / "sentinel.conf"
        watch = "\n".join(WATCH).replace("THREE", self.yard.address(self.hosts[0], "broker"))
        own = f"bind {self.yard.address(host)}\nport 26379\ndir {data}\nprotected-mode no\n"
        file.write_text(f"{own}{watch}\nsentinel failover-timeout pbem 10000\n", encoding="ascii")
        return Process(self.yard, host, "sentinel", [self.program, str(file), "--sentinel"], data / "log")
