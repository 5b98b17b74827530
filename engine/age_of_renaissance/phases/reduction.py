"""§9.3.2, R13  The reduction of a control marker by an event; with an empty stock its owner has a choice."""

from collections.abc import Iterable
from typing import Final

from engine.age_of_renaissance.acts import Game, Seen, note_replies, reduce_marker, reply
from engine.age_of_renaissance.board import Board
from engine.age_of_renaissance.orders import Remain
from engine.kernel.orders import Orders, Problem, Question, unconditional
from engine.kernel.pace import ask_reaction
from engine.kernel.position import Step
from engine.kernel.turn_chapters import Defaults, Gates, Refusals, Steps
from engine.kernel.viewers import Seat

PROBLEMS: Final = (
    "no_such_remnant",  # {what}: neither `token` nor `nothing`
)
REMNANTS: Final = ("token", "nothing")


class Reduction(Step, saved="aor.Reduction"):
    """Reduce a marker. `gate`: where its owner was asked; "" before."""

    seat: Seat
    province: str
    cause: str
    gate: str = ""


def has_choice(board: Board, seat: Seat) -> bool:
    """§9.3.2  Return True if the stock is empty and the pool is not, so the owner may leave the province empty."""
    power = board.powers[seat]
    return not power.stock and power.expansion > 0


def fall(table: Game, provinces: Iterable[str], cause: str) -> tuple[Step, ...]:
    """Reduce the marker of each province.

    Return steps for those whose owners must be asked; the caller queues them.
    """
    waiting: list[Step] = []
    for province in provinces:
        owner = table.board.controller(province)
        if owner is None:
            continue
        if has_choice(table.board, owner) and not table.trial:
            waiting.append(Reduction(owner, province, cause))
        else:
            reduce_marker(table, owner, province, cause)
    return tuple(waiting)


def reduction(table: Game, step: Reduction) -> None:
    """Ask the owner while there is a choice; then leave a token, or nothing if the owner chose that."""
    if not step.gate and has_choice(table.board, step.seat):
        gate = ask_reaction(table, "remnant", f"{step.cause}/{step.province}", (step.seat,), province=step.province)
        table.then(Reduction(step.seat, step.province, step.cause, gate))
        return
    order = reply(table, step.gate, step.seat) if step.gate else None
    empty = isinstance(order, Remain) and order.what == "nothing"
    reduce_marker(table, step.seat, step.province, step.cause, empty=empty)


def refuse_remnant(seen: Seen, decision: Question, order: Remain) -> Problem | None:
    """§9.3.2  Require `token` or `nothing`."""
    return None if order.what in REMNANTS else Problem("no_such_remnant", {"what": order.what}, lasting=True)


def a_token(seen: Seen, decision: Question) -> Orders:
    """Return the default: a token stays."""
    return unconditional(Remain("token"))


STEPS: Final[Steps] = {Reduction: reduction}
GATES: Final[Gates] = {"remnant": note_replies}
REFUSALS: Final[Refusals] = {Remain: refuse_remnant}
DEFAULTS: Final[Defaults] = {"remnant": a_token}
