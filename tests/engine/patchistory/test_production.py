"""5. Production et Entretien des Ouvriers, 6. Entretien des Héros et des Merveilles."""

import pytest

from engine.patchistory.board import Phase
from engine.patchistory.events import Produced, SpecialsKept, WorkersFed
from engine.patchistory.territory import Square
from tests.engine.patchistory.build import GREEN, RED, At, enter, events_of, game, has, lay, route, stock, workers


def produced(position: At) -> Produced:
    """What Red gains."""
    return next(event for event in events_of(enter(position, Phase.PRODUCTION), Produced) if event.seat == RED)


def test_tiles_produce_every_round() -> None:
    """2.: goods by the markers; gold frames with a worker on them."""
    position = game()
    assert dict(produced(position).tiles) == {"food": 1, "money": 1, "culture": 1}
    workers(position, RED, "I9")
    assert dict(produced(position).tiles) == {"food": 2, "money": 1, "culture": 1}


@pytest.mark.parametrize(
    ("allied", "start", "spot", "goods"),
    [
        (False, RED, 1, {"money": 2}),
        (False, RED, 3, {"resource": 1}),
        (False, RED, 0, {}),
        (False, RED, 5, {}),
        (True, RED, 1, {"food": 3}),
        (True, GREEN, 1, {"resource": 2}),
    ],
)
def test_workers_on_routes_produce(allied: bool, start: str, spot: int, goods: dict[str, int]) -> None:
    """3.: the goods of the space where they stand; an allied route is read from one's own end."""
    position = game()
    other = GREEN if start == RED else RED
    route(position, RED if start == RED else GREEN, other, allied=allied, spots={RED: spot})
    assert dict(produced(position).routes) == goods


def test_a_resting_worker_produces_nothing() -> None:
    """A worker on rest/return is on no space with goods."""
    position = game()
    route(position, RED, GREEN, spots={RED: 1})
    board = position.board
    there = board.routes[0]
    board.routes = (type(there)(1, RED, GREEN, False, there.spots, {RED: 2}),)
    assert dict(produced(position).routes) == {}


def test_workers_are_fed() -> None:
    """Entretien: the highest visible number of the People track; for each missing Food 3 Culture."""
    position = game()
    workers(position, RED, "I10", "J10", "K10", "K9", "J9")
    fed = next(event for event in events_of(enter(position, Phase.PRODUCTION), WorkersFed) if event.seat == RED)
    assert (fed.food, fed.missing, fed.culture) == (5, 0, 0)
    stock(position, RED, food=0)
    fed = next(event for event in events_of(enter(position, Phase.PRODUCTION), WorkersFed) if event.seat == RED)
    assert (fed.food, fed.missing, fed.culture) == (1, 4, 12)


def kept(position: At) -> SpecialsKept:
    """The upkeep of Red's heroes and wonders."""
    return next(event for event in events_of(enter(position, Phase.UPKEEP), SpecialsKept) if event.seat == RED)


@pytest.mark.holds("patchistory", "ruling", "A-28")
def test_heroes_and_wonders_are_kept() -> None:
    """6.: two Food a hero, a Resource a wonder; missing Food costs 3 Culture, missing Resources 6, never below 0."""
    position = game(turn=5)
    lay(position, RED, "moses", "L9", "L10")
    lay(position, RED, "napoleon", "M9", "M10")
    lay(position, RED, "petra", "N9", "N10")
    assert (kept(position).food, kept(position).resources, kept(position).culture) == (4, 1, 0)
    stock(position, RED, food=3, resource=0)
    assert (kept(position).food, kept(position).resources, kept(position).culture) == (3, 0, 9)
    stock(position, RED, culture=4)
    assert has(enter(position, Phase.UPKEEP).position, RED, "culture") == 0


def test_special_buildings_need_no_upkeep() -> None:
    """6.: heroes and wonders alone."""
    position = game(turn=5)
    lay(position, RED, "granary")
    player = position.board.players[RED]
    player.territory = {**player.territory, "M9": Square("p", "A", "farm")}
    went = enter(position, Phase.UPKEEP)
    assert RED not in {event.seat for event in events_of(went, SpecialsKept)}
