"""A phase's orders are asked of all at once, or of each in turn."""

from types import SimpleNamespace
from typing import Any

from engine.kernel import pace
from engine.kernel.viewers import Seat

ANN, BOB, CLEO = Seat("ann"), Seat("bob"), Seat("cleo")


def test_a_seat_waits_while_only_those_before_it_are_asked() -> None:
    """The waiting ends with its own turn, or with that of a later seat."""
    board: Any = SimpleNamespace(playing=lambda: tuple(SimpleNamespace(seat=seat) for seat in (ANN, BOB, CLEO)))
    assert pace.is_waiting(board, CLEO, (ANN, BOB))
    assert not pace.is_waiting(board, BOB, (BOB,))
    assert not pace.is_waiting(board, ANN, (BOB,))
    assert not pace.is_waiting(board, ANN, ())
