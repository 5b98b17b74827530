"""Letters that their readers do without, by what they chose on their settings page."""

from sqlalchemy.orm import Session

from pbem.service.access import mail_preferences
from pbem.service.mail import assembly
from pbem.store.games import load_open_questions
from pbem.store.models import OutboundEmail, User

SUPPRESSIBLE_KINDS: frozenset[str] = frozenset({"report", "started", "reminder", "joined", "talk", assembly.KIND})
"""What a person may do without: all but answers to what they do, links, and the end of a game."""


def is_suppressed(session: Session, row: OutboundEmail) -> bool:
    """Return True for a letter that its reader does not want, by table, by amount, or as a receipt of the page."""
    user = session.get(User, row.user_id) if row.user_id else None
    if user is None:
        return False
    choices = mail_preferences.load_preferences(session, user)
    if row.kind == "receipt":
        return not choices.page_receipts and row.key.startswith(f"receipt.{row.game_id}.")
    if row.kind not in SUPPRESSIBLE_KINDS:
        return False
    if choices.amount == mail_preferences.END or mail_preferences.is_game_muted(session, user.id, row.game_id):
        return True
    return choices.amount == mail_preferences.OWED and row.kind != "reminder" and not _has_due_orders(session, row)


def _has_due_orders(session: Session, row: OutboundEmail) -> bool:
    """Return True if the seat that a letter is for has not answered all that is asked of it."""
    if not row.game_id or not row.seat or row.kind not in ("report", "started"):
        return False
    return any(one.blocking and one.answered_at is None for one in load_open_questions(session, row.game_id, row.seat))
