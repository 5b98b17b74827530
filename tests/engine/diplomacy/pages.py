"""What the tests of pages know of the game."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from engine.kernel.position import Position
from tests.engine.diplomacy.test_table import table

PHASES = frozenset({"spring", "fall"})
"""The phases that a few answers bring it to."""


def _retreating(phase: str) -> Position[Any]:
    """The first seat's army was dislodged."""
    units = {"Austria": ["*A VIE", "A BUD"], "Italy": ["A VIE", "A TRI"]}
    return table(units, phase, {"Austria": ["BUD", "VIE"]})


BUILT: Mapping[str, Callable[[], Position[Any]]] = {
    "spring_retreat": partial(_retreating, "S1901R"),
    "fall_retreat": partial(_retreating, "F1901R"),
}
"""Positions in which a question is asked that games between bots hardly reach, by the question."""
