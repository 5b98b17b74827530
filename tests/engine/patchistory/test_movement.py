"""3. Mouvement: on land, on main routes, on allied routes."""

import pytest

from engine.kernel.orders import Clause, Condition, Line, Order, unconditional
from engine.patchistory.board import BLUE as PEACE
from engine.patchistory.board import RED as WAR
from engine.patchistory.board import Phase, Route
from engine.patchistory.catalogue import PREPARATION, WAR_SPACE
from engine.patchistory.events import WorkerCameHome, WorkerMoved, WorkerRested, WorkerTravelled
from engine.patchistory.orders import Home, Move, Rest, Travel
from engine.patchistory.territory import Square
from tests.engine.patchistory.build import (
    GREEN,
    RED,
    At,
    Went,
    code,
    enter,
    events_of,
    game,
    judged,
    open_gate,
    phase,
    play,
    refused,
    route,
    workers,
)


def able(transport: int = 1) -> At:
    """Red's workers go so far."""
    position = game(phase=Phase.MOVEMENT)
    player = position.board.players[RED]
    if not transport:
        player.territory = {**player.territory, "J10": Square("plain", "A", "farm")}
    for n in range(transport - 1):
        player.territory = {**player.territory, f"A{n + 1}": Square(f"plain-{n}", "A", "stable")}
    return position


def do(position: At, *answer: Order) -> Went:
    """Red's movement."""
    return phase(position, Phase.MOVEMENT, {RED: answer})


def why(position: At, order: Order) -> str:
    """Why an order cannot stand once the phase has begun."""
    return code(refused(enter(position, Phase.MOVEMENT).position, RED, "movement", order))


# --- on land


def test_a_worker_goes_as_many_locations_as_transport() -> None:
    """Mouvement sur votre territoire: up to Transport steps, along edges."""
    position = able(2)
    workers(position, RED, "I9")
    assert events_of(do(position, Move("I9", "J10")), WorkerMoved)[0].to == "J10"
    assert why(position, Move("I9", "K10")) == "out_of_reach"
    assert why(position, Move("J9", "K9")) == "no_worker_there"
    assert why(position, Move("I9", "S19")) == "not_yours"


def test_passing_others_is_allowed_ending_on_one_is_not() -> None:
    """One worker a location at the end; on the way there may be several."""
    position = able(2)
    workers(position, RED, "I9", "J9")
    assert why(position, Move("I9", "J9")) == "square_taken"
    assert why(position, Move("I9", "K9")) == ""


def test_workers_follow_one_another() -> None:
    """The first leaves, the second takes the place; each moves once."""
    position = able()
    workers(position, RED, "I9", "J9")
    went = do(position, Move("J9", "K9"), Move("I9", "J9"), Move("J9", "I9"))
    assert went.position.board.players[RED].workers == ("K9", "J9")
    assert len(events_of(went, WorkerMoved)) == 2


@pytest.mark.parametrize(
    ("moves", "after"),
    [
        ((Move("I9", "J9"), Move("J9", "K9")), ("J9", "K9")),
        ((Move("I9", "J9"), Move("J9", "I9")), ("J9", "I9")),
        ((Move("I9", "J9"), Move("J9", "J10")), ("J9", "J10")),
    ],
)
def test_workers_may_share_a_location_while_they_move(moves: tuple[Move, ...], after: tuple[str, ...]) -> None:
    """Mouvement sur votre territoire: one worker a location at the end; during the movement there may be several."""
    position = able()
    workers(position, RED, "I9", "J9")
    begun = enter(position, Phase.MOVEMENT).position
    assert all(result.is_valid for result in judged(begun, RED, "movement", moves))
    assert sorted(do(position, *moves).position.board.players[RED].workers) == sorted(after)


def test_a_worker_whose_location_stays_occupied_goes_back() -> None:
    """The condition of the second line does not hold: nobody leaves J9, and at the end both may not be there."""
    position = able()
    workers(position, RED, "I10", "I9", "J9")
    never = Condition("points", {"count": 999})
    moves = (*unconditional(Move("I9", "J9"), Move("I10", "I9")), Line((Clause(Move("J9", "K9"), (never,)),)))
    went = phase(position, Phase.MOVEMENT, {RED: moves})
    assert sorted(went.position.board.players[RED].workers) == ["I10", "I9", "J9"]


@pytest.mark.holds("patchistory", "ruling", "A-21")
def test_the_stride_is_that_of_the_beginning() -> None:
    """A-21: a worker who leaves the gold frame of Transport shortens nobody's way on land."""
    position = able()
    workers(position, RED, "J10", "I9")
    went = do(position, Move("J10", "K10"), Move("I9", "J10"))
    assert set(went.position.board.players[RED].workers) == {"K10", "J10"}
    went = do(position, Move("J10", "K10"), Move("I9", "K9"))
    assert set(went.position.board.players[RED].workers) == {"K10", "K9"}


def test_land_comes_before_routes() -> None:
    """Workers on the territory move before those on routes."""
    position = able()
    number = route(position, RED, GREEN, spots={RED: 1})
    workers(position, RED, "I9")
    went = do(position, Travel(number, 1), Move("I9", "J9"))
    assert not events_of(went, WorkerMoved)
    went = do(position, Move("I9", "J9"), Travel(number, 1))
    assert events_of(went, WorkerMoved)
    assert events_of(went, WorkerTravelled)


# --- on routes


def on_route(spot: int, transport: int = 1, *, allied: bool = False) -> tuple[At, int]:
    """Red's worker on a route to Green."""
    position = able(transport)
    return position, route(position, RED, GREEN, allied=allied, spots={RED: spot})


def spot(went: Went, number: int) -> int:
    """How far Red's worker has come."""
    found: Route | None = went.position.board.route(number)
    assert found is not None
    return found.spots[RED]


def test_a_worker_on_a_route_goes_forward() -> None:
    """At least a space, at most Transport; who is not ordered goes one."""
    position, number = on_route(1, transport=3)
    assert spot(do(position, Travel(number, 3)), number) == 4
    assert spot(do(position), number) == 2
    assert why(position, Travel(number, 4)) == "too_far"
    assert why(position, Travel(99, 1)) == "not_on_route"


def test_it_stops_on_return_preparation() -> None:
    """Retour/Préparation ends the movement, however many spaces are left."""
    position, number = on_route(4, transport=3)
    assert spot(do(position, Travel(number, 3)), number) == PREPARATION


def test_rest_and_the_way_home() -> None:
    """Repos/Retour instead of going on; home at the end of the next movement, where its owner likes."""
    position, number = on_route(2)
    rested = do(position, Rest(number)).position
    assert rested.board.routes[0].rests == {RED: 2}
    rested.board.turn = 3
    went = do(rested)
    went = play(went.position, open_gate(went.position), {RED: Home(("K9",))})
    assert [(event.number, event.square) for event in events_of(went, WorkerCameHome)] == [(number, "K9")]
    assert went.position.board.routes[0].spots == {}


def test_a_resting_worker_is_not_ordered() -> None:
    """A worker at rest comes home by itself."""
    position, number = on_route(2)
    rested = do(position, Rest(number)).position
    rested.board.turn = 3
    assert why(rested, Travel(number, 1)) == "rests_already"


def test_without_transport_every_worker_on_a_route_rests() -> None:
    """Transport 0 at the start of the phase: rest/return for all of them."""
    position, number = on_route(2, transport=0)
    assert why(position, Travel(number, 1)) == "must_rest"
    assert [event.number for event in events_of(do(position), WorkerRested)] == [number]


def test_a_route_worker_moves_once() -> None:
    """Each worker on a route goes once in a phase."""
    position, number = on_route(1)
    assert spot(do(position, Travel(number, 1), Travel(number, 1)), number) == 2


@pytest.mark.holds("patchistory", "ruling", "A-22")
def test_a_worker_goes_to_its_war() -> None:
    """A-22: from return/preparation a worker whose war is declared goes on to war/return, and nowhere else."""
    position = able()
    number = route(position, RED, GREEN, spots={RED: PREPARATION}, war={RED: WAR, GREEN: PEACE})
    assert why(position, Rest(number)) == "at_war"
    assert spot(do(position), number) == WAR_SPACE


def test_an_allied_route_is_walked_through() -> None:
    """Mouvement sur une Route Alliée: from one's own end to the other, and home at once; there is no rest."""
    position, number = on_route(4, allied=True)
    assert why(position, Rest(number)) == "no_rest_there"
    went = do(position, Travel(number, 1))
    assert went.position.core.questions[0].topic == "home"
    went = play(went.position, open_gate(went.position), {RED: Home(("I9",))})
    assert [event.square for event in events_of(went, WorkerCameHome)] == ["I9"]


def test_a_full_territory_sends_a_worker_to_the_people_track() -> None:
    """Where no location is free, a worker that comes home goes back to the People track."""
    position, number = on_route(4, allied=True)
    workers(position, RED, "I9", "J9", "K9", "I10", "J10", "K10")
    went = do(position, Travel(number, 1))
    went = play(went.position, open_gate(went.position), {})
    assert events_of(went, WorkerCameHome)[0].square == ""
    assert went.position.board.players[RED].track == 2


def test_without_a_word_a_worker_comes_home_to_the_best_gold_frame() -> None:
    """Who says nothing has the free gold frame with the most symbols."""
    position, number = on_route(4, allied=True)
    player = position.board.players[RED]
    player.territory = {**player.territory, "L9": Square("plain", "A", "mint")}
    went = do(position, Travel(number, 1))
    went = play(went.position, open_gate(went.position), {})
    assert events_of(went, WorkerCameHome)[0].square == "L9"
