"""What measures how fast a game's rules are: its heaviest gate, as the bench is to fill and to answer it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from engine.kernel.events import Event
from engine.kernel.orders import Order


def _as_it_is(board: Any) -> None:
    """Nothing is lacking."""


@dataclass(frozen=True)
class Workload:
    """The gate whose name begins with `gate`, for all seats at once: of turn `early`, and of turn `late` or later.

    `filled` makes sure that everybody has something to order with.  A set begins with lines of `fights`, then of
    `others`.  `fought`: how many of the former came to pass; 0 where these facts are not a whole resolution.
    """

    gate: str
    early: int
    late: int
    fights: type[Order]
    others: type[Order]
    fought: Callable[[Sequence[Event]], int]
    filled: Callable[[Any], None] = _as_it_is


@runtime_checkable
class Measured(Protocol):
    """Rules of a game that says what of it is to be measured (optional, like `Adopts`)."""

    @property
    def workload(self) -> Workload:
        """Its heaviest gate."""
        ...
