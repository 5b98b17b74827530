"""Time: one's absences, a table's timetable, pauses, and whether letters come."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from pbem.service.access import people
from pbem.service.base import calendar
from pbem.service.base.services import Refused
from pbem.service.time import absences, pauses
from pbem.service.time.absences import NotAnAbsence
from pbem.service.time.timetable import Timetable, timetable
from pbem.web.api import shapes
from pbem.web.api import shapes_tables as s
from pbem.web.api.acting import once, outcome_of, refusal
from pbem.web.api.guard import Call
from pbem.web.api.plain import at_or_never, moment
from pbem.web.api.problems import Trouble


def away(call: Call) -> s.Absences:
    """Your absences to come."""
    found = absences.announced(call.visit.services, call.user)
    return s.Absences([s.Away(number, moment(since // 1000), moment(until // 1000)) for number, since, until in found])


def announce(call: Call) -> shapes.Done:
    """Say when you will be away: whole days by your own clocks."""
    asked, zone = call.sent(s.Leaving), ZoneInfo(call.visit.zone)
    try:
        since, until = _midnight(asked.first, zone), _midnight(asked.last + timedelta(days=1), zone)
    except (OverflowError, ValueError):
        raise _not_away(call, NotAnAbsence("too_far")) from None

    def act() -> bool:
        absences.announce(call.visit.services, call.user, since, until)
        return True

    try:
        return outcome_of(once(call, "absences", act))
    except NotAnAbsence as refused:
        raise _not_away(call, refused) from None


def _midnight(day: date, zone: ZoneInfo) -> int:
    return int(datetime.combine(day, time(), zone).astimezone(UTC).timestamp()) * 1000


def _not_away(call: Call, refused: NotAnAbsence) -> Trouble:
    return Trouble("refused", why=call.visit.say(f"time.refused.{refused.code}"))


def call_off(call: Call) -> shapes.Done:
    """Take an absence back."""
    number = call.sent(s.Numbered).number

    def act() -> bool:
        if not absences.call_off(call.visit.services, call.user, number):
            raise Trouble("refused", why=call.visit.say("deputy.refused.no_such_absence"))
        return True

    return outcome_of(once(call, "absences/end", act))


def letters(call: Call) -> shapes.Done:
    """Stop your letters, or let them come again."""
    muted = call.sent(s.Muting).muted

    def act() -> bool:
        people.mute(call.visit.services, call.user, muted)
        return True

    return outcome_of(once(call, "letters", act))


# --- a table's


def table(call: Call) -> s.Timetable:
    """All about a table's time."""
    found = timetable(call.visit.services, call.game, call.seat)
    plan = found.schedule
    return s.Timetable(
        call.game,
        _rhythm(plan.usual),
        _rhythms(plan.phases),
        plan.bank,
        plan.spare,
        list(plan.remind),
        plan.missed,
        plan.excuses,
        plan.misses,
        _keepers(found),
        _gifts(found),
        found.paused,
        at_or_never(found.since),
        found.predecessor,
    )


def _rhythms(found: Mapping[str, calendar.Rhythm]) -> dict[str, s.Rhythm]:
    return {asks: shown for asks, one in found.items() if (shown := _rhythm(one)) is not None}


def _rhythm(found: calendar.Rhythm | None) -> s.Rhythm | None:
    if found is None:
        return None
    clock = f"{found.clock // 60:02}:{found.clock % 60:02}" if found.clock is not None else None
    return s.Rhythm(
        found.hours,
        found.least,
        clock,
        found.zone,
        [int(day) for day in found.days],
        [date.fromisoformat(day) for day in found.free],
        found.grace,
        found.linger,
    )


def _keepers(found: Timetable) -> list[s.Keeper]:
    return [
        s.Keeper(
            one.seat,
            one.name,
            s.Reliability(one.turns, one.on_time, one.begun, one.finished),
            one.missed,
            one.offered,
            one.wants,
        )
        for one in found.keepers
    ]


def _gifts(found: Timetable) -> list[s.Gift]:
    return [s.Gift(one.name, one.cause, one.minutes, moment(one.after), moment(one.made)) for one in found.gifts]


def wish(call: Call) -> s.Wished:
    """Ask for a pause, or for the game to go on."""
    wanted = call.sent(s.Wish).wish
    try:
        found = once(call, f"{call.game}/time", lambda: pauses.ask(call.visit.services, call.user, call.game, wanted))
    except Refused as refused:
        raise refusal(call, refused) from None
    return s.Wished(call.game, outcome(found))


def outcome(found: str | None) -> s.Outcome:
    """What came of a wish."""
    return next((known for known in s.OUTCOMES if known == found), "repeated")
