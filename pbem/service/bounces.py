"""A letter that came back: its reader's clock in that game stands still from when it was written."""

from collections.abc import Sequence

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from pbem.store.models import Outage

MOST = 5
"""So often in one game; whoever has letters come back for ever does not stop it."""


def bounced(session: Session, game_id: str, user_id: int, began: int) -> None:
    """Note the stretch of time that begins with a letter that came back."""
    his = Outage.cause == "bounce", Outage.game_id == game_id, Outage.user_id == user_id
    known: Sequence[Outage] = session.scalars(select(Outage).where(*his)).all()
    if len(known) < MOST and all(outage.given for outage in known):
        session.add(Outage(cause="bounce", game_id=game_id, user_id=user_id, began_at=began, given=False))


def showed_up(session: Session, user_id: int, now: int) -> None:
    """Somebody whose letters came back is there: from here on his clock goes on."""
    lasting = Outage.cause == "bounce", Outage.user_id == user_id, Outage.ended_at.is_(None)
    session.execute(update(Outage).where(*lasting).values(ended_at=now))
