"""What can be named in a slot, whichever of the others are filled first."""

from collections.abc import Sequence
from typing import Any

from engine.kernel.moves import Moves
from engine.kernel.orders import Order, Question
from engine.kernel.secrets import redact
from engine.patchistory import orders as o
from engine.patchistory.board import Phase
from engine.patchistory.ruleset import RULES
from tests.engine.patchistory.build import GREEN, RED, At, enter, game, route, stock, workers


def legal(position: At, topic: str, order: type[Order], slot: str, **given: Any) -> Sequence[str | int]:
    """The legal values of a slot of Red's answer, given some of the others."""
    decision = Question(f"{topic}/{position.board.turn}", RED, topic)
    seen = redact(position, RED)
    seen.core.questions = (decision,)
    moves = Moves(RULES, seen, decision)
    form = next(form for form in moves.forms if form.order is order and any(s.name == slot for s in form.slots))
    return moves.choices(form, given, next(s for s in form.slots if s.name == slot)).legal


def test_exchanges_are_bounded_by_the_store_and_by_the_value() -> None:
    """A-17: the goods given are in store, and those gained have their value; either may be named first."""
    position = game(phase=Phase.ADMINISTRATION)
    stock(position, RED, money=2, food=0, resource=0, culture=0)
    counts = legal(position, "administration", o.Exchange, "count")
    assert list(counts) == list(legal(position, "administration", o.Exchange, "count", good="money"))
    assert max(map(int, counts)) <= 2
    gained = legal(position, "administration", o.Exchange, "gained")
    assert set(legal(position, "administration", o.Exchange, "gained", count=1, good="money")) <= set(gained)
    assert "money" not in legal(position, "administration", o.Exchange, "gained", count=1, good="money")


def test_a_square_is_named_once_in_a_list() -> None:
    """It would say nothing more: on the page a second touch takes it out of the list again."""
    position = game(phase=Phase.PLACEMENT)
    squares = legal(position, "settle", o.Settle, "squares")
    assert set(legal(position, "settle", o.Settle, "squares", squares=(squares[0],))) == {*squares[1:]}


def test_one_good_is_given_for_several() -> None:
    """A-17: a resource buys two of others, though the count is named first."""
    position = game(phase=Phase.ADMINISTRATION)
    stock(position, RED, money=0, food=0, resource=1, culture=0)
    assert list(legal(position, "administration", o.Exchange, "count")) == [1]


def test_a_worker_goes_to_a_free_location_within_reach() -> None:
    """The end may be named before the start; then only workers are named who reach it."""
    position = game(phase=Phase.MOVEMENT)
    workers(position, RED, "I9", "K10")
    position = enter(position, Phase.MOVEMENT).position
    ends = legal(position, "movement", o.Move, "to")
    assert set(legal(position, "movement", o.Move, "to", start="I9")) < set(ends)
    assert list(legal(position, "movement", o.Move, "start", to="J9")) == ["I9"]


def test_a_limit_is_for_open_bids() -> None:
    """5.: with two players bids are secret sums, from 1 to all the money."""
    for seats, limits in ((2, 0), (3, 9)):
        position = enter(game(seats), Phase.AUCTION).position
        topic = next(d.topic for d in position.core.questions if d.seat == RED)
        assert len(legal(position, topic, o.Bid, "most")) == limits
        assert len(legal(position, topic, o.Bid, "start")) == 9


def test_workers_are_sent_back_from_where_they_are() -> None:
    """Squares with own workers, and routes with an own one."""
    position = game(phase=Phase.MOVEMENT)
    workers(position, RED, "I9", "J9")
    own, _ = route(position, RED, GREEN, spots={RED: 1}), route(position, RED, GREEN)
    assert set(legal(position, "sacrifice", o.SendBack, "squares")) == {"I9", "J9"}
    assert list(legal(position, "sacrifice", o.SendBack, "routes")) == [str(own)]
    assert list(legal(enter(position, Phase.MOVEMENT).position, "movement", o.Travel, "route")) == [own]


def test_wars_are_fed_from_the_store() -> None:
    """2.: so many resources as there are; votes only with an effect that allows them."""
    position = game(phase=Phase.MOVEMENT)
    stock(position, RED, resource=3)
    assert list(legal(position, "fuel", o.Fuel, "resources")) == [0, 1, 2, 3]
    war = route(position, RED, GREEN, war={RED: "A"})
    route(position, RED, GREEN)
    assert list(legal(position, "fights", o.Fights, "routes")) == [str(war)]
