"""A watch over every test: what a process does in the database, its role at PostgreSQL may do (`store/grants.py`).

SQLite knows no roles, so statements are read.  What the test itself does is left out, and so is what the operator's
commands do, who act as the owner of the tables.
"""

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
from pbem.store.grants import COLUMNS, GRANTS, LETTERS
from pbem.store.row_signatures import RowSigner

OPENERS: Final = ("transaction", "append_durably", "snapshot", "read", "prepare")
_READ: Final = re.compile(r'\b(?:FROM|JOIN)\s+"?(\w+)|\b(\w+)\.\w+')
_COLUMN: Final = re.compile(r"\b(\w+)\.(\w+)")
_WRITTEN: Final = re.compile(r"\b(INSERT INTO|UPDATE|DELETE FROM)\s+\"?(\w+)")
_LETTERS: Final = {"INSERT INTO": "i", "UPDATE": "u", "DELETE FROM": "d"}

_role: ContextVar[str] = ContextVar("role", default="")
"""The role that acts now; empty for nobody's."""
_locked: dict[tuple[str, tuple[Any, ...]], frozenset[str]] = {}
"""What was found out of statements: their text and what they name as locked, and the tables."""
_refused = set[str]()
"""What PostgreSQL would not have allowed, since this was asked last."""


@cache
def _needs(statement: str) -> frozenset[tuple[str, str]]:
    """The tables that a statement touches, each with the letter of what it does there."""
    found = {(name, "s") for pair in _READ.findall(statement) for name in pair}
    for verb, name in _WRITTEN.findall(statement):
        found.add((name, _LETTERS[verb]))
        if verb == "INSERT INTO":
            found |= {(name, "s")} if " RETURNING " in statement or " ON CONFLICT" in statement else set()
            found |= {(name, "u")} if " DO UPDATE " in statement else set()
        elif verb == "DELETE FROM" and " WHERE " not in statement:
            found.discard((name, "s"))
    return frozenset((name, letter) for name, letter in found if name in GRANTS)


@cache
def _check(role: str, statement: str) -> frozenset[str]:
    """What of a statement a role may not do."""
    columns = COLUMNS.get(role, {})
    wrong = {
        f"{role} may not {LETTERS[letter]} {name}"
        for name, letter in _needs(statement)
        if letter not in GRANTS[name][role] and not (letter == "s" and name in columns)
    }
    named = ((name, column) for name, column in _COLUMN.findall(statement) if name in columns)
    return frozenset(wrong | {f"{role} may not read {n}.{c}" for n, c in named if c not in columns[n]})


def _acting(database: Any) -> str:
    """The role of a process that opens something; nothing for the test itself and for the operator's commands."""
    frame: Any = sys._getframe(2)
    while frame is not None and frame.f_code.co_filename.endswith(("contextlib.py", "/store/database.py")):
        frame = frame.f_back
    if frame is None or "/tests/" in frame.f_code.co_filename:
        return ""
    while frame is not None:
        if "/pbem/cli/" in frame.f_code.co_filename or "/pbem/bench/" in frame.f_code.co_filename:
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

    Database.with_signer = with_signer  # type: ignore[method-assign]
    event.listen(Engine, "before_cursor_execute", _note_statement)


def take_refused() -> set[str]:
    """What has been refused since the last time."""
    found = set(_refused)
    _refused.clear()
    return found


def _note_statement(connection: Any, cursor: Any, statement: str, parameters: Any, context: Any, *_: Any) -> None:
    if role := _role.get():
        _refused.update(_check(role, statement))
        lock = getattr(getattr(context, "invoked_statement", None), "_for_update_arg", None)
        if lock is not None:
            names = _locked_tables(statement, context.invoked_statement, lock)
            _refused.update(f"{role} may not lock {name}" for name in names if "u" not in GRANTS[name][role])


def _locked_tables(text: str, statement: Any, lock: Any) -> frozenset[str]:
    """The tables whose rows a statement locks, which SQLite has no words for; PostgreSQL lets who may update."""
    if (text, places := tuple(lock.of or ())) not in _locked:
        found = (find_tables(place, include_joins=False) for place in places or statement.get_final_froms())
        _locked[text, places] = frozenset(str(table.name) for tables in found for table in tables)
    return _locked[text, places]
