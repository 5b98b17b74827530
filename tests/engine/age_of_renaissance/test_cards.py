"""What the rulebook prints about cards, advances and odds, against the tables of the game."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from engine.age_of_renaissance.catalogue import ADVANCES, CARDS, CATEGORIES, ODDS, Kind
from engine.age_of_renaissance.phases.strength import wins

CARDS_BY_EPOCH = {
    ("stone",): (2, 0, 0),
    ("wool",): (2, 0, 0),
    ("timber",): (1, 2, 0),
    ("grain",): (0, 2, 0),
    ("cloth",): (0, 1, 1),
    ("wine",): (0, 1, 1),
    ("cloth", "wine"): (1, 0, 0),
    ("metal",): (1, 1, 1),
    ("fur",): (1, 0, 1),
    ("silk",): (1, 1, 1),
    ("spice",): (1, 1, 1),
    ("gold",): (0, 0, 1),
    ("ivory", "gold"): (1, 0, 0),
}
PERCENT = {
    1: ("90.28", "100.0", "93.06", "100.0"),
    2: ("80.56", "90.28", "86.11", "93.06"),
    3: ("70.83", "80.56", "79.17", "86.11"),
    4: ("61.11", "70.83", "72.22", "79.17"),
    5: ("51.39", "61.11", "65.28", "72.22"),
    6: ("41.67", "51.39", "58.33", "65.28"),
}


# --- cards ------------------------------------------------------------------------------------------------------


def test_cards_by_epoch() -> None:
    """A1-A3: commodities 11/9/7, events 13/5/0, leaders 5/8/6."""
    found = Counter((c.kind, c.epoch) for c in CARDS.values())
    assert [found[Kind.COMMODITY, e] for e in (1, 2, 3)] == [11, 9, 7]
    assert [found[Kind.EVENT, e] for e in (1, 2, 3)] == [13, 5, 0]
    assert [found[Kind.LEADER, e] for e in (1, 2, 3)] == [5, 8, 6]


@pytest.mark.holds("age_of_renaissance", "ruling", "R36")
def test_first_piles() -> None:
    """R36: 29 cards of epoch 1, 22 of epoch 2, 13 of epoch 3."""
    assert Counter(c.epoch for c in CARDS.values()) == {1: 29, 2: 22, 3: 13}


@pytest.mark.parametrize("goods", CARDS_BY_EPOCH)
def test_commodity_cards(goods: tuple[str, ...]) -> None:
    """A1, §7.1: how many cards of each good come in each epoch, the two double cards included."""
    found = Counter(c.epoch for c in CARDS.values() if c.goods == goods)
    assert tuple(found[e] for e in (1, 2, 3)) == CARDS_BY_EPOCH[goods]


def test_cards_that_come_back() -> None:
    """§4.7, §7.2, §7.3: commodities and most events are shuffled in again; leaders, weapons and Mongols are not."""
    gone = {c.id for c in CARDS.values() if c.kind is Kind.EVENT and not c.recycles}
    assert gone == {"stirrups", "armor", "mongols", "long_bow", "gunpowder"}
    assert all(c.recycles == (c.kind is Kind.COMMODITY) for c in CARDS.values() if c.kind is not Kind.EVENT)


# --- advances ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("category", "letters", "total"),
    [
        ("sciences", "ABCD", 300),
        ("religion", "EFGH", 300),
        ("commerce", "IJKLM", 300),
        ("culture", "NOPQ", 300),
        ("voyages", "RSTU", 400),
        ("society", "VWXYZ", 500),
    ],
)
def test_categories(category: str, letters: str, total: int) -> None:
    """§6, player sheet: what belongs to each category and what it costs in all."""
    inside = [a for a in ADVANCES.values() if a.category == category]
    assert "".join(a.letter for a in inside) == letters
    assert sum(a.cost for a in inside) == total == CATEGORIES[category].total


def test_tiered_categories() -> None:
    """§9.4.2: Sciences, Commerce and Culture count for the reductions of misery."""
    assert {c.id for c in CATEGORIES.values() if c.tiered} == {"sciences", "commerce", "culture"}


# --- odds -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", list(product(range(1, 7), (False, True), (False, True))), ids=str)
def test_odds_by_enumeration(case: tuple[int, bool, bool]) -> None:
    """B1: of the 216 throws of each case as many win as the odds say, which round to the printed percentage."""
    rank, weapon, faith = case
    die = range(1, 7)
    won = sum(wins(rank, faith, weapon, throw) for throw in product(die, die, die))
    assert ODDS[case] == Fraction(won, 216)
    assert abs(ODDS[case] * 100 - Fraction(PERCENT[rank][2 * weapon + faith])) <= Fraction(1, 200)
