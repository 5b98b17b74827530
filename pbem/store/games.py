"""Finding and locking games."""

from typing import TypeVar

from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem.store.models import Base, Game, SeatRow, User

Row = TypeVar("Row", bound=Base)


def locked(session: Session, game_id: str) -> Game | None:
    """The game's row, locked until the transaction ends, and read anew whatever was read of it before.

    SQLite locks all that is written when a transaction begins; PostgreSQL waits here.
    """
    query = select(Game).where(Game.id == game_id).with_for_update()
    return session.scalars(query.execution_options(populate_existing=True)).one_or_none()


def fresh(session: Session, row: Row) -> Row:
    """The same row as it stands now that the lock is held: it may have been read before."""
    session.refresh(row)
    return row


def seats(session: Session, game_id: str) -> list[SeatRow]:
    """The seats of a game, in the order of the table."""
    return list(session.scalars(select(SeatRow).where(SeatRow.game_id == game_id).order_by(SeatRow.id)))


def seated(session: Session, game_id: str) -> list[tuple[SeatRow, User]]:
    """The seats of a game that somebody sits on, with who it is."""
    rows = session.execute(
        select(SeatRow, User)
        .join(User, SeatRow.user_id == User.id)
        .where(SeatRow.game_id == game_id)
        .order_by(SeatRow.id)
    )
    return [(seat, user) for seat, user in rows]
