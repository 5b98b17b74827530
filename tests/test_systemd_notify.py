"""What a process tells the service manager that started it."""

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.config import settings as config
from pbem.mail.smtp_server import Envelope, Server, ServerConfig
from pbem.ops import systemd_notify
from pbem.ops.servers import free_port
from tests import server_templates
from tests.mail.dovecot import until
from worker.watch import IDLE_S, TASK_S, Watchdog

FAILED = Path(__file__).parent.parent / "deploy" / "failed"


@pytest.fixture
def line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """The manager's end of the line."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as made:
        made.bind(str(tmp_path / "notify"))
        made.settimeout(60)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        yield made


def test_without_a_manager_nothing_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A process that was started by hand, or whose manager is gone, goes on."""
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    systemd_notify.notify(systemd_notify.READY)
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "gone"))
    systemd_notify.notify(systemd_notify.READY)


def test_an_abstract_address_is_understood(monkeypatch: pytest.MonkeyPatch) -> None:
    """Addresses that begin with an at sign lie in no folder."""
    name = f"pbem-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as made:
        made.bind(f"\0{name}")
        made.settimeout(60)
        monkeypatch.setenv("NOTIFY_SOCKET", f"@{name}")
        systemd_notify.notify(systemd_notify.READY)
        assert made.recv(100) == b"READY=1"


def test_a_worker_is_alive_as_long_as_it_takes_tasks(line: socket.socket) -> None:
    """While nothing waits, or a task is in hand for no longer than one may take, word is given; then no more."""
    now, waiting, shown, ends = 0.0, 0, list[bool](), list[bool]()
    watch = Watchdog(lambda: waiting, lambda: shown.append(True), lambda: ends.append(True), lambda: now)
    watch.check()
    assert line.recv(100) == b"WATCHDOG=1"
    with watch.mark_busy():
        now += TASK_S - 1
        watch.check()
        assert line.recv(100) == b"WATCHDOG=1"
    waiting, now = 3, now + IDLE_S + 1
    watch.check()
    assert (len(shown), ends) == (2, [True]), "the broker is shown what the manager is told"
    line.setblocking(False)
    with pytest.raises(BlockingIOError):
        line.recv(100)


def test_a_door_whose_loop_stands_still_is_not_alive() -> None:
    """The entrance answers while it turns, and does not where something holds it up."""
    with Server(lambda envelope: None, lambda address: True, ServerConfig()) as entrance:
        assert entrance.is_listening()
        held = threading.Event()
        assert entrance._loop is not None
        entrance._loop.call_soon_threadsafe(held.wait)
        assert not entrance.is_listening(0.05)
        held.set()
        until(lambda: entrance.is_listening(1.0), "an answer")
    assert not entrance.is_listening()


@pytest.mark.long
@pytest.mark.parametrize("role", ["smtp", "scheduler"])
def test_a_process_says_that_it_serves_and_goes_on_saying_that_it_lives(
    role: str, line: socket.socket, state_dir: Path, valkey_url: str
) -> None:
    """Word comes when it serves, and then again and again, by the process that the manager started."""
    server_templates.copy_migrated_database(state_dir / "pbem.sqlite3")
    server_templates.copy_keys(state_dir / "keys")
    settings = config.Settings.with_embedded(state_dir, lmtp_port=free_port(), smtp_port=free_port())
    more = {"PBEM_BROKER_URL": valkey_url, "PBEM_ALLOW_SHARED_USER": "yes"}
    env = {**config.current_environment(), **settings.variables, **more}
    with subprocess.Popen([sys.executable, "-m", "pbem.cli.main", "run", role], env=env) as process:
        try:
            assert line.recv(100) == b"READY=1"
            assert line.recv(100) == b"WATCHDOG=1"
        finally:
            process.send_signal(signal.SIGTERM)


def test_the_operator_gets_a_letter_about_a_unit_that_failed() -> None:
    """It goes to postmaster@ by the relay of the settings, and names the unit."""
    taken: list[Envelope] = []
    with Server(taken.append, lambda address: True, ServerConfig(protocol="smtp")) as relay:
        env = {
            "PATH": os.environ["PATH"],
            "PBEM_MAIL_DOMAIN": "games.test",
            "PBEM_RELAY_HOST": "127.0.0.1",
            "PBEM_RELAY_PORT": str(relay.port),
        }
        line = [sys.executable, str(FAILED), "pbem-backup.service"]
        done = subprocess.run(line, env=env, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    (letter,) = taken
    assert letter.recipients == ("postmaster@games.test",)
    assert b"pbem-backup.service failed" in letter.raw
