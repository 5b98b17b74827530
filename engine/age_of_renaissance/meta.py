"""Title, seats, options, topics and endings of the game.

If the rulebook allows two readings, the first value of the option is the numbered ruling (R8 ...), and the second is
the other reading.
"""

from typing import Final

from engine.age_of_renaissance.catalogue import WORDS
from engine.kernel.options import COMMON, make_option
from engine.kernel.phrasebook import topic
from engine.kernel.rules import Meta

EPOCHS: Final = make_option(WORDS, "epochs", "1-3", "1-2", "1")
"""The epochs that are played (§11)."""
PREREQUISITES: Final = make_option(WORDS, "prerequisites", "public", "printed")
"""The list of prerequisites of advances (§9.4.2; NOTES, confidence of the prerequisites)."""
CIVIL_WAR_ORDER: Final = make_option(WORDS, "civil_war_order", "chosen", "civil_war")
"""The order of swaps and Civil War at the start of the expansion (A2, R8)."""
REBELLION: Final = make_option(WORDS, "rebellion", "capitals", "others")
"""The capitals that Rebellion spares (A2, R12)."""
WAR_BONUS: Final = make_option(WORDS, "war_bonus", "one", "each")
"""The bonus in a War: one in total, or one for each reason (A2, R15)."""
PAIR_COST: Final = make_option(WORDS, "pair_cost", "20", "10")
"""The ducats to cancel gold and ivory together (§9.1, R19)."""
TIERS: Final = make_option(WORDS, "tiers", "purchase", "phase")
"""When tiers reduce misery: at each purchase, or at the end of the phase (§9.4.2, R21)."""
WITHHELD: Final = make_option(WORDS, "withheld", "turn_2", "turn_3")
"""The turn in which the withheld cards return (§8.1, R25)."""
MARCO_POLO: Final = make_option(WORDS, "marco_polo", "turn", "hereafter")
"""How long a card raises a leader's credit: in its turn, or from then on (A2, R28)."""
CASH: Final = make_option(WORDS, "cash", "public", "piled")
"""Whether cash is public or piled (§5.5, R33)."""
TIED_RANK: Final = make_option(WORDS, "tied_rank", "chosen", "first")
"""Whether the tied player who chose a capital later chooses a place, or goes first (§8.3, §9.7, R38)."""

META: Final = Meta(
    name="age_of_renaissance",
    title=WORDS("title"),
    designer="Jared Scarborough",
    seats=(3, 4, 5, 6),
    version="1",
    not_held=frozenset({"not_in_hand", "card_not_held"}),
    has_no_free_text=True,
    options=(
        *COMMON,
        EPOCHS,
        PREREQUISITES,
        CIVIL_WAR_ORDER,
        REBELLION,
        WAR_BONUS,
        PAIR_COST,
        TIERS,
        WITHHELD,
        MARCO_POLO,
        CASH,
        TIED_RANK,
    ),
    topics=(
        topic(WORDS, "keep", may_pass=False),
        topic(WORDS, "bid", may_pass=False),
        topic(WORDS, "capitals", may_pass=False),
        topic(WORDS, "tokens", may_pass=False),
        topic(WORDS, "history", lines=True),
        topic(WORDS, "purchases", lines=True),
        topic(WORDS, "expansion", lines=True),
        topic(WORDS, "final", lines=True),
        topic(WORDS, "rank", is_reaction=True),
        topic(WORDS, "surplus", is_reaction=True),
        topic(WORDS, "mills", is_reaction=True),
        topic(WORDS, "extra", is_reaction=True),
        topic(WORDS, "discard", is_reaction=True),
        topic(WORDS, "civil_war", is_reaction=True),
        topic(WORDS, "remnant", is_reaction=True),
        topic(WORDS, "war", is_reaction=True),
        topic(WORDS, "weapon", is_reaction=True),
        topic(WORDS, "conversion", is_reaction=True),
        topic(WORDS, "manuscripts", is_reaction=True),
        topic(WORDS, "renaissance", is_reaction=True),
        topic(WORDS, "indulgences", is_reaction=True),
        topic(WORDS, "lift", is_reaction=True),
        topic(WORDS, "leave", is_resignation=True),
    ),
    endings=WORDS.section("endings"),
    reconstructed=WORDS("reconstructed"),
)
