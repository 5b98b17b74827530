"""Rows written as they were prepared: a few statements made once, each for many rows, and no object told of it.

What the session of an ORM does for each row, to know afterwards how it stands, takes ten times as long as writing it.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Final, cast

from sqlalchemy import JSON, Delete, Dialect, Insert, Table, Update, bindparam, inspect
from sqlalchemy.orm import Mapper, Session
from sqlalchemy.orm.base import NO_VALUE

from pbem.store import row_signatures
from pbem.store.models.base import Base, SignedRow

_KEY_PREFIX: Final = "at_"
"""Before the names of columns by which a row is found."""
Values = dict[str, Any]


def bulk_update(session: Session, rows: Iterable[Base]) -> None:
    """Write the columns of rows that were changed; those of rows that are signed with a signature that fits."""
    alike = defaultdict[tuple[Mapper[Any], tuple[str, ...]], list[Base]](list)
    for row in rows:
        if changed := _changed_columns(row):
            alike[row.__mapper__, changed].append(row)
    for (mapper, names), same in _sort_by_dependency(alike):
        places = [_primary_key(mapper, row) for row in same]
        changes = [{name: getattr(row, name) for name in names} for row in same]
        signed = row_signatures.update_signatures(session, mapper, places, changes)
        written = [change | more for change, more in zip(changes, signed, strict=True)]
        values = [_key_parameters(place) | one for place, one in zip(places, written, strict=True)]
        found = execute_many(session, _update(mapper, tuple(written[0])), values)
        if found != len(values):
            raise LookupError(f"{len(values)} rows were to be changed, and {found} were there")


def bulk_delete(session: Session, rows: Iterable[Base]) -> None:
    """Remove rows."""
    alike = defaultdict[tuple[Mapper[Any], tuple[str, ...]], list[Base]](list)
    for row in rows:
        alike[row.__mapper__, ()].append(row)
    for (mapper, _), same in reversed(_sort_by_dependency(alike)):
        execute_many(session, _delete(mapper), [_key_parameters(_primary_key(mapper, row)) for row in same])


def bulk_insert(session: Session, rows: Iterable[Base]) -> None:
    """Add rows; one that is signed with its number, which only the database gives, is left to the session."""
    alike = defaultdict[tuple[Mapper[Any], tuple[str, ...]], list[Values]](list)
    for row in rows:
        mapper = row.__mapper__
        values = _insert_values(row, mapper)
        if issubclass(mapper.class_, SignedRow) and any(name not in values for name in _primary_key(mapper, row)):
            session.add(row)
        else:
            alike[mapper, tuple(values)].append(values)
    session.flush()
    for (mapper, _), same in _sort_by_dependency(alike):
        written = row_signatures.insert_signatures(session, mapper, same)
        execute_many(session, _insert(mapper, tuple(written[0])), written)


def execute_many(session: Session, statement: Insert | Update | Delete, rows: Sequence[Values]) -> int:
    """Do a statement for each of these values; how many rows it found.  Its words are put together once."""
    connection = session.connection()
    worded = _compile(statement, connection.dialect)
    if worded.names != rows[0].keys():
        return connection.execute(statement, rows).rowcount  # there is a value that its table fills
    return connection.exec_driver_sql(worded.text, [worded.bind(row) for row in rows]).rowcount


@dataclass(frozen=True)
class _CompiledStatement:
    """A statement in the words of a database, and how its values are handed to the driver."""

    text: str
    names: frozenset[str]
    processors: Sequence[tuple[str, Callable[[Any], Any] | None]]
    positional: bool

    def bind(self, row: Values) -> Any:
        """The values of a row, as the driver takes them."""
        values = [row[name] if inward is None else inward(row[name]) for name, inward in self.processors]
        if self.positional:
            return tuple(values)
        return {name: value for (name, _), value in zip(self.processors, values, strict=True)}


@lru_cache(maxsize=512)
def _compile(statement: Insert | Update | Delete, dialect: Dialect) -> _CompiledStatement:
    made = statement.compile(dialect=dialect)
    names = made.positiontup if made.positional else tuple(made.params)
    types = {bind.key: bind.type.dialect_impl(dialect) for bind in made.binds.values()}
    inwards = tuple((name, types[name].bind_processor(dialect)) for name in names or ())
    return _CompiledStatement(str(made), frozenset(names or ()), inwards, made.positional)


def _sort_by_dependency(alike: Mapping[tuple[Mapper[Any], tuple[str, ...]], Any]) -> list[tuple[Any, Any]]:
    """What is written together, of the tables that others refer to first."""
    places = _table_order()
    return sorted(alike.items(), key=lambda one: places[one[0][0].local_table])


@cache
def _table_order() -> Mapping[Any, int]:
    return {table: number for number, table in enumerate(Base.metadata.sorted_tables)}


def _changed_columns(row: Base) -> tuple[str, ...]:
    """The columns whose values are not those that were read."""
    state = inspect(row)
    before, now = state.committed_state, state.dict
    return tuple(name for name, old in before.items() if old is NO_VALUE or old != now[name])


def _primary_key(mapper: Mapper[Any], row: Base) -> Values:
    """By what a row is found."""
    return {name: getattr(row, name) for name in _keys(mapper)}


def _key_parameters(place: Values) -> Values:
    return {f"{_KEY_PREFIX}{name}": value for name, value in place.items()}


def _insert_values(row: Base, mapper: Mapper[Any]) -> Values:
    """What a new row holds; what nobody named is left to its column."""
    here = vars(row)
    named = ((name, here.get(name), fills) for name, fills in _columns(mapper).items())
    return {name: value for name, value, fills in named if value is not None or not fills}


def _table(mapper: Mapper[Any]) -> Table:
    return cast(Table, mapper.local_table)


@cache
def _keys(mapper: Mapper[Any]) -> tuple[str, ...]:
    return tuple(mapper.get_property_by_column(column).key for column in mapper.primary_key)


@cache
def _columns(mapper: Mapper[Any]) -> Mapping[str, bool]:
    """The columns of a table; whether one is left out where nobody named it, be it that it is filled by its table."""
    named = [(mapper.get_property_by_column(column).key, column) for column in _table(mapper).columns]
    return {n: bool(c.default or c.primary_key) or isinstance(c.type, JSON) for n, c in named}


@cache
def _insert(mapper: Mapper[Any], names: tuple[str, ...]) -> Insert:
    return _table(mapper).insert().values({_column(mapper, name): bindparam(name) for name in names})


@cache
def _update(mapper: Mapper[Any], names: tuple[str, ...]) -> Update:
    return (
        _table(mapper)
        .update()
        .where(*_key_filter(mapper))
        .values({_column(mapper, name): bindparam(name) for name in names})
    )


@cache
def _delete(mapper: Mapper[Any]) -> Delete:
    return _table(mapper).delete().where(*_key_filter(mapper))


def _column(mapper: Mapper[Any], name: str) -> Any:
    return mapper.attrs[name].columns[0]


def _key_filter(mapper: Mapper[Any]) -> list[Any]:
    return [_column(mapper, name) == bindparam(f"{_KEY_PREFIX}{name}") for name in _keys(mapper)]
