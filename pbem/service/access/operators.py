"""Operators: who they are, and their second factor, a code that changes with time (RFC 6238).

Their addresses are named in the environment, and their secrets are enrolled on the server's command line.  Each code
works once, a step early or late at most; few are tried within the hour.
"""

import os
from typing import Final

from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor import InvalidToken
from cryptography.hazmat.primitives.twofactor.totp import TOTP
from sqlalchemy.orm import Session

from pbem.crypto import token_hash
from pbem.service.access.capabilities import create_capability, find_capability, revoke_capabilities
from pbem.service.access.users import Person
from pbem.service.base import limits
from pbem.service.base.services import Services
from pbem.store.models import Capability, SecondFactor, User
from pbem.store.upsert import insert_ignore

CODE, PASS = "code", "operator"
STEP_S: Final = 30
DIGITS: Final = 6
SECRET_BYTES: Final = 20
"""As long as the digest of the codes (RFC 4226 §4)."""
PASS_MS: Final = 30 * 60_000
"""How long one code opens the page."""


def is_operator(services: Services, person: Person | None) -> bool:
    """Return True if somebody is an operator: named in the environment, and signed in by an email to that address."""
    return person is not None and person.email_verified and person.address in services.operator_emails


def enroll(services: Services, session: Session, user: User) -> str:
    """Give an operator a new secret in place of the one before; the address that their program of codes takes in.

    Resolver only: a web server that was taken over gives nobody a secret.
    """
    secret = os.urandom(SECRET_BYTES)
    sealed = services.resolver_keys.view.encrypt(PASS, str(user.id).encode(), secret)
    row = session.get(SecondFactor, user.id)
    if row is None:
        session.add(SecondFactor(user_id=user.id, secret_ciphertext=sealed, created_at=services.now()))
    else:
        row.secret_ciphertext, row.created_at = sealed, services.now()
    revoke_capabilities(session, services.now(), Capability.purpose == PASS, Capability.user_id == user.id)
    return _totp_codes(secret).get_provisioning_uri(user.email, services.mail_domain)


def _totp_codes(secret: bytes) -> TOTP:
    return TOTP(secret, DIGITS, SHA1(), STEP_S)  # noqa: S303 - what every program of codes knows, and a MAC stands firm


def is_enrolled(services: Services, user_id: int) -> bool:
    """Return True if an operator has a second factor."""
    with services.db.snapshot() as session:
        return session.get(SecondFactor, user_id) is not None


def verify_totp(services: Services, user_id: int, code: str) -> bool:
    """Return True for a code of now, or of the step before or after, the first time that it comes.

    Raises RequestRefused (`too_often`) where too many were tried.
    """
    if limits.is_exceeded(services, "codes", str(user_id)):
        raise limits.rate_limit_error(services)
    with services.db.transaction() as session:
        row = session.get(SecondFactor, user_id)
        if row is None:
            return False
        codes = _totp_codes(services.view_keys.view.decrypt(PASS, str(user_id).encode(), row.secret_ciphertext))
        step = _time_step(codes, code.replace(" ", ""), services.now() // 1000)
        if step is None:
            return False
        now = services.now()
        key = token_hash(CODE, f"{user_id}.{step}")
        return insert_ignore(
            session, Capability.hash, hash=key, purpose=CODE, user_id=user_id, created_at=now, expires_at=now
        )


def _time_step(codes: TOTP, code: str, now: int) -> int | None:
    """The step that a code is of; None for a wrong one."""
    if not (code.isascii() and code.isdigit() and len(code) == DIGITS):
        return None
    for moment in (now, now - STEP_S, now + STEP_S):
        try:
            codes.verify(code.encode(), moment)
        except InvalidToken:
            continue
        return moment // STEP_S
    return None


def open_session(services: Services, user_id: int, code: str) -> str:
    """Return a token that opens the operator's page; empty if the code is wrong. Raises RequestRefused."""
    if not verify_totp(services, user_id, code):
        return ""
    with services.db.transaction() as session:
        return create_capability(session, PASS, services.now(), lasting_ms=PASS_MS, user_id=user_id)


def has_session(services: Services, user_id: int, token: str) -> bool:
    """Return True while a code that this operator gave opens the page."""
    with services.db.snapshot() as session:
        row = find_capability(session, PASS, token, services.now())
        return row is not None and row.user_id == user_id
