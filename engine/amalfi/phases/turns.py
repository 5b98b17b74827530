"""Phase 1: turns go round until all have passed; stored actions are taken one each turn."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from engine.amalfi import events as e
from engine.amalfi import orders as o
from engine.amalfi.acts import Game, Seen, engageable, note_wishes, wishes_of
from engine.amalfi.board import Actions, Board, Phase, Wishes
from engine.amalfi.phases import actions, solo
from engine.amalfi.phases.optional import do_optional
from engine.kernel.gates import Gate
from engine.kernel.orders import Order, Orders, Question
from engine.kernel.position import Step
from engine.kernel.secrets import Secret
from engine.kernel.table import seal
from engine.kernel.turn_chapters import Gates, Sets, Steps
from engine.kernel.viewers import Seat

SEALED: Final = "sealed"


class NextTurn(Step, saved="amalfi.NextTurn"):
    """Pass the turn to the next player who has not passed."""


class TakeTurn(Step, saved="amalfi.TakeTurn"):
    """Take a player's turn: the next stored action, or the question.

    `gate`: where it was asked last in this turn.
    """

    seat: Seat
    gate: str = ""


class EndAction(Step, saved="amalfi.EndAction"):
    """End an action with all its effects. `what`: the saved name of its order."""

    seat: Seat
    what: str


class EndActions(Step, saved="amalfi.EndActions"):
    """End the phase after all have passed."""


# --- whose turn


def coming(board: Board) -> tuple[Seat, int] | None:
    """Return the next seat to act, and the round; None if all have passed."""
    order = board.seats
    start = 0 if board.active is None else order.index(board.active) + 1
    for n in range(len(order)):
        at = start + n
        seat = order[at % len(order)]
        if not board.players[seat].done:
            return seat, max(board.round, 1) + (at >= len(order))
    return None


def question(seen: Seen, seat: Seat, round_: int) -> Question:
    """Return the question for an action: for each player alone, or for all in a sealed round."""
    sealed = seen.core.options["pace"] == SEALED
    whose = "" if sealed else f"/{seat}"
    return Question(f"action/{seen.board.period}{whose}/{round_}", seat, "action")


def next_turn(table: Game, step: NextTurn) -> None:
    """Pass the turn clockwise; a sealed round first asks all players without stored actions."""
    board = table.board
    found = coming(board)
    if found is None:
        table.then(EndActions())
        return
    seat, round_ = found
    begins = round_ != board.round
    table.emit(e.TurnCame(seat=seat, round=round_))
    table.then(TakeTurn(seat))
    if begins and table.core.options["pace"] == SEALED:
        free = [s for s in board.seats if not board.players[s].done and board.players[s].queue is None]
        asked = [s for s in free if can_act(board, s)]
        table.ask(*(question(table.position, s, round_) for s in asked))


def take_turn(table: Game, step: TakeTurn) -> None:
    """Start the stored actions, or ask.

    An empty answer is a pass, and so is the turn of a player who cannot act.
    """
    player = table.board.players[step.seat]
    if player.queue is not None:
        if player.queue.orders.value:
            table.then(player.queue)
        else:
            pass_period(table, step.seat)
        return
    if not can_act(table.board, step.seat):
        pass_period(table, step.seat)
        return
    fresh = question(table.position, step.seat, table.board.round)
    gate = str(Gate.parse(step.gate).next()) if _asked_here(step.gate, fresh.gate) else fresh.gate
    table.then(replace(step, gate=gate))
    table.ask(replace(fresh, gate=gate))


def can_act(board: Board, seat: Seat) -> bool:
    """Return True if a player may be able to act, by public knowledge: with ships, or a character to engage.

    Every other action needs a ship in the bay or a payment with ships (Phase 1).
    """
    player = board.players[seat]
    return bool(player.bay or player.in_holds or engageable(board, seat))


def _asked_here(last: str, fresh: str) -> bool:
    """Return True if the last question was in this turn, so that the new one is a repetition."""
    return bool(last) and str(replace(Gate.parse(last), again=0)) == fresh


def keep_answers(table: Game, gate: str, answers: Mapping[Seat, Orders]) -> None:
    """Store answers until their authors' turns."""
    for seat, orders in answers.items():
        _keep(table, seat, Actions(seat, gate, "action", seal(orders)))


def _keep(table: Game, seat: Seat, queue: Actions | None) -> None:
    count = None
    if queue is not None:
        count = Secret(len(queue.orders.value) - queue.line, frozenset({seat}))
    table.emit(e.QueueKept(seat=seat, queue=queue, count=count))


# --- actions


def act(table: Game, step: Actions) -> None:
    """Do the next possible lines: optional actions, until a main action ends the turn."""
    order, rest = table.next_order(step)
    if order is None:
        _run_out(table, step)
    elif isinstance(order, o.Finish):
        pass_period(table, step.seat)
    elif type(order) in actions.DO:
        rest = rest.line_done()
        _keep_rest(table, rest)
        note_wishes(table, step.seat, _find_wishes(order))
        table.then(EndAction(step.seat, type(order).__name__), *((rest,) if table.trial else ()))
        actions.DO[type(order)](table, step.seat, order)
    else:
        do_optional(table, step.seat, order)
        table.then(rest.line_done())


def _find_wishes(order: Order) -> Wishes:
    """Return the choices stated with an action; only an engagement states a payment for what its effect gives."""
    if isinstance(order, o.Engage):
        return wishes_of(order)
    return wishes_of(order, pay=(), emergency=())


def _keep_rest(table: Game, rest: Actions) -> None:
    if not table.trial:
        left = rest.line < len(rest.orders.value)
        _keep(table, rest.seat, rest if left else None)


def _run_out(table: Game, step: Actions) -> None:
    """Ask the author if no stored action was possible, unless the orders have asked already."""
    if table.trial:
        return
    _keep(table, step.seat, None)
    asked = next((d for d in table.core.questions if d.seat == step.seat and d.topic == "action"), None)
    table.then(TakeTurn(step.seat, asked.gate if asked is not None else step.gate))


def pass_period(table: Game, seat: Seat) -> None:
    """Pass for the rest of the period; the first to pass takes the Compass."""
    table.emit(e.Passed(seat=seat, compass=table.board.next_first is None))
    if not table.trial:
        table.then(NextTurn())


def end_action(table: Game, step: EndAction) -> None:
    """End an action: a solo rival reacts, then the turn passes on."""
    note_wishes(table, step.seat, None)
    if table.trial:
        return
    table.then(NextTurn())
    if len(table.board.players) == 1:
        solo.react(table, step.what)


def open_actions(table: Game) -> None:
    """Begin the phase with the holder of the Compass."""
    table.emit(e.PhaseBegan(phase=Phase.ACTIONS))
    table.then(NextTurn())


STEPS: Final[Steps] = {NextTurn: next_turn, TakeTurn: take_turn, Actions: act, EndAction: end_action}
GATES: Final[Gates] = {"action": keep_answers}
SETS: Final[Sets] = {"action": Actions}
