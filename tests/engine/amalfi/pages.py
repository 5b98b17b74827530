"""What the tests of pages know of the game."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from engine.amalfi.catalogue import Op, Verb
from engine.kernel.position import Position
from tests.engine.amalfi.build import ANN, BOB, dock, does, game, hand, owns, place_characters, row, stow

PHASES = frozenset({"setup", "actions"})
"""The phases that a few answers bring it to."""


def _choosing(op: Op) -> Position[Any]:
    """An effect asks for what was not said beforehand."""
    at = game(period=3)
    owns(at, ANN, "pd06", "pd12")
    place_characters(at, ANN, "c59", "c69", engaged=True)
    row(at, "council", "c01", "c02", "c03", "c04")
    hand(at, ANN, "c17", "c20")
    hand(at, BOB, "c22")
    for place in ("roma", "pisa", "ragusa"):
        dock(at, place, ANN)
    stow(at, ANN, bay=3, port=1, wood=1, wine=1)
    return does(at, ANN, op).position


_OPS = {
    "take": Op(Verb.CHARACTER),
    "refresh": Op(Verb.UNTAP),
    "recall": Op(Verb.RECALL, n=2),
    "use": Op(Verb.USE_PRIVATE),
    "give_up": Op(Verb.DISCARD_FOR_VP, vp=3),
    "get": Op(Verb.INVITE, minus=3),
    "send": Op(Verb.SEND, n=1, hold="any"),
    "erect": Op(Verb.LIGHTHOUSE),
}

BUILT: Mapping[str, Callable[[], Position[Any]]] = {asks: partial(_choosing, op) for asks, op in _OPS.items()}
"""Positions in which a question is asked that games between bots hardly reach, by the question."""
