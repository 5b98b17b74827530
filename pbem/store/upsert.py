"""Rows of which there is at most one, made by one statement: of two writers at the same moment none fails."""

from typing import Any

from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import InstrumentedAttribute, Session

from pbem.store.signed_rows import sign_added


def add_once(session: Session, key: InstrumentedAttribute[Any], **values: Any) -> bool:
    """Add a row unless one with this value of `key`, a unique column, is there; return True if it was added."""
    model: Any = key.class_
    row = _insert(session, model).values(**values).on_conflict_do_nothing(index_elements=[key.key])
    added = session.execute(row.returning(key)).one_or_none() is not None
    if added:
        sign_added(session, model, {key.key: values[key.key]})
    return added


def count_up(session: Session, counter: InstrumentedAttribute[int], **key: Any) -> int:
    """Count one more in the row of a primary key, which begins with 1; return the new count."""
    first = _insert(session, counter.class_).values({**key, counter.key: 1})
    counted = first.on_conflict_do_update(index_elements=list(key), set_={counter.key: counter + 1})
    return session.execute(counted.returning(counter)).scalar_one()


def _insert(session: Session, model: Any) -> sqlite.Insert | postgresql.Insert:
    """An INSERT that knows ON CONFLICT, in the words of the session's database."""
    return sqlite.insert(model) if session.get_bind().dialect.name == "sqlite" else postgresql.insert(model)
