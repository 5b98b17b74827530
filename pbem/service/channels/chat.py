"""What a player may ask from a chat service: their tables, what they owe there, and to call on those who are late.

Also the chat accounts that people have linked.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import delete, or_, select
from sqlalchemy.orm import Session

from pbem.common.states import LIVE, GameState, WebhookMessageState, WebhookState
from pbem.common.text import to_one_line
from pbem.crypto import token_hash
from pbem.service.access import users
from pbem.service.access.capabilities import create_capability, find_capability, revoke_capabilities
from pbem.service.access.permissions import Permission, find_membership
from pbem.service.access.users import Person
from pbem.service.base import limits
from pbem.service.base.services import Services
from pbem.service.channels import webhook_changes
from pbem.service.pages import game_pages
from pbem.service.pages.game_pages import GameCard, SeatPage
from pbem.store.games import load_open_questions, lock_game, names_of_seats, occupied_seats
from pbem.store.models import Capability, DiscordAccount, SeatRow, User, Webhook, WebhookMessage
from pbem.store.upsert import insert_ignore

REMINDER_INTERVAL_MS = 6 * 3_600_000
"""How long a table is left alone after those who are late were called on."""


@dataclass(frozen=True)
class ReminderResult:
    """What came of calling on those who are late.

    `outcome`: `done`, `nobody` (is late), `lately` (they were; `hours` until it can be done again), `no_channel`,
    `not_playing`.
    """

    outcome: str
    names: tuple[str, ...] = ()
    hours: int = 0


def list_games_of_user(services: Services, user_id: int) -> Sequence[GameCard]:
    """List a player's games that are not over; those that wait for them first."""
    with services.db.snapshot() as session:
        own_games = set(session.scalars(select(SeatRow.game_id).where(SeatRow.user_id == user_id)))
    return tuple(
        card for card in game_pages.load_home(services, user_id).games if card.game in own_games and card.state in LIVE
    )


def list_games_of_channel(services: Services, place: str) -> frozenset[str]:
    """Return the games whose messages go to a channel of the chat service."""
    if not place:
        return frozenset()
    with services.db.snapshot() as session:
        return frozenset(session.scalars(select(Webhook.game_id).where(Webhook.discord_channel == place)))


def load_seat_page(services: Services, user_id: int, game_id: str) -> SeatPage | None:
    """Load the page of a user's seat. Return None if they have none, or the game is not running."""
    membership = find_membership(services, user_id, game_id, Permission.SEAT)
    if membership is None or membership.seat is None or membership.state != GameState.RUNNING:
        return None
    return game_pages.load_seat_page(services, user_id, game_id, membership.seat)


def send_reminders(services: Services, user_id: int, game_id: str) -> ReminderResult:
    """Have those whose orders are missing called on in the table's channels, by one who sits there; rarely."""
    with services.db.transaction() as session:
        game = lock_game(session, game_id)
        people = occupied_seats(session, game_id)
        seat = next((seat for seat, user in people if user.id == user_id), None)
        if game is None or seat is None or game.state != GameState.RUNNING:
            return ReminderResult("not_playing")
        waiting = {
            row.seat for row in load_open_questions(session, game_id) if row.is_blocking and row.answered_at is None
        }
        if not waiting:
            return ReminderResult("nobody")
        channels = list(
            session.scalars(select(Webhook).where(Webhook.game_id == game_id, Webhook.state == WebhookState.ON))
        )
        if not channels:
            return ReminderResult("no_channel")
        names = names_of_seats(session, game)
        now, last = services.now(), _last_reminder(session, game_id)
        if last is not None and now - last < REMINDER_INTERVAL_MS:
            return ReminderResult("lately", hours=-(-(REMINDER_INTERVAL_MS - (now - last)) // 3_600_000))
        for channel in channels:
            session.add(
                WebhookMessage(
                    key=f"{channel.id}.called.{now}",
                    webhook_id=channel.id,
                    kind="called",
                    entry=game.entry,
                    terms={"who": names[seat.seat]},
                    state=WebhookMessageState.QUEUED,
                    created_at=now,
                    due_at=now,
                )
            )
            webhook_changes.retry_now(session, channel.id, now)
    services.enqueue("send_webhooks", "")
    return ReminderResult("done", tuple(name for place, name in names.items() if place in waiting))


def _last_reminder(session: Session, game_id: str) -> int | None:
    """When those who are late were called on last."""
    calls = (
        select(WebhookMessage.created_at)
        .join(Webhook, Webhook.id == WebhookMessage.webhook_id)
        .where(Webhook.game_id == game_id, WebhookMessage.kind == "called")
    )
    return session.scalar(calls.order_by(WebhookMessage.created_at.desc()).limit(1))


LINK, SEEN = "link", "discord"
CODE_MS = 15 * 60_000
"""How long a code holds."""


@dataclass(frozen=True)
class LinkedAccount:
    """An account at Discord: what it is called there, and since when (seconds) it is linked."""

    name: str
    linked_at: int


class TooManyCodes(Exception):
    """Too many codes were tried."""


def create_link_code(services: Services, user_id: int) -> str:
    """Create a code for `/pbem link`; the previous one is revoked."""
    now = services.now()
    with services.db.transaction() as session:
        revoke_capabilities(session, now, Capability.purpose == LINK, Capability.user_id == user_id)
        return create_capability(session, LINK, now, lasting_ms=CODE_MS, user_id=user_id)


def link_account(services: Services, code: str, outside: str, name: str) -> Person | None:
    """Link an account to the person who was given the code; None for a code that is not good.  Raises TooManyCodes.

    One account for each person, and one person for each account: a newer link takes the place of older ones.
    """
    code, now = code.strip().lower(), services.now()
    often = limits.is_exceeded(services, "links", outside)
    with services.db.transaction() as session:
        row = find_capability(session, LINK, code, now, lock=True)
        user_id = row.user_id if row is not None and not often else None
        if row is not None and user_id is not None:
            row.used_at = row.revoked_at = now
            session.execute(
                delete(DiscordAccount).where(
                    or_(DiscordAccount.user_id == user_id, DiscordAccount.discord_id == outside)
                )
            )
            session.flush()
            session.add(DiscordAccount(user_id=user_id, discord_id=outside, name=to_one_line(name, 80), linked_at=now))
        person = users.to_user(session.get_one(User, user_id)) if user_id is not None else None
    if often:
        raise TooManyCodes
    return person


def unlink_account(services: Services, user_id: int) -> None:
    """End the link of one's account."""
    with services.db.transaction() as session:
        session.execute(delete(DiscordAccount).where(DiscordAccount.user_id == user_id))


def find_account(services: Services, user_id: int) -> LinkedAccount | None:
    """Find the Discord account of a user."""
    with services.db.snapshot() as session:
        row = session.get(DiscordAccount, user_id)
        return LinkedAccount(row.name, row.linked_at // 1000) if row is not None else None


def find_user(services: Services, outside: str) -> Person | None:
    """Find the user of a Discord account."""
    with services.db.snapshot() as session:
        linked = (
            select(User)
            .join(DiscordAccount, DiscordAccount.user_id == User.id)
            .where(DiscordAccount.discord_id == outside)
        )
        user = session.scalars(linked).one_or_none()
        return users.to_user(user) if user is not None else None


def claim_request(services: Services, signature: Iterable[str], until: int) -> bool:
    """Return True if a signed request comes for the first time. `until`: when its signature expires."""
    key = token_hash(SEEN, "\0".join(signature))
    with services.db.transaction() as session:
        return insert_ignore(
            session, Capability.hash, hash=key, purpose=SEEN, created_at=services.now(), expires_at=until
        )
