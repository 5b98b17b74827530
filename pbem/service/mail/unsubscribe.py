"""The link at the foot of a letter: it ends the letters of one table, is confirmed once, and leads back."""

from sqlalchemy.orm import Session

from pbem.narration.facts import NoticeFacts
from pbem.service.access import mail_preferences
from pbem.service.base.services import Services
from pbem.service.mail import notifications
from pbem.service.mail.outbox import enqueue
from pbem.store.models import Game, User


def mute(services: Services, user_id: int, game_id: str) -> None:
    """No more letters of this table, but answers to what one does and the end; said once, with the way back."""
    with services.db.transaction() as session:
        if mail_preferences.set_game_muted(services, session, user_id, game_id, on=True):
            _enqueue_confirmation(services, session, session.get_one(Game, game_id), session.get_one(User, user_id))
    services.enqueue("send_outbound_emails", "")


def unmute(services: Services, user_id: int, game_id: str) -> None:
    """The letters of this table come again."""
    with services.db.transaction() as session:
        mail_preferences.set_game_muted(services, session, user_id, game_id, on=False)


def is_muted(services: Services, user_id: int, game_id: str) -> bool:
    """Return True if a person gets no letters of this table."""
    with services.db.snapshot() as session:
        return mail_preferences.is_game_muted(session, user_id, game_id)


def _enqueue_confirmation(services: Services, session: Session, game: Game, user: User) -> None:
    frame = notifications.table_context(services, session, game, user)
    key = f"{game.id}.{user.id}.{services.now()}.muted"
    facts = NoticeFacts(frame, "muted", {})
    enqueue(services, session, key=key, kind="notice", facts=facts, user_id=user.id, game_id=game.id)
