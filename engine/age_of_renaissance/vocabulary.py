"""The words of the game as choices and slots: what forms and facts are made of.  Built once; nothing of a position."""

from collections.abc import Callable
from typing import Final

from engine.age_of_renaissance.board import Phase
from engine.age_of_renaissance.catalogue import (
    ADVANCES,
    CAPITALS,
    CARDS,
    CATEGORIES,
    FACE,
    GOODS,
    PROVINCES,
    REGIONS,
    Advance,
    Aim,
    Card,
    Kind,
)
from engine.kernel.catalogues import Words, words
from engine.kernel.forms import Choice
from engine.kernel.phrasebook import before as before
from engine.kernel.phrasebook import choices as choices
from engine.kernel.phrasebook import led as led
from engine.kernel.phrasebook import may as may
from engine.kernel.phrasebook import number as number
from engine.kernel.phrasebook import one_of as one_of
from engine.kernel.phrasebook import some_of as some_of

_VOWELS: Final = frozenset("aeiouyhâàéèêîïôûœ")


def _advance_words(advance: Advance) -> Words:
    """An advance by name, by letter, and with its article, which would else read as an advance called L or A."""
    french = [*advance.words.of("fr"), advance.letter]
    elided = [f"l'{name}" for name in french if len(name) > 1 and name[0].lower() in _VOWELS]
    return advance.words | words("|".join((advance.letter, *elided)), f"a {advance.words.shown('en')}")


def cards_where(wanted: Callable[[Card], bool]) -> tuple[Choice, ...]:
    """The cards that are wanted, each face once."""
    return choices((c.id, c.words) for c in CARDS.values() if FACE[c.id] == c.id and wanted(c))


PROVINCE_CHOICES: Final = choices((p.id, p.words) for p in PROVINCES.values())
REGION_CHOICES: Final = choices((r.id, r.words if r.overseas else r.words | Words.same(r.id)) for r in REGIONS.values())
GOOD_CHOICES: Final = choices((g.id, g.words) for g in GOODS.values())
MILLED_CHOICES: Final = choices((g.id, g.words) for g in GOODS.values() if g.milled)
CATEGORY_CHOICES: Final = choices((c.id, c.words) for c in CATEGORIES.values())
ADVANCE_CHOICES: Final = choices((a.letter, _advance_words(a)) for a in ADVANCES.values())
CAPITAL_CHOICES: Final = choices((p, PROVINCES[p].words) for p in CAPITALS[6])
"""Every capital, in the order of §8.2: also how powers are named."""
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
    """The cards whose player chooses something of this kind (A2)."""
    return cards_where(lambda card: card.aim is aim)


PHASE_CHOICES: Final = choices(
    (
        (Phase.DRAW.value, words("tirage|tirage des cartes|phase 1|1", "draw|drawing|phase 1")),
        (Phase.CARDS.value, words("achat de cartes|phase 2|2", "card buying|phase 2")),
        (Phase.HISTORY.value, words("histoire|phase histoire|phase 3|3", "history|phase 3")),
        (Phase.PURCHASES.value, words("achats|achat|phase 4|4", "purchases|purchase|phase 4")),
        (Phase.EXPANSION.value, words("expansion|phase 5|5", "expansion|phase 5")),
        (Phase.FINAL.value, words("dernières cartes|fin de partie", "last cards|final cards")),
    )
)
BEFORE_AFTER: Final = choices(
    (
        ("before", words("devant|avec le précédent|avant|avancer", "forward|ahead|with the one before|before|up")),
        ("after", words("derrière|avec le suivant|après|reculer", "back|behind|with the one after|after|down")),
    )
)
CIVIL_WAR_ORDER: Final = choices(
    (
        ("first", words("d'abord|en premier|avant", "first|before")),
        ("last", words("ensuite|en dernier|après", "last|after")),
    )
)
MARKET_WAYS: Final = choices(
    (
        ("shortage", words("pénurie|vers la pénurie|hausse", "shortage|up")),
        ("surplus", words("excédent|vers l'excédent|baisse", "surplus|down")),
    )
)
COUNTED: Final = choices(
    (
        ("tokens", words("pions|pion", "tokens|token")),
        ("ducats", words("ducats|ducat", "ducats|ducat")),
        ("cards", words("cartes|carte", "cards|card")),
    )
)

PROVINCE_TITLE: Final = words("province", "province")
PROVINCES_TITLE: Final = words("provinces", "provinces")
POWER_TITLE: Final = words("puissance", "power")
CARD_TITLE: Final = words("carte", "card")
CARDS_TITLE: Final = words("cartes", "cards")
TOKENS_TITLE: Final = words("pions", "tokens")
DUCATS_TITLE: Final = words("ducats", "ducats")
GOOD_TITLE: Final = words("marchandise", "good")
ADVANCE_TITLE: Final = words("progrès", "advance")
NUMBER_TITLE: Final = words("nombre", "number")
_AT_FR: Final = ("À", "AU", "AUX", "EN", "DANS", "SUR", "CONTRE", "CHEZ", "POUR")
_AT_EN: Final = ("AT", "IN", "ON", "AGAINST", "TO", "FOR")


def at(fr: str, en: str) -> Words:
    """What leads to a target: all such words are understood, these two are printed."""
    return words(fr, en) | words("|".join(w for w in _AT_FR if w != fr), "|".join(w for w in _AT_EN if w != en))
