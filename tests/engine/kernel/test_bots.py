"""Players that need nothing but open questions and their own view."""

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from engine.kernel import evaluation
from engine.kernel.bots import Bot, BotProfile, chooser, play_game
from engine.kernel.orders import Orders, Problem, Question, unconditional
from engine.kernel.position import Position, Step
from engine.kernel.run import start
from engine.kernel.secrets import redact, seen_by
from engine.kernel.table import Table
from engine.kernel.validation import all_valid, check_orders
from engine.kernel.viewers import Seat
from tests.toy import RULES
from tests.toy.board import Board
from tests.toy.orders import Attack, Bid, Parry
from tests.toy.rules import Toy
from tests.toy.steps import Strike

SEATS = ANN, BOB = Seat("ann"), Seat("bob")
MARCH = Question("march/1", ANN, "march")


def view() -> Position[Board]:
    """What Ann sees of a new game."""
    return redact(start(RULES, SEATS, {}, b"bots").position, ANN)


def counted(numbers: list[int]) -> Callable[[str, int], int]:
    """Choices from a list, over and over."""
    calls = iter(numbers * 1000)
    return lambda _, n: next(calls) % n


@given(st.lists(st.integers(0, 99), min_size=1, max_size=30), st.integers(0, 100), st.integers(0, 100))
def test_whatever_a_bot_answers_stands(numbers: list[int], suggested: int, fancy: int) -> None:
    """Sets and single answers alike are accepted, whatever is chosen."""
    temper = BotProfile(suggested=suggested, random_share=fancy)
    for decision in (MARCH, Question("bid/1", ANN, "bid", {"coins": 8}), Question("shield/1", ANN, "shield")):
        orders = Bot(RULES, ANN, counted(numbers), temper).answer(view(), decision)
        assert all_valid(check_orders(RULES, view(), decision, orders))


def test_a_bot_uses_all_that_a_line_may_have() -> None:
    """Conditions, negated ones too, alternatives, tries, otherwise and confirmed empty sets all occur."""
    sets = [
        Bot(RULES, ANN, chooser(str(n).encode()), BotProfile(suggested=30, random_share=80)).answer(view(), MARCH)
        for n in range(150)
    ]
    lines = [line for orders in sets for line in orders]
    conditions = [c for line in lines for clause in line.plan for c in clause.conditions]
    assert () in sets
    assert max(map(len, sets)) > 2
    assert {c.negated for c in conditions} == {True, False}
    assert {c.fact for c in conditions} == {"hold", "have"}
    assert any(line.repeat > 1 for line in lines)
    assert any(line.fallback for line in lines)
    assert any(len(line.plan) > 1 for line in lines)


def test_a_question_put_twice_gets_the_same_answer() -> None:
    """A bot keeps nothing in mind: a task that is done again plays the same."""
    bot = Bot(RULES, ANN, chooser(b"again"))
    first = bot.answer(view(), MARCH)
    assert bot.ahead(view()) == bot.ahead(view())
    assert bot.answer(view(), MARCH) == first == Bot(RULES, ANN, chooser(b"again")).answer(view(), MARCH)


def test_a_bot_without_ideas_falls_back_to_what_is_suggested_then_to_the_default() -> None:
    """Without a candidate it takes the first suggestion that stands; without a suggestion, the stated default."""
    dull = BotProfile(tries=0, passing=0)
    bid = Question("bid/1", ANN, "bid", {"coins": 8})
    assert Bot(RULES, ANN, chooser(b"dull"), dull).answer(view(), bid) == unconditional(Bid(2))

    class Silent(Toy):
        def suggest_orders(self, seen: Position[Board], decision: Question, most: int | None = None) -> Orders:
            return ()

    assert Bot(Silent(), ANN, chooser(b"dull"), dull).answer(view(), bid) == unconditional(Bid(0))


def test_reactions_answer_first_and_are_counted() -> None:
    """What was answered ahead is taken when the question comes, in both paces."""
    eager = BotProfile(ahead=100, absent=0, unasked_share=0)
    for pace in ("sealed", "in_order"):
        bots = {seat: Bot(RULES, seat, chooser(b"eager"), eager) for seat in SEATS}
        game = play_game(RULES, SEATS, {"pace": pace}, b"eager", bots)
        assert game.reactions["march"] > 0
        assert game.reactions["shield"] > 0


def test_a_reaction_that_does_not_stand_any_more_is_not_used() -> None:
    """A shield announced and not held when the attack comes is no answer: the seat is asked."""

    class Boastful(Bot[Board]):
        def ahead(self, seen: Position[Board]) -> dict[tuple[str, str], Orders]:
            return {("", "shield"): unconditional(Parry("silk"))}

    bots = {seat: Boastful(RULES, seat, chooser(b"boast"), BotProfile(absent=0, unasked_share=0)) for seat in SEATS}
    game = play_game(RULES, SEATS, {}, b"boast", bots)
    asked = [e for e in game.entries if e.gate.startswith("shield")]
    assert asked
    assert game.reactions["shield"] == 0


def test_a_planner_tries_each_line_behind_those_before_it() -> None:
    """Each line is what the game suggests first where the lines before it are done, with others of its kind behind."""
    planner = BotProfile(passing=0, absent=0, plans=True, lines=3, alternatives=2)
    seen = view()
    orders = Bot(RULES, ANN, counted([0]), planner).answer(seen, MARCH)
    assert all_valid(check_orders(RULES, seen, MARCH, orders))
    with seen_by(ANN):
        first = RULES.suggest_orders(seen, MARCH)
    assert orders[0].plan[0] == first[0].plan[0]
    assert 1 < len(orders) <= 3
    assert len(set(orders)) == len(orders), "the same is not planned twice"
    assert {len(line.plan) for line in orders} <= {1, 2, 3}
    for line in orders:
        assert len({type(clause.order) for clause in line.plan}) == 1


class Greedy(Toy):
    """The toy for who wants towns, and thinks a coin worth a little."""

    town = 50

    def evaluate(self, seen: Position[Board], seat: Seat) -> int:
        """Towns first, then coins."""
        mine = sum(owner == seat for owner in seen.board.owner.values())
        return self.town * mine + seen.board.coins[seat]


class Miser(Greedy):
    """The toy for who wants coins alone."""

    town = 0


LOOKS_AHEAD = BotProfile(passing=0, absent=0, plans=True, lines=3, evaluates=8)


def test_a_bot_that_weighs_takes_what_leaves_it_best_off_and_nothing_that_does_not() -> None:
    """It attacks where a town is worth its coins; where only coins count, it keeps them."""
    greedy = Bot(Greedy(), ANN, chooser(b"weigh"), LOOKS_AHEAD).answer(view(), MARCH)
    assert any(isinstance(line.plan[0].order, Attack) for line in greedy)
    assert all_valid(check_orders(RULES, view(), MARCH, greedy))
    miser = Bot(Miser(), ANN, chooser(b"weigh"), LOOKS_AHEAD).answer(view(), MARCH)
    assert not any(isinstance(line.plan[0].order, Attack) for line in miser)


def test_what_odds_are_told_for_counts_by_its_odds() -> None:
    """A line that would be won twice in three throws is worth so much of what it brings."""
    rules, seen = Greedy(), view()
    with seen_by(ANN):
        before = evaluation.evaluate_orders(rules, seen, ANN)
        plain = evaluation.preview_outcome(rules, seen, MARCH, unconditional(Attack("mill", 1)), before)
        risky = evaluation.preview_outcome(Risky(), seen, MARCH, unconditional(Attack("mill", 1)), before)
    assert plain is not None
    assert risky is not None
    assert risky.worth == before + (plain.worth - before) * 2 / 3


class Risky(Greedy):
    """The same, where each attack is said to be won twice in three throws."""

    def take(self, table: Table[Board], step: Step) -> None:
        """See `Toy`."""
        super().take(table, step)
        if isinstance(step, Strike):
            table.note(Problem("odds", {"wins": 2, "of": 3}))
