"""Tests of the rules of Stub: begin a game, resolve a gate, look at the board."""

from engine.kernel.events import Ended
from engine.kernel.orders import unconditional
from engine.kernel.run import Advance, advance, start
from engine.kernel.viewers import Seat
from pbem.stub.game import RULES
from pbem.stub.game.board import TURNS, Board
from pbem.stub.game.orders import Offer

ANN, BOB = Seat("ann"), Seat("bob")


def test_the_highest_single_offer_scores_and_everybody_pays() -> None:
    """Ann offers 2 stones, Bob 5."""
    board = offered(start(RULES, (ANN, BOB), {}, b"a seed"), 2, 5).position.board
    assert board.points == {ANN: 0, BOB: 1}
    assert board.stones == {ANN: 10, BOB: 7}


def test_the_game_ends_after_its_last_turn() -> None:
    """Equal offers score nothing, so both are first."""
    result = start(RULES, (ANN, BOB), {}, b"a seed")
    for _ in range(TURNS):
        result = offered(result, 1, 1)
    (ended,) = (event for event in result.events if isinstance(event, Ended))
    assert ended.ranking == ((ANN, BOB),)


def offered(before: Advance[Board], ann: int, bob: int) -> Advance[Board]:
    """What comes of two offers."""
    (gate,) = before.position.core.gates()
    answers = {ANN: unconditional(Offer(ann)), BOB: unconditional(Offer(bob))}
    return advance(RULES, before.position, gate, answers)
