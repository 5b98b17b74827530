"""Rows of which there is at most one, made by one statement: of two writers at the same moment none fails."""

from functools import cache
from typing import Any, cast

from sqlalchemy import Executable
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import InstrumentedAttribute, Session

from pbem.store.signed_rows import sign_added


def add_once(session: Session, key: InstrumentedAttribute[Any], **values: Any) -> bool:
    """Add a row unless one with this value of `key`, a unique column, is there; return True if it was added."""
    model: Any = key.class_
    row = _insert(session.get_bind().dialect.name, model).values(**values)
    once = row.on_conflict_do_nothing(index_elements=[key.key]).returning(key)
    added = session.execute(once).one_or_none() is not None
    if added:
        sign_added(session, model, {key.key: values[key.key]})
    return added


def count_up(session: Session, counter: InstrumentedAttribute[int], **key: Any) -> int:
    """Count one more in the row of a primary key, which begins with 1; return the new count."""
    counted = _counted(session.get_bind().dialect.name, counter, tuple(key))
    return cast(int, session.connection().execute(counted, key).scalar_one())


@cache
def _counted(dialect: str, counter: InstrumentedAttribute[int], key: tuple[str, ...]) -> Executable:
    """The statement of a counter, made once."""
    first = _insert(dialect, counter.class_).values({counter.key: 1})
    return first.on_conflict_do_update(index_elements=key, set_={counter.key: counter + 1}).returning(counter)


def _insert(dialect: str, model: Any) -> sqlite.Insert | postgresql.Insert:
    """An INSERT that knows ON CONFLICT, in the words of a database."""
    return sqlite.insert(model) if dialect == "sqlite" else postgresql.insert(model)
