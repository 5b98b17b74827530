"""What the tests of pages know of the game."""

from collections.abc import Callable, Mapping
from typing import Any

from engine.age_of_renaissance.board import War
from engine.age_of_renaissance.orders import Place
from engine.age_of_renaissance.phases.war import WarGoesOn
from engine.kernel.position import Position
from tests.engine.age_of_renaissance import build, expansion_positions

PHASES = frozenset({"tokens", "history", "purchases", "expansion"})
"""The phases that a few answers bring it to."""


def _armed() -> Position[Any]:
    """A War goes on, and a belligerent holds a weapon."""
    position = build.game(turn=3)
    position.board.wars = (War(build.VIOLET, build.YELLOW, 2),)
    build.hand(position, build.VIOLET, "wool_1a", "gunpowder")
    return build.queue(position, WarGoesOn(build.VIOLET, build.YELLOW, build.YELLOW)).position


def _without_markers() -> Position[Any]:
    """A province was filled, and no marker is left for it."""
    return expansion_positions.carry(expansion_positions.run_out(), {"blue": [Place("toledo", 3)]}).position


BUILT: Mapping[str, Callable[[], Position[Any]]] = {"weapon": _armed, "lift": _without_markers}
"""Positions in which a question is asked that games between bots hardly reach, by the question."""
