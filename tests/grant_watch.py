"""A watch over every test: what a process does in the database, its role at PostgreSQL may do (`store/grants.py`).

SQLite knows no roles, so statements are read.  What the test itself does is left out, and so is what the operator's
commands do, who act as the owner of the tables.
"""

import json
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Any, Final

from sqlalchemy import Engine, event
from sqlalchemy.sql.util import find_tables

from pbem.store.database import Database
from pbem.store.models import Base
from pbem.store.row_signatures import RowSigner

TABLES: Final = frozenset(Base.metadata.tables) | {"alembic_version"}
OPENERS: Final = ("transaction", "append_durably", "snapshot", "read", "prepare")
_READ: Final = re.compile(r'\b(?:FROM|JOIN)\s+"?(\w+)|\b(\w+)\.')
_WRITTEN: Final = re.compile(r"\b(INSERT INTO|UPDATE|DELETE FROM)\s+\"?(\w+)")
_LETTERS: Final = {"INSERT INTO": "i", "UPDATE": "u", "DELETE FROM": "d"}

_role: ContextVar[str] = ContextVar("role", default="")
"""The role that acts now; empty for nobody's."""
seen: set[tuple[str, str, str]] = set()


@cache
def needs(statement: str) -> frozenset[tuple[str, str]]:
    """The tables that a statement touches, each with a letter: select, insert, update, delete."""
    found = {(name, "s") for pair in _READ.findall(statement) for name in pair}
    for verb, name in _WRITTEN.findall(statement):
        found.add((name, _LETTERS[verb]))
        if verb == "INSERT INTO":
            found |= {(name, "s")} if " RETURNING " in statement or " ON CONFLICT" in statement else set()
            found |= {(name, "u")} if " DO UPDATE " in statement else set()
        elif verb == "DELETE FROM" and " WHERE " not in statement:
            found.discard((name, "s"))
    return frozenset((name, letter) for name, letter in found if name in TABLES)


def _acting(database: Any) -> str:
    """The role of a process that opens something; nothing for the test itself and for the operator's commands."""
    frame: Any = sys._getframe(2)
    first = True
    while frame is not None:
        name = frame.f_code.co_filename
        if first and not name.endswith(("contextlib.py", "store/database.py", "grant_watch.py")):
            if "/tests/" in name:
                return ""
            first = False
        if "/pbem/cli/" in name or "/pbem/bench/" in name:
            return ""
        frame = frame.f_back
    return str(getattr(database, "watched_role", ""))


def _watched(name: str) -> Any:
    opens = getattr(Database, name)

    @contextmanager
    def opened(self: Database) -> Iterator[Any]:
        before = _role.set(_acting(self))
        try:
            with opens(self) as given:
                yield given
        finally:
            _role.reset(before)

    return opened


def install() -> None:
    """Watch from now on."""
    for name in OPENERS:
        setattr(Database, name, _watched(name))
    signs = Database.with_signer

    def with_signer(self: Database, keys: RowSigner) -> Any:
        own = signs(self, keys)
        own.watched_role = keys._signing.role  # type: ignore[attr-defined]
        return own

    Database.with_signer = with_signer  # type: ignore[assignment,method-assign]
    event.listen(Engine, "before_cursor_execute", _note_statement)
    event.listen(Engine, "before_execute", _note_locks)


def _note_statement(connection: Any, cursor: Any, statement: str, *_: Any) -> None:
    if role := _role.get():
        seen.update((role, name, letter) for name, letter in needs(statement))


def _note_locks(connection: Any, statement: Any, *_: Any) -> None:
    """Locks of rows, which SQLite has not and PostgreSQL gives to those who may update."""
    lock = getattr(statement, "_for_update_arg", None)
    if lock is not None and (role := _role.get()):
        for place in lock.of or statement.get_final_froms():
            seen.update((role, str(table.name), "u") for table in find_tables(place, include_joins=False))


def dump(path: str) -> None:
    with open(f"{path}.{os.getpid()}", "w") as out:
        json.dump(sorted(seen), out)
