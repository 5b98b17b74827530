"""Versions of games and people: work that was decided on a snapshot is written only if these have not moved since.

Each write transaction raises the version of every game and person of whom it changes something: their own row, or a
row that belongs to them.  A table with a `game_id` belongs to its game, any other one with a `user_id` to its person.

`version_id_col` of SQLAlchemy does not fit: it guards one row against two writers, and what is decided about a game
rests on rows that it only reads: who holds a seat, what is asked, which orders lie there.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Final, cast

from sqlalchemy import Table, bindparam, event, literal_column, select, update
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Mapper, ORMExecuteState, QueryContext, Session

from pbem.store.models import Base, BoardImage, Game, OutboundEmail, User, Webhook

Owner = type[Game] | type[User]
Versions = Mapping[Owner, dict[Any, int]]
"""The versions of games and people, by their keys."""

OWNERS: Final[tuple[Owner, ...]] = (Game, User)
"""In the order in which they are locked."""

SENT: Final = (OutboundEmail, BoardImage, Webhook)
"""Tables of what is sent out about a game: how far that has come is no part of the game."""

_SEEN: Final = "versions seen"
_RAISED: Final = "versions raised"
_RAISE: Final = {
    model: update(cast(Table, model.__table__))
    .where(model.id == bindparam("key"))
    .values(version=literal_column("version + 1"))
    for model in OWNERS
}
_RAISE_SEEN: Final = {model: _RAISE[model].where(model.version == bindparam("seen")) for model in OWNERS}
_VERSIONS: Final = {
    model: select(model.id, model.version).where(model.id.in_(bindparam("keys", expanding=True))) for model in OWNERS
}


class ConflictError(Exception):
    """What was decided does not fit any more: somebody else wrote first."""


class DeadlockError(ConflictError, OperationalError):
    """PostgreSQL ended this one of two transactions that waited for each other.

    What is tried again after a conflict is tried again at once; for all else the database cannot be used just now.
    """


def seen_versions(session: Session) -> Versions:
    """The versions of the games and people that were loaded in a session."""
    found: Versions = session.info.setdefault(_SEEN, {model: {} for model in OWNERS})
    return found


def _on_load(row: Game | User, context: QueryContext) -> None:
    """Note a version: a session forgets a row that nobody holds."""
    seen_versions(context.session)[type(row)].setdefault(row.id, row.version)


def check_and_raise(session: Session, seen: Versions, written: Iterable[Base]) -> None:
    """Raise the versions of those of whom rows are written, if all versions are as seen; else raises ConflictError.

    Of those whose own row was not loaded the version is raised whatever it is.
    """
    owners, connection = _owners_of(written), session.connection()
    for model in OWNERS:
        changed = sorted(owners[model] & seen[model].keys())
        places = [{"key": key, "seen": seen[model][key]} for key in changed]
        if places and connection.execute(_RAISE_SEEN[model], places).rowcount != len(places):
            raise ConflictError
        session.info.setdefault(_RAISED, set()).update((model, key) for key in changed)
        read = {key: version for key, version in seen[model].items() if key not in changed}
        rows: Sequence[Any] = connection.execute(_VERSIONS[model], {"keys": list(read)}).all() if read else ()
        if dict(rows) != read:
            raise ConflictError
    _raise(session, {model: owners[model] - seen[model].keys() for model in OWNERS})


def _owners_of(rows: Iterable[Any]) -> dict[Owner, set[Any]]:
    found: dict[Owner, set[Any]] = {model: set() for model in OWNERS}
    for row in rows:
        owner, key = _owner(row)
        if owner is not None and key is not None:
            found[owner].add(key)
    return found


def _owner(row: Any) -> tuple[Owner | None, Any]:
    model, column = owner_of(row.__mapper__)
    return model, getattr(row, column) if model is not None else None


@cache
def owner_of(mapper: Mapper[Any]) -> tuple[Owner | None, str]:
    """What a row of a table belongs to, and the column that names it; None for what belongs to nothing."""
    model, columns = mapper.class_, mapper.columns
    if model in OWNERS:
        return model, "id"
    if model in SENT:
        return None, ""
    if "game_id" in columns:
        return Game, "game_id"
    return (User, "user_id") if "user_id" in columns else (None, "")


# --- transactions that hold their locks


def install_listeners(sessions: type[Session]) -> None:
    """Let sessions of this class raise the versions of what they change."""
    event.listen(sessions, "before_flush", _before_flush)
    event.listen(sessions, "do_orm_execute", _on_execute)
    event.listen(sessions, "after_soft_rollback", _forget)


def _before_flush(session: Session, *_: object) -> None:
    raised = session.info.get(_RAISED, ())
    changed = (row for row in session.dirty if _owner(row) not in raised and session.is_modified(row))
    _raise(session, _owners_of((*session.new, *changed, *session.deleted)))


def _on_execute(state: ORMExecuteState) -> None:
    """Raise the versions of those whose rows an UPDATE or DELETE changes, of a model or of its table."""
    if not (state.is_update or state.is_delete):
        return
    statement: Any = state.statement
    owner, column = owner_of(_mapper(statement.table.name))
    if owner is not None:
        asked = select(statement.table.c[column]).distinct()
        if statement.whereclause is not None:
            asked = asked.where(statement.whereclause)
        _raise(state.session, {owner: set(state.session.connection().scalars(asked, state.parameters)) - {None}})


@cache
def _mapper(table: str) -> Mapper[Any]:
    return next(mapper for mapper in Base.registry.mappers if cast(Table, mapper.local_table).name == table)


def raise_versions(session: Session, rows: Iterable[Base]) -> None:
    """Raise the versions of those whose rows are written by a statement that names no rows, such as an INSERT."""
    _raise(session, _owners_of(rows))


def _raise(session: Session, owners: Mapping[Owner, set[Any]]) -> None:
    """Raise versions, once in a transaction: until it ends nobody else sees them."""
    raised: set[Any] = session.info.setdefault(_RAISED, set())
    for model, keys in owners.items():
        if new := sorted(key for key in keys if (model, key) not in raised):
            raised.update((model, key) for key in new)
            session.connection().execute(_RAISE[model], [{"key": key} for key in new])


def _forget(session: Session, *_: object) -> None:
    """What was raised may be undone with a savepoint."""
    session.info.pop(_RAISED, None)


for owner in OWNERS:
    event.listen(owner, "load", _on_load)
