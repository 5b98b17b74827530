"""Letters that ask people for something who never asked for a letter: few of them, and none to those who want none.

Whoever invites hears the same of an address that had its letters of the day and of one that wants none: it does not
show who is known here.  What is kept of the latter is a digest of their mailbox.
"""

import hashlib
from typing import Final

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from pbem.common.addresses import is_address, normalize, parse_mailbox
from pbem.common.text import has_web_address
from pbem.service.access import users
from pbem.service.access.users import Person
from pbem.service.base import limits
from pbem.service.base.services import RequestRefused, Services
from pbem.store.models import Game, InvitationOptOut, SeatRow, SeatTenure, User
from pbem.store.upsert import insert_ignore

LINK: Final = "invitations"
"""Where on the pages the link leads that ends invitations."""


def check_invitation(services: Services, session: Session, game: Game, person: User, address: str) -> None:
    """Raise Refused where a letter to a stranger would be one too many, unwanted, or advertise something.

    Counted are those of the person who asks, those of the table, and those to the address, whoever asks; among people
    who have played together, those of the one to the other.  Refused: `address`, `takes_none`, `too_often`,
    `too_often_today`, `parse_web_address`.
    """
    if not is_address(address):
        raise RequestRefused("address", address=normalize(address)[:80])
    by_address = person.name == person.address.partition("@")[0]
    if has_web_address(game.title) or (has_web_address(person.name) and not by_address):
        raise RequestRefused("web_address")
    if limits.is_exceeded(services, "invitations", str(person.id)):
        raise limits.rate_limit_error(services)
    if limits.is_exceeded(services, "table_invitations", game.id, limits.DAY_S):
        raise RequestRefused("too_often_today", hours=-(-limits.retry_after_seconds(services, limits.DAY_S) // 3600))
    if has_opted_out(session, address) or _is_limit_reached(services, session, person, address):
        raise RequestRefused("takes_none", address=normalize(address)[:80])


def _is_limit_reached(services: Services, session: Session, person: User, address: str) -> bool:
    where = parse_mailbox(address)
    if _have_played_together(session, person, address):
        return limits.is_exceeded(services, "invited_by_friend", f"{person.id} {where}", limits.DAY_S)
    return limits.is_exceeded(services, "invited", where, limits.DAY_S)


def _have_played_together(session: Session, person: User, address: str) -> bool:
    """Return True if these two have had seats of one game that began."""
    other = session.scalars(select(User).where(User.address == normalize(address))).one_or_none()
    return other is not None and bool(_games_of(session, person) & _games_of(session, other))


def _games_of(session: Session, person: User) -> set[str]:
    begun = select(SeatRow.game_id).join(Game, Game.id == SeatRow.game_id).where(Game.started_at.is_not(None))
    now = session.scalars(begun.where(SeatRow.user_id == person.id))
    return {*now, *session.scalars(select(SeatTenure.game_id).where(SeatTenure.user_id == person.id))}


# --- people who want none


def has_opted_out(session: Session, address: str) -> bool:
    """Return True if the owner of this mailbox wants no invitations."""
    return session.get(InvitationOptOut, _email_hash(address)) is not None


def set_opt_out(services: Services, session: Session, person: User, *, wanted: bool) -> None:
    """Send a person no invitations from now on, or let people invite them again."""
    mark = _email_hash(person.address)
    if wanted:
        session.execute(delete(InvitationOptOut).where(InvitationOptOut.mark == mark))
    else:
        insert_ignore(session, InvitationOptOut.mark, mark=mark, since=services.now())


def set_opt_out_by_user(services: Services, user_id: int, *, wanted: bool) -> None:
    """The same from a page."""
    with services.db.transaction() as session:
        set_opt_out(services, session, session.get_one(User, user_id), wanted=wanted)


def accepts_invitations(services: Services, user_id: int) -> bool:
    """Return True if a person can be invited."""
    with services.db.snapshot() as session:
        return not has_opted_out(session, session.get_one(User, user_id).address)


def opt_out_link(services: Services, user: User) -> str:
    """The page on which a person ends invitations without signing in; the same in all letters to them."""
    return f"{services.public_url}/{LINK}/{users.load_unsubscribe_token(services, user)}"


def find_user_by_link(services: Services, token: str) -> Person | None:
    """The person whose invitations a link ends; None for a link that was never made."""
    return users.user_of_unsubscribe_token(services, token)


def _email_hash(address: str) -> bytes:
    return hashlib.sha256(f"pbem uninvited 1\0{parse_mailbox(address)}".encode()).digest()
