"""The scripts for backups: copies are made and encrypted as they are written, put back, and thinned by age."""

import os
import runpy
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyrage
import pytest

from pbem.config.env_reader import ConfigError
from pbem.config.settings import Settings

DEPLOY = Path(__file__).parent.parent / "deploy"


def run(script: str, *words: object, url: str = "", **variables: str) -> subprocess.CompletedProcess[str]:
    """Call one of the scripts, by the interpreter that runs us."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    env = {"PATH": path, "PBEM_DATABASE_URL": url, **variables}
    line = [str(DEPLOY / script), *map(str, words)]
    return subprocess.run(line, env=env, capture_output=True, text=True, check=False, timeout=60)


def test_no_command_line_holds_the_password_of_the_database(tmp_path: Path) -> None:
    """PostgreSQL's programs are told in their environment whom to ask: any user may read a command line."""
    seen = tmp_path / "seen"
    for name in ("pg_dump", "pg_restore", "psql"):
        program = tmp_path / name
        program.write_text(
            f'#!/bin/sh\necho "$0 $* | $PGHOST $PGPORT $PGUSER $PGPASSWORD $PGDATABASE $PGSSLMODE" >> {seen}\n'
        )
        program.chmod(0o755)
    url = "postgresql+psycopg://pbem:Xy%20zzy9@db.example.org:5433/games?sslmode=verify-full"
    (tmp_path / "copy").touch()
    for script, word in (("backup", "copies"), ("restore", "copy")):
        run(script, tmp_path / word, url=url, PATH=f"{tmp_path}:{os.environ['PATH']}")
    lines = [line.split(" | ") for line in seen.read_text().splitlines()]
    assert [line[0].split()[0].rpartition("/")[2] for line in lines] == ["pg_dump", "pg_restore", "psql"]
    assert all(told == "db.example.org 5433 pbem Xy zzy9 games verify-full" for _, told in lines)
    assert not any("Xy" in words or "postgresql" in words for words, _ in lines)
    assert "--dbname games" in lines[1][0]


@contextmanager
def database(place: Path, *statements: str) -> Iterator[sqlite3.Connection]:
    """A connection to a file, after some statements."""
    base = sqlite3.connect(place)
    for statement in statements:
        base.execute(statement)
    base.commit()
    yield base
    base.commit()
    base.close()


TABLES = (
    "CREATE TABLE t (x)",
    "CREATE TABLE heartbeats (name PRIMARY KEY, beat_at)",
    "INSERT INTO t VALUES ('qzvxjword')",
)


def test_what_was_backed_up_can_be_restored(tmp_path: Path) -> None:
    """A copy of a database in use gives back what it held when it was made, and marks it for the clock."""
    place, copies = tmp_path / "pbem.sqlite3", tmp_path / "copies"
    with database(place, "PRAGMA journal_mode=WAL", *TABLES) as base:
        made = run("backup", copies, url=f"sqlite:///{place}")
        assert made.returncode == 0, made.stderr
        base.execute("UPDATE t SET x = 2")
    (copy,) = copies.iterdir()
    assert copy.stat().st_mode & 0o077 == 0
    back = run("restore", copy, url=f"sqlite:///{place}")
    assert back.returncode == 0, back.stderr
    with database(place) as again:
        assert again.execute("SELECT x FROM t").fetchall() == [("qzvxjword",)]
        ((name, beat_at),) = again.execute("SELECT name, beat_at FROM heartbeats").fetchall()
    assert (name, abs(beat_at - 1000 * time.time()) < 600_000) == ("restored", True), "the server tells its players"


@pytest.mark.parametrize("quote", ["", '"', "'"])
def test_the_scripts_take_the_database_and_the_key_from_the_file_of_settings(tmp_path: Path, quote: str) -> None:
    """As root types them: nothing is set in the environment; what is set there counts more."""
    identity = pyrage.x25519.Identity.generate()
    place, other, settings = tmp_path / "pbem.sqlite3", tmp_path / "other.sqlite3", tmp_path / "pbem.env"
    copies, kept = tmp_path / "copies", tmp_path / "identity"
    kept.write_text(f"{identity}\n")
    named = f"PBEM_DATABASE_URL={quote}sqlite:///{place}{quote}\nPBEM_BACKUP_AGE_RECIPIENT={identity.to_public()}\n"
    settings.write_text(f"# PBEM_DATABASE_URL=none\n{named}")
    with database(place, *TABLES) as base:
        made = run("backup", "--env", settings, copies)
        assert made.returncode == 0, made.stderr
        base.execute("UPDATE t SET x = 2")
    (copy,) = copies.iterdir()
    assert copy.suffix == ".age"
    for url, found in (("", place), (f"sqlite:///{other}", other)):
        back = run("restore", "--env", settings, copy, kept, url=url)
        assert back.returncode == 0, back.stderr
        with database(found) as again:
            assert again.execute("SELECT x FROM t").fetchall() == [("qzvxjword",)]


def test_a_copy_opens_only_with_the_key_that_the_server_does_not_hold(tmp_path: Path) -> None:
    """With a public key of the operator's a copy is encrypted, no plain one stays, and only the other half opens it."""
    identity = pyrage.x25519.Identity.generate()
    place, copies, kept = tmp_path / "pbem.sqlite3", tmp_path / "copies", tmp_path / "identity"
    kept.write_text(f"# made today\n{identity}\n")
    with database(place, *TABLES):
        pass
    made = run("backup", copies, url=f"sqlite:///{place}", PBEM_BACKUP_AGE_RECIPIENT=str(identity.to_public()))
    assert made.returncode == 0, made.stderr
    (copy,) = copies.iterdir()
    assert copy.name.endswith(".sqlite3.age")
    assert b"qzvxjword" not in copy.read_bytes()
    place.unlink()
    for other in ((), (tmp_path / "nothing",)):
        assert run("restore", copy, *other, url=f"sqlite:///{place}").returncode != 0
    back = run("restore", copy, kept, url=f"sqlite:///{place}")
    assert back.returncode == 0, back.stderr
    with database(place) as again:
        assert again.execute("SELECT x FROM t").fetchall() == [("qzvxjword",)]


@pytest.mark.parametrize("url", ["sqlite:///{folder}/pbem.sqlite3", "postgresql://pbem@/pbem"])
def test_a_copy_is_encrypted_as_it_is_written(tmp_path: Path, url: str) -> None:
    """If power fails while a copy is encrypted, no file of the disk holds a word of it in clear."""
    copies, tools, temporary = tmp_path / "copies", tmp_path / "tools", tmp_path / "temporary"
    tools.mkdir()
    temporary.mkdir()
    with database(tmp_path / "pbem.sqlite3", *TABLES):
        pass
    dump = tools / "pg_dump"
    takes_file = 'for word; do case $word in --file=*) exec >"${word#--file=}";; esac; done'
    dump.write_text(f"#!/bin/sh\n{takes_file}\necho qzvxjword\n")
    dump.chmod(0o755)
    fails = "import os, types\nx25519 = types.SimpleNamespace(Recipient=types.SimpleNamespace(from_str=str))\n"
    fails += "def encrypt_io(*_): os.kill(os.getppid(), 9), os.kill(os.getpid(), 9)\nencrypt_file = encrypt_io\n"
    (tools / "pyrage.py").write_text(fails)
    paths = {"PATH": f"{tools}:{Path(sys.executable).parent}:{os.environ['PATH']}", "PYTHONPATH": str(tools)}
    run(
        "backup",
        copies,
        url=url.format(folder=tmp_path),
        PBEM_BACKUP_AGE_RECIPIENT="age1zzz",
        TMPDIR=str(temporary),
        **paths,
    )
    assert len(list(copies.iterdir())) == 1, "the copy had begun"
    assert [path for path in (*copies.iterdir(), *temporary.rglob("*")) if b"qzvxjword" in path.read_bytes()] == []


def test_an_encrypted_copy_is_never_in_clear_on_its_way_back(tmp_path: Path) -> None:
    """PostgreSQL's program reads it from a pipe, of which nothing comes to an end if the copy breaks off."""
    identity = pyrage.x25519.Identity.generate()
    (tmp_path / "identity").write_text(f"{identity}\n")
    copy, seen = tmp_path / "copy.age", tmp_path / "seen"
    copy.write_bytes(pyrage.encrypt(b"qzvxjword" * 100_000, [identity.to_public()]))
    program = tmp_path / "pg_restore"
    program.write_text(f"#!/bin/sh\nset -e\ncat >/dev/null\nls -A $TMPDIR >{seen}\n")
    program.chmod(0o755)
    (tmp_path / "psql").symlink_to("pg_restore")
    (tmp_path / "temporary").mkdir()
    variables = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "TMPDIR": str(tmp_path / "temporary")}
    back = run("restore", copy, tmp_path / "identity", url="postgresql://pbem@/pbem", **variables)
    assert (back.returncode, seen.read_text()) == (0, ""), back.stderr
    seen.unlink()
    copy.write_bytes(copy.read_bytes()[:-1])
    assert run("restore", copy, tmp_path / "identity", url="postgresql://pbem@/pbem", **variables).returncode != 0
    assert not seen.exists(), "what broke off was taken for whole"


def test_what_cannot_be_copied_leaves_nothing_behind(tmp_path: Path) -> None:
    """Without a usable key no plain copy is left, and no process starts; without a database the reason is given."""
    sqlite3.connect(tmp_path / "pbem.sqlite3").close()
    made = run(
        "backup", tmp_path / "copies", url=f"sqlite:///{tmp_path}/pbem.sqlite3", PBEM_BACKUP_AGE_RECIPIENT="age1zzz"
    )
    assert made.returncode != 0
    assert list((tmp_path / "copies").iterdir()) == []
    with pytest.raises(ConfigError, match="PBEM_BACKUP_AGE_RECIPIENT"):
        Settings.from_env(
            {**Settings.with_embedded(tmp_path).variables, "PBEM_BACKUP_AGE_RECIPIENT": "age1zzz"}, keys_exist=False
        )
    made = run("backup", tmp_path, url="mysql://x")
    assert (made.returncode, "PBEM_DATABASE_URL" in made.stderr) == (1, True)


def test_copies_are_thinned_by_age() -> None:
    """A year of nightly copies becomes those of two days, a dozen days, some weeks and a year of months, in any case
    the newest; and what is thinned each night keeps as much as what is thinned once.
    """
    now, day = time.time(), 86_400
    code = runpy.run_path(str(DEPLOY / "copies"))
    every = {int(now - number * day) for number in range(800)}
    once = code["kept"](every, now)
    ages = sorted(int((now - moment) / day) for moment in once)
    assert ages[:3] == [0, 1, 2]
    assert 12 <= len([age for age in ages if age <= 14]) <= 15
    assert 25 <= len(ages) <= 36
    assert 330 <= ages[-1] <= 365
    nightly: set[int] = set()
    for moment in sorted(every):
        nightly = code["kept"](nightly | {moment}, moment)
    assert len(nightly) >= len(once) - 6
    for age in (3, 10, 30, 80, 200, 330):
        assert any(abs((now - moment) / day - age) <= 31 for moment in nightly), age
    assert code["kept"]({int(now - 900 * day)}, now), "the newest stays, however old it is"


def test_thinning_touches_copies_alone(tmp_path: Path) -> None:
    """Only files that are named as copies are ever deleted."""
    others = {"pbem-20200102T000000Z.dump.age", "notes", "pbem-20200101T000000Z"}
    for name in ("pbem-20200101T000000Z.dump", *others):
        (tmp_path / name).touch()
    assert run("copies", "thin", tmp_path).returncode == 0
    assert {path.name for path in tmp_path.iterdir()} == others
