"""Finding and locking games."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem.store.models import Game, SeatRow, User


def locked(session: Session, game_id: str) -> Game | None:
    """The game's row, locked until the transaction ends (SQLite locks all that is written; the row is read fresh)."""
    return session.scalars(select(Game).where(Game.id == game_id).with_for_update()).one_or_none()


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
