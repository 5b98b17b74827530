"""What the bench measures: the administration of everybody at once."""

from collections.abc import Sequence
from typing import Any, Final

from engine.kernel.events import Event
from engine.kernel.workload import Workload
from engine.patchistory.events import Campaigned, Exchanged, PhaseBegan
from engine.patchistory.orders import Campaign, Exchange

_PLENTY: Final = 40


def _exchanged(events: Sequence[Event]) -> int:
    """The exchanges made; none where the phase has not come to its end."""
    ended = any(isinstance(event, PhaseBegan) for event in events)
    return sum(isinstance(event, Exchanged | Campaigned) for event in events) * ended


def _filled(board: Any) -> None:
    """Everybody has something of each good to exchange."""
    for player in board.players.values():
        for good in ("food", "resource", "money"):
            player.put(good, _PLENTY)


WORKLOAD: Final = Workload("administration/", 1, 5, Exchange, Campaign, _exchanged, _filled)
