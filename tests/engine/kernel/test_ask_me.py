"""`ASK ME`: the end of a plan that asks its author again, instead of letting a queue run on blindly."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.kernel.codec import dump, load
from engine.kernel.events import Event, QuestionRepeated
from engine.kernel.grammar import build_grammar
from engine.kernel.languages import LANGUAGES, Language
from engine.kernel.orders import AskMe, Clause, Condition, Line, Orders, Question
from engine.kernel.parse import parse_letter
from engine.kernel.position import Position
from engine.kernel.printing import print_line
from engine.kernel.run import Advance, advance, start
from engine.kernel.secrets import redact, seen_by
from engine.kernel.validation import check_orders
from engine.kernel.viewers import Seat
from tests.toy import RULES
from tests.toy.board import Board
from tests.toy.orders import HOLD, Attack, Bid, attack

ANN, BOB = Seat("ann"), Seat("bob")
MILL, ABBEY = Clause(Attack("mill", 1)), Clause(Attack("abbey", 1))
DEAR = Clause(Attack("mill", 9))
ASK = Clause(AskMe())
HELD = Condition("hold", {"town": "mill"})


def marching() -> Position[Board]:
    """A game whose marches are asked."""
    position = start(RULES, (ANN, BOB), {}, bytes(32)).position
    bid = {ANN: (Line((Clause(Bid(0)),)),), BOB: (Line((Clause(Bid(1)),)),)}
    return advance(RULES, position, "bid/1", bid).position


def march(*lines: Line) -> Advance[Board]:
    """Ann marches like this, and Bob stays at home."""
    return advance(RULES, marching(), "march/1", {ANN: lines, BOB: ()})


def repeated_questions(events: tuple[Event, ...]) -> list[tuple[int, int]]:
    """(line, lines after it) of each time that somebody was asked again."""
    return [(event.line, event.lines) for event in events if isinstance(event, QuestionRepeated)]


def read(*lines: str, language: Language = "en") -> tuple[Line | None, ...]:
    """The lines of a march as a letter says them."""
    position = marching()
    with seen_by(ANN):
        found = parse_letter(lines, build_grammar(RULES, redact(position, ANN), ANN, language)).sets.values()
    return tuple(line.line for lot in found for line in lot.lines)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("ATTACK Mill ELSE ASK ME", Line((Clause(Attack("mill")),), 1, (ASK,))),
        ("ATTAQUER Moulin SINON ME DEMANDER", Line((Clause(Attack("mill")),), 1, (ASK,))),
        ("ATTACK Mill UP TO 2 TIMES ELSE ASK ME AGAIN", Line((Clause(Attack("mill")),), 2, (ASK,))),
        ("IF I HOLD Mill: ASK ME", Line((Clause(AskMe(), (HELD,)),))),
        ("SI JE TIENS le Moulin : DEMANDEZ-MOI", Line((Clause(AskMe(), (HELD,)),))),
        ("ask me", Line((ASK,))),
    ],
)
def test_a_line_may_end_by_asking(text: str, line: Line) -> None:
    """In either language, as the alternative, behind a condition, or alone."""
    assert read(text) == (line,)


def test_talk_of_asking_is_no_order() -> None:
    """`Ask me about it` is chatter in a letter."""
    assert read("ask me about it tomorrow", "ATTACK Mill") == (Line((Clause(Attack("mill")),)),)


@given(
    plan=st.lists(st.sampled_from([MILL, ABBEY, ASK, Clause(AskMe(), (HELD,))]), min_size=1, max_size=3).map(tuple),
    repeat=st.integers(1, 4),
    otherwise=st.sampled_from([(), (ASK,), (ABBEY, ASK)]),
    language=st.sampled_from(LANGUAGES),
)
def test_a_plan_that_asks_is_read_as_it_is_printed_and_saved(
    plan: tuple[Clause, ...], repeat: int, otherwise: tuple[Clause, ...], language: Language
) -> None:
    """Wherever ASK ME stands in a line, the line says it in every language, and its bytes bring it back."""
    line = Line(plan, repeat, otherwise)
    text = print_line((attack((), 30),), line, language, (HOLD,))
    (found,) = read(text, language=language)
    if not any(clause.conditions for clause in plan[:-1]):  # a condition would govern the alternatives behind it
        assert found is not None
        assert print_line((attack((), 30),), found, language, (HOLD,)) == text
    assert load(dump(line)) == line


def test_an_author_is_asked_again_instead_of_what_follows() -> None:
    """A line that cannot be done ends in the question, at a gate of its own; the lines after it are not carried out."""
    after = march(Line((DEAR,), 1, (ASK,)), Line((ABBEY,)))
    assert repeated_questions(after.events) == [(0, 1)]
    assert [d.gate for d in after.position.core.questions if d.blocking] == ["march/1~1"]
    assert not any(getattr(event, "town", "") == "abbey" for event in after.events)


def test_the_new_answer_is_carried_out_where_the_old_one_stopped() -> None:
    """Who is asked again may go on with other lines, or with nothing."""
    first = march(Line((DEAR,), 1, (ASK,)))
    after = advance(RULES, first.position, "march/1~1", {ANN: (Line((ABBEY,)),)})
    assert any(getattr(event, "town", "") == "abbey" for event in after.events)
    assert advance(RULES, first.position, "march/1~1", {ANN: ()}).position.board.turn == 2


def test_only_the_author_is_told_why() -> None:
    """Others see that somebody is awaited; which line asked, and what was to follow, is its author's own."""
    after = march(Line((DEAR,), 1, (ASK,)), Line((ABBEY,)))
    told = [event for event in after.events if isinstance(event, QuestionRepeated)]
    assert [event.visible_to for event in told] == [frozenset({ANN})]
    assert repeated_questions(redact(after.events, BOB)) == []


def rulings(orders: Orders, asks: str = "march") -> list[str | None]:
    """What is found about each line."""
    position = marching()
    decision = next(
        (d for d in position.core.questions if d.topic == asks and d.seat == ANN), Question(asks, ANN, asks)
    )
    return [r.problem.code if r.problem else None for r in check_orders(RULES, position, decision, orders)]


def test_a_set_may_ask_back_and_stand() -> None:
    """It is judged like any other: what follows an alternative is judged too."""
    assert rulings((Line((DEAR,), 1, (ASK,)), Line((ABBEY,)))) == [None, None]
    assert rulings((Line((MILL,)), Line((ASK,)))) == [None, None]


def test_what_stands_behind_an_asking_that_always_comes_is_refused() -> None:
    """A line that nothing can reach was a mistake."""
    assert rulings((Line((ASK,)), Line((ABBEY,)))) == [None, "behind_ask_me"]
    assert rulings((Line((Clause(AskMe(), (HELD,)),)), Line((ABBEY,)))) == [None, None]


def test_a_question_of_one_order_takes_no_asking() -> None:
    """Where one order is the answer there is nothing left to be asked again."""
    assert rulings((Line((ASK,)),), "leave") == ["no_plan_here"]
