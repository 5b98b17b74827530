"""The clock, and the sweep: what is due is found in the database, whatever became of the messages that said so."""

from collections.abc import Sequence

from sqlalchemy import delete, exists, or_, select, update
from sqlalchemy.orm import Session

from engine.kernel.viewers import PUBLIC
from pbem.common.states import (
    OPENED,
    READY,
    UNSENT,
    GameState,
    InboundState,
    OutboundState,
    RequestState,
)
from pbem.service.base import limits
from pbem.service.base.calendar import DAY_MS
from pbem.service.base.game_states import is_installed
from pbem.service.base.services import Services
from pbem.service.deadlines import interruptions
from pbem.service.game import clock_state
from pbem.service.game.clock_state import MAIL_JOBS, SCHEDULER
from pbem.service.mail import assembly, daily_keys, pictures
from pbem.service.mail.inbox_queue import list_forgotten
from pbem.service.seats import accounts, bots, deputies, seat_offers
from pbem.service.tasks import bot_turns, operator_page, reminders
from pbem.service.tasks.resolve_game import MOST_TRIES
from pbem.store.games import load_open_questions
from pbem.store.models import (
    ApiToken,
    Capability,
    Game,
    GameResult,
    Heartbeat,
    InboundEmail,
    OutboundEmail,
    QuestionRow,
    ResolverRequest,
    SeatView,
)

PATIENCE_MS = 5_000
"""How old a wish must be before the sweep takes it for forgotten."""

LATE_MS = 10_000
"""How old the sign of life of who looks at the clock may be before another task looks at it first."""

AT_ONCE = 1_000
"""So many games are sent to the resolver at one look; the next look comes within seconds."""

MAX_REQUEUED = 50
"""So many games that wait are woken again by one sweep, the oldest wishes first."""

KEPT_MS, CAPABLE_MS = limits.DONE_DAYS * DAY_MS, limits.REPLY_DAYS * DAY_MS


def run_mail_jobs(services: Services) -> None:
    """Do the periodic work of the mailer: change keys, give back time, remind, write to ourselves, remove practice.

    Until it has been done, no deadline passes that was touched by lost time (`load_clock_state`).
    """
    daily_keys.rotate_if_due(services)
    interruptions.suspend_or_resume(services)
    interruptions.process_outages(services)
    deputies.start_and_end_due(services)
    seat_offers.expire_due(services)
    reminders.send_due(services)
    interruptions.send_probe(services)
    bots.delete_expired_practice(services)


def run_mail_jobs_if_overdue(services: Services) -> None:
    """Do the same where it should have been done before: the task that says so waits behind others."""
    with services.db.snapshot() as session:
        last = session.get(Heartbeat, MAIL_JOBS)
    if last is not None and services.now() - last.beat_at > LATE_MS:
        run_mail_jobs(services)


def enqueue_due_games(services: Services) -> int:
    """Look at the clock: wake the resolver where a question is overdue, and bots what they owe.  No key, and no email.

    Returns for how many games it was woken; a game that waits for it already is left out.
    """
    now = services.now()
    with services.db.snapshot() as session:
        ids = _due_games(session, now)[:AT_ONCE]
    with services.db.transaction() as session:
        interruptions.record_heartbeat(session, SCHEDULER, now)
        if ids:
            asking = update(Game).where(Game.id.in_(ids), Game.resolve_requested_at.is_(None))
            session.execute(asking.values(resolve_requested_at=now))
    for game_id in ids:
        services.enqueue("resolve_game", game_id)
    bot_turns.enqueue_due(services)
    return len(ids)


def _due_games(session: Session, now: int) -> list[str]:
    """Games that are due, but for those that stand still and those that wait to be played."""
    late = select(QuestionRow.game_id).where(
        QuestionRow.is_blocking, ~QuestionRow.answers_fixed, QuestionRow.closes_at <= now
    )
    due = session.scalars(late.union(select(Game.id).where(Game.scheduled_at <= now))).all()
    if not due:
        return []
    waits = Game.state == GameState.RUNNING, Game.resolve_requested_at.is_(None), Game.resolve_attempts < MOST_TRIES
    ids = list(session.scalars(select(Game.id).where(Game.id.in_(due), *waits).order_by(Game.id)))
    if not clock_state.is_any_paused(session, now):
        return ids
    return [game_id for game_id in ids if _can_resolve(session, session.get_one(Game, game_id), now)]


def _can_resolve(session: Session, game: Game, now: int) -> bool:
    """True if a visit could close anything now: not while the clock stands still, for everybody or for who is late."""
    still = clock_state.load_clock_state(session, game, now)
    if still.paused:
        return False
    if game.scheduled_at is not None and game.scheduled_at <= now:
        return True
    blocking = (row for row in load_open_questions(session, game.id) if row.is_blocking)
    return any(row.closes_at and row.closes_at <= now and not still.is_paused(row.seat) for row in blocking)


# --- the sweep


def requeue_stuck_work(services: Services) -> int:
    """Wake again for everything that waits longer than it should; returns how many wakes."""
    old = services.now() - PATIENCE_MS
    with services.db.snapshot() as session:
        lying = Game.resolve_requested_at < old, Game.resolve_attempts < MOST_TRIES, is_installed(services)
        wanting = select(Game.id).where(*lying).order_by(Game.resolve_requested_at).limit(MAX_REQUEUED)
        asking = select(ResolverRequest.game_id).where(
            ResolverRequest.state == RequestState.PENDING, ResolverRequest.created_at < old
        )
        holding = select(OutboundEmail.game_id).where(
            OutboundEmail.state == OutboundState.HELD, OutboundEmail.created_at < old
        )
        games = {g for query in (wanting, asking, holding) for g in session.scalars(query) if g is not None}
        due = session.scalar(
            select(OutboundEmail.key)
            .where(OutboundEmail.state.in_(READY), OutboundEmail.due_at < services.now())
            .limit(1)
        )
    letters, acts = list_forgotten(services), operator_page.has_pending_action(services)
    for game_id in sorted(games):
        services.enqueue("resolve_game", game_id)
    if letters:
        services.enqueue("process_inbound_emails", "")
    if due is not None:
        services.enqueue("send_outbound_emails", "")
    if acts:
        services.enqueue("run_operator_actions", "")
    pictures.delete_unused_pictures(services)
    undrawn = services.pictures and pictures.has_pending_picture(services)
    if undrawn:
        services.enqueue("render_picture", "")
    return len(games) + len(letters) + (due is not None) + acts + undrawn


# --- tidying


def delete_expired_rows(services: Services) -> None:
    """Delete rows of work that was done long ago; to be run daily.  Nothing of a game's own record is touched.

    Emails of a report stay as rows without content: they say which entries each report told.  Each table is read from
    end to end, once a day: by an index on its moments SQLite is slower, for what is old lies all over it.
    """
    now = services.now()
    old = now - KEPT_MS
    accounts.delete_ready_accounts(services)
    with services.db.transaction() as session:
        over = select(Game.id).where(Game.state == GameState.OVER, Game.ended_at < old)
        its_file = exists().where(SeatView.game_id == Game.id, SeatView.viewer == PUBLIC, SeatView.kind == "file")
        undone = or_(~its_file, Game.id.not_in(select(GameResult.game_id)), Game.compacted_at.is_(None))
        unknown = Game.state.in_(OPENED), Game.resolve_requested_at.is_(None), undone
        session.execute(update(Game).where(*unknown).values(resolve_requested_at=now))
        gone: Sequence[object] = (
            delete(InboundEmail).where(InboundEmail.state == InboundState.PROCESSED, InboundEmail.received_at < old),
            delete(InboundEmail).where(
                InboundEmail.state == InboundState.QUARANTINED, InboundEmail.received_at < now - CAPABLE_MS
            ),
            delete(OutboundEmail).where(
                OutboundEmail.state.not_in(UNSENT),
                OutboundEmail.created_at < old,
                or_(OutboundEmail.from_entry.is_(None), OutboundEmail.kind == assembly.SPECTATOR),
                OutboundEmail.kind.in_(
                    ("receipt", "notice", "signin", "account", "report", "reminder", assembly.SPECTATOR)
                ),
            ),
            delete(ResolverRequest).where(
                ResolverRequest.state == RequestState.DONE, ResolverRequest.done_at < now - DAY_MS
            ),
            delete(ApiToken).where(ApiToken.hash.in_(select(Capability.hash).where(Capability.expires_at < old))),
            delete(Capability).where(Capability.expires_at < old),
            delete(Capability).where(Capability.purpose == "form", Capability.created_at < old),
            delete(Capability).where(
                Capability.purpose.in_((assembly.REPLY, assembly.SPECTATOR)),
                or_(Capability.created_at < now - CAPABLE_MS, Capability.game_id.in_(over)),
            ),
        )
        for statement in gone:
            session.execute(statement)  # type: ignore[call-overload]
