"""2. Administration: every action, what it costs, and why it may be refused."""

import pytest

from engine.kernel.orders import Order
from engine.patchistory import orders as o
from engine.patchistory.board import Phase
from engine.patchistory.effects import level, points
from engine.patchistory.events import (
    BuildingDrawn,
    Built,
    Campaigned,
    Cleared,
    Exchanged,
    Honoured,
    RouteBuilt,
    WorkerSent,
    WorkerSettled,
)
from engine.patchistory.territory import Square
from tests.engine.patchistory.build import (
    BLUE,
    GREEN,
    RED,
    Answer,
    At,
    Went,
    code,
    enter,
    events_of,
    game,
    hand,
    has,
    lay,
    phase,
    refused,
    route,
    stock,
    workers,
)


def able(points_more: int = 9, *, turn: int = 2) -> At:
    """Red has one Politics Point and so many more."""
    position = game(turn=turn, phase=Phase.ADMINISTRATION)
    for n in range(points_more):
        plain(position, f"A{n + 1}", "palace")
    return position


def plain(position: At, square: str, room: str) -> None:
    """A location of one square."""
    player = position.board.players[RED]
    player.territory = {**player.territory, square: Square(f"plain-{square}", "A", room)}


def do(position: At, answer: Answer) -> Went:
    """Red's administration."""
    return phase(position, Phase.ADMINISTRATION, {RED: answer})


def why(position: At, order: Order) -> str:
    """Why an order cannot stand."""
    return code(refused(position, RED, "administration", order))


# --- commerce


@pytest.mark.parametrize(("turn", "food"), [(2, 2), (7, 3), (12, 4)])
def test_commerce_sends_a_worker_to_the_start_of_a_route(turn: int, food: int) -> None:
    """Commerce: a point and 2, 3 or 4 Food; the worker goes from a tile to the start."""
    position = able(turn=turn)
    workers(position, RED, "I9")
    number = route(position, RED, GREEN)
    went = do(position, o.Send("I9", number))
    assert (events_of(went, WorkerSent)[0].food, events_of(went, WorkerSent)[0].points) == (food, 1)
    assert went.position.board.players[RED].workers == ()
    assert went.position.board.routes[0].spots == {RED: 0}


@pytest.mark.holds("patchistory", "ruling", "A-16")
def test_only_the_player_at_its_start_uses_a_main_route() -> None:
    """A-16: from the start alone, one worker at a time; an allied route takes one of each ally."""
    position = able()
    workers(position, RED, "I9")
    assert why(position, o.Send("J9", 1)) == "no_worker_there"
    assert why(position, o.Send("I9", 7)) == "no_such_route"
    assert why(position, o.Send("I9", route(position, GREEN, RED))) == "route_not_open"
    assert why(position, o.Send("I9", route(position, RED, GREEN, spots={RED: 2}))) == "route_not_open"
    assert why(position, o.Send("I9", route(position, GREEN, RED, allied=True, spots={GREEN: 1}))) == ""


# --- exchange


@pytest.mark.holds("patchistory", "ruling", "A-17")
@pytest.mark.parametrize(
    ("transport", "count", "good", "gained", "problem"),
    [
        (3, 3, "resource", ("food",) * 6, ""),
        (3, 3, "resource", ("money",) * 2 + ("food",) * 4, ""),
        (3, 3, "resource", ("money",) * 5 + ("food",), ""),
        (3, 3, "food", ("resource", "money"), ""),
        (1, 1, "resource", ("food", "food"), ""),
        (1, 1, "resource", ("food", "money"), ""),
        (1, 2, "food", ("resource",), "over_transport"),
        (3, 3, "food", ("resource",), "unequal"),
        (3, 2, "food", ("food", "money"), "into_itself"),
    ],
)
def test_exchange(transport: int, count: int, good: str, gained: tuple[str, ...], problem: str) -> None:
    """Échange: the examples of the rulebook; equal values (A-17), as many units as Transport allows."""
    position = able()
    for n in range(transport - 1):
        plain(position, f"B{n + 1}", "stable")
    order = o.Exchange(count, good, gained)
    assert why(position, order) == problem
    if not problem:
        went = do(position, order)
        assert has(went.position, RED, good) == 9 - count
        assert all(has(went.position, RED, name) == 9 + gained.count(name) for name in set(gained))
        assert events_of(went, Exchanged)[0].points == 1


def test_exchange_takes_what_one_has() -> None:
    """Échange: only what lies behind the screen."""
    position = able()
    stock(position, RED, resource=0)
    assert why(position, o.Exchange(1, "resource", ("food", "food"))) == "too_few_goods"


# --- training


@pytest.mark.holds("patchistory", "ruling", "A-18")
@pytest.mark.parametrize(("turn", "food"), [(2, 4), (7, 5), (12, 6)])
def test_a_worker_is_trained_onto_a_free_location(turn: int, food: int) -> None:
    """Former: two points and 4, 5 or 6 Food; on a gold frame the worker counts at once (A-18)."""
    went = do(able(turn=turn), o.Train("I10"))
    event = events_of(went, WorkerSettled)[0]
    assert (event.square, event.food, event.points) == ("I10", food, 2)
    board = went.position.board
    assert board.players[RED].track == 7
    assert points(board, RED) == 10 + 1 - 2


def test_training_needs_a_free_location_and_a_worker() -> None:
    """Former: one worker a location, however large; eight in all."""
    position = able()
    lay(position, RED, "petra")
    workers(position, RED, "L9")
    assert why(position, o.Train("L10")) == "square_taken"
    assert why(position, o.Train("S19")) == "not_yours"
    position.board.players[RED].track = 0
    assert why(position, o.Train("I9")) == "all_trained"


# --- honours


@pytest.mark.parametrize(("turn", "food", "resources"), [(2, 1, 0), (7, 2, 1), (12, 3, 2)])
def test_heroes_and_wonders_are_honoured(turn: int, food: int, resources: int) -> None:
    """Honorer: two points; 1, 2 or 3 Food, and 0, 1 or 2 Resources; a Culture for each."""
    position = able(turn=turn)
    lay(position, RED, "moses", "L9", "L10")
    lay(position, RED, "napoleon", "M9", "M10")
    lay(position, RED, "parthenon", "N9", "N10", "O9")
    went = do(position, [o.Honour("hero"), o.Honour("wonder")])
    assert [(event.paid, event.culture, event.points) for event in events_of(went, Honoured)] == [
        (food, 2, 2),
        (resources, 1, 2),
    ]
    assert has(went.position, RED, "culture") == 23


def test_there_must_be_something_to_honour() -> None:
    """Honorer: who has neither hero nor wonder is refused."""
    assert why(able(), o.Honour("hero")) == "none_to_honour"


# --- constructions


def test_a_main_route_is_built_once_a_round() -> None:
    """Construction: two points and 2 Resources; its start is one's own; once a round; 14 in all; any number a pair."""
    position = able()
    route(position, RED, GREEN)
    went = do(position, [o.BuildRoute("green"), o.BuildRoute("blue")])
    assert [(event.to, event.number, event.resources) for event in events_of(went, RouteBuilt)] == [(GREEN, 2, 2)]
    assert went.position.board.routes[-1].start == RED
    assert why(went.position, o.BuildRoute("blue")) == "once_a_round"
    assert why(position, o.BuildRoute("red")) == "yourself"
    for _ in range(13):
        route(position, BLUE, GREEN)
    assert why(position, o.BuildRoute("green")) == "no_route_left"


def test_a_square_is_cleared() -> None:
    """Assainissement: two points, a Resource; any square 1x1, a Sea too; a new building tile is drawn."""
    position = able()
    plain(position, "L9", "sea")
    went = do(position, [o.Clear("L9"), o.Clear("I9")])
    there = went.position.board.players[RED].territory
    assert [there[square].shows.id for square in ("L9", "I9")] == ["wasteland", "wasteland"]
    assert there["L9"].cleared
    assert (len(events_of(went, BuildingDrawn)), len(went.position.board.players[RED].pack)) == (2, 4)
    assert has(went.position, RED, "resource") == 7


def test_larger_locations_are_neither_cleared_nor_built_upon() -> None:
    """Assainissement, Construction: a location of one square, one's own, with a building tile in hand; no Sea."""
    position = able()
    lay(position, RED, "petra")
    hand(position, RED, "grange")
    plain(position, "M9", "sea")
    assert why(position, o.Clear("L9")) == "several_squares"
    assert why(position, o.Build("grange", "L9")) == "several_squares"
    assert why(position, o.Clear("S19")) == "not_yours"
    assert why(position, o.Build("grange", "M9")) == "sea_not_built"
    position.board.players[RED].pack = ()
    assert why(position, o.Build("grange", "I9")) == "no_building"
    assert why(position, o.Clear("I9")) == "no_building"


def test_a_building_is_built() -> None:
    """Construction d'un Bâtiment: three points, what is printed on it; it works from then on."""
    position = able()
    hand(position, RED, "garrison")
    went = do(position, o.Build("garrison", "I9"))
    event = events_of(went, Built)[0]
    assert (event.resources, event.points) == (3, 3)
    assert level(went.position.board, RED, "military") == 3
    assert went.position.board.players[RED].territory["I9"].shows.id == "built_garrison"


@pytest.mark.holds("patchistory", "ruling", "A-20")
def test_a_building_takes_the_place_of_a_building() -> None:
    """A-20: a square with a building tile may be built upon again; a worker there stays."""
    position = able()
    hand(position, RED, "grange")
    player = position.board.players[RED]
    player.territory = {**player.territory, "I9": Square("capital", "A", "farm", "wasteland", True)}
    workers(position, RED, "I9")
    went = do(position, o.Build("grange", "I9"))
    square = went.position.board.players[RED].territory["I9"]
    assert (square.over, square.cleared) == ("built_grange", False)
    assert went.position.board.players[RED].workers == ("I9",)


@pytest.mark.holds("patchistory", "ruling", "A-19")
def test_without_a_pile_nothing_is_drawn() -> None:
    """A-19: who still has building tiles acts; nothing is drawn when the pile is empty."""
    position = able()
    position.board.pile = ()
    went = do(position, o.Clear("I9"))
    assert events_of(went, Cleared)
    assert len(went.position.board.players[RED].pack) == 3


# --- campaign and points


def test_a_campaign_turns_points_into_votes_once_a_round() -> None:
    """Campagne: any number of points for as many votes, once a round."""
    went = do(able(), [o.Campaign(4), o.Campaign(1)])
    assert [(event.points, event.votes) for event in events_of(went, Campaigned)] == [(4, 4)]
    assert has(went.position, RED, "vote") == 4


@pytest.mark.holds("patchistory", "ruling", "A-11")
def test_points_are_those_left_of_the_round() -> None:
    """The example of the rulebook: of six points a threat takes three, a route two, a campaign the last."""
    position = able(5)
    position.board.players[RED].spent = 3
    went = do(position, [o.BuildRoute("green"), o.Campaign(1)])
    assert points(went.position.board, RED) == 0
    assert has(went.position, RED, "vote") == 1
    assert why(went.position, o.Train("I9")) == "too_few_points"


def test_a_price_is_never_below_one_point() -> None:
    """Diplomatie et Administration: reductions leave at least a point."""
    position = able()
    lay(position, RED, "academy", "L9", "L10")
    lay(position, RED, "research_institute", "M9", "M10")
    hand(position, RED, "grange")
    went = do(position, o.Build("grange", "I9"))
    assert events_of(went, Built)[0].points == 1


# --- who is asked


def test_who_has_no_point_and_no_worker_on_a_route_is_not_asked() -> None:
    """2.: each act costs at least a point; a worker who comes home may bring one."""
    position = able()
    position.board.players[GREEN].spent = position.board.players[BLUE].spent = 9
    assert {decision.seat for decision in enter(position, Phase.ADMINISTRATION).position.core.questions} == {RED}
    route(position, GREEN, RED, spots={GREEN: 1})
    assert {decision.seat for decision in enter(position, Phase.ADMINISTRATION).position.core.questions} == {RED, GREEN}
