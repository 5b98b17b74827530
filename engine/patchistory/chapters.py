"""The chapters of the game, combined with its order language."""

from typing import Final

from engine.kernel.gates import Gate
from engine.kernel.orders import Question
from engine.kernel.ruleset import OrderLanguage
from engine.kernel.turn_chapters import Chapters
from engine.patchistory import conditions, reactions
from engine.patchistory.acts import Seen
from engine.patchistory.board import Board
from engine.patchistory.forms import FORMS
from engine.patchistory.phases import (
    administration,
    auction,
    diplomacy,
    ending,
    movement,
    negotiation,
    placement,
    production,
    setup,
    specials,
    turn,
    vote,
    war,
)
from engine.patchistory.slots import WORTH_TRYING
from engine.patchistory.suggestions import PROPOSALS

MODULES: Final = (
    *(setup, turn, auction, placement, specials),
    *(diplomacy, administration, movement),
    *(negotiation, war, production, vote, ending),
)
"""Modules in the order of the phases."""
CHAPTERS: Final = Chapters[Board](MODULES, FORMS)


def _judged_now(seen: Seen, decision: Question) -> bool:
    """Return True if this board can judge answers to the question now."""
    return decision.topic != "placement" and Gate.parse(decision.gate).turn == seen.board.turn


LANGUAGE: Final = OrderLanguage[Board](
    CHAPTERS, PROPOSALS, conditions.FACTS, conditions.holds, reactions.ahead, _judged_now, worth_trying=WORTH_TRYING
)
