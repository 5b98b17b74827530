"""The work of a transaction done before it, on a look at one moment, and written where nothing of that has changed.

A session that prepares reads and writes nothing: what is added, changed or removed in it is kept, with every statement
by which it has read.  The transaction reads the same again, and writes only if the answers are the same.  So nobody
has to say what the work rests on, and nothing that it rests on can be forgotten.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any, Final, NoReturn

from sqlalchemy import Connection, event, inspect
from sqlalchemy.engine import IteratorResult
from sqlalchemy.engine.result import SimpleResultMetaData
from sqlalchemy.orm import Mapper, ORMExecuteState, Session, sessionmaker
from sqlalchemy.orm.attributes import set_committed_value
from sqlalchemy.sql.schema import ScalarElementColumnDefault

from pbem.store import bulk_writes
from pbem.store.identity_cache import clear_models
from pbem.store.models import Base

Statement = tuple[str, Any]
_WORDS: Final = re.compile(r"\w+")
_COLUMNS: Final = re.compile(r"\w+\.\w+")
_LOCKS: Final = " FOR UPDATE"


class RequiresLock(Exception):
    """This work cannot be prepared: it reads what it would have written, or needs what only a transaction can give."""


class PendingId:
    """The number of a row that is not written yet: the database will give it.  Raises LockNeeded where it is used."""

    def __str__(self) -> str:
        """Raise LockNeeded: nothing can be named by it."""
        raise RequiresLock("the number of a new row")

    def __lt__(self, other: object) -> bool:
        """Raise LockNeeded: it has no place in any order."""
        raise RequiresLock("the number of a new row")

    __gt__ = __lt__


@dataclass(frozen=True)
class WriteSet:
    """What is to be written, and what it rests on: statements with the rows that they found."""

    read: Sequence[tuple[Statement, Sequence[Any]]] = field(repr=False)
    new: Sequence[Base] = field(repr=False)
    changed: Sequence[Base] = field(repr=False)
    removed: Sequence[Base] = field(repr=False)
    statements: Sequence[tuple[Any, Any]] = field(repr=False)

    def __bool__(self) -> bool:
        """Return True if there is anything to write."""
        return any((self.new, self.changed, self.removed, self.statements))

    def write(self, session: Session) -> bool:
        """Write it all in a transaction; False, and nothing is written, where something that was read has changed.

        What locks is read first, for the rest may change until it is locked.
        """
        read = sorted(self.read, key=lambda one: _LOCKS not in one[0][0])
        if any(rows != found for rows, (_, found) in zip(_run_again(session.connection(), read), read, strict=False)):
            return False
        for statement, values in self.statements:
            session.connection().execute(statement, values)
        bulk_writes.bulk_update(session, self.changed)
        bulk_writes.bulk_delete(session, self.removed)  # what takes the place of a row comes after that is gone
        bulk_writes.bulk_insert(session, self.new)
        return True


def _run_again(connection: Connection, read: Iterable[tuple[Statement, object]]) -> Iterable[Sequence[Any]]:
    """What statements find now: as the driver gives it, without a row made an object.

    What the driver cannot do is asked once more in a way by which its error is known to be the database's.
    """
    with closing(connection.connection.cursor()) as cursor:
        for (statement, values), _ in read:
            try:
                cursor.execute(statement, values)
                yield cursor.fetchall()
            except connection.dialect.loaded_dbapi.Error:
                yield connection.exec_driver_sql(statement, values).fetchall()


class SnapshotSession(Session):
    """A session that writes nothing.  Raises LockNeeded where its work would have to see what it has not written."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._added = dict[int, Any]()
        self._reads = dict[tuple[Any, ...], Statement]()
        self._statements = list[tuple[Any, Any]]()
        self._changed_tables = set[str]()
        self._flushed = set[int]()
        self._flushed_counts = (0, 0)
        self._by_key = self._rows_alone = False
        self._lock_reason = ""

    def begin_snapshot(self, options: Mapping[str, Any]) -> None:
        """Begin the look, under these options of its connection."""
        connection = self.connection(execution_options=options)
        event.listen(connection, "before_cursor_execute", self._before_execute, retval=True)

    def to_write_set(self) -> WriteSet:
        """What is to be written; nothing of it belongs to this session any more."""
        if self._lock_reason:
            self.require_lock(self._lock_reason)
        if self._changed_tables & {_table(row) for row in (*self.dirty, *self.deleted)}:
            self.require_lock("a row of a table that a statement changes")
        self._release_ids()
        asked = list(self._reads.values())
        look = [((without_locks(statement), values), None) for statement, values in asked]
        read = list(zip(asked, _run_again(self.connection(), look), strict=True))
        new, changed, removed = list(self.new), list(self.dirty), list(self.deleted)
        self._added.clear()
        self.expunge_all()
        return WriteSet(read, new, changed, removed, self._statements)

    def require_lock(self, why: str) -> NoReturn:
        """Raise LockNeeded; whatever becomes of that, nothing is prepared here any more."""
        self._lock_reason = why
        raise RequiresLock(why)

    # --- what is read

    def _before_execute(
        self, _: Connection, cursor: object, statement: str, values: Any, *more: object
    ) -> tuple[str, Any]:
        """Note a statement; on the way its locks are left out, which the transaction takes.

        Where nothing is to be written before it (`no_autoflush`), its author knows that it finds what lies there.
        """
        by_key, rows_alone = self._by_key or not self.autoflush, self._rows_alone
        self._by_key = self._rows_alone = False
        known = tuple(values.values() if isinstance(values, Mapping) else values)
        lies_there = by_key and not self._changed_tables & _words_of(statement)
        may = statement.startswith("SELECT") and not any(isinstance(value, PendingId) for value in known)
        if not may or not (lies_there or self._is_unaffected(statement, rows_alone)):
            self.require_lock(statement)
        self._reads.setdefault((statement, known), (statement, values))
        return without_locks(statement), values

    def _is_unaffected(self, statement: str, rows_alone: bool) -> bool:
        """Return True if a statement finds what it would find once all is written; rows are as changed here."""
        return not (
            self._changed_columns() & _column_names(statement, rows_alone)
            or self._pending_tables() & _words_of(statement)
        )

    def _pending_tables(self) -> set[str]:
        """The tables in which rows are to be added or removed."""
        return self._changed_tables | {_table(row) for row in (*self.new, *self.deleted)}

    def _changed_columns(self) -> set[str]:
        return {f"{_table(row)}.{name}" for row in self.dirty for name in inspect(row).committed_state}

    def get(self, entity: Any, ident: Any, **named: Any) -> Any:
        """A row by its key, be it one that is to be added."""
        key = ident if isinstance(ident, tuple) else (ident,)
        for row in self.new:
            if isinstance(row, entity) and row.__mapper__.primary_key_from_instance(row) == key:
                return row
        self._by_key = True
        try:
            found = super().get(entity, ident, **named)
        finally:
            self._by_key = False
        if found is not None and (found in self.deleted or _table(found) in self._changed_tables):
            self.require_lock(f"a row of {_table(found)}")
        return found

    # --- what is written

    @property
    def new(self) -> Any:
        """The rows that are to be added, in their order."""
        return self._added.values()

    def add(self, instance: object, *, _warn: bool = True) -> None:
        """Have a row added: what a session does with one so that it can write it later takes as long as to write it."""
        if inspect(instance).key is None:
            self._added[id(instance)] = instance
        else:
            super().add(instance, _warn=_warn)

    def add_statement(self, statement: Any, values: Any, tables: set[str]) -> None:
        """Keep a statement that changes rows of tables for the transaction.

        One that is to say what it did, or of tables that nobody names, needs the lock; and one that would change rows
        which have been read here, for those go on as they were.
        """
        read = self.identity_map.values() if statement.is_update else ()
        held = {_table(row) for row in (*self.new, *self.deleted, *self.dirty, *read)}
        if not tables or tables & held or statement._returning:
            self.require_lock(str(statement))
        self._changed_tables |= tables
        self._statements.append((statement, values))

    def before_select(self, state: ORMExecuteState) -> None:
        """A statement that reads is about to be asked."""
        self._rows_alone = _selects_entities(state.statement)
        anew = state.execution_options.get("populate_existing")
        if anew and any(isinstance(row, mapper.class_) for row in self.dirty for mapper in state.all_mappers):
            self.require_lock(str(state.statement))

    def delete(self, instance: object) -> None:
        """Remove a row, or do not add it after all."""
        if self._added.pop(id(instance), None) is not None:
            self._flushed.discard(id(instance))
            self._flushed_counts = (-1, -1)
            clear_models(self, {type(instance)})
        else:
            super().delete(instance)

    @property
    def has_flushed_all(self) -> bool:
        """Return True if no row was added or removed since the last time that rows would have been written."""
        return self._flushed_counts == (len(self._added), len(self._deleted))

    def flush(self, objects: Sequence[Any] | None = None) -> None:
        """Write nothing; what was read of tables whose rows were added or removed since counts no more."""
        if self.has_flushed_all:
            return
        self._flushed_counts = len(self._added), len(self._deleted)
        fresh = [row for row in (*self.new, *self.deleted) if id(row) not in self._flushed]
        self._flushed |= {id(row) for row in fresh}
        for row in fresh:
            _fill_defaults(row)
        clear_models(self, {type(row) for row in fresh})

    def _release_ids(self) -> None:
        """Leave the numbers of new rows to the database; one that another row has of them needs the lock."""
        for row in self.new:
            for name in _generated_columns(row.__mapper__)[1]:
                if isinstance(getattr(row, name), PendingId):
                    set_committed_value(row, name, None)
        written = (value for row in (*self.new, *self.dirty) for value in vars(row).values())
        if any(isinstance(value, PendingId) for value in written):
            self.require_lock("the number of a new row")

    def begin_nested(self) -> Any:
        """Raise LockNeeded: what may be undone by itself has to be written first."""
        self.require_lock("a savepoint")

    def refresh(self, instance: object, *given: Any, **named: Any) -> None:
        """Leave a row as it stands: all is of one moment.  Raises LockNeeded for one that has been changed since."""
        if instance in self.dirty or id(instance) in self._added:
            self.require_lock("a row read anew")


def require_lock(session: Session) -> None:
    """Raise LockNeeded where work is only prepared: what comes now is done in a transaction."""
    if isinstance(session, SnapshotSession):
        session.require_lock("by its nature")


@lru_cache(maxsize=1024)
def _words_of(statement: str) -> frozenset[str]:
    """All that a statement names."""
    return frozenset(_WORDS.findall(statement))


@lru_cache(maxsize=256)
def _selects_entities(statement: Any) -> bool:
    """Return True if a statement reads whole rows and nothing else."""
    return all(isinstance(one["expr"], type) for one in statement.column_descriptions)


@lru_cache(maxsize=1024)
def _column_names(statement: str, rows_alone: bool) -> frozenset[str]:
    """The columns that a statement reads, or of one that reads rows those by which it finds and orders them."""
    looked_at = statement.partition("\nFROM ")[2] if rows_alone else statement
    return frozenset(_COLUMNS.findall(looked_at.replace('"', "")))


def without_locks(statement: str) -> str:
    """A statement as it looks without locking anything."""
    return statement.partition(_LOCKS)[0]


def _table(row: Any) -> str:
    return str(row.__tablename__)


def _fill_defaults(row: Any) -> None:
    """Give a row what it has once it is written: the values that nobody has to name; its number is not known."""
    defaults, numbers = _generated_columns(row.__mapper__)
    for name, value in defaults.items():
        if getattr(row, name) is None:
            setattr(row, name, value)
    for name in numbers:
        if getattr(row, name) is None:
            set_committed_value(row, name, PendingId())


@cache
def _generated_columns(mapper: Mapper[Any]) -> tuple[Mapping[str, Any], Sequence[str]]:
    """The columns of a table that may be left open, with their values, and those by which a row is found."""
    named = [(mapper.get_property_by_column(column).key, column) for column in mapper.columns]
    defaults = {name: c.default.arg for name, c in named if isinstance(c.default, ScalarElementColumnDefault)}
    return defaults, [name for name, column in named if column.primary_key]


def install_listeners(sessions: sessionmaker[SnapshotSession]) -> None:
    """Let the sessions made here keep what would be written."""
    event.listen(sessions, "do_orm_execute", _on_execute)


def _on_execute(state: ORMExecuteState) -> Any:
    session: Any = state.session
    if state.is_select:
        session.before_select(state)
        return None
    session.add_statement(state.statement, state.parameters, {_table(mapper.class_) for mapper in state.all_mappers})
    return IteratorResult(SimpleResultMetaData([]), iter(()))
