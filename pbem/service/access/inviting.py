"""Letters that ask people for something who never asked for a letter: few of them, and none to those who want none.

Whoever invites hears the same of an address that had its letters of the day and of one that wants none: it does not
show who is known here.  What is kept of the latter is a digest of their mailbox.
"""

import hashlib
from typing import Final

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from pbem.addresses import comparable, is_address, mailbox
from pbem.service.access import people
from pbem.service.access.people import Person
from pbem.service.base import limits
from pbem.service.base.services import Refused, Services
from pbem.store.models import Game, Holding, SeatRow, Uninvited, User
from pbem.store.upsert import add_once
from pbem.text import has_web_address

LINK: Final = "invitations"
"""Where on the pages the link leads that ends invitations."""


def check(services: Services, session: Session, game: Game, person: User, address: str) -> None:
    """Raise Refused where a letter to a stranger would be one too many, unwanted, or advertise something.

    Counted are those of the person who asks, those of the table, and those to the address, whoever asks; among people
    who have played together, those of the one to the other.  Refused: `address`, `takes_none`, `too_often`,
    `too_often_today`, `web_address`.
    """
    if not is_address(address):
        raise Refused("address", address=comparable(address)[:80])
    by_address = person.name == person.address.partition("@")[0]
    if has_web_address(game.title) or (has_web_address(person.name) and not by_address):
        raise Refused("web_address")
    if limits.over(services, "invitations", str(person.id)):
        raise limits.too_often(services)
    if limits.over(services, "table_invitations", game.id, limits.DAY_S):
        raise Refused("too_often_today", hours=-(-limits.seconds_left(services, limits.DAY_S) // 3600))
    if wants_none(session, address) or _had_enough(services, session, person, address):
        raise Refused("takes_none", address=comparable(address)[:80])


def _had_enough(services: Services, session: Session, person: User, address: str) -> bool:
    where = mailbox(address)
    if _have_played(session, person, address):
        return limits.over(services, "invited_by_friend", f"{person.id} {where}", limits.DAY_S)
    return limits.over(services, "invited", where, limits.DAY_S)


def _have_played(session: Session, person: User, address: str) -> bool:
    """Return True if these two have had seats of one game that began."""
    other = session.scalars(select(User).where(User.address == comparable(address))).one_or_none()
    return other is not None and bool(_games(session, person) & _games(session, other))


def _games(session: Session, person: User) -> set[str]:
    begun = select(SeatRow.game_id).join(Game, Game.id == SeatRow.game_id).where(Game.started_at.is_not(None))
    now = session.scalars(begun.where(SeatRow.user_id == person.id))
    return {*now, *session.scalars(select(Holding.game_id).where(Holding.user_id == person.id))}


# --- people who want none


def wants_none(session: Session, address: str) -> bool:
    """Return True if the owner of this mailbox wants no invitations."""
    return session.get(Uninvited, _mark(address)) is not None


def note(services: Services, session: Session, person: User, *, wanted: bool) -> None:
    """Send a person no invitations from now on, or let people invite them again."""
    mark = _mark(person.address)
    if wanted:
        session.execute(delete(Uninvited).where(Uninvited.mark == mark))
    else:
        add_once(session, Uninvited.mark, mark=mark, since=services.now())


def settle(services: Services, user_id: int, *, wanted: bool) -> None:
    """The same from a page."""
    with services.db.writing() as session:
        note(services, session, session.get_one(User, user_id), wanted=wanted)


def is_wanted(services: Services, user_id: int) -> bool:
    """Return True if a person can be invited."""
    with services.db.reading() as session:
        return not wants_none(session, session.get_one(User, user_id).address)


def link(services: Services, user: User) -> str:
    """The page on which a person ends invitations without signing in; the same in all letters to them."""
    return f"{services.public_url}/{LINK}/{people.mute_token(services, user)}"


def whose(services: Services, token: str) -> Person | None:
    """The person whose invitations a link ends; None for a link that was never made."""
    return people.muting(services, token)


def _mark(address: str) -> bytes:
    return hashlib.sha256(f"pbem uninvited 1\0{mailbox(address)}".encode()).digest()
