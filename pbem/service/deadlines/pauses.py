"""Pauses: nothing is closed and no deadline runs, by a master's word or by everybody's consent, for a month at most."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem.common.states import GameState
from pbem.service.access.permissions import Permission, has_permission
from pbem.service.base.calendar import MINUTE_MS
from pbem.service.base.services import RequestRefused, Services
from pbem.service.deadlines.outages import extend_deadlines
from pbem.service.mail import notifications
from pbem.store.games import load_seats, lock_game
from pbem.store.models import Game, Outage, User

PAUSE, RESUME = "pause", "resume"
LEAST_MS = MINUTE_MS


PERMANENT_KINDS = Outage.cause.in_(("pause", "halt")), ~Outage.given
"""Pauses and halts that games are in."""


def is_paused(session: Session, game_id: str) -> Outage | None:
    """The pause or the halt that a game is in."""
    return session.scalars(
        select(Outage).where(Outage.game_id == game_id, *PERMANENT_KINDS).order_by(Outage.id)
    ).first()


def request_pause(services: Services, user_id: int, game_id: str, wish: str) -> str:
    """Pause a game, or let it go on: a master's word is enough, anybody else's waits for that of all the others.

    Returns `done`, `noted` (others must still agree) or `nothing` (it is so already).  Raises Refused.
    """
    with services.db.transaction() as session:
        game = lock_game(session, game_id)
        sitting = [row for row in load_seats(session, game_id) if row.user_id is not None]
        mine = next((row for row in sitting if row.user_id == user_id), None)
        if game is None or game.state != GameState.RUNNING:
            raise RequestRefused("no_such_seat")
        if not has_permission(session, game, user_id, services.now(), Permission.SPEAKS):
            raise RequestRefused("no_such_seat")
        if (is_paused(session, game_id) is None) == (wish == RESUME):
            return "nothing"
        if mine is not None:
            mine.wants = wish
        if not has_permission(session, game, user_id, services.now(), Permission.MASTERS) and any(
            row.wants != wish for row in sitting
        ):
            return "noted"
        set_paused(services, session, game, wish, session.get_one(User, user_id).name)
    services.enqueue("send_outbound_emails", "")
    return "done"


def set_paused(services: Services, session: Session, game: Game, wish: str, who: str) -> None:
    """Pause a game, or let it go on, in the transaction that has locked it; all are told."""
    for row in load_seats(session, game.id):
        row.wants = ""
    lasting = is_paused(session, game.id)
    if wish == PAUSE:
        outage = Outage(cause="pause", game_id=game.id, began_at=services.now(), given=False, who=who)
        session.add(outage)
        session.flush()
        notifications.notify_deadline_change(services, session, game, f"p{outage.id}", "pause", {}, who=who)
    elif lasting is not None:
        lasting.ended_at = max(services.now(), lasting.began_at)
        game.look_at = services.now()
        extend_deadlines(services, session, lasting)
