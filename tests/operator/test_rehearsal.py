"""The runbook, rehearsed: set up, play, copy, lose everything, put the copy back, go on playing."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from engine import GAMES
from pbem.demo.post_office import Mail
from pbem.ops.supervisor import ROLES
from tests.operator.runbook import Installation, call, environment, make_logins, missing

pytestmark = [pytest.mark.night, pytest.mark.timeout(1800)]


@pytest.fixture
def env(state_dir: Path, fresh_postgres_url: str) -> dict[str, str]:
    """A machine with keys and tables made by the operator's own commands."""
    found = environment(state_dir, fresh_postgres_url)
    make_logins(found["PBEM_DATABASE_URL"])
    whole = {**found, "PBEM_ALLOW_SHARED_USER": "yes"}
    for words in (("keys", "init"), ("migrate",)):
        made = call(whole, *words)
        assert made.returncode == 0, made.stderr
    for role in ROLES:
        (state_dir / role).mkdir(mode=0o700)
    return found


@pytest.fixture
def server(env: dict[str, str]) -> Iterator[Installation]:
    """The units at work, with a game dealt by letters."""
    found = Installation(env, next(iter(GAMES)))
    found.start()
    try:
        found.deal()
        yield found
    finally:
        found.stop()


def test_a_server_of_five_users_plays_and_a_copy_brings_it_back(server: Installation, tmp_path: Path) -> None:
    """Each unit does its part with its own keys; a copy of PostgreSQL, put back, is played on from where it was."""
    if lacking := missing():
        pytest.skip(f"PostgreSQL's own {lacking} is not installed here")
    whole = {**server.env, "PBEM_ALLOW_SHARED_USER": "yes"}
    server.round()
    entry = server.outcome().entry
    written = len(message_ids(server))
    made = call(server.env, "backup", str(tmp_path))
    assert made.returncode == 0, made.stderr
    server.round()
    later = server.outcome().entry
    assert later > entry

    server.halt()
    wipe(server)
    assert call(whole, "doctor").returncode == 1
    (copy,) = tmp_path.glob("pbem-*.dump")
    back = call(whole, "restore", str(copy))
    assert back.returncode == 0, back.stderr
    assert server.outcome().entry == entry

    server.rise()
    server.until("the word to all", lambda: all(any(map(put_back, box)) for box in server.post.boxes.values()))
    server.settle()
    server.round()
    assert server.outcome().entry > entry
    assert len(set(message_ids(server))) == len(message_ids(server)) > written, "no letter is taken for an earlier one"
    assert server.deaths == []
    _, *found = call(whole, "doctor").stdout.splitlines()
    assert [line.split(",")[0] for line in found] == ["games.example.org has no address in DNS"], found


def message_ids(server: Installation) -> list[str]:
    """Under which names letters came, receipts and all."""
    return [str(mail.message()["Message-ID"]) for box in server.post.boxes.values() for mail in box]


def put_back(mail: Mail) -> bool:
    """Return True if a letter says that the server was restored from a copy."""
    subject = str(mail.message()["Subject"])
    return "Server restored" in subject or "Serveur rétabli" in subject


def wipe(server: Installation) -> None:
    """The disk is lost."""
    with server.services.db.engine.begin() as connection:
        connection.execute(text("DROP SCHEMA public CASCADE"))
        connection.execute(text("CREATE SCHEMA public"))
    server.services.db.close()
