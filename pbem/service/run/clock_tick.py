"""The clock, and the sweep: what is due is found in the database, whatever became of the messages that said so."""

from collections.abc import Sequence

from sqlalchemy import delete, func, or_, select, update
from sqlalchemy.orm import Session

from engine.kernel.names import Seat
from pbem.narration.facts import ReminderFacts
from pbem.service.base import calendar
from pbem.service.base.installed import installed
from pbem.service.base.services import Services
from pbem.service.game import frames, standstill, views
from pbem.service.game.standstill import CLOCK
from pbem.service.post import composing, drawing, key_rotation
from pbem.service.post.inbox_queue import waiting
from pbem.service.post.outbox import draft
from pbem.service.run.game_visit import MOST_TRIES
from pbem.service.seats import deputies, seat_offers
from pbem.service.time import gate_timing, held, outages
from pbem.service.time.gate_timing import distance
from pbem.states import OPENED, READY, CommandState, GameState, LetterInState, LetterOutState
from pbem.store.games import locked, open_decisions, seated
from pbem.store.models import Command, DecisionRow, Game, LetterIn, LetterOut, ResultRow, TokenRow
from pbem.trouble import passing_over
from pbem.vault import Unopenable

PATIENCE_MS = 5_000
"""How old a wish must be before the sweep takes it for forgotten."""

DAY_MS = 24 * 3_600_000

KEPT_MS = 30 * DAY_MS
"""How long rows of work that is done are kept."""

CAPABLE_MS = 180 * DAY_MS
"""How long a reply address is remembered: until then a letter to it is at least answered."""


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
    """Look at the clock: ask for play where a question is overdue.  It needs no key and writes no letter.

    Returns in how many games play was asked for.
    """
    now = services.now()
    closes = func.coalesce(DecisionRow.closes_at, DecisionRow.due_at)
    late = select(DecisionRow.game_id).where(DecisionRow.blocking, ~DecisionRow.counted, closes <= now)
    with services.db.reading() as session:
        going = Game.state == GameState.RUNNING, Game.play_tries < MOST_TRIES
        due = or_(Game.id.in_(late), Game.look_at <= now)
        found = list(session.scalars(select(Game).where(*going, due).order_by(Game.id)))
        ids = [game.id for game in found if _may_act(session, game, now)]
    with services.db.writing() as session:
        outages.beat(session, CLOCK, now)
        if ids:
            asking = update(Game).where(Game.id.in_(ids), Game.play_wanted.is_(None))
            session.execute(asking.values(play_wanted=now))
    for game_id in ids:
        services.wake("play", game_id)
    return len(ids)


def _may_act(session: Session, game: Game, now: int) -> bool:
    """True if a visit could close anything now: not while the clock stands still, for everybody or for who is late."""
    still = standstill.standstill_of(session, game, now)
    if game.look_at is not None and game.look_at <= now:
        return not still.paused
    late = [
        row
        for row in open_decisions(session, game.id)
        if row.blocking and (row.closes_at or row.due_at or now + 1) <= now
    ]
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
    """Games with a question of which it is time to remind; all with a question, where one game cannot be believed."""
    now = services.now()
    with services.db.reading() as session:
        try:
            return sorted({row.game_id for row in _soon(services, session) if _unsaid(session, row, now)})
        except Unopenable:
            waits = DecisionRow.blocking, DecisionRow.answered_at.is_(None), DecisionRow.due_at > now
            return sorted(session.scalars(select(DecisionRow.game_id).where(*waits).distinct()))


def _soon(services: Services, session: Session, game_id: str = "") -> list[DecisionRow]:
    """Open questions of which it is time to remind: at a distance that the table names, else in their last third."""
    now = services.now()
    query = select(DecisionRow).where(
        DecisionRow.blocking,
        DecisionRow.answered_at.is_(None),
        ~DecisionRow.counted,
        DecisionRow.due_at > now,
        DecisionRow.due_at <= now + calendar.LONGEST_H * calendar.HOUR_MS,
        installed(services),
    )
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


def _remind(services: Services, game_id: str) -> int:
    """One letter a seat, whatever number of its questions is due soon."""
    with services.db.writing() as session:
        game = locked(session, game_id)
        if game is None or game.state != GameState.RUNNING:
            return 0
        rows = {row.seat: row for row in _soon(services, session, game_id)}
        found = 0
        for seat, user in seated(session, game_id):
            row = rows.get(seat.seat)
            if row is None or not _unsaid(session, row, services.now()):
                continue
            seen = views.last_view(services, session, game, Seat(seat.seat))
            token = frames.new_reply_token(session, game.id, seat.seat, game.entry, services.now())
            facts = ReminderFacts(
                frames.frame_of(services, session, game, seat.seat, user, token, services.now()),
                seen,
                frames.owed_by(session, game.id, seat.seat, seen.core.open),
                last=_is_last(row, game, services.now()),
            )
            key = _reminder(row, game, services.now())
            draft(
                services,
                session,
                key=key,
                kind="reminder",
                facts=facts,
                user_id=user.id,
                game_id=game.id,
                seat=seat.seat,
                entry=game.entry,
            )
            deputies.remind(services, session, game, seat.seat, key, facts)
            found += 1
    return found


# --- the sweep


def sweep(services: Services) -> int:
    """Wake again for everything that waits longer than it should; returns how many wakes."""
    old = services.now() - PATIENCE_MS
    with services.db.reading() as session:
        wanting = select(Game.id).where(Game.play_wanted < old, Game.play_tries < MOST_TRIES, installed(services))
        asking = select(Command.game_id).where(Command.state == CommandState.ASKED, Command.made_at < old)
        holding = select(LetterOut.game_id).where(LetterOut.state == LetterOutState.WAITS, LetterOut.made_at < old)
        games = {g for query in (wanting, asking, holding) for g in session.scalars(query) if g is not None}
        due = session.scalar(
            select(LetterOut.key).where(LetterOut.state.in_(READY), LetterOut.due_at < services.now()).limit(1)
        )
    letters = waiting(services)
    for game_id in sorted(games):
        services.wake("play", game_id)
    for letter in letters:
        services.wake("ingest", letter)
    if due is not None:
        services.wake("deliver", "")
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
