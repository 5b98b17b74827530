"""Rules put together from chapters and a language, with what follows where a game says nothing."""

from types import ModuleType
from typing import Any

import pytest

from engine.kernel.orders import Order, Problem, Question, unconditional
from engine.kernel.position import Position
from engine.kernel.ruleset import ChapteredRules, OrderLanguage
from engine.kernel.run import start
from engine.kernel.turn_chapters import Chapters
from engine.kernel.viewers import Seat
from tests.toy import RULES
from tests.toy.board import TOWNS, Board
from tests.toy.orders import Attack, Bid, attack, bid

ANN = Seat("ann")
FORMS = {"bid": (bid(3),), "march": (attack((), 2),)}


def _not_the_mill(seen: Position[Any], decision: Question, order: Any) -> Problem | None:
    return Problem("own_town", {"town": "mill"}) if getattr(order, "town", "") == "mill" else None


def rules() -> ChapteredRules[Board]:
    """The rules of a chapter that refuses the mill, and says no more."""
    chapter = ModuleType("chapter")
    chapter.__dict__["REFUSALS"] = {Bid: _not_the_mill, Attack: _not_the_mill}
    return ChapteredRules(OrderLanguage(Chapters[Board]((chapter,), FORMS)))


def seen() -> Position[Board]:
    """The smallest game as it begins."""
    return start(RULES, (ANN, Seat("bob")), {}, b"ruleset").position


def suggested_orders(asks: str) -> tuple[Order, ...]:
    """The orders that are suggested for a question."""
    lines = rules().suggest_orders(seen(), Question(f"{asks}/1", ANN, asks))
    assert all(line.repeat == 1 for line in lines)
    return tuple(line.plan[0].order for line in lines)


def test_without_proposals_the_forms_say_what_is_likely() -> None:
    """Every number and name that a form has is tried in turn, and what the rules refuse is left out."""
    assert suggested_orders("bid") == tuple(Bid(coins) for coins in range(4))
    assert suggested_orders("march") == tuple(Attack(town) for town in TOWNS if town != "mill")


def test_no_more_is_judged_than_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A letter that prints two suggestions has the rules judge two that stand, and those before them that do not."""
    judged = list[Order]()
    found = rules()
    refuse = found.language.chapters.refusal

    def noting(seen: Position[Any], decision: Question, order: Order) -> Problem | None:
        judged.append(order)
        return refuse(seen, decision, order)

    monkeypatch.setattr(found.language.chapters, "refusal", noting)
    lines = found.suggest_orders(seen(), Question("bid/1", ANN, "bid"), 2)
    assert [line.plan[0].order for line in lines] == judged == [Bid(0), Bid(1)]


def test_the_forms_hold_what_is_accepted_as_likely() -> None:
    """What would be accepted now is what slots offer first."""
    (form,) = rules().forms(seen(), Question("march/1", ANN, "march"))
    assert form.slots[0].suggested == tuple(town for town in TOWNS if town != "mill")


def test_a_game_that_says_nothing_has_no_facts_no_answers_ahead_and_its_boards_turn() -> None:
    """The defaults of rules are those of a game without conditions, reactions and sets."""
    found, position = rules(), seen()
    assert (found.facts(position, ANN), found.advance_questions(position, ANN)) == ((), ())
    assert found.turn(position) == position.board.turn
    assert found.default_orders(position, Question("bid/1", ANN, "bid")) == ()
    assert found.execution_of(Question("march/1", ANN, "march"), unconditional(Bid(1))) is None
