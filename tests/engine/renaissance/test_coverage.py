"""What simulated games must show: named in the catalogue, and held by tests that are marked for it."""

import pytest

from engine.renaissance.catalogue import KINDS, NATIONS
from engine.renaissance.coverage import COVERAGE
from tests.every_game import shelf
from tests.rule_marks import held


def test_every_privilege_has_its_test() -> None:
    """The ten states each have a test marked for them; no mark names a thing that is not there."""
    things = held("renaissance").keys()
    assert {name for kind, name in things if kind == "privilege"} == set(NATIONS)
    expected = {(kind, name) for kind, names in COVERAGE.expected.items() for name in names}
    assert {thing for thing in things if thing[0] in COVERAGE.expected} <= expected


@pytest.mark.night
def test_every_kind_of_card_is_used_in_some_game_of_bots() -> None:
    """What lies in hands all the time and is never played is a card that nobody tried."""
    entries = [entry for _, game in shelf("renaissance").games for entry in game.entries]
    things = {thing for entry in entries for thing in COVERAGE.witness(entry)}
    assert {name for kind, name in things if kind == "card"} == set(KINDS)
