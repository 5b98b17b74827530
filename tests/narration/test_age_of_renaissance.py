"""What The Age of Renaissance says of its rules, where a sentence once said something else than the rules do."""

import pytest

from engine.age_of_renaissance.board import Phase
from engine.age_of_renaissance.orders import Buy
from engine.kernel.languages import Language
from engine.kernel.orders import Problem
from pbem.narration.narrator import narrator
from pbem.web.words import catalogue
from tests.engine.age_of_renaissance.build import YELLOW, cash, game
from tests.engine.age_of_renaissance.playing import purchases
from tests.narration.cases import A, cases

AGE = next(case for case in cases() if case.game == "age_of_renaissance")


@pytest.mark.parametrize(("language", "said"), [("en", "discard"), ("fr", "défausse")])
def test_no_card_is_left_although_discards_lie_there(language: Language, said: str) -> None:
    """§4.7, R26  The last pile is not made anew from the discards: a refusal does not say that they have run out."""
    problem = Problem("no_card_left", {})
    assert said not in narrator(AGE.game, language).problem(problem, AGE.context(A, language))


@pytest.mark.parametrize(("language", "said"), [("en", "still free"), ("fr", "encore libre")])
def test_who_says_nothing_takes_the_first_free_place(language: Language, said: str) -> None:
    """§8.3, R38  Who chose a capital later may have taken the first of the tied places before."""
    decision = AGE.question("rank", figures=True)
    assert said in narrator(AGE.game, language).default(decision, AGE.context(A, language))


@pytest.mark.parametrize(("language", "said"), [("en", "all of them or none"), ("fr", "tous ou aucun")])
def test_the_help_says_that_a_line_of_advances_is_bought_whole(language: Language, said: str) -> None:
    """§9.4.2  Where one advance of a line cannot be bought, none of it is: the help says so."""
    position = game(phase=Phase.PURCHASES)
    cash(position, YELLOW, 100)
    assert purchases(position, {YELLOW: Buy(("A", "C"))}).position.board.powers[YELLOW].advances == frozenset()
    assert said in catalogue(language)["rules.age_of_renaissance.purchases"]
