"""Rows of which there is at most one, made by one statement: of two writers at the same moment none fails."""

from typing import Any

from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import InstrumentedAttribute, Session

from pbem.store.row_signatures import sign_inserted_row
from pbem.store.versions import raise_versions


def insert_ignore(session: Session, key: InstrumentedAttribute[Any], **values: Any) -> bool:
    """Add a row unless one with this value of `key`, a unique column, is there; return True if it was added."""
    model: Any = key.class_
    row = _insert(session.get_bind().dialect.name, model).values(**values)
    once = row.on_conflict_do_nothing(index_elements=[key.key]).returning(key)
    added = session.execute(once).one_or_none() is not None
    if added:
        raise_versions(session, [model(**values)])
        sign_inserted_row(session, model, {key.key: values[key.key]})
    return added


def _insert(dialect: str, model: Any) -> sqlite.Insert | postgresql.Insert:
    """An INSERT that knows ON CONFLICT, in the words of a database."""
    return sqlite.insert(model) if dialect == "sqlite" else postgresql.insert(model)
