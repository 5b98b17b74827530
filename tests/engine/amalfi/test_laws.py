"""The laws that every game keeps, held against whole games of bots."""

import pytest

from engine.amalfi.ruleset import RULES
from engine.kernel.bots import Temper
from tests.engine.amalfi.case import OPTIONS
from tests.every_game import Case, hold_laws, played

KEEN = Temper(suggested=95, fancy=10, passing=2, absent=1, meddling=0, keen=80, lines=3, tries=6)
CASE = Case(
    RULES,
    games=12,
    sampled=13,
    options=OPTIONS,
    tempers=(KEEN, Temper(), Temper(meddling=12, asking=30, fancy=40)),
)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(CASE.games))
def test_whole_games_keep_the_laws(number: int) -> None:
    """Games of one to four, with every option: facts make positions, nothing hidden is told, all ends."""
    beginning = list(CASE.beginnings())[number]
    game = played(CASE, beginning, CASE.tempers[number % len(CASE.tempers)])
    hold_laws(CASE, beginning, game)
    assert game.position.core.ending in RULES.meta.endings
