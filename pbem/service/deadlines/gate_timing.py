"""How long each question of a game waits, and when its gate may close: the table's schedule laid on its rows.

Also the absences that players have announced.
"""

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from engine.kernel.orders import Pace, Question
from pbem.service.access import permissions
from pbem.service.base import calendar
from pbem.service.base.calendar import DAY_MS, HOUR_MS, MINUTE_MS, DeadlinePolicy, DeadlineRule, Span
from pbem.service.base.services import Services
from pbem.service.base.wording import parse_span
from pbem.service.game.resolver_context import ResolverContext
from pbem.store.games import load_open_questions, load_seats
from pbem.store.models import Absence, Game, QuestionRow, SeatRow, User

MAX_PENDING = 3
MAX_DAYS = 30
MAX_DAYS_AHEAD = 400


class InvalidAbsence(Exception):
    """An absence that cannot stand; `code`: past, backwards, too_long, too_far, too_many, overlaps."""

    def __init__(self, code: str) -> None:
        """`code` names the reason."""
        super().__init__(code)
        self.code = code


def add_absence(services: Services, user_id: int, since: int, until: int) -> None:
    """Announce that a user will be away between two moments (milliseconds). Raises InvalidAbsence."""
    with services.db.transaction() as session:
        _add_absence(services, session, user_id, since, until)


def _add_absence(services: Services, session: Session, user_id: int, since: int, until: int) -> None:
    """Do the same within a transaction; who is away already is so from now on."""
    now = services.now()
    session.scalars(select(User).where(User.id == user_id).with_for_update()).one()
    since = max(since, now) if until > now else since
    pending = list(session.scalars(select(Absence).where(Absence.user_id == user_id, Absence.ends_at > now)))
    wrong = {
        "past": until <= now,
        "backwards": until <= since,
        "too_long": until - since > MAX_DAYS * DAY_MS,
        "too_far": until > now + MAX_DAYS_AHEAD * DAY_MS,
        "too_many": len(pending) >= MAX_PENDING,
        "overlaps": any(since < other.ends_at and until > other.starts_at for other in pending),
    }
    code = next((code for code, is_so in wrong.items() if is_so), None)
    if code is not None:
        raise InvalidAbsence(code)
    session.add(Absence(user_id=user_id, starts_at=since, ends_at=until, created_at=now))


def cancel_absence(services: Services, user_id: int, absence: int) -> bool:
    """Take an announced absence back; False if there is none.  Deadlines that it has set stay as they are."""
    with services.db.transaction() as session:
        gone = delete(Absence).where(Absence.id == absence, Absence.user_id == user_id).returning(Absence.id)
        return session.execute(gone).one_or_none() is not None


def absence_periods(session: Session, user_id: int | None, now: int) -> Sequence[Span]:
    """The spans (milliseconds) of a person's absences that are not over; none where nobody sits."""
    if user_id is None:
        return ()
    rows = select(Absence.starts_at, Absence.ends_at).where(Absence.user_id == user_id, Absence.ends_at > now)
    return [(since, until) for since, until in session.execute(rows.order_by(Absence.starts_at))]


def list_upcoming_absences(services: Services, user_id: int) -> tuple[tuple[int, int, int], ...]:
    """A person's absences to come: number, from, until (milliseconds)."""
    with services.db.snapshot() as session:
        to_come = Absence.user_id == user_id, Absence.ends_at > services.now()
        rows = session.scalars(select(Absence).where(*to_come).order_by(Absence.starts_at))
        return tuple((row.id, row.starts_at, row.ends_at) for row in rows)


# --- by email


def parse_absence(services: Services, session: Session, user: User, text: str, *, dry: bool = False) -> tuple[str, str]:
    """Announce an absence as it is written behind ABSENT, by the player's own clocks; both days are included.

    Returns `done` and the two days, or `refused` and the text, and then nothing changes.
    """
    today = datetime.fromtimestamp(services.now() / 1000, ZoneInfo(user.time_zone)).date()
    days = parse_span(text, today)
    if days is None:
        return "refused", text
    first, last = _midnight_ms(days[0], user.time_zone), _midnight_ms(days[1] + timedelta(days=1), user.time_zone)
    try:
        if not dry:
            _add_absence(services, session, user.id, first, last)
    except InvalidAbsence:
        return "refused", text
    return "done", f"{days[0]} {days[1]}"


def _midnight_ms(day: date, zone: str) -> int:
    """When a day begins by a zone's clocks."""
    return int(datetime.combine(day, time(), ZoneInfo(zone)).timestamp()) * 1000


NEVER = 1 << 52
"""When a question closes at a table that waits for late answers."""


def load_pace(row: QuestionRow) -> Pace:
    """How long a question may wait."""
    if row.is_reaction:
        return Pace.REACTION
    return Pace.CHOICE if row.is_choice else Pace.TURN


def load_schedule(game: Game) -> DeadlinePolicy:
    """How this table's deadlines are set."""
    return calendar.parse_schedule(game.schedule, game.deadline_hours)


def schedule_question(context: ResolverContext, row: QuestionRow, decision: Question) -> None:
    """Give a question that opens its deadline, and the moment at which it closes."""
    table = load_schedule(context.game)
    if not decision.blocking or (table.usual is None and table.time_bank is None and not table.phases):
        return
    seat = _seat_of(context, row.seat)
    if table.time_bank is not None:
        due: int | None = _bank_deadline(context, table, seat)
    else:
        rhythm = table.rule_for(decision.topic, decision.pace)
        away = absence_periods(context.session, seat.user_id, context.now)
        if away:
            stood_in = permissions.covered_absences(context.session, context.game.id, row.seat, context.now)
            away = [span for span in away if span not in stood_in]
        due = calendar.compute_deadline(rhythm, context.now, away) if rhythm is not None else None
    set_deadline(context.game, row, due)


def set_deadline(game: Game, row: QuestionRow, due: int | None) -> None:
    """Set a deadline, its first reminder, and when it closes: after the grace, or never where the table waits."""
    table = load_schedule(game)
    rhythm = table.rule_for(row.topic, load_pace(row))
    grace = rhythm.grace * MINUTE_MS if rhythm is not None else 0
    row.due_at = due
    if due is None:
        row.closes_at = None
    else:
        row.closes_at = NEVER if table.on_missed == "wait" else due + grace
    row.remind_at = min(reminder_times(row, game).values(), default=None)


def _seat_of(context: ResolverContext, seat: str) -> SeatRow:
    return next(row for row in load_seats(context.session, context.game.id) if row.seat == seat)


def is_overdue(context: ResolverContext, row: QuestionRow) -> bool:
    """True if a question's time is over: never while the clock stands still, unless the game master closes it."""
    if row.resolve_now:
        return True
    closes = row.closes_at if row.closes_at is not None else row.due_at
    return closes is not None and closes <= context.now and not context.clock.is_paused(row.seat)


# --- the window for second thoughts


def is_on_hold(context: ResolverContext, rows: Sequence[QuestionRow]) -> bool:
    """Return True if a gate with all its answers must not close yet: a player wants to wait, or may change an answer.

    Each answer given by hand may be changed for so many minutes, unless its author says that they are ready.  A play
    worker looks again when the last of these windows ends; at a deadline none of them counts.
    """
    if any(is_overdue(context, row) for row in rows):
        return False
    if any(row.pace_request == "wait" and row.due_at is not None and row.due_at > context.now for row in rows):
        return True
    ends = [_edit_window_end(context.game, row) for row in rows if not row.is_reaction]
    end = max(ends, default=0)
    if end <= context.now:
        return False
    context.game.scheduled_at = min(end, context.game.scheduled_at or end)
    return True


def may_wait(session: Session, game: Game, now: int) -> bool:
    """Return True if the open gates may wait though all answers are in."""
    rows = (row for row in load_open_questions(session, game.id) if row.is_blocking)
    return any(row.pace_request == "wait" or _edit_window_end(game, row) > now for row in rows)


def _edit_window_end(game: Game, row: QuestionRow) -> int:
    """Until when (milliseconds) an answer may be changed though all others are in; 0 if it may not."""
    rhythm = load_schedule(game).rule_for(row.topic)
    by_hand = row.answered_at is not None and row.answered_at > row.opened_at
    if rhythm is None or not rhythm.linger or not by_hand or row.pace_request == "ready":
        return 0
    end = int(row.answered_at or 0) + rhythm.linger * MINUTE_MS
    return min(end, row.due_at) if row.due_at is not None else end


# --- clocks


def remaining_bank(table: DeadlinePolicy, seat: SeatRow) -> int:
    """What is left on a seat's clock (milliseconds)."""
    return seat.time_bank_ms if seat.time_bank_ms is not None else (table.time_bank or 0) * MINUTE_MS


def _bank_deadline(context: ResolverContext, table: DeadlinePolicy, seat: SeatRow) -> int:
    """When a seat's clock runs out: what is free, then what is left of its bank; never within the hour."""
    left = max(table.delay_minutes * MINUTE_MS + remaining_bank(table, seat), HOUR_MS)
    return calendar.add_counted_time(_clock_rule(table), context.now, left)


def _clock_rule(table: DeadlinePolicy) -> DeadlineRule:
    """The days on which clocks run."""
    if table.usual is None:
        return DeadlineRule(1)
    return DeadlineRule(1, zone=table.usual.zone, days=table.usual.days, free=table.usual.free)


def charge_banks(context: ResolverContext, rows: Sequence[QuestionRow]) -> None:
    """Take what the answers of a gate have cost from their seats' clocks: the time beyond what is free, once a seat."""
    table = load_schedule(context.game)
    if table.time_bank is None:
        return
    used: dict[str, int] = {}
    for row in rows:
        if row.is_blocking:
            end = row.answered_at if row.answered_at is not None else context.now
            time = calendar.counted_time(_clock_rule(table), row.opened_at, end) - (row.paused_ms or 0)
            used[row.seat] = max(time, used.get(row.seat, 0))
    for name, time in used.items():
        seat = _seat_of(context, name)
        seat.time_bank_ms = max(0, remaining_bank(table, seat) - max(0, time - table.delay_minutes * MINUTE_MS))


REMIND_MS = calendar.DAY_MS
"""So long before its deadline a seat that still owes an answer is reminded, once; later where time is short."""


def reminder_times(row: QuestionRow, game: Game) -> dict[int, int]:
    """When a question is to be reminded of (milliseconds), by the hours before its deadline; past moments too.

    A table names the hours, and one counts if the question was put before it; else the one reminder comes a day before
    the deadline, or, where there are less than three days, when two thirds are over. Empty without a deadline.
    """
    if row.due_at is None:
        return {}
    named = load_schedule(game).reminder_hours
    if not named:
        return {REMIND_MS // HOUR_MS: row.due_at - min(REMIND_MS, (row.due_at - row.opened_at) // 3)}
    moments = {hours: row.due_at - hours * HOUR_MS for hours in named}
    return {hours: moment for hours, moment in moments.items() if moment > row.opened_at}


def reminder_step(row: QuestionRow, game: Game, now: int) -> int:
    """Which of its reminders a question is at: so many hours before its deadline; 0: none yet."""
    return min((hours for hours, moment in reminder_times(row, game).items() if moment <= now), default=0)
