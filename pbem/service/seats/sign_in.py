"""Signing in by a link in a letter, once."""

import secrets

from sqlalchemy.orm import Session

from engine.kernel.languages import DEFAULT
from pbem.common.addresses import parse_mailbox
from pbem.crypto import new_token, token_hash
from pbem.narration.facts import EmailContext as LetterFrame
from pbem.narration.facts import Links, Reader, SigninFacts, TableFacts
from pbem.service.access import users
from pbem.service.base import limits
from pbem.service.base.services import Services
from pbem.service.mail.outbox import enqueue
from pbem.service.seats import tables
from pbem.store.models import Capability

SIGN_IN = "sign-in"
SIGN_IN_MS = 3_600_000


def request_sign_in(services: Services, address: str, language: str = DEFAULT, line: str = "") -> None:
    """Mail a sign-in link, if not too many were asked for.  The caller learns nothing about the address.

    `line`: where the request comes from.
    """
    if _is_rate_limited(services, parse_mailbox(address), line):
        return
    with services.db.transaction() as session:
        user = tables.get_or_create_user(services, session, address, language=language)
        link, expires = _create_link(services, session, user.id)
        reader = Reader(user.name, user.language, user.zone)
        frame = LetterFrame(reader, TableFacts("", ""), Links(act=link), services.now() // 1000)
        enqueue(
            services,
            session,
            key=f"sign-in.{secrets.token_hex(8)}",
            kind="signin",
            facts=SigninFacts(frame, expires // 1000),
            user_id=user.id,
        )
    services.enqueue("send_outbound_emails", "")


def _is_rate_limited(services: Services, where: str, line: str) -> bool:
    """Count one more link for a mailbox; what one line asks for beyond its own share is not counted for others."""
    day = limits.DAY_S
    return (
        limits.is_exceeded(services, "sign_ins_from", line, day)
        or limits.is_exceeded(services, "sign_ins_by_one", f"{line} {where}", day)
        or limits.is_exceeded(services, "sign_ins", where)
        or limits.is_exceeded(services, "sign_ins_today", where, day)
    )


def create_sign_in_link(services: Services, user_id: int) -> str:
    """A link that signs a person in, once, within the hour: for the operator to hand over."""
    with services.db.transaction() as session:
        return _create_link(services, session, user_id)[0]


def _create_link(services: Services, session: Session, user_id: int) -> tuple[str, int]:
    token, expires = new_token(), services.now() + SIGN_IN_MS
    about = {"user_id": user_id, "made_at": services.now(), "expires_at": expires}
    session.add(Capability(hash=token_hash(SIGN_IN, token), purpose=SIGN_IN, **about))
    return f"{services.public_url}/sign-in/{token}", expires


def sign_in(services: Services, token: str) -> int | None:
    """Use a sign-in link, once; the user's number, or None if the link is not, or no longer, good."""
    with services.db.transaction() as session:
        row = session.get(Capability, token_hash(SIGN_IN, token), with_for_update=True)
        if row is None or row.revoked_at is not None or (row.expires_at or 0) < services.now():
            return None
        if row.used_at is not None:
            return None
        row.used_at = services.now()
        if row.user_id is not None:
            users.end_unverified_sessions(session, row.user_id, services.now())
        return row.user_id
