"""What the rulebook prints about provinces, cards, advances and scales, against the tables of the game.

The figures below are those of the French rulebook, slips included. A figure that we do not take is named in WAIVERS.
"""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import product

import pytest

from engine.age_of_renaissance.catalogue import (
    ADVANCES,
    CAPITALS,
    CARDS,
    CATEGORIES,
    COLOURS,
    GOODS,
    MARKERS,
    MISERY,
    PRODUCERS,
    PROVINCES,
    REGIONS,
    REGIONS_IN_PLAY,
    RETURN_TURN,
    SLOTS,
    STRUCK,
    WAIVERS,
    WITHHELD,
    Province,
    expansion_card,
    income,
)
from engine.kernel.catalogues import Words

REGION_ROW = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "far_east", "new_world")
TABLE_1 = {
    "provinces": (6, 8, 11, 5, 8, 6, 13, 11, 3, 2),
    "tokens": (18, 25, 35, 13, 19, 24, 8, 28, 15, 12),
    "satellites": (5, 5, 5, 2, 3, 5, 3, 6, 0, 0),
    "revenue": (30, 55, 86, 36, 64, 69, 100, 97, 123, 41),
    "stone": (1, 0, 3, 0, 0, 0, 4, 0, 0, 0),
    "wool": (0, 4, 0, 2, 1, 0, 0, 2, 0, 0),
    "timber": (2, 1, 0, 0, 1, 0, 2, 1, 0, 0),
    "grain": (1, 1, 1, 0, 1, 0, 2, 1, 0, 1),
    "cloth": (0, 0, 3, 0, 0, 0, 3, 1, 0, 1),
    "wine": (0, 0, 1, 2, 0, 1, 1, 1, 0, 0),
    "metal": (1, 1, 1, 0, 0, 0, 1, 2, 0, 1),
    "fur": (1, 0, 1, 0, 2, 0, 0, 0, 0, 1),
    "silk": (0, 0, 0, 1, 1, 1, 0, 1, 2, 0),
    "spice": (0, 0, 0, 0, 1, 2, 0, 0, 3, 1),
    "gold": (0, 0, 1, 0, 1, 1, 0, 0, 1, 1),
    "ivory": (0, 1, 0, 0, 0, 1, 0, 2, 0, 0),
}
TABLE_2 = {
    "provinces": (48, 59, 67, 73),
    "stone": (4, 7, 7, 8),
    "wool": (5, 5, 9, 9),
    "timber": (4, 4, 5, 7),
    "grain": (5, 6, 7, 8),
    "cloth": (5, 8, 8, 8),
    "wine": (5, 6, 6, 6),
    "metal": (4, 5, 6, 7),
    "fur": (3, 4, 4, 5),
    "silk": (6, 6, 6, 6),
    "spice": (7, 7, 7, 7),
    "gold": (4, 5, 5, 5),
    "ivory": (3, 3, 4, 4),
    "revenue": (1602, 2122, 2449, 2737),
    "cheap": (623, 1053, 1310, 1598),
    "dear": (979, 1069, 1139, 1139),
}
SQUARES = (1, 4, 9, 16, 25, 36, 49, 64, 81, 100)
CONTROL_CARDS = {
    "stone": 8,
    "wool": 9,
    "timber": 7,
    "grain": 8,
    "cloth": 8,
    "wine": 6,
    "metal": 7,
    "fur": 5,
    "silk": 6,
    "spice": 7,
    "gold": 5,
    "ivory": 4,
}
CAPACITIES = (
    "tunis 4, fez 2, belgrad 2, bari 1, oran 1, montpellier 2, san_sebastian 2, valencia 2, grenada 2, toledo 3, "
    "lyon 4, firenze 4, milano 3, roma 4, dubrovnik 3, lisboa 3, sevilla 3, bordeaux 4, marseille 5, suez 3, genoa 5, "
    "napoli 5, palermo 2, tripoli 2, algiers 2, alexandria 5, cairo 4, aleppo 4, saloniki 2, smyrna 2, "
    "constantinople 4, heraklion 3, saint_malo 2"
)
PRODUCES = {
    "cloth": "venezia genoa firenze",
    "wine": "barcelona lisboa marseille strasbourg",
    "wool": "san_sebastian toledo algiers",
    "stone": "montpellier milano roma",
    "silk": "valencia",
    "metal": "grenada lyon constantinople",
    "timber": "dubrovnik bordeaux fez",
    "spice": "saint_jean_d_acre alexandria",
    "grain": "belgrad palermo sevilla",
}


def same_or_waived(name: str, printed: object, ours: object) -> bool:
    """Return True if a printed figure is ours, or waived under this name with exactly these two values."""
    waiver = WAIVERS.get(name)
    return printed == ours if waiver is None else (waiver.printed, waiver.taken) == (printed, ours)


def producing(regions: Iterable[str]) -> list[Province]:
    """The provinces of some regions that are no satellites."""
    return [p for p in PROVINCES.values() if not p.satellite and p.region in regions]


def counted(provinces: Iterable[Province]) -> Counter[str]:
    """How many of these provinces produce each good."""
    return Counter(good for p in provinces for good in p.goods)


def revenue(counts: Mapping[str, int], goods: Iterable[str]) -> int:
    """Base value times the square of the producers, summed."""
    return sum(GOODS[good].base * counts[good] ** 2 for good in goods)


def spelt(name: str) -> str:
    """A name without case, accents and everything that is no letter or figure."""
    return "".join(c for c in unicodedata.normalize("NFKD", name.casefold()) if c.isalnum())


# --- provinces --------------------------------------------------------------------------------------------------


def test_board_has_107_boxes() -> None:
    """73 provinces can be controlled (B2) and 34 are satellites."""
    assert Counter(p.satellite for p in PROVINCES.values()) == {False: 73, True: 34}


@pytest.mark.parametrize("province", PROVINCES.values(), ids=lambda p: p.id)
def test_province_is_well_formed(province: Province) -> None:
    """§4.3, §4.7, §9.5.2: a satellite holds one token, makes nothing and has an arrow; others make 1, 2 or 3 goods."""
    if province.satellite:
        assert (province.capacity, province.goods) == (1, ())
        assert province.points_to
    else:
        assert province.capacity >= 2
        assert len(province.goods) == {"far_east": 2, "new_world": 3}.get(province.region, 1)
        assert not province.points_to


@pytest.mark.parametrize(("row", "column"), list(product(TABLE_1, range(10))))
def test_first_table_of_b2(row: str, column: int) -> None:
    """B2 table 1: what each region holds."""
    region, found = REGION_ROW[column], producing([REGION_ROW[column]])
    goods = counted(found)
    ours = {
        "provinces": len(found),
        "tokens": sum(p.capacity for p in found),
        "satellites": sum(p.satellite and p.region == region for p in PROVINCES.values()),
        "revenue": revenue(goods, GOODS),
    }
    name = f"tokens_region_{region}" if row == "tokens" else ""
    assert same_or_waived(name, TABLE_1[row][column], ours.get(row, goods[row]))


@pytest.mark.parametrize(("row", "players"), list(product(TABLE_2, SLOTS)))
def test_second_table_of_b2(row: str, players: int) -> None:
    """B2 table 2: what is in play with 3, 4, 5 and 6 players; §8.2: overseas boxes always are."""
    found = producing(REGIONS_IN_PLAY[players])
    goods = counted(found)
    ours = {
        "provinces": len(found),
        "revenue": revenue(goods, GOODS),
        "cheap": revenue(goods, list(GOODS)[:8]),
        "dear": revenue(goods, list(GOODS)[8:]),
    }
    assert TABLE_2[row][players - 3] == ours.get(row, goods[row])


def test_capacities_that_the_text_states() -> None:
    """§9.5.2 examples 1-5, example of play turns 1-3, strategies: the capacities that can be read there."""
    printed = dict(pair.split() for pair in CAPACITIES.split(", "))
    assert {province: str(PROVINCES[province].capacity) for province in printed} == printed


@pytest.mark.parametrize(("good", "provinces"), PRODUCES.items())
def test_goods_that_the_text_states(good: str, provinces: str) -> None:
    """§9.3.1 and the example of play: what these provinces are said to produce."""
    assert {PROVINCES[province].goods for province in provinces.split()} == {(good,)}


@pytest.mark.holds("age_of_renaissance", "ruling", "R5")
def test_regions_and_satellites_that_the_text_states() -> None:
    """§4.5 to §4.7, §8.2, §9.5.2, turns 1-3, R5: Hamburg in I, Acre in VI, Belgrad and Bari in VII; China's goods and
    the sources of gold; single tokens in satellites, Oran pointing to Fez, Sankt Gallen not to Nürnberg.
    """
    stated = {
        "I": ["hamburg"],
        "II": ["london"],
        "III": ["paris"],
        "IV": ["barcelona"],
        "VI": ["saint_jean_d_acre"],
        "VII": ["venezia", "genoa", "belgrad", "bari"],
    }
    assert all(PROVINCES[p].region == region for region, inside in stated.items() for p in inside)
    assert PRODUCERS["gold"] == {"india", "south_america", "suez", "sarai", "praha"}
    assert set(PROVINCES["china"].goods) == {"silk", "spice"}
    single = "toulouse palma leon cagliari durazzo corfu levant jerusalem athina galipoli adalia barca lybia bari oran"
    assert all(PROVINCES[p].satellite for p in single.split())
    assert "fez" in PROVINCES["oran"].points_to
    assert "belgrad" in PROVINCES["durazzo"].points_to
    assert "nurnberg" not in PROVINCES["sankt_gallen"].points_to


# --- names ------------------------------------------------------------------------------------------------------


def clashes(named: Iterable[tuple[str, Words]]) -> list[str]:
    """Spellings that stand for more than one thing."""
    meant: dict[str, set[str]] = {}
    for key, words in named:
        for word in words.all_forms():
            meant.setdefault(spelt(word), set()).add(key)
    return [word for word, keys in meant.items() if len(keys) > 1]


def test_no_spelling_names_two_provinces() -> None:
    """A name in an order, whatever its case, accents and signs, is one province's only; ids are names too."""
    named = [(p.id, p.words) for p in PROVINCES.values()]
    ids = [(p.id, Words.same(p.id)) for p in PROVINCES.values()]
    assert clashes([*named, *ids]) == []


def test_no_spelling_names_two_other_things() -> None:
    """Goods, advances, categories, regions, and cards apart from copies of one card, each have names of their own."""
    assert clashes((g.id, g.words) for g in GOODS.values()) == []
    assert clashes((a.letter, a.words) for a in ADVANCES.values()) == []
    assert clashes((c.id, c.words) for c in CATEGORIES.values()) == []
    assert clashes((r.id, r.words) for r in REGIONS.values()) == []
    assert clashes((c.words.printed("en"), c.words) for c in CARDS.values()) == []


@pytest.mark.parametrize(
    ("written", "meant"),
    {
        "Copenhague": "copenhagen",
        "Alger": "algiers",
        "grenade": "grenada",
        "Granada": "grenada",
        "athenes": "athina",
        "Athens": "athina",
        "Acre": "saint_jean_d_acre",
        "St Jean d'Acre": "saint_jean_d_acre",
        "Londres": "london",
        "Venise": "venezia",
        "Gênes": "genoa",
        "Edimbourg": "edinburgh",
        "Crete": "heraklion",
        "Extrême-Orient": "east_indies",
        "Amérique du sud": "south_america",
        "West Africa": "mauritania",
        "St. Malo": "saint_malo",
        "SAN SEBASTIAN": "san_sebastian",
        "Sicily": "palermo",
        "Nuremberg": "nurnberg",
    }.items(),
)
def test_everyday_names_are_understood(written: str, meant: str) -> None:
    """Everyday French and English names of the places are accepted beside those of the board."""
    assert [p.id for p in PROVINCES.values() if spelt(written) in map(spelt, p.words.all_forms())] == [meant]


# --- sources ----------------------------------------------------------------------------------------------------


# --- goods and scales -------------------------------------------------------------------------------------------


def test_eighty_control_cards() -> None:
    """List of contents: one control card for each province that produces a good, 80 in all."""
    assert {good: len(producers) for good, producers in PRODUCERS.items()} == CONTROL_CARDS
    assert {good.id: good.control_cards for good in GOODS.values()} == CONTROL_CARDS
    assert sum(CONTROL_CARDS.values()) == 80


@pytest.mark.parametrize("good", GOODS)
def test_progressions(good: str) -> None:
    """A1, §9.3.1: base times the square, as many boxes as a shortage and Manufactures can need, ten at most (R24)."""
    boxes = SQUARES[: CONTROL_CARDS[good] + 2]
    assert GOODS[good].progression == tuple(GOODS[good].base * square for square in boxes)


def test_scales() -> None:
    """A1, §9.5.1, §9.6.1, R19: base values from stone 1 to gold and ivory 10; dice name goods from 2 to 12, which
    strikes both; 3 tokens for the first card of an expansion, 18 for the sixth.
    """
    assert [g.base for g in GOODS.values()] == [1, 2, 3, 4, 5, 5, 6, 7, 8, 9, 10, 10]
    assert [g.die for g in GOODS.values()] == [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 12]
    assert (STRUCK[2], STRUCK[12]) == (("stone",), ("gold", "ivory"))
    assert [expansion_card(n) for n in range(6)] == [3, 6, 9, 12, 15, 18]


@pytest.mark.parametrize("players", SLOTS)
def test_income_table(players: int) -> None:
    """§9.6: 15 ducats and as many per province as there were players, for 0 to 25 markers."""
    assert [income(players, n) for n in range(MARKERS + 1)] == list(range(15, 16 + 25 * players, players))


def test_misery_ladder() -> None:
    """§4.7, §8.4, §9.4.4: 26 rising boxes from 0 to 1000."""
    assert (len(MISERY), MISERY[0], MISERY[-1]) == (26, 0, 1000)
    assert list(MISERY) == sorted(set(MISERY))


# --- set-up -----------------------------------------------------------------------------------------------------


def test_capitals_and_regions_by_players() -> None:
    """§8.2: capitals join in printed order, and with each its region; their region is in play."""
    assert CAPITALS[3] == ("venezia", "genoa", "barcelona")
    assert [CAPITALS[n][-1] for n in (4, 5, 6)] == ["paris", "london", "hamburg"]
    overseas = {"far_east", "new_world"}
    assert [len(REGIONS_IN_PLAY[n] - overseas) for n in (3, 4, 5, 6)] == [5, 6, 7, 8]
    assert REGIONS_IN_PLAY[3] == {"IV", "V", "VI", "VII", "VIII"} | overseas
    assert all(PROVINCES[c].region in REGIONS_IN_PLAY[n] for n in SLOTS for c in CAPITALS[n])
    assert set(CAPITALS[6]) == {p.id for p in PROVINCES.values() if p.capital} == set(COLOURS)


def test_slots_by_players() -> None:
    """§3: with three players ranks 2, 4 and 6 are used; always as many as players, rising."""
    assert SLOTS[3] == (2, 4, 6)
    assert all(len(ranks) == n and list(ranks) == sorted(set(ranks)) for n, ranks in SLOTS.items())


def test_withheld_cards() -> None:
    """§8.1: Crusades, Walter, Rashid, spice and silk of epoch 1 come in at turn 1 with 3-4 players, else at turn 2."""
    assert WITHHELD == ("crusades", "walter", "rashid", "spice_1", "silk_1")
    assert all(CARDS[card].epoch == 1 for card in WITHHELD)
    assert dict(RETURN_TURN) == {3: 1, 4: 1, 5: 2, 6: 2}
