"""Pauses: nothing is closed and no deadline runs, by a master's word or by everybody's consent, for a month at most."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem.service.access.permissions import Who, may
from pbem.service.base.calendar import MINUTE_MS
from pbem.service.base.services import Refused, Services
from pbem.service.post import notifications
from pbem.service.time.outages import give_back
from pbem.states import GameState
from pbem.store.games import locked, seats
from pbem.store.models import Game, Outage, User

PAUSE, RESUME = "pause", "resume"
LEAST_MS = MINUTE_MS


LASTING = Outage.cause.in_(("pause", "halt")), ~Outage.given
"""Pauses and halts that games are in."""


def paused(session: Session, game_id: str) -> Outage | None:
    """The pause or the halt that a game is in."""
    return session.scalars(select(Outage).where(Outage.game_id == game_id, *LASTING).order_by(Outage.id)).first()


def ask(services: Services, user_id: int, game_id: str, wish: str) -> str:
    """Pause a game, or let it go on: a master's word is enough, anybody else's waits for that of all the others.

    Returns `done`, `noted` (others must still agree) or `nothing` (it is so already).  Raises Refused.
    """
    with services.db.writing() as session:
        game = locked(session, game_id)
        sitting = [row for row in seats(session, game_id) if row.user_id is not None]
        mine = next((row for row in sitting if row.user_id == user_id), None)
        if game is None or game.state != GameState.RUNNING:
            raise Refused("no_such_seat")
        if not may(session, game, user_id, services.now(), Who.SPEAKS):
            raise Refused("no_such_seat")
        if (paused(session, game_id) is None) == (wish == RESUME):
            return "nothing"
        if mine is not None:
            mine.wants = wish
        if not may(session, game, user_id, services.now(), Who.MASTERS) and any(row.wants != wish for row in sitting):
            return "noted"
        carry_out(services, session, game, wish, session.get_one(User, user_id).name)
    services.wake("deliver", "")
    return "done"


def carry_out(services: Services, session: Session, game: Game, wish: str, who: str) -> None:
    """Pause a game, or let it go on, in the transaction that has locked it; all are told."""
    for row in seats(session, game.id):
        row.wants = ""
    lasting = paused(session, game.id)
    if wish == PAUSE:
        outage = Outage(cause="pause", game_id=game.id, began_at=services.now(), given=False, who=who)
        session.add(outage)
        session.flush()
        notifications.moved_to_all(services, session, game, f"p{outage.id}", "pause", {}, who=who)
    elif lasting is not None:
        lasting.ended_at = max(services.now(), lasting.began_at)
        game.look_at = services.now()
        give_back(services, session, lasting)
