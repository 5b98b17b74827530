"""What measures how fast a game's rules are: its heaviest gate, as the bench is to fill and to answer it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from engine.kernel.events import Event
from engine.kernel.orders import Order


def _unchanged(board: Any) -> None:
    """Nothing is lacking."""


@dataclass(frozen=True)
class Workload:
    """The gate whose name begins with `gate`, for all seats at once: of turn `early`, and of turn `late` or later.

    `filled` makes sure that everybody has something to order with.  A set begins with lines of `fights`, then of
    `others`.  `play_fight`: how many of the former came to pass; 0 where these facts are not a whole resolution.
    `options`: those of the table, where the usual ones never ask all seats at once.
    """

    gate: str
    early: int
    late: int
    fights: type[Order]
    others: type[Order]
    play_fight: Callable[[Sequence[Event]], int]
    filled: Callable[[Any], None] = _unchanged
    options: Mapping[str, str] = field(default_factory=dict)


@runtime_checkable
class HasBenchmark(Protocol):
    """Rules of a game that says what of it is to be measured (optional, like `SupportsReadings`)."""

    @property
    def workload(self) -> Workload:
        """Its heaviest gate."""
        ...


def options_of(rules: object) -> Mapping[str, str]:
    """Return the options of a table to be measured, none for rules without a workload."""
    return rules.workload.options if isinstance(rules, HasBenchmark) else {}
