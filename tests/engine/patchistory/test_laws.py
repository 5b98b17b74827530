"""The laws that every game keeps, held against whole games of bots."""

import pytest

from engine.kernel.bots import Temper
from engine.patchistory.ruleset import RULES
from tests.every_game import Case, hold_laws, played

KEEN = Temper(suggested=95, fancy=10, passing=2, absent=1, meddling=0, keen=80, lines=8, tries=6)
CASE = Case(
    RULES,
    games=6,
    sampled=13,
    options=(
        {},
        {"pace": "order", "side": "liberty", "failures": "again"},
        {"goods": "open", "voting": "once", "mixed": "no", "failures": "drop"},
        {"pace": "order", "voting": "once", "goods": "open", "unanswered": "ask"},
    ),
    tempers=(Temper(meddling=0), KEEN),
)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(CASE.games))
def test_whole_games_keep_the_laws(number: int) -> None:
    """Games of two, three and four, with every option: facts make positions, nothing hidden is told, all ends."""
    beginning = list(CASE.beginnings())[number]
    game = played(CASE, beginning, CASE.tempers[number % len(CASE.tempers)])
    hold_laws(CASE, beginning, game)
    assert game.position.core.ending in RULES.meta.endings
    assert game.position.board.turn == 15
