"""A worker that is stopped or hangs is seen, by the doctor and by who asks for health."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.broker.worker_heartbeats import WORKER_ROLES, SilentRoles, WorkerHeartbeat, forget_heartbeats
from pbem.config.settings import Settings
from pbem.ops import doctor
from pbem.ops.servers import Valkey
from tests import server_templates
from tests.service.server_fixtures import build
from tests.test_process_pool import until
from tests.web.form_browser import site
from worker.app import create_worker

WORKER = """
import sys, time
from pbem.broker import worker_heartbeats
worker_heartbeats.SILENT_S = 1.0
shows = [worker_heartbeats.WorkerHeartbeat(sys.argv[1], role) for role in sys.argv[2:]]
while True:
    for show in shows:
        show()
    time.sleep(0.05)
"""


@contextmanager
def worker(valkey: Valkey, *roles: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process that shows that it is alive, as workers of these roles do; its marks last a second."""
    with subprocess.Popen([sys.executable, "-c", WORKER, valkey.redis_url, *roles]) as process:
        yield process
        process.kill()


def test_a_worker_that_is_stopped_is_seen_by_health_and_doctor(valkey: Valkey, state_dir: Path) -> None:
    """A real process that gets SIGSTOP: `/healthz` is 503, the doctor names its role; both end."""
    silent = SilentRoles(valkey.redis_url)
    harness = build(state_dir)
    harness.configure(silent_roles=silent)
    client = site(harness).test_client()
    settings = replace(Settings.with_embedded(state_dir), broker_url=valkey.url)

    def says() -> list[str]:
        return [" ".join(line.split()[:6]) for line in doctor.list_problems(settings, None)]

    with worker(valkey, "resolver", "scheduler"), worker(valkey, "mailer") as mailer:
        until(lambda: silent() == ())
        assert (client.get("/healthz").data, says()) == (b"ok\n", [])
        os.kill(mailer.pid, signal.SIGSTOP)
        until(lambda: silent() == ("mailer",))
        answer = client.get("/healthz")
        assert (answer.status_code, answer.data) == (503, b"a worker is stopped\n")
        assert says() == ["No mailer has given a sign"]
        os.kill(mailer.pid, signal.SIGCONT)
        until(lambda: silent() == ())
        assert client.get("/healthz").data == b"ok\n"


def test_a_broker_that_is_away_is_no_stopped_worker() -> None:
    """Nobody can say then who is alive, so nobody is called stopped."""
    WorkerHeartbeat("redis://127.0.0.1:1/0", "mailer")()
    assert SilentRoles("redis://127.0.0.1:1/0")() == ()


def test_what_stopped_workers_showed_can_be_forgotten(valkey: Valkey) -> None:
    """After a start only those count that have started."""
    for role in WORKER_ROLES:
        WorkerHeartbeat(valkey.redis_url, role)()
    assert SilentRoles(valkey.redis_url)() == ()
    assert forget_heartbeats(valkey.redis_url)
    assert SilentRoles(valkey.redis_url)() == WORKER_ROLES
    assert not forget_heartbeats("redis://127.0.0.1:1/0")


def test_workers_take_no_orders_from_the_broker(state_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Remote control is off: who can write at the broker stops no worker and changes none."""
    settings = Settings.with_embedded(state_dir)
    server_templates.copy_keys(settings.keys_dir)
    for name, value in settings.variables.items():
        monkeypatch.setenv(name, value)
    for role in WORKER_ROLES:
        assert not create_worker(role).conf.worker_enable_remote_control  # type: ignore[arg-type]
