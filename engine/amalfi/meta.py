"""Title, seats, options, topics and endings of the game.

The first value of an option is the rulebook's.
"""

from dataclasses import replace
from typing import Final

from engine.amalfi.catalogue import WORDS
from engine.kernel.options import COMMON, make_option
from engine.kernel.phrasebook import topic
from engine.kernel.rules import Meta

PACE: Final = make_option(WORDS, "pace", "order", "sealed")
"""Phase 1: players act in turn.

`sealed` departs from the rules, for fewer emails: all state their next action together.
"""
HANDS: Final = replace(
    make_option(WORDS, "hands", "standard", "list", "blind", "personal", "full_draft", "score_draft"),
    only={"full_draft": (2, 3, 4), "score_draft": (2, 3, 4)},
)
"""Variantes d'attribution des mains de départ.

`list` departs from the rules, for fewer emails: all players file an order of preference for the packets at once.
"""
RIVAL: Final = replace(make_option(WORDS, "rival", "naples", "genes"), only={"genes": (1,)})
"""Défis solo: the opponent of a single player; ignored at other tables."""

META: Final = Meta(
    name="amalfi",
    title=WORDS("title"),
    designer="Takeo Yamada",
    seats=(1, 2, 3, 4),
    version="1",
    not_held=frozenset({"not_in_hand"}),
    has_no_free_text=True,
    options=(PACE, *(common for common in COMMON if common.name != PACE.name), HANDS, RIVAL),
    topics=(
        topic(WORDS, "hand", may_pass=False),
        topic(WORDS, "packets", may_pass=False),
        topic(WORDS, "pick", counted=True, may_pass=False),
        topic(WORDS, "keep", may_pass=False),
        topic(WORDS, "score", may_pass=False),
        topic(WORDS, "action", lines=True, counted=True),
        topic(WORDS, "free"),
        topic(WORDS, "send", is_reaction=True, counted=True),
        topic(WORDS, "take", is_reaction=True, counted=True, lasts=True),
        topic(WORDS, "erect", is_reaction=True, counted=True, lasts=True),
        topic(WORDS, "refresh", is_reaction=True, counted=True, lasts=True),
        topic(WORDS, "recall", counted=True),
        topic(WORDS, "use", counted=True),
        topic(WORDS, "give_up", counted=True),
        topic(WORDS, "get", counted=True),
        topic(WORDS, "light", is_reaction=True, counted=True, lasts=True),
        topic(WORDS, "meal", lines=True),
        topic(WORDS, "decree", lines=True),
    ),
    endings=WORDS.section("endings"),
    results=WORDS.section("results"),
    reconstructed=WORDS("reconstructed"),
    turn=WORDS("period"),
)
