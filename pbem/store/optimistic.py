"""Load, decide, commit: work decided on a snapshot without a lock, and written where nothing has moved since.

A `SnapshotSession` reads one moment and writes nothing.  What is added, changed or removed in it becomes a `WriteSet`,
which one short transaction writes, if the games and people that were loaded still have the versions that were seen.
What would have to see its own writing asks for the lock instead.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any, NoReturn

from sqlalchemy import Column, Table, event, inspect
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import ORMExecuteState, Session
from sqlalchemy.orm.attributes import set_committed_value
from sqlalchemy.orm.exc import StaleDataError
from sqlalchemy.sql import visitors

from pbem.store import row_signatures
from pbem.store.models import Base
from pbem.store.models.base import SignedRow
from pbem.store.query_cache import clear_models
from pbem.store.versions import ConflictError, Versions, check_and_raise, seen_versions


class RequiresLock(Exception):
    """This work cannot be done on a snapshot: it reads what it would have written, or needs a transaction's locks."""


class PendingId:
    """The number of a row that is not written yet.  Raises RequiresLock where it is used as one."""

    def __str__(self) -> str:
        """Raise RequiresLock: nothing can be named by it."""
        raise RequiresLock("the number of a new row")

    def __lt__(self, other: object) -> bool:
        """Raise RequiresLock: it has no place in any order."""
        raise RequiresLock("the number of a new row")

    def __clause_element__(self) -> object:
        """Raise RequiresLock: nothing is found by it."""
        raise RequiresLock("the number of a new row")

    __gt__ = __lt__


@dataclass(frozen=True)
class WriteSet:
    """What is to be written, and the versions that it rests on."""

    seen: Versions
    inserts: Sequence[Base] = field(repr=False)
    updates: Sequence[Base] = field(repr=False)
    deletes: Sequence[Base] = field(repr=False)

    def __bool__(self) -> bool:
        """Return True if there is anything to write."""
        return any((self.inserts, self.updates, self.deletes))

    def apply(self, session: Session) -> None:
        """Write it all in a transaction; raises ConflictError, which has to undo that, where something has moved."""
        check_and_raise(session, self.seen, (*self.inserts, *self.updates, *self.deletes))
        try:
            session.add_all(self.updates)
            for row in self.deletes:
                session.delete(row)
            session.flush()  # what takes the place of a row comes after that is gone
            _insert(session, self.inserts)
        except (IntegrityError, StaleDataError) as error:
            raise ConflictError from error


def _insert(session: Session, rows: Sequence[Base]) -> None:
    """Save new rows in bulk.

    With a plain `add_all` a cycle takes 3 % more CPU time and holds the lock a sixth longer: SQLite would insert rows
    with numbers one by one.
    """
    row_signatures.sign_new_rows(session, rows)
    session.add_all(row for row in rows if isinstance(row, SignedRow) and row.signed is None)
    session.flush()
    order = _table_order()
    session.bulk_save_objects(sorted((row for row in rows if row not in session), key=lambda row: order[_table(row)]))


@cache
def _table_order() -> Mapping[str, int]:
    """The place of each table among all, those that others refer to first."""
    return {table.name: place for place, table in enumerate(Base.metadata.sorted_tables)}


class SnapshotSession(Session):
    """A session that writes nothing.  Raises RequiresLock where its work would have to see what it has not written."""

    never_flushes = True

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._touched = dict[str, dict[int, Any]]()
        """The tables of which rows are added or removed, with those to be added, by their addresses in memory."""
        self._lock_reason = ""

    def to_write_set(self) -> WriteSet:
        """What is to be written; nothing of it belongs to this session any more."""
        if self._lock_reason:
            self.require_lock(self._lock_reason)
        new, changed, removed = list(self.new), list(self.dirty), list(self.deleted)
        for row in new:
            for name in row_signatures.key_names(row.__mapper__):
                if isinstance(getattr(row, name), PendingId):
                    set_committed_value(row, name, None)  # the database gives it
        if any(isinstance(value, PendingId) for row in (*new, *changed) for value in vars(row).values()):
            self.require_lock("the number of a new row")
        self.expunge_all()
        return WriteSet(seen_versions(self), new, changed, removed)

    def require_lock(self, why: str) -> NoReturn:
        """Raise RequiresLock; whatever becomes of that, this session makes no write set any more."""
        self._lock_reason = why
        raise RequiresLock(why)

    def add(self, instance: object, *, _warn: bool = True) -> None:
        """Have a row added; its number is not known before it is written."""
        super().add(instance, _warn=_warn)
        self._touch(instance)[id(instance)] = instance
        for name in row_signatures.key_names(instance.__mapper__):  # type: ignore[attr-defined]
            if getattr(instance, name) is None:
                set_committed_value(instance, name, PendingId())

    def delete(self, instance: object) -> None:
        """Remove a row, or do not add it after all."""
        if instance in self.new:
            self.expunge(instance)
        else:
            super().delete(instance)
        self._touch(instance).pop(id(instance), None)

    def _touch(self, row: object) -> dict[int, Any]:
        clear_models(self, {type(row)})
        return self._touched.setdefault(_table(row), {})

    def get(self, entity: Any, ident: Any, **named: Any) -> Any:
        """A row by its key, be it one that is to be added."""
        key = ident if isinstance(ident, tuple) else (ident,)
        for row in self._touched.get(entity.__tablename__, {}).values():
            if row.__mapper__.primary_key_from_instance(row) == key:
                return row
        with self.no_autoflush:
            found = super().get(entity, ident, **named)
        if found is not None and found in self.deleted:
            self.require_lock(f"a row of {_table(found)}")
        return found

    def check_read(self, statement: Any, values: Any) -> None:
        """Raise RequiresLock for a statement that would find something else once all is written.

        Rows that it finds are as changed here, so of changed ones only the columns count by which it looks for them.
        Under `no_autoflush` its author knows that it finds what is written already.
        """
        given = list((values or {}).values())
        if any(isinstance(value, PendingId) for one in given for value in (one if isinstance(one, list) else [one])):
            self.require_lock("the number of a new row")
        if self.autoflush and (self._touched or self.dirty):
            tables, columns = _names_in(statement)
            concerned = [(_table(row), row) for row in self.dirty if _table(row) in tables]
            changed = {f"{table}.{name}" for table, row in concerned for name in inspect(row).committed_state}
            if tables & self._touched.keys() or columns & changed:
                self.require_lock(str(statement))

    def flush(self, objects: Sequence[Any] | None = None) -> None:
        """Write nothing."""

    def begin_nested(self) -> Any:
        """Raise RequiresLock: what may be undone by itself has to be written first."""
        self.require_lock("a savepoint")


def require_lock(session: Session) -> None:
    """Raise RequiresLock on a snapshot: what comes now is done in a transaction that holds its locks."""
    if isinstance(session, SnapshotSession):
        session.require_lock("by its nature")


@lru_cache(maxsize=1024)
def _names_in(statement: Any) -> tuple[frozenset[str], frozenset[str]]:
    """The tables that a statement reads, and the columns that it names; of whole rows those by which it finds them."""
    found = list(visitors.iterate(statement))
    columns = [base for one in found if isinstance(one, Column) for base in one.base_columns]
    tables = [*(one for one in found if isinstance(one, Table)), *(one.table for one in columns)]
    return frozenset(one.name for one in tables), frozenset(f"{one.table.name}.{one.name}" for one in columns)


def _table(row: Any) -> str:
    return str(row.__tablename__)


def install_listeners(sessions: type[Session]) -> None:
    """Let sessions of this class refuse what they cannot answer."""
    event.listen(sessions, "do_orm_execute", _on_execute)


def _on_execute(state: ORMExecuteState) -> None:
    session: Any = state.session
    if not state.is_select:
        session.require_lock(str(state.statement))
    session.check_read(state.statement, state.parameters)
