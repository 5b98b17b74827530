"""A game's chapters put together, and what its order language is built of."""

from types import ModuleType

import pytest

from engine.kernel.dice import HmacDraws
from engine.kernel.orders import Question
from engine.kernel.phrasebook import Exact, choices, likely_forms, one_choice
from engine.kernel.ruleset import OrderLanguage
from engine.kernel.run import start
from engine.kernel.table import Table
from engine.kernel.turn_chapters import Chapters, merge_handlers
from engine.kernel.viewers import Seat
from tests.bilingual import words
from tests.toy import RULES
from tests.toy.board import Board
from tests.toy.orders import Attack, Scout

TOWN = one_choice("town", "town", words("ville", "town"), choices([("mill", words("moulin", "mill"))]))
FORM = Exact(words("ATTAQUER", "ATTACK"), Attack, (TOWN,))


def test_two_chapters_may_not_claim_the_same_thing() -> None:
    """A step, gate or order that two chapters claim in two ways is found when the game is loaded."""
    one, other = ModuleType("one"), ModuleType("other")
    one.__dict__["GATES"] = {"gate": max}
    other.__dict__["GATES"] = {"gate": min}
    with pytest.raises(ValueError, match="other"):
        merge_handlers("GATES", (one, other))
    other.__dict__["GATES"] = {"gate": max}
    assert merge_handlers("GATES", (one, other)) == {"gate": max}


def test_an_order_that_answers_another_question_is_refused_for_good() -> None:
    """Chapters are asked only about orders that answer the question; nothing later can mend another one."""
    chapters = Chapters[Board]((), {"march": (FORM,)})
    seen = start(RULES, (Seat("ann"), Seat("bob")), {}, b"chapters").position
    problem = chapters.refusal(seen, Question("march/1", Seat("ann"), "march"), Scout(Seat("bob")))
    assert problem is not None
    assert (problem.code, problem.terms, problem.lasting) == ("not_here", {"asks": "march"}, True)


@pytest.mark.parametrize("table", ["DEFAULTS", "SETS"])
def test_a_chapter_may_not_speak_of_a_question_that_nobody_is_asked(table: str) -> None:
    """A misspelt question is found when the game is loaded: what is said of it would never be read."""
    chapter = ModuleType("chapter")
    chapter.__dict__[table] = {"marches": max}
    with pytest.raises(ValueError, match=f"{table} names marches, which no form answers; there is march"):
        Chapters[Board]((chapter,), {"march": (FORM,)})
    with pytest.raises(ValueError, match="proposals names marches"):
        OrderLanguage(Chapters[Board]((), {"march": (FORM,)}), {"marches": lambda seen, decision: ()})


def test_what_no_chapter_has_is_named_with_its_table() -> None:
    """An order that nobody judges, or a gate that nobody resolves, says where it is missed."""
    chapters = Chapters[Board]((), {"march": (FORM,)})
    seen = start(RULES, (Seat("ann"), Seat("bob")), {}, b"chapters").position
    with pytest.raises(KeyError, match="no chapter has Attack in its REFUSALS"):
        chapters.refusal(seen, Question("march/1", Seat("ann"), "march"), Attack("mill"))
    with pytest.raises(KeyError, match="no chapter has 'march' in its GATES"):
        chapters.resolve(Table(RULES, seen, HmacDraws(b"", b"")), "march/1", {})


def test_a_form_writes_only_what_its_vocabulary_holds() -> None:
    """Another form, or none, writes an order whose values this one has no word for."""
    assert FORM.parse(Attack("mill")) == {"town": "mill"}
    assert FORM.parse(Attack("harbour")) is None


def test_values_of_accepted_orders_are_the_likely_ones() -> None:
    """Without accepted orders the vocabulary stands as it is; with them their values are offered, each once."""
    (slot,) = likely_forms((FORM,), (Attack("mill"), Attack("mill", 2), Attack("harbour")))[0].slots
    assert slot.suggested == ("mill",)
    assert likely_forms((FORM,), ()) == (FORM,)
