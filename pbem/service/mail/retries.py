"""When a letter that was not taken is sent again."""

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from pbem.common.states import READY
from pbem.service.base.services import Services
from pbem.store.models import OutboundEmail


def backoff_seconds(tries: int) -> int:
    """How long a letter waits after so many tries."""
    return min(1000 << min(tries, 12), 3_600_000)


def is_recipient_specific(session: Session, row: OutboundEmail, why: str) -> bool:
    """Return True if the relay took a letter to somebody else since it refused this one, for the same reason as now."""
    since = row.due_at - backoff_seconds(row.tries)
    others = OutboundEmail.sent_at > since, OutboundEmail.user_id.is_distinct_from(row.user_id)
    again = row.tries > 0 and row.error == why
    return again and session.scalar(select(OutboundEmail.key).where(*others).limit(1)) is not None


def retry_all(services: Services) -> int:
    """Send what was refused before, at once instead of at its next time; returns how many letters that is."""
    with services.db.transaction() as session:
        found = retry_in_session(session, services.now())
    if found:
        services.enqueue("send_outbound_emails", "")
    return found


def retry_in_session(session: Session, now: int) -> int:
    """The same within a transaction; the caller wakes post."""
    refused = OutboundEmail.state.in_(READY), OutboundEmail.error.is_not(None)
    due = update(OutboundEmail).where(*refused).values(due_at=now, tries=0).returning(OutboundEmail.key)
    return len(session.scalars(due).all())
