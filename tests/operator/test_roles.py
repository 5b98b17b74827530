"""Each process works as the login that PostgreSQL knows it by: nothing is refused, and all of them play."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry, generate_latest
from sqlalchemy import text

from pbem.ops.metrics import ServerCollector
from pbem.ops.supervisor import ROLES
from pbem.store.database import Database
from tests.operator.runbook import Installation, call, environment, make_logins, missing, of_role
from tests.operator.running_server import Direct, read_a_page

pytestmark = [pytest.mark.long, pytest.mark.timeout(900)]


@pytest.fixture
def server(state_dir: Path, fresh_postgres_url: str) -> Iterator[Installation]:
    """The units at work, each with its own login."""
    env = environment(state_dir, fresh_postgres_url)
    make_logins(fresh_postgres_url)
    for words in (("keys", "init"), ("migrate",)):
        made = call({**env, "PBEM_ALLOW_SHARED_USER": "yes"}, *words)
        assert made.returncode == 0, made.stderr
    for role in ROLES:
        (state_dir / role).mkdir(mode=0o700)
    found = Installation(env, "renaissance")
    found.start()
    try:
        yield found
    finally:
        found.stop()


def test_a_turn_is_played_by_processes_that_may_do_no_more_than_they_need(server: Installation, tmp_path: Path) -> None:
    """A table is made, dealt and played on by letters; figures are counted, a copy is made, the doctor looks."""
    server.deal()
    before = server.outcome().entry
    server.round()
    assert server.outcome().entry > before
    assert server.settings.http_listen is not None
    read_a_page(server, Direct("games.example.org", server.settings.http_listen.port))
    server.until("the daily work", lambda: _runs(server, "delete_expired_rows"))
    with server.services.db.snapshot() as session:
        asked = text("SELECT DISTINCT usename FROM pg_stat_activity WHERE datname = current_database()")
        signed_in = set(session.scalars(asked))
    assert {f"pbem-{role}" for role in ROLES} <= signed_in
    logs = "\n".join(log.read_text(errors="replace") for log in server.server.logs.iterdir())
    assert "InsufficientPrivilege" not in logs
    assert "permission denied" not in logs
    assert server.deaths == []

    database = Database(of_role(server.env, "metrics")["PBEM_DATABASE_URL"])
    registry = CollectorRegistry()
    ServerCollector(replace(server.settings, state_dir=tmp_path), database, registry)
    shown = generate_latest(registry).decode()
    database.close()
    assert "pbem_database_up 1.0" in shown
    assert 'pbem_games{state="running"} 1.0' in shown
    looked = call(of_role(server.env, "mailer"), "doctor")
    said = looked.stdout.splitlines()
    assert [line for line in said if "ticked" not in line and "has no address in DNS" not in line] == [], said
    if not missing():
        state = server.env["PBEM_STATE_DIR"]  # its unit has no folder of its own
        own = {**of_role(server.env, "backup"), "PBEM_STATE_DIR": state}
        made = call(own, "backup", str(tmp_path / "copies"))
        assert made.returncode == 0, made.stderr


def _runs(server: Installation, task: str) -> bool:
    """Send the task of a day, once, and return True when nothing waits."""
    if task not in server.answered:
        server.answered.add(task)
        server.services.enqueue(task, "")
    return server.quiet()
