"""Moments as a reader counts them: in their zone, and in UTC."""

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from babel import Locale
from babel.dates import format_datetime, get_timezone_location

from engine.kernel.languages import Language
from pbem.narration.glossary import french
from pbem.narration.tidying import NBSP

_TIME: Final = {"fr": f"H{NBSP}'h'{NBSP}mm", "en": "HH:mm"}
_DAY: Final = {"fr": f"EEEE d{NBSP}MMMM yyyy 'à' ", "en": "EEE d MMM yyyy, "}
_FIRST: Final = {"fr": f"EEEE '1er'{NBSP}MMMM yyyy 'à' ", "en": _DAY["en"]}
"""How the day is written on the first of a month."""
_WEEKDAY: Final = {"fr": "EEEE ", "en": "EEE "}
_UTC: Final = {"fr": f"{NBSP}UTC", "en": " UTC"}


@dataclass(frozen=True)
class Clock:
    """How one reader is told of moments. An unknown zone counts as UTC."""

    language: Language
    zone: str

    def moment(self, seconds: int) -> str:
        """`Fri 21 Nov 2025, 20:00 Paris (19:00 UTC)`, `... à 20 h 00, heure de Paris (19 h 00 UTC)`."""
        utc, zone = datetime.fromtimestamp(seconds, UTC), _zone(self.zone)
        if zone is None:
            return _whole(utc, self.language) + _UTC[self.language]
        local = utc.astimezone(zone)
        day = "" if local.date() == utc.date() else _WEEKDAY[self.language]
        there = _formatted(utc, day + _TIME[self.language], self.language)
        return f"{_whole(local, self.language)}{_place(self.zone, self.language)} ({there}{_UTC[self.language]})"

    def brief(self, seconds: int) -> str:
        """`Fri 21 Nov 2025, 20:00`, in the reader's zone."""
        return _whole(datetime.fromtimestamp(seconds, _zone(self.zone) or UTC), self.language)


def _whole(moment: datetime, language: Language) -> str:
    day = (_FIRST if moment.day == 1 else _DAY)[language]
    return _formatted(moment, day + _TIME[language], language)


def _formatted(moment: datetime, pattern: str, language: Language) -> str:
    return str(format_datetime(moment, pattern, tzinfo=moment.tzinfo, locale=_locale(language)))


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
def _place(zone: str, language: Language) -> str:
    """Whose time it is: ` Paris`, `, heure de Paris`, `, heure du Caire`."""
    city = str(get_timezone_location(ZoneInfo(zone), locale=_locale(language), return_city=True))
    if language == "en":
        return f" {city}"
    article, _, rest = city.partition(" ")
    return f", heure {french(f'{article.lower()} {rest}' if article in ('Le', 'Les') else city).of}"
