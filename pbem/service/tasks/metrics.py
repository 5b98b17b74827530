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

from pbem.common.states import (
    READY,
    UNSENT,
    CommandState,
    GameState,
    LetterInState,
    LetterOutState,
    PictureState,
)
from pbem.store.database import Database
from pbem.store.models import (
    BoardImage,
    DailyKey,
    Game,
    Heartbeat,
    InboundEmail,
    Outage,
    OutboundEmail,
    PendingDraw,
    QuestionRow,
    ResolverRequest,
    User,
    Webhook,
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


def collect_figures(db: Database, now: int) -> list[Figure]:
    """All that is cheap to ask at any time; raises SQLAlchemyError where the database is away."""
    with db.snapshot() as session:
        return [
            *_clock_figures(session, now),
            *_game_figures(session, now),
            *_gate_figures(session, now),
            *_inbound_figures(session, now),
            *_outbound_figures(session, now),
            *_other_figures(session),
            ("database_bytes", (), database_bytes(session, sqlite=db.sqlite)),
        ]


def _age_seconds(now: int, then: int | None) -> float:
    return (now - then) / 1000 if then is not None else 0.0


def _clock_figures(session: Session, now: int) -> Iterator[Figure]:
    for name, at in session.execute(select(Heartbeat.name, Heartbeat.at)):
        yield "beat_age_seconds", (name,), _age_seconds(now, at)
    made = session.scalar(select(func.max(DailyKey.made_at)))
    if made is not None:
        yield "day_key_age_seconds", (), _age_seconds(now, made)
    still = select(Outage.cause, func.count()).where(~Outage.given).group_by(Outage.cause)
    for cause, number in session.execute(still):
        yield "clocks_stopped", (cause,), number


def _game_figures(session: Session, now: int) -> Iterator[Figure]:
    found = dict(session.execute(select(Game.state, func.count()).group_by(Game.state)).all())
    for state in (GameState.FORMING, GameState.STARTING, GameState.RUNNING, GameState.OVER):
        yield "games", (state.value,), found.get(state, 0)
    yield "games_stopped", (), _count(session, select(func.count()).where(Game.trouble.is_not(None)))
    number, oldest = session.execute(select(func.count(Game.play_wanted), func.min(Game.play_wanted))).one()
    yield "games_waiting", (), number
    yield "games_waiting_oldest_seconds", (), _age_seconds(now, oldest)


def _gate_figures(session: Session, now: int) -> Iterator[Figure]:
    """Open gates by how late they are, as the players see it: by their first deadline."""
    first = func.min(QuestionRow.closes_at).label("first")
    gates = select(first).where(QuestionRow.blocking, QuestionRow.answered_at.is_(None))
    each = gates.group_by(QuestionRow.game_id, QuestionRow.gate).subquery()
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


def _inbound_figures(session: Session, now: int) -> Iterator[Figure]:
    waiting = select(func.count(), func.min(InboundEmail.received_at)).where(InboundEmail.state == LetterInState.STORED)
    number, oldest = session.execute(waiting).one()
    yield "letters_in_waiting", (), number
    yield "letters_in_oldest_seconds", (), _age_seconds(now, oldest)
    yield (
        "letters_put_aside",
        (),
        _count(session, select(func.count()).where(InboundEmail.state == LetterInState.SHUNTED)),
    )


def _outbound_figures(session: Session, now: int) -> Iterator[Figure]:
    states = (
        select(OutboundEmail.state, func.count()).where(OutboundEmail.state.in_(UNSENT)).group_by(OutboundEmail.state)
    )
    found = dict(session.execute(states).all())
    for state in UNSENT:
        yield "letters_out_waiting", (state.value,), found.get(state, 0)
    ready = OutboundEmail.state.in_(READY), OutboundEmail.due_at <= now
    yield (
        "letters_out_oldest_seconds",
        (),
        _age_seconds(now, session.scalar(select(func.min(OutboundEmail.due_at)).where(*ready))),
    )
    refused = OutboundEmail.state.in_((*READY, LetterOutState.FAILED)), OutboundEmail.error.is_not(None)
    answers = Counter[tuple[str, str]]()
    asked = select(OutboundEmail.state, OutboundEmail.error, func.count()).where(*refused)
    for state, error, number in session.execute(asked.group_by(OutboundEmail.state, OutboundEmail.error)):
        fate = "failed" if state == LetterOutState.FAILED else "waits"
        answers[fate, re.sub(r"[^A-Za-z0-9. ]", "", str(error))[:40]] += number
    for place, (labels, number) in enumerate(answers.most_common()):
        if place < MOST_ANSWERS:
            yield "letters_refused", labels, number
    rest = sum(number for _, number in answers.most_common()[MOST_ANSWERS:])
    if rest:
        yield "letters_refused", ("waits", "other"), rest


def _other_figures(session: Session) -> Iterator[Figure]:
    """What else can be stuck."""
    for state, number in session.execute(select(Webhook.state, func.count()).group_by(Webhook.state)):
        yield "channels", (state.value,), number
    yield "channels_failing", (), _count(session, select(func.count()).where(Webhook.failures > 0))
    yield "addresses_refusing", (), _count(session, select(func.count()).where(User.bounced_at.is_not(None)))
    yield (
        "commands_waiting",
        (),
        _count(session, select(func.count()).where(ResolverRequest.state == CommandState.ASKED)),
    )
    yield "pictures_waiting", (), _count(session, select(func.count()).where(BoardImage.state == PictureState.WANTED))
    yield "rounds_waiting", (), _count(session, select(func.count()).where(PendingDraw.signature.is_(None)))


def _count(session: Session, asked: Select[int]) -> int:
    return session.scalar(asked) or 0


def database_bytes(session: Session, *, sqlite: bool) -> float:
    """Bytes of the database."""
    if not sqlite:
        return float(session.scalar(text("SELECT pg_database_size(current_database())")) or 0)
    pages, size = (session.scalar(text(f"PRAGMA {name}")) or 0 for name in ("page_count", "page_size"))
    return float(pages * size)


@dataclass(frozen=True)
class SentEmails:
    """What went out in a stretch of time: letters by kind, and how long each receipt took since its letter came."""

    kinds: Counter[str]
    receipts: tuple[float, ...]
    until: int


def sent_since(db: Database, since: int, now: int) -> SentEmails:
    """What was sent after a moment, but for the last seconds; it looks at all letters that are kept."""
    until = max(since, now - SETTLED_MS)
    its_letter = InboundEmail.id == func.substr(OutboundEmail.key, len("receipt.") + 1)
    asked = (
        select(
            OutboundEmail.kind, OutboundEmail.sent_at, func.coalesce(InboundEmail.received_at, OutboundEmail.made_at)
        )
        .outerjoin(InboundEmail, its_letter)
        .where(OutboundEmail.sent_at > since, OutboundEmail.sent_at <= until)
    )
    with db.snapshot() as session:
        rows = session.execute(asked).all()
    receipts = tuple(max(0, (sent or 0) - came) / 1000 for kind, sent, came in rows if kind == "receipt")
    return SentEmails(Counter(kind for kind, _, _ in rows), receipts, until)


def database_bytes_by_kind(db: Database) -> list[Figure]:
    """The letters that the database still knows, by what became of them; it looks at all of them."""
    fate = func.coalesce(
        InboundEmail.unanswered, case((InboundEmail.state == LetterInState.DONE, "answered"), else_="waits")
    )
    with db.snapshot() as session:
        came = session.execute(select(fate, func.count()).group_by(fate)).all()
        asked = select(OutboundEmail.kind, OutboundEmail.state, func.count()).group_by(
            OutboundEmail.kind, OutboundEmail.state
        )
        went = session.execute(asked).all()
    return [
        *(("letters_in", (str(name),), float(number)) for name, number in came),
        *(("letters_out", (kind, state.value), float(number)) for kind, state, number in went),
    ]
