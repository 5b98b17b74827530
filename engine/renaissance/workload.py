"""What the bench measures: an expansion of everybody at once."""

from collections.abc import Sequence
from typing import Final

from engine.kernel.events import Event
from engine.kernel.workload import Workload
from engine.renaissance.events import PhaseBegan, Settled
from engine.renaissance.orders import Settle


def _settled(events: Sequence[Event]) -> int:
    """The cities taken; none where a question stops the phase before the combats."""
    ended = any(isinstance(event, PhaseBegan) for event in events)
    return sum(isinstance(event, Settled) for event in events) * ended


WORKLOAD: Final = Workload("expansion/", 1, 3, Settle, Settle, _settled)
