"""`pbem upgrade` and `pbem restore` stop and start the server themselves, and stop at the first step that fails."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pbem.broker.worker_heartbeats import WORKER_ROLES, WorkerHeartbeat
from pbem.cli import upkeep
from pbem.cli.main import main
from pbem.config.settings import Settings
from pbem.mail.smtp_server import Server, ServerConfig
from pbem.ops import service_manager
from pbem.ops.servers import Valkey, free_port
from tests import server_templates

ROOT = Path(__file__).parents[1]
STEPS = ["1. Backup", "2. Stop", "3. Tables", "4. Replay of the running games", "5. Start", "6. Doctor"]


@pytest.fixture
def home(state_dir: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """A server at home with a unit of its user, whose systemd notes what it is told."""
    settings = Settings.with_embedded(state_dir, http_port=free_port(), lmtp_port=free_port(), smtp_port=free_port())
    server_templates.copy_keys(settings.keys_dir)
    server_templates.copy_migrated_database(state_dir / "pbem.sqlite3")
    monkeypatch.setenv("HOME", str(state_dir))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.setattr(service_manager, "START_S", 0.0)
    unit = service_manager.user_unit(os.environ)
    unit.parent.mkdir(parents=True)
    unit.write_text(f"ExecStart=pbem --env {state_dir}/pbem.env up\n")
    systemctl(state_dir, monkeypatch, 'echo "$*" >>"$HOME/told"')
    env = {**settings.variables, "PBEM_ALLOW_SHARED_USER": "yes"}
    return Settings.from_env(env)


def systemctl(folder: Path, monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    """What is called instead of systemd."""
    programs = folder / "programs"
    programs.mkdir(exist_ok=True)
    (programs / "systemctl").write_text(f"#!/bin/sh\n{line}\n")
    (programs / "systemctl").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")


def call(settings: Settings, *words: str) -> Result:
    """Call a command of the server."""
    return CliRunner().invoke(main, list(words), env=dict(settings.variables))


def told(settings: Settings) -> list[str]:
    """What systemd was told."""
    file = settings.state_dir / "told"
    return file.read_text().splitlines() if file.exists() else []


def commands_that_fail(monkeypatch: pytest.MonkeyPatch, *failing: str) -> list[str]:
    """Commands that are noted, and of which some fail."""
    called: list[str] = []

    def act(*words: str) -> int:
        called.append(" ".join(words))
        return int(" ".join(words) in failing)

    monkeypatch.setattr(upkeep, "_call", act)
    return called


def steps_said(done: Result) -> list[str]:
    """The steps, in their order."""
    return [
        line.removesuffix(" ...")
        for line in done.stdout.splitlines()
        if line[:2] in ("1.", "2.", "3.", "4.", "5.", "6.")
    ]


def test_an_upgrade_is_one_command(home: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Backup, stop, tables, replay, start, doctor, in this order."""
    called = commands_that_fail(monkeypatch)
    done = call(home, "upgrade")
    assert done.exit_code == 0, done.output
    assert steps_said(done) == STEPS
    assert called == ["migrate", "replay", "doctor"]
    assert told(home) == ["--user stop pbem.service", "--user start pbem.service"]
    (copy,) = (home.state_dir / "backups").iterdir()
    assert f"{copy}, read back to the end" in done.stdout


@pytest.mark.parametrize(
    ("failing", "steps", "says", "started"),
    [
        ("migrate", STEPS[:3], "To go back: install the version that you had, then pbem restore ", False),
        ("replay", STEPS[:4], "To go back: install the version that you had, then pbem restore ", False),
        ("doctor", STEPS, "The server runs. Repair what is named. To go back: ", True),
    ],
)
def test_an_upgrade_stops_at_the_first_failure_and_says_how_to_go_back(
    home: Settings, monkeypatch: pytest.MonkeyPatch, failing: str, steps: list[str], says: str, started: bool
) -> None:
    """Nothing is started on tables that do not fit, or on games that would go on otherwise."""
    called = commands_that_fail(monkeypatch, failing)
    done = call(home, "upgrade")
    assert (done.exit_code, called[-1]) == (1, failing)
    assert steps_said(done) == steps
    assert f"{steps[-1]} failed: pbem {failing} says what is wrong, above\n{says}" in done.stderr
    assert ("--user start pbem.service" in told(home)) == started


def test_an_upgrade_without_a_backup_stops_nothing(home: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """A database that cannot be copied: the server runs on."""
    called = commands_that_fail(monkeypatch)
    (home.state_dir / "pbem.sqlite3").write_bytes(b"x" * 10_000)
    done = call(home, "upgrade")
    assert (done.exit_code, called, told(home)) == (1, [], [])
    assert "1. Backup failed: The database" in done.stderr
    assert "Nothing was changed." in done.stderr


def test_units_that_do_not_stop_end_the_upgrade(home: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """What systemd says is said."""
    called = commands_that_fail(monkeypatch)
    systemctl(home.state_dir, monkeypatch, "echo 'Job canceled.' >&2; exit 1")
    done = call(home, "upgrade")
    assert (done.exit_code, called) == (1, [])
    assert "2. Stop failed: systemctl --user stop pbem.service failed: Job canceled." in done.stderr
    assert "This starts it: systemctl --user start pbem.service" in done.stderr


def test_a_server_that_runs_in_a_terminal_is_stopped_there_first(
    home: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither command touches the database below running processes; once they are stopped it goes on."""
    commands_that_fail(monkeypatch)
    service_manager.user_unit(os.environ).unlink()
    with Valkey(home.state_dir):
        for role in WORKER_ROLES:
            WorkerHeartbeat(home.redis_url, role)()
        for words in (("upgrade",), ("restore", "--as-it-is")):
            done = call(home, *words)
            assert (done.exit_code, "Ctrl-C where pbem up runs" in done.stderr) == (1, True), done.output
    done = call(home, "upgrade")
    assert done.exit_code == 0, done.output
    assert "5. Start it: pbem up" in done.stdout


def test_a_backup_whose_keys_do_not_fit_is_not_started(home: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a restore the last entry of each game is replayed; what fails is said, and how the server is started."""
    commands_that_fail(monkeypatch, "replay --last")
    done = call(home, "restore", "--as-it-is")
    assert done.exit_code == 1
    assert "does not fit the keys and this version" in done.stderr
    assert "this starts it: systemctl --user start pbem.service" in done.stderr
    assert told(home) == ["--user stop pbem.service"]


def test_a_restore_needs_a_file(home: Settings) -> None:
    """Without one nothing is stopped: a mark on a database in use would tell all players a lie."""
    assert call(home, "restore").exit_code == 2
    assert call(home, "restore", "copy", "--as-it-is").exit_code == 2
    assert told(home) == []


def test_the_units_of_an_installed_server_are_roots(
    home: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a server with a user for each process root stops all units, those of more workers too."""
    server = Settings.from_env({**home.variables, "PBEM_ALLOW_SHARED_USER": "no"}, "scheduler")
    monkeypatch.setattr(service_manager, "SYSTEMD", tmp_path)
    monkeypatch.setattr(service_manager, "TARGET", tmp_path)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    found = service_manager.find_manager(server, os.environ)
    assert found == service_manager.ServiceManager(("systemctl",), ("pbem.target", "pbem-*.service"), "pbem.target")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert service_manager.find_manager(server, os.environ) is None


@pytest.fixture
def running(home: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Mapping[str, str]]:
    """The same server at work behind a relay, started and stopped as its unit would be; its environment."""
    with Server(lambda envelope: None, lambda address: True, ServerConfig(protocol="smtp")) as relay:
        variables = {**home.variables, "PBEM_RELAY_HOST": "127.0.0.1", "PBEM_RELAY_PORT": str(relay.port)}
        file = home.state_dir / "pbem.env"
        file.write_text("".join(f"{name}={value}\n" for name, value in variables.items()))
        up = f'"{sys.executable}" -m pbem.cli.main --env {file} up >"$HOME/up.log" 2>&1 & echo $! >"$HOME/up.pid"'
        down = 'kill "$(cat "$HOME/up.pid")"; while kill -0 "$(cat "$HOME/up.pid")" 2>/dev/null; do sleep 0.1; done'
        systemctl(home.state_dir, monkeypatch, f"case $2 in start) {up};; stop) {down};; esac")
        env = {name: value for name, value in os.environ.items() if not name.startswith("PBEM_")}
        subprocess.run(["systemctl", "--user", "start", "pbem"], env=env, cwd=ROOT, check=True, timeout=60)
        try:
            yield {**env, "FILE": str(file)}
        finally:
            os.kill(int((home.state_dir / "up.pid").read_text()), signal.SIGTERM)


@pytest.mark.long
@pytest.mark.timeout(900)
def test_a_running_server_is_upgraded_and_a_backup_put_back(home: Settings, running: Mapping[str, str]) -> None:
    """Both commands as they are typed, on processes at work, which run again afterwards."""
    end = time.monotonic() + 120
    while not service_manager.count_alive(home):
        assert time.monotonic() < end, (home.state_dir / "up.log").read_text()
        time.sleep(0.2)
    line = [sys.executable, "-m", "pbem.cli.main", "--env", running["FILE"]]

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        before = (home.state_dir / "up.pid").read_text()
        done = subprocess.run(
            [*line, *words], env=dict(running), cwd=ROOT, capture_output=True, text=True, check=False, timeout=600
        )
        assert (home.state_dir / "up.pid").read_text() != before, done.stderr
        assert service_manager.count_alive(home)
        return done

    upgraded = run("upgrade")
    assert upgraded.returncode == 0, upgraded.stdout + upgraded.stderr
    assert "No problems found." in upgraded.stdout
    (copy,) = (home.state_dir / "backups").iterdir()
    restored = run("restore", str(copy))
    assert restored.returncode == 0, restored.stdout + restored.stderr
    assert "The backup is good" in restored.stdout
