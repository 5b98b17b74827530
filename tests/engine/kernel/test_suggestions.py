"""What is proposed for a line that cannot stand."""

from engine.kernel.orders import Clause, Line, Order, unconditional
from engine.kernel.secrets import redact
from engine.kernel.suggestions import LineSlot, preferences
from tests.engine.kernel.test_validation import ANN, MARCH, position
from tests.toy import RULES
from tests.toy.orders import Attack, Sell


def place(*lines: Order | None, number: int, coins: int = 8) -> LineSlot:
    """A line's place in Ann's march; Ann holds the harbour, wine and silk."""
    written = tuple(Line((Clause(order),)) if order is not None else None for order in lines)
    seen = redact(position(coins), ANN)
    seen.core.questions = (MARCH,)
    return LineSlot(RULES, seen, MARCH, written, number)


def best(*likely: Order, at: LineSlot) -> Order | None:
    """The order that is proposed there."""
    found = at.best(unconditional(*likely))
    return found.plan[0].order if found is not None else None


def test_a_proposal_pays_with_what_the_lines_before_leave() -> None:
    """Eight coins less five leave three: an army of four is no proposal, though it would stand alone."""
    at = place(Attack("mill", 5), Attack("abbey", 9), number=1)
    assert best(Attack("abbey", 4), Attack("abbey", 3), at=at) == Attack("abbey", 3)


def test_a_proposal_takes_nothing_from_the_lines_behind() -> None:
    """What stands behind the refused line still stands with the proposal in its place."""
    at = place(Attack("mill", 20), Attack("abbey", 6), number=0)
    assert best(Attack("mill", 5), Attack("mill", 2), at=at) == Attack("mill", 2)
    assert not at.accepts(unconditional(Attack("mill", 3))[0])
    assert at.accepts(unconditional(Attack("mill", 2))[0])


def test_lines_that_do_not_stand_anyhow_are_no_hindrance() -> None:
    """Another refused line is not held against a proposal."""
    at = place(Attack("mill", 20), Sell(("oak",)), number=0)
    assert best(Attack("mill", 5), at=at) == Attack("mill", 8)


def test_the_proposal_most_like_the_line_comes_first() -> None:
    """The same kind and place with the nearest legal number; what was refused is not proposed again."""
    at = place(Attack("abbey", 9), number=0)
    assert best(Sell(("wine",)), Attack("mill", 1), Attack("abbey", 1), at=at) == Attack("abbey", 8)
    assert best(Attack("abbey", 9), at=at) == Attack("abbey", 8)


def test_of_what_cannot_stand_at_all_the_likeliest_is_proposed() -> None:
    """Nobody attacks their own town; of other towns with as many armies the game says which is good."""
    assert best(Attack("abbey", 2), at=place(Attack("harbour", 2), number=0)) == Attack("abbey", 2)


def test_for_what_could_not_be_read_the_likeliest_line_is_proposed() -> None:
    """Where nothing was understood, the first likely line that stands there is proposed; else none."""
    at = place(Attack("mill", 8), None, number=1)
    assert best(Attack("abbey", 1), Sell(("wine",)), at=at) == Sell(("wine",))
    assert best(Attack("abbey", 1), at=at) is None


def test_a_list_of_preference_is_as_long_as_it_must_be() -> None:
    """Each of the best things comes first once; behind it stand so many that not all can be gone."""
    assert list(preferences("abcd", 2, 3)) == [("a", "b"), ("b", "a"), ("c", "a")]
    assert list(preferences("ab", 3)) == [("a", "b"), ("b", "a")]
    assert list(preferences("", 3)) == []
