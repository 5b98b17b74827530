"""Signing in by a link in an email, once.

Also the change of the address by which a person signs in.
"""

import secrets
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Final

from sqlalchemy import delete, or_, select
from sqlalchemy.orm import Session

from engine.kernel.languages import DEFAULT
from pbem.common.addresses import is_address, is_unverified, normalize, parse_mail_address, parse_mailbox
from pbem.common.states import LIVE, GameState
from pbem.crypto import is_token, token_hash
from pbem.narration.facts import AccountFacts, EmailContext, Links, Reader, SigninFacts, TableFacts
from pbem.service.access import mail_preferences, users
from pbem.service.access.capabilities import create_capability, find_capability, revoke_capabilities
from pbem.service.base import limits
from pbem.service.base.calendar import DAY_MS
from pbem.service.base.services import RequestRefused, Services
from pbem.service.game.journal import mask_addresses
from pbem.service.mail.outbox import enqueue
from pbem.service.seats import lobby, substitutes, tables
from pbem.store.erasure import delete_games_and_users
from pbem.store.games import load_seat, lock_game
from pbem.store.models import AddressChange, Base, Capability, Game, SeatRow, SeatTenure, User

SIGN_IN = "sign-in"
SIGN_IN_MS = 3_600_000
SEAT_LINK_MS: Final = DAY_MS
"""How long a link is valid that passes a guest's seat to the owner of an address."""


@dataclass(frozen=True)
class Asker:
    """Who asks for a sign-in link: from which network address.

    `browser`: the number of a browser that was signed in before as the owner of the address, empty for others.
    `guest`: the guest at a table whose seat goes to the owner of the address; 0 if the visitor is none.
    """

    line: str = ""
    browser: str = ""
    guest: int = 0


def request_sign_in(services: Services, address: str, language: str = DEFAULT, asker: Asker = Asker()) -> None:
    """Mail a sign-in link, if not too many were asked for.  The caller learns nothing about the address."""
    if _is_rate_limited(services, parse_mailbox(address), asker):
        return
    with services.db.transaction() as session:
        guest, game, seat = _find_seat_of_guest(session, asker.guest)
        if not _may_have_account(services, session, address, by_link=game is not None):
            return
        user = users.get_or_create_user(services, session, address, language=language)
        link, expires = _create_link(services, session, user.id, game.id if game is not None else None, seat)
        reader = Reader(user.name, user.language, user.time_zone)
        frame = EmailContext(reader, TableFacts("", ""), Links(act=link), services.now() // 1000)
        enqueue(
            services,
            session,
            key=f"sign-in.{secrets.token_hex(8)}",
            kind="signin",
            facts=SigninFacts(frame, expires // 1000, game.title if game is not None else "", guest),
            user_id=user.id,
        )
    services.enqueue("send_outbound_emails", "")


def _may_have_account(services: Services, session: Session, address: str, *, by_link: bool) -> bool:
    """Return True if the server lets the owner of an address in. Everybody who was invited is known already.

    `by_link`: they have followed the link of a table to a seat.
    """
    if services.sign_up == "open" or (by_link and services.sign_up == "invitation"):
        return True
    email = parse_mail_address(address)
    return email in services.operator_emails or bool(
        session.scalars(select(User.id).where(User.email == email)).first()
    )


def _find_seat_of_guest(session: Session, user_id: int) -> tuple[str, Game | None, str | None]:
    """The name, game and seat of somebody who plays without a verified address; nothing for anybody else."""
    user = session.get(User, user_id) if user_id else None
    if user is None or not is_unverified(user.email):
        return "", None, None
    row = session.scalars(select(SeatRow).where(SeatRow.user_id == user_id)).first()
    game = session.get_one(Game, row.game_id) if row is not None else None
    if row is None or game is None or game.state not in LIVE:
        return "", None, None
    return user.name, game, row.seat


def _is_rate_limited(services: Services, where: str, asker: Asker) -> bool:
    """Count one more link for a mailbox, by who asks: nobody uses up another's, and strangers not the owner's."""
    day, who = limits.DAY_S, f"{asker.browser or asker.line} {where}"
    if not asker.browser and limits.is_exceeded(services, "sign_ins_from", asker.line, day):
        return True
    if limits.is_exceeded(services, "sign_ins_by_one", who) or limits.is_exceeded(
        services, "sign_ins_by_one_today", who, day
    ):
        return True
    if asker.browser:
        return False
    return limits.is_exceeded(services, "sign_ins", where) or (
        limits.is_exceeded(services, "sign_ins_today", where, day)
        and limits.is_exceeded(services, "sign_ins_beyond", where)
    )


def create_sign_in_link(services: Services, user_id: int) -> str:
    """Create a link that signs a user in, once, within the hour: for the operator to hand over."""
    with services.db.transaction() as session:
        return _create_link(services, session, user_id)[0]


def _create_link(
    services: Services, session: Session, user_id: int, game_id: str | None = None, seat: str | None = None
) -> tuple[str, int]:
    now, lasting_ms = services.now(), SIGN_IN_MS if seat is None else SEAT_LINK_MS
    token = create_capability(session, SIGN_IN, now, lasting_ms=lasting_ms, user_id=user_id, game_id=game_id, seat=seat)
    return f"{services.public_url}/sign-in/{token}", now + lasting_ms


def redeem_link(services: Services, token: str) -> int | None:
    """Use a sign-in link, once; the user's number, or None if the link is not, or no longer, good.

    If a guest at a table asked for it, their seat passes to the user, and nothing else of the guest stays.
    """
    with services.db.transaction() as session:
        row = find_capability(session, SIGN_IN, token, services.now())
        game = lock_game(session, row.game_id) if row is not None and row.game_id is not None else None
        row = find_capability(session, SIGN_IN, token, services.now(), lock=True)
        if row is None or row.used_at is not None or row.user_id is None:
            return None
        row.used_at, user_id = services.now(), row.user_id
        if game is not None:
            _pass_seat(services, session, game, row, session.get_one(User, user_id))
    if game is not None:
        lobby.enqueue_jobs(services, game.id)
    return user_id


def _pass_seat(services: Services, session: Session, game: Game, link: Capability, user: User) -> None:
    """Give a guest's seat to the owner of the address that they named, where one may take it who never sat there.

    A guest who came to the seat after a link was made did not ask for it.
    """
    row = load_seat(session, game.id, link.seat)
    guest = session.get(User, row.user_id) if row is not None and row.user_id is not None else None
    if row is None or guest is None or not is_unverified(guest.email) or (row.joined_at or 0) > link.created_at:
        return
    if game.state not in LIVE or not substitutes.can_take_seat(session, game.id, user.id):
        return
    with suppress(RequestRefused):  # their name is like another's at this table: the guest plays on, and can ask again
        if not users.has_chosen_name(user) and not _is_taken(session, user):
            user.name = guest.name  # who is new here is called as they wrote themselves
        if game.state == GameState.RUNNING:
            substitutes.replace_player(services, session, game, row, user, "replaced")
            revoke_capabilities(session, services.now(), Capability.user_id == guest.id)
        else:
            tables.pass_seat(services, session, game, row, user)


ACCOUNT_DELETION: Final = "account-deletion"
ADDRESS_CHANGE: Final = "address-change"
ADDRESS_CHANGE_MS: Final = 3 * DAY_MS
"""How long both ends have to agree."""
_NOT_THEIRS: Final = frozenset({"capabilities", "outbound_emails", "address_changes", "users"})
"""Tables whose rows say nothing of a person but that they were written to."""


@dataclass(frozen=True)
class PendingChange:
    """What a link agrees to: the end that it came to (`old` or `new`), and both addresses, masked."""

    end: str
    old: str
    new: str


def enqueue_account_email(
    services: Services,
    session: Session,
    user: User,
    kind: str,
    *,
    page: str = "",
    token: str = "",
    expires: int = 0,
    about: str = "",
    file: str = "",
) -> None:
    """Enqueue an email to a user about their account. `about`: an address, masked.

    `token`: to confirm by, at a page below `page` or by email; without one the email links to `page`.
    """
    links = Links(
        act="/".join(filter(None, (services.public_url, page, token))) if page else "",
        answer=services.reply_address(token) if token else "",
    )
    reader = Reader(user.name, user.language, user.time_zone)
    frame = EmailContext(reader, TableFacts("", ""), links, services.now() // 1000)
    facts = AccountFacts(frame, kind, expires // 1000, about, file)
    enqueue(services, session, key=f"account.{secrets.token_hex(8)}", kind="account", facts=facts, user_id=user.id)


def request_address_change(services: Services, user_id: int, written: str) -> None:
    """Write to both ends. Raises RequestRefused, for what does not depend on who has the new address."""
    _check_address(written)
    if limits.is_exceeded(services, "address_changes", str(user_id)):
        raise limits.rate_limit_error(services)
    enough = is_change_limited(services, written)
    with services.db.transaction() as session:
        enqueue_change_request(services, session, session.get_one(User, user_id), written, enough=enough)
    services.enqueue("send_outbound_emails", "")


def _check_address(written: str) -> None:
    if not is_address(written):
        raise RequestRefused("address", address=normalize(written)[:80])


def is_change_limited(services: Services, address: str) -> bool:
    """Count one more email to an address that somebody says is theirs; True where there is none to be sent."""
    return limits.is_exceeded(services, "address_letters", parse_mailbox(address), limits.DAY_S)


def enqueue_change_request(services: Services, session: Session, user: User, written: str, *, enough: bool) -> None:
    """Enqueue the emails that ask both addresses for confirmation, in the caller's transaction.

    `enough`: nothing is sent to the new address.
    """
    _check_address(written)
    if normalize(written) == user.email:
        raise RequestRefused("address_same")
    new_owner = users.get_or_create_user(services, session, written, language=user.language, zone=user.time_zone)
    now = services.now()
    old, new = (
        create_capability(session, ADDRESS_CHANGE, now, lasting_ms=ADDRESS_CHANGE_MS, user_id=end.id)
        for end in (user, new_owner)
    )
    session.execute(delete(AddressChange).where(AddressChange.user_id == user.id))
    session.add(
        AddressChange(
            user_id=user.id,
            to_user_id=new_owner.id,
            old_hash=token_hash(ADDRESS_CHANGE, old),
            new_hash=token_hash(ADDRESS_CHANGE, new),
            expires_at=now + ADDRESS_CHANGE_MS,
        )
    )
    ask_end = partial(enqueue_account_email, services, session, page=ADDRESS_CHANGE, expires=now + ADDRESS_CHANGE_MS)
    ask_end(user, "move_old", token=old, about=mask_addresses(new_owner.email))
    if not enough:
        ask_end(new_owner, "move_new", token=new, about=mask_addresses(user.email))


def _load_change(services: Services, session: Session, token: str) -> tuple[AddressChange, bool] | None:
    """The change that a link is of, and whether it came to the old address; None once it is over."""
    if not is_token(token):
        return None
    key = token_hash(ADDRESS_CHANGE, token)
    either = or_(AddressChange.old_hash == key, AddressChange.new_hash == key)
    row = session.scalars(select(AddressChange).where(either).with_for_update()).one_or_none()
    if row is None or row.expires_at < services.now():
        return None
    return row, row.old_hash == key


def find_change(services: Services, token: str) -> PendingChange | None:
    """Find what a link would confirm."""
    with services.db.snapshot() as session:
        change = _load_change(services, session, token)
        if change is None:
            return None
        row, is_old = change
        user, new_owner = session.get_one(User, row.user_id), session.get_one(User, row.to_user_id)
        return PendingChange("old" if is_old else "new", mask_addresses(user.email), mask_addresses(new_owner.email))


def confirm_change(services: Services, token: str) -> str:
    """Confirm by one address: `half` until the other has, `done`, `taken` if the new address is another user's.

    Return empty if the link is not valid. Only the new address learns that it is taken.
    """
    with services.db.transaction() as session:
        came = apply_change(services, session, token)
    services.enqueue("send_outbound_emails", "")
    return came


def apply_change(services: Services, session: Session, token: str) -> str:
    """Do the same in the caller's transaction."""
    change = _load_change(services, session, token)
    if change is None:
        return ""
    row, is_old = change
    user, new_owner = session.get_one(User, row.user_id), session.get_one(User, row.to_user_id)
    if not is_old and _is_taken(session, new_owner):
        return "taken"
    if is_old:
        row.old_confirmed_at = services.now()
    else:
        row.new_confirmed_at = services.now()
    if row.old_confirmed_at is None or row.new_confirmed_at is None:
        return "half"
    if _is_taken(session, new_owner):
        return "half"  # they became somebody since: the old end learns nothing of it
    _apply(services, session, user, new_owner)
    enqueue_account_email(services, session, user, "moved", about=mask_addresses(user.email))
    return "done"


def cancel_change(services: Services, session: Session, token: str) -> None:
    """Cancel a change: one address has declined it."""
    change = _load_change(services, session, token)
    if change is not None:
        session.delete(change[0])


def _is_taken(session: Session, user: User) -> bool:
    """Return True if anything here is a person's but emails and links that were sent to their address."""
    for table in Base.metadata.sorted_tables:
        if table.name in _NOT_THEIRS:
            continue
        names = [c for c in table.columns if any(key.target_fullname == "users.id" for key in c.foreign_keys)]
        if names and session.execute(select(*names).where(or_(*(c == user.id for c in names))).limit(1)).first():
            return True
    return False


def _apply(services: Services, session: Session, user: User, new_owner: User) -> None:
    old, new = user.email, new_owner.email
    unwanted = mail_preferences.has_invitation_opt_out(session, old) or mail_preferences.has_invitation_opt_out(
        session, new
    )
    invitations = Capability.purpose == lobby.JOIN, Capability.user_id == new_owner.id
    for invitation in session.scalars(select(Capability).where(*invitations)):
        invitation.user_id = user.id
    session.flush()
    delete_games_and_users(session, [], [new_owner.id])
    session.expunge(new_owner)  # its row is gone, which the session cannot know
    user.email, user.bounced_at = new, None
    for row in session.scalars(select(SeatRow).where(SeatRow.invited_email == old)):
        row.invited_email = new
    links = Capability.purpose.in_((SIGN_IN, ACCOUNT_DELETION)), Capability.user_id == user.id
    revoke_capabilities(session, services.now(), *links)  # they lie in a mailbox that is theirs no more
    mail_preferences.set_invitation_opt_out(services, session, user, wanted=not unwanted)
    sits = select(SeatRow.game_id).join(Game, Game.id == SeatRow.game_id)
    for game_id in sorted(session.scalars(sits.where(SeatRow.user_id == user.id, Game.state.in_(LIVE)))):
        _update_tenure(services, session, game_id, user)
    session.execute(delete(AddressChange).where(AddressChange.user_id == user.id))
    cancel_changes_to(session, user)


def cancel_changes_to(session: Session, user: User) -> None:
    """End the changes to a user's address: it is theirs no more, and what they agreed to was said of that one."""
    session.execute(delete(AddressChange).where(AddressChange.to_user_id == user.id))


def _update_tenure(services: Services, session: Session, game_id: str, user: User) -> None:
    """A newer row in the book of holdings: by it the resolver believes that its player has another address now."""
    game = lock_game(session, game_id)
    seat = session.scalars(select(SeatRow).where(SeatRow.game_id == game_id, SeatRow.user_id == user.id)).one()
    current = SeatTenure.game_id == game_id, SeatTenure.seat == seat.seat, SeatTenure.ends_at.is_(None)
    tenures = session.scalars(select(SeatTenure).where(*current)).all()
    began = seat.joined_at or (game.created_at if game is not None else services.now())
    since = tenures[0].starts_at if tenures else began
    session.add(SeatTenure(game_id=game_id, seat=seat.seat, user_id=user.id, starts_at=since))
    session.flush()
    for row in tenures:
        session.delete(row)
