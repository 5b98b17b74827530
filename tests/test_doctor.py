"""The doctor asks everything that a server needs, and a process refuses tables that it cannot work with."""

import os
import re
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from time import monotonic, time

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import text

from pbem.app import prepare_worker
from pbem.broker.worker_heartbeats import WorkerHeartbeat
from pbem.cli import main as cli
from pbem.cli.main import main
from pbem.config.settings import Settings
from pbem.mail import smtp_client
from pbem.mail.smtp_server import Server, ServerConfig
from pbem.ops import disk_space, doctor
from pbem.ops.servers import Valkey
from pbem.ops.supervisor import ROLES, WORKERS
from pbem.store.database import Database
from pbem.store.schema import head_revision, incompatibility
from tests import server_templates

SLACK_S = 4.0
"""Less than the doctor's own patience, so that the one set here must have been used."""


@pytest.fixture(autouse=True)
def _skip_narration(monkeypatch: pytest.MonkeyPatch) -> None:
    """The telling of games, which takes long, has tests of its own."""
    monkeypatch.setattr(cli, "_unnarrated_games", list)


def call(settings: Settings, *words: str) -> Result:
    """Call a command of a server."""
    return CliRunner().invoke(main, list(words), env=dict(settings.variables))


def doctor_lines(settings: Settings) -> list[str]:
    """What the doctor says, by the first words of each line."""
    found = call(settings, "doctor")
    assert found.exit_code == 1
    return [" ".join(line.split()[:3]) for line in found.stdout.splitlines() if not line.startswith("The clock ticked")]


def ticked(settings: Settings) -> None:
    """The clock is at work, and so is post."""
    prepare_worker(settings, "mailer")
    database = Database(settings.database_url)
    with database.transaction() as session:
        session.execute(
            text("INSERT INTO heartbeats (name, beat_at) VALUES ('scheduler', :at)"), {"at": int(time() * 1000)}
        )
    database.close()


def show_workers(settings: Settings) -> None:
    """A worker of each role has just shown that it is alive."""
    for role in WORKERS:
        WorkerHeartbeat(settings.redis_url, role)()


@pytest.fixture
def relay() -> Iterator[Server]:
    """A mail server that takes letters."""
    with Server(lambda envelope: None, lambda address: True, ServerConfig(protocol="smtp")) as listener:
        yield listener


@pytest.fixture
def settings(state_dir: Path, relay: Server) -> Settings:
    """A server with keys and tables, of which nothing runs yet."""
    found = Settings.with_embedded(state_dir, relay_port=relay.port)
    server_templates.copy_keys(found.keys_dir)
    server_templates.copy_migrated_database(state_dir / "pbem.sqlite3")
    return found


def test_nothing_is_well_before_any_process_runs(settings: Settings, relay: Server) -> None:
    """On a server that was only set up the doctor names broker, relay, clock and letters' key, and ends with 1."""
    relay.stop()
    assert doctor_lines(settings) == ["The broker does", "The relay does", "There is no", "The clock has"]


def test_a_server_at_work_is_well(settings: Settings) -> None:
    """With broker, relay, room, tables and ticks the doctor finds nothing."""
    ticked(settings)
    with Valkey(settings.state_dir):
        show_workers(settings)
        found = call(settings, "doctor")
    assert re.fullmatch(r"The clock ticked \d+ s ago\.\nNo problems found\.\n", found.stdout)
    assert found.exit_code == 0


def test_a_broker_that_hangs_is_told_soon(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """A broker that takes connections and says nothing is away, and the doctor does not wait for it."""
    monkeypatch.setattr(doctor, "PATIENCE_S", 0.2)
    ticked(settings)
    with Valkey(settings.state_dir) as server:
        os.kill(server.pid, signal.SIGSTOP)
        began = monotonic()
        assert doctor_lines(settings) == ["The broker does"]
        assert monotonic() - began < SLACK_S
        os.kill(server.pid, signal.SIGCONT)


def test_a_mailbox_that_does_not_answer_is_told(settings: Settings, state_dir: Path) -> None:
    """Where letters are fetched, the doctor signs in as the smtp process does, and says why it cannot."""
    ticked(settings)
    (state_dir / "password").write_text("Xyzzy9\n")
    (state_dir / "password").chmod(0o600)
    box = {"HOST": "127.0.0.1", "PORT": "1", "TLS": "none", "USER": "games", "PASSWORD_FILE": f"{state_dir}/password"}
    env = {**settings.variables, **{f"PBEM_MAILBOX_{name}": value for name, value in box.items()}}
    with Valkey(settings.state_dir):
        found = CliRunner().invoke(main, ["doctor"], env=env)
    assert "The mailbox does not answer (nothing listens on that port" in found.stdout
    assert "Xyzzy9" not in found.output


def test_a_full_disk_is_told(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk with less room than is wanted is named with what is left."""
    monkeypatch.setattr(disk_space, "MIN_FREE_BYTES", 2**62)
    ticked(settings)
    with Valkey(settings.state_dir):
        show_workers(settings)
        assert doctor_lines(settings) == ["The disk of"]
    folders = (*disk_space.folders(settings), settings.state_dir / "nowhere")
    assert (disk_space.lowest(folders) or 0) > 0
    monkeypatch.setattr(disk_space, "MIN_FREE_BYTES", 0)
    assert disk_space.lowest(folders) is None


def at_step(url: str, step: int) -> str:
    """What is said of tables that call themselves of such a step."""
    database = Database(url)
    with database.transaction() as session:
        session.execute(text("UPDATE alembic_version SET version_num = :step"), {"step": f"{step:04}"})
    found = incompatibility(database)
    database.close()
    return found


@pytest.mark.parametrize(
    ("ahead", "want"), [(-1, "run pbem migrate"), (0, ""), (1, ""), (2, "install a newer version")]
)
def test_tables_one_step_newer_will_do(ahead: int, want: str, state_dir: Path) -> None:
    """Tables of this version or one step newer are worked with; older ones, and much newer ones, are refused."""
    found = at_step(server_templates.copy_migrated_database(state_dir / "x.sqlite3"), head_revision() + ahead)
    assert want in found
    assert bool(found) == bool(want)


def test_no_process_starts_on_older_tables(settings: Settings) -> None:
    """Each process ends at once with a sentence that says what to do, and so does the doctor."""
    at_step(settings.database_url, head_revision() - 1)
    for role in ROLES:
        found = call(settings, "run", role)
        assert (found.exit_code, "run pbem migrate" in found.stderr) == (1, True), role
    assert "The tables of" in doctor_lines(settings)


def test_a_database_that_is_away_is_a_sentence(settings: Settings) -> None:
    """A process that finds no database says so and ends, so that it is started again."""
    for path in settings.state_dir.glob("pbem.sqlite3*"):
        path.unlink()
    (settings.state_dir / "pbem.sqlite3").mkdir()
    found = call(settings, "run", "scheduler")
    assert (found.exit_code, "does not answer" in found.stderr) == (1, True)
    assert "Traceback" not in found.output


# --- as anybody, and by letter


def without_keys(settings: Settings, *kept: str) -> Settings:
    """The same settings for a user who may read the keys of a few processes only."""
    for file in settings.keys_dir.rglob("*.*"):
        if file.relative_to(settings.keys_dir).parts[0] not in kept:
            file.unlink()
    return settings


@pytest.mark.parametrize(
    ("kept", "unseen"), [(("resolve_game",), "relay and mailbox"), ((), "the keys of games, the seals")]
)
def test_who_may_read_a_part_is_told_what_was_not_looked_at(
    settings: Settings, kept: tuple[str, ...], unseen: str
) -> None:
    """With the keys of one process or of none the doctor looks as far as it can, and names the rest."""
    ticked(settings)
    without_keys(settings, *kept)
    with Valkey(settings.state_dir):
        show_workers(settings)
        found = call(settings, "doctor")
    assert (found.exit_code, "No problems found." in found.stdout) == (0, True)
    assert unseen in found.stderr


def test_settings_that_nobody_could_use_are_sentences(settings: Settings) -> None:
    """Where not even the clock could start, each complaint is a sentence that names its variable."""
    env = {**settings.variables, "PBEM_DATABASE_URL": ""}
    found = CliRunner().invoke(main, ["doctor"], env=env)
    assert found.exit_code == 1
    assert "PBEM_DATABASE_URL is missing" in found.stderr


def test_what_changes_is_mailed_once(settings: Settings) -> None:
    """A trouble is a letter, its minutes passing are none, and its end is one."""
    boxes: list[str] = []
    with Server(
        lambda envelope: boxes.append(envelope.raw.decode()),
        lambda address: True,
        ServerConfig(protocol="smtp"),
    ) as box:
        relay = smtp_client.Relay("127.0.0.1", box.port)
        told = replace(settings, admin_email="root@players.test")
        for found in (
            ["It has waited for 6 min."],
            ["It has waited for 21 min."],
            ["It has waited for 9 min.", "x"],
            [],
        ):
            assert doctor.write_report(told, relay, found) == ""
    assert len(boxes) == 3
    assert "New:\n- It has waited for 6 min." in boxes[0].replace("\r\n", "\n")
    assert "As before:\n- It has waited for 9 min." in boxes[1].replace("\r\n", "\n")
    assert "No problems are left." in boxes[2]


def test_what_the_relay_did_not_take_is_mailed_again(settings: Settings, relay: Server) -> None:
    """Where the relay is away the letter waits for the next time."""
    told = replace(settings, admin_email="root@players.test")
    away = smtp_client.Relay("127.0.0.1", 1)
    assert "not taken" in doctor.write_report(told, away, ["It is late."])
    assert doctor.format_changes(told.state_dir, ["It is late."]) != ""


def test_nothing_is_mailed_without_a_person(settings: Settings) -> None:
    """Without PBEM_ADMIN_EMAIL the command says what is missing."""
    found = call(settings, "doctor", "--mail")
    assert (found.exit_code, "PBEM_ADMIN_EMAIL" in found.stderr) == (1, True)
