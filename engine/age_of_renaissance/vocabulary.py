"""The words of the game as choices and slots, for forms and facts. Nothing depends on a position."""

from collections.abc import Callable
from typing import Final

from engine.age_of_renaissance.catalogue import (
    ADVANCES,
    CAPITALS,
    CARDS,
    CATEGORIES,
    FACE,
    GOODS,
    PROVINCES,
    REGIONS,
    WORDS,
    Aim,
    Card,
    Kind,
)
from engine.kernel.forms import Choice
from engine.kernel.phrasebook import choices


def cards_where(wanted: Callable[[Card], bool]) -> tuple[Choice, ...]:
    """Return the cards that satisfy `wanted`, each face once."""
    return choices((c.id, c.words) for c in CARDS.values() if FACE[c.id] == c.id and wanted(c))


PROVINCE_CHOICES: Final = choices((p.id, p.words) for p in PROVINCES.values())
REGION_CHOICES: Final = choices((r.id, r.words) for r in REGIONS.values())
GOOD_CHOICES: Final = choices((g.id, g.words) for g in GOODS.values())
MILLED_CHOICES: Final = choices((g.id, g.words) for g in GOODS.values() if g.milled)
CATEGORY_CHOICES: Final = choices((c.id, c.words) for c in CATEGORIES.values())
ADVANCE_CHOICES: Final = choices((a.letter, a.words) for a in ADVANCES.values())
CAPITAL_CHOICES: Final = choices((p, PROVINCES[p].words) for p in CAPITALS[6])
"""Every capital, in the order of §8.2; powers are named by their capitals."""
CARD_CHOICES: Final = cards_where(lambda card: True)
PLAIN_CARDS: Final = cards_where(lambda card: card.aim is None and len(card.goods) < 2)
DOUBLE_CARDS: Final = cards_where(lambda card: len(card.goods) > 1)
LEADER_CARDS: Final = cards_where(lambda card: card.kind is Kind.LEADER)
WEAPON_CARDS: Final = cards_where(lambda card: card.military)
DOUBLE_GOODS: Final = choices(
    (g.id, g.words) for g in GOODS.values() if any(g.id in c.goods for c in CARDS.values() if len(c.goods) > 1)
)
BULL_CATEGORIES: Final = choices(
    (c.id, c.words) for c in CATEGORIES.values() if any(c.id in card.categories for card in CARDS.values())
)


def aimed_cards(aim: Aim) -> tuple[Choice, ...]:
    """Return the cards whose player chooses this kind of target (A2)."""
    return cards_where(lambda card: card.aim is aim)


PHASE_CHOICES: Final = choices(WORDS.section("choices.phase").items())
BEFORE_AFTER: Final = choices(WORDS.section("choices.before_after").items())
CIVIL_WAR_ORDER: Final = choices(WORDS.section("choices.civil_war_order").items())
MARKET_WAYS: Final = choices(WORDS.section("choices.market_ways").items())
COUNTED: Final = choices(WORDS.section("choices.counted").items())

PROVINCE_TITLE: Final = WORDS("slots.province")
PROVINCES_TITLE: Final = WORDS("slots.provinces")
POWER_TITLE: Final = WORDS("slots.power")
CARD_TITLE: Final = WORDS("slots.card")
CARDS_TITLE: Final = WORDS("slots.cards")
TOKENS_TITLE: Final = WORDS("slots.tokens")
DUCATS_TITLE: Final = WORDS("slots.ducats")
GOOD_TITLE: Final = WORDS("slots.good")
ADVANCE_TITLE: Final = WORDS("slots.advance")
NUMBER_TITLE: Final = WORDS("slots.number")
