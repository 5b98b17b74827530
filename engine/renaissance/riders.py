"""What a seat may answer before it is asked: standing instructions for battles, and the sequences to come."""

from collections.abc import Iterator
from typing import Final

from engine.kernel.names import Seat
from engine.kernel.orders import Decision, Pace
from engine.renaissance.acts import Seen, in_order
from engine.renaissance.board import Phase
from engine.renaissance.catalogue import TURNS
from engine.renaissance.phases.reactions import TOPICS

_PHASES: Final = tuple(Phase)
SETS: Final = {"purchases": Phase.PURCHASES, "expansion": Phase.EXPANSION, "combat": Phase.COMBAT}


def ahead(seen: Seen, seat: Seat) -> tuple[Decision, ...]:
    """Questions that may be answered now although they are not open; the same for everybody in the game."""
    board = seen.board
    if seen.core.over or (board.powers[seat].eliminated and board.turn):
        return ()
    asked = {(d.gate, d.asks) for d in seen.core.open if d.seat == seat}
    found = (*_riders(seen, seat), *_sets(seen, seat))
    return tuple(decision for decision in found if (decision.gate, decision.asks) not in asked)


def _riders(seen: Seen, seat: Seat) -> Iterator[Decision]:
    """Until the last combat turn of this turn is over."""
    turn = max(seen.board.turn, 1)
    if seen.board.phase is not Phase.SCORING:
        yield from (Decision(f"{asks}/{turn}", seat, asks, pace=Pace.REACTION) for asks in TOPICS)


def _sets(seen: Seen, seat: Seat) -> Iterator[Decision]:
    """The sets of this turn that are still to come, or whose turn is; then the vote of the next."""
    board = seen.board
    alone = f"/{seat}" if in_order(seen.core.options) else ""
    for asks, phase in SETS.items():
        later = _PHASES.index(phase) > _PHASES.index(board.phase)
        if board.turn and (later or _waits(seen, seat, asks, phase)):
            yield Decision(f"{asks}/{board.turn}{alone}", seat, asks)
    if 0 < board.turn < TURNS:
        yield Decision(f"vote/{board.turn + 1}", seat, "vote")


def _waits(seen: Seen, seat: Seat, asks: str, phase: Phase) -> bool:
    """Whether the sequence is under way and another seat is asked whose turn comes before this one's."""
    board = seen.board
    if board.phase is not phase or not in_order(seen.core.options):
        return False
    order = [power.seat for power in board.playing()]
    asked = [d.seat for d in seen.core.open if d.asks == asks and not d.gate.endswith("/2")]
    return bool(asked) and all(order.index(other) < order.index(seat) for other in asked if other in order)
