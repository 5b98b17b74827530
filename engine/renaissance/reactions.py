"""Questions that a seat may answer in advance: reactions in battles, and later sequences."""

from collections.abc import Iterator
from typing import Final

from engine.kernel.orders import Pace, Question
from engine.kernel.pace import is_in_order, is_waiting, question
from engine.kernel.viewers import Seat
from engine.renaissance.acts import Seen
from engine.renaissance.board import Phase
from engine.renaissance.catalogue import TURNS
from engine.renaissance.phases.reactions import TOPICS

_PHASES: Final = tuple(Phase)
SETS: Final = {"purchases": Phase.PURCHASES, "expansion": Phase.EXPANSION, "combat": Phase.COMBAT}


def ahead(seen: Seen, seat: Seat) -> Iterator[Question]:
    """Yield the questions that a seat may answer in advance, unless it is eliminated."""
    if not (seen.board.powers[seat].eliminated and seen.board.turn):
        yield from _reactions(seen, seat)
        yield from _sets(seen, seat)


def turn(seen: Seen) -> int:
    """Return the turn of reaction orders sent now: the current one, or the first during the preparation."""
    return max(seen.board.turn, 1)


def _reactions(seen: Seen, seat: Seat) -> Iterator[Question]:
    """Yield the reactions of battles until all combat turns are over, and that of the council (A38) until scoring."""
    over = seen.board.phase in (Phase.COUNCIL, Phase.SCORING)
    asked = () if over else TOPICS
    if seen.board.phase is not Phase.SCORING:
        asked = (*asked, "council")
    yield from (Question(f"{asks}/{turn(seen)}", seat, asks, pace=Pace.REACTION) for asks in asked)


def _sets(seen: Seen, seat: Seat) -> Iterator[Question]:
    """Yield this turn's questions of later sequences, or of the current one until the seat's turn;
    then the next vote.
    """
    board = seen.board
    for asks, phase in SETS.items():
        later = _PHASES.index(phase) > _PHASES.index(board.phase)
        if board.turn and (later or _waits(seen, seat, asks, phase)):
            yield question(seen, seat, asks, board.turn)
    if 0 < board.turn < TURNS:
        yield Question(f"vote/{board.turn + 1}", seat, "vote")


def _waits(seen: Seen, seat: Seat, asks: str, phase: Phase) -> bool:
    """Return True if the sequence is in progress and a seat that plays earlier is asked."""
    asked = (d.seat for d in seen.core.questions if d.topic == asks and not d.gate.endswith("/2"))
    return seen.board.phase is phase and is_in_order(seen.core.options) and is_waiting(seen.board, seat, asked)
