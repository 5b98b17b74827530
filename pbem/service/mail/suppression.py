"""Emails that their readers do without, by what they chose on their settings page.

Also the link at the foot of an email: it ends the emails of one table, is confirmed once, and leads back.
"""

from sqlalchemy.orm import Session

from pbem.narration.facts import NoticeFacts
from pbem.service.access import mail_preferences
from pbem.service.access.permissions import Permission, has_permission
from pbem.service.base.services import Services
from pbem.service.mail import assembly, notifications
from pbem.service.mail.outbox import enqueue
from pbem.store.games import load_game, load_open_questions
from pbem.store.models import Game, OutboundEmail, User

SUPPRESSIBLE_KINDS: frozenset[str] = frozenset({"report", "started", "reminder", "joined", "talk", assembly.KIND})
"""What a person may do without: all but answers to what they do, links, and the end of a game."""


def is_suppressed(session: Session, row: OutboundEmail) -> bool:
    """Return True for an email that its reader does not want, by table, by amount, or as a receipt of the page."""
    user = session.get(User, row.user_id) if row.user_id else None
    if user is None:
        return False
    choices = mail_preferences.load_preferences(session, user)
    if row.kind == "receipt":
        return not choices.web_receipts and row.key.startswith(f"receipt.{row.game_id}.")
    if row.kind not in SUPPRESSIBLE_KINDS:
        return False
    if choices.amount == mail_preferences.END or mail_preferences.is_game_muted(session, user.id, row.game_id):
        return True
    return choices.amount == mail_preferences.OWED and row.kind != "reminder" and not _has_due_orders(session, row)


def _has_due_orders(session: Session, row: OutboundEmail) -> bool:
    """Return True if the seat that an email is for has not answered all that is asked of it."""
    if not row.game_id or not row.seat or row.kind not in ("report", "started"):
        return False
    return any(
        one.is_blocking and one.answered_at is None for one in load_open_questions(session, row.game_id, row.seat)
    )


def mute_game(services: Services, user_id: int, game_id: str) -> None:
    """No more emails of this table, but answers to what one does and the end; said once, with the way back.

    A table that the person has no part in has no emails for them, and is not found.
    """
    with services.db.transaction() as session:
        game = load_game(session, game_id)
        if not has_permission(session, game, user_id, services.now(), Permission.TABLE):
            return
        if mail_preferences.set_game_muted(services, session, user_id, game_id, on=True):
            _enqueue_confirmation(services, session, session.get_one(Game, game_id), session.get_one(User, user_id))
    services.enqueue("send_outbound_emails", "")


def unmute_game(services: Services, user_id: int, game_id: str) -> None:
    """The emails of this table come again."""
    with services.db.transaction() as session:
        mail_preferences.set_game_muted(services, session, user_id, game_id, on=False)


def is_game_muted(services: Services, user_id: int, game_id: str) -> bool:
    """Return True if a person gets no emails of this table."""
    with services.db.snapshot() as session:
        return mail_preferences.is_game_muted(session, user_id, game_id)


def _enqueue_confirmation(services: Services, session: Session, game: Game, user: User) -> None:
    frame = notifications.table_context(services, session, game, user)
    key = f"{game.id}.{user.id}.{services.now()}.muted"
    facts = NoticeFacts(frame, "muted", {})
    enqueue(services, session, key=key, kind="notice", facts=facts, user_id=user.id, game_id=game.id)
