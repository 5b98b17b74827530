"""A span of days as people write it: `until 12 December`, `1/12 to 12/12`, `du 1er au 12 décembre`, `next week`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import product
from typing import Final

from engine.kernel.spelling import fold
from pbem.service.base.wording import WORDS

LONGEST: Final = 200
_DAYS_OF_A_MONTH: Final = timedelta(days=31)


def _folded(key: str) -> tuple[str, ...]:
    """The spellings of a key in all languages, the longest first."""
    return tuple(sorted({_fold(spelling) for spelling in WORDS(key).all_forms()}, key=len, reverse=True))


def _fold(text: str) -> str:
    return " ".join(map(fold, text.replace("\u2019", "'").split()))


def _either(*spellings: str) -> str:
    return "|".join(map(re.escape, sorted(spellings, key=len, reverse=True)))


_MONTHS: Final = {spelling: number for number in range(1, 13) for spelling in _folded(f"dates.months.{number}")}
_UNTIL: Final = re.compile(rf"(?:^|.*\s)(?:{_either(*_folded('dates.until'))})")
_FILLED: Final = rf"(?:(?:{_either(*_folded('dates.fillers'))})\s*)*"
_JOINS: Final = re.compile(rf"({_either(*_folded('dates.until'), *_folded('dates.to'))}|[-–—])?\s*{_FILLED}")
_FILLERS: Final = re.compile(_FILLED)
_NEXT_WEEK, _THIS_WEEK = frozenset(_folded("dates.next_week")), frozenset(_folded("dates.this_week"))
_TODAY, _TOMORROW = _folded("dates.today"), _folded("dates.tomorrow")

_DAY = rf"(?P<day{{0}}>\d{{{{1,2}}}})(?:{_either(*_folded('dates.ordinals'))})?"
_MONTH = rf"(?P<name{{0}}>{_either(*_MONTHS)})\.?"
_YEAR = r"(?:,?\s+(?P<year{0}>\d{{4}}))?"
_OF = rf"(?:\s*(?:{_either(*_folded('dates.of'))}))?\s*"
_DATE: Final = re.compile(
    "|".join(
        (
            r"(?P<year0>\d{4})-(?P<month0>\d{1,2})-(?P<day0>\d{1,2})(?!\d)",
            r"(?<!\d)(?P<day1>\d{1,2})[/.](?P<month1>\d{1,2})(?:[/.](?P<year1>\d{4}|\d{2}))?(?!\d)",
            rf"(?<!\d){_DAY.format(2)}{_OF}{_MONTH.format(2)}(?!\w){_YEAR.format(2)}",
            rf"(?<!\w){_MONTH.format(3)}\s+{_DAY.format(3)}(?!\w){_YEAR.format(3)}",
            rf"(?<!\w)(?P<word>{_either(*_TODAY, *_TOMORROW)})(?!\w)",
            rf"(?<!\w){_DAY.format(4)}(?!\w)",
        )
    )
)


@dataclass(frozen=True)
class _Written:
    """A day as far as it was written."""

    day: int
    month: int | None = None
    year: int | None = None

    def days(self, around: date, other: "_Written") -> Iterator[date]:
        """The days that it may be, from the year before one to two years after."""
        near = range(around.year - 1, around.year + 3)
        for year in near if self.year is None else {self.year}.intersection(near):
            for month in (self.month,) if self.month else range(1, 13) if other.month else ():
                try:
                    yield date(year, month, self.day)
                except ValueError:
                    continue


def parse_span(text: str, today: date) -> tuple[date, date] | None:
    """The first and last day of a span, both included; None for what names none, or more than one.

    A day without a year is one that is not over: the span is the next one that fits.  `1/12` is the first of December.
    """
    said = _fold(text[:LONGEST]).strip(" .,!:")
    bare = said[_end(_FILLERS, said) :]
    monday = today - timedelta(days=today.weekday())
    if bare in _NEXT_WEEK:
        return monday + timedelta(days=7), monday + timedelta(days=13)
    if bare in _THIS_WEEK:
        return today, monday + timedelta(days=6)
    found = list(_DATE.finditer(said))
    written = [_read(one, today) for one in found]
    if len(found) == 2:
        joined = _JOINS.fullmatch(said[found[0].end() : found[1].start()].strip(" .,"))
        if joined is None or (not joined[1] and None in (written[0].month, written[1].month)):
            return None
        return _earliest(written[0], written[1], today)
    if len(found) != 1 or written[0].month is None:
        return None
    before = said[: found[0].start()].strip()
    if _UNTIL.fullmatch(before):
        return _earliest(_Written(today.day, today.month, today.year), written[0], today)
    return _earliest(written[0], written[0], today) if _FILLERS.fullmatch(before) else None


def _end(pattern: re.Pattern[str], text: str) -> int:
    found = pattern.match(text)
    return found.end() if found else 0


def _read(found: re.Match[str], today: date) -> _Written:
    """A day as it is written in one of the forms."""
    parts = {re.sub(r"\d", "", name): value for name, value in found.groupdict().items() if value}
    if "word" in parts:
        day = today + timedelta(days=parts["word"] in _TOMORROW)
        return _Written(day.day, day.month, day.year)
    month = _MONTHS[parts["name"]] if "name" in parts else int(parts["month"]) if "month" in parts else None
    year = int(parts["year"]) if "year" in parts else None
    return _Written(int(parts["day"]), month, year + 2000 if year is not None and year < 100 else year)


def _earliest(first: _Written, last: _Written, today: date) -> tuple[date, date] | None:
    """The span that ends first of those that are not over; of these the shortest."""
    spans = [
        (begin, end)
        for begin, end in product(first.days(today, last), last.days(today, first))
        if begin <= end and end >= today and (None not in (first.month, last.month) or end - begin <= _DAYS_OF_A_MONTH)
    ]
    return min(spans, key=lambda span: (span[1], today - span[0]), default=None)
