"""What simulated games must show: named in the catalogue, and held by tests that are marked for it."""

import pytest

from engine.patchistory.catalogue import TILES
from engine.patchistory.coverage import COVERAGE, RULINGS
from tests.every_game import shelf
from tests.holding import held


def test_every_ruling_has_its_test() -> None:
    """A-01 to A-47 each have a test marked for them."""
    assert {name for kind, name in held("patchistory") if kind == "ruling"} == set(RULINGS)


def test_everything_that_tests_are_marked_to_hold_is_there() -> None:
    """A ruling or an effect that was renamed leaves no mark behind."""
    expected = {(kind, name) for kind, names in COVERAGE.expected.items() for name in names}
    assert {thing for thing in held("patchistory") if thing[0] in COVERAGE.expected} <= expected


@pytest.mark.slow
def test_tiles_of_every_era_are_placed_in_some_game_of_bots() -> None:
    """Special things of each era come into play, so that what they do is met in whole games too."""
    entries = [entry for _, game in shelf("patchistory").games for entry in game.entries]
    placed = {name for entry in entries for kind, name in COVERAGE.witness(entry) if kind == "special"}
    for era in (1, 2, 3):
        assert placed & {tile.special.id for tile in TILES.values() if tile.era == era}
