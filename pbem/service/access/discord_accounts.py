"""Linked accounts at Discord: linked by a code that works once, ended by either side."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import delete, or_, select
from sqlalchemy.exc import IntegrityError

from pbem.common.text import to_one_line
from pbem.crypto import is_token, new_token, token_hash
from pbem.crypto.tokens import ALPHABET, LENGTH
from pbem.service.access import users
from pbem.service.access.tokens import revoke
from pbem.service.access.users import Person
from pbem.service.base import limits
from pbem.service.base.services import Services
from pbem.store.models import Capability, DiscordAccount, User

LINK, SEEN = "link", "discord"
CODE_MS = 15 * 60_000
"""How long a code holds."""


@dataclass(frozen=True)
class LinkedAccount:
    """An account at Discord: what it is called there, and since when (seconds) it is linked."""

    name: str
    since: int


class TooManyCodes(Exception):
    """Too many codes were tried."""


def create_link_code(services: Services, user_id: int) -> str:
    """A code for `/pbem link`; the one before ends."""
    token, now = new_token(), services.now()
    with services.db.transaction() as session:
        revoke(session, now, Capability.purpose == LINK, Capability.user_id == user_id)
        session.add(
            Capability(
                hash=token_hash(LINK, token), purpose=LINK, user_id=user_id, made_at=now, expires_at=now + CODE_MS
            )
        )
    return token


def link(services: Services, code: str, outside: str, name: str) -> Person | None:
    """Link an account to the person who was given the code; None for a code that is not good.  Raises TooOften.

    One account for each person, and one person for each account: a newer link takes the place of older ones.
    """
    code, now = code.strip().lower(), services.now()
    often = limits.is_exceeded(services, "links", outside)
    with services.db.transaction() as session:
        row = session.get(Capability, token_hash(LINK, code), with_for_update=True) if is_token(code) else None
        good = row is not None and row.revoked_at is None and row.used_at is None and (row.expires_at or 0) > now
        user_id = row.user_id if row is not None and good and not often else None
        if row is not None and user_id is not None:
            row.used_at = row.revoked_at = now
            session.execute(
                delete(DiscordAccount).where(or_(DiscordAccount.user_id == user_id, DiscordAccount.outside == outside))
            )
            session.flush()
            session.add(DiscordAccount(user_id=user_id, outside=outside, name=to_one_line(name, 80), linked_at=now))
        found = users.to_user(session.get_one(User, user_id)) if user_id is not None else None
    if often:
        raise TooManyCodes
    return found


def unlink(services: Services, user_id: int) -> None:
    """End the link of one's account."""
    with services.db.transaction() as session:
        session.execute(delete(DiscordAccount).where(DiscordAccount.user_id == user_id))


def find_account(services: Services, user_id: int) -> LinkedAccount | None:
    """One's account at Discord."""
    with services.db.snapshot() as session:
        row = session.get(DiscordAccount, user_id)
        return LinkedAccount(row.name, row.linked_at // 1000) if row is not None else None


def find_user(services: Services, outside: str) -> Person | None:
    """Who an account belongs to."""
    with services.db.snapshot() as session:
        linked = (
            select(User)
            .join(DiscordAccount, DiscordAccount.user_id == User.id)
            .where(DiscordAccount.outside == outside)
        )
        user = session.scalars(linked).one_or_none()
        return users.to_user(user) if user is not None else None


def claim_request(services: Services, marks: Iterable[str], until: int) -> bool:
    """True if a signed request comes for the first time; it is remembered until its signature is too old anyhow."""
    mark = token_hash(SEEN, "\0".join(marks))
    try:
        with services.db.transaction() as session:
            if session.get(Capability, mark) is not None:
                return False
            session.add(Capability(hash=mark, purpose=SEEN, made_at=services.now(), expires_at=until))
    except IntegrityError:  # two came at the same moment, and the other was first
        return False
    return True


def form_id(request: str) -> str:
    """The number of the form that a request brings: the same request, however often it comes, acts once."""
    number = int.from_bytes(hashlib.sha512(f"pbem form 1\0{request}".encode()).digest())
    signs = []
    for _ in range(LENGTH):
        number, rest = divmod(number, len(ALPHABET))
        signs.append(ALPHABET[rest])
    return "".join(signs)
