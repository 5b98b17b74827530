"""Moments as a reader counts them: in his zone, and in UTC."""

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from babel import Locale
from babel.dates import format_datetime, get_timezone_location

from engine.kernel.languages import Language

_PATTERN = {"fr": "EEE d MMM yyyy, HH:mm", "en": "EEE d MMM yyyy, HH:mm"}


@dataclass(frozen=True)
class Clock:
    """How one reader is told of moments. A zone that nobody knows is UTC."""

    language: Language
    zone: str

    def moment(self, seconds: int) -> str:
        """`Fri 21 Nov 2025, 20:00 Paris (19:00 UTC)`."""
        utc, zone = datetime.fromtimestamp(seconds, UTC), _zone(self.zone)
        if zone is None:
            return f"{_formatted(utc, self.language)} UTC"
        local = utc.astimezone(zone)
        day = "" if local.date() == utc.date() else f"{_day(utc, self.language)} "
        return f"{_formatted(local, self.language)} {_city(self.zone, self.language)} ({day}{utc:%H:%M} UTC)"

    def brief(self, seconds: int) -> str:
        """`Fri 21 Nov 2025, 20:00`, in the reader's zone."""
        return _formatted(datetime.fromtimestamp(seconds, _zone(self.zone) or UTC), self.language)


def _formatted(moment: datetime, language: Language) -> str:
    return str(format_datetime(moment, _PATTERN[language], tzinfo=moment.tzinfo, locale=_locale(language)))


def _day(moment: datetime, language: Language) -> str:
    return str(format_datetime(moment, "EEE", tzinfo=moment.tzinfo, locale=_locale(language)))


@cache
def _locale(language: Language) -> Locale:
    return Locale.parse(language)


@cache
def _zone(name: str) -> ZoneInfo | None:
    try:
        return None if name in ("UTC", "Etc/UTC", "") else ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return None


@cache
def _city(name: str, language: Language) -> str:
    return str(get_timezone_location(ZoneInfo(name), locale=_locale(language), return_city=True))
