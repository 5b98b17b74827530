"""The link at the foot of a letter: it ends the letters of one table, is confirmed once, and leads back."""

from sqlalchemy.orm import Session

from pbem.narration.facts import NoticeFacts
from pbem.service.access import letter_choices
from pbem.service.base.services import Services
from pbem.service.post import notifications
from pbem.service.post.outbox import draft
from pbem.store.models import Game, User


def stop(services: Services, user_id: int, game_id: str) -> None:
    """No more letters of this table, but answers to what one does and the end; said once, with the way back."""
    with services.db.writing() as session:
        if letter_choices.quieten(services, session, user_id, game_id, on=True):
            _confirm(services, session, session.get_one(Game, game_id), session.get_one(User, user_id))
    services.wake("deliver", "")


def resume(services: Services, user_id: int, game_id: str) -> None:
    """The letters of this table come again."""
    with services.db.writing() as session:
        letter_choices.quieten(services, session, user_id, game_id, on=False)


def is_stopped(services: Services, user_id: int, game_id: str) -> bool:
    """Return True if a person gets no letters of this table."""
    with services.db.reading() as session:
        return letter_choices.is_quiet(session, user_id, game_id)


def _confirm(services: Services, session: Session, game: Game, user: User) -> None:
    frame = notifications.around(services, session, game, user)
    key = f"{game.id}.{user.id}.{services.now()}.muted"
    facts = NoticeFacts(frame, "muted", {})
    draft(services, session, key=key, kind="notice", facts=facts, user_id=user.id, game_id=game.id)
