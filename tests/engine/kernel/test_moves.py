"""`Moves`: what is legal in answer to a question, a slot at a time, behind the lines of a draft."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from engine.kernel import holes
from engine.kernel.forms import Form, Slot
from engine.kernel.holes import Filling, SlotSearch, SlotValues
from engine.kernel.moves import Moves
from engine.kernel.orders import AskMe, Clause, Line, Order, Orders, Problem, Question, unconditional
from engine.kernel.phrasebook import choices, some_choices
from engine.kernel.position import Position
from engine.kernel.run import advance, start
from engine.kernel.secrets import redact
from engine.kernel.viewers import Seat
from tests.bilingual import words
from tests.toy import RULES
from tests.toy.board import COINS, Board
from tests.toy.orders import Attack, Bid, Offer, Scout, Sell

ANN, BOB = Seat("ann"), Seat("bob")


def _position(options: Mapping[str, str] | None = None) -> Position[Board]:
    return start(RULES, (ANN, BOB), options or {}, bytes(32)).position


def _marching() -> Position[Board]:
    """A game whose marches are asked; Bob paid a coin for a card."""
    bids = {ANN: unconditional(Bid(0)), BOB: unconditional(Bid(1))}
    return advance(RULES, _position(), "bid/1", bids).position


def _moves(position: Position[Any], topic: str, draft: Orders = ()) -> Moves[Any]:
    decision = next(d for d in position.core.questions if d.seat == ANN and d.topic == topic)
    return Moves(RULES, redact(position, ANN), decision, draft)


def _form(moves: Moves[Any], order: type[Order]) -> Form:
    return next(form for form in moves.forms if form.order is order)


def test_a_number_is_legal_as_far_as_the_means_go() -> None:
    """The bids of a seat, and why none is higher."""
    moves = _moves(_position(), "bid")
    form = _form(moves, Bid)
    assert moves.choices(form, {}, form.slots[0]).legal == tuple(range(COINS + 1))
    assert moves.refusal(form, {"coins": COINS + 1}) == Problem("too_dear", {"coins": COINS})


def test_what_the_draft_spends_is_no_longer_there() -> None:
    """Behind an attack with all coins no town can be attacked; before it each could."""
    alone, behind = _moves(_marching(), "march"), _moves(_marching(), "march", unconditional(Attack("mill", COINS)))
    form = _form(alone, Attack)
    town = form.slots[0]
    assert "abbey" in alone.choices(form, {}, town).legal
    found = behind.choices(_form(behind, Attack), {}, town)
    assert found.legal == ()
    assert found.refused["abbey"] == Problem("too_dear", {"coins": 0})
    assert found.refused["mill"].code == "own_town"


def test_a_slot_depends_on_the_others() -> None:
    """The armies that a town can be attacked with, and that it can be left out."""
    moves = _moves(_marching(), "march", unconditional(Attack("mill", 2)))
    form = _form(moves, Attack)
    town, armies = form.slots
    assert moves.choices(form, {"town": "abbey"}, armies).legal == tuple(range(1, COINS - 1))
    assert moves.choices(form, {"town": "abbey"}, armies).stop is None
    assert moves.choices(form, {"armies": COINS}, town).legal == ()


def test_a_list_grows_by_what_goes_with_it() -> None:
    """A card of the hand can be sold once."""
    position = _marching()
    held = [card.held for card in position.board.hands[ANN]]
    moves = _moves(position, "march")
    form = _form(moves, Sell)
    legal = moves.choices(form, {}, form.slots[0]).legal
    assert set(legal) <= set(held)
    for card in legal:
        found = moves.choices(form, {"cards": (card,)}, form.slots[0])
        assert card not in found.legal
        assert found.stop is None


def test_amounts_grow_up_to_the_stock() -> None:
    """Of each kind of goods at most what is in store."""
    bids = {ANN: unconditional(Bid(0)), BOB: unconditional(Bid(1))}
    marches: dict[Seat, Orders] = {ANN: (), BOB: ()}
    position = advance(RULES, advance(RULES, _position({"fair": "yes"}), "bid/1", bids).position, "march/1", marches)
    moves = _moves(position.position, "stall")
    form = _form(moves, Offer)
    first, *_ = moves.choices(form, {}, form.slots[0]).legal
    most = moves.choices(form, {"goods": {first: 3}}, form.slots[0])
    assert first not in most.legal
    assert most.refused[first] == Problem("not_in_store", {"goods": first, "count": 3})
    assert most.legal


def test_an_order_is_completed_with_what_it_needs() -> None:
    """What may be left out is; what the rules refuse is none."""
    moves = _moves(_marching(), "march")
    assert moves.complete(_form(moves, Attack), {"town": "abbey"}) == Attack("abbey", 1)
    assert moves.complete(_form(moves, Attack), {"armies": 99}) is None
    assert moves.complete(_form(moves, Scout)) == Scout("bob")


def test_what_was_written_is_kept_as_far_as_it_is_legal() -> None:
    """A number becomes the nearest one; of a name that cannot stand the rest is kept."""
    moves = _moves(_marching(), "march", unconditional(Attack("mill", 2)))
    form = _form(moves, Attack)
    assert moves.closest(form, {"town": "abbey", "armies": 99}) == Attack("abbey", COINS - 2)
    near = moves.closest(form, {"town": "mill", "armies": 3})
    assert isinstance(near, Attack)
    assert (near.town != "mill", near.armies) == (True, 3)
    assert moves.closest(_form(moves, Sell), {"cards": ("oak", "silk", "oak")}) == moves.complete(_form(moves, Sell))


def test_an_outcome_shows_the_figures_before_and_after() -> None:
    """Behind a draft that spent a coin, four armies cost four more."""
    moves = _moves(_marching(), "march", unconditional(Attack("mill", 1)))
    found = moves.outcome(Attack("abbey", 4))
    assert (found.before.board.coins[ANN], found.after.board.coins[ANN]) == (COINS - 1, COINS - 5)
    assert any(getattr(event, "town", "") == "abbey" for event in found.events)
    assert not any(getattr(event, "town", "") == "mill" for event in found.events)


def test_nothing_is_legal_behind_a_line_that_always_asks_again() -> None:
    """No line behind it is ever reached."""
    moves = _moves(_marching(), "march", (Line((Clause(AskMe()),)),))
    assert moves.refusal(_form(moves, Attack)) == Problem("behind_ask_me", lasting=True)


def test_a_question_that_is_not_asked_yet_takes_whatever_can_be_written() -> None:
    """Orders in advance are judged when they are asked."""
    seen = redact(_position(), ANN)
    moves = Moves(RULES, seen, Question("march/1", ANN, "march"), unconditional(Attack("mill", COINS)))
    form = _form(moves, Sell)
    assert len(moves.choices(form, {}, form.slots[0]).legal) == len(form.slots[0].choices)


# --- the search


class Pair(Order):
    """An order of two things, the second of which may be left out."""

    one: str
    other: str = ""


THINGS = choices((name, words(name, name)) for name in "abcd")
ONE = Slot("one", "thing", words("un", "one"), THINGS)
OTHER = Slot("other", "thing", words("autre", "other"), THINGS, optional=True, default="")


def _any_values(slot: Slot, known: Filling) -> SlotValues | None:
    return None


class Judge:
    """Rules that count how often they are asked."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, order: Order) -> Problem | None:
        assert isinstance(order, Pair)
        self.asked += 1
        if order.one == "a":
            return Problem("not_a", {"with": order.other})
        return None if order.other in ("d", "") else Problem("only_d")


def test_a_value_is_not_tried_where_the_rules_do_not_read_it() -> None:
    """What is against the first thing stands, whatever the second would be; its terms are complete."""
    judge = Judge()
    search = SlotSearch(Form(words("PAIRE", "PAIR"), Pair, (ONE, OTHER)), judge, _any_values)
    assert search.find(search.start({"one": "a"})).problem == Problem("not_a", {"with": ""})
    assert judge.asked <= 2


def test_what_may_be_left_out_is_left_out_first_and_then_tried() -> None:
    """A slot that the rules need after all is found."""
    search = SlotSearch(Form(words("PAIRE", "PAIR"), Pair, (ONE, replace(OTHER, default="c"))), Judge(), _any_values)
    assert search.find(search.start({"one": "b"})) == (None, {"one": "b", "other": "d"})


def test_where_no_number_is_worth_trying_the_rules_say_why() -> None:
    """A thing that takes no number is refused for its own reason, not because nothing fits."""
    number = Slot("other", "number", words("nombre", "number"), low=1)
    form = Form(words("PAIRE", "PAIR"), Pair, (ONE, number))
    search = SlotSearch(
        form, lambda order: Problem("too_far") if vars(order)["other"] else None, lambda *_: SlotValues()
    )
    assert search.find(search.start({"one": "b"})).problem == Problem("too_far")
    assert search.explain(search.start({"one": "b"})) == Problem("too_far")


def test_every_order_is_listed_once_and_the_first_thing_changes_fastest() -> None:
    """For suggestions of a game that makes none."""
    search = SlotSearch(Form(words("PAIRE", "PAIR"), Pair, (ONE, replace(OTHER, optional=False))), Judge(), _any_values)
    assert [search.make(found) for found in search.every(search.start({}))] == [
        Pair(one, "d") for one in ("b", "c", "d")
    ]
    assert list(search.every(search.start({"one": "a"}))) == []


def test_a_search_that_is_too_wide_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is offered that was not tried."""
    monkeypatch.setattr(holes, "FUEL", 3)
    search = SlotSearch(
        Form(words("PAIRE", "PAIR"), Pair, (ONE, OTHER)), lambda order: Problem(f"no{order}"), _any_values
    )
    with pytest.raises(holes.OutOfFuel):
        search.find(search.start({}))


class Several(Order):
    """An order of several things."""

    things: tuple[str, ...]


def _exactly(*wanted: str) -> Any:
    """A judge of lists with just these things."""

    def judge(order: Order) -> Problem | None:
        assert isinstance(order, Several)
        if len(order.things) != len(wanted):
            return Problem("so_many", {"count": len(order.things)})
        wrong = next((thing for thing in order.things if thing not in wanted), None)
        return Problem("not_wanted", {"thing": wrong}) if wrong else None

    return judge


@pytest.mark.parametrize(
    "worth", [SlotValues(tuple("abcd"), 2, 2), SlotValues(lists=(("a", "b"), ("a", "c"), ("b", "d")))]
)
def test_a_list_that_needs_two_things_is_begun_with_either(worth: SlotValues) -> None:
    """A thing is legal if some list with it is, in whatever order its things are named."""
    slot = some_choices("things", "thing", words("choses", "things"), THINGS)
    search = SlotSearch(Form(words("DES", "SOME"), Several, (slot,)), _exactly("b", "d"), lambda slot, known: worth)

    def legal(*has: str) -> list[str]:
        tried = {t: search.find(search.start({"things": (*has, t)}, growing="things")).problem for t in "abcd"}
        return [thing for thing, problem in tried.items() if problem is None]

    assert legal() == ["b", "d"]
    assert "b" in legal("d")
