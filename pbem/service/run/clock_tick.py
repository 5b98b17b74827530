"""The clock, and the sweep: what is due is found in the database, whatever became of the messages that said so."""

from collections.abc import Sequence

from sqlalchemy import delete, func, or_, select, update
from sqlalchemy.orm import Session

from engine.kernel.names import Seat
from pbem.narration.facts import ReminderFacts
from pbem.service.base import calendar
from pbem.service.base.installed import installed
from pbem.service.base.services import Office
from pbem.service.game import frames, standstill, views
from pbem.service.post import composing, drawing
from pbem.service.post.inbox_queue import waiting
from pbem.service.post.outbox import draft
from pbem.service.run.game_visit import MOST_TRIES
from pbem.service.seats import deputies, seat_offers
from pbem.service.time import gate_timing, held, outages
from pbem.service.time.gate_timing import distance
from pbem.states import OPENED, READY, CommandState, GameState, LetterInState, LetterOutState
from pbem.store.games import locked, seated
from pbem.store.models import Command, DecisionRow, Game, LetterIn, LetterOut, ResultRow, TokenRow

PATIENCE_MS = 5_000
"""How old a wish must be before the sweep takes it for forgotten."""

DAY_MS = 24 * 3_600_000

KEPT_MS = 30 * DAY_MS
"""How long rows of work that is done are kept."""

CAPABLE_MS = 180 * DAY_MS
"""How long a reply address is remembered: until then a letter to it is at least answered."""


def tick(office: Office) -> int:
    """Look at the clock: give back what was lost, ask for play where a question is overdue, remind who owes one soon.

    Returns in how many games play was asked for.
    """
    held.look(office)
    outages.look(office)
    deputies.look(office)
    seat_offers.look(office)
    now = office.now()
    closes = func.coalesce(DecisionRow.closes_at, DecisionRow.due_at)
    late = select(DecisionRow.game_id).where(DecisionRow.blocking, closes <= now)
    with office.db.reading() as session:
        going = Game.state == GameState.RUNNING, Game.play_tries < MOST_TRIES
        due = or_(Game.id.in_(late), Game.look_at <= now)
        found = list(session.scalars(select(Game).where(*going, due).order_by(Game.id)))
        ids = [game.id for game in found if _may_act(session, game, now)]
    if ids:
        with office.db.writing() as session:
            asking = update(Game).where(Game.id.in_(ids), Game.play_wanted.is_(None))
            session.execute(asking.values(play_wanted=office.now()))
    for game_id in ids:
        office.wake("play", game_id)
    if office.post is not None:
        remind(office)
        outages.probe(office)
    return len(ids)


def _may_act(session: Session, game: Game, now: int) -> bool:
    """True if a visit could close anything now: not while the clock stands still, for everybody or for who is late."""
    still = standstill.standstill_of(session, game, now)
    if game.look_at is not None and game.look_at <= now:
        return not still.paused
    rows = select(DecisionRow).where(DecisionRow.game_id == game.id, DecisionRow.blocking)
    late = [row for row in session.scalars(rows) if (row.closes_at or row.due_at or now + 1) <= now]
    return not still.paused and any(not still.halts(row.seat) for row in late)


# --- reminders


def remind(office: Office) -> int:
    """Remind players who still owe an answer shortly before its deadline, once for each question; returns how many."""
    with office.db.reading() as session:
        now = office.now()
        soon = [row for row in _soon(office, session) if _unsaid(session, row, now)]
    reminded = sum(_remind(office, game_id) for game_id in sorted({row.game_id for row in soon}))
    if reminded:
        office.wake("deliver", "")
    return reminded


def _soon(office: Office, session: Session, game_id: str = "") -> list[DecisionRow]:
    """Open questions of which it is time to remind: at a distance that the table names, else in their last third."""
    now = office.now()
    query = select(DecisionRow).where(
        DecisionRow.blocking, DecisionRow.answered_at.is_(None), DecisionRow.due_at > now,
        DecisionRow.due_at <= now + calendar.LONGEST_H * calendar.HOUR_MS, installed(office),
    )  # fmt: skip
    if game_id:
        query = query.where(DecisionRow.game_id == game_id)
    rows = session.execute(query.join(Game, Game.id == DecisionRow.game_id).add_columns(Game).order_by(DecisionRow.id))
    return [row for row, game in rows if distance(row, game, now)]


def _reminder(row: DecisionRow, game: Game, now: int) -> str:
    """The key of a reminder: one for each distance, and again where the deadline has moved since."""
    named = gate_timing.schedule_of(game).remind
    mark = f".{distance(row, game, now)}" if named else ""
    moved = f".{row.due_at}" if row.lost_ms or row.excused else ""
    return f"{row.game_id}.{row.opening_entry}.{row.id}{mark}{moved}.reminder"


def _unsaid(session: Session, row: DecisionRow, now: int) -> bool:
    """Return True if this reminder was not sent yet."""
    return session.get(LetterOut, _reminder(row, session.get_one(Game, row.game_id), now)) is None


def _is_last(row: DecisionRow, game: Game, now: int) -> bool:
    """Return True if no further reminder comes before the deadline."""
    named = gate_timing.schedule_of(game).remind
    return not named or distance(row, game, now) == min(named)


def _remind(office: Office, game_id: str) -> int:
    """One letter a seat, whatever number of its questions is due soon."""
    with office.db.writing() as session:
        game = locked(session, game_id)
        if game is None or game.state != GameState.RUNNING:
            return 0
        rows = {row.seat: row for row in _soon(office, session, game_id)}
        found = 0
        for seat, user in seated(session, game_id):
            row = rows.get(seat.seat)
            if row is None or not _unsaid(session, row, office.now()):
                continue
            seen = views.last_view(office, session, game, Seat(seat.seat))
            token = frames.new_reply_token(session, game.id, seat.seat, game.entry, office.now())
            facts = ReminderFacts(
                frames.frame_of(office, session, game, seat.seat, user, token, office.now()),
                seen,
                frames.owed_by(session, game.id, seat.seat, seen.core.open),
                last=_is_last(row, game, office.now()),
            )
            key = _reminder(row, game, office.now())
            draft(office, session, key=key, kind="reminder", facts=facts, user_id=user.id, game_id=game.id,
                  seat=seat.seat, entry=game.entry)  # fmt: skip
            deputies.remind(office, session, game, seat.seat, key, facts)
            found += 1
    return found


# --- the sweep


def sweep(office: Office) -> int:
    """Wake again for everything that waits longer than it should; returns how many wakes."""
    old = office.now() - PATIENCE_MS
    with office.db.reading() as session:
        wanting = select(Game.id).where(Game.play_wanted < old, Game.play_tries < MOST_TRIES, installed(office))
        asking = select(Command.game_id).where(Command.state == CommandState.ASKED, Command.made_at < old)
        holding = select(LetterOut.game_id).where(LetterOut.state == LetterOutState.WAITS, LetterOut.made_at < old)
        games = {g for query in (wanting, asking, holding) for g in session.scalars(query) if g is not None}
        due = session.scalar(
            select(LetterOut.key).where(LetterOut.state.in_(READY), LetterOut.due_at < office.now()).limit(1)
        )
    letters = waiting(office)
    for game_id in sorted(games):
        office.wake("play", game_id)
    for letter in letters:
        office.wake("ingest", letter)
    if due is not None:
        office.wake("deliver", "")
    undrawn = office.pictures and drawing.waiting(office)
    if undrawn:
        office.wake("draw", "")
    return len(games) + len(letters) + (due is not None) + undrawn


# --- tidying


def tidy(office: Office) -> None:
    """Delete rows of work that was done long ago; to be run daily.  Nothing of a game's own record is touched.

    Letters of a report stay as rows without content: they say which entries each report told.
    """
    now = office.now()
    old = now - KEPT_MS
    with office.db.writing() as session:
        over = select(Game.id).where(Game.state == GameState.OVER, Game.ended_at < old)
        unknown = Game.state.in_(OPENED), Game.play_wanted.is_(None), Game.id.not_in(select(ResultRow.game_id))
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
            delete(TokenRow).where(TokenRow.expires_at < old),
            delete(TokenRow).where(TokenRow.purpose == "form", TokenRow.made_at < old),
            delete(TokenRow).where(
                TokenRow.purpose.in_((frames.REPLY, composing.KIND)),
                or_(TokenRow.made_at < now - CAPABLE_MS, TokenRow.game_id.in_(over)),
            ),
        )
        for statement in gone:
            session.execute(statement)  # type: ignore[call-overload]
