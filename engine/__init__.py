"""Pure rules of the games: standard library only, no clock, no randomness, no input or output."""

from typing import Any

from engine.age_of_renaissance import RULES as AGE_OF_RENAISSANCE
from engine.amalfi import RULES as AMALFI
from engine.kernel.rules import Rules
from engine.patchistory import RULES as PATCHISTORY
from engine.renaissance import RULES as RENAISSANCE

GAMES: dict[str, Rules[Any]] = {game.meta.name: game for game in (AGE_OF_RENAISSANCE, RENAISSANCE, PATCHISTORY, AMALFI)}
"""Every game that can be played, by the name that its Meta, its saved classes and its templates bear.

Games are imported here, not found: a program that imports the engine can read all that was ever saved of them.
"""


def rules(name: str) -> Rules[Any]:
    """The rules of a game; raises KeyError, whose text names the games there are."""
    try:
        return GAMES[name]
    except KeyError:
        raise KeyError(f"there is no game {name!r}; there is: {', '.join(sorted(GAMES)) or 'none yet'}") from None
