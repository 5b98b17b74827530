"""What the rulebooks say of each question, as the pages tell it: the figures are those of the tables."""

import re
from collections import Counter

import pytest

from engine.kernel.languages import LANGUAGES, Language
from engine.renaissance.catalogue import (
    DEALT,
    HAND_LIMIT,
    PAID,
    PEACE,
    PRICES,
    RETURN_DUCATS,
    SCENARIOS,
    STRENGTH,
    WAR,
)
from engine.renaissance.phases.purchases import price
from engine.renaissance.phases.reactions import PLACES
from pbem.web.words import catalogue

IN_BOTH = pytest.mark.parametrize("language", LANGUAGES)
WORDS = {
    "fr": {"deux": 2, "trois": 3, "quatre": 4, "six": 6, "douze": 12},
    "en": {"two": 2, "three": 3, "four": 4, "six": 6, "twelve": 12},
}
FIGURES = {
    "vote": (DEALT[WAR], DEALT[PEACE], PAID[PEACE]),
    "purchases": (PRICES["card"], PRICES["palace"], PRICES["rampart"], PRICES["castle"], price("fortress"), HAND_LIMIT),
    "return": (RETURN_DUCATS,),
    "defence": STRENGTH[1:],
    "hire": (PLACES + 1, PLACES),
}


def said(language: Language, asks: str) -> str:
    """What is said of a question of Renaissance."""
    return str(catalogue(language)[f"rules.renaissance.{asks}"])


@IN_BOTH
@pytest.mark.parametrize("asks", FIGURES)
def test_the_figures_of_a_rule_are_those_of_the_tables(asks: str, language: Language) -> None:
    """Prices, cards and walls in a text are those of the tables."""
    told = re.findall(r"\w+", said(language, asks).partition(":")[2])
    found = [WORDS[language].get(word.lower(), int(word) if word.isdecimal() else 0) for word in told]
    assert Counter(n for n in found if n) == Counter(FIGURES[asks])


@IN_BOTH
def test_who_sails_twice_is_said_by_name(language: Language) -> None:
    """Expansion  The nations with two expansions by sea, in the game of 1454 and in the scenarios."""
    text = said(language, "expansion")
    nations = {
        "genes": ("Gênes", "Genoa"),
        "venise": ("Venise", "Venice"),
        "france": ("France", "France"),
        "espagne": ("Espagne", "Spain"),
    }
    sail = {start.nation for scenario in SCENARIOS.values() for start in scenario.starts if start.seas == 2}
    assert sail == set(nations)
    assert all(names[language == "en"] in text for names in nations.values())
    assert "venise" not in {start.nation for start in SCENARIOS["1515"].starts}
