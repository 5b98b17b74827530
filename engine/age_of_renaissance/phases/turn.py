"""§3, §9.7  The frame of a turn: its phases, the swaps of Renaissance, and the effect of Civil War on the order."""

from collections.abc import Callable, Mapping
from typing import Final

from engine.age_of_renaissance.acts import (
    AskInTurn,
    Game,
    GameOver,
    Seen,
    note_replies,
    reply,
    unfulfilled,
)
from engine.age_of_renaissance.board import Board, Phase
from engine.age_of_renaissance.events import OrderSet, PhaseBegan, TurnBegan
from engine.age_of_renaissance.orders import Swap
from engine.age_of_renaissance.phases import cards, draw, ending, expansion, history, income, purchases, tokens
from engine.kernel.orders import Pace, Problem, Question
from engine.kernel.pace import ask_in_turn
from engine.kernel.position import Step
from engine.kernel.turn_chapters import Gates, Refusals, Steps
from engine.kernel.viewers import Seat

PROBLEMS = (
    "not_yours",  # {advance}: needs this advance
    "swapped_already",  # {}: Renaissance works once a turn (§9.7)
    "wrong_phase",  # {phase}: no swap at the start of this phase
    "another_phase",  # {phase, now}: the swap is for the start of `phase`, and `now` begins
    "no_neighbour",  # {way}: no player before the first or after the last
    "neighbour_has",  # {seat, advance}: the neighbour owns Renaissance too (§9.7)
    "no_such_way",  # {way}: neither `before` nor `after`
)

SWAPS: Final = (Phase.DRAW, Phase.CARDS, Phase.HISTORY, Phase.PURCHASES, Phase.EXPANSION, Phase.FINAL)
"""The phases whose order of play matters.

Income and the choice of tokens are simultaneous (§9), and the latter sets a new order.
"""

OPENINGS: Final[Mapping[Phase, Callable[[Game], None]]] = {
    Phase.DRAW: draw.begin,
    Phase.CARDS: cards.begin,
    Phase.HISTORY: history.begin,
    Phase.PURCHASES: purchases.begin,
    Phase.EXPANSION: expansion.begin,
    Phase.INCOME: income.begin,
    Phase.TOKENS: tokens.begin,
    Phase.FINAL: ending.begin,
}


class BeginTurn(Step, saved="aor.BeginTurn"):
    """Begin the next turn."""


class BeginPhase(Step, saved="aor.BeginPhase"):
    """Begin a phase: ask the holders of Renaissance first."""

    phase: Phase


class ChangePlaces(Step, saved="aor.ChangePlaces"):
    """Carry out the swaps asked at `gate`; "" if nobody was asked."""

    phase: Phase
    gate: str
    holders: tuple[Seat, ...]


class OpenPhase(Step, saved="aor.OpenPhase"):
    """Open the phase itself."""

    phase: Phase


class AfterIncome(Step, saved="aor.AfterIncome"):
    """§11.1  Continue after the income: with the last cards in the last turn, else with the tokens."""


def begin_turn(table: Game, step: BeginTurn) -> None:
    """§3  Begin a turn: queue phases 1 to 6 and what follows."""
    table.emit(TurnBegan(turn=table.board.turn + 1))
    phases = (Phase.DRAW, Phase.CARDS, Phase.HISTORY, Phase.PURCHASES, Phase.EXPANSION, Phase.INCOME)
    table.then(*(BeginPhase(phase) for phase in phases), AfterIncome())


def after_income(table: Game, step: AfterIncome) -> None:
    """§11, §11.1, R26  Queue the last card play and the end in the last turn, else tokens and the next turn."""
    if table.board.last_turn:
        table.then(BeginPhase(Phase.FINAL), GameOver(table.board.last_turn))
    else:
        table.then(BeginPhase(Phase.TOKENS), BeginTurn())


def begin_phase(table: Game, step: BeginPhase) -> None:
    """§9.7  Ask players who may swap places, then open the phase."""
    table.emit(PhaseBegan(phase=step.phase))
    holders = who_may_swap(table.board) if step.phase in SWAPS else ()
    gate = f"renaissance/{table.board.turn}/{step.phase}" if holders else ""
    table.then(ChangePlaces(step.phase, gate, holders), OpenPhase(step.phase))
    limits = {"phase": str(step.phase)}
    table.ask(*(Question(gate, seat, "renaissance", limits, pace=Pace.REACTION) for seat in holders))


def who_may_swap(board: Board) -> tuple[Seat, ...]:
    """§9.7  Return the holders of Renaissance who have not used it this turn, in order of play; none if none can.

    One holder's swap may give another holder a neighbour without Renaissance, so all are asked if one can swap.
    """
    holders = tuple(p.seat for p in board.playing() if board.has(p.seat, "Q") and not p.swapped)
    able = any(neighbour(board, h, way) not in (None, *_rivals(board)) for h in holders for way in ("before", "after"))
    return holders if able else ()


def _rivals(board: Board) -> tuple[Seat, ...]:
    return tuple(power.seat for power in board.playing() if board.has(power.seat, "Q"))


def neighbour(board: Board, seat: Seat, way: str) -> Seat | None:
    """§9.7  Return the player just before or after, without eliminated players, or None."""
    order = [power.seat for power in board.playing()]
    place = order.index(seat) + (-1 if way == "before" else 1)
    return order[place] if 0 <= place < len(order) else None


def change_places(table: Game, step: ChangePlaces) -> None:
    """§9.7, A2, R8  Carry out swaps in order of play, and Civil War at the start of the expansion."""
    asked = {seat: _swap_of(table, step, seat) for seat in step.holders}
    if step.phase is not Phase.EXPANSION:
        _carry_out(table, step, asked)
        return
    chosen = table.core.options["civil_war_order"] == "chosen"
    early = {seat: swap for seat, swap in asked.items() if swap is not None and chosen and swap.civil_war == "first"}
    _carry_out(table, step, early)
    for seat in table.board.civil_war:
        _put_last(table, seat)
    _carry_out(table, step, {seat: swap for seat, swap in asked.items() if seat not in early})


def _swap_of(table: Game, step: ChangePlaces, seat: Seat) -> Swap | None:
    order = reply(table, step.gate, seat)
    return order if isinstance(order, Swap) else None


def _carry_out(table: Game, step: ChangePlaces, swaps: Mapping[Seat, Swap | None]) -> None:
    """Carry out swaps one by one; one that has become impossible is dropped, visible to its owner alone."""
    for seat, swap in swaps.items():
        if swap is None or table.board.powers[seat].eliminated:
            continue
        problem = _hindrance(table.board, seat, swap.way)
        other = neighbour(table.board, seat, swap.way)
        if problem is not None or other is None:
            reasons = (problem,) if problem else ()
            table.emit(unfulfilled(seat, step.gate, swap, *reasons))
        else:
            _exchange(table, seat, other)


def _exchange(table: Game, seat: Seat, other: Seat) -> None:
    """Swap the ranks and so the places of two powers."""
    powers = table.board.powers
    _rearrange(table, seat, "Q", {seat: powers[other].slot, other: powers[seat].slot})


def _rearrange(table: Game, seat: Seat, cause: str, moved: Mapping[Seat, int]) -> None:
    """Set new ranks of some powers; all others keep theirs, including eliminated ones (R27)."""
    slots = {s: table.board.powers[s].slot for s in table.board.order} | dict(moved)
    ordered = tuple(sorted(slots.items(), key=lambda pair: pair[1]))
    table.emit(OrderSet(slots=ordered, cause=cause, seat=seat))


def _put_last(table: Game, seat: Seat) -> None:
    """A2 Guerre civile  Give the victim the last rank in the game; powers that played later move up by one."""
    playing = table.board.playing()
    order = [power.seat for power in playing if power.seat != seat]
    if len(order) == len(playing) or playing[-1].seat == seat:
        return
    slots = (power.slot for power in playing)
    _rearrange(table, seat, "civil_war", dict(zip((*order, seat), slots, strict=True)))


def _hindrance(board: Board, seat: Seat, way: str) -> Problem | None:
    """Return why this power cannot swap that way now, or None."""
    other = neighbour(board, seat, way)
    if other is None:
        return Problem("no_neighbour", {"way": way})
    if board.has(other, "Q"):
        return Problem("neighbour_has", {"seat": other, "advance": "Q"})
    return None


def refuse_swap(seen: Seen, decision: Question, order: Swap) -> Problem | None:
    """§9.7  Judge a swap by the present places; a neighbour that may still change is not judged."""
    board, seat = seen.board, decision.seat
    if order.way not in ("before", "after"):
        return Problem("no_such_way", {"way": order.way}, lasting=True)
    if order.phase not in SWAPS:
        return Problem("wrong_phase", {"phase": order.phase}, lasting=True)
    if not board.has(seat, "Q"):
        return Problem("not_yours", {"advance": "Q"})
    if board.powers[seat].swapped:
        return Problem("swapped_already", {})
    now = decision.limits.get("phase", order.phase)
    if now != order.phase:
        return Problem("another_phase", {"phase": order.phase, "now": now})
    earlier = who_may_swap(board)
    unsettled = seat in earlier and earlier[0] != seat
    return None if unsettled or board.civil_war else _hindrance(board, seat, order.way)


STEPS: Final[Steps] = {
    BeginTurn: begin_turn,
    BeginPhase: begin_phase,
    ChangePlaces: change_places,
    OpenPhase: lambda table, step: OPENINGS[step.phase](table),
    AfterIncome: after_income,
    AskInTurn: ask_in_turn,
}
GATES: Final[Gates] = {"renaissance": note_replies}
REFUSALS: Final[Refusals] = {Swap: refuse_swap}
