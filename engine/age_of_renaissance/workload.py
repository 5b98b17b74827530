"""What the bench measures: an expansion of everybody at once."""

from collections.abc import Sequence
from typing import Final

from engine.age_of_renaissance.board import Board
from engine.age_of_renaissance.events import Consolidated, RivalryFought
from engine.age_of_renaissance.orders import Attack, Place
from engine.kernel.events import Event
from engine.kernel.workload import Workload

TOKENS: Final = 14
"""What each seat's pool is filled up to, so that eight lines have something to place."""


def _filled(board: Board) -> None:
    """More tokens in the pools: whatever lies in stock, up to so many."""
    for power in board.powers.values():
        more = max(0, min(power.stock, TOKENS - power.expansion))
        power.stock, power.expansion = power.stock - more, power.expansion + more


def _fought(events: Sequence[Event]) -> int:
    """The rivalries; none where a question stops the phase before its end."""
    ended = any(isinstance(event, Consolidated) for event in events)
    return sum(isinstance(event, RivalryFought) for event in events) * ended


WORKLOAD: Final = Workload("expansion/", 2, 7, Attack, Place, _fought, _filled)
