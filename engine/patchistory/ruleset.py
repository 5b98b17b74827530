"""The rules of the game, as the kernel asks for them: what stands where."""

from collections.abc import Sequence
from typing import Any, Final

from engine.kernel.events import Event
from engine.kernel.ruleset import ChapteredRules
from engine.kernel.workload import Workload
from engine.patchistory import apply, figures, invariants, views
from engine.patchistory.board import Board
from engine.patchistory.chapters import LANGUAGE
from engine.patchistory.corrections import CORRECTIONS
from engine.patchistory.coverage import COVERAGE
from engine.patchistory.drawing.won import pieces
from engine.patchistory.drawing.zones import BOARD
from engine.patchistory.events import Campaigned, Exchanged, PhaseBegan
from engine.patchistory.meta import META
from engine.patchistory.orders import Campaign, Exchange
from engine.patchistory.phases import setup
from engine.patchistory.telling import TELLING

_PLENTY: Final = 40


def _exchanged(events: Sequence[Event]) -> int:
    """The exchanges made; none where the phase has not come to its end."""
    ended = any(isinstance(event, PhaseBegan) for event in events)
    return sum(isinstance(event, Exchanged | Campaigned) for event in events) * ended


def _filled(board: Any) -> None:
    """Everybody has something of each good to exchange."""
    for player in board.players.values():
        for good in ("food", "resource", "money"):
            player.put(good, _PLENTY)


WORKLOAD: Final = Workload("administration/", 1, 5, Exchange, Campaign, _exchanged, _filled)
"""What the bench measures: an administration of all players at once."""


class Patchistory(ChapteredRules[Board]):
    """Stateless; what the chapters and the order language know is asked of them."""

    meta = META
    blank = staticmethod(setup.blank)
    begin = staticmethod(setup.begin)
    adopt = staticmethod(apply.adopt)
    apply = staticmethod(apply.apply)
    present = staticmethod(views.present)
    problems = staticmethod(invariants.problems)
    corrections = CORRECTIONS
    coverage = COVERAGE
    narration_hooks = TELLING
    count = staticmethod(figures.count)
    called = staticmethod(figures.NAMES.called)
    figures = figures.FIGURES
    picture = staticmethod(BOARD.picture)
    crops = staticmethod(BOARD.crops)
    zones = staticmethod(BOARD.zones)
    pieces = staticmethod(pieces)
    workload = WORKLOAD


RULES = Patchistory(LANGUAGE)
