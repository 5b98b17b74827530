"""How fast a table is to be, in one choice: what most tables want, and every field of it can still be chosen."""

from collections.abc import Mapping
from typing import Final

PRESETS: Final[Mapping[str, Mapping[str, str]]] = {
    "weekend": {"hours": "3", "linger": "1"},
    "month": {"hours": "24", "grace": "60", "remind": "6", "excuses": "1"},
    "year": {"hours": "96", "grace": "720", "remind": "48 12", "excuses": "3", "missed": "default"},
}
"""The fields of the form of a new table that each of them fills."""

DEFAULT: Final = "month"
CUSTOM: Final = "own"
"""The choice of who fills these fields themselves."""


def apply_preset(given: Mapping[str, str]) -> dict[str, str]:
    """The fields as they count: those of the preset that was chosen take the place of what was written."""
    chosen = PRESETS.get(given.get("preset", CUSTOM))
    if chosen is None:
        return dict(given)
    timing = {"hours", "clock", "free", "grace", "linger", "excuses", "misses", "bank", "spare", "remind", "missed"}
    kept = {name: value for name, value in given.items() if name not in timing and not name.startswith("h.")}
    return {**kept, **chosen}
