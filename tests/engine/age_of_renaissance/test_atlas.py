"""The geography of the board, against what the rulebook says can be reached and what its example does."""

from collections.abc import Callable, Iterable
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
    neighbours,
    overseas_room,
    sea_distance,
    upgraded,
)
from engine.age_of_renaissance.catalogue import PROVINCES, REGIONS_IN_PLAY, Special, income
from engine.kernel.languages import LANGUAGES
from engine.kernel.reading import read_table

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
    assert all(p in NEIGHBOURS[q] and p != q for p in PROVINCES for q in neighbours(p))
    assert sum(map(len, NEIGHBOURS.values())) == 2 * 146


@pytest.mark.parametrize("kind", ["land", "coast"])
def test_no_border_is_written_twice(kind: str) -> None:
    """Each pair of the table of borders stands there once, and names provinces and segments that exist."""
    pairs = [pair for group in read_table("engine.age_of_renaissance", "borders")[kind] for pair in group["pairs"]]
    assert len({frozenset(pair) for pair in pairs}) == len(pairs) == {"land": 146, "coast": 110}[kind]
    known = set(PROVINCES) if kind == "land" else {coast for coasts in COASTS.values() for coast in coasts}
    assert known.issuperset(name for pair in pairs for name in pair)


def test_twelve_seas_wash_known_coasts() -> None:
    """§4.2: twelve named seas, each with a name in both languages, and coasts of coastal provinces only."""
    known = {coast for coasts in COASTS.values() for coast in coasts}
    assert len(SEAS) == 12
    assert all(known.issuperset(sea.coasts) and len(set(sea.coasts)) == len(sea.coasts) for sea in SEAS.values())
    assert all(all(sea.words.printed(tag) for tag in LANGUAGES) for sea in SEAS.values())


def test_venezia_is_coastal_and_dijon_is_not() -> None:
    """§4.1: a coastal province has land and light blue water; Venezia is one, Dijon is none."""
    assert "venezia" in COASTS
    assert "dijon" not in COASTS


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


def test_the_board_is_one_piece() -> None:
    """Every other province can be got to from Paris by land and coast."""
    seen, waiting = {"paris"}, ["paris"]
    while waiting:
        here = waiting.pop()
        fresh = (set(neighbours(here)) | within(here, 1)) - seen
        seen |= fresh
        waiting += fresh
    assert seen == {p.id for p in PROVINCES.values() if p.special is None}


def test_arrows_cross_a_border() -> None:
    """§9.5.2: an arrow of a satellite crosses a border, of land or water, into a province that can be controlled."""
    for satellite in (p for p in PROVINCES.values() if p.satellite):
        near = neighbours(satellite.id) | within(satellite.id, 1)
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


def test_galley_2_from_london() -> None:
    """§9.4.1: exactly these eight provinces."""
    listed = {"edinburgh", "york", "portsmouth", "cornwall", "saint_malo", "paris", "bruges", "amsterdam"}
    assert within("london", 2) == listed
    assert {p for p in PROVINCES if p != "london" and reached("london", p, GALLEY_2)} == listed | {"chester"}


def test_galley_2_from_stockholm() -> None:
    """§9.4.1: Stettin along the coast; Danzig and Riga only across the Baltic, with Astronomy."""
    assert "stettin" in within("stockholm", 2)
    assert not within("stockholm", 2) & {"danzig", "riga"}
    assert within("stockholm", 2, astronomy=True) >= {"danzig", "riga"}
    assert reached("stockholm", "riga", GALLEY_2) is None
    assert reached("stockholm", "riga", GALLEY_2, "A") == Reach(How.SHIP, 2)


def test_paris_needs_a_ship_for_london() -> None:
    """§9.4.1: no token of Paris in London without Galley 2 or Seaworthy Vessels."""
    assert reached("paris", "london") is None
    assert reached("paris", "london", advances="I") is None
    assert reached("paris", "london", GALLEY_2) == Reach(How.SHIP, 2)


def test_copenhagen_to_malmo_needs_a_ship() -> None:
    """§4.2: water without land is crossed by ship only."""
    assert reached("copenhagen", "malmo") is None
    assert reached("copenhagen", "malmo", GALLEY_2) is not None


@pytest.mark.parametrize(("start", "target", "steps"), [("oran", "tripoli", 3), ("corfu", "adalia", 6)])
def test_distances_of_the_example(start: str, target: str, steps: int) -> None:
    """Turn 3: Oran-Tripoli needs Galley 4; Corfu-Adalia is just in the range of Galley 6."""
    assert sea_distance(start, target, astronomy=False) == steps


def test_barcelona_by_galley_2() -> None:
    """Turn 1: Grenada, Marseille and Palma are reached thanks to Galley 2 only."""
    for target in ("grenada", "marseille", "palma"):
        assert reached("barcelona", target) is None
        assert reached("barcelona", target, GALLEY_2) == Reach(How.SHIP, 2)


@pytest.mark.holds("age_of_renaissance", "ruling", "R3")
def test_one_sea_for_each_shipment() -> None:
    """R3: Astronomy crosses one sea; two seas in a row stay out of reach, however long the range."""
    assert sea_distance("iceland", "edinburgh", astronomy=True) == 2
    assert sea_distance("iceland", "mauritania", astronomy=True) is None


@pytest.mark.holds("age_of_renaissance", "ruling", "R4")
def test_bay_of_biscay() -> None:
    """R4: it washes every coast from Edinburgh to Sevilla, and the Channel side of Portsmouth only."""
    assert {"edinburgh", "sevilla", "portsmouth#channel", "bordeaux"} <= set(SEAS["bay_of_biscay"].coasts)
    assert "portsmouth#bristol" not in SEAS["bay_of_biscay"].coasts


def test_norwegian_sea_is_decoration() -> None:
    """R4: its two coasts touch anyway, so that crossing it wins nothing."""
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
    """§9.4.1: Galleon opens the Far East, the Americas need New World too; any number of tokens."""
    for target in OVERSEAS:
        assert reached("genoa", target, SEAWORTHY_10, "RU") is None
        assert reached("genoa", target, GALLEON_1, "U") == Reach(How.OCEAN)
        assert (reached("genoa", target, GALLEON_1) is None) == (PROVINCES[target].region == "new_world")
    assert reached("genoa", "lisboa", GALLEON_1) == Reach(How.SHIP)


def test_room_for_overseas_boxes() -> None:
    """§9.4.1: a Galleon keeps up as many overseas boxes as its level, other ships none."""
    assert [overseas_room(Ship(Hull.GALLEON, level)) for level in LEVELS[Hull.GALLEON]] == [1, 2, 3, 4]
    assert [overseas_room(ship) for ship in (None, GALLEY_8, SEAWORTHY_10)] == [0, 0, 0]


def test_upgrades() -> None:
    """§9.4.1: level by level within a kind, from nothing to Galley 2; no way from Galley 8 to Seaworthy 10."""
    assert [LEVELS[hull] for hull in Hull] == [(2, 4, 6, 8), (10, 12, 14, 16), (1, 2, 3, 4)]
    assert upgraded(None) == GALLEY_2
    assert upgraded(GALLEY_2) == GALLEY_4
    assert upgraded(SEAWORTHY_10) == Ship(Hull.SEAWORTHY, 12)
    assert [upgraded(Ship(hull, levels[-1])) for hull, levels in LEVELS.items()] == [None, None, None]


# --- land, caravans, regions ------------------------------------------------------------------------------------


def test_land_before_everything_else() -> None:
    """§9.5: a land border imposes no limit, whatever ship and caravan could do as well."""
    assert reached("genoa", "roma", GALLEY_2, "I") == Reach(How.LAND)


@pytest.mark.holds("age_of_renaissance", "ruling", "R48")
def test_own_pieces_lift_the_limit_of_ships() -> None:
    """R48: a province with old tokens of one's own is reached by land."""
    bases = frozenset({"genoa", "tunis"})
    assert in_reach(bases, "tunis", GALLEY_2, frozenset(), ALL, nobody) == Reach(How.HELD)


def test_caravan_crosses_one_open_province() -> None:
    """§9.5: two provinces by land with Caravan, the first not controlled by an opponent; nothing without it."""
    bases = frozenset({"barcelona"})
    assert in_reach(bases, "lisboa", None, frozenset(), ALL, nobody) is None
    assert in_reach(bases, "lisboa", None, frozenset("I"), ALL, nobody) == Reach(How.CARAVAN, None, "toledo")
    assert in_reach(bases, "lisboa", None, frozenset("I"), ALL, lambda p: p != "toledo") is None


def test_caravan_takes_another_way_round() -> None:
    """R17: only the province crossed counts; where another one is open, the caravan goes there."""
    bases = frozenset({"barcelona"})
    assert in_reach(bases, "lyon", None, frozenset("I"), ALL, lambda p: p == "montpellier") is not None
    assert in_reach(bases, "lyon", None, frozenset("I"), ALL, lambda p: p != "montpellier") is None


def test_caravan_does_not_combine_with_ships() -> None:
    """§9.5: no caravan on from where a ship could land: Barcelona's Galley 2 sees Marseille, not Genoa's Milano."""
    assert reached("barcelona", "marseille", GALLEY_2, "I") is not None
    assert reached("barcelona", "milano", GALLEY_2, "I") is None


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


def test_no_caravan_could_cross_region_v() -> None:
    """§9.5 says nothing about crossing region V without the Silk Road; the board never raises the question."""
    east = {p.id for p in PROVINCES.values() if p.region == "V"}
    for crossed in east:
        outside = NEIGHBOURS[crossed] - east
        assert all(q in NEIGHBOURS[p] for p in outside for q in outside - {p})


def test_hamburg_has_a_way_by_land_into_region_v() -> None:
    """Strategies: Hamburg's region touches region V by land (Novgorod and Kiev)."""
    assert "kiev" in NEIGHBOURS["novgorod"]
    assert PROVINCES["novgorod"].region == PROVINCES["hamburg"].region == "I"


def test_regions_out_of_play() -> None:
    """§8.2: with three players ships pass the coasts of regions I to III, but nothing stays or goes on foot there."""
    assert reached("venezia", "wien", regions=THREE) is None
    assert closed("wien", GALLEON_1, frozenset("RU"), THREE) == "out_of_play"
    assert reached("bordeaux", "dijon", advances="I", regions=THREE) is None
    caravans = {reached("venezia", p, advances="I", regions=THREE) for p in PROVINCES}
    assert not any(r and r.via and PROVINCES[r.via].region not in THREE for r in caravans)
    no_iberia = ALL - {"IV"}
    assert reached("grenada", "montpellier", GALLEY_4, regions=no_iberia) == Reach(How.SHIP, 4)


@pytest.mark.parametrize(
    ("target", "ship", "advances", "reason"),
    [
        ("china", None, "", "galleon"),
        ("china", SEAWORTHY_10, "U", "galleon"),
        ("china", GALLEON_1, "", None),
        ("north_america", GALLEON_1, "", "new_world"),
        ("north_america", GALLEON_1, "U", None),
        ("cairo", None, "", None),
    ],
)
def test_why_a_province_is_closed(target: str, ship: Ship | None, advances: str, reason: str | None) -> None:
    """§9.4.1, A2: what a power may not hold is named by what it lacks; the range of its fleet is no reason."""
    assert closed(target, ship, frozenset(advances), ALL) == reason


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

Pieces = dict[str, int | None]
"""Province -> tokens of a player, or None for their control marker."""
Move = tuple[str, int, str]
"""Where, how many tokens, and what comes of it: control, tokens, lost, won, card."""


class Example:
    """The pieces of the three players of the example, moved only where the atlas lets them."""

    def __init__(self) -> None:
        """Each starts with a marker on their capital."""
        self.capital = {"bleu": "barcelona", "violet": "genoa", "jaune": "venezia"}
        self.own: dict[str, Pieces] = {player: {home: None} for player, home in self.capital.items()}

    def transit_for(self, player: str) -> Callable[[str], bool]:
        """R17: whether no opponent controls a province now."""
        rivals = [pieces for other, pieces in self.own.items() if other != player]
        return lambda p: not any(p in r and r[p] in (None, PROVINCES[p].capacity) for r in rivals)

    def expand(self, player: str, ship: Ship | None, advances: str, moves: Iterable[Move]) -> tuple[int, int]:
        """Tokens spent and markers placed; fails where a move could not be made."""
        bases, landed, markers = frozenset(self.own[player]) | {self.capital[player]}, dict[str, int](), 0
        for target, tokens, outcome in moves:
            landed[target] = landed.get(target, 0) + tokens
            if outcome != "card":
                way = in_reach(bases, target, ship, frozenset(advances), THREE, self.transit_for(player))
                assert way is not None, f"{player} cannot reach {target}"
                assert way.limit is None or landed[target] <= way.limit, f"{player}: too many by ship to {target}"
                markers += self.place(player, target, tokens, outcome)
        return sum(landed.values()), markers

    def place(self, player: str, target: str, tokens: int, outcome: str) -> bool:
        """Puts pieces down; whether they are a new marker."""
        if outcome == "lost":
            return False
        if outcome == "won":
            for pieces in self.own.values():
                pieces.pop(target, None)
            self.own[player][target] = 1 if PROVINCES[target].satellite else None
            return not PROVINCES[target].satellite
        total = (self.own[player].get(target) or 0) + tokens
        assert total <= PROVINCES[target].capacity
        full = total == PROVINCES[target].capacity and not PROVINCES[target].satellite
        assert full == (outcome == "control")
        self.own[player][target] = None if full else total
        return full

    def incomes(self) -> list[int]:
        """§9.6 for the three."""
        return [income(3, sum(held is None for held in pieces.values())) for pieces in self.own.values()]

    def producing(self, player: str, good: str) -> int:
        """How many producers of a good a player controls."""
        return sum(held is None and good in PROVINCES[p].goods for p, held in self.own[player].items())


def moves(text: str, outcome: str) -> list[Move]:
    """`province tokens, province tokens` with one outcome."""
    return [(name, int(tokens), outcome) for name, tokens in (part.split() for part in text.split(","))]


def test_example_of_play() -> None:
    """Example of play: every placement of turns 1 to 3 is in reach, fits the capacities and gives the printed sums."""
    game = Example()
    _first_turn(game)
    _second_turn(game)
    _third_turn(game)


def _first_turn(game: Example) -> None:
    bleu = moves("montpellier 2, san_sebastian 2, valencia 2, grenada 2, toledo 3", "control")
    bleu += moves("marseille 1", "tokens") + moves("toulouse 1, palma 1", "tokens")
    assert game.expand("bleu", GALLEY_2, "", bleu) == (14, 5)
    violet = moves("lyon 4, firenze 4, milano 3, roma 4", "control") + moves("napoli 2", "tokens")
    assert game.expand("violet", GALLEY_2, "", violet) == (17, 4)
    jaune = moves("dubrovnik 3", "control") + moves("firenze 8", "lost") + moves("firenze 8", "won")
    assert game.expand("jaune", None, "", jaune) == (19, 2)
    assert game.incomes() == [33, 27, 24]


def _second_turn(game: Example) -> None:
    game.own["jaune"]["saint_jean_d_acre"] = None
    game.own["jaune"]["firenze"] = 1
    game.own["violet"]["genoa"] = 1
    jaune = moves("firenze 3, belgrad 2, suez 3", "control")
    assert game.expand("jaune", None, "I", jaune) == (8, 3)
    bleu = moves("lisboa 3, sevilla 3, marseille 4, bordeaux 4, fez 2", "control")
    bleu += [*moves("leon 1, oran 1", "tokens"), ("", 3, "card")]
    assert game.expand("bleu", GALLEY_2, "", bleu) == (21, 5)
    violet = moves("genoa 4, napoli 3, palermo 2, tunis 4, tripoli 2", "control")
    violet += moves("bari 1, durazzo 1, corfu 1", "tokens")
    assert game.expand("violet", GALLEY_4, "", violet) == (18, 5)
    assert game.incomes() == [48, 39, 33]


def _third_turn(game: Example) -> None:
    assert (game.producing("bleu", "timber"), game.producing("jaune", "timber")) == (2, 1)
    assert game.producing("bleu", "wool") == 2
    bleu = moves("algiers 2", "control") + moves("cagliari 1", "tokens") + [("", 3, "card")]
    assert game.expand("bleu", GALLEY_2, "", bleu) == (6, 1)
    jaune = moves("alexandria 5, cairo 4, aleppo 4", "control") + moves("levant 1, jerusalem 1", "tokens")
    jaune += moves("durazzo 3", "lost") + moves("durazzo 3", "won") + moves("saloniki 2", "control")
    assert game.expand("jaune", None, "IR", jaune) == (23, 4)
    violet = moves("smyrna 2, constantinople 4, heraklion 3", "control")
    violet += moves("athina 1, galipoli 1, adalia 1", "tokens") + moves("grenada 3, grenada 3", "lost")
    violet += moves("belgrad 3", "won") + moves("barca 1, lybia 1", "tokens") + moves("durazzo 1", "lost")
    assert game.expand("violet", GALLEY_6, "", violet) == (24, 4)
    assert game.incomes() == [51, 51, 42]
    assert game.producing("jaune", "spice") == 2
    assert [4 - game.producing(player, "grain") for player in ("jaune", "bleu", "violet")] == [4, 3, 2]


@pytest.mark.holds("age_of_renaissance", "ruling", "R17")
def test_saloniki_only_through_the_durazzo_just_taken() -> None:
    """Turn 3, R17: while Violet holds Durazzo, a full satellite, no caravan of Jaune passes; afterwards one does."""
    bases = frozenset({"belgrad"})
    assert in_reach(bases, "saloniki", None, frozenset("I"), THREE, lambda p: p != "durazzo") is None
    assert in_reach(bases, "saloniki", None, frozenset("I"), THREE, nobody) == Reach(How.CARAVAN, None, "durazzo")
