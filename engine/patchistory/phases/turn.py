"""Principes Généraux: the frame of a round and of an era."""

from collections.abc import Callable, Mapping
from typing import Final

from engine.kernel.position import Step
from engine.kernel.secrets import Secret
from engine.kernel.turn_chapters import Gates, Steps
from engine.patchistory.acts import (
    AskInTurn,
    BringHome,
    DropRoute,
    Game,
    ask_in_turn,
    bring_home,
    drop_route,
    note_replies,
)
from engine.patchistory.board import Board, Phase
from engine.patchistory.catalogue import ERAS, ROUNDS, tiles_of
from engine.patchistory.effects import level
from engine.patchistory.events import EraBegan, PhaseBegan, TurnBegan
from engine.patchistory.phases import (
    administration,
    auction,
    diplomacy,
    ending,
    movement,
    negotiation,
    placement,
    production,
    vote,
    war,
)

OPENINGS: Final[Mapping[Phase, Callable[[Game], None]]] = {
    Phase.AUCTION: auction.begin,
    Phase.PLACEMENT: placement.begin,
    Phase.DIPLOMACY: diplomacy.begin,
    Phase.ADMINISTRATION: administration.begin,
    Phase.MOVEMENT: movement.begin,
    Phase.NEGOTIATION: negotiation.begin,
    Phase.WAR: war.begin,
    Phase.PRODUCTION: production.begin,
    Phase.UPKEEP: production.keep_specials,
    Phase.VOTE: vote.begin,
    Phase.ERA_END: ending.begin,
}
_IF_ANY: Final[Mapping[Phase, Callable[[Board], bool]]] = {
    Phase.NEGOTIATION: lambda board: bool(negotiation.waiting(board)),
    Phase.WAR: lambda board: any(war.ready(board, seat) for seat in board.seats),
}
EVERY_ROUND: Final = tuple(OPENINGS)[:8]
LAST_ROUND: Final = tuple(OPENINGS)[8:]


class BeginTurn(Step, saved="patch.BeginTurn"):
    """Begin the next round."""


class OpenPhase(Step, saved="patch.OpenPhase"):
    """Begin a phase."""

    phase: Phase


class EndTurn(Step, saved="patch.EndTurn"):
    """End a round."""


def begin_turn(table: Game, step: BeginTurn) -> None:
    """Pass the first player marker to the left and queue the phases; a fifth round has three more."""
    board = table.board
    turn, first = board.turn + 1, board.left_of(board.first) if board.turn else board.first
    era, number = (turn - 1) // ROUNDS + 1, (turn - 1) % ROUNDS + 1
    table.emit(TurnBegan(turn=turn, era=era, round=number, first=first))
    if number == 1:
        deck = table.shuffle(f"era/{era}", tiles_of(era))
        table.emit(EraBegan(era=era, deck=tuple(map(Secret, deck))))
    phases = (*EVERY_ROUND, *(LAST_ROUND if number == ROUNDS else ()))
    table.then(*(OpenPhase(phase) for phase in phases), EndTurn())


def open_phase(table: Game, step: OpenPhase) -> None:
    """Begin a phase of this round; for the movement, fix how far workers go (A-21).

    Negotiation and war are skipped if no worker is on their space (4. Négociation et Guerre).
    """
    board, moves = table.board, step.phase is Phase.MOVEMENT
    if step.phase in _IF_ANY and not _IF_ANY[step.phase](board):
        return
    strides = {seat: level(board, seat, "transport") for seat in board.players} if moves else None
    table.emit(PhaseBegan(phase=step.phase, strides=strides))
    OPENINGS[step.phase](table)


def end_turn(table: Game, step: EndTurn) -> None:
    """End the game after the third era, or begin the next round."""
    if table.board.turn == ERAS * ROUNDS:
        ending.finish(table)
    else:
        table.then(BeginTurn())


STEPS: Final[Steps] = {
    BeginTurn: begin_turn,
    OpenPhase: open_phase,
    EndTurn: end_turn,
    AskInTurn: ask_in_turn,
    BringHome: bring_home,
    DropRoute: drop_route,
}
GATES: Final[Gates] = {"home": note_replies}
