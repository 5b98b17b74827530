"""Days as people write them behind ABSENT."""

from datetime import date, timedelta

import pytest

from pbem.service.base.wording import parse_span

TODAY = date(2026, 11, 28)  # a Saturday

SPANS = {
    "until 12 December": ("2026-11-28", "2026-12-12"),
    "until December 12th": ("2026-11-28", "2026-12-12"),
    "till 12/12": ("2026-11-28", "2026-12-12"),
    "I am away until tomorrow": ("2026-11-28", "2026-11-29"),
    "1/12 to 12/12": ("2026-12-01", "2026-12-12"),
    "1/12 - 12/12": ("2026-12-01", "2026-12-12"),
    "1.12. - 12.12.2026": ("2026-12-01", "2026-12-12"),
    "from 1 to 12 December": ("2026-12-01", "2026-12-12"),
    "1-12 December": ("2026-12-01", "2026-12-12"),
    "December 1 to 12": ("2026-12-01", "2026-12-12"),
    "from the 1st of December until the 12th of December, sorry": ("2026-12-01", "2026-12-12"),
    "28 December to 3 January": ("2026-12-28", "2027-01-03"),
    "28 to 3 January": ("2026-12-28", "2027-01-03"),
    "20/11 to 5/12": ("2026-11-20", "2026-12-05"),
    "1/2/27 to 5/2/27": ("2027-02-01", "2027-02-05"),
    "2027-07-01 2027-07-15": ("2027-07-01", "2027-07-15"),
    "1/7/2027 15/7/2027": ("2027-07-01", "2027-07-15"),
    "on 24 December": ("2026-12-24", "2026-12-24"),
    "tomorrow": ("2026-11-29", "2026-11-29"),
    "next week": ("2026-11-30", "2026-12-06"),
    "All next week.": ("2026-11-30", "2026-12-06"),
    "this week": ("2026-11-28", "2026-11-29"),
    "du 1er au 12 décembre": ("2026-12-01", "2026-12-12"),
    "du 1er décembre au 12 decembre 2026": ("2026-12-01", "2026-12-12"),
    "jusqu'au 12 déc.": ("2026-11-28", "2026-12-12"),
    "jusqu\u2019au 1er janvier": ("2026-11-28", "2027-01-01"),
    "le 24 décembre": ("2026-12-24", "2026-12-24"),
    "la semaine prochaine": ("2026-11-30", "2026-12-06"),
    "LA SEMAINE PROCHAINE": ("2026-11-30", "2026-12-06"),
}
UNCLEAR = (
    "",
    "whenever",
    "from 12 December",
    "after 12 December",
    "3 days from 12/12",
    "1 to 12",
    "12",
    "until 31 February",
    "until 31/12/9999",
    "until 1 December 2020",
    "25/25 to 26/25",
    "1/12, 5/12 and 12/12",
    "2026-02-30 2026-03-04",
    "next week until 12 December or so, 14 December",
    "a" * 10_000,
)


@pytest.mark.parametrize("text", SPANS)
def test_a_span_is_read_as_it_is_written(text: str) -> None:
    """In both languages, with and without a year, and never one that is over."""
    assert parse_span(text, TODAY) == tuple(map(date.fromisoformat, SPANS[text]))


@pytest.mark.parametrize("text", UNCLEAR, ids=lambda text: text[:40])
def test_what_names_no_span_is_none(text: str) -> None:
    """A day without an end, a number alone, three days, a day of no calendar: nothing is guessed."""
    assert parse_span(text, TODAY) is None


def test_a_span_without_a_year_is_the_next_one() -> None:
    """On each day of two years, `1/12 to 12/12` ends on this day or later, within a year, and lasts twelve days."""
    for offset in range(730):
        today = TODAY + timedelta(days=offset)
        span = parse_span("1/12 to 12/12", today)
        assert span is not None
        assert (span[1] - span[0]).days == 11
        assert timedelta() <= span[1] - today < timedelta(days=366)
