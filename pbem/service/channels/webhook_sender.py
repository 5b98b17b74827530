"""Messages on their way to channels: claimed, sent once, changed rather than repeated, put off as the other side bids.

A channel is in one worker's hands at a time, so its messages keep their order.  Before a message goes out it is marked;
a worker that dies, or gets no answer, leaves that mark, and then it is not known whether the message arrived.  It is
not sent a second time: where the newest message of the channel can be changed, it is made to say it; a program that
takes plain JSON gets it again under the same number; elsewhere it is left at that.
"""

import hashlib
import logging
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Final

from sqlalchemy import delete, or_, select, update
from sqlalchemy.orm import Session

from engine.kernel.names import PUBLIC
from pbem.narration.facts import Frame, Links, NoticeFacts, Reader
from pbem.service.base.aside import Aside
from pbem.service.base.installed import installed
from pbem.service.base.services import Services
from pbem.service.base.webhook_ports import STORIES, Awaited, BulletinFacts, Reply, WebhookPort
from pbem.service.channels import webhook_diff, webhooks
from pbem.service.channels.webhook_diff import asks_of, gate_of, mark_of, seat_of
from pbem.service.game import frames, views
from pbem.service.post.outbox import draft
from pbem.states import BulletinState, ChannelState, GameState
from pbem.store.games import open_decisions, seats
from pbem.store.models import Account, Allowance, Bulletin, Channel, Game, Outage, User
from pbem.trouble import passing_over
from pbem.vault import Unopenable, VaultError

_LOG = logging.getLogger(__name__)

CLAIM_MS: Final = 120_000
"""How long a claim on a channel holds: longer than all its messages of one go may take."""

SLOW_MS: Final = 40_000
"""After this long the rest of a channel's messages is left for the next go."""

BATCH: Final = 8
"""Channels served in one go."""

IN_A_GO: Final = 6
"""Messages of one channel in one go."""

GIVEN_UP_MS: Final = 5 * 24 * 3_600_000
"""A channel that has taken nothing for so long is switched off."""

UNBELIEVED_MS: Final = 600_000
"""How long a channel whose row does not fit its seal is left alone."""

KEPT_MS: Final = 30 * 24 * 3_600_000
WAITING: Final = (BulletinState.WANTED, BulletinState.TRYING, BulletinState.EDIT)
SUPERSEDED: Final = frozenset({"phase", "started", "hello", "asked", "moved", "reminder", "called"})
"""What need not be told any more when a newer message opens a phase or ends the game."""


def announce(services: Services) -> int:
    """Look how games stand, and send what there is to tell; returns how many channels were served."""
    webhook_diff.look(services)
    outlet = webhooks.outlet_of(services)
    served = 0
    for channel_id in _due(services):
        stamp = _claim(services, channel_id)
        if stamp is not None:
            services.point("announce.claimed")
            with _put_off(services, channel_id):
                _serve(services, outlet, channel_id, stamp)
            served += 1
    return served


@contextmanager
def _put_off(services: Services, channel_id: str) -> Iterator[None]:
    """Where a channel is not believed, it is looked at again later, so that it keeps no other waiting."""
    with passing_over():
        try:
            yield
        except Unopenable:
            due = Bulletin.channel_id == channel_id, Bulletin.state.in_(WAITING), Bulletin.due_at <= services.now()
            with services.db.writing() as session:
                session.execute(update(Bulletin).where(*due).values(due_at=services.now() + UNBELIEVED_MS))
            raise


announce_aside: Final = Aside("announce", announce)
"""The same in a thread of its own: letters must not wait for a slow channel."""


def _due(services: Services) -> list[str]:
    """Channels with something to send, the one that has waited longest first."""
    now = services.now()
    with services.db.reading() as session:
        rows = session.execute(
            select(Channel.id, Bulletin.due_at)
            .join(Bulletin, Bulletin.channel_id == Channel.id)
            .join(Game, Game.id == Channel.game_id)
            .where(
                Channel.state == ChannelState.ON,
                installed(services),
                Bulletin.state.in_(WAITING),
                Bulletin.due_at <= now,
            )
            .where(or_(Channel.claimed_at.is_(None), Channel.claimed_at < now - CLAIM_MS))
            .order_by(Bulletin.due_at)
            .limit(20 * BATCH)
        )
        return list(dict.fromkeys(row.id for row in rows))[:BATCH]


def _claim(services: Services, channel_id: str) -> int | None:
    """Take a channel in hand; None where another worker has it."""
    now = services.now()
    free = or_(Channel.claimed_at.is_(None), Channel.claimed_at < now - CLAIM_MS)
    with services.db.writing() as session:
        mine = (
            update(Channel)
            .where(Channel.id == channel_id, Channel.state == ChannelState.ON, free)
            .values(claimed_at=now)
        )
        return now if session.scalar(mine.returning(Channel.id)) is not None else None


def _serve(services: Services, outlet: WebhookPort, channel_id: str, stamp: int) -> None:
    """Send what waits for one channel, in order, until the other side bids us wait."""
    try:
        for _ in range(IN_A_GO):
            if services.now() - stamp > SLOW_MS or not _one(services, outlet, channel_id, stamp):
                break
    finally:
        with services.db.writing() as session:
            mine = Channel.id == channel_id, Channel.claimed_at == stamp
            session.execute(update(Channel).where(*mine).values(claimed_at=None))


@dataclass(frozen=True, repr=False)
class _Ready:
    """A message that is about to go: how, its bytes and where to; `message`: the one to be changed."""

    row: int
    way: str
    form: str
    address: str
    host: str
    sent: bytes
    digest: str
    message: str


def _one(services: Services, outlet: WebhookPort, channel_id: str, stamp: int) -> bool:
    """Send or change one message; whether another may follow at once.  No lock is held while it is made or sent."""
    with services.db.writing() as session:
        channel = _ours(session, channel_id, stamp)
        row = _next(services, session, channel) if channel is not None else None
        if row is None:
            return False
        row_id = row.id
    try:
        ready = _put_together(services, outlet, channel_id, row_id)
    except Exception as error:  # noqa: BLE001 - whatever is wrong with one message must not stop the others
        with services.db.writing() as session:
            _failed(
                services, session.get_one(Bulletin, row_id), type(error).__name__, final=isinstance(error, VaultError)
            )
        return True
    with services.db.writing() as session:
        if not _marked(services, session, channel_id, stamp, row_id, ready):
            return True
    if ready is None:
        return True
    services.point("announce.trying")
    reply = outlet.send(ready.form, ready.address, ready.sent, ready.message)
    services.point("announce.sent")
    again = _settle(services, channel_id, ready, reply)
    services.point("announce.marked")
    return again


def _ours(session: Session, channel_id: str, stamp: int) -> Channel | None:
    """The channel, while it is on and in our hands."""
    channel = session.get(Channel, channel_id, with_for_update=True)
    held = channel is not None and channel.state == ChannelState.ON and channel.claimed_at == stamp
    return channel if held else None


def _put_together(services: Services, outlet: WebhookPort, channel_id: str, row_id: int) -> _Ready | None:
    """A message with its address; None where there is nothing to say, or no way to say it."""
    with services.db.reading() as session:
        channel, row = session.get_one(Channel, channel_id), session.get_one(Bulletin, row_id)
        way = _way(channel, row)
        facts = _facts(services, session, channel, row) if way != "skip" else None
        if facts is None:
            return None
        address = webhooks.address_of(services, channel)
        sent, host = outlet.payload(channel.form, facts), outlet.host(address)
        digest = hashlib.sha256(sent).hexdigest()
        if row.state == BulletinState.EDIT and digest == row.digest:
            return None
        return _Ready(row_id, way, channel.form, address, host, sent, digest, _message(channel, row, way))


def _marked(
    services: Services, session: Session, channel_id: str, stamp: int, row_id: int, ready: _Ready | None
) -> bool:
    """Note that a message goes out now, from here on perhaps; False where it does not."""
    channel, row = _ours(session, channel_id, stamp), session.get(Bulletin, row_id)
    if channel is None or row is None or row.state not in WAITING:
        return False
    if ready is None:
        row.error = "unsure" if row.state == BulletinState.TRYING else row.error
        row.state = BulletinState.DROPPED if row.state == BulletinState.WANTED else BulletinState.DONE
        return False
    if until := _held(services, session, channel, ready.host, ready.way):
        row.due_at = until
        return False
    row.state = BulletinState.TRYING if row.state == BulletinState.WANTED else row.state
    return True


def _next(services: Services, session: Session, channel: Channel) -> Bulletin | None:
    """The oldest message that waits, after leaving out those that a newer one makes needless."""
    waiting = list(
        session.scalars(
            select(Bulletin).where(Bulletin.channel_id == channel.id, Bulletin.state.in_(WAITING)).order_by(Bulletin.id)
        )
    )
    opening = next(
        (row for row in reversed(waiting) if row.kind in STORIES and row.state == BulletinState.WANTED), None
    )
    for row in waiting:
        if opening is None or row.id >= opening.id:
            break
        if row.state == BulletinState.WANTED and row.kind in SUPERSEDED:
            row.state = BulletinState.DROPPED
            if row.kind in STORIES:
                opening.since = min(opening.since, row.since)
    left = [row for row in waiting if row.state in WAITING]
    return left[0] if left and left[0].due_at <= services.now() else _edit_due(services, left)


def _edit_due(services: Services, left: list[Bulletin]) -> Bulletin | None:
    """Where a change is still being gathered, what comes after it need not wait."""
    if not left or left[0].state != BulletinState.EDIT or left[0].tries:
        return None
    return next((row for row in left if row.due_at <= services.now()), None)


def _way(channel: Channel, row: Bulletin) -> str:
    """How a message goes: `new`, `change` (of itself), `instead` (the newest one is to say it), `again`, `skip`."""
    if row.state == BulletinState.WANTED:
        return "new"
    if row.state == BulletinState.EDIT:
        return "change" if channel.form == "plain" or (channel.form == "discord" and row.remote) else "skip"
    if channel.form == "plain":
        return "again"
    return "instead" if channel.form == "discord" and channel.anchor else "skip"


def _message(channel: Channel, row: Bulletin, way: str) -> str:
    """The number of the message to be changed; empty for a new one."""
    if channel.form != "discord":
        return ""
    return {"change": row.remote, "instead": channel.anchor}.get(way, "")


# --- what a message says


def _facts(services: Services, session: Session, channel: Channel, row: Bulletin) -> BulletinFacts | None:
    """What everybody may know of it; None where there is nothing to say any more."""
    game = session.get_one(Game, channel.game_id)
    terms = dict(row.terms)
    only, closed = terms.pop("only", None), bool(terms.pop("closed", False))
    asks, turn = tuple(terms.pop("asks", ())), int(terms.pop("turn", 0))
    rows = [row for row in open_decisions(session, game.id) if row.blocking] if game.state == GameState.RUNNING else []
    rows = [] if closed else rows
    marks = {mark_of(r): r for r in rows if only is None or mark_of(r) in only}
    owes = [mark for mark, r in marks.items() if r.answered_at is None]
    if row.kind in ("asked", "reminder", "called", "undelivered") and not owes:
        return None
    outside = _outsides(session, game.id)
    if row.kind == "asked" and channel.form == "discord" and not any(seat_of(mark) in outside for mark in owes):
        return None  # there is nobody to call on, and the message of the phase shows who is awaited
    dues = [int(marks[mark].due_at or 0) for mark in owes if marks[mark].due_at is not None]
    story = row.kind in STORIES and game.entry > 0
    entry = row.entry if story else game.entry
    turns = [gate_of(mark).turn or 0 for mark in marks]
    return BulletinFacts(
        mark=row.key.partition(".")[2],
        kind=row.kind,
        frame=_frame(services, session, game, channel, row, entry),
        seen=views.view_then(services, session, game.id, PUBLIC, entry) if entry else None,
        events=views.events_of(services, session, game.id, PUBLIC, row.since, entry) if story else (),
        owed=tuple(Awaited(seat_of(mark), asks_of(mark), outside.get(seat_of(mark), "")) for mark in owes),
        of=len({seat_of(mark) for mark in marks}),
        asks=asks or tuple(dict.fromkeys(asks_of(mark) for mark in marks)),
        turn=turn or max(turns, default=0),
        due=min(dues) // 1000 if dues else None,
        paused=_is_paused(session, game),
        closed=closed,
        terms=terms,
    )


def _frame(services: Services, session: Session, game: Game, channel: Channel, row: Bulletin, entry: int) -> Frame:
    """Nobody in particular reads it."""
    table = frames.table_facts(session, game)
    return Frame(
        Reader("", channel.language),
        replace(table, options={}),
        Links(page=f"{services.public_url}/games/{game.id}"),
        row.made_at // 1000,
        entry,
        frames.digest_of(session, game.id, entry),
    )


def _outsides(session: Session, game_id: str) -> Mapping[str, str]:
    """The accounts of a table's players, by seat."""
    sits = {row.user_id: row.seat for row in seats(session, game_id) if row.user_id is not None}
    found = session.scalars(select(Account).where(Account.user_id.in_(sits)))
    return {sits[account.user_id]: account.outside for account in found}


def _is_paused(session: Session, game: Game) -> bool:
    lasting = Outage.cause == "pause", Outage.game_id == game.id, ~Outage.given, Outage.ended_at.is_(None)
    return session.scalar(select(Outage.id).where(*lasting).limit(1)) is not None


# --- limits of the other side

_ROUTES: Final = {"new": "POST", "again": "POST", "change": "PATCH", "instead": "PATCH"}


def _held(services: Services, session: Session, channel: Channel, host: str, way: str) -> int | None:
    """Until when nothing may be sent this way; None where it may be."""
    now, route = services.now(), _ROUTES[way]
    spent = Allowance.spare <= 0, Allowance.until > now
    known = list(session.scalars(select(Allowance).where(Allowance.place.in_((channel.id, host)), *spent)))
    own = session.get(Allowance, (channel.id, route))
    shared = {own.bucket} - {""} if own is not None else set()
    ends = [row.until for row in known if row.place == host or row.route == route or row.bucket in shared]
    return max(ends, default=None)


def _learn(session: Session, channel: Channel, ready: _Ready, reply: Reply, now: int) -> None:
    """Keep what the other side said of its limits."""
    route = _ROUTES[ready.way]
    if reply.spare is not None:
        _allow(session, channel.id, route, reply.bucket, reply.spare, now + reply.reset_ms)
    if reply.outcome == "later" and reply.wait_ms and reply.why == "429":
        place, where = (ready.host, "") if reply.whole else (channel.id, route)
        _allow(session, place, where, reply.bucket, 0, now + reply.wait_ms)


def _allow(session: Session, place: str, route: str, bucket: str, spare: int, until: int) -> None:
    row = session.get(Allowance, (place, route))
    if row is None:
        session.add(Allowance(place=place, route=route, bucket=bucket, spare=spare, until=until))
    else:
        row.bucket, row.spare, row.until = bucket or row.bucket, spare, until


# --- what became of it


def _settle(services: Services, channel_id: str, ready: _Ready, reply: Reply) -> bool:
    """Write down what the other side made of a message; whether the next may follow at once."""
    with services.db.writing() as session:
        channel, row = session.get(Channel, channel_id, with_for_update=True), session.get(Bulletin, ready.row)
        if channel is None or row is None:  # removed meanwhile
            return False
        now = services.now()
        _learn(session, channel, ready, reply, now)
        match reply.outcome:
            case "done":
                _done(channel, row, ready, reply, now)
                return True
            case "gone" | "barred":
                _off(
                    services,
                    session,
                    channel,
                    ChannelState.GONE if reply.outcome == "gone" else ChannelState.REFUSED,
                    reply.why,
                )
                return False
            case "lost":
                _lost(channel, row, ready, reply)
                return True
            case "wrong":
                _note(channel, reply.why, now)
                _failed(services, row, reply.why, final=True)
                return True
        _again(services, channel, row, ready, reply)
        if channel.failing_at is not None and now - channel.failing_at > GIVEN_UP_MS:
            _off(services, session, channel, ChannelState.UNREACHABLE, reply.why)
        return False


def _done(channel: Channel, row: Bulletin, ready: _Ready, reply: Reply, now: int) -> None:
    row.state, row.digest, row.error, row.tries = BulletinState.DONE, ready.digest, "", 0
    row.sent_at = row.sent_at or now
    row.remote = ready.message or reply.message
    if not ready.message and row.remote:
        channel.anchor = row.remote
    channel.place = reply.place or channel.place
    channel.failures, channel.error, channel.worked_at, channel.failing_at = 0, "", now, None


def _lost(channel: Channel, row: Bulletin, ready: _Ready, reply: Reply) -> None:
    """The message that was to be changed has been deleted: it stays deleted, and the next is a new one."""
    if channel.anchor == ready.message:
        channel.anchor = ""
    row.state, row.remote, row.error = BulletinState.DONE, "", reply.why


def _again(services: Services, channel: Channel, row: Bulletin, ready: _Ready, reply: Reply) -> None:
    """Later, each time later, and never all at once; of one that may have arrived the mark stays."""
    if ready.way == "new" and reply.outcome == "later":
        row.state = BulletinState.WANTED
    if reply.why == "429":  # its own fault it is not
        row.due_at = services.now() + reply.wait_ms
        return
    row.tries += 1
    row.error = reply.why
    step = min(2000 * 2 ** min(row.tries, 11), 3_600_000)
    row.due_at = services.now() + max(reply.wait_ms, step // 2 + secrets.randbelow(step // 2 + 1))
    _note(channel, reply.why, services.now())


def _note(channel: Channel, why: str, now: int) -> None:
    channel.failures, channel.error, channel.failed_at = channel.failures + 1, why[:80], now
    channel.failing_at = channel.failing_at or now


def _failed(services: Services, row: Bulletin, why: str, *, final: bool) -> None:
    """A message that could not be made, or will never be taken."""
    row.tries += 1
    row.error = why[:80]
    row.due_at = services.now() + min(60_000 * 2**row.tries, 3_600_000)
    if final or row.tries >= 5:
        row.state = BulletinState.FAILED


def _off(services: Services, session: Session, channel: Channel, state: ChannelState, why: str) -> None:
    """Switch a channel off, and tell who keeps its table, by letter."""
    _note(channel, why, services.now())
    channel.state = state
    webhooks.drop(session, channel)
    game = session.get_one(Game, channel.game_id)
    user = session.get_one(User, game.host_id)
    frame = frames.frame_of(services, session, game, "", user, "", services.now())
    facts = NoticeFacts(frame, "channel_off", {"masked": channel.shown, "why": state.value})
    draft(
        services,
        session,
        key=f"channel.{channel.id}.{services.now()}",
        kind="notice",
        facts=facts,
        user_id=user.id,
        game_id=game.id,
        entry=game.entry,
    )


def tidy(services: Services) -> None:
    """Forget messages that were sent long ago, and limits that are over."""
    now = services.now()
    with services.db.writing() as session:
        old = (
            Bulletin.state.in_((BulletinState.DONE, BulletinState.FAILED, BulletinState.DROPPED)),
            Bulletin.made_at < now - KEPT_MS,
        )
        session.execute(delete(Bulletin).where(*old))
        session.execute(delete(Allowance).where(Allowance.until < now - KEPT_MS))


def health(services: Services) -> list[dict[str, Any]]:
    """All channels, for the operator: table, form, state, failures, the last of them."""
    with services.db.reading() as session:
        every = select(Channel, Game.title).join(Game, Game.id == Channel.game_id).order_by(Channel.made_at)
        return [
            {
                "game": c.game_id,
                "table": name,
                "form": c.form,
                "shown": c.shown,
                "state": c.state.value,
                "failures": c.failures,
                "error": c.error,
            }
            for c, name in session.execute(every)
        ]
