"""What simulated games must show: named in the catalogue, and held by tests that are marked for it.

In 200 games each for two, three and four players, all with the usual options, the bots brought about every effect of
a tile, building, card, order form and question; what none of them did is named below.
"""

import pytest

from engine.patchistory.catalogue import TILES
from engine.patchistory.coverage import COVERAGE
from engine.patchistory.ruleset import RULES
from tests.every_game import shelf
from tests.rule_marks import held

NAME = RULES.meta.name
NEVER_MET = {
    ("reaction", "crowd"),
    ("reaction", "voyage"),
}
"""What none of the many games brought about, options apart."""


def test_what_bots_never_meet_has_its_test() -> None:
    """What bots never bring about; no mark names a thing that is not there."""
    things = held(NAME).keys()
    assert things >= NEVER_MET
    expected = {(kind, name) for kind, names in COVERAGE.expected.items() for name in names}
    assert {thing for thing in things if thing[0] in COVERAGE.expected} <= expected


@pytest.mark.night
def test_tiles_of_every_era_are_placed_in_some_game_of_bots() -> None:
    """Special things of each era come into play, so that what they do is met in whole games too."""
    entries = [entry for _, game in shelf(NAME).games for entry in game.entries]
    placed = {name for entry in entries for kind, name in COVERAGE.witness(entry) if kind == "special"}
    for era in (1, 2, 3):
        assert placed & {tile.special.id for tile in TILES.values() if tile.era == era}
