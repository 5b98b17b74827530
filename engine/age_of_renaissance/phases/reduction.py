"""§9.3.2, R13  A control marker that an event reduces: with an empty stock its owner chooses what is left of it."""

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
    """A marker is about to be reduced. `gate`: where its owner was asked what stays there (`` : not yet)."""

    seat: Seat
    province: str
    cause: str
    gate: str = ""


def has_choice(board: Board, seat: Seat) -> bool:
    """§9.3.2  No token in the stock, but some among those bought: they may be used, or the province left empty."""
    power = board.powers[seat]
    return not power.stock and power.expansion > 0


def fall(table: Game, provinces: Iterable[str], cause: str) -> tuple[Step, ...]:
    """Reduce the marker of each province; what waits for its owner's choice comes back as steps, for the caller."""
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
    """Ask the owner while there is a choice; then a token stays, unless they leave the province empty."""
    if not step.gate and has_choice(table.board, step.seat):
        gate = ask_reaction(table, "remnant", f"{step.cause}/{step.province}", (step.seat,), province=step.province)
        table.then(Reduction(step.seat, step.province, step.cause, gate))
        return
    order = reply(table, step.gate, step.seat) if step.gate else None
    empty = isinstance(order, Remain) and order.what == "nothing"
    reduce_marker(table, step.seat, step.province, step.cause, empty=empty)


def refuse_remnant(seen: Seen, decision: Question, order: Remain) -> Problem | None:
    """§9.3.2  A token or nothing."""
    return None if order.what in REMNANTS else Problem("no_such_remnant", {"what": order.what}, lasting=True)


def a_token(seen: Seen, decision: Question) -> Orders:
    """Unless the answer says otherwise a token stays."""
    return unconditional(Remain("token"))


STEPS: Final[Steps] = {Reduction: reduction}
GATES: Final[Gates] = {"remnant": note_replies}
REFUSALS: Final[Refusals] = {Remain: refuse_remnant}
DEFAULTS: Final[Defaults] = {"remnant": a_token}
