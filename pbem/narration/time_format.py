"""Moments as a reader counts them: in their zone, and in UTC."""

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from babel.dates import format_datetime, get_timezone_location

from engine.kernel.languages import Language
from pbem.narration.typography import load_typography


@dataclass(frozen=True)
class TimeFormatter:
    """How one reader is told of moments. An unknown zone counts as UTC."""

    language: Language
    zone: str

    def moment(self, seconds: int) -> str:
        """`Fri 21 Nov 2025, 20:00 Paris (19:00 UTC)`, `... à 20 h 00, heure de Paris (19 h 00 UTC)`."""
        utc, zone = datetime.fromtimestamp(seconds, UTC), _zone(self.zone)
        if zone is None:
            return _format_whole(utc, self.language) + load_typography(self.language).moment["utc"]
        local = utc.astimezone(zone)
        said = load_typography(self.language).moment
        day = "" if local.date() == utc.date() else said["weekday"]
        there = _format(utc, day + said["time"], self.language)
        return f"{_format_whole(local, self.language)}{_zone_name(self.zone, self.language)} ({there}{said['utc']})"

    def brief(self, seconds: int) -> str:
        """`Fri 21 Nov 2025, 20:00`, in the reader's zone."""
        return _format_whole(datetime.fromtimestamp(seconds, _zone(self.zone) or UTC), self.language)


def _format_whole(moment: datetime, language: Language) -> str:
    said = load_typography(language).moment
    return _format(moment, said["first" if moment.day == 1 else "day"] + said["time"], language)


def _format(moment: datetime, pattern: str, language: Language) -> str:
    return str(format_datetime(moment, pattern, tzinfo=moment.tzinfo, locale=load_typography(language).locale))


@cache
def _zone(name: str) -> ZoneInfo | None:
    try:
        return None if name in ("UTC", "Etc/UTC", "") else ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return None


@cache
def _zone_name(zone: str, language: Language) -> str:
    """Whose time it is: ` Paris`, `, heure de Paris`, `, heure du Caire`."""
    city = str(get_timezone_location(ZoneInfo(zone), locale=load_typography(language).locale, return_city=True))
    return load_typography(language).grammar.clock(city)
