"""Messages on their way to channels: claimed, sent once, changed rather than repeated, put off as the other side bids.

A channel is in one worker's hands at a time, so its messages keep their order.  Before a message goes out it is marked;
a worker that dies, or gets no answer, leaves that mark, and then it is not known whether the message arrived.  It is
not sent a second time: where the newest message of the channel can be changed, it is made to say it; a program that
takes plain JSON gets it again under the same number; elsewhere it is left at that.
"""

import hashlib
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Final

from sqlalchemy import or_, select, update
from sqlalchemy.orm import Session

from engine.kernel.viewers import PUBLIC
from pbem.common.outage_log import skip_unreadable
from pbem.common.states import GameState, WebhookMessageState, WebhookState
from pbem.crypto import CryptoError, DecryptionError
from pbem.narration.facts import EmailContext, Links, Reader
from pbem.service.base.game_states import is_installed
from pbem.service.base.services import BackgroundJob, Services
from pbem.service.base.webhook_ports import STORIES, PendingSeat, WebhookMessageFacts, WebhookPort, WebhookResponse
from pbem.service.channels import webhook_changes, webhooks
from pbem.service.channels.webhook_changes import gate_of_key, question_key, seat_of_key, topic_of_key
from pbem.service.game import seat_views
from pbem.service.mail import assembly, notifications
from pbem.store.games import hides_names, load_open_questions, load_seats
from pbem.store.models import DiscordAccount, Game, QuestionRow, User, Webhook, WebhookMessage, WebhookRateLimit

CLAIM_MS: Final = 120_000
"""How long a claim on a channel holds: longer than all its messages of one go may take."""

SLOW_MS: Final = 40_000
"""After this long the rest of a channel's messages is left for the next go."""

BATCH: Final = 8
"""Channels served in one go."""

MAX_PER_RUN: Final = 6
"""Messages of one channel in one go."""

ABANDON_MS: Final = 5 * 24 * 3_600_000
"""A channel that has taken nothing for so long is switched off."""

INVALID_MS: Final = 600_000
"""How long a channel whose row does not fit its seal is left alone."""

WAITING: Final = (WebhookMessageState.QUEUED, WebhookMessageState.SENDING, WebhookMessageState.EDITING)
SUPERSEDED: Final = frozenset({"phase", "started", "hello", "asked", "moved", "reminder", "called"})
"""What need not be told any more when a newer message opens a phase or ends the game."""


def send_due(services: Services) -> int:
    """Look how games stand, and send what there is to tell; returns how many channels were served."""
    webhook_changes.enqueue_changes(services)
    outlet = webhooks.port_of(services)
    served = 0
    for channel_id in _due(services):
        claim_id = _claim(services, channel_id)
        if claim_id is not None:
            services.fault_point("webhooks.claimed")
            with _postpone(services, channel_id):
                _send_channel(services, outlet, channel_id, claim_id)
            served += 1
    return served


@contextmanager
def _postpone(services: Services, channel_id: str) -> Iterator[None]:
    """Where a channel is not believed, it is looked at again later, so that it keeps no other waiting."""
    with skip_unreadable():
        try:
            yield
        except DecryptionError:
            now, its = services.now(), WebhookMessage.webhook_id == channel_id
            due = its, WebhookMessage.state.in_(WAITING), WebhookMessage.due_at <= now
            with services.db.transaction() as session:
                session.execute(update(WebhookMessage).where(*due).values(due_at=now + INVALID_MS))
            raise


send_in_background: Final = BackgroundJob("send_webhooks", send_due)
"""The same in a thread of its own: emails must not wait for a slow channel."""


def _due(services: Services) -> list[str]:
    """Channels with something to send, the one that has waited longest first."""
    now = services.now()
    with services.db.snapshot() as session:
        rows = session.execute(
            select(Webhook.id, WebhookMessage.due_at)
            .join(WebhookMessage, WebhookMessage.webhook_id == Webhook.id)
            .join(Game, Game.id == Webhook.game_id)
            .where(
                Webhook.state == WebhookState.ON,
                is_installed(services),
                WebhookMessage.state.in_(WAITING),
                WebhookMessage.due_at <= now,
            )
            .where(or_(Webhook.claimed_at.is_(None), Webhook.claimed_at < now - CLAIM_MS))
            .order_by(WebhookMessage.due_at)
            .limit(20 * BATCH)
        )
        return list(dict.fromkeys(row.id for row in rows))[:BATCH]


def _claim(services: Services, channel_id: str) -> int | None:
    """Take a channel in hand; None where another worker has it."""
    now = services.now()
    free = or_(Webhook.claimed_at.is_(None), Webhook.claimed_at < now - CLAIM_MS)
    with services.db.transaction() as session:
        own = (
            update(Webhook)
            .where(Webhook.id == channel_id, Webhook.state == WebhookState.ON, free)
            .values(claimed_at=now)
        )
        return now if session.scalar(own.returning(Webhook.id)) is not None else None


def _send_channel(services: Services, outlet: WebhookPort, channel_id: str, claim_id: int) -> None:
    """Send what waits for one channel, in order, until the other side bids us wait."""
    try:
        for _ in range(MAX_PER_RUN):
            if services.now() - claim_id > SLOW_MS or not _send_next(services, outlet, channel_id, claim_id):
                break
    finally:
        with services.db.transaction() as session:
            own = Webhook.id == channel_id, Webhook.claimed_at == claim_id
            session.execute(update(Webhook).where(*own).values(claimed_at=None))


@dataclass(frozen=True, repr=False)
class OutgoingMessage:
    """A message that is about to go: how, its bytes and where to; `message`: the one to be changed."""

    row: int
    action: str
    form: str
    address: str
    host: str
    payload: bytes
    digest: str
    message: str


def _send_next(services: Services, outlet: WebhookPort, channel_id: str, claim_id: int) -> bool:
    """Send or change one message; whether another may follow at once.  No lock is held while it is made or sent."""
    with services.db.transaction() as session:
        channel = _load_claimed(session, channel_id, claim_id)
        row = _next(services, session, channel) if channel is not None else None
        if row is None:
            return False
        row_id = row.id
    try:
        message = _build_message(services, outlet, channel_id, row_id)
    except Exception as error:  # noqa: BLE001 - whatever is wrong with one message must not stop the others
        with services.db.transaction() as session:
            row = session.get_one(WebhookMessage, row_id)
            _mark_failed(services, row, type(error).__name__, final=isinstance(error, CryptoError))
        return True
    with services.db.transaction() as session:
        if not _mark_sending(services, session, channel_id, claim_id, row_id, message):
            return True
    if message is None:
        return True
    services.fault_point("webhooks.sending")
    reply = outlet.send(message.form, message.address, message.payload, message.message)
    services.fault_point("webhooks.sent")
    proceed = _record_response(services, channel_id, message, reply)
    services.fault_point("webhooks.recorded")
    return proceed


def _load_claimed(session: Session, channel_id: str, claim_id: int) -> Webhook | None:
    """The channel, while it is on and in our hands."""
    channel = session.get(Webhook, channel_id, with_for_update=True)
    claimed = channel is not None and channel.state == WebhookState.ON and channel.claimed_at == claim_id
    return channel if claimed else None


def _build_message(services: Services, outlet: WebhookPort, channel_id: str, row_id: int) -> OutgoingMessage | None:
    """A message with its address; None where there is nothing to say, or no way to say it."""
    with services.db.snapshot() as session:
        channel, row = session.get_one(Webhook, channel_id), session.get_one(WebhookMessage, row_id)
        way = _choose_way(channel, row)
        facts = _facts(services, session, channel, row) if way != "skip" else None
        if facts is None:
            return None
        address = webhooks.unseal_address(services, channel)
        sent, host = outlet.build_payload(channel.form, facts), outlet.host(address)
        digest = hashlib.sha256(sent).hexdigest()
        if row.state == WebhookMessageState.EDITING and digest == row.digest:
            return None
        return OutgoingMessage(
            row_id, way, channel.form, address, host, sent, digest, _find_edited_message(channel, row, way)
        )


def _mark_sending(
    services: Services, session: Session, channel_id: str, claim_id: int, row_id: int, message: OutgoingMessage | None
) -> bool:
    """Note that a message goes out now, from here on perhaps; False where it does not."""
    channel, row = _load_claimed(session, channel_id, claim_id), session.get(WebhookMessage, row_id)
    if channel is None or row is None or row.state not in WAITING:
        return False
    if message is None:
        row.error = "unsure" if row.state == WebhookMessageState.SENDING else row.error
        row.state = WebhookMessageState.SKIPPED if row.state == WebhookMessageState.QUEUED else WebhookMessageState.SENT
        return False
    if until := _held_until(services, session, channel, message.host, message.action):
        row.due_at = until
        return False
    row.state = WebhookMessageState.SENDING if row.state == WebhookMessageState.QUEUED else row.state
    return True


def _next(services: Services, session: Session, channel: Webhook) -> WebhookMessage | None:
    """The oldest message that waits, after leaving out those that a newer one makes needless."""
    its = WebhookMessage.webhook_id == channel.id, WebhookMessage.state.in_(WAITING)
    waiting = session.scalars(select(WebhookMessage).where(*its).order_by(WebhookMessage.id)).all()
    openings = [row for row in waiting if row.kind in STORIES and row.state == WebhookMessageState.QUEUED]
    opening = openings[-1] if openings else None
    for row in waiting:
        if opening is None or row.id >= opening.id:
            break
        if row.state == WebhookMessageState.QUEUED and row.kind in SUPERSEDED:
            row.state = WebhookMessageState.SKIPPED
            if row.kind in STORIES:
                opening.from_entry = min(opening.from_entry, row.from_entry)
    left = [row for row in waiting if row.state in WAITING]
    due = [row for row in left if row.due_at <= services.now()]
    # Where a change is still being gathered, what comes after it need not wait.
    is_gathering = bool(left) and left[0].state == WebhookMessageState.EDITING and not left[0].attempts
    return due[0] if due and (due[0] is left[0] or is_gathering) else None


def _choose_way(channel: Webhook, row: WebhookMessage) -> str:
    """How a message goes: `new`, `change` (of itself), `instead` (the newest one is to say it), `again`, `skip`."""
    if row.state == WebhookMessageState.QUEUED:
        return "new"
    is_edit = row.state == WebhookMessageState.EDITING
    if channel.form == "plain":
        return "change" if is_edit else "again"
    if channel.form != "discord":
        return "skip"
    if is_edit:
        return "change" if row.remote_message_id else "skip"
    return "instead" if channel.remote_message_id else "skip"


def _find_edited_message(channel: Webhook, row: WebhookMessage, way: str) -> str:
    """The number of the message to be changed; empty for a new one."""
    if channel.form != "discord":
        return ""
    return {"change": row.remote_message_id, "instead": channel.remote_message_id}.get(way, "")


# --- what a message says


def _facts(services: Services, session: Session, channel: Webhook, row: WebhookMessage) -> WebhookMessageFacts | None:
    """What everybody may know of it; None where there is nothing to say any more."""
    game = session.get_one(Game, channel.game_id)
    terms = dict(row.terms)
    only, closed = terms.pop("only", None), bool(terms.pop("closed", False))
    asks, turn = tuple(terms.pop("asks", ())), int(terms.pop("turn", 0))
    rows: list[QuestionRow] = []
    if game.state == GameState.RUNNING and not closed:
        rows = [row for row in load_open_questions(session, game.id) if row.is_blocking]
    rows_by_key = {question_key(r): r for r in rows if only is None or question_key(r) in only}
    unanswered = [key for key, r in rows_by_key.items() if r.answered_at is None]
    if row.kind in ("asked", "reminder", "called", "undelivered") and not unanswered:
        return None
    outside = _discord_ids(session, game.id) if not hides_names(game) else {}  # a call would tell whose seat it is
    if row.kind == "asked" and channel.form == "discord" and not any(seat_of_key(key) in outside for key in unanswered):
        return None  # there is nobody to call on, and the message of the phase shows who is awaited
    dues = [int(rows_by_key[key].due_at or 0) for key in unanswered if rows_by_key[key].due_at is not None]
    story = row.kind in STORIES and game.entry > 0
    entry = row.entry if story else game.entry
    turns = [gate_of_key(key).turn or 0 for key in rows_by_key]
    return WebhookMessageFacts(
        key=row.key.partition(".")[2],
        kind=row.kind,
        frame=_frame(services, session, game, channel, row, entry),
        view=seat_views.load_view_at(services, session, game.id, PUBLIC, entry) if entry else None,
        events=seat_views.load_events(services, session, game.id, PUBLIC, row.from_entry, entry) if story else (),
        questions=tuple(
            PendingSeat(seat_of_key(key), topic_of_key(key), outside.get(seat_of_key(key), "")) for key in unanswered
        ),
        subject=len({seat_of_key(key) for key in rows_by_key}),
        topic=asks or tuple(dict.fromkeys(topic_of_key(key) for key in rows_by_key)),
        turn=turn or max(turns, default=0),
        due=min(dues) // 1000 if dues else None,
        paused=bool(webhook_changes.load_paused(session, [game.id])),
        closed=closed,
        terms=terms,
    )


def _frame(
    services: Services, session: Session, game: Game, channel: Webhook, row: WebhookMessage, entry: int
) -> EmailContext:
    """Nobody in particular reads it."""
    table = assembly.load_table_facts(session, game)
    return EmailContext(
        Reader("", channel.language),
        replace(table, options={}),
        Links(page=f"{services.public_url}/games/{game.id}"),
        row.created_at // 1000,
        entry,
        assembly.digest_of_entry(session, game.id, entry),
    )


def _discord_ids(session: Session, game_id: str) -> Mapping[str, str]:
    """The accounts of a table's players, by seat."""
    sits = {row.user_id: row.seat for row in load_seats(session, game_id) if row.user_id is not None}
    accounts = session.scalars(select(DiscordAccount).where(DiscordAccount.user_id.in_(sits)))
    return {sits[account.user_id]: account.discord_id for account in accounts}


# --- limits of the other side

_ROUTES: Final = {"new": "POST", "again": "POST", "change": "PATCH", "instead": "PATCH"}


def _held_until(services: Services, session: Session, channel: Webhook, host: str, method: str) -> int | None:
    """Until when nothing may be sent this way; None where it may be."""
    now, route = services.now(), _ROUTES[method]
    spent = WebhookRateLimit.remaining <= 0, WebhookRateLimit.resets_at > now
    limits = list(
        session.scalars(select(WebhookRateLimit).where(WebhookRateLimit.place.in_((channel.id, host)), *spent))
    )
    own = session.get(WebhookRateLimit, (channel.id, route))
    shared = {own.bucket} - {""} if own is not None else set()
    ends = [row.resets_at for row in limits if row.place == host or row.route == route or row.bucket in shared]
    return max(ends, default=None)


def _update_rate_limit(
    session: Session, channel: Webhook, message: OutgoingMessage, reply: WebhookResponse, now: int
) -> None:
    """Keep what the other side said of its limits."""
    route = _ROUTES[message.action]
    if reply.remaining is not None:
        _store_rate_limit(session, channel.id, route, reply.bucket, reply.remaining, now + reply.reset_ms)
    if reply.outcome == "later" and reply.wait_ms and reply.reason == "429":
        place, where = (message.host, "") if reply.global_limit else (channel.id, route)
        _store_rate_limit(session, place, where, reply.bucket, 0, now + reply.wait_ms)


def _store_rate_limit(session: Session, place: str, route: str, bucket: str, spare: int, until: int) -> None:
    row = session.get(WebhookRateLimit, (place, route))
    if row is None:
        session.add(WebhookRateLimit(place=place, route=route, bucket=bucket, remaining=spare, resets_at=until))
    else:
        row.bucket, row.remaining, row.resets_at = bucket or row.bucket, spare, until


# --- what became of it


def _record_response(services: Services, channel_id: str, message: OutgoingMessage, reply: WebhookResponse) -> bool:
    """Write down what the other side made of a message; whether the next may follow at once."""
    with services.db.transaction() as session:
        channel, row = session.get(Webhook, channel_id, with_for_update=True), session.get(WebhookMessage, message.row)
        if channel is None or row is None:  # removed meanwhile
            return False
        now = services.now()
        _update_rate_limit(session, channel, message, reply, now)
        match reply.outcome:
            case "done":
                _mark_sent(channel, row, message, reply, now)
                return True
            case "gone":
                _disable(services, session, channel, WebhookState.GONE, reply.reason)
                return False
            case "barred":
                _disable(services, session, channel, WebhookState.REFUSED, reply.reason)
                return False
            case "lost":
                _handle_deleted(channel, row, message, reply)
                return True
            case "wrong":
                _record_health(channel, reply.reason, now)
                _mark_failed(services, row, reply.reason, final=True)
                return True
        _retry_later(services, channel, row, message, reply)
        if channel.failing_since is not None and now - channel.failing_since > ABANDON_MS:
            _disable(services, session, channel, WebhookState.UNREACHABLE, reply.reason)
        return False


def _mark_sent(
    channel: Webhook, row: WebhookMessage, message: OutgoingMessage, reply: WebhookResponse, now: int
) -> None:
    row.state, row.digest, row.error, row.attempts = WebhookMessageState.SENT, message.digest, "", 0
    row.sent_at = row.sent_at or now
    row.remote_message_id = message.message or reply.message
    if not message.message and row.remote_message_id:
        channel.remote_message_id = row.remote_message_id
    channel.discord_channel = reply.place or channel.discord_channel
    channel.failures, channel.error, channel.last_success_at, channel.failing_since = 0, "", now, None


def _handle_deleted(channel: Webhook, row: WebhookMessage, message: OutgoingMessage, reply: WebhookResponse) -> None:
    """The message that was to be changed has been deleted: it stays deleted, and the next is a new one."""
    if channel.remote_message_id == message.message:
        channel.remote_message_id = ""
    row.state, row.remote_message_id, row.error = WebhookMessageState.SENT, "", reply.reason


def _retry_later(
    services: Services, channel: Webhook, row: WebhookMessage, message: OutgoingMessage, reply: WebhookResponse
) -> None:
    """Later, each time later, and never all at once; of one that may have arrived the mark stays."""
    if message.action == "new" and reply.outcome == "later":
        row.state = WebhookMessageState.QUEUED
    if reply.reason == "429":  # its own fault it is not
        row.due_at = services.now() + reply.wait_ms
        return
    row.attempts += 1
    row.error = reply.reason
    step = min(2000 * 2 ** min(row.attempts, 11), 3_600_000)
    row.due_at = services.now() + max(reply.wait_ms, step // 2 + secrets.randbelow(step // 2 + 1))
    _record_health(channel, reply.reason, services.now())


def _record_health(channel: Webhook, reason: str, now: int) -> None:
    channel.failures, channel.error, channel.failed_at = channel.failures + 1, reason[:80], now
    channel.failing_since = channel.failing_since or now


def _mark_failed(services: Services, row: WebhookMessage, reason: str, *, final: bool) -> None:
    """A message that could not be made, or will never be taken."""
    row.attempts += 1
    row.error = reason[:80]
    row.due_at = services.now() + min(60_000 * 2**row.attempts, 3_600_000)
    if final or row.attempts >= 5:
        row.state = WebhookMessageState.FAILED


def _disable(services: Services, session: Session, channel: Webhook, state: WebhookState, reason: str) -> None:
    """Switch a channel off, and tell who keeps its table, by email."""
    _record_health(channel, reason, services.now())
    channel.state = state
    webhooks.delete_waiting(session, channel)
    game = session.get_one(Game, channel.game_id)
    user = session.get_one(User, game.host_id)
    key, terms = f"channel.{channel.id}.{services.now()}", {"masked": channel.masked_url, "why": state.value}
    notifications.notify_user(services, session, game, user, key, "channel_off", terms)
