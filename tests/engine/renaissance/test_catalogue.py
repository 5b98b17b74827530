"""The tables: what is printed, where each fact comes from, and that they fit together."""

from collections.abc import Iterator
from typing import Any

import pytest

from engine.kernel.data_tables import load_table
from engine.renaissance.catalogue import (
    ARTISTS,
    CARDS,
    EMBASSY,
    FACES,
    KINDS,
    PROVINCES,
    ROADS,
    STRENGTH,
    SUPPLIES,
    TOWNS,
    TROOPS,
    TURNS,
    year,
)
from engine.renaissance.meta import META

TABLES = ("map", "cards", "tables", "scenarios")
LABELS = {"seed", "reconstructed", "memory", "public"}


def sources(thing: Any) -> Iterator[str]:
    """Every label of a source in a table."""
    if isinstance(thing, dict):
        for key, value in thing.items():
            if key == "source" or key.endswith("_source"):
                yield from value.values() if isinstance(value, dict) else (value,)
            else:
                yield from sources(value)
    elif isinstance(thing, list):
        for part in thing:
            yield from sources(part)


@pytest.mark.parametrize("name", TABLES)
def test_every_table_says_where_its_facts_come_from(name: str) -> None:
    """The rulebook, or a reconstruction that an owner of the board may replace; help says so."""
    found = list(sources(load_table("engine.renaissance", name)))
    assert found
    assert set(found) <= LABELS
    assert META.reconstructed is not None


def test_the_map_is_of_39_cities_in_23_provinces() -> None:
    """One or two cities to a province, each city in one; roads go both ways; islands have ports."""
    assert (len(TOWNS), len(PROVINCES)) == (39, 23)
    assert sorted(town for p in PROVINCES.values() for town in p.cities) == sorted(TOWNS)
    assert all(TOWNS[town].province == p.id for p in PROVINCES.values() for town in p.cities)
    assert all(town in ROADS[other] for town, others in ROADS.items() for other in others)
    assert sum(len(others) for others in ROADS.values()) == 2 * 67
    assert all(ROADS[town] or TOWNS[town].port for town in TOWNS)
    assert sum(town.port for town in TOWNS.values()) == 15


def test_the_deck_is_of_eighty_cards_in_fifteen_kinds() -> None:
    """Five kinds of blue card worth 3 to 7, five red, five yellow."""
    assert len(CARDS) == 80
    assert [KINDS[kind].value for kind in TROOPS] == [3, 4, 5, 6, 7]
    colours = [kind.colour for kind in KINDS.values()]
    assert {colour: colours.count(colour) for colour in colours} == {"blue": 5, "red": 5, "yellow": 5}


def test_the_pieces_in_the_box() -> None:
    """Le jeu comprend  As many pieces as the rulebook lists; walls are worth 2, 4 and 6, an empty city nothing."""
    assert STRENGTH == (0, 2, 4, 6)
    assert SUPPLIES == {
        "ramparts": 20,
        "castles": 10,
        "palaces": 10,
        "garrisons": 21,
        "artists": 12,
        "pillage": 10,
    }
    assert len(ARTISTS) == 12
    assert [artist.id for artist in ARTISTS.values() if artist.burns] == ["savonarole"]


def test_dice_and_years() -> None:
    """Two dice of an embassy have one meaning each; the Condottiere die has six faces; six turns of eight years."""
    assert [total for low, high, _ in EMBASSY for total in range(low, high + 1)] == list(range(2, 13))
    assert len(FACES) == 6
    assert {"rout", "betrayal", "4", "5", "6"} == set(FACES)
    assert [year("standard", turn) for turn in range(TURNS + 1)] == [1454, 1454, 1462, 1470, 1478, 1486, 1494]
