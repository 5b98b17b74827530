"""The clock, and the sweep: what is due is found in the database, whatever became of the messages that said so."""

from collections.abc import Sequence

from sqlalchemy import delete, or_, select, update
from sqlalchemy.orm import Session

from pbem.service.base import keeping
from pbem.service.base.installed import installed
from pbem.service.base.services import Services
from pbem.service.game import frames, standstill
from pbem.service.game.standstill import CLOCK, TICK
from pbem.service.post import composing, drawing, key_rotation
from pbem.service.post.inbox_queue import waiting
from pbem.service.run import bots, operating, reminding
from pbem.service.run.game_visit import MOST_TRIES
from pbem.service.seats import being_forgotten, deputies, practice, seat_offers
from pbem.service.time import held, outages
from pbem.states import OPENED, READY, CommandState, GameState, LetterInState, LetterOutState
from pbem.store.games import open_decisions
from pbem.store.models import Beat, Command, DecisionRow, Game, LetterIn, LetterOut, ProgramRow, ResultRow, TokenRow

PATIENCE_MS = 5_000
"""How old a wish must be before the sweep takes it for forgotten."""

LATE_MS = 10_000
"""How old the sign of life of who looks at the clock may be before another task looks at it first."""

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
    reminding.remind(services)
    outages.probe(services)


def attend_if_late(services: Services) -> None:
    """Do the same where it should have been done before: the task that says so waits behind others."""
    with services.db.reading() as session:
        last = session.get(Beat, TICK)
    if last is not None and services.now() - last.at > LATE_MS:
        attend(services)


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
    letters, acts = waiting(services), operating.waiting(services)
    for game_id in sorted(games):
        services.wake("play", game_id)
    for letter in letters:
        services.wake("ingest", letter)
    if due is not None:
        services.wake("deliver", "")
    if acts:
        services.wake("operate", "")
    drawing.forget(services)
    undrawn = services.pictures and drawing.waiting(services)
    if undrawn:
        services.wake("draw", "")
    return len(games) + len(letters) + (due is not None) + acts + undrawn


# --- tidying


def tidy(services: Services) -> None:
    """Delete rows of work that was done long ago; to be run daily.  Nothing of a game's own record is touched.

    Letters of a report stay as rows without content: they say which entries each report told.  Each table is read from
    end to end, once a day: by an index on its moments SQLite is slower, for what is old lies all over it.
    """
    now = services.now()
    old = now - KEPT_MS
    being_forgotten.look(services)
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
                LetterOut.kind.in_(("receipt", "notice", "signin", "account", "report", "reminder", composing.KIND)),
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
