"""Not hearing a player: what they say is left out of one person's letters and pages, and nobody else learns of it."""

from dataclasses import dataclass
from typing import Final

from sqlalchemy import bindparam, delete, select
from sqlalchemy.orm import Session

from pbem.service.base.services import Services
from pbem.store.games import occupied_seats
from pbem.store.models import TalkMute

UNSIGNED: Final = 0
"""Stands, among those whom one does not hear, for those who do not sign."""

_MUTED = select(TalkMute.muted).where(TalkMute.game_id == bindparam("game"), TalkMute.user_id == bindparam("user"))


@dataclass(frozen=True)
class MuteOption:
    """Another person at the table, and whether one hears them."""

    seat: str
    name: str
    muted: bool


def list_options(services: Services, user_id: int, game_id: str) -> tuple[MuteOption, ...]:
    """The other players of a table, and whom of them one does not hear."""
    with services.db.snapshot() as session:
        silent = muted_users(session, game_id, user_id)
        rows = occupied_seats(session, game_id)
        return tuple(MuteOption(row.seat, user.name, user.id in silent) for row, user in rows if user.id != user_id)


def set_muted(services: Services, user_id: int, game_id: str, seat: str, on: bool) -> None:
    """Stop hearing the player who sits there now, or hear them again; an empty seat stands for those who do not sign.

    It is a person whom one does not hear, so nobody inherits it; and what is not signed is never left out by its
    author, which would tell who they are.
    """
    with services.db.transaction() as session:
        found = {row.seat: user.id for row, user in occupied_seats(session, game_id)} | {"": UNSIGNED}
        if seat not in found or found[seat] == user_id:
            return
        place = (TalkMute.game_id == game_id, TalkMute.user_id == user_id, TalkMute.muted == found[seat])
        session.execute(delete(TalkMute).where(*place))
        if on:
            session.add(TalkMute(game_id=game_id, user_id=user_id, muted=found[seat]))


def muted_users(session: Session, game_id: str, user_id: int) -> set[int]:
    """Whom a person does not hear at a table: people by their numbers, and UNSIGNED."""
    return set(session.scalars(_MUTED, {"game": game_id, "user": user_id}))
