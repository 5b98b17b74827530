"""Reminders of who still owes an answer: so many games at a look, prepared together and written together.

When a question is to be looked at stands in its row, so a round goes on at the next look where it was left, be it that
it was ended by force: an email and the next moment of its question are written by one transaction.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from engine.kernel.viewers import Seat
from pbem.common.outage_log import skip_unreadable
from pbem.common.states import GameState
from pbem.narration.facts import ReminderFacts
from pbem.service.access import permissions
from pbem.service.base.calendar import MINUTE_MS
from pbem.service.base.database_access import MAX_RETRIES
from pbem.service.base.game_states import is_installed
from pbem.service.base.services import Services
from pbem.service.deadlines import gate_timing
from pbem.service.deadlines.gate_timing import reminder_step
from pbem.service.game import seat_views
from pbem.service.mail import assembly, outbox
from pbem.service.seats import deputies
from pbem.store.games import load_questions, occupied_seats, prefetch_games, prefetch_links
from pbem.store.models import Game, OutboundEmail, QuestionRow, User
from pbem.store.versions import ConflictError

AT_ONCE: Final = 400
"""So many questions are looked at in one look; the next look, which comes within seconds, goes on."""

TOGETHER: Final = 20
"""The reminders of so many games are written by one transaction."""

LATER_MS: Final = 10 * MINUTE_MS
"""When a game that cannot be reminded is looked at again: until then it takes no other one's place."""


def send_due(services: Services) -> int:
    """Remind players who still owe an answer shortly before its deadline, once for each question; returns how many."""
    ids = _list_due(services)
    parts = [ids[first : first + TOGETHER] for first in range(0, len(ids), TOGETHER)]
    reminded = sum(_remind_game(services, part) for part in parts)
    if reminded:
        services.enqueue("send_outbound_emails", "")
    return reminded


def _list_due(services: Services) -> Sequence[str]:
    """The games of the questions that have waited longest to be looked at; the others come at the next look."""
    now = services.now()
    with services.db.snapshot() as session:
        waiting = select(QuestionRow.game_id).where(QuestionRow.remind_at <= now).order_by(QuestionRow.remind_at)
        found = set(session.scalars(waiting.limit(AT_ONCE)))
        if not found:
            return ()
        goes_on = Game.id.in_(found), Game.state == GameState.RUNNING, is_installed(services)
        ids = session.scalars(select(Game.id).where(*goes_on).order_by(Game.id)).all()
    _postpone(services, found.difference(ids))
    return ids


def _remind_game(services: Services, ids: Sequence[str]) -> int:
    """The reminders of these games at once, or where that cannot be each game's by itself; returns how many."""
    with skip_unreadable():
        found = _prepare(services, ids)
        if found is not None:
            return found
    if len(ids) > 1:
        return sum(_remind_game(services, [one]) for one in ids)
    _postpone(services, ids)
    return 0


def _prepare(services: Services, ids: Sequence[str]) -> int | None:
    """Decide the reminders of games on a snapshot and write them; how many, or None where games move all the time."""
    for _ in range(MAX_RETRIES):
        with services.db.prepare() as snapshot:
            found = _enqueue(services, snapshot, ids)
            prepared = snapshot.to_write_set()
        services.fault_point("reminders.prepared")
        try:
            with services.db.transaction() as session:
                prepared.apply(session)
                services.fault_point("reminders.before_commit")
        except ConflictError:
            continue
        services.fault_point("reminders.after_commit")
        return found
    return None


def _postpone(services: Services, ids: Iterable[str]) -> None:
    """Look at these games again later."""
    these, now = sorted(ids), services.now()
    if these:
        due = QuestionRow.game_id.in_(these), QuestionRow.remind_at <= now
        with services.db.transaction() as session:
            session.execute(update(QuestionRow).where(*due).values(remind_at=now + LATER_MS))


# --- what is prepared


@dataclass(frozen=True)
class Reminder:
    """An email that is to go out under a key, about a question, to who holds its seat and to who answers for them."""

    key: str
    game: Game
    user: User
    row: QuestionRow


def _enqueue(services: Services, session: Session, ids: Sequence[str]) -> int:
    """Lay out the reminders of these games, then give each question its next moment; returns how many seats get one."""
    now = services.now()
    these = Game.id.in_(ids), Game.state == GameState.RUNNING
    games = session.scalars(select(Game).where(*these).order_by(Game.id)).all()
    prefetch_games(session, ids)
    prefetch_links(session, games)
    permissions.prefetch_deputies(session, ids)
    new = _new_reminders(session, [reminder for game in games for reminder in _reminders_for_game(session, game, now)])
    for game in games:
        if asked := {one.row.seat for one in new if one.game is game}:
            seat_views.prefetch_latest(session, game.id, asked, game.entry)
    for one in new:
        _write(services, session, one)
    for game in games:
        for row in _due_questions(session, game, now):
            row.remind_at = min((at for at in gate_timing.reminder_times(row, game).values() if at > now), default=None)
    return len(new)


def _due_questions(session: Session, game: Game, now: int) -> Sequence[QuestionRow]:
    return [row for row in load_questions(session, game.id) if row.remind_at is not None and row.remind_at <= now]


def _reminders_for_game(session: Session, game: Game, now: int) -> Sequence[Reminder]:
    """One email a seat, whatever number of its questions is due soon."""
    near = {row.seat: row for row in _due_questions(session, game, now) if _is_due(row, game, now)}
    sitting = occupied_seats(session, game.id) if near else []
    return [
        Reminder(_dedup_key(near[s.seat], game, now), game, user, near[s.seat]) for s, user in sitting if s.seat in near
    ]


def _is_due(row: QuestionRow, game: Game, now: int) -> bool:
    """Return True if a player still owes an answer, and a reminder of it has been due before its deadline."""
    waits = row.is_blocking and row.answered_at is None and not row.answers_fixed
    return waits and row.due_at is not None and row.due_at > now and bool(reminder_step(row, game, now))


def _new_reminders(session: Session, reminders: Sequence[Reminder]) -> Sequence[Reminder]:
    """Those that are not laid out yet."""
    keys = [one.key for one in reminders]
    there = set(session.scalars(select(OutboundEmail.key).where(OutboundEmail.key.in_(keys)))) if keys else set()
    new = [one for one in reminders if one.key not in there]
    outbox.prefetch_existing(session, [key for one in new for key in (one.key, deputies.reminder_dedup_key(one.key))])
    return new


def _dedup_key(row: QuestionRow, game: Game, now: int) -> str:
    """The key of a reminder: one for each distance, and again where the deadline has moved since."""
    named = gate_timing.load_schedule(game).reminder_hours
    mark = f".{reminder_step(row, game, now)}" if named else ""
    moved = f".{row.due_at}" if row.paused_ms or row.grace_used else ""
    return f"{row.game_id}.{row.opening_entry}.{row.id}{mark}{moved}.reminder"


def _is_last(row: QuestionRow, game: Game, now: int) -> bool:
    """Return True if no further reminder comes before the deadline."""
    named = gate_timing.load_schedule(game).reminder_hours
    return not named or reminder_step(row, game, now) == min(named)


def _write(services: Services, session: Session, reminder: Reminder) -> None:
    """Lay a reminder out, with an address to answer to."""
    game, row, now = reminder.game, reminder.row, services.now()
    seen = seat_views.last_view(services, session, game, Seat(row.seat))
    token = assembly.create_reply_token(session, game.id, row.seat, game.entry, now)
    facts = ReminderFacts(
        assembly.build_context(services, session, game, row.seat, reminder.user, token, now),
        seen,
        assembly.open_questions(session, game.id, row.seat, seen.core.questions),
        last=_is_last(row, game, now),
    )
    outbox.enqueue(
        services,
        session,
        key=reminder.key,
        kind="reminder",
        facts=facts,
        user_id=reminder.user.id,
        game_id=game.id,
        seat=row.seat,
        entry=game.entry,
    )
    deputies.send_reminder(services, session, game, row.seat, reminder.key, facts)
