"""What the server itself reads of an email, by the words of `pbem/service/words`: consent, and spans of days.

A wrong yes seats a person who does not want to play, and a wrong no gives their seat away.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import product
from typing import Final

from engine.kernel.catalogues import load_catalogue
from engine.kernel.spelling import fold, fold_tokens, tokens

WORDS: Final = load_catalogue("pbem.service")


def spellings(key: str) -> frozenset[str]:
    """Every spelling of a word in lower case, in all languages."""
    return frozenset(spelling.casefold() for spelling in WORDS(key).all_forms())


def spelling_regex(key: str) -> str:
    """A regular expression for any spelling of a word, in all languages."""
    return "|".join(re.escape(spelling) for spelling in sorted(WORDS(key).all_forms(), key=len, reverse=True))


_Phrase = tuple[str, ...]


def _phrases(key: str) -> tuple[_Phrase, ...]:
    """The spellings of a key in all languages, the longest first."""
    return tuple(sorted({fold_tokens(spelling) for spelling in WORDS(key).all_forms()}, key=len, reverse=True))


_YES: Final = _phrases("answers.take")
_NO: Final = _phrases("answers.refuse")
_HARMLESS: Final = _phrases("answers.no_refusal")
_UNWILLING: Final = _phrases("answers.unwilling")
_NEVER: Final = _phrases("answers.never")
_PLAIN: Final = 3
"""Words from which on a phrase says by itself what it means, wherever it stands in a line."""
_MOST_LINES: Final = 100


@dataclass(frozen=True)
class ConsentReply:
    """`accepts`: None where the email says neither or both.  `words`: what follows the word for yes.

    `opts_out`: they want no invitations at all.
    """

    accepts: bool | None
    words: str = ""
    opts_out: bool = False


def parse_consent(lines: Sequence[str]) -> ConsentReply:
    """Read an answer; never raises.  A line with a question mark agrees to nothing and refuses nothing."""
    said = [line.strip() for line in lines[:_MOST_LINES] if line.strip()]
    telling = [(number, line) for number, line in enumerate(said) if "?" not in line]
    yes = next(((number, after) for number, line in telling if (after := _strip_yes(line)) is not None), None)
    never = any(_is_opt_out(fold_tokens(line)) for _, line in telling)
    no = never or any(_is_refusal(fold_tokens(line)) for _, line in telling)
    if yes is None or no:
        return ConsentReply(False if no and yes is None else None, opts_out=never and yes is None)
    number, after = yes
    return ConsentReply(True, " ".join([after, *said[number + 1 :]]).strip(" :,.!"))


def _strip_yes(line: str) -> str | None:
    """What follows the word for yes at the beginning of a line; None where there is no such word."""
    text = tokens(line)
    length = _starts_with_phrase(text.words, _YES)
    return text.raw[text.ends[length - 1] :].strip(" :,.!") if length else None


def _is_refusal(words: _Phrase) -> bool:
    if _starts_with_phrase(words, _NO) and not _starts_with_phrase(words, _HARMLESS):
        return True
    return _contains_phrase(words, _UNWILLING)


def _is_opt_out(words: _Phrase) -> bool:
    """A short phrase must be the whole line: who writes "never mind" means something else."""
    return words in _NEVER or _contains_phrase(words, (phrase for phrase in _NEVER if len(phrase) >= _PLAIN))


def _contains_phrase(words: _Phrase, phrases: Iterable[_Phrase]) -> bool:
    return any(words[at : at + len(phrase)] == phrase for phrase in phrases for at in range(len(words)))


def _starts_with_phrase(words: _Phrase, phrases: Iterable[_Phrase]) -> int:
    """How many words of a line are the longest of these phrases; 0 if none begins it."""
    return next((len(phrase) for phrase in phrases if words[: len(phrase)] == phrase), 0)


_LONGEST_SPAN: Final = 200
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
class _PartialDate:
    """A day as far as it was written."""

    day: int
    month: int | None = None
    year: int | None = None

    def days(self, around: date, other: "_PartialDate") -> Iterator[date]:
        """The days that it may be, from the year before one to two years after."""
        years: Iterable[int] = range(around.year - 1, around.year + 3)
        if self.year is not None:
            years = {self.year}.intersection(years)
        months: Iterable[int] = range(1, 13) if other.month else ()
        if self.month:
            months = (self.month,)
        for year in years:
            for month in months:
                try:
                    yield date(year, month, self.day)
                except ValueError:
                    continue


def parse_span(text: str, today: date) -> tuple[date, date] | None:
    """The first and last day of a span, both included; None for what names none, or more than one.

    A day without a year is one that is not over: the span is the next one that fits.  `1/12` is the first of December.
    """
    said = _fold(text[:_LONGEST_SPAN]).strip(" .,!:")
    bare = said[_match_end(_FILLERS, said) :]
    monday = today - timedelta(days=today.weekday())
    if bare in _NEXT_WEEK:
        return monday + timedelta(days=7), monday + timedelta(days=13)
    if bare in _THIS_WEEK:
        return today, monday + timedelta(days=6)
    found = list(_DATE.finditer(said))
    written = [_parse_date(one, today) for one in found]
    if len(found) == 2:
        joined = _JOINS.fullmatch(said[found[0].end() : found[1].start()].strip(" .,"))
        if joined is None or (not joined[1] and None in (written[0].month, written[1].month)):
            return None
        return _earliest(written[0], written[1], today)
    if len(found) != 1 or written[0].month is None:
        return None
    before = said[: found[0].start()].strip()
    if _UNTIL.fullmatch(before):
        return _earliest(_PartialDate(today.day, today.month, today.year), written[0], today)
    return _earliest(written[0], written[0], today) if _FILLERS.fullmatch(before) else None


def _match_end(pattern: re.Pattern[str], text: str) -> int:
    found = pattern.match(text)
    return found.end() if found else 0


def _parse_date(found: re.Match[str], today: date) -> _PartialDate:
    """A day as it is written in one of the forms."""
    parts = {re.sub(r"\d", "", name): value for name, value in found.groupdict().items() if value}
    if "word" in parts:
        day = today + timedelta(days=parts["word"] in _TOMORROW)
        return _PartialDate(day.day, day.month, day.year)
    month = int(parts["month"]) if "month" in parts else None
    if "name" in parts:
        month = _MONTHS[parts["name"]]
    year = int(parts["year"]) if "year" in parts else None
    if year is not None and year < 100:
        year += 2000
    return _PartialDate(int(parts["day"]), month, year)


def _earliest(first: _PartialDate, last: _PartialDate, today: date) -> tuple[date, date] | None:
    """The span that ends first of those that are not over; of these the shortest."""
    spans = [
        (begin, end)
        for begin, end in product(first.days(today, last), last.days(today, first))
        if begin <= end and end >= today and (None not in (first.month, last.month) or end - begin <= _DAYS_OF_A_MONTH)
    ]
    return min(spans, key=lambda span: (span[1], today - span[0]), default=None)
