"""Backups are proven and encrypted as they are written, put back, and thinned by age."""

import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from unittest.mock import patch

import pyrage
import pytest
from click.testing import CliRunner, Result

from pbem.cli import upkeep
from pbem.cli.main import main
from pbem.config.env_reader import ConfigError
from pbem.config.settings import Settings
from pbem.ops import backup, backup_folder
from pbem.ops.backup import BackupError
from tests import server_templates

IDENTITY = pyrage.x25519.Identity.generate()
POSTGRESQL = "postgresql+psycopg://pbem:Xy%20zzy9@db.example.org:5433/games?sslmode=verify-full"
WORD = "qzvxjword"


@pytest.fixture
def settings(state_dir: Path) -> Settings:
    """A server with the tables of SQLite, in which one word can be found."""
    found = Settings.with_embedded(state_dir)
    server_templates.copy_keys(found.keys_dir)
    server_templates.copy_migrated_database(state_dir / "pbem.sqlite3")
    with opened(found) as base:
        base.execute("CREATE TABLE words (word)")
        base.execute("INSERT INTO words VALUES (?)", (WORD,))
    return found


@contextmanager
def opened(settings: Settings) -> Iterator[sqlite3.Connection]:
    """A connection to the file of a server."""
    base = sqlite3.connect(settings.state_dir / "pbem.sqlite3")
    yield base
    base.commit()
    base.close()


def words(settings: Settings) -> list[str]:
    """What the table holds."""
    with opened(settings) as base:
        return [str(word) for (word,) in base.execute("SELECT word FROM words")]


def encrypted(settings: Settings, recipient: str = str(IDENTITY.to_public())) -> Settings:
    """The same server, whose backups are encrypted."""
    return replace(settings, variables=MappingProxyType({**settings.variables, "PBEM_BACKUP_AGE_RECIPIENT": recipient}))


def on_postgresql(settings: Settings) -> Settings:
    """The same server, with its database elsewhere."""
    return replace(settings, database_url=POSTGRESQL)


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """PostgreSQL's programs, which note in `seen` how they were called; pg_dump writes a word."""
    folder = tmp_path / "programs"
    folder.mkdir()
    note = f'echo "$0 $* | $PGHOST $PGPORT $PGUSER $PGPASSWORD $PGDATABASE $PGSSLMODE" >>{folder}/seen'
    program(folder / "pg_dump", f"{note}; printf 'PGDMP {WORD}'")
    program(folder / "pg_restore", f"cat >/dev/null; {note}")
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    return folder


def program(path: Path, line: str) -> None:
    """A script."""
    path.write_text(f"#!/bin/sh\n{line}\n")
    path.chmod(0o755)


def identity_file(folder: Path) -> Path:
    """The file that the operator keeps elsewhere."""
    (folder / "identity").write_text(f"# made today\n{IDENTITY}\n")
    return folder / "identity"


def test_no_command_line_holds_the_password_of_the_database(
    settings: Settings, programs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PostgreSQL's programs are told in their environment whom to ask: any user may read a command line."""
    monkeypatch.setattr(backup, "mark_restored", lambda url: None)
    made = backup.write(on_postgresql(settings), settings.state_dir)
    backup.put_back(on_postgresql(settings), made, None)
    lines = [line.split(" | ") for line in (programs / "seen").read_text().splitlines()]
    assert sorted(line[0].split()[0].rpartition("/")[2] for line in lines) == ["pg_dump", "pg_restore", "pg_restore"]
    assert all(told == "db.example.org 5433 pbem Xy zzy9 games verify-full" for _, told in lines)
    assert not any("Xy" in words or "postgresql" in words for words, _ in lines)
    assert "--dbname games" in lines[-1][0]


def test_what_was_backed_up_can_be_restored(settings: Settings, checks: list[str]) -> None:
    """A backup of a database in use gives back what it held when it was made, and marks it for the clock."""
    copy = settings.state_dir / "copy"
    with opened(settings) as base:
        base.execute("PRAGMA journal_mode=WAL")
        base.execute("INSERT INTO words VALUES ('in use')")  # not yet committed
        made = command(settings, "backup", str(copy))
    assert f"{copy}: {copy.stat().st_size} bytes, read back to the end" in made.stdout
    assert copy.stat().st_mode & 0o077 == 0
    with opened(settings) as base:
        base.execute("UPDATE words SET word = 'later'")
    command(settings, "restore", str(copy))
    assert words(settings) == [WORD]
    assert checks == ["migrate", "replay --last"]
    with opened(settings) as base:
        ((beat_at,),) = base.execute("SELECT beat_at FROM heartbeats WHERE name = 'restored'").fetchall()
    assert abs(beat_at - 1000 * time.time()) < 600_000, "the server tells its players"


@pytest.fixture
def checks(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was called after a backup was put back; those commands have tests of their own."""
    called: list[str] = []
    monkeypatch.setattr(upkeep, "_call", lambda *words: called.append(" ".join(words)))
    return called


def command(settings: Settings, *words: str, **env: str) -> Result:
    """Call a command, which goes well."""
    with patch.dict(os.environ):  # into which a file of settings is read
        done = CliRunner().invoke(main, list(words), env={**settings.variables, **env})
    assert done.exit_code == 0, done.output
    return done


@pytest.mark.usefixtures("checks")
def test_the_file_of_settings_is_read_and_the_environment_counts_more(settings: Settings) -> None:
    """As it is typed: nothing is set in the environment; what is set there counts more."""
    folder = settings.state_dir
    (folder / "pbem.env").write_text("".join(f"{name}={value}\n" for name, value in settings.variables.items()))
    nothing = replace(settings, variables=MappingProxyType({}))
    line = ("--env", str(folder / "pbem.env"))
    command(nothing, *line, "backup", str(folder / "copy"))
    command(nothing, *line, "restore", str(folder / "copy"), PBEM_DATABASE_URL=f"sqlite:///{folder}/other.sqlite3")
    assert (folder / "other.sqlite3").exists()


def test_a_backup_opens_only_with_the_key_that_the_server_does_not_hold(settings: Settings) -> None:
    """With the operator's public key a backup is encrypted, no plain one stays, and only the other half opens it."""
    folder = settings.state_dir / "backups"
    folder.mkdir()
    copy = backup.write(encrypted(settings), folder)
    assert list(folder.iterdir()) == [copy]
    assert copy.name.endswith(".sqlite3.age")
    assert WORD.encode() not in copy.read_bytes()
    with pytest.raises(BackupError, match="is encrypted: name the file that holds its key"):
        backup.put_back(settings, copy, None)
    other = settings.state_dir / "other"
    for said in ("", f"{pyrage.x25519.Identity.generate()}\n"):
        other.write_text(said)
        with pytest.raises(BackupError, match="key"):
            backup.put_back(settings, copy, other)
    with opened(settings) as base:
        base.execute("UPDATE words SET word = 'later'")
    backup.put_back(settings, copy, identity_file(settings.state_dir))
    assert words(settings) == [WORD]


@pytest.mark.parametrize("postgresql", [False, True])
def test_a_backup_is_encrypted_as_it_is_written(settings: Settings, programs: Path, postgresql: bool) -> None:
    """If power fails while a backup is encrypted, no file of the disk holds a word of it in clear."""
    folder = settings.state_dir / "backups"
    folder.mkdir()
    chosen = encrypted(on_postgresql(settings) if postgresql else settings)
    env = {**chosen.variables, "PBEM_DATABASE_URL": chosen.database_url, "PBEM_BACKUP_AGE_RECIPIENT": "age1zzz"}
    script = (
        "import os, sys, types; sys.modules['pyrage'] = types.SimpleNamespace(EncryptError=OSError, "
        "RecipientError=OSError, x25519=types.SimpleNamespace(Recipient=types.SimpleNamespace(from_str=str)), "
        "encrypt_io=lambda *_: os.kill(os.getpid(), 9)); from pathlib import Path; from types import SimpleNamespace; "
        "from pbem.ops import backup; backup._write_stream(os.environ['PBEM_DATABASE_URL'], 'age1zzz', "
        "open(sys.argv[1], 'wb'))"
    )
    line = [sys.executable, "-c", script, str(folder / "copy.part")]
    root = str(Path(__file__).parents[1])
    died = subprocess.run(line, env={**os.environ, **env, "TMPDIR": str(folder)}, cwd=root, check=False, timeout=60)
    assert died.returncode == -9
    assert len(list(folder.iterdir())) == 1, "the backup had begun"
    assert [path for path in folder.iterdir() if WORD.encode() in path.read_bytes()] == []


def test_an_encrypted_backup_is_never_in_clear_on_its_way_back(
    settings: Settings, programs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PostgreSQL's program reads it from a pipe, of which nothing comes to an end if the backup breaks off."""
    copy, temporary = settings.state_dir / "copy.age", settings.state_dir / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setattr(backup, "mark_restored", lambda url: None)
    program(programs / "pg_restore", f"set -e; cat >/dev/null; ls -A {temporary} >{programs}/seen")
    copy.write_bytes(pyrage.encrypt(WORD.encode() * 100_000, [IDENTITY.to_public()]))
    backup.put_back(on_postgresql(settings), copy, identity_file(settings.state_dir))
    assert (programs / "seen").read_text() == ""
    (programs / "seen").unlink()
    copy.write_bytes(copy.read_bytes()[:-1])
    with pytest.raises(BackupError, match="cannot be opened"):
        backup.put_back(on_postgresql(settings), copy, settings.state_dir / "identity")
    assert not (programs / "seen").exists(), "what broke off was taken for whole"


def test_a_backup_that_cannot_be_read_back_is_none(settings: Settings, programs: Path) -> None:
    """Whether pg_dump fails, or pg_restore cannot read what it wrote: the reason is said, and no file stays."""
    folder = settings.state_dir / "backups"
    folder.mkdir()
    program(programs / "pg_restore", "echo 'pg_restore: error: unexpected end of file' >&2; exit 1")
    with pytest.raises(BackupError, match="pg_restore failed: pg_restore: error: unexpected end of file"):
        backup.write(on_postgresql(settings), folder)
    program(programs / "pg_restore", "cat >/dev/null")
    program(programs / "pg_dump", "echo 'pg_dump: error: connection refused' >&2; exit 1")
    with pytest.raises(BackupError, match="pg_dump failed: pg_dump: error: connection refused"):
        backup.write(on_postgresql(settings), folder)
    assert list(folder.iterdir()) == []


def test_a_damaged_database_is_not_copied_over_good_backups(settings: Settings) -> None:
    """A page of the file was overwritten: it is said, and no file stays."""
    folder, place = settings.state_dir / "backups", settings.state_dir / "pbem.sqlite3"
    folder.mkdir()
    blob = bytearray(place.read_bytes())
    blob[8192:12288] = b"\xff" * 4096
    place.write_bytes(bytes(blob))
    with pytest.raises(BackupError, match=r"damaged|cannot be copied"):
        backup.write(settings, folder)
    assert list(folder.iterdir()) == []


def test_what_cannot_be_copied_leaves_nothing_behind(settings: Settings) -> None:
    """Without a usable key no plain backup is left, and no process starts; nothing is overwritten."""
    folder = settings.state_dir / "backups"
    folder.mkdir()
    with pytest.raises(BackupError, match="PBEM_BACKUP_AGE_RECIPIENT"):
        backup.write(encrypted(settings, "age1zzz"), folder)
    assert list(folder.iterdir()) == []
    with pytest.raises(ConfigError, match="PBEM_BACKUP_AGE_RECIPIENT"):
        Settings.from_env({**settings.variables, "PBEM_BACKUP_AGE_RECIPIENT": "age1zzz"}, keys_exist=False)
    (settings.state_dir / "copy").write_text("mine")
    with pytest.raises(BackupError, match="exists already"):
        backup.write(settings, settings.state_dir / "copy")
    with pytest.raises(BackupError, match="cannot be written: No such file or directory"):
        backup.write(settings, settings.state_dir / "nowhere" / "copy")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"letters", "is no backup"),
        (b"PGDMP", "is of PostgreSQL"),
        (b"SQLite format 3\0", "no database of this server"),
    ],
)
def test_what_is_no_backup_of_this_database_changes_nothing(settings: Settings, content: bytes, said: str) -> None:
    """Another file, another sort of database, or a broken one: the database stays as it is."""
    (settings.state_dir / "copy").write_bytes(content)
    with pytest.raises(BackupError, match=said):
        backup.put_back(settings, settings.state_dir / "copy", None)
    assert words(settings) == [WORD]


def test_backups_are_thinned_by_age() -> None:
    """A year of nightly backups becomes those of two days, a dozen days, some weeks and a year of months, in any case
    the newest; and what is thinned each night keeps as much as what is thinned once.
    """
    now, day = time.time(), 86_400
    every = {int(now - number * day) for number in range(800)}
    once = backup_folder.select_kept(every, now)
    ages = sorted(int((now - moment) / day) for moment in once)
    assert ages[:3] == [0, 1, 2]
    assert 12 <= len([age for age in ages if age <= 14]) <= 15
    assert 25 <= len(ages) <= 36
    assert 330 <= ages[-1] <= 365
    nightly: set[int] = set()
    for moment in sorted(every):
        nightly = backup_folder.select_kept(nightly | {moment}, moment)
    assert len(nightly) >= len(once) - 6
    for age in (3, 10, 30, 80, 200, 330):
        assert any(abs((now - moment) / day - age) <= 31 for moment in nightly), age
    assert backup_folder.select_kept({int(now - 900 * day)}, now), "the newest stays, however old it is"


def test_thinning_touches_backups_alone(tmp_path: Path) -> None:
    """Only files that are named as backups are ever deleted."""
    others = {"pbem-20200102T000000Z.dump.age", "notes", "pbem-20200101T000000Z"}
    for name in ("pbem-20200101T000000Z.dump", *others):
        (tmp_path / name).touch()
    backup_folder.thin(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == others
