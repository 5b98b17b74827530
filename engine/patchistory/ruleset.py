"""The rules of the game, as the kernel calls them."""

from types import MappingProxyType

from engine.kernel.ruleset import ChapteredRules
from engine.kernel.workload import Workload
from engine.patchistory import apply, figures, invariants, placed, views
from engine.patchistory.board import Board
from engine.patchistory.chapters import LANGUAGE
from engine.patchistory.corrections import CORRECTIONS
from engine.patchistory.coverage import COVERAGE
from engine.patchistory.drawing.cover import cover as draw_cover
from engine.patchistory.drawing.won import pieces
from engine.patchistory.drawing.zones import BOARD
from engine.patchistory.meta import META
from engine.patchistory.orders import Aid, Build, Campaign, Honour, Move, Send, Threaten, Train, Travel
from engine.patchistory.phases import setup
from engine.patchistory.telling import TELLING


class Patchistory(ChapteredRules[Board]):
    """The rules, without state; the chapters and the order language do the work."""

    meta = META
    blank = staticmethod(setup.blank)
    begin = staticmethod(setup.begin)
    adopt = staticmethod(apply.adopt)
    apply = staticmethod(apply.apply)
    placed = staticmethod(placed.placed)
    present_view = staticmethod(views.present)
    list_violations = staticmethod(invariants.problems)
    corrections = CORRECTIONS
    coverage = COVERAGE
    narration_hooks = TELLING
    count = staticmethod(figures.count)
    labels = staticmethod(figures.NAMES.called)
    panels = staticmethod(figures.panels)
    figures = figures.FIGURES
    draw = staticmethod(BOARD.picture)
    cover = staticmethod(draw_cover)
    draw_column = staticmethod(BOARD.column)
    crops = staticmethod(BOARD.crops)
    zones = staticmethod(BOARD.zones)
    legend = staticmethod(BOARD.legend)
    pieces = staticmethod(pieces)
    later = MappingProxyType(
        {
            "placement": {
                "diplomacy": (Threaten, Threaten, Threaten, Aid),
                "administration": (Train, Honour, Send, Build, Campaign),
                "movement": (Move, Travel),
            }
        }
    )
    workload = Workload("administration/", 1, 5)


RULES = Patchistory(LANGUAGE)
