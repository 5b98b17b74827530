"""Title, seats, options, topics and endings of the game.

If a rule can be played in two ways, the first value of the option is the rulebook or a numbered ruling.
"""

from typing import Final

from engine.kernel.options import COMMON, make_option
from engine.kernel.phrasebook import topic
from engine.kernel.rules import Meta
from engine.patchistory.catalogue import WORDS

SIDE: Final = make_option(WORDS, "side", "equality", "liberty")
"""Mise en place: the side of the capital that all play."""
GOODS: Final = make_option(WORDS, "goods", "hidden", "open")
"""Paravents: whether goods and votes are behind the screens."""
MIXED: Final = make_option(WORDS, "mixed", "yes", "no")
"""A-05: whether a tile may be partly over and partly under another."""
VOTING: Final = make_option(WORDS, "voting", "card", "once")
"""7. Vote: card by card; `once` departs from the rules, for fewer emails."""

META: Final = Meta(
    name="patchistory",
    title=WORDS("title"),
    designer="Jun-Hyup Kim, Yeon-Min Jung",
    seats=(2, 3, 4),
    version="1",
    not_held=frozenset({"not_in_hand"}),
    has_no_free_text=True,
    options=(*COMMON, SIDE, GOODS, MIXED, VOTING),
    topics=(
        topic(WORDS, "voyage", is_reaction=True),
        topic(WORDS, "opening", as_standing_orders=True),
        topic(WORDS, "auction", lines=True),
        topic(WORDS, "placement", lines=True),
        topic(WORDS, "settle", is_reaction=True),
        topic(WORDS, "crowd", is_reaction=True),
        topic(WORDS, "recall", is_reaction=True),
        topic(WORDS, "envoy", is_reaction=True),
        topic(WORDS, "siege", is_reaction=True),
        topic(WORDS, "bombing", is_reaction=True),
        topic(WORDS, "diplomacy", lines=True),
        topic(WORDS, "aid", is_reaction=True),
        topic(WORDS, "administration", lines=True),
        topic(WORDS, "movement", lines=True),
        topic(WORDS, "home", is_reaction=True, counted=True),
        topic(WORDS, "negotiation", is_reaction=True, counted=True),
        topic(WORDS, "fights", is_reaction=True),
        topic(WORDS, "fuel", is_reaction=True, counted=True),
        topic(WORDS, "sacrifice", is_reaction=True),
        topic(WORDS, "prosperity", is_reaction=True),
        topic(WORDS, "votes", is_reaction=True),
    ),
    endings=WORDS.section("endings"),
    reconstructed=WORDS("reconstructed"),
)
