"""The rules of the game, as the kernel calls them."""

from typing import Final

from engine.diplomacy import apply, drawing, facts, turns, views
from engine.diplomacy.board import Board
from engine.diplomacy.corrections import CORRECTIONS
from engine.diplomacy.cover import cover
from engine.diplomacy.forms import FORMS
from engine.diplomacy.meta import META
from engine.diplomacy.suggestions import PROPOSALS, WORTH_TRYING, is_judged
from engine.diplomacy.telling import TELLING
from engine.kernel.ruleset import ChapteredRules, OrderLanguage
from engine.kernel.turn_chapters import Chapters
from engine.kernel.workload import Workload

LANGUAGE: Final = OrderLanguage[Board](
    Chapters[Board]((turns,), FORMS),
    PROPOSALS,
    facts.FACTS,
    facts.holds,
    turns.ahead,
    is_judged,
    worth_trying=WORTH_TRYING,
)


class Diplomacy(ChapteredRules[Board]):
    """The rules, without state; the chapters and the order language do the work."""

    meta = META
    blank = staticmethod(turns.blank)
    begin = staticmethod(turns.begin)
    apply = staticmethod(apply.apply)
    present_view = staticmethod(views.present)
    list_violations = staticmethod(views.list_violations)
    corrections = CORRECTIONS
    narration_hooks = TELLING
    figures = views.FIGURES
    count = staticmethod(views.count)
    labels = staticmethod(views.NAMES.called)
    panels = staticmethod(views.panels)
    placed = staticmethod(drawing.placed)
    draw = staticmethod(drawing.BOARD.picture)
    crops = staticmethod(drawing.BOARD.crops)
    zones = staticmethod(drawing.BOARD.zones)
    legend = staticmethod(drawing.BOARD.legend)
    cover = staticmethod(cover)
    workload = Workload("fall/", 1901, 1903)


RULES = Diplomacy(LANGUAGE)
