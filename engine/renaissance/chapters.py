"""The sequences of the game, combined with its order language."""

from typing import Final

from engine.kernel.ruleset import OrderLanguage
from engine.kernel.turn_chapters import Chapters
from engine.renaissance import conditions
from engine.renaissance.board import Board
from engine.renaissance.forms import FORMS
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
from engine.renaissance.reactions import ahead
from engine.renaissance.slots import WORTH_TRYING
from engine.renaissance.suggestions import PROPOSALS

MODULES: Final = (
    *(setup, turn, purchases, expansion),
    *(combat, attacks, intrigue, battle, reactions),
    *(council, scoring, diplomacy),
)
"""Modules in the order of the sequences, including modules that only refuse orders, for their problem codes."""
CHAPTERS: Final = Chapters[Board](MODULES, FORMS)


LANGUAGE: Final = OrderLanguage(
    CHAPTERS, PROPOSALS, conditions.FACTS, conditions.holds, ahead, worth_trying=WORTH_TRYING
)
