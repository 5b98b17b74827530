"""Misconfigured on purpose, in each way that FAULTS.md lists: it is said in a sentence that is enough to repair it."""

import os
import re
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from pbem.app import prepare_worker, relay_settings
from pbem.cli.main import main
from pbem.config.env_reader import ConfigError
from pbem.config.settings import Settings
from pbem.crypto import KeyFolder
from pbem.ops import doctor, outside
from pbem.ops.servers import ServerError, Valkey, free_port
from pbem.ops.supervisor import Supervisor
from pbem.store.database import Database
from tests import server_templates

FAULTS = (Path(__file__).parents[1] / "deploy" / "FAULTS.md").read_text(encoding="utf-8")
ROWS = dict(re.findall(r"^\| ([^|]+) \| (?:setup|start|doctor|start, doctor) \| “([^|]+)” \|$", FAULTS, re.MULTILINE))
"""What is wrong, and a part of the sentence that says so."""


@pytest.fixture
def server(state_dir: Path) -> Settings:
    """A server where nothing is wrong yet."""
    found = Settings.with_embedded(state_dir, http_port=free_port(), smtp_port=free_port(), lmtp_port=free_port())
    server_templates.copy_keys(found.keys_dir)
    server_templates.copy_migrated_database(state_dir / "pbem.sqlite3")
    return found


def starting(**changes: str) -> Callable[[Settings], str]:
    """What every process says that is started with such settings."""

    def start(server: Settings) -> str:
        folder = server.state_dir
        (folder / "open").write_text("xyzzy")
        (folder / "open").chmod(0o644)
        changed = {f"PBEM_{name}": value.replace("{state}", str(folder)) for name, value in changes.items()}
        with pytest.raises(ConfigError) as refused:
            Settings.from_env({**server.variables, **changed})
        return str(refused.value)

    return start


def asked(server: Settings, **changes: str) -> str:
    """What the doctor says of broker, relay, disks and what others see."""
    changed = Settings.from_env({**server.variables, **{f"PBEM_{name}": value for name, value in changes.items()}})
    return "\n".join(doctor.list_problems(changed, relay_settings(changed)))


def doctor_of(**changes: str) -> Callable[[Settings], str]:
    """The same, of a server with other settings."""
    return lambda server: asked(server, **changes)


def seen_from_outside(**changes: str) -> Callable[[Settings], str]:
    """What the doctor finds at the public address of a server in production."""
    return lambda server: "\n".join(outside.list_problems(replace(server, production=True, **changes)))  # type: ignore[arg-type]


@contextmanager
def answering(*answers: bytes) -> Iterator[int]:
    """A server that greets and answers each line like this; its port."""
    with socket.create_server(("127.0.0.1", 0)) as door:

        def serve() -> None:
            with door.accept()[0] as line, line.makefile("rb") as asked:
                for answer in answers:
                    line.sendall(answer)
                    asked.readline()

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield door.getsockname()[1]
        thread.join(10)


def refused_login(server: Settings) -> str:
    """The relay wants another password."""
    secret = server.state_dir / "secret"
    secret.write_text("wrong")
    secret.chmod(0o600)
    with answering(b"220 relay\r\n", b"250-relay\r\n250 AUTH PLAIN\r\n", b"535 no\r\n", b"535 no\r\n") as port:
        named = {"RELAY_USER": "games", "RELAY_PASSWORD_FILE": str(secret), "RELAY_TLS": "none"}
        return asked(server, RELAY_HOST="127.0.0.1", RELAY_PORT=str(port), **named)


def without_tls(server: Settings) -> str:
    """The relay speaks no TLS on that port."""
    with answering(b"220 relay\r\n") as port:
        return asked(server, RELAY_HOST="127.0.0.1", RELAY_PORT=str(port), RELAY_TLS="tls")


def of_another_site(server: Settings) -> str:
    """The proxy sends the name of these pages to other pages."""
    with answering(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi") as port:
        return seen_from_outside(public_url=f"http://127.0.0.1:{port}")(server)


def full_disk(server: Settings) -> str:
    """The disk has room for one more letter."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shutil, "disk_usage", lambda folder: SimpleNamespace(free=1_000_000))
        return asked(server)


def foreign_folder(server: Settings) -> str:
    """The state folder is another user's."""
    with pytest.MonkeyPatch.context() as patch:
        allowed = os.access
        patch.setattr(os, "access", lambda path, mode: path != server.state_dir and allowed(path, mode))
        return asked(server)


def foreign_keys(server: Settings) -> str:
    """All keys are root's, and a user starts the server."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "access", lambda path, mode: False)
        return starting()(server)


def keys_of_another_machine(server: Settings) -> str:
    """The keys were made on this machine, too, instead of being copied; what a process, `up` and the doctor say."""
    prepare_worker(server, "mailer")
    KeyFolder.create(server.state_dir / "others")
    env = {**os.environ, **server.variables, "PBEM_KEYS_DIR": str(server.state_dir / "others")}
    calls = [("doctor",), ("up",), ("run", "smtp")]
    line = [sys.executable, "-m", "pbem.cli.main"]
    said = []
    for words in calls:
        asked = subprocess.run([*line, *words], env=env, capture_output=True, text=True, timeout=300, check=False)
        assert asked.returncode == 1, words
        assert "verify.pub names. Copy the folder" in asked.stdout + asked.stderr, (words, asked)
        assert "Rows of" not in asked.stdout, "nobody is told that the database was written to"
        said.append(asked.stdout + asked.stderr)
    return "\n".join(said)


def schema_of(url: str) -> Callable[[Settings], str]:
    """What the doctor says of a database."""
    return lambda server: "\n".join(doctor.check_schema(url.replace("{state}", str(server.state_dir))))


def newer_tables(server: Settings) -> str:
    """A version that is newer by far has migrated them."""
    database = Database(server.database_url)
    with database.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    database.close()
    return schema_of(server.database_url)(server)


def twice(server: Settings) -> str:
    """Two servers are started on one folder, hence on one database."""
    with Valkey(server.state_dir), pytest.raises(ServerError) as refused:
        Supervisor(server, ()).start()
    return str(refused.value)


def in_setup(**changes: str) -> Callable[[Settings], str]:
    """What `pbem setup` says of an answer."""

    def call(server: Settings) -> str:
        secret = server.state_dir / "given"
        secret.write_text("xyzzy")
        right = {"address": "games@provider.test", "incoming": "127.0.0.1:1", "outgoing": "127.0.0.1:1", "person": ""}
        words = [word for name, value in {**right, **changes}.items() for word in (f"--{name}", value)]
        line = ["setup", "--folder", str(server.state_dir / "new"), "--password-file", str(secret), "--plus", *words]
        return CliRunner().invoke(main, line).stderr

    return call


CASES: dict[str, Callable[[Settings], str]] = {
    "the zone": starting(TIME_ZONE="Europe/Pariss"),
    "a setting's name": starting(MAIL_DOMAN="games.example.org"),
    "a port": starting(RELAY_PORT="25a"),
    "no keys": starting(KEYS_DIR="{state}/nothing"),
    "a secret that others can read": starting(RELAY_USER="games", RELAY_PASSWORD_FILE="{state}/open"),
    "the sort of database": starting(DATABASE_URL="mysql://games"),
    "pages without TLS": starting(PRODUCTION="yes", PUBLIC_URL="http://games.example.org"),
    "the key for backups": starting(BACKUP_AGE_RECIPIENT="age1x"),
    "two servers on one folder": twice,
    "the mailbox's port": in_setup(),
    "the mailbox's server": in_setup(incoming="mail.invalid"),
    "the mailbox's address": in_setup(address="games"),
    "the broker's port": doctor_of(BROKER_URL="redis://127.0.0.1:1/0"),
    "the relay's port": doctor_of(RELAY_HOST="127.0.0.1", RELAY_PORT="1"),
    "the relay's name": doctor_of(RELAY_HOST="relay.invalid"),
    "the relay's password": refused_login,
    "the relay's TLS": without_tls,
    "the database's port": schema_of("postgresql://pbem@127.0.0.1:1/pbem"),
    "a database without tables": schema_of("sqlite:///{state}/empty.sqlite3"),
    "a program older than the tables": newer_tables,
    "keys of another user": foreign_keys,
    "keys of another machine": keys_of_another_machine,
    "a full disk": full_disk,
    "a folder of another user": foreign_folder,
    "the name of the pages": seen_from_outside(public_url="https://games.invalid"),
    "a proxy that is stopped": seen_from_outside(public_url="http://127.0.0.1:1"),
    "a proxy for another site": of_another_site,
    "the port of the mail door": seen_from_outside(),
}


@pytest.mark.parametrize("what", sorted({*CASES, *ROWS}))
def test_what_is_wrong_is_said_in_a_sentence_that_repairs_it(what: str, server: Settings) -> None:
    """It says what FAULTS.md quotes, without a name of Python's, and no secret."""
    said = CASES[what](server)
    assert ROWS[what] in said
    assert not re.search(r"\b[A-Z][a-zA-Z]*(Error|Exception)\b|Traceback|xyzzy", said), said
