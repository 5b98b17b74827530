"""All processes of a server, started and stopped by one: broker, web, door, post, play and clock.

Each runs `pbem run ROLE` with the settings in its environment, holds its own keys, writes its own log, and dies with
the supervisor.  One that ends by itself is started again, a little later each time.
"""

import shutil
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from typing import Final

from pbem import config
from pbem.config import Settings
from pbem.servers import Child, Valkey

ROLES: Final = ("web", "door", "post", "play", "clock")
"""All processes but the broker."""
WORKERS: Final = ("post", "play", "clock")
"""Those that take tasks from the queue of their name."""
CALM_S: Final = 30.0
"""A process that ran this long before it ended is started again at once."""


class Supervisor:
    """The processes of one server, between `start` and `stop`."""

    def __init__(self, settings: Settings, roles: Sequence[str] = ROLES, calm_s: float = CALM_S) -> None:
        """`settings`: those of the whole server; each process is given their variables.

        `calm_s`: how long a process must have run to be started again at once.
        """
        self.settings, self.roles, self.calm_s = settings, tuple(roles), calm_s
        self.logs = settings.state_dir / "logs"
        self.broker: Valkey | None = None
        self.children: dict[str, Child] = {}
        self._began: dict[str, float] = {}
        self._wait: dict[str, float] = {}
        self._next: dict[str, float] = {}

    def start(self) -> None:
        """Start everything; the broker first, where it is embedded."""
        self.logs.mkdir(mode=0o700, exist_ok=True)
        if self.settings.broker_url.startswith(f"redis+socket://{self.settings.state_dir}/"):
            self.broker = Valkey(self.settings.state_dir)
            self.broker.start()
        for role in self.roles:
            self._launch(role)

    def _launch(self, role: str) -> None:
        child = Child(role, self.logs / f"{role}.log", signal.SIGKILL)
        child.launch(command(role), self._environment())
        self.children[role] = child
        self._began[role] = time.monotonic()

    def _environment(self) -> Mapping[str, str]:
        plain = {name: value for name, value in config.environment().items() if not name.startswith("PBEM_")}
        return {**plain, **self.settings.variables, "PBEM_ONE_USER": "yes", "PYTHONUNBUFFERED": "1"}

    def look(self) -> list[str]:
        """Start again what has ended; the names of what had."""
        ended = [role for role, child in self.children.items() if not child.alive()]
        if self.broker is not None and not self.broker.alive():
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

    def stop(self) -> None:
        """Stop all, in the order in which nothing is lost: entrances, then workers, then the broker."""
        for role in ("door", "web", "clock", "post", "play"):
            if role in self.children:
                self.children[role].stop(signal.SIGTERM)
        if self.broker is not None:
            self.broker.stop()

    def pids(self) -> dict[str, int]:
        """The processes by role."""
        found = {role: child.pid for role, child in self.children.items() if child.alive()}
        return {**found, "broker": self.broker.pid} if self.broker is not None else found

    def run(self) -> None:
        """Keep everything running until a signal to stop comes."""
        stopping: list[int] = []
        for name in (signal.SIGINT, signal.SIGTERM):
            signal.signal(name, lambda number, frame: stopping.append(number))
        self.start()
        try:
            while not stopping:
                self.look()
                time.sleep(0.5)
        finally:
            self.stop()


def python() -> str:
    """The interpreter that runs us."""
    return sys.executable or shutil.which("python3") or "python3"


def command(role: str) -> list[str]:
    """How a process of a role is started."""
    if role not in WORKERS:
        return [python(), "-m", "pbem.cli", "run", role]
    worker = [python(), "-m", "celery", "-A", f"worker.{role}", "--quiet", "worker", "-Q", role, "-n", f"{role}@pbem"]
    return [
        *worker,
        "--pool",
        "solo",
        "--loglevel",
        "WARNING",
        "--without-gossip",
        "--without-mingle",
        "--without-heartbeat",
    ]
