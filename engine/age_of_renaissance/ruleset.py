"""The rules of the game, as the kernel calls them."""

from engine.age_of_renaissance import apply, figures, invariants, picture, reactions, views, worth
from engine.age_of_renaissance.board import Board
from engine.age_of_renaissance.chapters import LANGUAGE
from engine.age_of_renaissance.corrections import CORRECTIONS
from engine.age_of_renaissance.coverage import COVERAGE
from engine.age_of_renaissance.drawing.cover import cover as draw_cover
from engine.age_of_renaissance.meta import META
from engine.age_of_renaissance.phases import setup
from engine.age_of_renaissance.telling import TELLING
from engine.kernel.ruleset import ChapteredRules
from engine.kernel.workload import Workload


class AgeOfRenaissance(ChapteredRules[Board]):
    """The rules, without state; the chapters and the order language do the work."""

    meta = META
    blank = staticmethod(setup.blank)
    begin = staticmethod(setup.begin)
    adopt = staticmethod(apply.adopt)
    apply = staticmethod(apply.apply)
    turn = staticmethod(reactions.turn)
    present_view = staticmethod(views.present)
    list_violations = staticmethod(invariants.problems)
    corrections = CORRECTIONS
    narration_hooks = TELLING
    coverage = COVERAGE
    workload = Workload("expansion/", 2, 7)
    evaluate = staticmethod(worth.evaluate)
    crops = staticmethod(picture.crops)
    draw = staticmethod(picture.DRAWING.picture)
    cover = staticmethod(draw_cover)
    count = staticmethod(figures.FIGURES.count)
    labels = staticmethod(figures.NAMES.called)
    figures = figures.FIGURES.words


RULES = AgeOfRenaissance(LANGUAGE)
