"""Seats to which players of an earlier table are asked: their host knows their names from there, and no addresses."""

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from pbem.store.games import load_seats
from pbem.store.models import RematchInvitation, SeatRow, User


def record_invitation(session: Session, row: SeatRow, *, again: bool) -> None:
    """Note how the person was named who is invited to a seat now: as a player of an earlier table, or by address."""
    session.execute(
        delete(RematchInvitation).where(RematchInvitation.game_id == row.game_id, RematchInvitation.seat == row.seat)
    )
    if again:
        session.add(RematchInvitation(game_id=row.game_id, seat=row.seat))


def load_names(session: Session, game_id: str) -> dict[str, str]:
    """How those are called who were asked so and have not answered, by their seats."""
    asked = set(session.scalars(select(RematchInvitation.seat).where(RematchInvitation.game_id == game_id)))
    invited = {row.invited: row.seat for row in load_seats(session, game_id) if row.seat in asked and row.invited}
    if not invited:
        return {}
    users = session.scalars(select(User).where(User.address.in_(invited)))
    return {invited[user.address]: user.name for user in users}
