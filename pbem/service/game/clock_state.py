"""What stands still at a moment: everything, one game, or the clocks of some seats.

Also when bots look at what they owe.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from operator import contains
from typing import Final

from sqlalchemy import bindparam, or_, select, update
from sqlalchemy.orm import Session

from pbem.common.addresses import is_bot
from pbem.service.base.calendar import HOUR_MS, MINUTE_MS
from pbem.service.base.game_states import INSTALLED
from pbem.store.models import (
    Bot,
    Game,
    Heartbeat,
    Outage,
    QuestionRow,
    SeatRow,
    User,
)
from pbem.store.query_cache import cached

MAIL_JOBS, PROBE_SENT, PROBE = "mail_jobs", "probe_sent", "probe"
PROBE_SIGNED = "probe_signed"
"""The last letter to ourselves that came back with a DKIM signature of our domain."""

SCHEDULER = "scheduler"
"""The scheduler's own heartbeat.  Deadlines rest on MAIL_JOBS, which says that a mailer has looked after emails too."""

RESTORED = "restored"
"""When a copy of the database was put back, by which all that came after the copy was lost."""


_BOUNCING: Final = Outage.cause == "bounce", Outage.ended_at.is_(None)

OUTAGE_MS = 10 * MINUTE_MS
"""A clock that was not looked at for longer had stopped."""


@dataclass(frozen=True)
class ClockState:
    """What stands still at one moment: everything, a game, or the clocks of some seats."""

    is_stopped: bool = False
    paused: bool = False
    paused_seats: frozenset[str] = frozenset()

    def is_paused(self, seat: str) -> bool:
        """Return True if no deadline of this seat passes now."""
        return self.is_stopped or seat in self.paused_seats


def is_any_paused(session: Session, now: int) -> bool:
    """Return True if anything stands still at all, in whatever game."""
    under_way = select(Outage.id).where(~Outage.is_compensated).limit(1)
    return _scheduler_stalled(session, now) or session.scalar(under_way) is not None


_LAST_MAIL_JOBS = select(Heartbeat.beat_at).where(Heartbeat.name == MAIL_JOBS)


def _scheduler_stalled(session: Session, now: int) -> bool:
    """A clock that has not been looked at for long is not believed."""
    return any(abs(now - at) > OUTAGE_MS for at in session.scalars(_LAST_MAIL_JOBS))


_OPEN_OUTAGES = select(Outage.cause, Outage.user_id).where(
    ~Outage.is_compensated, or_(Outage.game_id.is_(None), Outage.game_id == bindparam("game"))
)


def load_clock_state(session: Session, game: Game, now: int) -> ClockState:
    """What stands still in a game now."""
    found = session.execute(_OPEN_OUTAGES, {"game": game.id}).all()
    users = {user for _, user in found if user is not None}
    rows = select(SeatRow.seat).where(SeatRow.game_id == game.id, SeatRow.user_id.in_(users))
    return ClockState(
        _scheduler_stalled(session, now) or any(user is None for _, user in found),
        any(cause in ("pause", INSTALLED) for cause, _ in found),
        frozenset(session.scalars(rows)) if users else frozenset(),
    )


MAX_BOUNCE_PAUSES = 5
"""So often in one game: a player whose emails come back for ever does not stop it."""


def pause_for_bounce(session: Session, game_id: str, user_id: int, began: int) -> Outage | None:
    """Note the stretch of time that begins with an email that did not arrive: once while the same questions are open.

    Returns None where there is nothing to note.
    """
    theirs = Outage.cause == "bounce", Outage.game_id == game_id, Outage.user_id == user_id
    known: Sequence[Outage] = session.scalars(select(Outage).where(*theirs)).all()
    asked = session.scalars(
        select(QuestionRow.opened_at)
        .join(SeatRow, (SeatRow.game_id == QuestionRow.game_id) & (SeatRow.seat == QuestionRow.seat))
        .where(
            QuestionRow.game_id == game_id,
            QuestionRow.is_blocking,
            ~QuestionRow.answers_fixed,
            SeatRow.user_id == user_id,
        )
    ).all()
    used = any(not outage.is_compensated or (outage.ended_at or began) > min(asked, default=began) for outage in known)
    if len(known) >= MAX_BOUNCE_PAUSES or not asked or used:
        return None
    outage = Outage(
        cause="bounce",
        game_id=game_id,
        user_id=user_id,
        started_at=began,
        is_compensated=False,
        declared_by=session.get_one(User, user_id).name,
    )
    session.add(outage)
    session.flush()
    return outage


def prefetch_bounces(session: Session, user_ids: Collection[int]) -> None:
    """Read together which of these players emails do not reach."""
    theirs = select(Outage.user_id).where(*_BOUNCING, Outage.user_id.in_(user_ids))
    bouncing = set(session.scalars(theirs)) if user_ids else set()
    for user_id in user_ids:
        cached(session, Outage, user_id, partial(contains, bouncing, user_id))


def resume_after_contact(session: Session, user_id: int, now: int) -> None:
    """A player whom emails did not reach is there: from here on their clock goes on."""
    lasting = *_BOUNCING, Outage.user_id == user_id
    found = select(Outage.id).where(*lasting).limit(1)
    if cached(session, Outage, user_id, lambda: session.scalar(found) is not None):
        session.execute(update(Outage).where(*lasting).values(ended_at=now))


BOT_PACES: Final[Mapping[str, int]] = {"now": 0, "hour": HOUR_MS, "half": 12 * HOUR_MS}
"""How long a bot may think, by the name of the pace."""

_SCHEDULED: Final = "a bot is to look"


def schedule_bot(session: Session, user: User, now: int) -> None:
    """Have a bot look what it owes after its time to think; nothing of anybody else."""
    row = session.get(Bot, user.id) if is_bot(user.email) else None
    if row is not None:
        row.due_at = now + BOT_PACES[row.pace]
        session.info[_SCHEDULED] = True


def is_bot_scheduled(session: Session) -> bool:
    """Return True if a bot is to look what it owes by what was told in this session."""
    return _SCHEDULED in session.info
