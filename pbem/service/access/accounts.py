"""Linked accounts at Discord: linked by a code that works once, ended by either side."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import delete, or_, select
from sqlalchemy.exc import IntegrityError

from pbem.service.access import people
from pbem.service.access.people import Person
from pbem.service.access.tokens import revoke
from pbem.service.base import limits
from pbem.service.base.services import Services
from pbem.store.models import Account, TokenRow, User
from pbem.text import one_line
from pbem.vault import is_token, new_token, token_hash
from pbem.vault.tokens import ALPHABET, LENGTH

LINK, SEEN = "link", "discord"
CODE_MS = 15 * 60_000
"""How long a code holds."""


@dataclass(frozen=True)
class Linked:
    """An account at Discord: what it is called there, and since when (seconds) it is linked."""

    name: str
    since: int


class TooOften(Exception):
    """Too many codes were tried."""


def new_code(services: Services, user_id: int) -> str:
    """A code for `/pbem link`; the one before ends."""
    token, now = new_token(), services.now()
    with services.db.writing() as session:
        revoke(session, now, TokenRow.purpose == LINK, TokenRow.user_id == user_id)
        session.add(
            TokenRow(hash=token_hash(LINK, token), purpose=LINK, user_id=user_id, made_at=now, expires_at=now + CODE_MS)
        )
    return token


def link(services: Services, code: str, outside: str, name: str) -> Person | None:
    """Link an account to the person who was given the code; None for a code that is not good.  Raises TooOften.

    One account for each person, and one person for each account: a newer link takes the place of older ones.
    """
    code, now = code.strip().lower(), services.now()
    often = limits.over(services, "links", outside)
    with services.db.writing() as session:
        row = session.get(TokenRow, token_hash(LINK, code), with_for_update=True) if is_token(code) else None
        good = row is not None and row.revoked_at is None and row.used_at is None and (row.expires_at or 0) > now
        user_id = row.user_id if row is not None and good and not often else None
        if row is not None and user_id is not None:
            row.used_at = row.revoked_at = now
            session.execute(delete(Account).where(or_(Account.user_id == user_id, Account.outside == outside)))
            session.flush()
            session.add(Account(user_id=user_id, outside=outside, name=one_line(name, 80), linked_at=now))
        found = people.person(session.get_one(User, user_id)) if user_id is not None else None
    if often:
        raise TooOften
    return found


def unlink(services: Services, user_id: int) -> None:
    """End the link of one's account."""
    with services.db.writing() as session:
        session.execute(delete(Account).where(Account.user_id == user_id))


def linked(services: Services, user_id: int) -> Linked | None:
    """One's account at Discord."""
    with services.db.reading() as session:
        row = session.get(Account, user_id)
        return Linked(row.name, row.linked_at // 1000) if row is not None else None


def owner(services: Services, outside: str) -> Person | None:
    """Who an account belongs to."""
    with services.db.reading() as session:
        linked = select(User).join(Account, Account.user_id == User.id).where(Account.outside == outside)
        user = session.scalars(linked).one_or_none()
        return people.person(user) if user is not None else None


def first_time(services: Services, marks: Iterable[str], until: int) -> bool:
    """True if a signed request comes for the first time; it is remembered until its signature is too old anyhow."""
    mark = token_hash(SEEN, "\0".join(marks))
    try:
        with services.db.writing() as session:
            if session.get(TokenRow, mark) is not None:
                return False
            session.add(TokenRow(hash=mark, purpose=SEEN, made_at=services.now(), expires_at=until))
    except IntegrityError:  # two came at the same moment, and the other was first
        return False
    return True


def form_of(request: str) -> str:
    """The number of the form that a request brings: the same request, however often it comes, acts once."""
    number = int.from_bytes(hashlib.sha512(f"pbem form 1\0{request}".encode()).digest())
    signs = []
    for _ in range(LENGTH):
        number, rest = divmod(number, len(ALPHABET))
        signs.append(ALPHABET[rest])
    return "".join(signs)
