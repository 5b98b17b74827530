"""Processes of one user are forked from one that has loaded everything: they run, are ended, and end with it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import psutil
import pytest

from pbem.config.settings import Settings
from pbem.crypto import KeyFolder
from pbem.ops import supervisor
from pbem.ops.backup_folder import STAMP
from pbem.ops.memory import run_in_subprocess
from pbem.ops.process_pool import ForkedProcess
from pbem.ops.supervisor import Supervisor, parse_role
from tests import server_templates

ENDS_S = 120.0


def until(so: Callable[[], bool]) -> None:
    """Wait for something to be so."""
    end = time.monotonic() + ENDS_S
    while not so():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.fixture
def forked(tmp_path: Path) -> Iterator[ForkedProcess]:
    """A process that waits."""
    made = ForkedProcess("waits", tmp_path / "log")
    made.launch(["tests.forked_program", "waits"], {"PBEM_WORD": "word", "PATH": os.defpath})
    yield made
    made.stop(signal.SIGKILL)


def test_a_forked_process_takes_on_what_it_is_given(forked: ForkedProcess) -> None:
    """It has its own words, environment, log and session, and nothing of ours."""
    until(lambda: forked.log.read_text().count("\n") == 1)
    found = forked.log.read_text()
    assert found == f"['tests.forked_program', 'waits'] ['PATH', 'PBEM_WORD'] / {forked.pid} {forked.pid}\n"
    assert forked.is_alive()


def test_a_forked_process_is_stopped_and_known_to_have_ended(forked: ForkedProcess) -> None:
    """A signal ends it in good order; one that died by itself is not alive."""
    until(lambda: bool(forked.log.read_text()))
    pid = forked.pid
    forked.stop(signal.SIGTERM)
    assert not psutil.pid_exists(pid)
    assert not forked.is_alive()
    forked.launch(["tests.forked_program", "waits"], {})
    os.kill(forked.pid, signal.SIGKILL)
    until(lambda: not forked.is_alive())


def test_what_is_done_aside_is_not_held(capfd: pytest.CaptureFixture[str]) -> None:
    """Its answer comes back; where it fails this process ends, with the reason told."""
    assert run_in_subprocess(lambda *given: [*given, os.getpid() == own], 1, own := os.getpid()) == [1, own, False]
    with pytest.raises(SystemExit):
        run_in_subprocess(lambda: 1 / 0)
    assert "ZeroDivisionError" in capfd.readouterr().err


def test_there_are_as_many_workers_as_the_settings_say(tmp_path: Path) -> None:
    """Each worker beyond the first has a number; it takes the tasks of its role."""
    made = Settings.with_embedded(tmp_path / "state")
    KeyFolder.create(made.keys_dir)
    env = {**made.variables, "PBEM_MAILER_WORKERS": "3", "PBEM_RESOLVER_WORKERS": "2", "PBEM_ALLOW_SHARED_USER": "yes"}
    whole = Supervisor(Settings.from_env(env))
    assert whole.roles == ("web", "smtp", "mailer", "mailer2", "mailer3", "resolver", "resolver2", "scheduler")
    assert [parse_role(name) for name in whole.roles][3:6] == ["mailer", "mailer", "resolver"]
    assert supervisor.command_line("mailer2") == ["worker.run", "mailer2"]


def test_up_starts_a_process_again_that_is_stopped(
    state_dir: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A real process that gets SIGSTOP is ended, said, and started again; one that goes on is left alone."""
    monkeypatch.setattr(supervisor, "command_line", lambda name: ["tests.worker_program", name])
    settings = replace(Settings.with_embedded(state_dir), broker_url="redis://127.0.0.1:1/0", metrics_listen=None)
    server_templates.copy_keys(settings.keys_dir)
    server = Supervisor(settings, ("mailer", "resolver"), calm_s=0.0, silent_s=2.0)
    server.start()
    try:
        before = server.pids()
        for role in before:
            until(lambda role=role: bool((server.logs / f"{role}.log").read_text()))  # type: ignore[misc]
        assert server.check_processes() == []
        os.kill(before["mailer"], signal.SIGSTOP)
        until(lambda: bool(server.check_processes()))
        until(lambda: not server.check_processes() and server.pids()["mailer"] != before["mailer"])
        assert server.pids()["resolver"] == before["resolver"]
    finally:
        server.stop()
    assert "mailer has given no sign of life" in caplog.text
    assert list(settings.state_dir.glob("*.sock")) == []


ORPHANED = """
import sys, time
from pathlib import Path
from types import MappingProxyType
from pbem.ops.supervisor import ROLES
from tests.crashes.server import opened
server = opened(Path(sys.argv[1]), "renaissance")
server.start(ROLES)
print(*server.server.pids().values(), flush=True)
time.sleep(600)
"""


@pytest.mark.long
def test_nothing_outlives_a_supervisor_that_is_killed(state_dir: Path) -> None:
    """However the process that looks after all others ends, none of them goes on without it."""
    with subprocess.Popen([sys.executable, "-c", ORPHANED, str(state_dir)], stdout=subprocess.PIPE, text=True) as over:
        assert over.stdout is not None
        pids = [int(pid) for pid in over.stdout.readline().split()]
        over.kill()
    assert len(pids) >= 5
    _, alive = psutil.wait_procs([psutil.Process(pid) for pid in pids if psutil.pid_exists(pid)], timeout=60)
    assert alive == []


def test_a_server_at_home_backs_up_each_day(state_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has no timer of systemd's: a backup is made unless one of the last day is there; a trial makes none."""
    home = {"PBEM_PRODUCTION": "yes", "PBEM_ALLOW_SHARED_USER": "yes"}
    trial = Settings.with_embedded(state_dir)
    settings = replace(trial, production=True, variables=MappingProxyType({**trial.variables, **home}))
    begun: list[tuple[str, ...]] = []
    monkeypatch.setattr(Supervisor, "_begin", lambda self, *words: begun.append(words))
    monkeypatch.setattr(supervisor, "CALM_S", 0.0)
    Supervisor(trial).run_chores()
    assert begun == []
    Supervisor(settings).run_chores()
    assert begun == [("backup",)]
    (state_dir / "backups").mkdir()
    (state_dir / "backups" / f"pbem-{time.strftime(STAMP, time.gmtime())}.sqlite3").touch()
    Supervisor(settings).run_chores()
    assert begun == [("backup",)]


HEAVY = {"engine", "sqlalchemy", "celery", "redis", "flask", "jinja2", "pbem.app"}


def test_the_process_that_looks_after_all_others_holds_none_of_what_they_do() -> None:
    """`pbem up` runs as long as the server does: it loads no game, no database and no queue into its own memory."""
    loaded = "import sys, pbem.cli.main, pbem.ops.supervisor; print(*sys.modules)"
    found = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True)
    assert HEAVY.intersection(found.stdout.split()) == set()
