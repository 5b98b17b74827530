"""The sequences put together, and the order language in which their questions are answered."""

from collections.abc import Sequence
from typing import Final

from engine.kernel.chapters import Chapters
from engine.kernel.forms import Form
from engine.kernel.orders import Decision
from engine.kernel.ruleset import OrderLanguage
from engine.renaissance import conditions, riders
from engine.renaissance.acts import Seen
from engine.renaissance.board import Board
from engine.renaissance.forms import FORMS, OLDER
from engine.renaissance.phases import (
    attacks,
    battle,
    combat,
    council,
    diplomacy,
    expansion,
    intrigue,
    purchases,
    reactions,
    scoring,
    setup,
    turn,
)
from engine.renaissance.readings import in_force
from engine.renaissance.suggestions import PROPOSALS

MODULES: Final = (
    *(setup, turn, purchases, expansion),
    *(combat, attacks, intrigue, battle, reactions),
    *(council, scoring, diplomacy),
)
"""Sequence by sequence; with those that only judge, for the codes of their problems."""
CHAPTERS: Final = Chapters[Board](MODULES, FORMS)


class Language(OrderLanguage[Board]):
    """The forms of the game, each as the game's readings have it."""

    def written(self, seen: Seen, decision: Decision) -> Sequence[Form]:
        """The older form of an order that a later reading changes."""
        reading, older = OLDER.get(decision.asks, ("", ()))
        return older if reading and not in_force(seen.core.options, reading) else super().written(seen, decision)


LANGUAGE: Final = Language(CHAPTERS, PROPOSALS, conditions.FACTS, conditions.holds, riders.ahead)
