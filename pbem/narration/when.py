"""Moments as a reader counts them: in their zone, and in UTC."""

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from babel.dates import format_datetime, get_timezone_location

from engine.kernel.languages import Language
from pbem.narration.manner import manner


@dataclass(frozen=True)
class Clock:
    """How one reader is told of moments. An unknown zone counts as UTC."""

    language: Language
    zone: str

    def moment(self, seconds: int) -> str:
        """`Fri 21 Nov 2025, 20:00 Paris (19:00 UTC)`, `... à 20 h 00, heure de Paris (19 h 00 UTC)`."""
        utc, zone = datetime.fromtimestamp(seconds, UTC), _zone(self.zone)
        if zone is None:
            return _whole(utc, self.language) + manner(self.language).moment["utc"]
        local = utc.astimezone(zone)
        said = manner(self.language).moment
        day = "" if local.date() == utc.date() else said["weekday"]
        there = _formatted(utc, day + said["time"], self.language)
        return f"{_whole(local, self.language)}{_place(self.zone, self.language)} ({there}{said['utc']})"

    def brief(self, seconds: int) -> str:
        """`Fri 21 Nov 2025, 20:00`, in the reader's zone."""
        return _whole(datetime.fromtimestamp(seconds, _zone(self.zone) or UTC), self.language)


def _whole(moment: datetime, language: Language) -> str:
    said = manner(language).moment
    return _formatted(moment, said["first" if moment.day == 1 else "day"] + said["time"], language)


def _formatted(moment: datetime, pattern: str, language: Language) -> str:
    return str(format_datetime(moment, pattern, tzinfo=moment.tzinfo, locale=manner(language).locale))


@cache
def _zone(name: str) -> ZoneInfo | None:
    try:
        return None if name in ("UTC", "Etc/UTC", "") else ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return None


@cache
def _place(zone: str, language: Language) -> str:
    """Whose time it is: ` Paris`, `, heure de Paris`, `, heure du Caire`."""
    city = str(get_timezone_location(ZoneInfo(zone), locale=manner(language).locale, return_city=True))
    return manner(language).grammar.clock(city)
