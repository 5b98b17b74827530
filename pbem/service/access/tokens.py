"""Tokens that open nothing any more."""

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from pbem.store.models import Capability


def revoke(session: Session, now: int, *which: ColumnElement[bool]) -> None:
    """End all tokens of which this is true, and that have not ended yet."""
    for row in session.scalars(select(Capability).where(*which, Capability.revoked_at.is_(None))):
        row.revoked_at = now
