"""The rules of the game, as the kernel asks for them: what stands where."""

from collections.abc import Sequence
from typing import Final

from engine.age_of_renaissance import apply, figures, invariants, picture, riders, views, worth
from engine.age_of_renaissance.board import Board
from engine.age_of_renaissance.chapters import LANGUAGE
from engine.age_of_renaissance.corrections import CORRECTIONS
from engine.age_of_renaissance.coverage import COVERAGE
from engine.age_of_renaissance.events import Consolidated, RivalryFought
from engine.age_of_renaissance.meta import META
from engine.age_of_renaissance.orders import Attack, Place
from engine.age_of_renaissance.phases import setup
from engine.age_of_renaissance.telling import TELLING
from engine.kernel.events import Event
from engine.kernel.ruleset import ChapteredRules
from engine.kernel.workload import Workload

TOKENS: Final = 14
"""What each seat's pool is filled up to, so that eight lines have something to place."""


def _filled(board: Board) -> None:
    """More tokens in the pools: whatever lies in stock, up to so many."""
    for power in board.powers.values():
        more = max(0, min(power.stock, TOKENS - power.expansion))
        power.stock, power.expansion = power.stock - more, power.expansion + more


def _fought(events: Sequence[Event]) -> int:
    """The rivalries; none where a question stops the phase before its end."""
    ended = any(isinstance(event, Consolidated) for event in events)
    return sum(isinstance(event, RivalryFought) for event in events) * ended


WORKLOAD: Final = Workload("expansion/", 2, 7, Attack, Place, _fought, _filled)
"""What the bench measures: an expansion of everybody at once."""


class AgeOfRenaissance(ChapteredRules[Board]):
    """Stateless; what the chapters and the order language know is asked of them."""

    meta = META
    blank = staticmethod(setup.blank)
    begin = staticmethod(setup.begin)
    adopt = staticmethod(apply.adopt)
    apply = staticmethod(apply.apply)
    turn = staticmethod(riders.turn)
    present = staticmethod(views.present)
    problems = staticmethod(invariants.problems)
    corrections = CORRECTIONS
    narration_hooks = TELLING
    coverage = COVERAGE
    workload = WORKLOAD
    evaluate = staticmethod(worth.evaluate)
    crops = staticmethod(picture.crops)
    picture = staticmethod(picture.DRAWING.picture)
    count = staticmethod(figures.FIGURES.count)
    called = staticmethod(figures.NAMES.called)
    figures = figures.FIGURES.words


RULES = AgeOfRenaissance(LANGUAGE)
