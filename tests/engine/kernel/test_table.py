"""The table: lines carried out one by one, and all that a rule may do."""

from dataclasses import replace

from engine.kernel.codec import dump
from engine.kernel.dice import HmacDraws
from engine.kernel.events import Event, LineFailed, LinesDropped, LineStarted, QuestionsAsked, StepsQueued, Withdrawn
from engine.kernel.orders import Clause, Condition, Line, Orders, Problem, Question, unconditional
from engine.kernel.run import start
from engine.kernel.secrets import Sealed, truth
from engine.kernel.table import Table
from engine.kernel.viewers import Seat
from tests.toy import RULES
from tests.toy.board import Board
from tests.toy.orders import Attack, Scout, Sell
from tests.toy.steps import March

ANN, BOB = Seat("ann"), Seat("bob")
RICH = Condition("have", {"coins": 9})


def table(failures: str = "next", coins: int = 8) -> Table[Board]:
    """A table of two, where Ann holds the harbour."""
    position = start(RULES, (ANN, BOB), {"failures": failures}, b"table").position
    position.board.owner, position.board.coins = {"harbour": ANN}, {ANN: coins, BOB: 8}
    return Table(RULES, position, HmacDraws(b"s", b""))


def march(*lines: Line, line: int = 0, tries: int = 0) -> March:
    """Ann's march."""
    return March(ANN, "march/1", "march", Sealed(lines), line, tries)


def events_of(events: list[Event], kind: type[Event]) -> list[Event]:
    """The facts of one kind."""
    return [event for event in events if type(event) is kind]


def test_lines_come_in_sequence_and_end() -> None:
    """Each call gives the next line's order; when nothing is left, it gives none."""
    at, orders = table(), unconditional(Attack("mill", 2), Attack("abbey", 1))
    with truth():
        first, rest = at.next_order(march(*orders))
        second, rest = at.next_order(rest.line_done())
        last, rest = at.next_order(rest.line_done())
    assert (first, second, last) == (Attack("mill", 2), Attack("abbey", 1), None)
    assert rest.line == 2


def test_a_failed_line_is_tried_as_often_as_written() -> None:
    """UP TO 2 TIMES: two tries, then the next line; success ends them."""
    line, then = Line((Clause(Attack("mill")),), repeat=2), Line((Clause(Attack("abbey")),))
    at = table()
    with truth():
        _, rest = at.next_order(march(line, then))
        assert (rest.line, rest.tries) == (0, 1)
        assert rest.line_done() == march(line, then, line=1)
        _, rest = at.next_order(rest)
        assert rest == march(line, then, line=1)
        assert at.next_order(rest)[0] == Attack("abbey")
    assert [(e.line, e.attempt) for e in at.events if isinstance(e, LineStarted)] == [(0, 1), (0, 2), (1, 1)]


def test_done_after_the_last_try_does_not_skip_a_line() -> None:
    """Closing a line that has no further try leaves the next one in place."""
    at, orders = table(), unconditional(Attack("mill"), Attack("abbey"))
    with truth():
        _, rest = at.next_order(march(*orders))
    assert rest == rest.line_done() == march(*orders, line=1)


def test_otherwise_is_done_once_when_the_tries_end_without_success() -> None:
    """ELSE comes after the last try, and is not repeated."""
    line = Line((Clause(Attack("mill")),), repeat=2, fallback=(Clause(Attack("abbey")),))
    at = table()
    with truth():
        orders, rest = [], march(line)
        for _ in range(4):
            order, rest = at.next_order(rest)
            orders.append(order)
    assert orders == [Attack("mill"), Attack("mill"), Attack("abbey"), None]
    assert [e.otherwise for e in at.events if isinstance(e, LineStarted)] == [False, False, True]


def test_otherwise_is_done_at_once_where_the_plan_cannot_be() -> None:
    """A plan that is illegal gives way to ELSE, and the owner reads why."""
    line = Line((Clause(Attack("harbour")),), fallback=(Clause(Attack("mill")),))
    at = table()
    with truth():
        assert at.next_order(march(line))[0] == Attack("mill")
    opened = next(e for e in at.events if isinstance(e, LineStarted))
    assert (opened.otherwise, opened.passed) == (True, (Problem("own_town", {"town": "harbour"}),))


def test_the_first_clause_that_applies_and_is_legal_is_done() -> None:
    """Conditions are asked, legality is judged, in the order written."""
    plan = (Clause(Attack("mill"), (RICH,)), Clause(Attack("harbour")), Clause(Attack("abbey")))
    at = table()
    with truth():
        order, _ = at.next_order(march(Line(plan)))
    assert order == Attack("abbey")
    opened = next(e for e in at.events if isinstance(e, LineStarted))
    assert [p.code for p in opened.passed] == ["condition_fails", "own_town"]


def test_a_negated_condition_waits_for_the_contrary() -> None:
    """IF NOT is the kernel's own: the game only says whether the fact holds."""
    poor = replace(RICH, negated=True)
    with truth():
        assert table(coins=8).next_order(march(Line((Clause(Attack("mill"), (poor,)),))))[0] == Attack("mill")
        assert table(coins=9).next_order(march(Line((Clause(Attack("mill"), (poor,)),))))[0] is None
        assert table(coins=9).next_order(march(Line((Clause(Attack("mill"), (RICH,)),))))[0] == Attack("mill")


def test_a_line_that_cannot_be_done_lapses_and_its_owner_alone_is_told() -> None:
    """Opened and lapsed lines are private: others learn only what is done."""
    at = table()
    with truth():
        assert at.next_order(march(*unconditional(Attack("harbour"), Attack("mill"))))[0] == Attack("mill")
    lapsed = events_of(at.events, LineFailed)
    assert lapsed == [
        LineFailed(
            seat=ANN,
            gate="march/1",
            line=0,
            reasons=(Problem("own_town", {"town": "harbour"}),),
            attempted=unconditional(Attack("harbour"))[0],
            visible_to=frozenset({ANN}),
        )
    ]
    assert all(e.visible_to == frozenset({ANN}) for e in at.events)


def test_a_line_tried_and_then_impossible_is_not_told_as_lapsed() -> None:
    """What was tried is no lapse: the tries were told as they came."""
    line = Line((Clause(Attack("mill", 5)),), repeat=3)
    at = table()
    with truth():
        _, rest = at.next_order(march(line))
        at.board.coins = {**at.board.coins, ANN: 0}
        assert at.next_order(rest)[0] is None
    assert events_of(at.events, LineFailed) == []


def after_failure(failures: str, orders: Orders) -> tuple[object, list[Event]]:
    """What comes of a set whose first line cannot be done."""
    at = table(failures)
    with truth():
        order, _ = at.next_order(march(*orders))
    return order, at.events


def test_after_a_failed_line_the_option_decides() -> None:
    """Go on, drop the rest, or ask the rest again: at a gate of its own."""
    orders = unconditional(Attack("harbour"), Attack("mill"), Attack("abbey"))
    assert after_failure("next", orders)[0] == Attack("mill")
    order, events = after_failure("drop", orders)
    dropped = LinesDropped(seat=ANN, gate="march/1", lines=2, again=False, visible_to=frozenset({ANN}))
    assert (order, events[-1]) == (None, dropped)
    order, events = after_failure("again", orders)
    assert (order, events[-2]) == (None, replace(dropped, again=True))
    assert events[-1] == QuestionsAsked(decisions=(Question("march/1~1", ANN, "march"),))


def test_a_conditional_line_never_stops_the_set() -> None:
    """IF and ELSE were written to be able to fail."""
    conditional = Line((Clause(Attack("mill"), (RICH,)),))
    assert after_failure("drop", (conditional, *unconditional(Attack("abbey"))))[0] == Attack("abbey")


def test_lines_are_judged_on_their_owners_own_view() -> None:
    """A plan does not learn at the table what its owner does not know."""
    at = table()
    ware = next(c.held for c in at.board.hands[BOB])
    with truth():
        clause, reasons = at.choose(march(), (Clause(Sell((str(ware),))), Clause(Scout("bob"))))
    assert clause == Clause(Scout("bob"))
    assert [p.code for p in reasons] in (["not_held"], ["not_a_ware"])


def test_then_puts_steps_before_the_rest_in_the_order_given() -> None:
    """The first named is the first taken."""
    at, before = table(), table().core.agenda
    steps = (march(), march(line=1))
    at.then(*steps)
    at.then()
    assert at.core.agenda == (*steps, *before)
    assert events_of(at.events, StepsQueued) == [StepsQueued(steps=steps)]


def test_questions_are_put_and_taken_back() -> None:
    """A seat that left has no open question; the others keep theirs."""
    at = table()
    at.ask()
    at.ask(Question("extra/1", ANN, "leave", blocking=False))
    assert at.core.gate("extra/1") != ()
    at.withdraw(ANN)
    assert {d.seat for d in at.core.questions} == {BOB}
    assert events_of(at.events, Withdrawn) == [Withdrawn(seat=ANN)]


def test_a_table_at_play_keeps_no_notes() -> None:
    """Notes are for trials: at the real table they change nothing."""
    at = table()
    before = dump(at.position)
    at.note(Problem("odds"))
    assert (dump(at.position), at.events) == (before, [])
