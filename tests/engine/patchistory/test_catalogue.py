"""What the rulebook says of the components, against the tables of the game."""

from collections import Counter

import pytest

from engine.patchistory.catalogue import (
    ACTIONS,
    ALLIED_ROUTES,
    ALLIED_TRACK,
    BUILDINGS,
    EQUALITY,
    ERAS,
    FIRST_PACK,
    GOODS,
    KEEP,
    LEVELS,
    LIBERTY,
    LIMITS,
    MAIN_ROUTES,
    MAIN_SPACES,
    MAIN_TRACK,
    PROSPERITY,
    ROOMS,
    SET_UP,
    SIDES,
    SOURCES,
    SPECIALS,
    STOCKS,
    SYMBOLS,
    TILES,
    UPKEEP,
    VOTE,
    WAR,
    Face,
    Kind,
    Op,
    When,
)
from engine.patchistory.territory import capital, placements

ALLOWED = {
    "industry": {"food", "resource"},
    "economy": {"money"},
    "culture": {"culture"},
    "politics": {"politics"},
    "transport": {"transport"},
    "military": {"military", "defence"},
}
"""What a general building of each domain yields outside its gold frame."""


CLARIFIED = {
    1: "great_wall_of_china hanging_gardens_of_babylon petra constantine_i cyrus_the_great moses",
    2: ("angkor_wat chichen_itza kremlin christopher_columbus genghis_khan joan_of_arc vasco_da_gama yi_sun_sin"),
    3: (
        "apollo_11 schwerer_gustav statue_of_liberty stealth_bomber wall_street "
        "che_guevara karl_marx mahatma_gandhi otto_von_bismarck"
    ),
}
"""Précisions sur les Merveilles et Héros, by era."""


def total(face: Face) -> Counter[str]:
    """The symbols of a side outside gold frames."""
    found = Counter[str]()
    for letter in face.rooms:
        found.update(face.room(letter).base)
    return found


@pytest.mark.holds("patchistory", "ruling", "A-47")
def test_counts_of_components_are_those_of_the_rulebook() -> None:
    """25 land tiles an era, 36 building tiles, 15 prosperity cards, 14 and 4 routes (Contenu du jeu)."""
    assert Counter(tile.era for tile in TILES.values()) == {1: 25, 2: 25, 3: 25}
    assert (len(FIRST_PACK), len(PROSPERITY), MAIN_ROUTES, ALLIED_ROUTES, len(LIBERTY)) == (36, 15, 14, 4, 4)
    assert {building.cost for building in BUILDINGS.values()} == {2, 3}


def test_every_side_has_four_squares_in_whole_locations() -> None:
    """Tuiles Terrain: locations of squares that touch; white sides of general buildings, black of one special thing.

    Each fits on the Equality capital within 5x5, also wholly over or wholly under.
    """
    for tile in TILES.values():
        for side in SIDES:
            face = tile.face(side)
            assert [len(row) for row in face.rows] == [2, 2]
            assert set("".join(face.rows)) == set(face.rooms) == set("ABCD"[: len(face.rooms)])
            assert "".join(face.rows) not in ("ABBA", "ABBC", "ABCA"), f"{tile.id} {side}: a location in two parts"
            kinds = [face.room(letter).kind for letter in face.rooms]
            assert sum(kind in SPECIALS for kind in kinds) == (side == "black")
            assert {kind for kind in kinds if kind not in SPECIALS} <= {Kind.GENERAL, Kind.SEA, Kind.WASTELAND}
            assert kinds.count(Kind.SEA) <= 1
            assert any(placements(capital(EQUALITY), tile.id, face, LIMITS[0], mixed=False)), f"{tile.id} {side}"


def test_each_special_thing_is_on_one_tile() -> None:
    """75 heroes, wonders and special buildings: 9, 9 and 7 an era; each in the era of its chapter (Précisions)."""
    found = Counter((tile.era, tile.special.kind) for tile in TILES.values())
    for era in range(1, ERAS + 1):
        assert [found[era, kind] for kind in (Kind.WONDER, Kind.HERO, Kind.SPECIAL)] == [9, 9, 7]
    assert len({tile.special.id for tile in TILES.values()}) == 75
    eras = {tile.special.id: tile.era for tile in TILES.values()}
    for era, names in CLARIFIED.items():
        assert {eras[name] for name in names.split()} == {era}
        assert {SOURCES[ROOMS[name].source["name"]]["tag"] for name in names.split()} == {"rulebook"}


def test_every_location_yields_what_its_kind_may() -> None:
    """General buildings yield by their domain, Sea and Wasteland nothing; special things have effects."""
    for room in ROOMS.values():
        assert all(name in SYMBOLS and 1 <= n <= 6 for part in (room.base, room.gold) for name, n in part.items())
        plain = room.kind is Kind.GENERAL
        assert bool(room.base or room.gold) == plain
        assert set(room.base) <= (ALLOWED[room.domain] if plain else set())
        assert bool(room.effects) == (room.kind in SPECIALS)
        for effect in room.effects:
            assert set(effect.symbols) <= {*SYMBOLS, VOTE}
            assert not effect.action or effect.action in ACTIONS
            if effect.op in (Op.GAIN, Op.GAIN_PER):
                kept = LEVELS if effect.when is When.PERMANENT else STOCKS
                assert set() < set(effect.symbols) <= set(kept), effect


def test_capitals_show_the_symbols_of_the_examples() -> None:
    """Equality as in the example of placement; one Liberty side as in the example of set-up; all four differ."""
    assert total(EQUALITY) == dict.fromkeys(("food", "money", "culture", "politics", "transport", "military"), 1)
    assert total(LIBERTY["merchants"]) == {"money": 2, "politics": 1, "transport": 1, "food": 2}
    assert len({tuple(sorted(total(face).items())) for face in LIBERTY.values()}) == 4
    for face in (EQUALITY, *LIBERTY.values()):
        assert [len(row) for row in face.rows] == [3, 3]
        assert total(face)["politics"] >= 1 <= total(face)["transport"]


def test_set_up_and_scales_are_those_of_the_rulebook() -> None:
    """4 Food, 3 Money, 20 Culture, 4 building tiles, 3 cards, 8 workers; 5x5, 6x6, 7x7; war, upkeep."""
    given = {"food": 4, "resource": 0, "money": 3, "culture": 20, "vote": 0}
    assert {name: SET_UP[name] for name in STOCKS} == given
    assert (SET_UP["building_tiles"], SET_UP["prosperity_cards"], SET_UP["workers"]) == (4, 3, 8)
    assert LIMITS == (5, 6, 7)
    assert (WAR["preparation"], WAR["aggressor"], WAR["defender"]) == ([0, 1, 2], [5, 10, 15], [3, 6, 9])
    assert dict(KEEP) == {"hero_food": 2, "wonder_resource": 1, "missing_food": 3, "missing_resource": 6}
    assert len(UPKEEP) == 9
    assert list(UPKEEP) == sorted(UPKEEP)
    assert 5 in UPKEEP


def test_actions_cost_what_the_rulebook_prints() -> None:
    """2. Diplomatie et Administration: Politics Points, and goods by era."""
    points = {"aid": 2, "threat": 3, "commerce": 1, "exchange": 1, "train": 2, "honour_heroes": 2, "honour_wonders": 2}
    points |= {"construct_main_route": 2, "clear": 2, "construct_building": 3, "campaign": 1}
    assert {action.id: action.pp for action in ACTIONS.values()} == points
    goods = {"commerce": (2, 3, 4), "train": (4, 5, 6), "honour_heroes": (1, 2, 3), "honour_wonders": (0, 1, 2)}
    assert {name: ACTIONS[name].cost for name in goods} == goods


def test_routes_have_the_spaces_that_the_rulebook_names() -> None:
    """A main route starts, ends with return/preparation and war/return; an allied one has a start at both ends."""
    assert MAIN_SPACES[0] == "start"
    assert MAIN_SPACES[-2:] == ("return_preparation", "war_return")
    assert not MAIN_TRACK[0]
    assert not MAIN_TRACK[-1]
    assert not ALLIED_TRACK[0]
    assert not ALLIED_TRACK[-1]
    assert {good for space in (*MAIN_TRACK, *ALLIED_TRACK) for good in space} <= set(GOODS)


def test_every_prosperity_card_counts_another_thing() -> None:
    """15 cards, 15 aspects; those that the rulebook names are among them (7. Vote, Cartes Prospérité)."""
    named = {card.id for card in PROSPERITY.values() if SOURCES[card.source]["tag"] == "rulebook"}
    assert {name.removeprefix("rank_") for name in named} == {
        "military",
        "food_production",
        "culture_production",
        "wastelands",
        "heroes",
        "trade_routes",
    }
    assert len({card.counts for card in PROSPERITY.values()}) == 15
