"""The rules of the games: standard library only, no clock, no randomness, no input or output."""

from typing import Any

from engine.age_of_renaissance import RULES as AGE_OF_RENAISSANCE
from engine.amalfi import RULES as AMALFI
from engine.diplomacy import POSITIONS as DIPLOMACY_POSITIONS
from engine.diplomacy import RULES as DIPLOMACY
from engine.kernel.rules import Rules
from engine.kernel.sandbox import WritesPositions
from engine.patchistory import RULES as PATCHISTORY
from engine.renaissance import RULES as RENAISSANCE

GAMES: dict[str, Rules[Any]] = {
    game.meta.name: game for game in (AGE_OF_RENAISSANCE, RENAISSANCE, PATCHISTORY, AMALFI, DIPLOMACY)
}
"""The games of this project by `Meta.name`, which their saved classes and templates use too.

Games are imported here, not discovered: a program that imports the engine can decode everything saved by them.
"""

POSITIONS: dict[str, WritesPositions] = {"diplomacy": DIPLOMACY_POSITIONS}
"""Games whose positions can be written down and tried."""


def rules(name: str) -> Rules[Any]:
    """Return the rules of a game. Raises KeyError for an unknown name; its message lists the known names."""
    try:
        return GAMES[name]
    except KeyError:
        raise KeyError(f"there is no game {name!r}; there is: {', '.join(sorted(GAMES)) or 'none yet'}") from None
