"""Deadlines by the calendar: every zone, every change of its clocks, days that do not count, times of day."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.kernel.orders import Pace
from pbem.service.base.calendar import (
    DAY_MS,
    HOUR_MS,
    DeadlinePolicy,
    DeadlineRule,
    add_counted_time,
    compute_deadline,
    counted_time,
    extend_deadline,
    parse_schedule,
)

ZONES = st.sampled_from(sorted(zone for zone in available_timezones() if zone not in ("localtime", "Factory")))
MOMENTS = st.integers(0, 2_500_000_000).map(lambda seconds: seconds * 1000)
DAYS = st.sets(st.sampled_from("1234567"), min_size=1).map(lambda days: "".join(sorted(days)))
CLOCKS = st.one_of(st.none(), st.integers(0, 1439))
RHYTHMS = st.builds(
    DeadlineRule, st.integers(1, 400), st.integers(0, 100), CLOCKS, ZONES, DAYS, st.just(()), st.just(0), st.just(0)
)
PARIS = "Europe/Paris"


def at(year: int, month: int, day: int, hour: int = 0, minute: int = 0, zone: str = PARIS) -> int:
    """A moment by a zone's clocks."""
    return int(datetime(year, month, day, hour, minute, tzinfo=ZoneInfo(zone)).timestamp()) * 1000


def local(moment: int, zone: str) -> datetime:
    """What a zone's clocks show."""
    return datetime.fromtimestamp(moment / 1000, UTC).astimezone(ZoneInfo(zone))


def skipped(day: date, clock: int, zone: str) -> bool:
    """Return True if a zone's clocks never show this time on this day."""
    told = datetime(day.year, day.month, day.day, clock // 60, clock % 60, tzinfo=ZoneInfo(zone))
    return told.astimezone(UTC).astimezone(ZoneInfo(zone)).replace(tzinfo=None) != told.replace(tzinfo=None)


@given(RHYTHMS, MOMENTS)
def test_a_deadline_leaves_at_least_its_length_and_its_least(rhythm: DeadlineRule, opened: int) -> None:
    """In every zone and at every date, nobody gets less time than the length of counting days and the least."""
    found = compute_deadline(rhythm, opened)
    assert counted_time(rhythm, opened, found) >= rhythm.hours * HOUR_MS
    assert found - opened >= rhythm.least * HOUR_MS


@given(RHYTHMS, MOMENTS)
def test_a_deadline_falls_on_a_day_that_counts(rhythm: DeadlineRule, opened: int) -> None:
    """No deadline falls on a day that does not count, by the clocks of its zone."""
    assert str(local(compute_deadline(rhythm, opened), rhythm.zone).isoweekday()) in rhythm.days


@given(RHYTHMS, MOMENTS)
def test_a_deadline_falls_at_its_time_of_day(rhythm: DeadlineRule, opened: int) -> None:
    """With a time of day every deadline shows it on the zone's clocks, winter and summer, unless they skip it."""
    shown = local(compute_deadline(rhythm, opened), rhythm.zone)
    if rhythm.clock is not None and not skipped(shown.date(), rhythm.clock, rhythm.zone):
        day_before_skips = shown.date() != (shown - timedelta(hours=24)).date() and skipped(
            (shown - timedelta(days=1)).date(), rhythm.clock, rhythm.zone
        )
        assert day_before_skips or (shown.hour, shown.minute) == divmod(rhythm.clock, 60)


@given(RHYTHMS, MOMENTS, st.integers(0, 30 * DAY_MS))
def test_a_seat_asked_later_has_its_deadline_no_earlier(rhythm: DeadlineRule, opened: int, more: int) -> None:
    """A question put later is never due earlier."""
    assert compute_deadline(rhythm, opened) <= compute_deadline(rhythm, opened + more)


@given(RHYTHMS, MOMENTS, st.integers(0, 60 * DAY_MS))
def test_counting_and_going_forward_are_each_others_inverse(rhythm: DeadlineRule, since: int, span: int) -> None:
    """The time that passes up to the moment at which a span has passed is that span."""
    assert counted_time(rhythm, since, add_counted_time(rhythm, since, span)) == span


@given(RHYTHMS, MOMENTS, st.integers(0, 40 * DAY_MS))
def test_a_deadline_moves_by_what_was_lost_and_no_more_than_to_the_next_fit(
    rhythm: DeadlineRule, opened: int, lost: int
) -> None:
    """Time given back is all that was lost, and at most a counting day and its time of day more."""
    before = compute_deadline(rhythm, opened)
    moved = extend_deadline(rhythm, before, lost)
    assert moved - before >= lost
    assert moved - before - lost <= 9 * DAY_MS
    assert extend_deadline(rhythm, before, 0) == before


@given(RHYTHMS, MOMENTS, st.integers(-10, 20), st.integers(1, 20))
def test_time_away_is_not_counted(rhythm: DeadlineRule, opened: int, begins: int, days: int) -> None:
    """An absence inside the time of a question is added to it, and one outside changes nothing."""
    span = (opened + begins * DAY_MS, opened + (begins + days) * DAY_MS)
    plain, found = compute_deadline(rhythm, opened), compute_deadline(rhythm, opened, [span])
    touches = span[0] < plain and span[1] > opened
    away = span[1] - max(span[0], opened) if touches else 0
    assert found >= plain + away
    assert touches or found == plain


def test_weekends_and_holidays_do_not_count() -> None:
    """Two days from Friday noon are Tuesday noon; a day named as free is passed over; a day has 24 hours."""
    assert compute_deadline(DeadlineRule(48, zone=PARIS, days="12345"), at(2026, 11, 20, 12)) == at(2026, 11, 24, 12)
    assert compute_deadline(DeadlineRule(24, zone=PARIS, free=("2026-12-25",)), at(2026, 12, 24, 20)) == at(
        2026, 12, 26, 20
    )
    assert compute_deadline(DeadlineRule(24, zone=PARIS), at(2026, 10, 24, 12)) == at(2026, 10, 24, 12) + DAY_MS


@pytest.mark.parametrize(("month", "day"), [(3, 28), (10, 24)])
def test_eight_in_the_evening_stays_so_when_clocks_change(month: int, day: int) -> None:
    """Over the nights of 28 March and 24 October 2026 the evening's deadline stays at 20:00 in Paris."""
    rhythm = DeadlineRule(20, clock=20 * 60, zone=PARIS)
    assert compute_deadline(rhythm, at(2026, month, day, 20, 0)) == at(2026, month, day + 1, 20)


def test_a_time_that_the_clocks_skip_or_repeat() -> None:
    """2:30 means 3:30 in the night that skips it, and the second 2:30 in the night that repeats it."""
    rhythm = DeadlineRule(1, clock=150, zone=PARIS)
    assert local(compute_deadline(rhythm, at(2026, 3, 28, 23)), PARIS).strftime("%H:%M%z") == "03:30+0200"
    assert local(compute_deadline(rhythm, at(2026, 10, 24, 23)), PARIS).strftime("%H:%M%z") == "02:30+0100"


def test_phases_have_their_own_rhythm_and_reactions_half() -> None:
    """A kind of phase may have its own rhythm; a reaction has half of the table's, a choice three quarters."""
    table = DeadlinePolicy(DeadlineRule(48), {"march": DeadlineRule(72), "shield": DeadlineRule(10)})
    assert [
        (r := table.rule_for(a, x)) and r.hours
        for a, x in (
            ("bid", Pace.TURN),
            ("march", Pace.TURN),
            ("parry", Pace.REACTION),
            ("stall", Pace.CHOICE),
            ("shield", Pace.REACTION),
            ("march", Pace.CHOICE),
        )
    ] == [48, 72, 24, 36, 10, 72]
    for pace in Pace:
        one = DeadlinePolicy(DeadlineRule(1)).rule_for("parry", pace)
        assert one is not None
        assert one.hours == 1


@given(RHYTHMS, st.booleans(), st.integers(0, 3))
def test_a_schedule_is_kept_as_it_was_made(rhythm: DeadlineRule, clocked: bool, excuses: int) -> None:
    """The database holds the schedule that was chosen."""
    made = DeadlinePolicy(
        rhythm,
        {"bid": rhythm},
        time_bank=600 if clocked else None,
        reminder_hours=(48, 6),
        on_missed="bot",
        excused_misses=excuses,
    )
    assert parse_schedule(made.to_json(), 5) == made


@pytest.mark.parametrize(
    "wrong",
    [
        {"hours": 0},
        {"hours": 10**6},
        {"least": -1},
        {"clock": 1440},
        {"zone": "Mars/Olympus"},
        {"days": ""},
        {"days": "8"},
        {"free": ("tomorrow",)},
        {"grace": -1},
        {"linger": 10**6},
        {"zone": "../etc"},
    ],
)
def test_a_rhythm_that_finds_no_deadline_is_refused(wrong: dict[str, object]) -> None:
    """A rhythm that no calendar can count by is refused when it is chosen."""
    with pytest.raises(ValueError, match=r"^(hours|least|clock|zone|days|grace|linger|Invalid isoformat.*)$"):
        DeadlineRule(**{"hours": 24, **wrong})  # type: ignore[arg-type]
