"""All that is kept about a person, for themselves: every row that names them, and every word they said at a table.

A table that comes to name people is in it by itself.  What is sealed, hashed or signed is left out, and so are the
numbers of other people: neither says anything to its reader.
"""

import json
from collections.abc import Callable, Generator, Mapping
from contextlib import closing
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import Column, LargeBinary, Table, or_, select
from sqlalchemy.orm import Session

from pbem.common.cpu_budget import BudgetExceeded, check, limit
from pbem.common.outage_log import skip_unreadable
from pbem.service.base.services import Services
from pbem.service.messages.messages import DIARY, unseal
from pbem.store.models import Base, Game, Master, Message, SeatRow, SeatTenure, User

Row = Mapping[str, Any]

PEOPLE: Final = "users.id"
_MOMENTS: Final = ("_at", "since", "until", "before", "after", "at", "_from")


_IN_PARTS: Final = {"yield_per": 500}
"""So many rows are read at once."""
LETTER_S: Final = 1.0
"""How long the processor may put a file together that goes by email."""


def export_json(services: Services, user_id: int) -> str:
    """Return what is stored about a user, as JSON."""
    return _to_json(export_user(services, user_id))


def export_for_email(services: Services, user_id: int) -> str | None:
    """Return the same JSON if an email can hold it. Return None if it is too large, or too much work.

    It stops reading when the limit is reached. In an email three bytes become four characters, and lines end.
    """
    remaining = services.max_message_bytes * 7 // 10

    def fits(row: Row) -> None:
        nonlocal remaining
        remaining -= len(_to_json(row).encode())
        if remaining < 0:
            raise BudgetExceeded
        check()

    try:
        with limit(LETTER_S):
            return _to_json(export_user(services, user_id, fits))
    except BudgetExceeded:
        return None


def _to_json(tables: Mapping[str, Any]) -> str:
    return json.dumps(tables, ensure_ascii=False, indent=1)


def export_user(services: Services, user_id: int, on_row: Callable[[Row], None] = lambda row: None) -> dict[str, Any]:
    """Return what is stored about a user, by table, and their messages under `said`.

    `on_row` is called with each row, and may raise.
    """
    with services.db.snapshot() as session:
        person = _export_rows(session, _export_table(User), [_export_table(User).c.id], user_id, on_row)
        tables = {
            table.name: rows
            for table in Base.metadata.sorted_tables
            if (names := [column for column in table.columns if _is_about_others(column)])
            and (rows := _export_rows(session, table, names, user_id, on_row))
        }
        messages = list[Row]()
        with closing(_export_talk(services, session, user_id)) as words:
            for row in words:
                on_row(row)
                messages.append(row)
        return {"person": person, **tables, "said": messages}


def _export_table(model: type[Base]) -> Table:
    table = model.__table__
    if not isinstance(table, Table):
        raise TypeError
    return table


def _is_about_others(column: Column[Any]) -> bool:
    return any(key.target_fullname == PEOPLE for key in column.foreign_keys)


def _export_rows(
    session: Session, table: Table, names: list[Column[Any]], user_id: int, on_row: Callable[[Row], None]
) -> list[Row]:
    """The rows of a table that name somebody; whom else they name is left out."""
    user_columns = [column for column in table.columns if _is_about_others(column)]
    columns = [
        column for column in table.columns if column not in user_columns and not isinstance(column.type, LargeBinary)
    ]
    query = select(*columns, *names).where(or_(*(column == user_id for column in names)))
    exported = list[Row]()
    with session.execute(query, execution_options=_IN_PARTS) as rows:
        for row in rows:
            as_whom = [column.name for column in names if row[len(columns) + names.index(column)] == user_id]
            values = {column.name: _to_plain(column.name, row[place]) for place, column in enumerate(columns)}
            exported.append(values | {"named as": as_whom})
            on_row(exported[-1])
    return exported


def _to_plain(name: str, value: Any) -> Any:
    """A moment as one reads it, anything else as it is."""
    if isinstance(value, int) and value > 10**11 and name.endswith(_MOMENTS):
        return datetime.fromtimestamp(value / 1000, UTC).isoformat(timespec="seconds")
    return value


def _export_talk(services: Services, session: Session, user_id: int) -> Generator[Row, None, None]:
    """Their messages and diaries, at every table they had a part in."""
    sat = select(SeatTenure.game_id).where(SeatTenure.user_id == user_id)
    sits = select(SeatRow.game_id).where(SeatRow.user_id == user_id)
    mastered = select(Master.game_id).where(Master.user_id == user_id)
    hosted = select(Game.id).where(Game.host_id == user_id)
    here = Message.source.not_like("file.%")  # what a file brought is ascribed to who holds the seat now
    query = select(Message).where(here, Message.game_id.in_(sat.union(sits, mastered, hosted))).order_by(Message.id)
    own = set(session.execute(select(SeatRow.game_id, SeatRow.seat).where(SeatRow.user_id == user_id)).all())
    with session.scalars(query, execution_options=_IN_PARTS) as rows:
        for row in rows:
            check()
            with skip_unreadable():
                content = unseal(services, row)
                readable = row.kind != DIARY or (row.game_id, content.seat) in own  # a diary is closed with its seat
                if content.user == user_id and readable:
                    yield {
                        "game_id": row.game_id,
                        "kind": row.kind,
                        "created_at": _to_plain("created_at", row.created_at),
                        "text": content.text,
                    }
