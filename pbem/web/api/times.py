"""Time: one's absences, a table's timetable, pauses, and whether letters come."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from pbem.service.access import users
from pbem.service.base import calendar
from pbem.service.base.services import RequestRefused
from pbem.service.deadlines import gate_timing, interruptions
from pbem.service.deadlines.gate_timing import InvalidAbsence
from pbem.service.pages.game_summary import DeadlineOverview, load_deadlines
from pbem.web.api import shapes
from pbem.web.api import shapes_tables as s
from pbem.web.api.acting import execute_once, to_outcome, to_problem
from pbem.web.api.guard import ApiRequest
from pbem.web.api.plain import to_moment, to_optional_moment
from pbem.web.api.problems import ApiProblem


def list_absences(call: ApiRequest) -> s.Absences:
    """Your absences to come."""
    found = gate_timing.list_upcoming_absences(call.visit.services, call.user)
    return s.Absences(
        [s.Absence(number, to_moment(since // 1000), to_moment(until // 1000)) for number, since, until in found]
    )


def create_absence(call: ApiRequest) -> shapes.ActionResult:
    """Say when you will be away: whole days by your own clocks."""
    asked, zone = call.sent(s.AbsenceRequest), ZoneInfo(call.visit.zone)
    try:
        since, until = _parse_midnight(asked.first, zone), _parse_midnight(asked.last + timedelta(days=1), zone)
    except (OverflowError, ValueError):
        raise _to_problem(call, InvalidAbsence("too_far")) from None

    def act() -> bool:
        gate_timing.add_absence(call.visit.services, call.user, since, until)
        return True

    try:
        return to_outcome(execute_once(call, act))
    except InvalidAbsence as refused:
        raise _to_problem(call, refused) from None


def _parse_midnight(day: date, zone: ZoneInfo) -> int:
    return int(datetime.combine(day, time(), zone).astimezone(UTC).timestamp()) * 1000


def _to_problem(call: ApiRequest, refused: InvalidAbsence) -> ApiProblem:
    return ApiProblem("refused", why=call.visit.translate(f"time.refused.{refused.code}"))


def delete_absence(call: ApiRequest) -> shapes.ActionResult:
    """Take an absence back."""
    number = call.at["absence"]

    def act() -> bool:
        if not gate_timing.cancel_absence(call.visit.services, call.user, number):
            raise ApiProblem("refused", why=call.visit.translate("deputy.refused.no_such_absence"))
        return True

    return to_outcome(execute_once(call, act))


def set_mail_preferences(call: ApiRequest) -> shapes.ActionResult:
    """Stop your letters, or let them come again."""
    muted = call.sent(s.MuteAllRequest).muted

    def act() -> bool:
        users.set_muted(call.visit.services, call.user, muted)
        return True

    return to_outcome(execute_once(call, act))


# --- a table's


def get_deadlines(call: ApiRequest) -> s.GameDeadlines:
    """All about a table's time."""
    found = load_deadlines(call.visit.services, call.game, call.seat)
    plan = found.schedule
    return s.GameDeadlines(
        call.game,
        _to_rule(plan.usual),
        _to_rules(plan.phases),
        plan.time_bank,
        plan.delay_minutes,
        list(plan.reminder_hours),
        plan.on_missed,
        plan.excused_misses,
        plan.max_misses,
        _to_seats(found),
        _to_extensions(found),
        found.paused,
        to_optional_moment(found.paused_since),
        found.predecessor,
    )


def _to_rules(found: Mapping[str, calendar.DeadlineRule]) -> dict[str, s.DeadlineRule]:
    return {asks: shown for asks, one in found.items() if (shown := _to_rule(one)) is not None}


def _to_rule(found: calendar.DeadlineRule | None) -> s.DeadlineRule | None:
    if found is None:
        return None
    clock = f"{found.clock // 60:02}:{found.clock % 60:02}" if found.clock is not None else None
    return s.DeadlineRule(
        found.hours,
        found.least,
        clock,
        found.zone,
        [int(day) for day in found.days],
        [date.fromisoformat(day) for day in found.free],
        found.grace,
        found.linger,
    )


def _to_seats(found: DeadlineOverview) -> list[s.SeatPunctuality]:
    return [
        s.SeatPunctuality(
            one.seat,
            one.name,
            s.Reliability(one.turns, one.on_time, one.started, one.finished),
            one.missed,
            one.is_open,
            one.pause_request,
        )
        for one in found.seats
    ]


def _to_extensions(found: DeadlineOverview) -> list[s.DeadlineExtension]:
    return [
        s.DeadlineExtension(one.name, one.cause, one.minutes, to_moment(one.after), to_moment(one.created_at))
        for one in found.extensions
    ]


def request_pause(call: ApiRequest) -> s.PauseResult:
    """Ask for a pause, or for the game to go on."""
    wanted = call.sent(s.PauseRequest).action
    try:
        found = execute_once(
            call,
            lambda: interruptions.request_pause(call.visit.services, call.user, call.game, wanted),
        )
    except RequestRefused as refused:
        raise to_problem(call, refused) from None
    return s.PauseResult(call.game, to_pause_result(found))


def to_pause_result(found: str | None) -> s.Outcome:
    """The outcome of a request."""
    return next((known for known in s.OUTCOMES if known == found), "repeated")
