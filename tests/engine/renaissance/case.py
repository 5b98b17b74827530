"""How whole games of Renaissance are played for the laws: options gone through, and what an order calls a card."""

from collections.abc import Mapping, Sequence
from typing import Final

from engine.renaissance.catalogue import KINDS, NATIONS

ALL_POWERS: Final[Mapping[str, str]] = {f"power_{nation}": "on" for nation in NATIONS}
OPTIONS: Final[Sequence[Mapping[str, str]]] = (
    {},
    {"pace": "order", "failures": "again", "nations": "chosen"},
    ALL_POWERS,
    {"scenario": "1494", **ALL_POWERS},
    {"without": "b", "failures": "drop"},
    {"scenario": "1499", "pace": "order", **ALL_POWERS},
    {"nations": "chosen", "pace": "order"},
    {"scenario": "1515", "failures": "drop", **ALL_POWERS},
)
"""One for each game; those of a scenario fall on games of four to six (A27)."""


def alike(word: str) -> str:
    """Orders name kinds of card; one that asks for the strongest or the weakest, or for none, means any blue card."""
    kind = word.partition(".")[0]
    blue = kind in KINDS and KINDS[kind].value > 0
    return "blue" if blue or kind in ("strongest", "weakest", "none") else kind
