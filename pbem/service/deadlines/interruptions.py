"""Time that does not count: outages of the server, pauses of a table, and tables whose rules are not installed."""

import logging
from collections.abc import Sequence

from sqlalchemy import BigInteger, bindparam, exists, or_, select, update
from sqlalchemy.orm import Session, aliased

from pbem.common.outage_log import skip_unreadable
from pbem.common.states import LIVE, READY, GameState, OutboundState
from pbem.crypto import token_hash
from pbem.service.access.capabilities import create_capability
from pbem.service.access.permissions import Permission, has_permission
from pbem.service.base import calendar
from pbem.service.base.calendar import DAY_MS, HOUR_MS, MINUTE_MS
from pbem.service.base.game_states import (
    INSTALLED,
    NEEDS_REVALIDATION,
    SUSPENDED,
    is_installed,
    missing_rules,
    not_installed_filter,
)
from pbem.service.base.services import RequestRefused, Services
from pbem.service.deadlines.gate_timing import load_pace
from pbem.service.game.clock_state import MAIL_JOBS, OUTAGE_MS, PROBE, PROBE_SENT, PROBE_SIGNED, RESTORED
from pbem.service.mail import delivery_status, notifications
from pbem.service.mail.notifications import notify_deadline_change, resend_reports
from pbem.store.games import load_seat, load_seats, lock_game
from pbem.store.models import (
    BoardImage,
    Capability,
    DeadlineExtension,
    Game,
    Heartbeat,
    InboundEmail,
    Outage,
    OutboundEmail,
    QuestionRow,
    ResolverRequest,
    SeatRow,
    User,
    Webhook,
    WebhookMessage,
)

LATE_PROBE_MS = 15 * MINUTE_MS
"""An email to ourselves that takes longer shows that emails do not come in."""

BOUNCE_MS = 3 * DAY_MS
"""A player whose emails come back has so much time more, unless they show up before."""

HALT_MS = 2 * DAY_MS
"""The clock that was stopped because many missed at once goes on by itself after this."""

PAUSE_MS = 30 * DAY_MS
"""A pause that nobody ends is over after this."""

HOLD = "hold"
"""The game master stopped one seat's clock; as a pause, it is over by itself one day."""

MAX_DURATIONS_MS = {"bounce": BOUNCE_MS, "halt": HALT_MS, "pause": PAUSE_MS, HOLD: PAUSE_MS}
NOTICE_CAUSES = {
    "bounce": "bounce",
    "pause": "resumed",
    "halt": "halt",
    HOLD: "released",
    INSTALLED: INSTALLED,
    RESTORED: RESTORED,
}


def record_heartbeat(session: Session, name: str, now: int) -> None:
    """Note a sign of life."""
    row = session.get(Heartbeat, name)
    if row is None:
        session.add(Heartbeat(name=name, beat_at=now))
    else:
        row.beat_at = now


def record_restore(session: Session, now: int) -> None:
    """Note that the database is an older copy of itself; the next look at the clock tells everybody."""
    record_heartbeat(session, RESTORED, now)


# --- at each look at the clock


def process_outages(services: Services) -> int:
    """Find what was lost since the last look, and give back what has ended; returns how many stretches of time.

    To be called before anything is found overdue.
    """
    with services.db.transaction() as session:
        now = services.now()
        _handle_restore(session, now)
        _detect_scheduler_gap(session, now)
        _detect_mail_outage(session, now)
        _end_pauses_of_delivered(session, now)
        _pause_for_delays(services, session, now)
        _expire_pauses(session, now)
        ended = session.scalars(
            select(Outage).where(~Outage.is_compensated, Outage.ended_at.is_not(None)).order_by(Outage.id)
        )
        found = sum(extend_deadlines(services, session, outage) for outage in list(ended))
        record_heartbeat(session, MAIL_JOBS, now)
    if found:
        services.enqueue("send_outbound_emails", "")
    return found


def _handle_restore(session: Session, now: int) -> None:
    """A copy was put back: what was played since it was made is lost, and the time since then with it."""
    mark, last = session.get(Heartbeat, RESTORED), session.get(Heartbeat, MAIL_JOBS, with_for_update=True)
    known = (
        select(Outage.id).where(Outage.cause == RESTORED, Outage.ended_at >= mark.beat_at) if mark is not None else None
    )
    if known is None or last is None or session.scalar(known) is not None:
        return
    session.add(Outage(cause=RESTORED, started_at=min(last.beat_at, now), ended_at=now))
    last.beat_at = now
    session.flush()


def _detect_scheduler_gap(session: Session, now: int) -> None:
    """A gap since the last look is time in which the server stood still; a step back undoes a step forward."""
    last = session.get(Heartbeat, MAIL_JOBS, with_for_update=True)  # two who look at once find a gap once
    if last is None:
        return
    if now - last.beat_at > OUTAGE_MS:
        session.add(Outage(cause="stopped", started_at=last.beat_at, ended_at=now))
        session.flush()
    elif last.beat_at - now > OUTAGE_MS:
        _handle_clock_rollback(session, now)


def _handle_clock_rollback(session: Session, now: int) -> None:
    """The clock had gone ahead of time: what was given back for that is taken back, and what lies ahead is due now."""
    for outage in session.scalars(select(Outage).where(Outage.ended_at > now, Outage.is_compensated)):
        for gift in session.scalars(select(DeadlineExtension).where(DeadlineExtension.outage_id == outage.id)):
            _withdraw_extensions(session, gift)
        outage.cause = "jumped"
    for row in session.scalars(select(QuestionRow).where(QuestionRow.opened_at > now)):
        ahead, row.opened_at = row.opened_at - now, now
        row.due_at = row.due_at - ahead if row.due_at is not None else None
        row.closes_at = row.closes_at - ahead if row.closes_at is not None else None
        row.remind_at = NEEDS_REVALIDATION
    session.execute(update(QuestionRow).where(QuestionRow.answered_at > now).values(answered_at=now))
    session.execute(update(Outage).where(Outage.started_at > now, Outage.ended_at.is_(None)).values(started_at=now))
    waits = OutboundEmail.state.in_(READY)
    session.execute(update(OutboundEmail).where(OutboundEmail.due_at > now, waits).values(due_at=now, claimed_at=None))
    session.execute(update(InboundEmail).where(InboundEmail.received_at > now).values(received_at=now))
    session.execute(update(InboundEmail).where(InboundEmail.due_at > now).values(due_at=now))
    session.execute(update(ResolverRequest).where(ResolverRequest.created_at > now).values(created_at=now))
    session.execute(update(Game).where(Game.resolve_requested_at > now).values(resolve_requested_at=now))
    session.execute(update(Game).where(Game.scheduled_at > now).values(scheduled_at=now))
    session.execute(update(WebhookMessage).where(WebhookMessage.due_at > now).values(due_at=now))
    session.execute(update(Heartbeat).where(Heartbeat.beat_at > now, Heartbeat.name != RESTORED).values(beat_at=now))
    for claimed in (OutboundEmail, BoardImage, Webhook):
        session.execute(update(claimed).where(claimed.claimed_at > now).values(claimed_at=None))


def _withdraw_extensions(session: Session, gift: DeadlineExtension) -> None:
    place = QuestionRow.game_id == gift.game_id, QuestionRow.gate == gift.gate, QuestionRow.seat == gift.seat
    row = session.scalars(select(QuestionRow).where(*place, QuestionRow.due_at == gift.due_after)).one_or_none()
    if row is not None:
        _move_question(row, gift.due_before - gift.due_after, -gift.lost_ms)
        session.delete(gift)


def _detect_mail_outage(session: Session, now: int) -> None:
    """An email to ourselves that does not come back shows that no other comes in: the clock stands still since then.

    Believed only where one has come back before: a server that cannot write to itself at all is set up wrongly.
    """
    back = session.get(Heartbeat, PROBE)
    if (
        back is None
        or session.scalar(select(Outage.id).where(Outage.cause == "inbound", ~Outage.is_compensated)) is not None
    ):
        return
    lost = Capability.purpose == PROBE, Capability.used_at.is_(None), Capability.created_at > back.beat_at
    first = session.scalar(select(Capability.created_at).where(*lost).order_by(Capability.created_at).limit(1))
    if first is not None and now - first > LATE_PROBE_MS:
        session.add(Outage(cause="inbound", started_at=first))
        session.flush()


_RECEIPT = aliased(OutboundEmail)
_LATE_AT_HALF_TIME = (
    select(OutboundEmail.key, OutboundEmail.user_id)
    .join(SeatRow, (SeatRow.game_id == OutboundEmail.game_id) & (SeatRow.user_id == OutboundEmail.user_id))
    .join(QuestionRow, (QuestionRow.game_id == SeatRow.game_id) & (QuestionRow.seat == SeatRow.seat))
    .where(
        delivery_status.IS_LATE,
        QuestionRow.is_blocking,
        ~QuestionRow.answers_fixed,
        QuestionRow.answered_at.is_(None),
        QuestionRow.opened_at <= OutboundEmail.created_at,
        QuestionRow.opened_at + QuestionRow.due_at <= 2 * bindparam("now", type_=BigInteger),
        ~exists().where(
            _RECEIPT.kind == "receipt",
            _RECEIPT.game_id == OutboundEmail.game_id,
            _RECEIPT.user_id == OutboundEmail.user_id,
            _RECEIPT.created_at >= OutboundEmail.created_at,
        ),
    )
    .order_by(OutboundEmail.created_at)
)


def _pause_for_delays(services: Services, session: Session, now: int) -> None:
    """Stop a player's clock where half of their time is over and the email that asks them has not arrived.

    A player who has sent orders since knows what is asked.
    """
    for key, user_id in session.execute(_LATE_AT_HALF_TIME, {"now": now}).all():
        with skip_unreadable(), session.begin_nested():
            email, user = session.get_one(OutboundEmail, key), session.get_one(User, user_id)
            delivery_status.stop_clock(services, session, email, user)


def _end_pauses_of_delivered(session: Session, now: int) -> None:
    """A clock that was stopped for emails that were late goes on once they have arrived."""
    waiting = Outage.cause == "bounce", Outage.ended_at.is_(None)
    late_only = or_(User.bounced_at.is_(None), User.bounced_at < Outage.started_at)
    for outage in session.scalars(select(Outage).join(User, User.id == Outage.user_id).where(*waiting, late_only)):
        theirs = OutboundEmail.user_id == outage.user_id, OutboundEmail.game_id == outage.game_id
        still = *theirs, delivery_status.HAS_NOT_ARRIVED, OutboundEmail.created_at >= outage.started_at
        if session.scalar(select(OutboundEmail.key).where(*still).limit(1)) is None:
            outage.ended_at = now


def _expire_pauses(session: Session, now: int) -> None:
    for outage in session.scalars(select(Outage).where(~Outage.is_compensated, Outage.ended_at.is_(None))):
        longest = MAX_DURATIONS_MS.get(outage.cause)
        if longest is not None and outage.started_at + longest <= now:
            outage.ended_at = outage.started_at + longest


# --- giving back


def extend_deadlines(services: Services, session: Session, outage: Outage) -> bool:
    """Move the deadlines of all questions that were open in a stretch of time that has ended; log and announce it."""
    outage.is_compensated = True
    touched = select(Game.id).where(
        Game.state == GameState.RUNNING, is_installed(services)
    )  # a table that is held has its own
    if outage.game_id is not None:
        touched = touched.where(Game.id == outage.game_id)
    if outage.cause not in (INSTALLED, RESTORED):  # then everybody is told, with a deadline or without
        touched = touched.where(Game.id.in_(select(QuestionRow.game_id).where(QuestionRow.due_at > outage.started_at)))
    for game_id in sorted(session.scalars(touched)):
        with skip_unreadable(), session.begin_nested():
            game = lock_game(session, game_id)
            if game is not None and game.state == GameState.RUNNING:
                _extend_game_deadlines(services, session, outage, game)
    return True


def _extend_game_deadlines(services: Services, session: Session, outage: Outage, game: Game) -> None:
    open_ = QuestionRow.game_id == game.id, QuestionRow.is_blocking, ~QuestionRow.answers_fixed
    rows = *open_, QuestionRow.due_at > outage.started_at
    before: dict[str, int] = {}
    for row in session.scalars(select(QuestionRow).where(*rows).order_by(QuestionRow.id)):
        lost = _lost_time(session, outage, row)
        if lost > 0 and (outage.user_id is None or _was_seated(session, row, outage.user_id)):
            before[row.seat] = int(row.due_at or 0)
            _extend_deadline(services, session, outage, game, row, lost)
    session.flush()
    if before or outage.cause in ("pause", INSTALLED, RESTORED):
        cause = NOTICE_CAUSES.get(outage.cause, "outage")
        copied = outage.started_at // 1000 if outage.cause == RESTORED else None
        notify_deadline_change(
            services, session, game, f"o{outage.id}", cause, before, who=outage.declared_by, copied=copied
        )
        if copied is not None:
            resend_reports(services, session, game, f"o{outage.id}")


def _lost_time(session: Session, outage: Outage, row: QuestionRow) -> int:
    """How much of a question's time an outage took that no other one has given back: what overlaps counts once."""
    gifts = (
        DeadlineExtension.game_id == row.game_id,
        DeadlineExtension.gate == row.gate,
        DeadlineExtension.seat == row.seat,
    )
    spans = (
        select(Outage.started_at, Outage.ended_at)
        .join(DeadlineExtension, DeadlineExtension.outage_id == Outage.id)
        .where(*gifts)
    )
    since, until, lost = max(outage.started_at, row.opened_at), int(outage.ended_at or 0), 0
    for began, ended in sorted((began, ended or 0) for began, ended in session.execute(spans)):
        if began < until and ended > since:
            lost += max(0, began - since)
            since = ended
    return lost + max(0, until - since)


def _was_seated(session: Session, row: QuestionRow, user: int) -> bool:
    seat = load_seat(session, row.game_id, row.seat)
    return seat is not None and seat.user_id == user


def _extend_deadline(
    services: Services, session: Session, outage: Outage, game: Game, row: QuestionRow, lost: int
) -> None:
    due = int(row.due_at or 0)
    rhythm = calendar.parse_schedule(game.schedule, game.deadline_hours).rule_for(row.topic, load_pace(row))
    after = calendar.extend_deadline(rhythm, due, lost)
    _move_question(row, after - due, lost)
    session.add(
        DeadlineExtension(
            outage_id=outage.id,
            game_id=game.id,
            gate=row.gate,
            seat=row.seat,
            lost_ms=lost,
            due_before=due,
            due_after=after,
            created_at=services.now(),
        )
    )


def _move_question(row: QuestionRow, by: int, lost: int) -> None:
    row.due_at, row.remind_at = int(row.due_at or 0) + by, NEEDS_REVALIDATION
    row.closes_at = row.closes_at + by if row.closes_at is not None else None
    row.paused_ms = (row.paused_ms or 0) + lost


# --- emails to ourselves


def send_probe(services: Services) -> bool:
    """Send an email to ourselves through the whole path, if it is time for one."""
    if services.probe is None or services.send_email is None:
        return False
    now = services.now()
    with services.db.transaction() as session:
        last = session.get(Heartbeat, PROBE_SENT)
        if last is not None and abs(now - last.beat_at) < services.mail_probe_interval_minutes * MINUTE_MS:
            return False
        record_heartbeat(session, PROBE_SENT, now)
        token = create_capability(session, PROBE, now, lasting_ms=7 * 24 * HOUR_MS)
    try:
        services.send_email(services.probe(token, now))
    except Exception:  # noqa: BLE001 - an email that could not even be sent is one that does not come back
        return False
    return True


def record_probe(session: Session, token: str, now: int, *, signed: bool) -> bool:
    """Return True if an email is one to ourselves; then emails come in.  `signed`: it has our DKIM signature."""
    row = session.get(Capability, token_hash(PROBE, token)) if token else None
    if row is None or row.purpose != PROBE:
        return False
    row.used_at = now
    last = session.get(Heartbeat, PROBE)
    if last is None or last.beat_at < row.created_at:
        record_heartbeat(session, PROBE, row.created_at)
        if signed:
            record_heartbeat(session, PROBE_SIGNED, row.created_at)
    silent = Outage.cause == "inbound", Outage.ended_at.is_(None)
    session.execute(update(Outage).where(*silent).values(ended_at=now))
    return True


PAUSE, RESUME = "pause", "resume"

CURRENT_PAUSES = Outage.cause.in_(("pause", "halt")), ~Outage.is_compensated
"""Pauses and halts that games are in."""


def find_pause(session: Session, game_id: str) -> Outage | None:
    """The pause or the halt that a game is in."""
    return session.scalars(select(Outage).where(Outage.game_id == game_id, *CURRENT_PAUSES).order_by(Outage.id)).first()


def request_pause(services: Services, user_id: int, game_id: str, wish: str) -> str:
    """Pause a game, or let it go on: a master's word is enough, anybody else's waits for that of all the others.

    Returns `done`, `noted` (others must still agree) or `nothing` (it is so already).  Raises RequestRefused.
    """
    with services.db.transaction() as session:
        game = lock_game(session, game_id)
        sitting = [row for row in load_seats(session, game_id) if row.user_id is not None]
        mine = next((row for row in sitting if row.user_id == user_id), None)
        if game is None or game.state != GameState.RUNNING:
            raise RequestRefused("no_such_seat")
        if not has_permission(session, game, user_id, services.now(), Permission.SPEAKS):
            raise RequestRefused("no_such_seat")
        if (find_pause(session, game_id) is None) == (wish == RESUME):
            return "nothing"
        if mine is not None:
            mine.pause_request = wish
        if not has_permission(session, game, user_id, services.now(), Permission.MASTERS) and any(
            row.pause_request != wish for row in sitting
        ):
            return "noted"
        set_paused(services, session, game, wish, session.get_one(User, user_id).name)
    services.enqueue("send_outbound_emails", "")
    return "done"


def set_paused(services: Services, session: Session, game: Game, wish: str, who: str, reason: str = "") -> None:
    """Pause a game, or let it go on, in the transaction that has locked it; all are told (`reason`: of a pause)."""
    for row in load_seats(session, game.id):
        row.pause_request = ""
    lasting = find_pause(session, game.id)
    if wish == PAUSE:
        outage = Outage(
            cause="pause", game_id=game.id, started_at=services.now(), is_compensated=False, declared_by=who
        )
        session.add(outage)
        session.flush()
        notifications.notify_deadline_change(services, session, game, f"p{outage.id}", "pause", {}, who, reason)
    elif lasting is not None:
        lasting.ended_at = max(services.now(), lasting.started_at)
        game.scheduled_at = services.now()
        extend_deadlines(services, session, lasting)


_LOG = logging.getLogger(__name__)


def accept_version(services: Services, title: str) -> int:
    """Let the tables of a game go on by the version of it that is installed; returns how many.  Raises KeyError."""
    meta = services.rules(title).meta
    other = Game.rules == title, Game.rules_version.not_in(meta.accepted_versions), Game.state.in_(LIVE)
    with services.db.transaction() as session:
        changed = update(Game).where(*other).values(rules_version=meta.version).returning(Game.id)
        return len(session.scalars(changed).all())


def suspend_or_resume(services: Services) -> None:
    """Hold the tables whose game is not here any more, and let go those whose game is back; their people are told.

    To be called at each look at the clock, before anything is found overdue.
    """
    with services.db.transaction() as session:
        for unplayable in _games_to_suspend(services, session):
            with skip_unreadable(), session.begin_nested():
                _suspend(services, session, unplayable)
        ended = select(Outage.id, Outage.game_id).join(Game, Game.id == Outage.game_id)
        lasting = Outage.cause == INSTALLED, Outage.ended_at.is_(None)
        for number, game_id in session.execute(ended.where(*lasting, is_installed(services))).all():
            with skip_unreadable(), session.begin_nested():
                _resume(services, session, number, str(game_id))


def _games_to_suspend(services: Services, session: Session) -> Sequence[str]:
    lasting = select(Outage.game_id).where(Outage.cause == INSTALLED, ~Outage.is_compensated)
    found = select(Game.id).where(not_installed_filter(services), Game.id.not_in(lasting)).order_by(Game.id)
    return session.scalars(found).all()


def _suspend(services: Services, session: Session, game_id: str) -> None:
    """From the last look at the clock on: what happened to the game may have happened while the server was down."""
    game = lock_game(session, game_id)
    if game is None:
        return
    last, now = session.get(Heartbeat, MAIL_JOBS), services.now()
    began = min(last.beat_at, now) if last is not None else now
    outage = Outage(cause=INSTALLED, game_id=game.id, started_at=began, is_compensated=False)
    session.add(outage)
    session.flush()
    _LOG.warning("table %s is held: %s", game.id, missing_rules(services, game), extra={"game": game.id})
    notifications.notify_all_seats(services, session, game, f"h{outage.id}", SUSPENDED, {"game": game.rules})
    services.enqueue("send_outbound_emails", "")


def _resume(services: Services, session: Session, number: int, game_id: str) -> None:
    now = services.now()
    session.execute(update(Outage).where(Outage.id == number).values(ended_at=now))
    waiting = OutboundEmail.game_id == game_id, OutboundEmail.state == OutboundState.QUEUED
    session.execute(update(OutboundEmail).where(*waiting).values(due_at=now))
    game = lock_game(session, game_id)
    if game is not None:
        game.scheduled_at, game.resolve_attempts = now, 0
    _LOG.warning("table %s goes on: its game is installed", game_id, extra={"game": game_id})
