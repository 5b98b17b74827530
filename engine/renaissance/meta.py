"""Title, seats, options, topics and endings of the game."""

from typing import Final

from engine.kernel.options import common_options, make_option
from engine.kernel.phrasebook import topic
from engine.kernel.rules import Meta, Option
from engine.renaissance.acts import POWER_OPTIONS
from engine.renaissance.catalogue import NATIONS, SCENARIOS, WORDS

SCENARIO: Final = Option(
    "scenario",
    WORDS("options.scenario.title"),
    {scenario.id: scenario.words for scenario in SCENARIOS.values()},
    {scenario.id: tuple(sorted({table.players for table in scenario.tables})) for scenario in SCENARIOS.values()},
)
"""Scénarios optionnels; all but the first are for four to six players (A27)."""
WITHOUT: Final = make_option(WORDS, "without", "a", "b")
"""Jeu à 3 ou 4 joueurs: the nations that are removed."""
CHOICE: Final = make_option(WORDS, "nations", "drawn", "chosen")
"""Préparation: whether nations are drawn or chosen."""

_PRIVILEGES: Final = WORDS.section("privileges")


def _privilege(nation: str) -> Option:
    return Option(POWER_OPTIONS[nation], _PRIVILEGES[nation], WORDS.section("choices.privilege"))


TOPICS: Final = (
    topic(WORDS, "nations"),
    topic(WORDS, "setup", may_pass=False),
    topic(WORDS, "garrison"),
    topic(WORDS, "return", may_pass=False),
    topic(WORDS, "vote", may_pass=False),
    topic(WORDS, "stance", may_pass=False),
    topic(WORDS, "purchases", lines=True),
    topic(WORDS, "expansion", lines=True),
    topic(WORDS, "combat", lines=True),
    topic(WORDS, "sales", lines=True, is_reaction=True),
    topic(WORDS, "hire", lines=True, is_reaction=True),
    topic(WORDS, "defence", lines=True, is_reaction=True, may_pass=False),
    topic(WORDS, "counter", lines=True, is_reaction=True),
    topic(WORDS, "traitor", lines=True, is_reaction=True),
    topic(WORDS, "sign", lines=True, is_reaction=True),
    topic(WORDS, "retreat", lines=True, is_reaction=True),
    topic(WORDS, "council", lines=True, is_reaction=True),
    topic(WORDS, "deals"),
)

META: Final = Meta(
    name="renaissance",
    title=WORDS("title"),
    designer="Pascal Bernard",
    seats=(3, 4, 5, 6),
    version="1",
    not_held=frozenset({"no_card", "cards_not_held"}),
    has_no_free_text=True,
    options=(*common_options(talk="free"), SCENARIO, WITHOUT, CHOICE, *(_privilege(nation) for nation in NATIONS)),
    topics=TOPICS,
    endings=WORDS.section("endings"),
    reconstructed=WORDS("reconstructed"),
)
