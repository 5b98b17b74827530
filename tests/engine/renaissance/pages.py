"""What the tests of pages know of the game."""

from collections.abc import Callable, Mapping
from typing import Any

from engine.kernel.position import Position
from engine.renaissance.phases.turn import BeginTurn
from tests.engine.renaissance import build

PHASES = frozenset({"setup", "purchases", "expansion", "combat"})
"""The phases that a few answers bring it to."""


def _coming_back() -> Position[Any]:
    """Who lost their last city is asked where they come back."""
    position = build.game(turn=2)
    for town in ("firenze", "pistoia"):
        build.city(position, town, None)
    position.board.powers[build.GOLD].eliminated = True
    return build.queue(position, BeginTurn()).position


BUILT: Mapping[str, Callable[[], Position[Any]]] = {"return": _coming_back}
"""Positions in which a question is asked that games between bots hardly reach, by the question."""
