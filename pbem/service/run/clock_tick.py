"""The clock, and the sweep: what is due is found in the database, whatever became of the messages that said so."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, and_, delete, or_, select, update
from sqlalchemy.orm import Session

from engine.kernel.names import Seat
from pbem.narration.facts import ReminderFacts
from pbem.service.base import keeping
from pbem.service.base.installed import installed
from pbem.service.base.services import Services
from pbem.service.game import frames, standstill, views
from pbem.service.game.standstill import CLOCK
from pbem.service.post import composing, drawing, key_rotation
from pbem.service.post.inbox_queue import waiting
from pbem.service.post.outbox import draft
from pbem.service.run import bots
from pbem.service.run.game_visit import MOST_TRIES
from pbem.service.seats import deputies, practice, seat_offers
from pbem.service.time import gate_timing, held, outages
from pbem.service.time.gate_timing import distance
from pbem.states import OPENED, READY, CommandState, GameState, LetterInState, LetterOutState
from pbem.store.games import locked, open_decisions, seated
from pbem.store.models import Command, DecisionRow, Game, LetterIn, LetterOut, ProgramRow, ResultRow, TokenRow, User
from pbem.trouble import passing_over

PATIENCE_MS = 5_000
"""How old a wish must be before the sweep takes it for forgotten."""

AT_ONCE = 1_000
"""For so many games play is asked at one look; the next look comes within seconds."""

AGAIN = 50
"""So many games that wait are woken again by one sweep, the oldest wishes first."""

DAY_MS = 24 * 3_600_000

KEPT_MS, CAPABLE_MS = keeping.DONE_DAYS * DAY_MS, keeping.REPLY_DAYS * DAY_MS


def attend(services: Services) -> None:
    """Do what time asks of the post: change keys, give back time, remind who owes an answer, write to ourselves.

    Until it has been done, no deadline passes that was touched by lost time (`standstill_of`).
    """
    key_rotation.look(services)
    held.look(services)
    outages.look(services)
    deputies.look(services)
    seat_offers.look(services)
    remind(services)
    outages.probe(services)


def tick(services: Services) -> int:
    """Look at the clock: ask for play where a question is overdue, and bots what they owe.  No key, and no letter.

    Returns in how many games play was asked for; a game that waits to be played already is not asked for again.
    """
    now = services.now()
    with services.db.reading() as session:
        ids = _to_play(session, now)[:AT_ONCE]
    with services.db.writing() as session:
        outages.beat(session, CLOCK, now)
        if ids:
            asking = update(Game).where(Game.id.in_(ids), Game.play_wanted.is_(None))
            session.execute(asking.values(play_wanted=now))
    for game_id in ids:
        services.wake("play", game_id)
    bots.wake(services)
    return len(ids)


def _to_play(session: Session, now: int) -> list[str]:
    """Games that are due, but for those that stand still and those that wait to be played."""
    late = select(DecisionRow.game_id).where(DecisionRow.blocking, ~DecisionRow.counted, DecisionRow.closes_at <= now)
    due = session.scalars(late.union(select(Game.id).where(Game.look_at <= now))).all()
    if not due:
        return []
    waits = Game.state == GameState.RUNNING, Game.play_wanted.is_(None), Game.play_tries < MOST_TRIES
    ids = list(session.scalars(select(Game.id).where(Game.id.in_(due), *waits).order_by(Game.id)))
    if not standstill.anywhere(session, now):
        return ids
    return [game.id for game_id in ids if _may_act(session, game := session.get_one(Game, game_id), now)]


def _may_act(session: Session, game: Game, now: int) -> bool:
    """True if a visit could close anything now: not while the clock stands still, for everybody or for who is late."""
    still = standstill.standstill_of(session, game, now)
    if game.look_at is not None and game.look_at <= now:
        return not still.paused
    late = [row for row in open_decisions(session, game.id) if row.blocking and row.closes_at and row.closes_at <= now]
    return not still.paused and any(not still.halts(row.seat) for row in late)


# --- reminders


def remind(services: Services) -> int:
    """Remind players who still owe an answer shortly before its deadline, once for each question; returns how many."""
    reminded = 0
    for game_id in _to_remind(services):
        with passing_over():
            reminded += _remind(services, game_id)
    if reminded:
        services.wake("deliver", "")
    return reminded


def _to_remind(services: Services) -> list[str]:
    """Games with a question that is to be looked at for a reminder."""
    with services.db.reading() as session:
        found = set(session.scalars(select(DecisionRow.game_id).where(_soon(services.now()))))
        if not found:
            return []
        goes_on = Game.id.in_(found), Game.state == GameState.RUNNING, installed(services)
        return list(session.scalars(select(Game.id).where(*goes_on).order_by(Game.id)))


def _soon(now: int) -> ColumnElement[bool]:
    """Open questions that are to be looked at for a reminder, as a condition of a query."""
    waits = and_(DecisionRow.blocking, DecisionRow.answered_at.is_(None), ~DecisionRow.counted)
    return and_(waits, DecisionRow.remind_at <= now, DecisionRow.due_at > now)


def _reminder(row: DecisionRow, game: Game, now: int) -> str:
    """The key of a reminder: one for each distance, and again where the deadline has moved since."""
    named = gate_timing.schedule_of(game).remind
    mark = f".{distance(row, game, now)}" if named else ""
    moved = f".{row.due_at}" if row.lost_ms or row.excused else ""
    return f"{row.game_id}.{row.opening_entry}.{row.id}{mark}{moved}.reminder"


def _is_last(row: DecisionRow, game: Game, now: int) -> bool:
    """Return True if no further reminder comes before the deadline."""
    named = gate_timing.schedule_of(game).remind
    return not named or distance(row, game, now) == min(named)


def _remind(services: Services, game_id: str) -> int:
    """One letter a seat, whatever number of its questions is due soon; then each question has its next moment."""
    now = services.now()
    with services.db.writing() as session:
        game = locked(session, game_id)
        if game is None or game.state != GameState.RUNNING:
            return 0
        these = select(DecisionRow).where(DecisionRow.game_id == game_id, _soon(now)).order_by(DecisionRow.id)
        rows = session.scalars(these).all()
        near = {row.seat: row for row in rows if distance(row, game, now)}
        found = 0
        for seat, user in seated(session, game_id):
            row = near.get(seat.seat)
            if row is not None and session.get(LetterOut, _reminder(row, game, now)) is None:
                _write(services, session, game, user, row)
                found += 1
        for row in rows:
            row.remind_at = min((at for at in gate_timing.reminders(row, game).values() if at > now), default=None)
    return found


def _write(services: Services, session: Session, game: Game, user: User, row: DecisionRow) -> None:
    """A reminder to who holds the seat of a question, and to who answers for them."""
    now = services.now()
    seen = views.last_view(services, session, game, Seat(row.seat))
    token = frames.new_reply_token(session, game.id, row.seat, game.entry, now)
    facts = ReminderFacts(
        frames.frame_of(services, session, game, row.seat, user, token, now),
        seen,
        frames.owed_by(session, game.id, row.seat, seen.core.open),
        last=_is_last(row, game, now),
    )
    key = _reminder(row, game, now)
    draft(
        services,
        session,
        key=key,
        kind="reminder",
        facts=facts,
        user_id=user.id,
        game_id=game.id,
        seat=row.seat,
        entry=game.entry,
    )
    deputies.remind(services, session, game, row.seat, key, facts)


# --- the sweep


def sweep(services: Services) -> int:
    """Wake again for everything that waits longer than it should; returns how many wakes."""
    old = services.now() - PATIENCE_MS
    with services.db.reading() as session:
        lying = Game.play_wanted < old, Game.play_tries < MOST_TRIES, installed(services)
        wanting = select(Game.id).where(*lying).order_by(Game.play_wanted).limit(AGAIN)
        asking = select(Command.game_id).where(Command.state == CommandState.ASKED, Command.made_at < old)
        holding = select(LetterOut.game_id).where(LetterOut.state == LetterOutState.WAITS, LetterOut.made_at < old)
        games = {g for query in (wanting, asking, holding) for g in session.scalars(query) if g is not None}
        due = session.scalar(
            select(LetterOut.key).where(LetterOut.state.in_(READY), LetterOut.due_at < services.now()).limit(1)
        )
    practice.clear(services)
    letters = waiting(services)
    for game_id in sorted(games):
        services.wake("play", game_id)
    for letter in letters:
        services.wake("ingest", letter)
    if due is not None:
        services.wake("deliver", "")
    drawing.forget(services)
    undrawn = services.pictures and drawing.waiting(services)
    if undrawn:
        services.wake("draw", "")
    return len(games) + len(letters) + (due is not None) + undrawn


# --- tidying


def tidy(services: Services) -> None:
    """Delete rows of work that was done long ago; to be run daily.  Nothing of a game's own record is touched.

    Letters of a report stay as rows without content: they say which entries each report told.
    """
    now = services.now()
    old = now - KEPT_MS
    with services.db.writing() as session:
        over = select(Game.id).where(Game.state == GameState.OVER, Game.ended_at < old)
        undone = or_(Game.id.not_in(select(ResultRow.game_id)), Game.compacted_at.is_(None))
        unknown = Game.state.in_(OPENED), Game.play_wanted.is_(None), undone
        session.execute(update(Game).where(*unknown).values(play_wanted=now))
        gone: Sequence[object] = (
            delete(LetterIn).where(LetterIn.state == LetterInState.DONE, LetterIn.received_at < old),
            delete(LetterIn).where(LetterIn.state == LetterInState.SHUNTED, LetterIn.received_at < now - CAPABLE_MS),
            delete(LetterOut).where(
                LetterOut.state.in_((LetterOutState.SENT, LetterOutState.FAILED, LetterOutState.MUTED)),
                LetterOut.made_at < old,
                or_(LetterOut.since.is_(None), LetterOut.kind == composing.KIND),
                LetterOut.kind.in_(("receipt", "notice", "signin", "report", "reminder", composing.KIND)),
            ),
            delete(Command).where(Command.state == CommandState.DONE, Command.done_at < now - DAY_MS),
            delete(ProgramRow).where(ProgramRow.hash.in_(select(TokenRow.hash).where(TokenRow.expires_at < old))),
            delete(TokenRow).where(TokenRow.expires_at < old),
            delete(TokenRow).where(TokenRow.purpose == "form", TokenRow.made_at < old),
            delete(TokenRow).where(
                TokenRow.purpose.in_((frames.REPLY, composing.KIND)),
                or_(TokenRow.made_at < now - CAPABLE_MS, TokenRow.game_id.in_(over)),
            ),
        )
        for statement in gone:
            session.execute(statement)  # type: ignore[call-overload]
