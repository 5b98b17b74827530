"""The geography of the board, against what the rulebook says can be reached and what its example does."""

from collections.abc import Set as AbstractSet

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.age_of_renaissance.atlas import (
    COASTS,
    LEVELS,
    NEIGHBOURS,
    SATELLITES,
    SEAS,
    How,
    Hull,
    Reach,
    Ship,
    closed,
    in_reach,
    overseas_room,
    sea_distance,
)
from engine.age_of_renaissance.catalogue import PROVINCES, REGIONS_IN_PLAY, Special
from engine.kernel.languages import LANGUAGES

ALL = REGIONS_IN_PLAY[6]
THREE = REGIONS_IN_PLAY[3]
GALLEY_2, GALLEY_4, GALLEY_6, GALLEY_8 = (Ship(Hull.GALLEY, level) for level in (2, 4, 6, 8))
SEAWORTHY_10, GALLEON_1 = Ship(Hull.SEAWORTHY, 10), Ship(Hull.GALLEON, 1)
OVERSEAS = {"china", "india", "east_indies", "north_america", "south_america"}


def nobody(_: str) -> bool:
    """Transit where no opponent controls anything."""
    return True


def reached(
    base: str, target: str, ship: Ship | None = None, advances: str = "", regions: AbstractSet[str] = ALL
) -> Reach | None:
    """`in_reach` from one base, where no opponent controls anything."""
    return in_reach(frozenset({base}), target, ship, frozenset(advances), regions, nobody)


def within(start: str, limit: int, astronomy: bool = False) -> set[str]:
    """The other provinces that a galley of this range reaches."""
    distances = {p: sea_distance(start, p, astronomy) for p in COASTS if p != start}
    return {p for p, distance in distances.items() if distance is not None and distance <= limit}


# --- structure --------------------------------------------------------------------------------------------------


def test_land_borders_are_mutual_and_complete() -> None:
    """§9.5: 146 land borders, each known from both sides; no province borders on itself."""
    assert all(p in NEIGHBOURS[q] and p != q for p in PROVINCES for q in NEIGHBOURS[p])
    assert sum(map(len, NEIGHBOURS.values())) == 2 * 146


def test_twelve_seas_wash_known_coasts() -> None:
    """§4.2: twelve named seas, each with a name in both languages, and coasts of coastal provinces only."""
    known = {coast for coasts in COASTS.values() for coast in coasts}
    assert len(SEAS) == 12
    assert all(known.issuperset(sea.coasts) and len(set(sea.coasts)) == len(sea.coasts) for sea in SEAS.values())
    assert all(all(sea.words.printed(tag) for tag in LANGUAGES) for sea in SEAS.values())


def test_four_provinces_have_two_coasts() -> None:
    """R4: a ship cannot pass over the land of Roma, Napoli, Portsmouth or Chester from one coast to the other."""
    assert {p for p, coasts in COASTS.items() if len(coasts) == 2} == {"roma", "napoli", "portsmouth", "chester"}
    assert sea_distance("firenze", "genoa", astronomy=False) != 2


def test_only_overseas_and_sea_boxes_have_no_coast_neighbour() -> None:
    """§4.1: Iceland and Mauritania lie beyond a sea, the five transoceanic boxes beyond the ocean."""
    alone = {p for p in COASTS if not within(p, 99)}
    assert alone == {"iceland", "mauritania"} | OVERSEAS
    assert {p.id for p in PROVINCES.values() if p.special is Special.SEA_ONLY} == alone - OVERSEAS
    assert {p.id for p in PROVINCES.values() if p.special is Special.OVERSEAS} == OVERSEAS
    assert not any(NEIGHBOURS[p] for p in alone)


def test_arrows_cross_a_border() -> None:
    """§9.5.2: an arrow of a satellite crosses a border, of land or water, into a province that can be controlled."""
    for satellite in (p for p in PROVINCES.values() if p.satellite):
        near = NEIGHBOURS[satellite.id] | within(satellite.id, 1)
        assert near.issuperset(satellite.points_to)
        assert not any(PROVINCES[p].satellite for p in satellite.points_to)
        assert all(satellite.id in SATELLITES[p] for p in satellite.points_to)


@pytest.mark.holds("age_of_renaissance", "ruling", "R2")
@given(st.sampled_from(sorted(COASTS)), st.sampled_from(sorted(COASTS)))
def test_sea_distance_is_symmetric_and_astronomy_never_lengthens(one: str, other: str) -> None:
    """R2, R3: the way back is as long as the way there, and being allowed to cross a sea costs nothing."""
    for astronomy in (False, True):
        assert sea_distance(one, other, astronomy) == sea_distance(other, one, astronomy)
    coast, crossing = (sea_distance(one, other, astronomy) for astronomy in (False, True))
    assert coast is None or (crossing is not None and crossing <= coast)


def test_inland_provinces_have_no_sea_distance() -> None:
    """§4.1: no ship comes to Milano; a shore is at no distance from itself."""
    assert sea_distance("genoa", "milano", astronomy=True) is None
    assert sea_distance("milano", "genoa", astronomy=True) is None
    assert sea_distance("genoa", "genoa", astronomy=False) == 0


# --- what the text says about ships -----------------------------------------------------------------------------


def test_what_galley_2_reaches() -> None:
    """§9.4.1: from London exactly eight provinces; from Stockholm Stettin along the coast, Danzig and Riga only across
    the Baltic, with Astronomy.
    """
    listed = {"edinburgh", "york", "portsmouth", "cornwall", "saint_malo", "paris", "bruges", "amsterdam"}
    assert within("london", 2) == listed
    assert {p for p in PROVINCES if p != "london" and reached("london", p, GALLEY_2)} == listed | {"chester"}
    assert "stettin" in within("stockholm", 2)
    assert not within("stockholm", 2) & {"danzig", "riga"}
    assert within("stockholm", 2, astronomy=True) >= {"danzig", "riga"}
    assert reached("stockholm", "riga", GALLEY_2) is None
    assert reached("stockholm", "riga", GALLEY_2, "A") == Reach(How.SHIP, 2)


def test_water_without_land_needs_a_ship() -> None:
    """§4.2, §9.4.1: no token of Paris in London, nor of Copenhagen in Malmö, without a ship; a caravan is none."""
    assert reached("paris", "london") is None
    assert reached("paris", "london", advances="I") is None
    assert reached("paris", "london", GALLEY_2) == Reach(How.SHIP, 2)
    assert reached("copenhagen", "malmo") is None
    assert reached("copenhagen", "malmo", GALLEY_2) is not None


@pytest.mark.holds("age_of_renaissance", "ruling", "R3")
def test_one_sea_for_each_shipment() -> None:
    """R3: Astronomy crosses one sea; two seas in a row stay out of reach, however long the range."""
    assert sea_distance("iceland", "edinburgh", astronomy=True) == 2
    assert sea_distance("iceland", "mauritania", astronomy=True) is None


@pytest.mark.holds("age_of_renaissance", "ruling", "R4")
def test_seas_that_the_rulebook_leaves_open() -> None:
    """R4: Biscay washes every coast from Edinburgh to Sevilla; the Norwegian Sea joins coasts that touch anyway."""
    assert {"edinburgh", "sevilla", "portsmouth#channel", "bordeaux"} <= set(SEAS["bay_of_biscay"].coasts)
    assert "portsmouth#bristol" not in SEAS["bay_of_biscay"].coasts
    assert set(SEAS["norwegian_sea"].coasts) == {"shetland", "bergen"}
    assert sea_distance("shetland", "bergen", astronomy=False) == 1


@pytest.mark.parametrize(("target", "base"), [("iceland", "edinburgh"), ("mauritania", "sevilla")])
def test_boxes_beyond_a_sea(target: str, base: str) -> None:
    """§4.1: Galley needs Astronomy for Iceland and Mauritania; Seaworthy Vessels and Galleon do not."""
    assert reached(base, target, GALLEY_8) is None
    assert reached(base, target, GALLEY_2, "A") == Reach(How.SHIP, 2)
    assert reached(base, target, SEAWORTHY_10) == Reach(How.SHIP, 10)
    assert reached(base, target, GALLEON_1) == Reach(How.SHIP)


def test_seaworthy_vessels_go_to_every_coast() -> None:
    """§9.4.1: any coastal province but the overseas boxes, and region V only with the Silk Road."""
    for target in COASTS:
        shut = target in OVERSEAS or PROVINCES[target].region == "V"
        assert (reached("genoa", target, SEAWORTHY_10) is None) == shut
        assert (reached("genoa", target, SEAWORTHY_10, "R") is None) == (target in OVERSEAS)


def test_galleons_cross_the_ocean() -> None:
    """§9.4.1: Galleon opens the Far East, the Americas need New World too; any number of tokens.

    It keeps up as many overseas boxes as its level, other ships none.
    """
    assert [overseas_room(Ship(Hull.GALLEON, level)) for level in LEVELS[Hull.GALLEON]] == [1, 2, 3, 4]
    assert [overseas_room(ship) for ship in (None, GALLEY_8, SEAWORTHY_10)] == [0, 0, 0]
    for target in OVERSEAS:
        assert reached("genoa", target, SEAWORTHY_10, "RU") is None
        assert reached("genoa", target, GALLEON_1, "U") == Reach(How.OCEAN)
        assert (reached("genoa", target, GALLEON_1) is None) == (PROVINCES[target].region == "new_world")
    assert reached("genoa", "lisboa", GALLEON_1) == Reach(How.SHIP)


# --- land, caravans, regions ------------------------------------------------------------------------------------


def test_caravan_takes_another_way_round() -> None:
    """R17: only the province crossed counts; where another one is open, the caravan goes there."""
    bases = frozenset({"barcelona"})
    assert in_reach(bases, "lyon", None, frozenset("I"), ALL, lambda p: p == "montpellier") is not None
    assert in_reach(bases, "lyon", None, frozenset("I"), ALL, lambda p: p != "montpellier") is None


def test_caravan_carries_more_than_a_ship() -> None:
    """§9.4.1, §9.5: where both lead to a province, the caravan sets no limit; if its way is shut, the ship's holds."""
    bases = frozenset({"genoa"})
    open_way = in_reach(bases, "montpellier", GALLEY_2, frozenset("I"), ALL, nobody)
    shut_way = in_reach(bases, "montpellier", GALLEY_2, frozenset("I"), ALL, lambda _: False)
    assert open_way is not None
    assert (open_way.how, open_way.limit) == (How.CARAVAN, None)
    assert shut_way == Reach(How.SHIP, 2)


def test_region_v_needs_the_silk_road() -> None:
    """§9.5: no province of region V may be occupied without the Silk Road, by whatever way."""
    for target in (p.id for p in PROVINCES.values() if p.region == "V"):
        around = NEIGHBOURS[target] | {"constantinople"}
        assert in_reach(around, target, GALLEON_1, frozenset("IAU"), ALL, nobody) is None
        assert closed(target, None, frozenset(), ALL) == "silk_road"
        assert closed(target, None, frozenset("R"), ALL) is None
    assert reached("constantinople", "angora", advances="R") == Reach(How.LAND)
    assert reached("galipoli", "varna", advances="R") == Reach(How.LAND)


def test_regions_out_of_play() -> None:
    """§8.2: with three players ships pass the coasts of regions I to III, but nothing stays or goes on foot there."""
    assert reached("venezia", "wien", regions=THREE) is None
    assert closed("wien", GALLEON_1, frozenset("RU"), THREE) == "out_of_play"
    assert reached("bordeaux", "dijon", advances="I", regions=THREE) is None
    caravans = {reached("venezia", p, advances="I", regions=THREE) for p in PROVINCES}
    assert not any(r and r.via and PROVINCES[r.via].region not in THREE for r in caravans)
    no_iberia = ALL - {"IV"}
    assert reached("grenada", "montpellier", GALLEY_4, regions=no_iberia) == Reach(How.SHIP, 4)


bases_drawn = st.frozensets(st.sampled_from(sorted(PROVINCES)), min_size=1, max_size=8)
ships_drawn = st.sampled_from([None, *(Ship(hull, level) for hull, levels in LEVELS.items() for level in levels)])
advances_drawn = st.frozensets(st.sampled_from("AIRU"))


@given(bases_drawn, st.sampled_from(sorted(PROVINCES)), ships_drawn, advances_drawn)
def test_reach_follows_its_definition(
    bases: frozenset[str], target: str, ship: Ship | None, held: frozenset[str]
) -> None:
    """§9.4.1, §9.5: a province is reached by ship exactly if open, coastal, not nearer by land, and in range."""
    found = in_reach(bases, target, ship, held, ALL, lambda _: False)
    if closed(target, ship, held, ALL):
        assert found is None
    elif target in bases or NEIGHBOURS[target] & bases:
        assert found is not None
        assert found.limit is None
    elif ship is None or target not in COASTS:
        assert found is None
    elif ship.hull is Hull.GALLEY:
        far = [sea_distance(base, target, "A" in held) for base in bases]
        assert found == (Reach(How.SHIP, ship.level) if any(d is not None and d <= ship.level for d in far) else None)
    else:
        assert found == (Reach(How.OCEAN) if target in OVERSEAS else Reach(How.SHIP, ship.load))


@given(bases_drawn, st.sampled_from(sorted(PROVINCES)), ships_drawn, advances_drawn, st.sampled_from(sorted(PROVINCES)))
def test_more_never_reaches_less(
    bases: frozenset[str], target: str, ship: Ship | None, held: frozenset[str], more: str
) -> None:
    """One more base or advance never closes a province that was in reach."""
    if in_reach(bases, target, ship, held, ALL, nobody):
        assert in_reach(bases | {more}, target, ship, held, ALL, nobody)
        assert in_reach(bases, target, ship, held | frozenset("AIRU"), ALL, nobody)


# --- the example of play ----------------------------------------------------------------------------------------
