"""What simulated games must show: named in the catalogue, and held by tests that exist."""

import re
from pathlib import Path

import pytest

from engine.renaissance.catalogue import KINDS, NATIONS
from engine.renaissance.census import CENSUS, PRIVILEGES, RULINGS
from tests.every_game import shelf

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("named", sorted(set(CENSUS.elsewhere.values())))
def test_every_test_that_is_named_exists(named: str) -> None:
    """A ruling is held by a test that can be run under its name."""
    file, _, test = named.partition("::")
    assert re.search(rf"^def {test}\(", (ROOT / file).read_text(encoding="utf-8"), re.M)


def test_every_ruling_and_privilege_has_its_test() -> None:
    """A1 to A32, and the ten states."""
    assert list(RULINGS) == list(range(1, 33))
    assert set(PRIVILEGES) == set(NATIONS)


def test_every_kind_of_card_is_used_in_some_game_of_bots() -> None:
    """What lies in hands all the time and is never played is a card that nobody tried."""
    entries = [entry for _, game in shelf("renaissance").games for entry in game.entries]
    things = {thing for entry in entries for thing in CENSUS.witness(entry)}
    assert {name for kind, name in things if kind == "card"} == set(KINDS)
