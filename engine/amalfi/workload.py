"""What the bench measures: a sealed round, everybody's actions at once."""

from collections.abc import Sequence
from typing import Any, Final

from engine.amalfi.catalogue import GRANARY
from engine.amalfi.events import Sailed, ShipsLowered
from engine.amalfi.orders import Lower, Sail
from engine.kernel.events import Event
from engine.kernel.workload import Workload


def _sailed(events: Sequence[Event]) -> int:
    """The actions that came to pass."""
    return sum(isinstance(event, Sailed | ShipsLowered) for event in events)


def _filled(board: Any) -> None:
    """Everybody has bread to sail with."""
    for player in board.players.values():
        player.bread = GRANARY["base"]


WORKLOAD: Final = Workload("action/", 1, 3, Sail, Lower, _sailed, _filled, {"pace": "sealed", "hands": "blind"})
