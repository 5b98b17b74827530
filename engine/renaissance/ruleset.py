"""The rules of the game, as the kernel calls them."""

from engine.kernel.ruleset import ChapteredRules
from engine.kernel.workload import Workload
from engine.renaissance import apply, figures, invariants, picture, reactions, views
from engine.renaissance.board import Board
from engine.renaissance.chapters import LANGUAGE
from engine.renaissance.corrections import CORRECTIONS
from engine.renaissance.coverage import COVERAGE
from engine.renaissance.drawing.cover import cover as draw_cover
from engine.renaissance.meta import META
from engine.renaissance.phases import setup
from engine.renaissance.telling import TELLING


class Renaissance(ChapteredRules[Board]):
    """The rules, without state; the chapters and the order language do the work."""

    meta = META
    blank = staticmethod(setup.blank)
    begin = staticmethod(setup.begin)
    apply = staticmethod(apply.apply)
    turn = staticmethod(reactions.turn)
    present_view = staticmethod(views.present)
    list_violations = staticmethod(invariants.problems)
    corrections = CORRECTIONS
    narration_hooks = TELLING
    coverage = COVERAGE
    workload = Workload("expansion/", 1, 3)
    crops = staticmethod(picture.crops)
    draw = staticmethod(picture.DRAWING.picture)
    cover = staticmethod(draw_cover)
    count = staticmethod(figures.FIGURES.count)
    labels = staticmethod(figures.NAMES.called)
    figures = figures.FIGURES.words


RULES = Renaissance(LANGUAGE)
