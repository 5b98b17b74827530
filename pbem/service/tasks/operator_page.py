"""What operators see on their page: what is stuck and why, counts and sizes, and nothing that anybody wrote.

Also what an operator asks for there.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Final

from sqlalchemy import func, literal, or_, select, text, update
from sqlalchemy.orm import Session

from pbem.common.states import LIVE, UNDELIVERED, UNSENT, GameState, InboundState, OutboundState
from pbem.crypto import CryptoError
from pbem.service.access import operators
from pbem.service.base.calendar import MINUTE_MS
from pbem.service.base.game_states import missing_rules, not_installed_filter
from pbem.service.base.services import RequestRefused, Services
from pbem.service.deadlines import interruptions
from pbem.service.mail.delivery_status import HAS_NOT_ARRIVED, EmailStatus, list_emails, retry_in_session
from pbem.service.tasks.health import SLOW_MS, TICKING_MS, database_bytes, last_run, list_unanswered
from pbem.service.tasks.resolve_game import reset_failure
from pbem.store.games import lock_game
from pbem.store.models import (
    Base,
    Game,
    InboundEmail,
    JournalEntry,
    OperatorAction,
    Outage,
    OutboundEmail,
    SeatView,
    User,
    Webhook,
)

DAYS: Final = 7
"""How far back emails without an answer are counted."""
LIMIT_REASONS: Final = ("flooding", "limit")
"""Reasons that are limits hit."""
MOST_STUCK: Final = 50
MOST_ACTS: Final = 20
MOST_STRAY: Final = 50
MOST_COUNTED: Final = 10_000
_ESTIMATE: Final = text("SELECT reltuples FROM pg_class WHERE oid = to_regclass(:table)")
COUNTED: Final = (Game, JournalEntry, SeatView, InboundEmail, OutboundEmail, User)
"""Tables whose rows are counted: those that grow."""


@dataclass(frozen=True)
class StuckGame:
    """A table that does not go on: at which entry, and why (`missing`, `stopped`, `doubt`, `waits`, `paused`)."""

    game: str
    entry: int
    reason: str
    detail: str = ""


@dataclass(frozen=True)
class OperatorLogEntry:
    """An act that an operator asked for: by whom, when (milliseconds), at which table, and what came of it."""

    operator: str
    act: str
    game: str
    at: int
    outcome: str


@dataclass(frozen=True)
class RowCount:
    """How many rows a table has: as many (`exactly`), `about` so many, or `over` as many as are ever counted."""

    table: str
    number: int
    how: str = "exactly"


@dataclass(frozen=True)
class Overview:
    """All of the page.  `waiting`: emails still to be sent, by why they were not; `lost`: those that never will be.

    `stray`: emails that have not arrived, the newest first.

    `silent`: the seconds since the clock's last tick where those are too many, else 0: nothing goes on by itself then.
    `room`: the bytes that are left on a disk of this machine where those are too few: nothing is stored without any.
    `rules`: of each game, the versions that tables under way are of, how many they are, and the version installed.
    """

    silent: int
    room: int | None
    stuck: tuple[StuckGame, ...]
    aside: int
    unanswered: tuple[tuple[str, int], ...]
    limits: int
    waiting: tuple[tuple[str, int], ...]
    lost: tuple[tuple[str, int], ...]
    stray: tuple[EmailStatus, ...]
    bounced: int
    channels: tuple[tuple[str, int], ...]
    rules: tuple[tuple[str, str, int, str], ...]
    rows: tuple[RowCount, ...]
    size: int
    acts: tuple[OperatorLogEntry, ...]


def load_overview(services: Services) -> Overview:
    """Look at everything once."""
    unsaid, ticked = Counter(why for _, why in list_unanswered(services, DAYS)), last_run(services) or 0
    with services.db.snapshot() as session:
        states = select(Webhook.state, func.count()).group_by(Webhook.state).order_by(Webhook.state)
        quarantined = select(func.count()).where(InboundEmail.state == InboundState.QUARANTINED)
        bounced = select(func.count()).where(User.bounced_at.is_not(None))
        return Overview(
            silent=ticked if ticked * 1000 > TICKING_MS else 0,
            room=services.check_disk(),
            stuck=_list_stuck(services, session),
            aside=session.scalar(quarantined) or 0,
            unanswered=tuple(sorted(unsaid.items())),
            limits=sum(unsaid[why] for why in LIMIT_REASONS),
            waiting=_email_counts(session, *UNSENT),
            lost=_email_counts(session, *UNDELIVERED),
            stray=tuple(list_emails(session, MOST_STRAY, HAS_NOT_ARRIVED)),
            bounced=session.scalar(bounced) or 0,
            channels=tuple((str(state), number) for state, number in session.execute(states)),
            rules=_rules_in_use(services, session),
            rows=tuple(_count_rows(session, m, services.db.sqlite) for m in COUNTED),
            size=int(database_bytes(session, sqlite=services.db.sqlite)),
            acts=_load_actions(session),
        )


def _count_rows(session: Session, model: type[Base], sqlite: bool) -> RowCount:
    """Counted up to a bound, so that the page costs the same however much there is; beyond it PostgreSQL's estimate."""
    table = str(model.__tablename__)
    some = select(literal(1)).select_from(model).limit(MOST_COUNTED + 1).subquery()
    number = session.scalar(select(func.count()).select_from(some)) or 0
    if number <= MOST_COUNTED:
        return RowCount(table, number)
    known = 0 if sqlite else session.scalar(_ESTIMATE, {"table": table}) or 0
    return RowCount(table, int(known), "about") if known > MOST_COUNTED else RowCount(table, MOST_COUNTED, "over")


def _list_stuck(services: Services, session: Session) -> tuple[StuckGame, ...]:
    """The tables that something may still happen at, and does not; each for its first reason.

    The database picks them out, so that the page costs what is stuck and not what is played.
    """
    lacks, late = not_installed_filter(services), Game.resolve_requested_at < services.now() - SLOW_MS
    rests = Game.id.in_(select(Outage.game_id).where(*interruptions.CURRENT_PAUSES))
    stuck = or_(lacks, Game.failure != "", Game.integrity_warning != "", late, rests)
    asked = select(Game.id, Game.entry, Game.failure, Game.integrity_warning, lacks, late).where(
        Game.state.in_(LIVE), stuck
    )
    found: list[StuckGame] = []
    for game_id, entry, trouble, doubt, lacking, waits in session.execute(
        asked.order_by(Game.created_at).limit(MOST_STUCK)
    ):
        if lacking:
            found.append(StuckGame(game_id, entry, "missing", missing_rules(services, session.get_one(Game, game_id))))
        elif trouble:
            found.append(StuckGame(game_id, entry, "stopped", trouble))
        elif doubt:
            found.append(StuckGame(game_id, entry, "doubt", doubt))
        else:
            found.append(StuckGame(game_id, entry, "waits" if waits else "paused"))
    return tuple(found)


def _email_counts(session: Session, *states: OutboundState) -> tuple[tuple[str, int], ...]:
    asked = (
        select(OutboundEmail.error, func.count()).where(OutboundEmail.state.in_(states)).group_by(OutboundEmail.error)
    )
    return tuple(sorted((error or "", number) for error, number in session.execute(asked)))


def _rules_in_use(services: Services, session: Session) -> tuple[tuple[str, str, int, str], ...]:
    asked = select(Game.rules, Game.rules_version, func.count()).where(Game.state.in_(LIVE))
    rows = session.execute(asked.group_by(Game.rules, Game.rules_version).order_by(Game.rules, Game.rules_version))
    here = {title: rules.meta.version for title, rules in services.installed.items()}
    return tuple((title, version, number, here.get(title, "")) for title, version, number in rows)


def _load_actions(session: Session) -> tuple[OperatorLogEntry, ...]:
    asked = select(
        OperatorAction.user_id,
        OperatorAction.action,
        OperatorAction.subject,
        OperatorAction.created_at,
        OperatorAction.outcome,
    ).order_by(OperatorAction.id.desc())
    rows = session.execute(asked.limit(MOST_ACTS)).all()
    return tuple(
        OperatorLogEntry(_name(session, user), act, game, at, outcome) for user, act, game, at, outcome in rows
    )


def _name(session: Session, user_id: int) -> str:
    return session.get_one(User, user_id).name


RETRY, HOLD, RELEASE, LETTERS = "retry", "hold", "release", "letters"
ACTS: Final = (RETRY, HOLD, RELEASE, LETTERS)
OLD_MS: Final = 15 * MINUTE_MS
"""An act that waited for longer is not done: who asked for it has seen to it by now, or somebody put it in again."""


def request_action(services: Services, user_id: int, act: str, game_id: str, code: str) -> bool:
    """File an act of an operator; False for a code that does not fit.  Raises RequestRefused, also for no such table.

    Nothing of a code is used up by an act that cannot be.
    """
    game_id = "" if act == LETTERS else game_id.strip()
    if act not in ACTS or (game_id == "") != (act == LETTERS):
        raise RequestRefused("no_such_table")
    with services.db.snapshot() as session:
        if game_id and session.get(Game, game_id) is None:
            raise RequestRefused("no_such_table")
    if not operators.verify_totp(services, user_id, code):
        return False
    with services.db.transaction() as session:
        session.add(OperatorAction(user_id=user_id, action=act, subject=game_id, created_at=services.now()))
    services.enqueue("run_operator_actions", "")
    return True


def has_pending_action(services: Services) -> bool:
    """Return True if an act is still to be done."""
    with services.db.snapshot() as session:
        return session.scalar(select(OperatorAction.id).where(OperatorAction.done_at.is_(None)).limit(1)) is not None


def execute_pending_actions(services: Services) -> int:
    """Do what was asked for, one by one; how many acts that were.  Resolver only."""
    with services.db.snapshot() as session:
        asked = select(OperatorAction.id).where(OperatorAction.done_at.is_(None)).order_by(OperatorAction.id)
        found = session.scalars(asked).all()
    for number in found:
        _execute(services, number)
    return len(found)


def _execute(services: Services, number: int) -> None:
    try:
        with services.db.transaction() as session:
            row = session.get(OperatorAction, number, with_for_update=True)
            if row is None or row.done_at is not None:
                return
            act, game = row.action, row.subject
            if abs(services.now() - row.created_at) > OLD_MS:
                row.outcome = "old"
            else:
                row.outcome = "done" if _carry_out(services, session, row) else "nothing"
            row.done_at = services.now()
    except CryptoError:  # a row that the web did not write, or a table that is not believed
        _fail(services, number)
        return
    services.enqueue(
        "resolve_game" if act in (RETRY, RELEASE) else "send_outbound_emails", game if act in (RETRY, RELEASE) else ""
    )
    if act == RELEASE:
        services.enqueue("send_outbound_emails", "")


def _fail(services: Services, number: int) -> None:
    """End an act that cannot be done by one statement: its row may be what cannot be read."""
    with services.db.transaction() as session:
        its = update(OperatorAction).where(OperatorAction.id == number)
        session.execute(its.values(done_at=services.now(), outcome="failed"))


def _carry_out(services: Services, session: Session, row: OperatorAction) -> bool:
    if row.action == LETTERS:
        return retry_in_session(services, session) > 0
    game = lock_game(session, row.subject)
    if row.action == RETRY:
        return reset_failure(services, game)
    holds = row.action == HOLD
    if game is None or game.state != GameState.RUNNING or (interruptions.find_pause(session, game.id) is None) != holds:
        return False
    who = session.get_one(User, row.user_id).name
    interruptions.set_paused(services, session, game, interruptions.PAUSE if holds else interruptions.RESUME, who)
    return True
