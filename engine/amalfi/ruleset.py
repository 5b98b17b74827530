"""The rules of the game, as the kernel calls them."""

from types import MappingProxyType
from typing import Final

from engine.amalfi import apply, conditions, figures, invariants, placed, reactions, views
from engine.amalfi.acts import Seen
from engine.amalfi.board import Board
from engine.amalfi.corrections import CORRECTIONS
from engine.amalfi.coverage import COVERAGE
from engine.amalfi.drawing.cover import cover as draw_cover
from engine.amalfi.drawing.ships import panels
from engine.amalfi.drawing.zones import BOARD
from engine.amalfi.forms import FORMS
from engine.amalfi.meta import META
from engine.amalfi.orders import Finish
from engine.amalfi.phases import actions, choices, closing, effects, lighthouses, optional, setup, turns
from engine.amalfi.slots import WORTH_TRYING
from engine.amalfi.suggestions import PROPOSALS, in_plan
from engine.amalfi.telling import TELLING
from engine.kernel.gates import Gate
from engine.kernel.orders import Question
from engine.kernel.ruleset import ChapteredRules, OrderLanguage
from engine.kernel.turn_chapters import Chapters
from engine.kernel.workload import Workload

MODULES: Final = (setup, turns, actions, effects, choices, lighthouses, optional, closing)
"""Modules in the order of the chapters."""
CHAPTERS: Final = Chapters[Board](MODULES, FORMS)


def _judged_now(seen: Seen, decision: Question) -> bool:
    """Return True if this board can judge the question: it is about this period."""
    return decision.topic != "get" and Gate.parse(decision.gate).turn == seen.board.period


LANGUAGE: Final = OrderLanguage[Board](
    CHAPTERS, PROPOSALS, conditions.FACTS, conditions.holds, reactions.ahead, _judged_now, worth_trying=WORTH_TRYING
)


class Amalfi(ChapteredRules[Board]):
    """The rules, without state; the chapters and the order language do the work."""

    meta = META
    blank = staticmethod(setup.blank)
    begin = staticmethod(setup.begin)
    apply = staticmethod(apply.apply)
    placed = staticmethod(placed.placed)
    present_view = staticmethod(views.present)
    list_violations = staticmethod(invariants.problems)
    corrections = CORRECTIONS
    narration_hooks = TELLING
    coverage = COVERAGE
    count = staticmethod(figures.count)
    labels = staticmethod(figures.NAMES.called)
    panels = staticmethod(panels)
    figures = figures.FIGURES
    draw = staticmethod(BOARD.picture)
    cover = staticmethod(draw_cover)
    draw_column = staticmethod(BOARD.column)
    crops = staticmethod(BOARD.crops)
    zones = staticmethod(BOARD.zones)
    legend = staticmethod(BOARD.legend)
    turn_orders = MappingProxyType({"action": frozenset((*actions.DO, Finish))})
    leaving = frozenset((Finish,))
    in_plan = staticmethod(in_plan)
    workload = Workload("action/", 1, 3, {"pace": "sealed", "hands": "blind"})


RULES = Amalfi(LANGUAGE)
