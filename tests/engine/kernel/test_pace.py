"""A phase's orders are asked of all at once, or of each in turn."""

from dataclasses import dataclass, field
from typing import Any

from engine.kernel import pace
from engine.kernel.dice import Hmac
from engine.kernel.names import Seat
from engine.kernel.orders import Decision
from engine.kernel.position import Core, Position
from engine.kernel.secrets import Secret
from engine.kernel.table import Table
from tests.toy import RULES

ANN, BOB, CLEO = Seat("ann"), Seat("bob"), Seat("cleo")


class AskInTurn(pace.AskInTurn, saved="test.AskInTurn"):
    """A seat's turn in this test."""


@dataclass
class Player:
    """A seat's affairs."""

    seat: Seat
    eliminated: bool = False


@dataclass
class Board:
    """The players, and the turn each plays in."""

    turn: int = 3
    powers: dict[Seat, Player] = field(default_factory=lambda: {seat: Player(seat) for seat in (ANN, BOB, CLEO)})

    def playing(self) -> tuple[Player, ...]:
        """Those who are in the game."""
        return tuple(power for power in self.powers.values() if not power.eliminated)


def table(chosen: str) -> Table[Any]:
    """A table in this pace."""
    core = Core((ANN, BOB, CLEO), {"pace": chosen}, Secret(b"seed"))
    return Table[Any](RULES, Position[Any](core, Board()), Hmac(b"seed", b"luck"))


def test_sealed_orders_are_asked_of_all_at_one_gate() -> None:
    """Everybody still in the game is asked at one gate."""
    at = table("sealed")
    at.board.powers[BOB].eliminated = True
    pace.call_for_orders(at, "march", AskInTurn)
    assert at.core.open == (Decision("march/3", ANN, "march"), Decision("march/3", CLEO, "march"))
    assert at.core.agenda == ()


def test_in_order_each_is_asked_when_their_turn_comes() -> None:
    """A player who has left before their turn is passed over."""
    at = table("order")
    pace.call_for_orders(at, "march", AskInTurn)
    assert at.core.agenda == tuple(AskInTurn(seat, "march") for seat in (ANN, BOB, CLEO))
    at.board.powers[ANN].eliminated = True
    for step in (AskInTurn(ANN, "march"), AskInTurn(BOB, "march")):
        pace.ask_in_turn(at, step)
    assert at.core.open == (Decision("march/3/bob", BOB, "march"),)


def test_a_question_ahead_is_the_one_that_will_be_put() -> None:
    """What is filed for a phase to come waits at the gate at which it will be asked."""
    for chosen in ("sealed", "order"):
        at = table(chosen)
        pace.call_for_orders(at, "march", AskInTurn)
        for step in at.core.agenda:
            assert isinstance(step, AskInTurn)
            pace.ask_in_turn(at, step)
        assert at.core.open == tuple(pace.question(at.position, seat, "march", 3) for seat in (ANN, BOB, CLEO))


def test_a_seat_waits_while_only_those_before_it_are_asked() -> None:
    """The waiting ends with its own turn, or with that of a later seat."""
    board = Board()
    assert pace.waits(board, CLEO, (ANN, BOB))
    assert not pace.waits(board, BOB, (BOB,))
    assert not pace.waits(board, ANN, (BOB,))
    assert not pace.waits(board, ANN, ())
