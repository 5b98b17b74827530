"""Questions that a seat may answer in advance: reactions that may matter to it, and later phases of the round."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from engine.kernel.orders import Question
from engine.kernel.viewers import Seat
from engine.patchistory.acts import Seen, question
from engine.patchistory.board import Board, Phase
from engine.patchistory.catalogue import ROUNDS

_PHASES: Final = tuple(Phase)
SETS: Final = (Phase.PLACEMENT, Phase.DIPLOMACY, Phase.ADMINISTRATION, Phase.MOVEMENT)
"""The phases answered by a set of orders; one email can answer them all."""


def ahead(seen: Seen, seat: Seat) -> Iterator[Question]:
    """Yield the questions that a seat may answer in advance, by public facts and its own state."""
    board = seen.board
    if not board.turn:
        return
    for asks, matters in _REACTIONS.items():
        if matters(board, seat):
            yield Question(f"{asks}/{board.turn}", seat, asks)
    for phase in SETS:
        if _later(board, phase) or _waits(seen, seat, phase):
            yield question(seen, seat, phase.value)


def _later(board: Board, phase: Phase) -> bool:
    return _PHASES.index(board.phase) < _PHASES.index(phase)


def _waits(seen: Seen, seat: Seat, phase: Phase) -> bool:
    """Return True if the phase is in progress and a seat that plays earlier is asked."""
    board, order = seen.board, seen.board.seats
    asked = [d.seat for d in seen.core.questions if d.topic == phase.value]
    return board.phase is phase and bool(asked) and all(order.index(s) < order.index(seat) for s in asked)


def _upto(phase: Phase) -> Callable[[Board], bool]:
    """Return a test that is True until the end of a phase."""
    return lambda board: _PHASES.index(board.phase) <= _PHASES.index(phase)


def _last(board: Board) -> bool:
    return board.round == ROUNDS


_REACTIONS: Final[Mapping[str, Callable[[Board, Seat], bool]]] = {
    "crowd": lambda board, seat: _upto(Phase.PLACEMENT)(board) and bool(board.players[seat].workers),
    "settle": lambda board, seat: _upto(Phase.PLACEMENT)(board) and board.players[seat].track > 0,
    "recall": lambda board, seat: _upto(Phase.PLACEMENT)(board) and board.in_play(seat) > 0,
    "envoy": lambda board, seat: _upto(Phase.PLACEMENT)(board),
    "siege": lambda board, seat: _upto(Phase.PLACEMENT)(board) and bool(board.of(seat)),
    "bombing": lambda board, seat: _upto(Phase.PLACEMENT)(board),
    "aid": lambda board, seat: _upto(Phase.DIPLOMACY)(board) and bool(board.of(seat)),
    "home": lambda board, seat: _upto(Phase.WAR)(board) and any(seat in r.spots for r in board.of(seat)),
    "negotiation": lambda board, seat: _upto(Phase.NEGOTIATION)(board) and bool(board.of(seat)),
    "fights": lambda board, seat: _upto(Phase.WAR)(board) and sum(bool(r.war) for r in board.of(seat)) > 1,
    "fuel": lambda board, seat: _upto(Phase.WAR)(board) and any(r.war for r in board.of(seat)),
    "sacrifice": lambda board, seat: _last(board) and _upto(Phase.VOTE)(board),
    "prosperity": lambda board, seat: _last(board) and _upto(Phase.VOTE)(board),
    "votes": lambda board, seat: bool(board.polls),
}
"""By topic: True if the reaction may still matter to this seat in this round."""
