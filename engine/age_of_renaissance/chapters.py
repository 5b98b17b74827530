"""The chapters of the game, combined with its order language."""

from typing import Final

from engine.age_of_renaissance import conditions, reactions
from engine.age_of_renaissance.acts import Seen
from engine.age_of_renaissance.board import Board
from engine.age_of_renaissance.forms import FORMS
from engine.age_of_renaissance.orders import Attack
from engine.age_of_renaissance.phases import (
    advances,
    aims,
    cards,
    cession,
    draw,
    ending,
    event_cards,
    expansion,
    history,
    income,
    indulgences,
    lifting,
    placing,
    purchases,
    reduction,
    rivalry,
    setup,
    targets,
    tokens,
    turn,
    war,
)
from engine.age_of_renaissance.slots import WORTH_TRYING
from engine.age_of_renaissance.suggestions import PROPOSALS
from engine.kernel.gates import Gate
from engine.kernel.orders import Order, Question
from engine.kernel.ruleset import OrderLanguage
from engine.kernel.turn_chapters import Chapters

MODULES: Final = (
    *(setup, turn, draw, cards),
    *(history, targets, aims, event_cards, reduction, war, cession),
    *(purchases, advances),
    *(expansion, placing, lifting, rivalry, indulgences),
    *(income, tokens, ending),
)
"""Modules in the order of the phases, including modules that only refuse orders, for their problem codes."""
CHAPTERS: Final = Chapters[Board](MODULES, FORMS)


def _judged_now(seen: Seen, decision: Question) -> bool:
    """Return True if this board can judge the question: it is a reaction, or a later phase of this turn."""
    reaction = decision.topic not in ("tokens", *(phase.value for phase in reactions.SETS), "final")
    return reaction or Gate.parse(decision.gate).turn == seen.board.turn


def _tries(order: Order) -> int:
    """Return 2 for an attack, because a defeat often leaves tokens for a second try (§9.5.2), else 1."""
    return 2 if isinstance(order, Attack) and not order.convert else 1


LANGUAGE: Final = OrderLanguage[Board](
    CHAPTERS, PROPOSALS, conditions.FACTS, conditions.holds, reactions.ahead, _judged_now, _tries, WORTH_TRYING
)
