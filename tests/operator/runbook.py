"""A server as the runbook sets it up: PostgreSQL and all processes, each with its own settings and its own keys."""

import math
import os
import shutil
import signal
import smtplib
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from pbem.app import build_services
from pbem.broker.task_queue import TaskQueue
from pbem.config.settings import Settings
from pbem.demo.post_office import PostOffice
from pbem.ops.backup import libpq_variables
from pbem.ops.servers import Child, find_server, free_port
from pbem.ops.supervisor import ROLES, Supervisor
from tests.crashes.server import Server

ROOT = Path(__file__).parent.parent.parent
CLIENTS = ("pg_dump", "pg_restore")


def missing() -> str:
    """Which of PostgreSQL's own programs for copies the machine lacks."""
    beside = find_server("postgres").parent
    return ", ".join(name for name in CLIENTS if not (beside / name).exists())


def environment(state: Path, database: str) -> dict[str, str]:
    """The variables of the example, with what differs on the loopback; `state`: an empty folder."""
    lines = (ROOT / "deploy/.env.example").read_text(encoding="utf-8").splitlines()
    example = dict(line.split("=", 1) for line in lines if line.startswith("PBEM_"))
    here = {
        "PBEM_STATE_DIR": str(state),
        "PBEM_KEYS_DIR": str(state / "keys"),
        "PBEM_DATABASE_URL": database,
        "PBEM_BROKER_URL": f"redis+socket://{state}/broker.sock?virtual_host=0",
        "PBEM_HTTP_LISTEN": f"127.0.0.1:{free_port()}",
        "PBEM_LMTP_LISTEN": f"127.0.0.1:{free_port()}",
        "PBEM_RELAY_PORT": str(free_port()),
        "PBEM_MAIL_PROBE_INTERVAL_MINUTES": "0",
    }
    plain = {name: value for name, value in os.environ.items() if not name.startswith("PBEM_")}
    return {**plain, **example, **here}


def call(env: Mapping[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    """One of the operator's commands, to its end."""
    line = [sys.executable, "-m", "pbem.cli.main", *words]
    return subprocess.run(line, env=dict(env), cwd=ROOT, capture_output=True, text=True, check=False, timeout=600)


def make_logins(database: str) -> None:
    """Let PostgreSQL's superuser run the script that makes a login for each process; skips where no psql is."""
    if (program := shutil.which("psql")) is None:
        pytest.skip("PostgreSQL's own psql is not installed here")
    line = [program, "-qAt", "-f", str(ROOT / "deploy" / "postgresql" / "setup.sql")]
    env = {"PATH": os.environ["PATH"], **libpq_variables(database)}
    made = subprocess.run(line, env=env, capture_output=True, text=True, check=False, timeout=60)
    assert (made.returncode, made.stderr) == (0, ""), made.stderr


def of_role(env: Mapping[str, str], role: str) -> dict[str, str]:
    """What the unit of a role is given: a login, a folder for state and one of keys, its own and nobody else's."""
    return {
        **env,
        "PBEM_DATABASE_URL": env["PBEM_DATABASE_URL"].replace("//postgres@", f"//pbem-{role}@"),
        "PBEM_KEYS_DIR": f"{env['PBEM_KEYS_DIR']}/{role}",
        "PBEM_STATE_DIR": f"{env['PBEM_STATE_DIR']}/{role}",
    }


class Units(Supervisor):
    """The units, each started as its own file says, beside a broker."""

    def __init__(self, settings: Settings, env: Mapping[str, str]) -> None:
        super().__init__(settings, ROLES, calm_s=0.0)
        self.env = env

    def _launch(self, role: str) -> None:
        child = Child(role, self.logs / f"{role}.log", signal.SIGKILL)
        child.launch([sys.executable, "-m", "pbem.cli.main", "run", role], of_role(self.env, role))
        self.children[role] = child
        self._began[role] = 0.0
        self._heard_at[role] = math.inf  # they have no manager to tell


class Installation(Server):
    """A server in production, with a table of three; mail comes in by LMTP, as a mail server hands it over."""

    def __init__(self, env: Mapping[str, str], title: str) -> None:
        super().__init__(Settings.from_env({**env, "PBEM_ALLOW_SHARED_USER": "yes"}), title)
        self.env = env

    def start(self, roles: Sequence[str] = ROLES) -> None:
        """Open the players' post office, then start the units."""
        relay = self.settings.relay
        assert relay is not None
        self.post = PostOffice(self.settings.state_dir / "mailboxes", relay.port, lambda mail: None)
        self.post.start()
        self.services = build_services(self.settings, "web", TaskQueue(self.settings))
        self.rise()

    def rise(self) -> None:
        """Start the units again after `halt`."""
        self.pids.clear()
        self.server = Units(self.settings, self.env)
        self.server.start()

    def halt(self) -> None:
        """Stop the units, as before a copy is put back."""
        self.services.db.close()
        self.server.stop()

    def pass_time(self) -> None:
        """Nobody dies here, so nothing need look old."""
        self.services.enqueue("requeue_stuck_work", "")

    def _sent(self, sender: str, recipient: str, wire: bytes) -> bool:
        entrance = self.settings.lmtp_listen
        assert entrance is not None
        try:
            with smtplib.LMTP(entrance.host, entrance.port, timeout=60) as line:
                line.sendmail(sender, [recipient], wire)
        except (OSError, smtplib.SMTPException):
            self.resent += 1
            return False
        return True
