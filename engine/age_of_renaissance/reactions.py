"""Questions that a seat may answer in advance: reactions that may matter to it, and later phases."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from engine.age_of_renaissance.acts import Seen
from engine.age_of_renaissance.board import Board, Phase, Power
from engine.age_of_renaissance.catalogue import TOKENS
from engine.kernel.orders import Question
from engine.kernel.pace import is_waiting, question
from engine.kernel.viewers import Seat

_PHASES: Final = tuple(Phase)
SETS: Final = (Phase.HISTORY, Phase.PURCHASES, Phase.EXPANSION)
_AT_ONCE: Final = 3
"""The most markers of one power that Pirates reduce (A2)."""
_CEDED: Final = 6
"""The most control markers that a turn brings besides the expansion: five from a War, one from Croisades (A2)."""


def ahead(seen: Seen, seat: Seat) -> Iterator[Question]:
    """Yield the questions that a seat may answer in advance, by public facts and its own state."""
    if not seen.board.powers[seat].eliminated:
        yield from _reactions(seen, seat)
        yield from _phases(seen, seat)


def turn(seen: Seen) -> int:
    """Return the turn of reaction orders sent now: once tokens are asked, the turn they are bought for."""
    return seen.board.turn + buying(seen.board)


def buying(board: Board) -> bool:
    """Return True if tokens are bought now, so that orders belong to the next turn."""
    return board.phase in (Phase.SETUP, Phase.TOKENS)


# --- reactions


def _reactions(seen: Seen, seat: Seat) -> Iterator[Question]:
    board, power = seen.board, seen.board.powers[seat]
    for asks, matters in _MATTERS.items():
        if matters(board, power):
            yield Question(f"{asks}/{turn(seen)}", seat, asks)


def _by(board: Board, phase: Phase) -> bool:
    """Return True if this phase, in the turn of reaction orders sent now, has not ended."""
    return buying(board) or _PHASES.index(board.phase) <= _PHASES.index(phase)


def _owns(board: Board, power: Power, letter: str, phase: Phase) -> bool:
    """Return True if the advance can be used in this phase: it is owned, or can be bought before."""
    bought_first = _by(board, Phase.PURCHASES) and _PHASES.index(phase) > _PHASES.index(Phase.PURCHASES)
    return _by(board, phase) and (letter in power.advances or bought_first)


def _events_to_come(board: Board, power: Power) -> bool:
    """§9.3, §11.1  Return True if events may still be played: in phase 3, or in the last card play."""
    return _by(board, Phase.HISTORY) or bool(board.last_turn)


def _tied_war(board: Board, power: Power) -> bool:
    """R15  Return True if a tied War may be rolled again, or one may come in the last card play (§11.1)."""
    mine = any(power.seat in (war.attacker, war.defender) for war in board.wars)
    return _events_to_come(board, power) and (mine or bool(board.last_turn))


def _indulgences(board: Board, power: Power) -> bool:
    """R37  Return True if another power has Indulgences, or may buy them first."""
    others = any("F" in other.advances for other in board.playing() if other is not power)
    return "F" not in power.advances and _by(board, Phase.EXPANSION) and (others or _by(board, Phase.PURCHASES))


def _markers_run_out(board: Board, power: Power) -> bool:
    """R47, R49  Return True if markers may run out in the turn.

    A turn needs at most one for two tokens, because the smallest province holds two, and some ceded.
    """
    tokens = min(power.cash, TOKENS) if buying(board) else power.expansion
    return _by(board, Phase.EXPANSION) and power.markers <= tokens // 2 + _CEDED


def _runs_dry(power: Power) -> bool:
    """§9.3.2, R13  Return True if the stock may be empty when a marker is reduced, while there are bought tokens."""
    return power.expansion > 0 and power.stock < _AT_ONCE


_MATTERS: Final[Mapping[str, Callable[[Board, Power], bool]]] = {
    "rank": lambda board, power: not board.last_turn,
    "surplus": lambda board, power: _by(board, Phase.DRAW) and bool(board.markets),
    "mills": lambda board, power: _by(board, Phase.DRAW) and "J" in power.advances,
    "extra": lambda board, power: _by(board, Phase.CARDS) and "V" in power.advances,
    "discard": lambda board, power: _by(board, Phase.CARDS) and "P" in power.advances,
    "civil_war": _events_to_come,
    "remnant": lambda board, power: _by(board, Phase.HISTORY) and _runs_dry(power),
    "war": _events_to_come,
    "weapon": _tied_war,
    "conversion": lambda board, power: _owns(board, power, "H", Phase.EXPANSION),
    "manuscripts": lambda board, power: _owns(board, power, "N", Phase.EXPANSION),
    "renaissance": lambda board, power: _owns(board, power, "Q", Phase.EXPANSION),
    "indulgences": _indulgences,
    "lift": _markers_run_out,
}
"""By topic: True if the reaction may still matter to this power in the turn of reaction orders sent now."""


# --- phases to come


def _phases(seen: Seen, seat: Seat) -> Iterator[Question]:
    """Yield the later phases of this turn, the purchase of tokens, and the phases of the next turn."""
    board = seen.board
    now = _PHASES.index(board.phase)
    if board.phase is not Phase.SETUP:
        later = (phase for phase in SETS if _PHASES.index(phase) > now or _waits(seen, seat, phase))
        yield from (question(seen, seat, phase.value, board.turn) for phase in later)
    if board.last_turn:
        if board.phase is not Phase.FINAL or _waits(seen, seat, Phase.FINAL):
            yield question(seen, seat, "final", board.turn)
        return
    yield Question(f"tokens/{board.turn + 1}", seat, "tokens")
    yield from (question(seen, seat, phase.value, board.turn + 1) for phase in SETS)


def _waits(seen: Seen, seat: Seat, phase: Phase) -> bool:
    """Return True if the phase is in progress and a seat that plays earlier is asked."""
    asked = (decision.seat for decision in seen.core.questions if decision.topic == phase.value)
    return seen.board.phase is phase and is_waiting(seen.board, seat, asked)
