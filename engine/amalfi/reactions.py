"""Questions that a seat may answer in advance: reactions that may matter to it, and its next action."""

from collections.abc import Iterator
from typing import Final

from engine.amalfi.acts import Seen
from engine.amalfi.board import Phase
from engine.amalfi.phases.turns import SEALED, question
from engine.kernel.orders import Question
from engine.kernel.viewers import Seat

REACTIONS: Final = ("light", "take", "erect", "refresh", "send")
"""Questions that may come in a period; an advance answer applies to all of its kind, that about lighthouses also later.

It can come with the action that erects the first one.
"""
LATER: Final = ("meal", "decree")
"""Questions that may come at the end of the period."""


def ahead(seen: Seen, seat: Seat) -> Iterator[Question]:
    """Yield the reactions of this period, its last questions, and the seat's next action in phase 1."""
    board = seen.board
    if not board.period:
        return
    for asks in (*REACTIONS, *LATER):
        eaten = asks == "meal" and board.phase is Phase.DECREES
        if not eaten:
            yield Question(f"{asks}/{board.period}", seat, asks)
    player = board.players[seat]
    if board.phase is Phase.ACTIONS and not player.done and player.queue is None:
        yield question(seen, seat, _next_round(seen, seat))


def _next_round(seen: Seen, seat: Seat) -> int:
    """Return the round in which this player will be asked next."""
    board = seen.board
    if seen.core.options["pace"] == SEALED:
        return board.round + 1
    order = board.seats
    came = board.active is not None and order.index(board.active) >= order.index(seat)
    return max(board.round, 1) + came
