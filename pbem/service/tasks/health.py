"""Health checks: the problems of a server in sentences for its operator, without secrets of emails or games.

Also the figures that are measured.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Select, and_, case, func, select, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from pbem.archive.replay import START_GATE
from pbem.common.states import (
    READY,
    UNDELIVERED,
    UNSENT,
    GameState,
    ImageState,
    InboundState,
    OutboundState,
    RequestState,
)
from pbem.crypto import CryptoError, TamperedError, beacon
from pbem.service.base.calendar import DAY_MS, HOUR_MS
from pbem.service.base.game_states import missing_rules
from pbem.service.base.services import Services
from pbem.service.deadlines.interruptions import BOUNCE_MS, LATE_PROBE_MS
from pbem.service.game.clock_state import MAIL_JOBS, OUTAGE_MS, PROBE, PROBE_SIGNED, SCHEDULER
from pbem.service.game.journal import load_game_keys
from pbem.service.mail import daily_keys
from pbem.service.mail.delivery import LOST
from pbem.service.mail.delivery_status import CAME_BACK
from pbem.store import row_signatures
from pbem.store.database import Database
from pbem.store.models import (
    BoardImage,
    Capability,
    DailyKey,
    Game,
    Heartbeat,
    InboundEmail,
    InboundEmailBody,
    JournalEntry,
    Outage,
    OutboundEmail,
    PendingDraw,
    QuestionRow,
    ResolverRequest,
    User,
    Webhook,
)

SLOW_MS: Final = 300_000
"""Work that has waited so long is late: the sweep finds what was forgotten within seconds."""

TICKING_MS: Final = 60_000
"""A clock that has not ticked for so long is down, or its worker takes no more tasks."""

FAILING: Final = 5
"""Failures in a row after which a channel is worth a sentence."""


MOST_NAMED: Final = 5
"""How many of many rows are named."""


def list_problems(services: Services) -> list[str]:
    """A sentence for each thing that is wrong; empty when nothing is."""
    try:
        with services.db.snapshot() as session:
            session.execute(text("SELECT 1"))
            found = *_row_problems(session), *_game_problems(services, session), *_inbound_problems(services, session)
            return [
                *found,
                *_outbound_problems(services, session),
                *_key_problems(services, session),
                *_clock_problems(services, session),
                *_webhook_problems(session),
                *_round_problems(services, session),
            ]
    except SQLAlchemyError as error:
        return [f"The database cannot be read ({type(error).__name__}): check PBEM_DATABASE_URL, or run pbem migrate."]


def list_unanswered(services: Services, days: int) -> list[tuple[int, str]]:
    """The emails of the last days that got no answer: when each came (milliseconds), and why."""
    since = services.now() - days * DAY_MS
    found = select(InboundEmail.received_at, InboundEmail.no_reply_reason)
    with services.db.snapshot() as session:
        rows = session.execute(
            found.where(InboundEmail.no_reply_reason.is_not(None), InboundEmail.received_at >= since).order_by(
                InboundEmail.received_at
            )
        )
        return [(row.received_at, str(row.no_reply_reason)) for row in rows]


def last_run(services: Services) -> int | None:
    """How many seconds ago the clock ticked last; None if it never did."""
    with services.db.snapshot() as session:
        ticked = session.get(Heartbeat, SCHEDULER)
        return (services.now() - ticked.beat_at) // 1000 if ticked is not None else None


def list_unsigned(services: Services) -> list[str]:
    """A sentence if the last email to ourselves came back without our DKIM signature; for a mail server of our own."""
    with services.db.snapshot() as session:
        back, signed = session.get(Heartbeat, PROBE), session.get(Heartbeat, PROBE_SIGNED)
    if back is None or (signed is not None and signed.beat_at >= back.beat_at):
        return []
    minutes = (services.now() - back.beat_at) // 60_000
    told = f"Letters go out unsigned: the one to ourselves of {minutes} min ago had no DKIM signature of our domain"
    return [f"{told}. Start OpenDKIM, look at smtpd_milters of the mail server, and ask again after the next one."]


def _row_problems(session: Session) -> Iterator[str]:
    """Rows that were changed by who could write in the database, and are not believed."""
    for table, rows in row_signatures.find_invalid_rows(session).items():
        named = ", ".join(rows[:MOST_NAMED]) + (" ..." if len(rows) > MOST_NAMED else "")
        yield (
            f"Rows of {table} that do not fit their seal: {len(rows)} ({named}). Was the database written to? Nothing "
            "is done by them: put a backup back."
        )


def _game_problems(services: Services, session: Session) -> Iterator[str]:
    at_last_entry = and_(JournalEntry.game_id == Game.id, JournalEntry.number == Game.entry)
    whole = set(session.scalars(select(Game.id).join(JournalEntry, at_last_entry)))
    for game_id in session.scalars(select(Game.id).order_by(Game.created_at)).all():
        try:
            yield from _game_problem(services, session.get_one(Game, game_id), whole)
        except TamperedError:
            yield f"Game {game_id} is not looked at: its row, or one of its table, does not fit its seal."


def _game_problem(services: Services, game: Game, whole: Collection[str]) -> Iterator[str]:
    """`whole`: the games whose last entry is in their journal."""
    if lacking := missing_rules(services, game):
        yield f"Table {game.id} is held, its deadlines stand still: {lacking}."
    elif game.rules not in services.installed:
        yield f"Game {game.id} is of {game.rules}, whose rules are not installed."
    if game.integrity_warning:
        yield f"Game {game.id}: {game.integrity_warning}. Was the database written to? `pbem game resume` ends this."
    if game.failure:
        told = f"Game {game.id} stopped at entry {game.entry} after {game.resolve_attempts} tries: {game.failure}."
        yield f"{told} Its letters wait; see the log, then run pbem game resume {game.id}."
    elif game.resolve_requested_at is not None and services.now() - game.resolve_requested_at > SLOW_MS:
        yield f"Game {game.id} has waited for a resolver for more than five minutes: is one running?"
    if game.keys is None:
        return
    try:
        if services.resolver is not None:
            load_game_keys(services, game)
    except CryptoError as error:
        yield f"The keys of game {game.id} do not open ({type(error).__name__}): another master key wrapped them."
    if game.entry and game.id not in whole:
        yield f"Game {game.id} is at entry {game.entry}, which is missing from its journal: restore a backup."


def _inbound_problems(services: Services, session: Session) -> Iterator[str]:
    aside = select(InboundEmail, InboundEmailBody.email_key).outerjoin(
        InboundEmailBody, InboundEmailBody.email_key == InboundEmail.id
    )
    for row, kept in session.execute(
        aside.where(InboundEmail.state == InboundState.QUARANTINED).order_by(InboundEmail.received_at)
    ):
        told = "its sender was told" if kept else "it opens to nobody"
        yield f"A letter of {row.size} bytes could not be read ({row.error}) and was put aside; {told}."
    late = InboundEmail.state == InboundState.RECEIVED, InboundEmail.due_at < services.now() - SLOW_MS
    waiting = session.scalar(select(func.count()).select_from(InboundEmail).where(*late)) or 0
    if waiting:
        yield f"Letters that have waited for a mailer for more than five minutes: {waiting}. Is one running?"


def _outbound_problems(services: Services, session: Session) -> Iterator[str]:
    failed = session.execute(
        select(OutboundEmail.error, func.count())
        .where(OutboundEmail.state.in_(UNDELIVERED))
        .group_by(OutboundEmail.error)
    )
    yield from (_problem_of_failure(error, number) for error, number in failed)
    lately = OutboundEmail.state == OutboundState.DELAYED, OutboundEmail.created_at > services.now() - BOUNCE_MS
    delayed = session.scalar(select(func.count()).where(*lately)) or 0
    if delayed:
        yield f"Letters that later mail servers have not delivered yet: {delayed}; pbem mail sent shows which."
    late = OutboundEmail.state.in_(READY), OutboundEmail.created_at < services.now() - SLOW_MS
    people = func.count(OutboundEmail.user_id.distinct())
    stuck = select(OutboundEmail.error, func.count(), people).where(*late).group_by(OutboundEmail.error)
    yield from (
        f"Letters that still wait to be sent ({error or 'not tried'}): {number}.{_remedy(error, readers)}"
        for error, number, readers in session.execute(stuck)
    )
    lost = session.scalar(select(func.count()).select_from(User).where(User.bounced_at.is_not(None))) or 0
    if lost:
        yield f"Players whose addresses refuse letters: {lost}."


def _problem_of_failure(error: str | None, number: int) -> str:
    if error == LOST:
        return f"Letters of a copy that was put back, whose keys were destroyed before: {number}. They are not sent."
    if error == CAME_BACK:
        told = f"Letters that the relay took and that came back: {number}; pbem mail sent shows which, and why"
        return f"{told}. Once that is mended, pbem mail flush sends reports again."
    return f"Letters whose recipients cannot be reached ({error}): {number}."


def _remedy(error: str | None, readers: int) -> str:
    """What the operator can do about emails that the relay does not take; of rows above, more is said."""
    if error == TamperedError.__name__:
        return " Their rows do not fit their seal."
    if error is not None and error.startswith("recipient 5") and readers > 1:
        return (
            f" The relay says so of {readers} people and takes no others: that is its own fault, so none is given up."
        )
    return " See to the relay; they are tried again, at once by pbem mail flush." if error else ""


def _key_problems(services: Services, session: Session) -> Iterator[str]:
    """A key of emails that should have been changed."""
    key = daily_keys.current(session)
    if key is None:
        yield "There is no key to seal letters to, so none is taken: is a mailer running?"
    elif services.now() - key.created_at > DAY_MS + SLOW_MS:
        hours = (services.now() - key.created_at) // HOUR_MS
        told = f"Letters are still sealed to a key that is {hours} h old, where it should be a day at most"
        yield f"{told}: is a mailer running, and can it write into its folder of day keys?"


def _clock_problems(services: Services, session: Session) -> Iterator[str]:
    """Clocks that stand still for want of a worker or of mail."""
    ticked = session.get(Heartbeat, SCHEDULER)
    if ticked is None:
        yield "The clock has never ticked: is pbem run scheduler running?"
    elif services.now() - ticked.beat_at > TICKING_MS:
        seconds = (services.now() - ticked.beat_at) // 1000
        yield f"The last tick of the clock was {seconds} s ago: is pbem run scheduler running?"
    last = session.get(Heartbeat, MAIL_JOBS)
    if last is not None and services.now() - last.beat_at > OUTAGE_MS:
        minutes = (services.now() - last.beat_at) // 60_000
        yield f"Nobody has looked at the clock for {minutes} min, so no deadline passes: is a mailer running?"
    silent = session.scalar(select(Outage.started_at).where(Outage.cause == "inbound", ~Outage.is_compensated))
    if silent is not None:
        minutes = (services.now() - silent) // 60_000
        yield f"Letters to ourselves have not come in for {minutes} min, so no deadline passes: check incoming mail."
    first = session.scalar(select(func.min(Capability.created_at)).where(Capability.purpose == PROBE))
    if first is not None and services.now() - first > LATE_PROBE_MS and session.get(Heartbeat, PROBE) is None:
        minutes = (services.now() - first) // 60_000
        told = f"No letter to ourselves has ever come in, the first of {minutes} min ago: so may no other"
        yield f"{told}. Check MX and PBEM_MAIL_DOMAIN, and that the mail server hands letters to PBEM_LMTP_LISTEN."


def _webhook_problems(session: Session) -> Iterator[str]:
    """Channels that are off or keep failing; their owners have been told."""
    off = Webhook.state.not_in(("on", "stopped")) | (Webhook.failures > FAILING)
    number = session.scalar(select(func.count()).select_from(Webhook).where(off)) or 0
    if number:
        yield f"Channels of tables that are off or failing: {number}; pbem game channels shows which."


def _round_problems(services: Services, session: Session) -> Iterator[str]:
    """Games whose draws wait for a round of the beacon that should be there."""
    waiting = session.scalars(select(PendingDraw).order_by(PendingDraw.game_id)).all()
    if waiting and not beacon.is_installed():
        yield f"Tables wait for the public beacon, whose signatures cannot be checked here: {beacon.INSTALL}."
    for row in waiting:
        minutes = (services.now() // 1000 - beacon.QUICKNET.round_time(row.round)) // 60
        if row.signature is None and abs(minutes) * 60_000 >= SLOW_MS:
            way_on = "" if row.gate == START_GATE else ", and its masters can write DRAW NOW"
            yield (
                f"Game {row.game_id} has waited for round {row.round} of the public beacon for {minutes} min: check "
                f"PBEM_BEACONS and the way out. Nothing is lost{way_on}."
            )


def list_games(services: Services) -> list[dict[str, Any]]:
    """Every game with what everybody may know of it: id, title, table, state, entry, trouble."""
    with services.db.snapshot() as session:
        return [
            {
                "id": g.id,
                "title": g.rules,
                "table": g.title,
                "state": g.state,
                "entry": g.entry,
                "trouble": g.failure or "",
            }
            for g in session.scalars(select(Game).order_by(Game.created_at))
        ]


Figure = tuple[str, tuple[str, ...], float]
"""The name of a figure, the values of its labels, and how much."""


MOST_ANSWERS: Final = 20
"""So many different answers of the relay are told apart; the rest are `other`."""
LATENESS: Final = ("no", "hour", "day", "longer", "never")
"""How far past its deadline a gate is: not yet, up to an hour, a day, longer; or it has no deadline."""
SETTLED_MS: Final = 2_000
"""A transaction that marks emails as sent may take so long until it is seen."""


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
    for name, at in session.execute(select(Heartbeat.name, Heartbeat.beat_at)):
        yield "heartbeat_age_seconds", (name,), _age_seconds(now, at)
    made = session.scalar(select(func.max(DailyKey.created_at)))
    if made is not None:
        yield "daily_key_age_seconds", (), _age_seconds(now, made)
    still = select(Outage.cause, func.count()).where(~Outage.is_compensated).group_by(Outage.cause)
    for cause, number in session.execute(still):
        yield "outages_active", (cause,), number


def _game_figures(session: Session, now: int) -> Iterator[Figure]:
    found = dict(session.execute(select(Game.state, func.count()).group_by(Game.state)).all())
    for state in (GameState.OPEN, GameState.DEALING, GameState.RUNNING, GameState.OVER):
        yield "games", (state.value,), found.get(state, 0)
    yield "games_failed", (), _count(session, select(func.count()).where(Game.failure.is_not(None)))
    number, oldest = session.execute(
        select(func.count(Game.resolve_requested_at), func.min(Game.resolve_requested_at))
    ).one()
    yield "games_pending", (), number
    yield "games_pending_oldest_age_seconds", (), _age_seconds(now, oldest)


def _gate_figures(session: Session, now: int) -> Iterator[Figure]:
    """Open gates by how late they are, as the players see it: by their first deadline."""
    first = func.min(QuestionRow.closes_at).label("first")
    gates = select(first).where(QuestionRow.is_blocking, QuestionRow.answered_at.is_(None))
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
        yield "gates_open", (name,), found.get(name, 0)


def _inbound_figures(session: Session, now: int) -> Iterator[Figure]:
    waiting = select(func.count(), func.min(InboundEmail.received_at)).where(
        InboundEmail.state == InboundState.RECEIVED
    )
    number, oldest = session.execute(waiting).one()
    yield "inbound_emails_pending", (), number
    yield "inbound_emails_pending_oldest_age_seconds", (), _age_seconds(now, oldest)
    yield (
        "inbound_emails_quarantined",
        (),
        _count(session, select(func.count()).where(InboundEmail.state == InboundState.QUARANTINED)),
    )


def _outbound_figures(session: Session, now: int) -> Iterator[Figure]:
    states = (
        select(OutboundEmail.state, func.count()).where(OutboundEmail.state.in_(UNSENT)).group_by(OutboundEmail.state)
    )
    found = dict(session.execute(states).all())
    for state in UNSENT:
        yield "outbound_emails_pending", (state.value,), found.get(state, 0)
    ready = OutboundEmail.state.in_(READY), OutboundEmail.due_at <= now
    yield (
        "outbound_emails_due_oldest_age_seconds",
        (),
        _age_seconds(now, session.scalar(select(func.min(OutboundEmail.due_at)).where(*ready))),
    )
    refused = OutboundEmail.state.in_((*READY, *UNDELIVERED)), OutboundEmail.error.is_not(None)
    answers = Counter[tuple[str, str]]()
    asked = select(OutboundEmail.state, OutboundEmail.error, func.count()).where(*refused)
    for state, error, number in session.execute(asked.group_by(OutboundEmail.state, OutboundEmail.error)):
        outcome = "failed" if state in UNDELIVERED else "pending"
        answers[outcome, re.sub(r"[^A-Za-z0-9. ]", "", str(error))[:40]] += number
    for place, (labels, number) in enumerate(answers.most_common()):
        if place < MOST_ANSWERS:
            yield "outbound_emails_rejected", labels, number
    rest = sum(number for _, number in answers.most_common()[MOST_ANSWERS:])
    if rest:
        yield "outbound_emails_rejected", ("pending", "other"), rest


def _other_figures(session: Session) -> Iterator[Figure]:
    """What else can be stuck."""
    for state, number in session.execute(select(Webhook.state, func.count()).group_by(Webhook.state)):
        yield "webhooks", (state.value,), number
    yield "webhooks_failing", (), _count(session, select(func.count()).where(Webhook.failures > 0))
    yield "addresses_bouncing", (), _count(session, select(func.count()).where(User.bounced_at.is_not(None)))
    yield (
        "resolver_requests_pending",
        (),
        _count(session, select(func.count()).where(ResolverRequest.state == RequestState.PENDING)),
    )
    yield "pictures_pending", (), _count(session, select(func.count()).where(BoardImage.state == ImageState.PENDING))
    yield "beacon_draws_pending", (), _count(session, select(func.count()).where(PendingDraw.signature.is_(None)))


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
    """What went out in a stretch of time: emails by kind, and how long each receipt took since its email came."""

    kinds: Counter[str]
    receipts: tuple[float, ...]
    ends_at: int


def sent_since(db: Database, since: int, now: int) -> SentEmails:
    """What was sent after a moment, but for the last seconds; it looks at all emails that are kept."""
    until = max(since, now - SETTLED_MS)
    its_letter = InboundEmail.id == func.substr(OutboundEmail.key, len("receipt.") + 1)
    asked = (
        select(
            OutboundEmail.kind, OutboundEmail.sent_at, func.coalesce(InboundEmail.received_at, OutboundEmail.created_at)
        )
        .outerjoin(InboundEmail, its_letter)
        .where(OutboundEmail.sent_at > since, OutboundEmail.sent_at <= until)
    )
    with db.snapshot() as session:
        rows = session.execute(asked).all()
    receipts = tuple(max(0, (sent or 0) - came) / 1000 for kind, sent, came in rows if kind == "receipt")
    return SentEmails(Counter(kind for kind, _, _ in rows), receipts, until)


def count_emails(db: Database) -> list[Figure]:
    """The emails that the database still knows, by what became of them; it looks at all of them."""
    outcome = func.coalesce(
        InboundEmail.no_reply_reason, case((InboundEmail.state == InboundState.PROCESSED, "answered"), else_="pending")
    )
    with db.snapshot() as session:
        came = session.execute(select(outcome, func.count()).group_by(outcome)).all()
        asked = select(OutboundEmail.kind, OutboundEmail.state, func.count()).group_by(
            OutboundEmail.kind, OutboundEmail.state
        )
        went = session.execute(asked).all()
    return [
        *(("inbound_emails", (str(name),), float(number)) for name, number in came),
        *(("outbound_emails", (kind, state.value), float(number)) for kind, state, number in went),
    ]
