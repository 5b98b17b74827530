"""What a game master can put right, and how it is taken back."""

import pytest

from engine.kernel.correction_events import CorrectionRefused
from engine.kernel.corrections import Ruling
from engine.kernel.events import Corrected, Event
from engine.kernel.orders import Order
from engine.kernel.position import Position
from engine.kernel.rulings import Adopt, Deal, Give, Take
from engine.kernel.run import correct, fold, inverse_events, ruling_events
from engine.kernel.secrets import truth
from engine.patchistory.board import Board
from engine.patchistory.corrections import (
    CORRECTIONS,
    DealCard,
    EndRoute,
    LandsShuffled,
    ReturnCard,
    ReturnLand,
    SetFirst,
    SetRoute,
    SetSpot,
    SetSquare,
    SetWorker,
    ShuffleLands,
)
from engine.patchistory.ruleset import RULES
from tests.engine.patchistory.build import BLUE, GREEN, RED, At, game, has, route, sound, workers

SCORED = "rank_trade_routes"


def rule(position: At, *orders: Order) -> tuple[At, tuple[Event, ...]]:
    """The position after a ruling, and its facts."""
    with truth():
        facts = ruling_events(RULES, Ruling(position, lambda entry, seat: ()), orders)
    return fold(RULES, position, facts), facts


def taken_back(before: At, after: At, facts: tuple[Event, ...]) -> Position[Board]:
    """The position after the ruling was taken back."""
    with truth():
        return fold(RULES, after, inverse_events(RULES, after, facts, before))


def ready() -> At:
    """A position with workers and routes, a card that was scored, a tile that was discarded."""
    position = game()
    route(position, RED, GREEN, spots={RED: 2})
    workers(position, RED, "I9")
    board = position.board
    with truth():
        board.stack = tuple(card for card in board.stack if card.value != SCORED)
        board.deck = tuple(tile for tile in board.deck if tile.value != "I-07")
    board.scored, board.discarded = (SCORED,), ("I-07",)
    return position


RULINGS: list[Order] = [
    Give(3, "food", RED),
    Take(2, "culture", RED),
    Deal(1, RED),
    SetWorker(RED, "I9", "J9"),
    SetWorker(RED, "", "K9"),
    SetWorker(RED, "I9", ""),
    SetRoute(BLUE, RED, False),
    SetRoute(GREEN, BLUE, True),
    EndRoute(1),
    SetSpot(1, RED, 4),
    SetSquare(RED, "K10", "wasteland"),
    SetSquare(RED, "K10", "grange"),
    SetFirst(BLUE),
    DealCard(RED),
    ReturnCard(SCORED, RED),
    ReturnLand("I-07"),
]


@pytest.mark.parametrize("order", RULINGS, ids=lambda order: type(order).__name__)
def test_a_ruling_leaves_a_sound_table_and_can_be_taken_back(order: Order) -> None:
    """Every correction keeps what must hold, and its inverse brings back what was."""
    before = ready()
    after, facts = rule(before, order)
    sound(after)
    assert facts
    assert after.board != before.board
    again = taken_back(before, after, facts)
    sound(again)
    assert again.board.players == before.board.players
    assert (again.board.routes, again.board.first) == (before.board.routes, before.board.first)


def test_figures_are_goods_and_votes() -> None:
    """Everything behind a screen can be given and taken."""
    for good in CORRECTIONS.figures:
        after, _ = rule(ready(), Give(2, good, GREEN))
        assert has(after, GREEN, good) == has(ready(), GREEN, good) + 2


@pytest.mark.parametrize(
    ("order", "code"),
    [
        (SetWorker(RED, "J9", "K9"), "no_worker_there"),
        (SetWorker(RED, "", "I9"), "taken_square"),
        (SetWorker(RED, "", "A1"), "taken_square"),
        (EndRoute(7), "no_such_route"),
        (SetSpot(1, GREEN, 2), "no_such_space"),
        (SetSpot(1, RED, 9), "no_such_space"),
        (SetSquare(RED, "A1", "grange"), "not_one_square"),
        (SetFirst(RED), "nothing_changes"),
        (SetRoute(RED, RED, False), "same_seat"),
        (Take(99, "food", RED), "below_zero"),
        (ReturnCard("rank_heroes", RED), "card_not_there"),
        (ReturnLand("I-08"), "land_not_there"),
    ],
    ids=lambda x: x if isinstance(x, str) else type(x).__name__,
)
def test_what_cannot_stand_is_refused(order: Order, code: str) -> None:
    """A ruling that would break the table is refused with its reason."""
    with pytest.raises(CorrectionRefused) as found:
        rule(ready(), order)
    assert found.value.problem.code == code


def test_the_land_tiles_can_be_shuffled_and_laid_back() -> None:
    """The same tiles in a drawn order; taken back, they lie as they did."""
    before = ready()
    with truth():
        (edit,) = ruling_events(RULES, Ruling(before, lambda entry, seat: ()), (ShuffleLands(),))
    went = correct(RULES, before, Corrected(by="Ann", reason="", edits=(edit,)))
    (shuffled,) = (event for event in went.events if isinstance(event, LandsShuffled))
    with truth():
        tiles = [tile.value for tile in went.position.board.deck]
        assert sorted(tiles) == sorted(tile.value for tile in before.board.deck)
        assert tiles != [tile.value for tile in before.board.deck]
    assert shuffled.inverse(went.position.board).after == before.board.deck


def test_readings_can_be_adopted() -> None:
    """Open goods, mixed placement and the way of voting can change in the middle of a game."""
    after, _ = rule(ready(), Adopt("goods", "open"))
    assert isinstance(after.board.players[RED].stock["food"], int)
