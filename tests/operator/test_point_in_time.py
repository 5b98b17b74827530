"""PostgreSQL put back from its archive to a moment between two letters: all before it is there, nothing after."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import func, select

from engine import GAMES
from pbem.ops.servers import Postgres, find_server
from pbem.store.database import Database
from pbem.store.models import Game, InboundEmail
from tests.crashes.server import Server, running
from tests.operator.hosts import run
from tests.operator.runbook import call

pytestmark = [pytest.mark.night, pytest.mark.timeout(900)]


class Archived(Postgres):
    """A PostgreSQL that puts its log away, piece by piece."""

    def start(self) -> None:
        """Start it, and again with the archive on."""
        super().start()
        archive = self._made("archive")
        self.run("ALTER SYSTEM SET archive_mode = on")
        self.run(f"ALTER SYSTEM SET archive_command = 'test ! -f {archive}/%f && cp %p {archive}/%f'")
        self.halt()
        self.resume()

    def copied(self) -> Path:
        """A copy of the whole cluster, made while it runs."""
        copy = self._made("copy")
        asked = f"host={self.folder} user=postgres"
        run(str(find_server("postgres").with_name("pg_basebackup")), "-d", asked, "-D", str(copy), "-c", "fast")
        return copy

    def moment(self) -> str:
        """What time it is there."""
        return str(self.query("SELECT now()"))

    def put_away(self) -> None:
        """Put away what is written so far, and wait until it is there."""
        last = str(self.query("SELECT pg_walfile_name(pg_switch_wal())"))
        while str(self.query("SELECT last_archived_wal FROM pg_stat_archiver")) < last:
            pass

    def query(self, statement: str) -> object:
        """What it answers."""
        import psycopg

        with psycopg.connect(f"host={self.folder} user=postgres dbname=postgres", autocommit=True) as connection:
            row = connection.execute(statement).fetchone()
        assert row is not None
        return row[0]

    def _made(self, name: str) -> Path:
        folder = self.folder / name
        folder.mkdir(mode=0o700)
        if self._user:
            os.chown(folder, self._user.pw_uid, self._user.pw_gid)
        return folder


class PutBack(Archived):
    """The same cluster at an earlier moment, as the runbook brings it back."""

    def __init__(self, copy: Path, archive: Path, moment: str) -> None:
        super().__init__()
        self._copy, self._archive, self._moment = copy, archive, moment

    def start(self) -> None:
        """Start, and wait until it has told its log up to that moment."""
        Postgres.start(self)
        while self.query("SELECT pg_is_in_recovery()"):
            pass

    def _make_cluster(self, initdb: Path) -> None:
        data = self.folder / "data"
        shutil.copytree(self._copy, data)
        (data / "recovery.signal").touch()
        with (data / "postgresql.auto.conf").open("a", encoding="ascii") as file:
            file.write(f"restore_command = 'cp {self._archive}/%f %p'\nrecovery_target_time = '{self._moment}'\n")
            file.write("recovery_target_action = 'promote'\narchive_mode = off\n")
        data.chmod(0o700)
        for path in (data, *data.rglob("*")):
            if self._user:
                os.chown(path, self._user.pw_uid, self._user.pw_gid)


@pytest.fixture
def archived() -> Iterator[Archived]:
    """A PostgreSQL with an archive, if its own programs are here."""
    if not find_server("postgres").with_name("pg_basebackup").exists():
        pytest.skip("PostgreSQL's own pg_basebackup is not installed here")
    with Archived() as found:
        yield found


def known(url: str) -> tuple[int, int]:
    """How many letters have come in, and how far the game has got."""
    database = Database(url)
    with database.snapshot() as session:
        found = session.scalar(select(func.count()).select_from(InboundEmail)), session.scalar(select(Game.entry))
    database.close()
    return found[0] or 0, found[1] or 0


def command(server: Server, url: str, *words: str) -> None:
    """An operator's command on another database, which must succeed."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("PBEM_")}
    done = call(
        {**plain, **server.settings.variables, "PBEM_DATABASE_URL": url, "PBEM_ALLOW_SHARED_USER": "yes"}, *words
    )
    assert done.returncode == 0, done.stderr


def test_a_database_is_put_back_to_a_moment_between_two_letters(archived: Archived) -> None:
    """The copy of the morning and the log up to that moment: the round before it stands, and its keys open it."""
    with running(next(iter(GAMES)), archived.url) as server:
        copy = archived.copied()
        server.round()
        before, moment = known(archived.url), archived.moment()
        server.round()
        assert known(archived.url) > before
        server.server.stop()  # nothing may write while a database is put back, and the command refuses if something may
        archived.put_away()
        with PutBack(copy, archived.folder / "archive", moment) as earlier:
            assert known(earlier.url) == before
            command(server, earlier.url, "restore", "--as-it-is")
