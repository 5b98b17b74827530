"""Rows that one transaction asks for again and again: read once, and read anew after anything was added or removed.

What holds a game's lock sees nothing change but by itself; a change of a row's own columns shows in the row.
"""

from collections.abc import Callable, Hashable, Sequence
from itertools import chain
from typing import Any, TypeVar

from sqlalchemy import event
from sqlalchemy.orm import ORMExecuteState, Session, sessionmaker

from pbem.store.models import Base

S = TypeVar("S", bound=Session)
T = TypeVar("T")
_CACHE_KEY = "rows read once"


def cached(session: Session, model: type[Base], place: Hashable, read: Callable[[], T]) -> T:
    """What `read` found of a table's rows the first time; rows that are about to be written are written first."""
    if has_pending(session) and any(isinstance(row, model) for row in chain(session.new, session.deleted)):
        session.flush()
    kept: dict[Hashable, T] = session.info.setdefault(_CACHE_KEY, {}).setdefault(model, {})
    if place not in kept:
        kept[place] = read()
    return kept[place]


def has_pending(session: Session) -> bool:
    """Return True if rows wait to be flushed: this is asked hundreds of times a letter.

    The session's own `new` and `deleted` make a set each time.  A snapshot flushes nothing, and clears its tables here
    as it adds or removes a row.
    """
    return not hasattr(session, "never_flushes") and bool(session._new or session._deleted)


def replace_cached(
    session: Session,
    model: type[Base],
    place: Hashable,
    found: object,
    added: Sequence[Base] = (),
    removed: Sequence[Base] = (),
) -> None:
    """Add and remove rows of a table; `found` is what would be read of their place now, so it is not read again.

    All that waits to be added or removed of this table belongs to this place: what was read of others stays.
    """
    others = dict(session.info.get(_CACHE_KEY, {}).get(model, {}))
    for row in removed:
        session.delete(row)
    session.add_all(added)
    session.flush()
    session.info.setdefault(_CACHE_KEY, {}).setdefault(model, {}).update(others | {place: found})


def clear(session: Session, *_: object) -> None:
    """Read everything anew from here on: the lock is held only now, or what was written is undone."""
    session.info.pop(_CACHE_KEY, None)


def install_listeners(sessions: sessionmaker[S]) -> None:
    """Let the sessions made here notice what they change."""
    event.listen(sessions, "after_flush", _on_flush)
    event.listen(sessions, "do_orm_execute", _on_execute)
    event.listen(sessions, "after_soft_rollback", clear)


def _on_flush(session: Session, _: object) -> None:
    """Rows that were added or removed."""
    clear_models(session, {type(row) for row in (*session.new, *session.deleted)})


def _on_execute(state: ORMExecuteState) -> None:
    """Rows that one statement changed unseen."""
    if not state.is_select:
        clear_models(state.session, {mapper.class_ for mapper in state.all_mappers})


def clear_models(session: Session, models: set[Any]) -> None:
    """Read rows of these tables anew from here on."""
    kept = session.info.get(_CACHE_KEY, {})
    for model in models:
        kept.pop(model, None)
