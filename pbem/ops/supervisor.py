"""All processes of a server, started and stopped by one: broker, web, smtp, mailer, resolver and scheduler.

Each does what `pbem run ROLE` does, with the settings in its environment, holds its own keys, writes its own log, and
dies with the supervisor.  One that ends by itself is started again, a little later each time, and so is one that gives
no sign of life, as if systemd had started it.  They are forked from one process that has loaded everything before any
key is read.
"""

import logging
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from typing import Final, Literal, cast

from pbem.config import settings as config
from pbem.config.settings import Settings
from pbem.ops.backup_folder import DAY_S, default_folder, newest
from pbem.ops.process_pool import ForkedProcess
from pbem.ops.servers import Child, Valkey, check_socket_path
from pbem.ops.systemd_notify import SILENT_S, NotifyListener

ProcessRole = Literal["web", "smtp", "mailer", "resolver", "scheduler", "metrics"]
ROLES: Final = ("web", "smtp", "mailer", "resolver", "scheduler")
"""All processes but the broker, and the one that tells figures, where the settings name an address for it."""
WORKERS: Final = ("mailer", "resolver", "scheduler")
"""Those that take tasks from the queue of their name."""
_STOPPED: Final[tuple[ProcessRole, ...]] = ("smtp", "web", "scheduler", "mailer", "resolver", "metrics")
"""In this order nothing is lost: entrances first, then workers."""
CHORES_S: Final = 900.0
"""How often the doctor is asked, where a person is named who gets what changed by letter."""
CALM_S: Final = 30.0
"""A process that ran this long before it ended is started again at once."""
START_S: Final = 300.0
"""How much longer a process may be silent while it starts."""

_LOG = logging.getLogger(__name__)


class Supervisor:
    """The processes of one server, between `start` and `stop`."""

    def __init__(
        self,
        settings: Settings,
        roles: Sequence[str] = ROLES,
        calm_s: float = CALM_S,
        silent_s: float = SILENT_S,
    ) -> None:
        """`settings`: those of the whole server; each process is given their variables.

        `calm_s`: how long a process must have run to be started again at once; `silent_s`: how long one may give no
        sign of life.
        """
        self.settings, self.calm_s, self.silent_s = settings, calm_s, silent_s
        figures = ("metrics",) if settings.metrics_listen is not None else ()
        self.roles = tuple(name for role in (*roles, *figures) for name in _names(settings, role))
        self.logs = settings.state_dir / "logs"
        self.broker: Valkey | None = None
        self.children: dict[str, Child | ForkedProcess] = {}
        self._listeners: dict[str, NotifyListener] = {}
        self._heard_at: dict[str, float] = {}
        self._began: dict[str, float] = {}
        self._wait: dict[str, float] = {}
        self._next: dict[str, float] = {}
        self._chores: dict[str, subprocess.Popen[bytes]] = {}
        self._chores_at = time.monotonic() + CALM_S

    def start(self) -> None:
        """Start everything; the broker first, where it is embedded.  Raises ServerError."""
        self.logs.mkdir(mode=0o700, exist_ok=True)
        for role in self.roles:
            place = self.settings.state_dir / f"{role}.sock"
            check_socket_path(place, "choose a state folder with a shorter name")
            self._listeners[role] = NotifyListener(place)
        if self.settings.broker_url.startswith(f"redis+socket://{self.settings.state_dir}/"):
            self.broker = Valkey(self.settings.state_dir)
            self.broker.start()
        for role in self.roles:
            self._launch(role)

    def _launch(self, role: str) -> None:
        child = ForkedProcess(role, self.logs / f"{role}.log")
        child.launch(command_line(role), {**self._environment(), "NOTIFY_SOCKET": str(self._listeners[role].place)})
        self.children[role] = child
        self._began[role] = time.monotonic()
        self._heard_at[role] = self._began[role] + START_S

    def _environment(self) -> Mapping[str, str]:
        plain = {name: value for name, value in config.current_environment().items() if not name.startswith("PBEM_")}
        return {**plain, **self.settings.variables, "PBEM_ALLOW_SHARED_USER": "yes", "PYTHONUNBUFFERED": "1"}

    def check_processes(self) -> list[str]:
        """Start again what has ended, or gives no sign of life; the names of what had."""
        self._kill_silent()
        ended = [role for role, child in self.children.items() if not child.is_alive()]
        if self.broker is not None and not self.broker.is_alive():
            self.broker.start()
            ended.append("broker")
        now = time.monotonic()
        for role in ended:
            if role == "broker":
                continue
            if role not in self._next:
                calm = now - self._began[role] > self.calm_s
                self._wait[role] = 0.2 if calm else min(self._wait.get(role, 0.2) * 2, 10.0)
                self._next[role] = now + self._wait[role]
            if now >= self._next[role]:
                del self._next[role]
                self._launch(role)
        return ended

    def _kill_silent(self) -> None:
        """End each process that has given no sign of life for too long: it is stopped, or hangs."""
        now = time.monotonic()
        for role, child in self.children.items():
            if self._listeners[role].has_received():
                self._heard_at[role] = now
            elif now - self._heard_at[role] > self.silent_s and child.is_alive():
                _LOG.error("%s has given no sign of life for %.0f s, and is started again", role, self.silent_s)
                child.kill()

    def run_chores(self) -> None:
        """Let the doctor mail what has changed, and back up each day, in processes of their own."""
        if time.monotonic() < self._chores_at:
            return
        self._chores_at = time.monotonic() + CHORES_S
        if self.settings.admin_email:
            self._begin("doctor", "--mail")
        folder = default_folder(self.settings)
        last = newest(folder) if folder.exists() else None
        if self.settings.production and (last is None or time.time() - last[1] > DAY_S):
            self._begin("backup")

    def _begin(self, *words: str) -> None:
        """Begin a command of ours, unless the last one still runs."""
        before = self._chores.get(words[0])
        if before is not None and before.poll() is None:
            return
        line = [python(), "-m", "pbem.cli.main", *words]
        with (self.logs / f"{words[0]}.log").open("ab") as log:
            self._chores[words[0]] = subprocess.Popen(line, stdout=log, stderr=log, env=dict(self._environment()))

    def stop(self) -> None:
        """Stop all, in the order in which nothing is lost: entrances, then workers, then the broker."""
        for role in sorted(self.children, key=lambda name: _STOPPED.index(parse_role(name))):
            self.children[role].stop(signal.SIGTERM)
        for listener in self._listeners.values():
            listener.close()
        if self.broker is not None:
            self.broker.stop()

    def pids(self) -> dict[str, int]:
        """The processes by role."""
        found = {role: child.pid for role, child in self.children.items() if child.is_alive()}
        return {**found, "broker": self.broker.pid} if self.broker is not None else found

    def run(self) -> None:
        """Keep everything running until a signal to stop comes."""
        stopping: list[int] = []
        for name in (signal.SIGINT, signal.SIGTERM):
            signal.signal(name, lambda number, frame: stopping.append(number))
        self.start()
        try:
            while not stopping:
                self.check_processes()
                self.run_chores()
                time.sleep(0.5)
        finally:
            self.stop()


def python() -> str:
    """The interpreter that runs us."""
    return sys.executable or shutil.which("python3") or "python3"


def parse_role(name: str) -> ProcessRole:
    """The role of a process: `mailer` of `mailer2`."""
    return cast(ProcessRole, name.rstrip("0123456789"))


def _names(settings: Settings, role: str) -> list[str]:
    """The processes of a role: as many workers as the settings say."""
    many = {"mailer": settings.mailer_workers, "resolver": settings.resolver_workers}.get(role, 1)
    return [role, *(f"{role}{number}" for number in range(2, many + 1))]


def role_command(name: str) -> list[str]:
    """How a process is started by itself."""
    program, *words = command_line(name)
    return [python(), "-m", program, *words]


def command_line(name: str) -> list[str]:
    """The command line of a process: the module of the program, and its words."""
    return ["worker.run", name] if parse_role(name) in WORKERS else ["pbem.cli.main", "run", name]
