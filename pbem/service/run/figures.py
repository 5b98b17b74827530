"""What an operator measures: counts and ages out of the database, for the whole server and never for one game or seat.

When somebody answers tells something to those who watch; a sum over all tables tells it of a server with one table
only, whose operator reads the database anyway.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Select, case, func, select, text
from sqlalchemy.orm import Session

from pbem.states import READY, UNSENT, CommandState, GameState, LetterInState, LetterOutState, PictureState
from pbem.store.database import Database
from pbem.store.models import (
    Beat,
    Channel,
    Command,
    DayKey,
    DecisionRow,
    Game,
    LetterIn,
    LetterOut,
    Outage,
    PictureRow,
    RoundRow,
    User,
)

Figure = tuple[str, tuple[str, ...], float]
"""The name of a figure, the values of its labels, and how much."""

HOUR_MS: Final = 3_600_000
DAY_MS: Final = 24 * HOUR_MS

MOST_ANSWERS: Final = 20
"""So many different answers of the relay are told apart; the rest are `other`."""
LATENESS: Final = ("no", "hour", "day", "longer", "never")
"""How far past its deadline a gate is: not yet, up to an hour, a day, longer; or it has no deadline."""
SETTLED_MS: Final = 2_000
"""A transaction that marks letters as sent may take so long until it is seen."""


def figures(db: Database, now: int) -> list[Figure]:
    """All that is cheap to ask at any time; raises SQLAlchemyError where the database is away."""
    with db.reading() as session:
        return [
            *_clocks(session, now),
            *_games(session, now),
            *_gates(session, now),
            *_letters_in(session, now),
            *_letters_out(session, now),
            *_others(session),
            ("database_bytes", (), size(session, sqlite=db.sqlite)),
        ]


def _age(now: int, then: int | None) -> float:
    return (now - then) / 1000 if then is not None else 0.0


def _clocks(session: Session, now: int) -> Iterator[Figure]:
    for name, at in session.execute(select(Beat.name, Beat.at)):
        yield "beat_age_seconds", (name,), _age(now, at)
    made = session.scalar(select(func.max(DayKey.made_at)))
    if made is not None:
        yield "day_key_age_seconds", (), _age(now, made)
    still = select(Outage.cause, func.count()).where(~Outage.given).group_by(Outage.cause)
    for cause, number in session.execute(still):
        yield "clocks_stopped", (cause,), number


def _games(session: Session, now: int) -> Iterator[Figure]:
    found = dict(session.execute(select(Game.state, func.count()).group_by(Game.state)).all())
    for state in (GameState.FORMING, GameState.STARTING, GameState.RUNNING, GameState.OVER):
        yield "games", (state.value,), found.get(state, 0)
    yield "games_stopped", (), _count(session, select(func.count()).where(Game.trouble.is_not(None)))
    number, oldest = session.execute(select(func.count(Game.play_wanted), func.min(Game.play_wanted))).one()
    yield "games_waiting", (), number
    yield "games_waiting_oldest_seconds", (), _age(now, oldest)


def _gates(session: Session, now: int) -> Iterator[Figure]:
    """Open gates by how late they are, as the players see it: by their first deadline."""
    first = func.min(DecisionRow.closes_at).label("first")
    gates = select(first).where(DecisionRow.blocking, DecisionRow.answered_at.is_(None))
    each = gates.group_by(DecisionRow.game_id, DecisionRow.gate).subquery()
    late = now - each.c.first
    lateness = case(
        (each.c.first.is_(None), "never"),
        (late <= 0, "no"),
        (late <= HOUR_MS, "hour"),
        (late <= DAY_MS, "day"),
        else_="longer",
    )
    counted = select(lateness, func.count()).group_by(lateness)
    found: dict[str, int] = dict(session.execute(counted).all())
    for name in LATENESS:
        yield "gates", (name,), found.get(name, 0)


def _letters_in(session: Session, now: int) -> Iterator[Figure]:
    waiting = select(func.count(), func.min(LetterIn.received_at)).where(LetterIn.state == LetterInState.STORED)
    number, oldest = session.execute(waiting).one()
    yield "letters_in_waiting", (), number
    yield "letters_in_oldest_seconds", (), _age(now, oldest)
    yield "letters_put_aside", (), _count(session, select(func.count()).where(LetterIn.state == LetterInState.SHUNTED))


def _letters_out(session: Session, now: int) -> Iterator[Figure]:
    states = select(LetterOut.state, func.count()).where(LetterOut.state.in_(UNSENT)).group_by(LetterOut.state)
    found = dict(session.execute(states).all())
    for state in UNSENT:
        yield "letters_out_waiting", (state.value,), found.get(state, 0)
    ready = LetterOut.state.in_(READY), LetterOut.due_at <= now
    yield "letters_out_oldest_seconds", (), _age(now, session.scalar(select(func.min(LetterOut.due_at)).where(*ready)))
    refused = LetterOut.state.in_((*READY, LetterOutState.FAILED)), LetterOut.error.is_not(None)
    answers = Counter[tuple[str, str]]()
    asked = select(LetterOut.state, LetterOut.error, func.count()).where(*refused)
    for state, error, number in session.execute(asked.group_by(LetterOut.state, LetterOut.error)):
        fate = "failed" if state == LetterOutState.FAILED else "waits"
        answers[fate, re.sub(r"[^A-Za-z0-9. ]", "", str(error))[:40]] += number
    for place, (labels, number) in enumerate(answers.most_common()):
        if place < MOST_ANSWERS:
            yield "letters_refused", labels, number
    rest = sum(number for _, number in answers.most_common()[MOST_ANSWERS:])
    if rest:
        yield "letters_refused", ("waits", "other"), rest


def _others(session: Session) -> Iterator[Figure]:
    """What else can be stuck."""
    for state, number in session.execute(select(Channel.state, func.count()).group_by(Channel.state)):
        yield "channels", (state.value,), number
    yield "channels_failing", (), _count(session, select(func.count()).where(Channel.failures > 0))
    yield "addresses_refusing", (), _count(session, select(func.count()).where(User.bounced_at.is_not(None)))
    yield "commands_waiting", (), _count(session, select(func.count()).where(Command.state == CommandState.ASKED))
    yield "pictures_waiting", (), _count(session, select(func.count()).where(PictureRow.state == PictureState.WANTED))
    yield "rounds_waiting", (), _count(session, select(func.count()).where(RoundRow.signature.is_(None)))


def _count(session: Session, asked: Select[int]) -> int:
    return session.scalar(asked) or 0


def size(session: Session, *, sqlite: bool) -> float:
    """Bytes of the database."""
    if not sqlite:
        return float(session.scalar(text("SELECT pg_database_size(current_database())")) or 0)
    pages, size = (session.scalar(text(f"PRAGMA {name}")) or 0 for name in ("page_count", "page_size"))
    return float(pages * size)


@dataclass(frozen=True)
class Gone:
    """What went out in a stretch of time: letters by kind, and how long each receipt took since its letter came."""

    kinds: Counter[str]
    receipts: tuple[float, ...]
    until: int


def gone_since(db: Database, since: int, now: int) -> Gone:
    """What was sent after a moment, but for the last seconds; it looks at all letters that are kept."""
    until = max(since, now - SETTLED_MS)
    its_letter = LetterIn.id == func.substr(LetterOut.key, len("receipt.") + 1)
    asked = (
        select(LetterOut.kind, LetterOut.sent_at, func.coalesce(LetterIn.received_at, LetterOut.made_at))
        .outerjoin(LetterIn, its_letter)
        .where(LetterOut.sent_at > since, LetterOut.sent_at <= until)
    )
    with db.reading() as session:
        rows = session.execute(asked).all()
    receipts = tuple(max(0, (sent or 0) - came) / 1000 for kind, sent, came in rows if kind == "receipt")
    return Gone(Counter(kind for kind, _, _ in rows), receipts, until)


def kept(db: Database) -> list[Figure]:
    """The letters that the database still knows, by what became of them; it looks at all of them."""
    fate = func.coalesce(LetterIn.unanswered, case((LetterIn.state == LetterInState.DONE, "answered"), else_="waits"))
    with db.reading() as session:
        came = session.execute(select(fate, func.count()).group_by(fate)).all()
        asked = select(LetterOut.kind, LetterOut.state, func.count()).group_by(LetterOut.kind, LetterOut.state)
        went = session.execute(asked).all()
    return [
        *(("letters_in", (str(name),), float(number)) for name, number in came),
        *(("letters_out", (kind, state.value), float(number)) for kind, state, number in went),
    ]
