"""A person who wants to be forgotten: asked by a letter first; then their seats look for others, and at last all goes.

What is left of them in games that are over is a seat.  Nothing of a chain changes: names are in none.
"""

from typing import Final

from sqlalchemy import ColumnElement, Select, delete, or_, select, update
from sqlalchemy.orm import Session

from pbem.common.addresses import DELETED
from pbem.common.outage_log import skip_unreadable
from pbem.common.states import LIVE, OPENED, GameState
from pbem.crypto import is_token, new_token, token_hash
from pbem.service.access.tokens import revoke
from pbem.service.base import limits
from pbem.service.base.calendar import DAY_MS
from pbem.service.base.services import Services
from pbem.service.messages.conversations import FORGOTTEN
from pbem.service.seats import substitutes
from pbem.service.seats.address_change import enqueue_account_email
from pbem.store.games import find_seat_of_user, lock_game
from pbem.store.models import (
    Absence,
    AccountDeletion,
    AddressChange,
    ApiToken,
    ArchiveSearchTerm,
    AuditEntry,
    Capability,
    DiscordAccount,
    Game,
    GameMute,
    GameResult,
    MailPreference,
    Master,
    Outage,
    SeatRow,
    SeatTenure,
    SeatView,
    SecondFactor,
    User,
)

FORGET: Final = "forget"
FORGET_MS: Final = DAY_MS
_OWN: Final = (Absence, DiscordAccount, AddressChange, MailPreference, GameMute, SecondFactor, AccountDeletion)
"""Rows that are a person's alone."""


def request(services: Services, user_id: int) -> None:
    """Write to a person's address, so that nobody else lets them be forgotten.  Raises Refused."""
    if limits.is_exceeded(services, "address_changes", str(user_id)):
        raise limits.rate_limit_error(services)
    with services.db.transaction() as session:
        enqueue_request(services, session, session.get_one(User, user_id))
    services.enqueue("send_outbound_emails", "")


def enqueue_request(services: Services, session: Session, user: User) -> None:
    """The same within a transaction of the caller's, who has counted it, and wakes the delivery."""
    token, expires = new_token(), services.now() + FORGET_MS
    about = {"user_id": user.id, "made_at": services.now(), "expires_at": expires}
    session.add(Capability(hash=token_hash(FORGET, token), purpose=FORGET, **about))
    enqueue_account_email(services, session, user, "forget", page=FORGET, token=token, expires=expires)


def is_valid(services: Services, token: str) -> bool:
    """Return True while a link lets its person be forgotten."""
    with services.db.snapshot() as session:
        return _load_request(services, session, token) is not None


def _load_request(services: Services, session: Session, token: str) -> int | None:
    row = session.get(Capability, token_hash(FORGET, token)) if is_token(token) else None
    if row is None or row.revoked_at is not None or (row.expires_at or 0) < services.now():
        return None
    return row.user_id


def confirm(services: Services, token: str) -> bool | None:
    """Sign them out everywhere, end their letters, offer their seats; None for a link that is not good.

    True once they are forgotten; False while a table under way still has them.
    """
    with services.db.transaction() as session:
        done = apply_confirmation(services, session, token)
    services.enqueue("send_outbound_emails", "")
    return done


def apply_confirmation(services: Services, session: Session, token: str) -> bool | None:
    """The same within a transaction of the caller's, who wakes the delivery."""
    user_id = _load_request(services, session, token)
    if user_id is None:
        return None
    user = session.get_one(User, user_id)
    playing = session.scalars(_active_games(user_id, Game.state == GameState.RUNNING)).all()
    for game_id in sorted(playing):
        game, seat = lock_game(session, game_id), find_seat_of_user(session, game_id, user_id)
        if game is not None and seat is not None:
            substitutes.offer_seat(services, session, game, seat, "yes")
    revoke(session, services.now(), Capability.user_id == user_id)
    user.muted_at = services.now()
    if session.get(AccountDeletion, user_id) is None:
        session.add(AccountDeletion(user_id=user_id, since=services.now()))
    session.flush()
    return _delete_user(services, session, user)


def is_pending(services: Services, user_id: int) -> bool:
    """Return True if a person asked for it, and a table under way still has them."""
    with services.db.snapshot() as session:
        return session.get(AccountDeletion, user_id) is not None


def delete_ready(services: Services) -> int:
    """Forget those whose last table is over or has passed on; how many they were."""
    with services.db.snapshot() as session:
        waiting = session.scalars(select(AccountDeletion.user_id).order_by(AccountDeletion.user_id)).all()
    gone = 0
    for user_id in waiting:
        with skip_unreadable(), services.db.transaction() as session:
            gone += _delete_user(services, session, session.get_one(User, user_id))
    return gone


def _active_games(user_id: int, *which: ColumnElement[bool]) -> Select[str]:
    """Tables that a person has a part in now."""
    sits = select(SeatRow.game_id).where(SeatRow.user_id == user_id)
    masters = select(Master.game_id).where(Master.user_id == user_id, Master.until.is_(None))
    return select(Game.id).where(or_(Game.host_id == user_id, Game.id.in_(sits), Game.id.in_(masters)), *which)


def _delete_user(services: Services, session: Session, user: User) -> bool:
    """Forget a person whom no table under way has; whether it was done."""
    if session.scalar(_active_games(user.id, Game.state.in_(LIVE)).limit(1)) is not None:
        return False
    _rebuild_archives(services, session, user.id)
    session.execute(delete(ApiToken).where(ApiToken.user_id == user.id))
    session.execute(delete(Capability).where(Capability.user_id == user.id))
    for model in _OWN:
        session.execute(delete(model).where(model.user_id == user.id))
    session.execute(update(AuditEntry).where(AuditEntry.user_id == user.id).values(name=FORGOTTEN))
    session.execute(update(Outage).where(Outage.user_id == user.id).values(who=""))
    user.address, user.name, user.zone = f"{user.id}@{DELETED}", "", services.zone
    user.mute_sealed = user.bounced_at = None
    return True


def _rebuild_archives(services: Services, session: Session, user_id: int) -> None:
    """Files and words of finished games have names in them: play makes them anew, each seat called by its number."""
    held = select(SeatTenure.game_id).where(SeatTenure.user_id == user_id)
    over = set(session.scalars(_active_games(user_id, Game.state.in_(OPENED))))
    over |= set(session.scalars(select(Game.id).where(Game.id.in_(held), Game.state.in_(OPENED))))
    session.execute(delete(SeatView).where(SeatView.game_id.in_(over), SeatView.kind == "file"))
    session.execute(delete(ArchiveSearchTerm).where(ArchiveSearchTerm.game_id.in_(over)))
    session.execute(delete(GameResult).where(GameResult.game_id.in_(over)))
    session.execute(update(Game).where(Game.id.in_(over)).values(play_wanted=services.now(), play_tries=0))
