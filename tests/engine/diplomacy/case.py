"""How whole games of Diplomacy are played for the laws: options gone through, and who plays."""

from collections.abc import Mapping, Sequence
from typing import Final

from engine.kernel.bots import BotProfile

OPTIONS: Final[Sequence[Mapping[str, str]]] = (
    {"last_year": "1905"},
    {"last_year": "open"},
    {"last_year": "1905", "powers": "order", "failures": "again", "draw_includes": "listed", "score": "squares"},
    {"last_year": "1907", "score": "draw_size"},
)
KEEN: Final = BotProfile(passing=0, absent=0, ahead=0, unasked_share=0, plans=True)
"""A bot that takes what is suggested, for all its units."""
ANYHOW: Final = BotProfile(suggested=40, lines=10, unasked_share=0)
"""A bot of random legal orders."""
TEMPERS: Final = (KEEN, KEEN, KEEN, ANYHOW)
