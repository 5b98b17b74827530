"""How much mail a person gets: of which tables, when, receipts of what they send on the page, pictures or none.

Also who may invite whom, and who wants no invitations.
"""

import hashlib
from collections.abc import Collection
from dataclasses import dataclass
from functools import partial
from typing import Final, Protocol

from sqlalchemy import bindparam, delete, select
from sqlalchemy.orm import Session

from pbem.common.addresses import is_address, normalize, parse_mailbox
from pbem.common.text import has_web_address
from pbem.service.access import users
from pbem.service.base import limits
from pbem.service.base.services import RequestRefused, Services
from pbem.store.models import Game, GameMute, InvitationOptOut, MailPreference, SeatRow, SeatTenure, User
from pbem.store.query_cache import cached
from pbem.store.upsert import insert_ignore

ALL, OWED, END = "all", "owed", "end"
AMOUNTS: Final = (ALL, OWED, END)
"""Everything; reports and reminders only while something is owed; of each game only its end."""


_CHOSEN = (
    select(
        User.id,
        MailPreference.only_when_due,
        MailPreference.web_receipts,
        MailPreference.pictures,
        GameMute.game_id,
    )
    .outerjoin(MailPreference, MailPreference.user_id == User.id)
    .outerjoin(GameMute, GameMute.user_id == User.id)
    .where(User.id.in_(bindparam("users", expanding=True)))
)
"""For each person what they chose, if they did, beside each table of which they want no emails."""


class PreferenceRow(Protocol):
    """What lies there of a person's choices."""

    @property
    def only_when_due(self) -> bool: ...
    @property
    def web_receipts(self) -> bool: ...
    @property
    def pictures(self) -> bool: ...


@dataclass(frozen=True)
class MailPreferences:
    """What a person has chosen; without a word of theirs, everything."""

    amount: str = ALL
    web_receipts: bool = True
    pictures: bool = True


def load_preferences(session: Session, user: User) -> MailPreferences:
    """Load what a user has chosen."""
    row: PreferenceRow | None = cached(session, MailPreference, user.id, lambda: session.get(MailPreference, user.id))
    amount = OWED if row is not None and row.only_when_due else ALL
    if user.muted_at is not None:
        amount = END
    return MailPreferences(amount, row is None or row.web_receipts, row is None or row.pictures)


def load_preferences_by_id(services: Services, user_id: int) -> MailPreferences:
    """Load what a user has chosen, by their number."""
    with services.db.snapshot() as session:
        return load_preferences(session, session.get_one(User, user_id))


def update_preferences(services: Services, user_id: int, choices: MailPreferences) -> bool:
    """Change how much mail a person gets; False, and no change, for an amount that there is not."""
    if choices.amount not in AMOUNTS:
        return False
    with services.db.transaction() as session:
        user = session.get_one(User, user_id)
        ends = choices.amount == END
        user.muted_at = (user.muted_at or services.now()) if ends else None
        insert_ignore(
            session, MailPreference.user_id, user_id=user_id, only_when_due=False, web_receipts=True, pictures=True
        )
        row = session.get_one(MailPreference, user_id, populate_existing=True)
        row.only_when_due, row.web_receipts, row.pictures = (
            choices.amount == OWED,
            choices.web_receipts,
            choices.pictures,
        )
    return True


def is_game_muted(session: Session, user_id: int, game_id: str | None) -> bool:
    """Return True if a person does not want the emails of this table."""
    if game_id is None:
        return False
    key = (game_id, user_id)
    return cached(session, GameMute, key, lambda: session.get(GameMute, key) is not None)


def prefetch(session: Session, readers: Collection[tuple[str | None, int]]) -> None:
    """Have at hand what the readers of many emails chose, by their tables, in one statement."""
    if not readers:
        return
    users = sorted({user for _, user in readers})
    rows = session.execute(_CHOSEN, {"users": users}).all()
    choices: dict[int, PreferenceRow] = {row.id: row for row in rows if row.only_when_due is not None}
    quiet = {(row.game_id, row.id) for row in rows if row.game_id is not None}
    for user in users:
        cached(session, MailPreference, user, partial(choices.get, user))
    for key in readers:
        cached(session, GameMute, key, partial(quiet.__contains__, key))


def set_game_muted(services: Services, session: Session, user_id: int, game_id: str, *, on: bool) -> bool:
    """Stop the emails of one table to a person, or let them come again; False where that was so already."""
    if session.get(Game, game_id) is None or is_game_muted(session, user_id, game_id) == on:
        return False
    if on:
        session.add(GameMute(game_id=game_id, user_id=user_id, created_at=services.now()))
    else:
        own = GameMute.game_id == game_id, GameMute.user_id == user_id
        session.execute(delete(GameMute).where(*own))
    return True


INVITATION_LINK: Final = "invitations"
"""Where on the pages the link leads that ends invitations."""


def check_invitation(services: Services, session: Session, game: Game, person: User, address: str) -> None:
    """Raise RequestRefused where an email to a stranger would be one too many, unwanted, or advertise something.

    Counted are those of the person who asks, those of the table, and those to the address, whoever asks; among people
    who have played together, those of the one to the other.  Refused: `address`, `takes_none`, `too_often`,
    `too_often_today`, `web_address`; `sign_up_closed` where a server takes no new players.
    """
    if not is_address(address):
        raise RequestRefused("address", address=normalize(address)[:80])
    if services.sign_up == "closed" and not _has_account(session, address):
        raise RequestRefused("sign_up_closed")
    by_address = person.name == person.email.partition("@")[0]
    if has_web_address(game.title) or (has_web_address(person.name) and not by_address):
        raise RequestRefused("web_address")
    if limits.is_exceeded(services, "invitations", str(person.id)):
        raise limits.rate_limit_error(services)
    if limits.is_exceeded(services, "table_invitations", game.id, limits.DAY_S):
        raise RequestRefused("too_often_today", hours=limits.retry_after_hours(services))
    if has_invitation_opt_out(session, address) or _is_limit_reached(services, session, person, address):
        raise RequestRefused("takes_none", address=normalize(address)[:80])


def _has_account(session: Session, address: str) -> bool:
    return bool(session.scalars(select(User.id).where(User.email == normalize(address))).first())


def _is_limit_reached(services: Services, session: Session, person: User, address: str) -> bool:
    where = parse_mailbox(address)
    if _have_played_together(session, person, address):
        return limits.is_exceeded(services, "invited_by_friend", f"{person.id} {where}", limits.DAY_S)
    return limits.is_exceeded(services, "invited", where, limits.DAY_S)


def _have_played_together(session: Session, person: User, address: str) -> bool:
    """Return True if these two have had seats of one game that began."""
    other = session.scalars(select(User).where(User.email == normalize(address))).one_or_none()
    return other is not None and bool(_games_of(session, person) & _games_of(session, other))


def _games_of(session: Session, person: User) -> set[str]:
    begun = select(SeatRow.game_id).join(Game, Game.id == SeatRow.game_id).where(Game.started_at.is_not(None))
    now = session.scalars(begun.where(SeatRow.user_id == person.id))
    return {*now, *session.scalars(select(SeatTenure.game_id).where(SeatTenure.user_id == person.id))}


# --- people who want none


def has_invitation_opt_out(session: Session, address: str) -> bool:
    """Return True if the owner of this mailbox wants no invitations."""
    return session.get(InvitationOptOut, _email_hash(address)) is not None


def set_invitation_opt_out(services: Services, session: Session, person: User, *, wanted: bool) -> None:
    """Send a person no invitations from now on, or let people invite them again."""
    key = _email_hash(person.email)
    if wanted:
        session.execute(delete(InvitationOptOut).where(InvitationOptOut.email_hash == key))
    else:
        insert_ignore(session, InvitationOptOut.email_hash, email_hash=key, created_at=services.now())


def set_invitation_opt_out_by_user(services: Services, user_id: int, *, wanted: bool) -> None:
    """Change whether a user gets invitations, by their number."""
    with services.db.transaction() as session:
        set_invitation_opt_out(services, session, session.get_one(User, user_id), wanted=wanted)


def accepts_invitations(services: Services, user_id: int) -> bool:
    """Return True if a person can be invited."""
    with services.db.snapshot() as session:
        return not has_invitation_opt_out(session, session.get_one(User, user_id).email)


def invitation_opt_out_link(services: Services, user: User) -> str:
    """Return the link by which a user ends invitations without signing in; the same in every email to them."""
    return f"{services.public_url}/{INVITATION_LINK}/{users.load_unsubscribe_token(services, user)}"


def _email_hash(address: str) -> bytes:
    return hashlib.sha256(f"pbem uninvited 1\0{parse_mailbox(address)}".encode()).digest()
