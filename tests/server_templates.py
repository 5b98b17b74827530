"""What every test server begins with, made once in a run and copied: folders of keys, an empty database.

A database is empty but for the first key that letters are sealed to, whose private half lies with the keys of post.
"""

import atexit
import itertools
import os
import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from sqlite3 import connect
from tempfile import mkdtemp
from typing import Final
from weakref import WeakSet

from sqlalchemy import Engine, event, insert, text
from sqlalchemy.pool import QueuePool

from pbem.crypto import KeyFolder, MailerKeys
from pbem.ops.servers import Postgres
from pbem.service.base.services import Services, with_keys
from pbem.service.mail import daily_keys
from pbem.store.database import Database
from pbem.store.models import Base, DailyKey
from pbem.store.schema import upgrade
from tests import made_once

MAX_SERVERS: Final = 4
"""No test has more servers than this, which must not open what is sealed to each other."""

START_TIME: Final = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
"""When every test server begins."""

_of: dict[Path, int] = {}
_first: dict[str, Engine] = {}
_files = WeakSet[Engine]()
_numbers = itertools.count(1)


def copy_keys(path: Path, number: int = 0) -> KeyFolder:
    """A folder of keys, one for each number below `SERVERS`; `path`: a folder that does not exist yet."""
    shutil.copytree(_templates() / f"keys-{number}", path)
    _of[path] = number
    return KeyFolder(path)


def link_keys(path: Path, number: int = 0) -> KeyFolder:
    """The same in a fraction of the time, for tests that give no key file another owner or mode."""
    _of[path] = number
    return link_key_folder(_templates() / f"keys-{number}", path)


def link_key_folder(source: Path, path: Path) -> KeyFolder:
    """Put hard links to the keys of a folder into a new one: a server replaces them, but overwrites its daily keys."""

    def link(file: str, name: str) -> None:
        if Path(file).parent.parent == source:
            os.link(file, name)
        else:
            shutil.copy2(file, name)

    shutil.copytree(source, path, copy_function=link)
    return KeyFolder(path)


def copy_database(path: Path, keys: KeyFolder) -> Database:
    """A database with all tables for a server of these keys, within `on` at PostgreSQL, else SQLite in this file.

    It is not flushed to the disk, for no test takes the power away.
    """
    empty = _templates() / f"empty-{_of[keys.path]}.sqlite3"
    if _here:
        return _here[-1].database(empty)
    shutil.copyfile(empty, path)
    db = share_compiled_statements(Database(f"sqlite:///{path}"))
    event.listen(db.engine, "connect", lambda connection, _: connection.execute("PRAGMA synchronous=OFF"))
    _files.add(db.engine)
    return db


def copy_migrated_database(path: Path) -> str:
    """Put a database that migrations have made into a new file; its address."""
    shutil.copyfile(_migrated(), path)
    return f"sqlite:///{path}"


def share_compiled_statements(db: Database) -> Database:
    """Let what was compiled for one database of tests serve this one too: their statements are the same."""
    engine, first = db.engine, _first.setdefault(db.engine.dialect.name, db.engine)
    engine.dialect = engine.pool._dialect = first.dialect
    engine._compiled_cache = first._compiled_cache
    return db


def is_unopened(db: Database) -> bool:
    """Return True if nobody has looked into this file since it was copied."""
    pool = db.engine.pool
    return db.engine in _files and isinstance(pool, QueuePool) and not pool.checkedin() + pool.checkedout()


def save_copy(db: Database) -> Path:
    """A copy of what this file holds now."""
    path = _templates() / f"kept-{os.getpid()}-{next(_numbers)}.sqlite3"
    with closing(connect(str(db.url.database))) as source, closing(connect(path)) as copy:
        copy.execute("PRAGMA synchronous=OFF")
        source.backup(copy)
    return path


def restore_copy(path: Path, db: Database) -> None:
    """Such a copy in place of what this file holds; it must be `untouched`."""
    shutil.copyfile(path, str(db.url.database))
    _files.discard(db.engine)


@contextmanager
def use_postgres(server: Postgres) -> Iterator[None]:
    """Databases are made at this server meanwhile, and removed afterwards."""
    copies = _PostgresCopies(server)
    _here.append(copies)
    try:
        yield
    finally:
        _here.remove(copies)
        copies.remove()


class _PostgresCopies:
    """Databases that were copied at a server."""

    def __init__(self, server: Postgres) -> None:
        self.server = server
        self.made: list[Database] = []

    def database(self, empty: Path) -> Database:
        """A copy of a template, with the first key of a server's letters as it stands in this file."""
        _template(self.server)
        name = f"copy_{next(_numbers)}"
        self.server.run(f"CREATE DATABASE {name} TEMPLATE empty")
        self.made.append(share_compiled_statements(Database(self.server.url_of(name))))
        with closing(connect(empty)) as source, self.made[-1].engine.begin() as target:
            columns = [column.name for column in DailyKey.__table__.columns]
            for row in source.execute(f"SELECT {', '.join(columns)} FROM daily_keys"):
                target.execute(insert(DailyKey), dict(zip(columns, row, strict=True)))
            target.execute(text("SELECT setval(pg_get_serial_sequence('daily_keys', 'id'), 1)"))
        return self.made[-1]

    def remove(self) -> None:
        for db in self.made:
            db.close()
            self.server.run(f"DROP DATABASE {db.url.database} WITH (FORCE)")


_here: list[_PostgresCopies] = []


@cache
def _template(server: Postgres) -> None:
    server.run("CREATE DATABASE empty")
    db = Database(server.url_of("empty"))
    Base.metadata.create_all(db.engine)
    share_compiled_statements(db).close()


@cache
def _migrated() -> Path:
    path = _templates() / "migrated.sqlite3"
    with made_once.locked(path):
        if not path.exists():
            draft = path.with_suffix(".draft")
            upgrade(f"sqlite:///{draft}")
            draft.rename(path)
    return path


@cache
def _templates() -> Path:
    run = made_once.run_folder()
    if run is None:
        run = Path(mkdtemp(prefix="pbem-once-"))
        atexit.register(shutil.rmtree, run, ignore_errors=True)
    folder = run / "servers"
    with made_once.locked(folder):
        if not folder.exists():
            draft = run / "draft"
            draft.mkdir()
            _make_templates(draft)
            draft.rename(folder)
    return folder


def _make_templates(folder: Path) -> None:
    tables = folder / "tables.sqlite3"
    made = Database(f"sqlite:///{tables}")
    Base.metadata.create_all(made.engine)
    made.close()
    for number in range(MAX_SERVERS):
        keys = KeyFolder.create(folder / f"keys-{number}")
        empty = folder / f"empty-{number}.sqlite3"
        shutil.copyfile(tables, empty)
        db = share_compiled_statements(Database(f"sqlite:///{empty}"))
        post = Services(db, {}, "https://games.test", "games.test", clock=lambda: START_TIME)
        daily_keys.rotate(with_keys(post, MailerKeys.load(keys.folder_of("mailer"))))
        db.close()
