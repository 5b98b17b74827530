"""Several questions of one topic in one turn: told apart by their numbers, in what is written and in what is asked."""

from collections.abc import Mapping
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.kernel.events import Defaulted
from engine.kernel.forms import Form, Topic
from engine.kernel.gates import Gate
from engine.kernel.grammar import Grammar, Section, SectionKey, build_grammar
from engine.kernel.languages import LANGUAGES, Language
from engine.kernel.orders import Clause, Line, Orders, unconditional
from engine.kernel.parse import parse_letter
from engine.kernel.parsed import ParsedLetter
from engine.kernel.phrasebook import number
from engine.kernel.position import Position
from engine.kernel.printing import heading, print_line, print_under
from engine.kernel.run import AnswerKey, GateNotOpen, advance, answer_key, start
from engine.kernel.secrets import seen_by, truth
from engine.kernel.table import Table
from engine.kernel.viewers import Seat
from tests.bilingual import words
from tests.engine.kernel.imaginary_game import Stake
from tests.toy import RULES
from tests.toy.board import Board
from tests.toy.events import Awarded
from tests.toy.orders import Bid, Offer
from tests.toy.rules import Toy

WAR = Topic("war", words("GUERRE", "WAR"), counted=True)
MARCH = Topic("march", words("MARCHE", "MARCH"), lines=True)
ROUND = words("MANCHE", "ROUND")
FUEL = Form(words("FRAIS", "FUEL"), Stake, (number("crews", words("quantité", "amount"), 0, 9),))
ANN, BOB = Seat("ann"), Seat("bob")


def war(n: int, *, is_open: bool = True, turn: int | None = 3) -> Section:
    """The question of one war of round 3."""
    return Section(WAR, (FUEL,), turn, is_open, number=n, display_name=ROUND)


WARS = Grammar((war(1), war(2)), topics=(WAR, MARCH), display_names=ROUND, language="en")


def fuel(reading: ParsedLetter) -> Mapping[int | None, list[int]]:
    """What was written for each war."""
    found = {key.number: lot.orders for key, lot in reading.sets.items()}
    stakes = {n: [cast(Stake, line.plan[0].order) for line in orders] for n, orders in found.items() if orders}
    return {n: [stake.crews for stake in lines] for n, lines in stakes.items()}


@pytest.mark.parametrize(
    "written",
    [
        ("FOR ROUND 3 WAR 1", "FUEL 4", "FOR ROUND 3 WAR 2", "FUEL 5"),
        ("WAR 1", "FUEL 4", "WAR 2", "FUEL 5"),
        ("WAR 1: FUEL 4", "WAR 2: FUEL 5"),
        ("FOR WAR 2: FUEL 5", "FOR WAR 1: FUEL 4"),
        ("FOR TURN 3 WAR 2", "FUEL 5", "FOR THE WAR 1 OF ROUND 3", "FUEL 4"),
        ("POUR LA MANCHE 3 GUERRE 1", "FRAIS 4", "GUERRE 2 : FRAIS 5"),
        ("FOR ROUND 3 WAR ONE: FUEL 4", "FOR ROUND 3 WAR TWO: FUEL 5"),
    ],
)
def test_two_questions_of_one_topic_are_answered_apart(written: tuple[str, ...]) -> None:
    """Each answer stands under the number of its question, in any language, in any order."""
    assert fuel(parse_letter(written, WARS)) == {1: [4], 2: [5]}


@pytest.mark.parametrize(
    "written", [("FUEL 4",), ("FOR WAR", "FUEL 4"), ("FOR WAR: FUEL 4",), ("PASS",), ("PASS WAR",)]
)
def test_an_answer_that_may_be_for_either_is_refused_with_both_names(written: tuple[str, ...]) -> None:
    """What does not say which question it answers answers none, and the refusal names them."""
    found = parse_letter(written, WARS).sets
    problems = [w.problem for lot in found.values() for w in lot.lines]
    assert set(found) == {SectionKey("war", 3, 1), SectionKey("war", 3, 2)}
    assert {p.code for p in problems if p} == {"ambiguous"}
    named = [cast(tuple[str, ...], p.terms["candidates"]) for p in problems if p]
    assert all([name[-5:] for name in names] == ["WAR 1", "WAR 2"] for names in named)


def test_an_answer_needs_no_number_where_one_question_is_open() -> None:
    """`FUEL 4` answers the only war that is asked of its author, and so does `FOR WAR`."""
    alone = Grammar((war(2),), topics=(WAR,), display_names=ROUND)
    assert fuel(parse_letter(["FUEL 4"], alone)) == fuel(parse_letter(["FOR WAR", "FUEL 4"], alone)) == {2: [4]}


def test_a_number_that_is_not_asked_is_refused() -> None:
    """A third war is nobody's question: its lines fall into neither of the others."""
    found = parse_letter(["FOR WAR 3", "FUEL 4"], WARS)
    assert found.sets == {}
    assert [line.problem.code for line in found.unmatched if line.problem] == ["not_open", "not_open"]


def test_a_line_behind_its_heading_is_refused_for_its_own_fault() -> None:
    """`FOR WAR 2: FUEL 99` is no unknown heading: the number is out of range, for that war alone."""
    found = parse_letter(["FOR WAR 2: FUEL 99", "WAR 1: FUEL 1"], WARS).sets
    (refused,) = found[SectionKey("war", 3, 2)].lines
    assert refused.problem is not None
    assert (refused.problem.code, refused.problem.terms["high"]) == ("out_of_range", 9)
    assert found[SectionKey("war", 3, 1)].readable


@pytest.mark.parametrize("written", ["WAR 7: FUEL 4", "WAR 7", "war 7: fuel 4"])
def test_a_question_that_is_not_asked_is_refused_by_its_number(written: str) -> None:
    """`WAR 7` of two wars is told as such, with what can be answered; it is never lost as chatter."""
    ahead = Grammar((war(1), war(2, is_open=False)), topics=(WAR, MARCH), display_names=ROUND, language="en")
    found = parse_letter([written], ahead)
    (line,) = found.unmatched
    assert line.problem is not None
    assert (line.problem.code, line.problem.terms["accepted"]) == ("not_open", "FOR ROUND 3 WAR 2")
    assert found.skipped == ()


def test_a_withdrawal_names_one_question_or_all_of_them() -> None:
    """`WITHDRAW WAR 2` is about one war; without a number it is about every one."""
    one, all_of_them = parse_letter(["WITHDRAW WAR 2", "WITHDRAW WAR"], WARS).commands
    assert (one.section, all_of_them.section) == (SectionKey("war", 3, 2), SectionKey("war", 3))


def test_a_letter_offers_lines_with_their_headings() -> None:
    """What a letter offers for one of several questions can be sent as it stands."""
    lines = [print_under(war(n), print_line(war(n).forms, Line((Clause(Stake(n)),)), "en"), "en") for n in (1, 2)]
    assert lines == ["WAR 1: FUEL 1", "WAR 2: FUEL 2"]
    assert fuel(parse_letter(lines, WARS)) == {1: [1], 2: [2]}


@given(
    turn=st.none() | st.integers(0, 40),
    numbers=st.sets(st.integers(1, 40), min_size=2, max_size=4),
    is_open=st.booleans(),
    language=st.sampled_from(LANGUAGES),
)
def test_every_heading_is_read_as_what_it_was_printed_for(
    turn: int | None, numbers: set[int], is_open: bool, language: Language
) -> None:
    """Whatever the turn, the numbers and the language, each heading opens its own section."""
    sections = tuple(war(n, is_open=is_open, turn=turn) for n in sorted(numbers))
    grammar = Grammar(sections, topics=(WAR, MARCH), display_names=ROUND, language=language)
    lines = [text for s in sections for text in (heading(s, language), f"FUEL {(s.number or 0) % 10}")]
    assert fuel(parse_letter(lines, grammar)) == {n: [n % 10] for n in numbers}


@given(
    asks=st.sampled_from(["war", "march"]),
    turn=st.none() | st.integers(0, 999),
    about=st.lists(st.sampled_from(["s1", "s2", "4"]), max_size=2).map(tuple),
    again=st.integers(0, 9),
    part=st.integers(0, 9),
)
def test_a_gate_is_read_as_it_is_written(
    asks: str, turn: int | None, about: tuple[str, ...], again: int, part: int
) -> None:
    """The name of a question keeps its part, and the gate at which it resolves is the same without it."""
    gate = Gate(asks, turn, about if turn is not None else ())
    named = Gate(gate.topic, gate.turn, gate.about, again, part)
    assert Gate.parse(str(named)) == named
    assert Gate.parse(str(named.closing)).part == 0
    assert gate.holds(Gate(gate.topic, gate.turn, gate.about, 0, part))


# --- at the table


def at_the_fair() -> Position[Board]:
    """A game whose fair has just been asked."""
    position = start(RULES, (ANN, BOB), {"fair": "yes"}, bytes(32)).position
    position = advance(RULES, position, "bid/1", {ANN: unconditional(Bid(0)), BOB: unconditional(Bid(1))}).position
    return advance(RULES, position, "march/1", {ANN: (), BOB: ()}).position


def offers(position: Position[Board], **grain: tuple[int, int]) -> dict[AnswerKey, Orders]:
    """How much grain each seat offers at the two stalls."""
    asked = position.core.gate("stall/1")
    given = {answer_key(d): grain[d.seat][Gate.parse(d.gate).part - 1] for d in asked}
    return {key: unconditional(Offer({"grain": n})) if n else () for key, n in given.items()}


def test_one_gate_asks_one_seat_several_questions() -> None:
    """All stalls are asked at one gate, and each seat has a question for each of them, with a section of its own."""
    position = at_the_fair()
    assert [g for g in position.core.gates() if not g.startswith("leave")] == ["stall/1"]
    assert [(d.gate, d.seat) for d in position.core.gate("stall/1")] == [
        (gate, seat) for gate in ("stall/1#1", "stall/1#2") for seat in (ANN, BOB)
    ]
    with seen_by(ANN):
        grammar = build_grammar(RULES, position, ANN, "en")
    assert [heading(s, "en") for s in grammar.sections if s.topic.key == "stall"] == [
        "FOR TURN 1 STALL 1",
        "FOR TURN 1 STALL 2",
    ]


def test_questions_of_one_gate_resolve_one_after_the_other() -> None:
    """What a seat has spent at the first stall it cannot spend at the second, though both answers came together."""
    position = at_the_fair()
    after = advance(RULES, position, "stall/1", offers(position, ann=(3, 2), bob=(2, 1)))
    awarded = [(e.stall, e.seat) for e in after.events if isinstance(e, Awarded)]
    assert awarded == [(1, ANN), (2, BOB)]
    assert after.position.board.ribbons == {ANN: 1, BOB: 1}


def test_a_gate_closes_with_all_its_answers_only() -> None:
    """An answer that is missing, or that does not say which question it is to, leaves the gate open."""
    position = at_the_fair()
    whole = offers(position, ann=(1, 1), bob=(2, 2))
    missing = dict(list(whole.items())[:3])
    with pytest.raises(GateNotOpen):
        advance(RULES, position, "stall/1", missing)
    with pytest.raises(GateNotOpen, match="each answer must name its own"):
        advance(RULES, position, "stall/1", {ANN: (), BOB: ()})


def test_a_missed_question_is_named_as_such() -> None:
    """Of two questions to one seat the one that was not answered in time is told, and the other is not."""
    position = at_the_fair()
    answers = offers(position, ann=(1, 0), bob=(2, 2))
    after = advance(RULES, position, "stall/1", answers, defaulted=[("stall/1#2", ANN)])
    missed = [(e.gate, e.seat) for e in after.events if isinstance(e, Defaulted)]
    assert missed == [("stall/1#2", ANN)]


def test_answers_that_wait_for_their_turn_are_sealed() -> None:
    """While the first question of a gate is resolved nobody reads the answers to the second."""
    seen: list[str] = []

    class Watched(Toy):
        def resolve(self, table: Table[Board], gate: str, answers: Mapping[Seat, Orders]) -> None:
            seen.append(repr(table.core.agenda))
            super().resolve(table, gate, answers)

    position = at_the_fair()
    advance(Watched(), position, "stall/1", offers(position, ann=(1, 3), bob=(2, 2)))
    with truth():
        assert "Sealed(...)" in seen[0]
        assert "Offer" not in seen[0]
