"""The schedule of a new table, from the fields of its form or a preset.  What cannot stand is named by its field."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Final

from engine.kernel.rules import Meta
from pbem.common import parsers
from pbem.service.base.calendar import EVERY_DAY, POLICIES, DeadlinePolicy, DeadlineRule

PRESETS: Final[Mapping[str, Mapping[str, str]]] = {
    "weekend": {"hours": "3", "linger": "1"},
    "month": {"hours": "24", "grace": "60", "reminder_hours": "6", "excused_misses": "1"},
    "year": {"hours": "96", "grace": "720", "reminder_hours": "48 12", "excused_misses": "3", "on_missed": "default"},
}
"""The fields of the form of a new table that each of them fills."""

DEFAULT_PRESET: Final = "month"
CUSTOM_PRESET: Final = "own"
"""The choice of who fills these fields themselves."""


class FieldError(Exception):
    """A field that cannot stand; `name` is that of the field."""

    def __init__(self, name: str) -> None:
        """`name` names the field."""
        super().__init__(name)
        self.name = name


def parse(
    given: Mapping[str, str], days: Sequence[str], meta: Meta, hours: int | None, zone: str
) -> DeadlinePolicy | None:
    """The schedule that the form asks for; None for a table without deadlines.  Raises FieldError."""
    bank = _parse_number(given, "time_bank", None)
    if hours is None and bank is None:
        return None
    try:
        usual = DeadlineRule(
            hours or 24,
            clock=_parse_time(given.get("clock", "")),
            zone=zone,
            days="".join(sorted(set(days))) or EVERY_DAY,
            free=_parse_dates(given.get("free", "")),
            grace=_parse_number(given, "grace", 0) or 0,
            linger=_parse_number(given, "linger", 0) or 0,
        )
        phases = {
            topic.key: _with_defaults(usual, found)
            for topic in meta.topics
            if (found := _parse_number(given, f"h.{topic.key}", None)) is not None
        }
        missed = next((policy for policy in POLICIES if policy == given.get("on_missed", "default")), None)
        if missed is None:
            raise FieldError("on_missed")
        return DeadlinePolicy(
            usual,
            phases,
            bank * 60 if bank is not None else None,
            (_parse_number(given, "delay_hours", 0) or 0) * 60,
            _parse_numbers(given.get("reminder_hours", "")),
            missed,
            _parse_number(given, "excused_misses", 0) or 0,
            _value_or(given, "max_misses", 3),
        )
    except ValueError as error:
        raise FieldError(str(error)) from None


def _with_defaults(usual: DeadlineRule, hours: int) -> DeadlineRule:
    return DeadlineRule(hours, usual.least, usual.clock, usual.zone, usual.days, usual.free, usual.grace, usual.linger)


def _value_or(given: Mapping[str, str], name: str, usual: int) -> int:
    found = _parse_number(given, name, usual)
    return usual if found is None else found


def _parse_number(given: Mapping[str, str], name: str, usual: int | None) -> int | None:
    written = given.get(name, "").strip()
    if not written:
        return usual
    try:
        return parsers.parse_whole(written, high=999_999)
    except ValueError:
        raise FieldError("hours" if name.startswith("h.") else name) from None


def _parse_numbers(written: str) -> tuple[int, ...]:
    parts = written.replace(",", " ").split()
    return tuple(sorted({_value_or({"reminder_hours": part}, "reminder_hours", 1) for part in parts}, reverse=True))


def _parse_time(written: str) -> int | None:
    """`20:00` as the minute of the day."""
    if not written.strip():
        return None
    hour, _, minute = written.strip()[:5].partition(":")
    try:
        return parsers.parse_whole(hour, high=23) * 60 + parsers.parse_whole(minute, high=59)
    except ValueError:
        raise FieldError("clock") from None


def _parse_dates(written: str) -> tuple[str, ...]:
    try:
        return tuple(sorted({date.fromisoformat(part).isoformat() for part in written.replace(",", " ").split()}))
    except ValueError:
        raise FieldError("free") from None


def apply_preset(given: Mapping[str, str]) -> dict[str, str]:
    """The fields as they count: those of the preset that was chosen take the place of what was written."""
    chosen = PRESETS.get(given.get("preset", CUSTOM_PRESET))
    if chosen is None:
        return dict(given)
    timing = {
        "hours",
        "clock",
        "free",
        "grace",
        "linger",
        "excused_misses",
        "max_misses",
        "time_bank",
        "delay_hours",
        "reminder_hours",
        "on_missed",
    }
    kept = {name: value for name, value in given.items() if name not in timing and not name.startswith("h.")}
    return {**kept, **chosen}
