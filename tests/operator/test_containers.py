"""The containers of `deploy/`: built, started in their order, a turn played by mail and page, copied, taken down."""

import os
import shutil
import smtplib
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import mkdtemp

import pytest

from engine import GAMES
from pbem.config import env_file
from pbem.config.settings import Settings
from pbem.ops.servers import free_port
from tests.operator import containers, machine
from tests.operator.containers import Composed
from tests.operator.running_server import Direct, Elsewhere, read_a_page

pytestmark = [pytest.mark.night, pytest.mark.timeout(3600)]
KEYED = {"web": 7101, "smtp": 7102, "mailer": 7103, "resolver": 7104}
PROCESSES = {**KEYED, "scheduler": 7105, "metrics": 7106, "backup": 7107}
DOMAIN = "games.example.org"


@pytest.fixture(scope="module")
def composed() -> Iterator[Composed]:
    """The compose file with images that are there, and what an operator lays beside it."""
    if why := containers.lacking():
        pytest.skip(why)
    folder = Path(mkdtemp(prefix="pbem-containers-"))
    with containers.engine(folder) as engine:
        if why := containers.build_images(engine, folder):
            pytest.skip(why)
        machine.refresh(folder)
        prepare(folder / "src/deploy", free_port())
        yield Composed(engine, folder / "src/deploy/compose.yml")
    shutil.rmtree(folder)


def prepare(deploy: Path, relay: int) -> None:
    """Settings, keys and secrets, as README.md says."""
    example = (deploy / ".env.example").read_text(encoding="utf-8")
    (deploy / ".env").write_text(f"{example}PBEM_RELAY_PORT={relay}\n", encoding="utf-8")
    env = {"PATH": os.environ["PATH"], "PBEM_STATE_DIR": "/tmp", "PBEM_KEYS_DIR": str(deploy / "keys")}
    line = [sys.executable, "-m", "pbem.cli.main", "--env", str(deploy / ".env"), "keys", "init"]
    subprocess.run(line, env=env, cwd=machine.ROOT, check=True, capture_output=True, timeout=120)
    for role, uid in KEYED.items():
        for path in (deploy / "keys" / role, *(deploy / "keys" / role).rglob("*")):
            os.chown(path, uid, 7100)
    subprocess.run([str(deploy / "passwords")], check=True, timeout=60)
    (deploy / "backups").mkdir(mode=0o700)
    os.chown(deploy / "backups", PROCESSES["backup"], -1)


@dataclass
class Contained(Elsewhere):
    """A server in containers: players write to its door, and it sends to their post office on this machine."""

    composed: Composed = field(kw_only=True)

    def start(self, roles: object = None) -> None:
        """Open the players' post office where the containers find the mail server of this machine."""
        assert self.settings.relay is not None
        self.open_post_office(self.settings.relay.port, self.composed.gateway())

    def check_processes(self) -> None:
        """Every container still runs."""
        ended = [name for name in PROCESSES if self.composed.state(name) != "running"]
        assert ended == [], self.composed.logs()

    def troubles(self) -> str:
        """What the containers wrote."""
        return self.composed.logs()

    def _sent(self, sender: str, recipient: str, wire: bytes) -> bool:
        with smtplib.LMTP("127.0.0.1", 2424, timeout=60) as line:
            line.sendmail(sender, [recipient], wire)
        return True


def settings_of(composed: Composed, state: Path) -> Settings:
    """The settings of the containers, as they are reached from out here."""
    deploy = composed.file.parent
    for name, host in (("database-url", "database"), ("broker-url", "broker")):
        said = (deploy / "secrets" / "migrate" / name).read_text(encoding="utf-8")
        (state / name).write_text(said.replace(f"@{host}", f"@{composed.engine.address(host)}"))
        (state / name).chmod(0o600)
    here = {
        "PBEM_STATE_DIR": str(state),
        "PBEM_KEYS_DIR": str(deploy / "keys"),
        "PBEM_DATABASE_URL": "",
        "PBEM_DATABASE_URL_FILE": str(state / "database-url"),
        "PBEM_BROKER_URL": "",
        "PBEM_BROKER_URL_FILE": str(state / "broker-url"),
        "PBEM_ALLOW_SHARED_USER": "yes",
    }
    return Settings.from_env({**env_file.parse_env_file((deploy / ".env").read_text(encoding="utf-8")), **here})


def test_the_image_holds_no_key_and_no_secret(composed: Composed) -> None:
    """What is built from the folder beside them has nothing of keys, secrets and settings."""
    composed.build()
    place = composed.engine.run("image", "mount", "pbem").stdout.strip()
    looked = Path(f"/proc/{composed.engine.shell.pid}/root{place}")
    assert (looked / "opt/pbem/.venv/bin/pbem").exists()
    assert sorted(path.name for path in (looked / "opt/pbem").iterdir()) == [".venv"]
    password = (composed.file.parent / "secrets/database-password").read_text(encoding="ascii")
    found = subprocess.run(
        ["grep", "-rlF", password, str(looked / "opt"), str(looked / "etc")],
        capture_output=True,
        check=False,
        timeout=300,
    )
    assert found.stdout == b""
    composed.engine.run("image", "unmount", "pbem")


def test_a_turn_is_played_in_containers(composed: Composed, tmp_path: Path) -> None:
    """All come up in order and are well, a turn is played by letters and a page read, a copy made, all taken down."""
    begun = time.monotonic()
    composed.up()
    composed.until("health", lambda: all(map(composed.healthy, PROCESSES)))
    print(f"all well after {time.monotonic() - begun:.0f} s")
    assert composed.started[:3] == ["database", "broker", "migrate"]
    server = Contained(settings_of(composed, tmp_path), next(iter(GAMES)), composed=composed)
    server.start()
    try:
        server.play_a_turn()
        read_a_page(server, Direct(DOMAIN, 8000))
    finally:
        server.stop()
    (copy,) = (composed.file.parent / "backups").glob("pbem-*.dump")
    assert copy.read_bytes().startswith(b"PGDMP")
    containers.down(composed)
    assert composed.engine.run("ps", "--all", "--quiet").stdout == ""
