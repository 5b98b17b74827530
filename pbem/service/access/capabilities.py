"""Capabilities: random tokens that open one thing each. The database has only their hashes."""

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from pbem.crypto import is_token, new_token, token_hash
from pbem.store.models import Capability


def create_capability(
    session: Session,
    purpose: str,
    now: int,
    *,
    lasting_ms: int | None = None,
    user_id: int | None = None,
    game_id: str | None = None,
    seat: str | None = None,
    entry: int | None = None,
) -> str:
    """Store a new capability and return its token. `lasting_ms`: without it, it is valid until it is revoked."""
    token = new_token()
    session.add(
        Capability(
            hash=token_hash(purpose, token),
            purpose=purpose,
            user_id=user_id,
            game_id=game_id,
            seat=seat,
            entry=entry,
            created_at=now,
            expires_at=None if lasting_ms is None else now + lasting_ms,
        )
    )
    return token


def find_capability(session: Session, purpose: str, token: str, now: int, *, lock: bool = False) -> Capability | None:
    """Find the capability of a token, if it is valid.

    `lock`: keep others from using it in this transaction, and see what they did until then, whatever was read before.
    """
    if not is_token(token):
        return None
    row = session.get(Capability, token_hash(purpose, token), with_for_update=lock, populate_existing=lock)
    return row if row is not None and is_valid(row, now) else None


def is_valid(row: Capability, now: int) -> bool:
    """Return True unless the capability is revoked or has expired."""
    return row.revoked_at is None and (row.expires_at is None or row.expires_at > now)


def revoke_capabilities(session: Session, now: int, *which: ColumnElement[bool]) -> None:
    """Revoke the capabilities that match all conditions and are not revoked yet."""
    for row in session.scalars(select(Capability).where(*which, Capability.revoked_at.is_(None))):
        row.revoked_at = now
