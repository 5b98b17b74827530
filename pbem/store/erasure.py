"""Tables and people of whom nothing is to stay: every row that belongs to them, found by the foreign keys there are."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Table, delete, or_, select
from sqlalchemy.orm import Session

from pbem.store.models.base import Base


def delete_games_and_users(session: Session, games: Sequence[str], people: Sequence[int]) -> None:
    """Delete these games and these people, with all rows that say anything of them; the caller has locked the games."""
    for table in reversed(Base.metadata.sorted_tables):
        theirs = _owned_rows(table, games, people)
        if theirs is not None:
            session.execute(delete(table).where(theirs))


def _owned_rows(table: Table, games: Sequence[str], people: Sequence[int]) -> ColumnElement[bool] | None:
    """Which rows of a table are theirs: those that name one of them, or a row that is theirs."""
    if table.name == "games":
        return table.c.id.in_(games)
    if table.name == "users":
        return table.c.id.in_(people)
    found = []
    for key in (key for column in table.columns for key in column.foreign_keys):
        named: Any = key.column
        above = _owned_rows(named.table, games, people)
        if above is not None:
            found.append(key.parent.in_(select(named).where(above)))
    return or_(*found) if found else None
