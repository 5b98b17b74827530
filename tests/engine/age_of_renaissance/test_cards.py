"""What the rulebook prints about cards, advances and odds, against the tables of the game."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from engine.age_of_renaissance.catalogue import ADVANCES, CARDS, CATEGORIES, ODDS, Kind

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
SHEET = (
    "A30/20 B60/20 C90/20 D120/20 E30/20 F60/20 G90/20 H120/20 I20/10 J40/10 K50/10 L80/10 M110/0 N30/30 O60/20 "
    "P90/10 Q120/0 R40/20 S80/20 T120/20 U160/0 V20/20 W60/30 X100/40 Y150/50 Z170/60"
)
LEADERS = {
    "charlemagne": (1, {"W": 20}),
    "dionysius": (1, {"N": 20}),
    "rashid": (1, {"N": 10, "R": 10}),
    "benedict": (1, {"N": 10, "E": 10}),
    "walter": (1, {"R": 20}),
    "columbus": (2, {"U": 30, "T": 30}),
    "erasmus": (2, {"O": 20, "Q": 20}),
    "ibn_majid": (2, {"T": 20, "Y": 20}),
    "gutenberg": (2, {"O": 30}),
    "marco_polo": (2, {"R": 20, "Y": 20}),
    "copernicus": (2, {"A": 20, "X": 20}),
    "henry": (2, {"T": 20, "X": 20}),
    "caxton": (2, {"O": 20}),
    "vesalius": (3, {"B": 20, "D": 20}),
    "las_casas": (3, {"Y": 30}),
    "galileo": (3, {"A": 20, "Q": 20}),
    "oldenburg": (3, {"D": 30}),
    "da_vinci": (3, {"P": 20, "B": 20, "Q": 20}),
    "newton": (3, {"C": 20, "D": 20}),
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


def test_sixty_four_cards() -> None:
    """List of contents, §7: 27 commodity cards, 18 events, 19 leaders."""
    assert Counter(c.kind for c in CARDS.values()) == {Kind.COMMODITY: 27, Kind.EVENT: 18, Kind.LEADER: 19}


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


@pytest.mark.parametrize("leader", LEADERS)
def test_leaders(leader: str) -> None:
    """A3: epoch and credits of each leader; §9.3.3: the same advances name the leader on the sheet."""
    card = CARDS[leader]
    assert (card.epoch, card.credits) == LEADERS[leader]
    assert [a.letter for a in ADVANCES.values() if leader in a.leaders] == sorted(card.credits)


def test_no_other_leaders() -> None:
    """A3 lists nineteen leaders, and only they give credits."""
    assert {c.id for c in CARDS.values() if c.credits} == {c.id for c in CARDS.values() if c.kind is Kind.LEADER}
    assert len(LEADERS) == 19


def test_boosts() -> None:
    """A3, R28, R51: Walter gives 30 in the turn of Crusades, before or after; Marco Polo 40 only after the Mongols."""
    boosts = {c.id: (c.boost.with_card, c.boost.credit, c.boost.before_too) for c in CARDS.values() if c.boost}
    assert boosts == {"walter": ("crusades", 30, True), "marco_polo": ("mongols", 40, False)}


def test_weapons() -> None:
    """A2: each weapon is undone by those that A2 names; the older two become burdens after the newer two."""
    weapons = {c.id: set(c.beaten_by) for c in CARDS.values() if c.military}
    assert weapons == {
        "stirrups": {"armor", "long_bow", "gunpowder"},
        "armor": {"long_bow", "gunpowder"},
        "long_bow": {"gunpowder"},
        "gunpowder": set(),
    }
    burdened = {c.id for c in CARDS.values() if c.burden and set(c.burden.after) == {"long_bow", "gunpowder"}}
    assert burdened == {"stirrups", "armor"}


def test_other_burdens() -> None:
    """A2, §7.2: what makes Crusades, Papal Decree, Alchemist's Gold and Mysticism unplayable for good."""
    found = {
        c.id: (c.burden.after, c.burden.in_epoch, "".join(c.burden.all_hold))
        for c in CARDS.values()
        if c.burden and not c.military
    }
    assert found == {
        "crusades": (("mongols",), None, ""),
        "papal_bull": (("religious_strife",), 3, ""),
        "alchemist": ((), None, "C"),
        "mysticism": ((), None, "ABCD"),
    }


def test_what_the_enlightened_ruler_stops() -> None:
    """A2: Mysticism, Religious Strife, Civil War, Uprisings, Rebellion and Alchemist's Gold."""
    stopped = {"mysticism", "religious_strife", "civil_war", "uprisings", "rebellion", "alchemist"}
    assert set(CARDS["enlightened_ruler"].shields) == stopped


def test_what_events_choose_and_give() -> None:
    """A2: Pirates hit 1, 2, 3 provinces by epoch, Mongols pay 10, Papal Decree has three categories to choose from."""
    assert CARDS["pirates"].targets == (1, 2, 3)
    assert CARDS["mongols"].cash == 10
    assert CARDS["papal_bull"].categories == ("sciences", "religion", "voyages")
    aims = Counter(str(c.aim) for c in CARDS.values() if c.aim)
    assert aims == {"seat": 3, "province": 2, "provinces": 1, "region": 1, "category": 1}


# --- advances ---------------------------------------------------------------------------------------------------


def test_sheet_of_advances() -> None:
    """Player sheet: cost and credit of the 26 advances."""
    assert " ".join(f"{a.letter}{a.cost}/{a.credit}" for a in ADVANCES.values()) == SHEET


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


def test_misery_at_purchase() -> None:
    """§9.4.2, player sheet: each advance of Religion costs a step, Anatomy and Agronomy take one off."""
    assert {a.letter: a.misery for a in ADVANCES.values() if a.misery} == {
        "B": -1,
        "E": 1,
        "F": 1,
        "G": 1,
        "H": 1,
        "K": -1,
    }


def test_tiered_categories() -> None:
    """§9.4.2: Sciences, Commerce and Culture count for the reductions of misery."""
    assert {c.id for c in CATEGORIES.values() if c.tiered} == {"sciences", "commerce", "culture"}


def test_prerequisites() -> None:
    """§9.4.2: the text prints A and S before T; the Euro aids agree and add theirs, none of them in a circle."""
    assert {a.letter: a.needs_printed for a in ADVANCES.values() if a.needs_printed} == {"T": ("A", "S")}
    assert {a.letter: "".join(a.needs) for a in ADVANCES.values() if a.needs} == {
        "H": "F",
        "J": "I",
        "K": "J",
        "L": "K",
        "M": "L",
        "O": "N",
        "P": "O",
        "Q": "P",
        "T": "AS",
        "U": "VT",
        "Y": "R",
        "Z": "K",
    }
    held: set[str] = set()
    while ready := {a.letter for a in ADVANCES.values() if a.letter not in held and held.issuperset(a.needs)}:
        held |= ready
    assert held == set(ADVANCES)


# --- odds -------------------------------------------------------------------------------------------------------


def wins(green: int, black: int, white: int, rank: int, weapon: bool, faith: bool) -> bool:
    """§9.5.2: whether the attacker wins this throw."""
    return green > rank or (faith and green == rank) or black > white or (weapon and black == white)


@pytest.mark.parametrize("case", ODDS, ids=str)
def test_odds_by_enumeration(case: tuple[int, bool, bool]) -> None:
    """B1: the odds are exactly the winning throws out of 216, and round to the printed percentages."""
    rank, weapon, faith = case
    throws = product(range(1, 7), repeat=3)
    won = sum(wins(green, black, white, rank, weapon, faith) for green, black, white in throws)
    assert ODDS[case] == Fraction(won, 216)
    printed = Fraction(PERCENT[rank][2 * weapon + faith])
    assert abs(ODDS[case] * 100 - printed) <= Fraction(1, 200)


def test_odds_of_every_rank() -> None:
    """B1: six ranks, with or without a military advantage, with or without Faith."""
    assert set(ODDS) == set(product(range(1, 7), (False, True), (False, True)))
