"""Judging a set of orders from its author's own view."""

from dataclasses import replace

import pytest

from engine.kernel.codec import dump
from engine.kernel.orders import Clause, Condition, Line, LineResult, Order, Orders, Problem, Question, unconditional
from engine.kernel.position import Position
from engine.kernel.run import start
from engine.kernel.secrets import redact
from engine.kernel.validation import all_valid, check_orders, preview_orders
from engine.kernel.viewers import Seat
from tests.toy import RULES
from tests.toy.board import Board, known
from tests.toy.events import Attacked, Fought, Sold
from tests.toy.orders import Attack, Bid, Parry, Scout, Sell

ANN, BOB = Seat("ann"), Seat("bob")
BIDS = Question("bid/1", ANN, "bid")
MARCH = Question("march/1", ANN, "march")


def position(coins: int = 8) -> Position[Board]:
    """Two seats; Ann holds the harbour, wine and silk."""
    at = start(RULES, (ANN, BOB), {}, b"standing").position
    at.board.owner, at.board.coins = {"harbour": ANN}, {ANN: coins, BOB: 8}
    first, second = at.board.hands[ANN]
    at.board.hands[ANN] = (replace(first, held="wine"), replace(second, held="silk"))
    return at


def judge(orders: Orders, decision: Question = MARCH, coins: int = 8) -> tuple[str | None, ...]:
    """The code of the problem of each line."""
    rulings = check_orders(RULES, position(coins), decision, orders)
    return tuple(r.problem.code if r.problem else None for r in rulings)


def test_a_line_sees_what_the_lines_before_it_spent() -> None:
    """Eight coins pay five armies and three, not a fourth."""
    assert judge(unconditional(Attack("mill", 5), Attack("abbey", 3))) == (None, None)
    assert judge(unconditional(Attack("mill", 5), Attack("abbey", 4))) == (None, "too_dear")


def test_a_line_sees_what_the_lines_before_it_won() -> None:
    """What is sold pays for what comes after; what was sold is not sold again."""
    assert judge(unconditional(Sell(("silk",)), Attack("mill", 5)), coins=0) == (None, None)
    assert judge(unconditional(Attack("mill", 5), Sell(("silk",))), coins=0) == ("too_dear", None)
    assert judge(unconditional(Sell(("silk",)), Sell(("silk", "wine")))) == (None, "not_held")


def test_draws_are_presumed_won() -> None:
    """A town attacked twice belongs to the attacker the second time; the odds are noted."""
    rulings = check_orders(RULES, position(), MARCH, unconditional(Attack("mill", 2), Attack("mill", 2)))
    assert rulings[0].notes == (Problem("odds", {"lost": 4, "of": 36}),)
    assert (rulings[1].problem, rulings[1].notes) == (Problem("own_town", {"town": "mill"}), ())


def test_hidden_facts_are_noted_as_unforeseen() -> None:
    """What a look will show cannot be previewed, and the ruling says so."""
    (ruling,) = check_orders(RULES, position(), MARCH, unconditional(Scout("bob")))
    assert ruling.is_valid
    assert ruling.notes == (Problem("unforeseen", {"seat": "bob"}),)


def test_if_and_else_are_refused_only_for_what_nothing_could_mend() -> None:
    """A conditional line is accepted though it is impossible now, but not if nothing could make it possible."""
    held = Condition("hold", {"town": "mill"})
    hopeful = Line((Clause(Attack("mill", 9), (held,)),))
    hopeless = Line((Clause(Sell(("oak",)), (held,)),))
    other = Line((Clause(Attack("mill")),), fallback=(Clause(Sell(("oak",))),))
    later = Line((Clause(Attack("mill")),), fallback=(Clause(Attack("abbey", 20)),))
    assert judge((hopeful, hopeless, other, later)) == (None, "not_a_ware", "not_a_ware", None)


def test_the_clause_that_would_be_done_now_is_named() -> None:
    """The receipt can say what was understood: of alternatives, the one chosen."""
    plan = (Clause(Attack("harbour")), Clause(Attack("mill")))
    (ruling,) = check_orders(RULES, position(), MARCH, (Line(plan),))
    assert ruling == LineResult(Line(plan), None, plan[1], (Problem("odds", {"lost": 2, "of": 6}),))


def test_a_question_for_one_order_takes_one() -> None:
    """Two answers, a plan, or none where one is needed are refused as such."""
    assert judge(unconditional(Bid(3)), BIDS) == (None,)
    assert judge(unconditional(Bid(9)), BIDS) == ("too_dear",)
    assert judge(unconditional(Bid(1), Bid(2)), BIDS) == (None, "one_answer")
    assert judge((), BIDS) == ("answer_needed",)
    assert judge((), Question("shield/1", ANN, "shield")) == ()
    conditional = Line((Clause(Bid(1), (Condition("hold", {"town": "mill"}),)),))
    assert judge((conditional,), BIDS) == ("no_plan_here",)


def test_a_set_counts_whole_or_not_at_all() -> None:
    """One refused line refuses the set; the empty set stands."""
    fine, refused = LineResult(Line(())), LineResult(Line(()), Problem("x"))
    assert all_valid(())
    assert all_valid((fine, fine))
    assert not all_valid((fine, refused))


def test_truth_and_the_authors_copy_are_judged_alike() -> None:
    """Refusals are no oracle: nothing is judged that the author does not know."""
    at = position()
    sets: list[Orders] = [unconditional(Sell((card,))) for card in ("oak", "wine", "silk", "salt")]
    sets += [unconditional(Scout("bob"), Scout("bob"), Scout("bob")), unconditional(Attack("mill", 3))]
    for orders in sets:
        judged = check_orders(RULES, at, MARCH, orders)
        assert judged == check_orders(RULES, redact(at, ANN), MARCH, orders)
        assert judged == check_orders(RULES, redact(at, ANN), MARCH, orders, own=True)
    parries: list[Order] = [Parry("oak"), Parry("wine")]
    for parry in parries:
        shield = Question("shield/1", ANN, "shield")
        assert check_orders(RULES, at, shield, unconditional(parry)) == check_orders(
            RULES, redact(at, ANN), shield, unconditional(parry)
        )


def test_a_preview_shows_ones_own_lines_and_changes_nothing() -> None:
    """Facts and position as if nobody else moved; the real position is as it was."""
    at = position()
    before = dump(at)
    shown = preview_orders(RULES, at, MARCH, unconditional(Sell(("wine",)), Attack("mill", 4)))
    kinds = [type(e) for e in shown.events if isinstance(e, Sold | Attacked | Fought)]
    assert kinds == [Sold, Attacked, Fought]
    assert shown.position.board.coins[ANN] == 8 + 3 - 4
    assert shown.position.board.owner["mill"] == ANN
    assert known(shown.position.board.hands[BOB]) == ()
    assert dump(at) == before
    own = redact(at, ANN)
    again = preview_orders(RULES, own, MARCH, unconditional(Sell(("wine",)), Attack("mill", 4)), own=True)
    assert (again.events, dump(again.position)) == (shown.events, dump(shown.position))
    assert dump(own) == dump(redact(at, ANN))


def test_work_is_asked_for_at_each_clause_and_step() -> None:
    """Who judges can give up in the midst of one set: what they raise comes through."""
    asked: list[int] = []

    def spend() -> None:
        asked.append(1)
        if len(asked) > limit:
            raise TimeoutError

    limit = 100
    preview_orders(RULES, position(), MARCH, unconditional(Attack("mill", 1)), spend=spend)
    few = len(asked)
    asked.clear()
    preview_orders(RULES, position(), MARCH, unconditional(*[Attack("mill", 1)] * 4), spend=spend)
    assert len(asked) > few >= 2
    limit, asked[:] = 1, []
    with pytest.raises(TimeoutError):
        preview_orders(RULES, position(), MARCH, unconditional(Attack("mill", 1)), spend=spend)
