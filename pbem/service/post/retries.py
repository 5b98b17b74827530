"""When a letter that was not taken is sent again."""

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from pbem.service.base.services import Services
from pbem.states import READY
from pbem.store.models import LetterOut


def pause(tries: int) -> int:
    """How long a letter waits after so many tries."""
    return min(1000 << min(tries, 12), 3_600_000)


def others_pass(session: Session, row: LetterOut, why: str) -> bool:
    """Return True if the relay took a letter to somebody else since it refused this one, for the same reason as now."""
    since = row.due_at - pause(row.tries)
    others = LetterOut.sent_at > since, LetterOut.user_id.is_distinct_from(row.user_id)
    again = row.tries > 0 and row.error == why
    return again and session.scalar(select(LetterOut.key).where(*others).limit(1)) is not None


def retry(services: Services) -> int:
    """Send what was refused before, at once instead of at its next time; returns how many letters that is."""
    with services.db.writing() as session:
        found = again(session, services.now())
    if found:
        services.wake("deliver", "")
    return found


def again(session: Session, now: int) -> int:
    """The same within a transaction; the caller wakes post."""
    refused = LetterOut.state.in_(READY), LetterOut.error.is_not(None)
    due = update(LetterOut).where(*refused).values(due_at=now, tries=0).returning(LetterOut.key)
    return len(session.scalars(due).all())
