"""How whole games of Patchistory are played for the laws: options gone through, and what an order calls a tile."""

from collections.abc import Mapping, Sequence
from typing import Final

from engine.patchistory.catalogue import FIRST_PACK, kind_of

OPTIONS: Final[Sequence[Mapping[str, str]]] = (
    {},
    {"pace": "order", "side": "liberty", "failures": "again"},
    {"goods": "open", "voting": "once", "mixed": "no", "failures": "drop"},
    {"side": "liberty"},
    {"pace": "order", "voting": "once", "goods": "open", "unanswered": "ask"},
    {"failures": "again", "voting": "once"},
)


def alike(word: str) -> str:
    """Orders name kinds of building tiles, not their copies."""
    return kind_of(word) if word in FIRST_PACK else word
