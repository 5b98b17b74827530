"""Deadlines as a calendar counts them: length, time of day and zone, days that do not count.  Pure.

A schedule is data of its table: one rhythm for all questions, others for some kinds of phase, and what happens when
a deadline is missed.  Moments are milliseconds since 1970, UTC; a zone's own rules decide what its clocks show.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from engine.kernel.orders import Pace

MINUTE_MS: Final = 60_000
HOUR_MS: Final = 60 * MINUTE_MS
DAY_MS: Final = 24 * HOUR_MS
EVERY_DAY: Final = "1234567"
LONGEST_H: Final = 90 * 24
MOST_FREE_DAYS: Final = 60

Policy = Literal["default", "wait", "standing", "bot"]
POLICIES: Final[tuple[Policy, ...]] = ("default", "wait", "standing", "bot")
Span = tuple[int, int]


@dataclass(frozen=True)
class DeadlineRule:
    """How long a question waits.

    `hours`: its length, of which only the days in `days` (ISO: 1 is Monday) and not in `free` count. `least`: never
    less than so many hours. `clock`: the minute of the day at which deadlines fall. `grace`: minutes in which a late
    answer still counts. `linger`: minutes after the last answer in which it may still be changed.
    """

    hours: int
    least: int = 0
    clock: int | None = None
    zone: str = "UTC"
    days: str = EVERY_DAY
    free: tuple[str, ...] = ()
    grace: int = 0
    linger: int = 0

    def __post_init__(self) -> None:
        """Raises ValueError, naming the field, for a rhythm by which no deadline can be found."""
        _check_range("hours", self.hours, 1, LONGEST_H)
        _check_range("least", self.least, 0, LONGEST_H)
        _check_range("grace", self.grace, 0, 7 * 24 * 60)
        _check_range("linger", self.linger, 0, 24 * 60)
        if self.clock is not None:
            _check_range("clock", self.clock, 0, 24 * 60 - 1)
        if not self.days or set(self.days) - set(EVERY_DAY):
            raise ValueError("days")
        if len(self.free) > MOST_FREE_DAYS:
            raise ValueError("free")
        for day in self.free:
            date.fromisoformat(day)
        _zone(self.zone)

    def counts_day(self, day: date) -> bool:
        """Return True if a day counts."""
        return str(day.isoweekday()) in self.days and day.isoformat() not in self.free


def _check_range(name: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise ValueError(name)


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError("zone") from None


QUARTERS: Final[Mapping[Pace, int]] = {Pace.TURN: 4, Pace.CHOICE: 3, Pace.REACTION: 2}
"""How much of the usual time each pace has."""


@dataclass(frozen=True)
class DeadlinePolicy:
    """How a table's deadlines are set, and what happens when one is missed.

    `usual` None: no deadlines. `phases`: other rhythms for some questions, by what they ask. `time_bank`: minutes on
    each seat's clock, in a game with clocks, and `delay_minutes` those of each question that cost nothing of it.
    `reminder_hours`: hours before a deadline at which who owes is reminded; none: once, in its last third. `on_missed`:
    who answers for a seat that has not. `excused_misses`: missed turns of each seat that are excused. `max_misses`: so
    many in a row, and the seat is offered to another player (0: never).
    """

    usual: DeadlineRule | None = None
    phases: Mapping[str, DeadlineRule] = field(default_factory=dict)
    time_bank: int | None = None
    delay_minutes: int = 0
    reminder_hours: tuple[int, ...] = ()
    on_missed: Policy = "default"
    excused_misses: int = 0
    max_misses: int = 3

    def __post_init__(self) -> None:
        """Raises ValueError, naming the field."""
        if self.time_bank is not None:
            _check_range("time_bank", self.time_bank, 0, LONGEST_H * 60)
        _check_range("delay_hours", self.delay_minutes, 0, LONGEST_H * 60)
        _check_range("excused_misses", self.excused_misses, 0, 20)
        _check_range("max_misses", self.max_misses, 0, 99)
        if self.on_missed not in POLICIES:
            raise ValueError("on_missed")
        if len(self.reminder_hours) > 6:
            raise ValueError("reminder_hours")
        for hours in self.reminder_hours:
            _check_range("reminder_hours", hours, 1, LONGEST_H)

    def rule_for(self, asks: str, pace: Pace = Pace.TURN) -> DeadlineRule | None:
        """The rhythm of a question; for those in mid-turn all others wait: they have less time, and no niceties."""
        found = self.phases.get(asks, self.usual)
        if found is None or pace is Pace.TURN or asks in self.phases:
            return found
        hours = max(1, found.hours * QUARTERS[pace] // 4)
        return DeadlineRule(hours, zone=found.zone, days=found.days, free=found.free, grace=found.grace)

    def to_json(self) -> dict[str, Any]:
        """As it lies in the database; what is usual is left out."""
        plain: dict[str, Any] = {
            "time_bank": self.time_bank,
            "delay_minutes": self.delay_minutes,
            "reminder_hours": list(self.reminder_hours),
            "on_missed": self.on_missed,
            "excused_misses": self.excused_misses,
            "max_misses": self.max_misses,
            "phases": {asks: _rule_to_json(rhythm) for asks, rhythm in self.phases.items()},
        }
        return plain | ({"usual": _rule_to_json(self.usual)} if self.usual is not None else {})


def _rule_to_json(rhythm: DeadlineRule) -> dict[str, Any]:
    return {
        "hours": rhythm.hours,
        "least": rhythm.least,
        "clock": rhythm.clock,
        "zone": rhythm.zone,
        "days": rhythm.days,
        "free": list(rhythm.free),
        "grace": rhythm.grace,
        "linger": rhythm.linger,
    }


def _rule_from_json(plain: Mapping[str, Any]) -> DeadlineRule:
    return DeadlineRule(**{**plain, "free": tuple(plain["free"])})


def parse_schedule(plain: Mapping[str, Any], hours: int | None) -> DeadlinePolicy:
    """The schedule of a table from its row: what was saved, else so many hours for every question."""
    if not plain:
        return DeadlinePolicy(DeadlineRule(hours) if hours else None)
    usual = _rule_from_json(plain["usual"]) if "usual" in plain else None
    phases = {asks: _rule_from_json(rhythm) for asks, rhythm in plain["phases"].items()}
    return DeadlinePolicy(
        **{**plain, "usual": usual, "phases": phases, "reminder_hours": tuple(plain["reminder_hours"])}
    )


# --- counting


def compute_deadline(rhythm: DeadlineRule, opened: int, away: Sequence[Span] = ()) -> int:
    """The deadline of a question put at `opened` to a player who is away in these spans: they do not count."""
    found = _next_allowed_time(
        rhythm, max(add_counted_time(rhythm, opened, rhythm.hours * HOUR_MS), opened + rhythm.least * HOUR_MS)
    )
    for since, until in sorted(away):
        begins = max(since, opened)
        if begins < found and until > begins:
            found = _next_allowed_time(rhythm, found + until - begins)
    return found


def extend_deadline(rhythm: DeadlineRule | None, before: int, lost: int) -> int:
    """A deadline moved by so much, and on to the next time of day and day that the rhythm knows."""
    return before + lost if rhythm is None else _next_allowed_time(rhythm, before + lost)


def add_counted_time(rhythm: DeadlineRule, since: int, span: int) -> int:
    """The moment at which so much time of counting days has passed."""
    zone, now, left = _zone(rhythm.zone), since, span
    while True:
        end = _midnight_after(now, zone)
        if rhythm.counts_day(_to_local(now, zone).date()):
            if left < end - now or left == 0:
                return now + left
            left -= end - now
        now = end


def counted_time(rhythm: DeadlineRule | None, since: int, until: int) -> int:
    """How much time of counting days lies between two moments."""
    if rhythm is None:
        return max(0, until - since)
    zone, now, found = _zone(rhythm.zone), since, 0
    while now < until:
        end = min(_midnight_after(now, zone), until)
        found += end - now if rhythm.counts_day(_to_local(now, zone).date()) else 0
        now = end
    return found


def _next_allowed_time(rhythm: DeadlineRule, at: int) -> int:
    """The first moment from here on at which a deadline may fall."""
    if rhythm.clock is None:
        return add_counted_time(rhythm, at, 0)
    zone = _zone(rhythm.zone)
    day = _to_local(at, zone).date() - timedelta(days=1)
    while True:
        found = _to_ms(day, time(rhythm.clock // 60, rhythm.clock % 60), zone)[-1]
        if found >= at and rhythm.counts_day(_to_local(found, zone).date()):
            return found
        day += timedelta(days=1)


def _to_local(moment: int, zone: ZoneInfo) -> datetime:
    return datetime.fromtimestamp(moment / 1000, UTC).astimezone(zone)


def _to_ms(day: date, clock: time, zone: ZoneInfo) -> list[int]:
    """When a zone's clocks show a time of day, earliest first.

    Twice when they are set back.  A time that they skip is taken as far after the change as it would have been.
    """
    told = datetime.combine(day, clock)
    return sorted(int(told.replace(tzinfo=zone, fold=fold).timestamp()) * 1000 for fold in (0, 1))


def _midnight_after(now: int, zone: ZoneInfo) -> int:
    """When the next day of a zone begins; a clock set back over midnight begins the same day twice."""
    tomorrow = _to_local(now, zone).date() + timedelta(days=1)
    midnights: Iterable[int] = _to_ms(tomorrow, time(), zone)
    return next((midnight for midnight in midnights if midnight > now), now + HOUR_MS)
