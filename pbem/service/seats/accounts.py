"""What a person does with their account, by email and by page, and its deletion."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from sqlalchemy import ColumnElement, Select, delete, or_, select, update
from sqlalchemy.orm import Session

from engine.kernel.parsed import Command
from pbem.common.addresses import DELETED, is_address, normalize
from pbem.common.outage_log import skip_unreadable
from pbem.common.states import GATHERING, LIVE, OPENED, GameState
from pbem.service.access.capabilities import create_capability, find_capability, is_valid, revoke_capabilities
from pbem.service.base import limits
from pbem.service.base.calendar import DAY_MS
from pbem.service.base.services import ParsedEmail, RequestRefused, Services
from pbem.service.base.wording import parse_consent
from pbem.service.messages.conversations import FORGOTTEN
from pbem.service.seats import deputies, lobby, seat_offers, sign_in, substitutes, tables
from pbem.service.seats.sign_in import ACCOUNT_DELETION, ADDRESS_CHANGE, enqueue_account_email
from pbem.store.games import find_seat_of_user, lock_game
from pbem.store.models import (
    Absence,
    AccountDeletion,
    AddressChange,
    ApiToken,
    Application,
    ArchiveSearchTerm,
    AuditEntry,
    Capability,
    Deputy,
    DiscordAccount,
    Game,
    GameMute,
    GameResult,
    MailPreference,
    Master,
    Outage,
    OutboundEmail,
    SeatRow,
    SeatTenure,
    SeatView,
    SecondFactor,
    Spectator,
    TalkAddress,
    User,
)

ACCOUNT_DELETION_MS: Final = DAY_MS
_OWN: Final = (
    *(ApiToken, TalkAddress, Capability),  # those that lie beside a capability first
    *(Absence, DiscordAccount, AddressChange, MailPreference, GameMute, SecondFactor, Spectator, AccountDeletion),
)
"""Rows that are a person's alone."""


def request_deletion(services: Services, user_id: int) -> None:
    """Write to a person's address, so that nobody else lets them be forgotten. Raises RequestRefused."""
    if limits.is_exceeded(services, "address_changes", str(user_id)):
        raise limits.rate_limit_error(services)
    with services.db.transaction() as session:
        enqueue_deletion_request(services, session, session.get_one(User, user_id))
    services.enqueue("send_outbound_emails", "")


def enqueue_deletion_request(services: Services, session: Session, user: User) -> None:
    """Enqueue the email that asks for confirmation, in the caller's transaction."""
    now = services.now()
    token = create_capability(session, ACCOUNT_DELETION, now, lasting_ms=ACCOUNT_DELETION_MS, user_id=user.id)
    enqueue_account_email(
        services, session, user, "forget", page=ACCOUNT_DELETION, token=token, expires=now + ACCOUNT_DELETION_MS
    )


def is_valid_deletion(services: Services, token: str) -> bool:
    """Return True while a link lets its person be forgotten."""
    with services.db.snapshot() as session:
        return find_capability(session, ACCOUNT_DELETION, token, services.now()) is not None


def confirm_deletion(services: Services, token: str) -> bool | None:
    """Sign them out everywhere, end their emails, offer their seats, give up their tables that form.

    None for a link that is not good.

    True once they are forgotten; False while a table under way still has them.
    """
    with services.db.transaction() as session:
        done = apply_deletion(services, session, token)
    services.enqueue("send_outbound_emails", "")
    return done


def apply_deletion(services: Services, session: Session, token: str) -> bool | None:
    """Do the same in the caller's transaction."""
    row = find_capability(session, ACCOUNT_DELETION, token, services.now())
    if row is None or row.user_id is None:
        return None
    user_id, user = row.user_id, session.get_one(User, row.user_id)
    for game_id in sorted(session.scalars(_involving(user)).all()):
        game = lock_game(session, game_id)
        if game is not None and game.state in LIVE:
            _withdraw(services, session, game, user)
    revoke_capabilities(session, services.now(), Capability.user_id == user_id)
    session.execute(delete(DiscordAccount).where(DiscordAccount.user_id == user_id))
    user.muted_at = services.now()
    if session.get(AccountDeletion, user_id) is None:
        session.add(AccountDeletion(user_id=user_id, requested_at=services.now()))
    session.flush()
    hosted = select(Game.id).where(Game.host_id == user_id, Game.state.in_(GATHERING)).order_by(Game.id)
    for game_id in session.scalars(hosted).all():
        tables.cancel_game_in(services, session, session.get_one(Game, game_id))
    return _delete_user(services, session, user)


def _involving(user: User) -> Select[str]:
    """Tables under way that may wait for a person in whatever part."""
    parts = (
        select(SeatRow.game_id).where(or_(SeatRow.user_id == user.id, SeatRow.invited_email == user.email)),
        select(Deputy.game_id).where(Deputy.user_id == user.id, Deputy.ended_at.is_(None)),
        select(Application.game_id).where(Application.user_id == user.id, Application.decided_at.is_(None)),
    )
    return select(Game.id).where(Game.state.in_(LIVE), or_(*(Game.id.in_(part) for part in parts)))


def _withdraw(services: Services, session: Session, game: Game, user: User) -> None:
    """Offer a person's seat, and end whatever else somebody at a locked table may wait for them to do."""
    seat = find_seat_of_user(session, game.id, user.id)
    if seat is not None and game.state == GameState.RUNNING:
        substitutes.offer_seat(services, session, game, seat, "yes")
    elif seat is not None and game.state in GATHERING and game.host_id != user.id:
        tables.free_seat(seat)
    deputies.end_for_user(services, session, game, user)
    lobby.withdraw_application_in(services, session, game.id, user.id)
    seat_offers.decline_offers(services, session, game, user)
    tables.decline_invitations(services, session, game, user)


def is_deletion_pending(services: Services, user_id: int) -> bool:
    """Return True if a person asked for it, and a table under way still has them."""
    with services.db.snapshot() as session:
        return session.get(AccountDeletion, user_id) is not None


def delete_ready_accounts(services: Services) -> int:
    """Forget those whose last table is over or has passed on; how many they were."""
    with services.db.snapshot() as session:
        waiting = session.scalars(select(AccountDeletion.user_id).order_by(AccountDeletion.user_id)).all()
    deleted = 0
    for user_id in waiting:
        with skip_unreadable(), services.db.transaction() as session:
            deleted += _delete_user(services, session, session.get_one(User, user_id))
    return deleted


def _active_games(user_id: int, *which: ColumnElement[bool]) -> Select[str]:
    """Tables that a person has a part in now."""
    sits = select(SeatRow.game_id).where(SeatRow.user_id == user_id)
    masters = select(Master.game_id).where(Master.user_id == user_id, Master.ends_at.is_(None))
    return select(Game.id).where(or_(Game.host_id == user_id, Game.id.in_(sits), Game.id.in_(masters)), *which)


def _delete_user(services: Services, session: Session, user: User) -> bool:
    """Forget a person whom no table under way has; whether it was done."""
    if session.scalar(_active_games(user.id, Game.state.in_(LIVE)).limit(1)) is not None:
        return False
    _rebuild_archives(services, session, user.id)
    for model in _OWN:
        session.execute(delete(model).where(model.user_id == user.id))
    sign_in.cancel_changes_to(session, user)
    session.execute(update(AuditEntry).where(AuditEntry.user_id == user.id).values(name=FORGOTTEN))
    session.execute(update(Outage).where(Outage.user_id == user.id).values(declared_by=""))
    session.execute(update(OutboundEmail).where(OutboundEmail.user_id == user.id).values(address_hash=None))
    user.email, user.name, user.time_zone = f"{user.id}@{DELETED}", "", services.time_zone
    user.unsubscribe_token_ciphertext = user.bounced_at = None
    return True


def _rebuild_archives(services: Services, session: Session, user_id: int) -> None:
    """Have the resolver rebuild the files and words of finished games, which hold names: seats are called by number."""
    tenures = select(SeatTenure.game_id).where(SeatTenure.user_id == user_id)
    over = set(session.scalars(_active_games(user_id, Game.state.in_(OPENED))))
    over |= set(session.scalars(select(Game.id).where(Game.id.in_(tenures), Game.state.in_(OPENED))))
    session.execute(delete(SeatView).where(SeatView.game_id.in_(over), SeatView.kind == "file"))
    session.execute(delete(ArchiveSearchTerm).where(ArchiveSearchTerm.game_id.in_(over)))
    session.execute(delete(GameResult).where(GameResult.game_id.in_(over)))
    session.execute(
        update(Game).where(Game.id.in_(over)).values(resolve_requested_at=services.now(), resolve_attempts=0)
    )


ADDRESS, LEAVE, FILE = "address", "forget", "file"
COMMANDS: Final = frozenset({ADDRESS, LEAVE, FILE})
PAGE: Final = "settings/privacy"
"""Where a person who is signed in gets their file."""
CONFIRMATION_PURPOSES: Final = frozenset({ADDRESS_CHANGE, ACCOUNT_DELETION})
"""The purposes of addresses that a yes is sent to."""


@dataclass(frozen=True)
class CommandCount:
    """What was counted of an email before its transaction: whether its writer, and the new address, had enough."""

    is_rate_limited: bool = False
    is_over_limit: bool = False


def count_commands(services: Services, user: User, commands: Iterable[Command]) -> CommandCount:
    """Count what an email asks of this; counting takes its time, so it is done outside of any transaction."""
    account_commands = [command for command in commands if command.name in COMMANDS]
    if not account_commands:
        return CommandCount()
    rate_limited = limits.is_exceeded(services, "address_changes", str(user.id))
    address = next(
        (command.word for command in account_commands if command.name == ADDRESS and is_address(command.word)), ""
    )
    return CommandCount(
        rate_limited, bool(address) and not rate_limited and sign_in.is_change_limited(services, address)
    )


def may_get_file(commands: Iterable[Command], count: CommandCount) -> bool:
    """Return True if an email from a person's own address asks for what is kept of them, and gets it."""
    return not count.is_rate_limited and any(command.name == FILE and command.problem is None for command in commands)


def parse_command(services: Services, session: Session, user: User, command: Command, count: CommandCount) -> str:
    """Do what a command in an email from a person's own address asks; what came of it.

    `done`: emails go to whom must agree. `sent`: the caller sends the file. `unsure`: no address is named.
    `refused`: it is none, or their own. `often`: too many within the hour.
    """
    if command.name == ADDRESS and not command.word:
        return "unsure"
    if count.is_rate_limited:
        return "often"
    if command.name == FILE:
        return "sent"
    if command.name == LEAVE:
        enqueue_deletion_request(services, session, user)
        return "done"
    try:
        sign_in.enqueue_change_request(services, session, user, command.word, enough=count.is_over_limit)
    except RequestRefused:
        return "refused"
    return "done"


def enqueue_file(services: Services, session: Session, user: User, file: str | None) -> None:
    """Enqueue the email with a user's data; without a file it links to the page that has it."""
    if file is None:
        enqueue_account_email(services, session, user, "large", page=PAGE)
    else:
        enqueue_account_email(services, session, user, "file", file=file)


def execute_email(services: Services, session: Session, capability: Capability, letter: ParsedEmail) -> None:
    """Take the answer of one end, if it comes from there; an email to that end tells what came of it."""
    user = session.get(User, capability.user_id)
    if user is None:
        return
    token, expires, move = letter.token, capability.expires_at or 0, capability.purpose == ADDRESS_CHANGE
    answer = parse_consent(letter.lines).accepts
    over = not is_valid(capability, services.now())
    if over or answer is None or normalize(letter.from_address) != user.email:
        notice = "unsure" if answer is None else "elsewhere"
        if over:
            notice = "over"
        enqueue_account_email(services, session, user, notice, token="" if over else token, expires=expires)
    elif not answer:
        revoke_capabilities(session, services.now(), Capability.hash == capability.hash)
        if move:
            sign_in.cancel_change(services, session, token)
        enqueue_account_email(services, session, user, "kept")
    elif move:
        came = sign_in.apply_change(services, session, token)
        if came != "done":  # then both were told already
            enqueue_account_email(services, session, user, came or "over")
    elif (done := apply_deletion(services, session, token)) is not True:  # a deleted user has no address to notify
        enqueue_account_email(services, session, user, "over" if done is None else "leaving")
