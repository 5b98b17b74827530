"""Tables whose game is not installed here, or in another version: kept as they are until it is, and nothing is lost.

Nobody's orders are read, nothing is played or told, and no deadline runs; the time is given back afterwards.
"""

import logging
from collections.abc import Sequence

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from pbem.common.outage_log import skip_unreadable
from pbem.common.states import LIVE, LetterOutState
from pbem.service.base.game_availability import INSTALLED, SUSPENDED, is_installed, missing_rules, not_installed_filter
from pbem.service.base.services import Services
from pbem.service.game.clock_state import TICK
from pbem.service.mail import notifications
from pbem.store.games import lock_game
from pbem.store.models import Game, Heartbeat, Outage, OutboundEmail

_LOG = logging.getLogger(__name__)


def accept_version(services: Services, title: str) -> int:
    """Let the tables of a game go on by the version of it that is installed; returns how many.  Raises KeyError."""
    meta = services.rules(title).meta
    other = Game.rules == title, Game.rules_version.not_in(meta.plays), Game.state.in_(LIVE)
    with services.db.transaction() as session:
        changed = update(Game).where(*other).values(rules_version=meta.version).returning(Game.id)
        return len(session.scalars(changed).all())


def suspend_or_resume(services: Services) -> None:
    """Hold the tables whose game is not here any more, and let go those whose game is back; their people are told.

    To be called at each look at the clock, before anything is found overdue.
    """
    with services.db.transaction() as session:
        for unplayable in _games_to_suspend(services, session):
            with skip_unreadable(), session.begin_nested():
                _suspend(services, session, unplayable)
        ended = select(Outage.id, Outage.game_id).join(Game, Game.id == Outage.game_id)
        lasting = Outage.cause == INSTALLED, Outage.ended_at.is_(None)
        for number, game_id in session.execute(ended.where(*lasting, is_installed(services))).all():
            with skip_unreadable(), session.begin_nested():
                _resume(services, session, number, str(game_id))


def _games_to_suspend(services: Services, session: Session) -> Sequence[str]:
    lasting = select(Outage.game_id).where(Outage.cause == INSTALLED, ~Outage.given)
    found = select(Game.id).where(not_installed_filter(services), Game.id.not_in(lasting)).order_by(Game.id)
    return session.scalars(found).all()


def _suspend(services: Services, session: Session, game_id: str) -> None:
    """From the last look at the clock on: what happened to the game may have happened while the server was down."""
    game = lock_game(session, game_id)
    if game is None:
        return
    last, now = session.get(Heartbeat, TICK), services.now()
    began = min(last.at, now) if last is not None else now
    outage = Outage(cause=INSTALLED, game_id=game.id, began_at=began, given=False)
    session.add(outage)
    session.flush()
    _LOG.warning("table %s is held: %s", game.id, missing_rules(services, game), extra={"game": game.id})
    notifications.notify_all_seats(services, session, game, f"h{outage.id}", SUSPENDED, {"game": game.rules})
    services.enqueue("send_outbound_emails", "")


def _resume(services: Services, session: Session, number: int, game_id: str) -> None:
    now = services.now()
    session.execute(update(Outage).where(Outage.id == number).values(ended_at=now))
    waiting = OutboundEmail.game_id == game_id, OutboundEmail.state == LetterOutState.DRAFT
    session.execute(update(OutboundEmail).where(*waiting).values(due_at=now))
    game = lock_game(session, game_id)
    if game is not None:
        game.look_at, game.play_tries = now, 0
    _LOG.warning("table %s goes on: its game is installed", game_id, extra={"game": game_id})
