"""How whole games of Amalfi are played for the laws: options gone through."""

from collections.abc import Mapping, Sequence
from typing import Final

OPTIONS: Final[Sequence[Mapping[str, str]]] = (
    {"hands": "personal"},
    {"pace": "sealed", "failures": "again"},
    {"hands": "full_draft", "failures": "drop"},
    {"hands": "score_draft", "pace": "sealed"},
    {"rival": "genes"},
    {"hands": "blind", "unanswered": "ask"},
    {"pace": "sealed", "hands": "list"},
    {},
)
"""In the order of the numbers of players, one to four and again: some options are for some of them only."""
