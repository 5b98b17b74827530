"""What starts and stops the processes of a server: systemd, or systemd of the user who runs it at home, or nobody."""

import os
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from redis.exceptions import RedisError

from pbem.broker import redis_client
from pbem.broker.worker_heartbeats import WORKER_ROLES, SilentRoles, forget_heartbeats
from pbem.config.settings import Settings
from pbem.ops.backup_folder import is_one_user
from pbem.ops.supervisor import python

SYSTEMD: Final = Path("/run/systemd/system")
"""A folder that is there if systemd runs this machine (sd_booted(3))."""
TARGET: Final = Path("/etc/systemd/system/pbem.target")
PATIENCE_S: Final = 2.0
START_S: Final = 180.0
"""How long the workers may take to show that they are alive."""
_UNIT: Final = """[Unit]
Description=Play by mail: a server at home
After=network-online.target

[Service]
ExecStart={python} -m pbem.cli.main --env {env} up
Restart=on-failure
RestartSec=10

[Install]
WantedBy=default.target
"""


class ServiceError(Exception):
    """The processes cannot be stopped or started; the text says why."""


@dataclass(frozen=True)
class ServiceManager:
    """Which units are stopped and started, and by which command."""

    systemctl: tuple[str, ...]
    stopped: tuple[str, ...]
    started: str

    def stop(self) -> None:
        """Stop all processes, and return when none is left; raises ServiceError."""
        self._run("stop", *self.stopped)

    def start(self) -> None:
        """Start all processes; raises ServiceError."""
        self._run("start", self.started)

    @property
    def start_line(self) -> str:
        """The command that starts them, for a person."""
        return " ".join((*self.systemctl, "start", self.started))

    def _run(self, *words: str) -> None:
        line = [*self.systemctl, *words]
        done = subprocess.run(line, capture_output=True, text=True, check=False, timeout=600)
        if done.returncode:
            raise ServiceError(f"{' '.join(line)} failed: {done.stderr.strip() or done.returncode}")


def find_manager(settings: Settings, env: Mapping[str, str]) -> ServiceManager | None:
    """What starts and stops the processes of this server, as far as this user may tell it; None for nobody."""
    if os.geteuid() == 0 and SYSTEMD.exists() and TARGET.exists() and not is_one_user(settings):
        return ServiceManager(("systemctl",), ("pbem.target", "pbem-*.service"), "pbem.target")
    unit = user_unit(env)
    with suppress(OSError):
        if is_one_user(settings) and f"{settings.state_dir}/pbem.env " in unit.read_text(encoding="utf-8"):
            return ServiceManager(("systemctl", "--user"), (unit.name,), unit.name)
    return None


def count_alive(settings: Settings) -> int:
    """How many kinds of workers show that they are alive; 0 while the broker is away, which ends with `pbem up`."""
    with redis_client.connect(settings.redis_url, PATIENCE_S) as client:
        try:
            client.ping()
        except (RedisError, OSError):
            return 0
    return len(WORKER_ROLES) - len(SilentRoles(settings.redis_url)())


def wait_until_alive(settings: Settings) -> None:
    """Return when each kind of worker has shown again that it is alive, or after a time that a start never takes.

    What those that were stopped showed last would count for a while yet, so it is forgotten first.
    """
    end, forgotten = time.monotonic() + START_S, False
    while time.monotonic() < end:
        forgotten = forgotten or forget_heartbeats(settings.redis_url)
        if forgotten and count_alive(settings) == len(WORKER_ROLES):
            return
        time.sleep(0.5)


# --- at home, at log-in


def user_unit(env: Mapping[str, str]) -> Path:
    """The unit of a server at home."""
    config = env.get("XDG_CONFIG_HOME") or f"{env.get('HOME', '/nowhere')}/.config"
    return Path(config) / "systemd/user/pbem.service"


def has_user_manager(env: Mapping[str, str]) -> bool:
    """Return True if systemd starts units for this user."""
    return SYSTEMD.exists() and (Path(env.get("XDG_RUNTIME_DIR") or "/nowhere") / "systemd").exists()


def start_at_login(env_file: Path, env: Mapping[str, str]) -> Path:
    """Write the unit of a server at home, and start it now and at each log-in; raises ServiceError."""
    unit = user_unit(env)
    unit.parent.mkdir(parents=True, exist_ok=True)
    unit.write_text(_UNIT.format(python=python(), env=env_file), encoding="utf-8")
    manager = ServiceManager(("systemctl", "--user"), (unit.name,), unit.name)
    manager._run("daemon-reload")
    manager._run("enable", "--now", unit.name)
    return unit


def login_line(env_file: Path) -> str:
    """A line for `crontab -e` that does the same where systemd does not start units for users."""
    return f"@reboot {python()} -m pbem.cli.main --env {env_file} up"
