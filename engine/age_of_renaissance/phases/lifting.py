"""§9.5.2, R18, R47  Lifting an old control marker for use elsewhere, when none is left."""

from collections.abc import Iterable
from typing import Final

from engine.age_of_renaissance.acts import Game, Seen, reduce_marker, reply
from engine.age_of_renaissance.board import OLD, Board
from engine.age_of_renaissance.catalogue import PROVINCES
from engine.age_of_renaissance.events import MarkerLifted
from engine.age_of_renaissance.orders import Lift
from engine.kernel.orders import Problem, Question
from engine.kernel.pace import ask_reaction
from engine.kernel.position import Step
from engine.kernel.viewers import Seat

PROBLEMS: Final = (
    "no_province_named",  # {}
    "no_such_province",  # {province}
    "no_old_marker",  # {}
    "markers_left",  # {left}: only if no marker is left (R18)
    "no_marker_there",  # {provinces}: no own old control marker in any of them
    "no_token_left",  # {}: no token to replace the marker
)


class LiftMarker(Step, saved="aor.LiftMarker"):
    """Replace the tokens in `province` by a marker lifted elsewhere, as answered at `gate`."""

    seat: Seat
    province: str
    gate: str


def refuse_lift(seen: Seen, decision: Question, order: Lift) -> Problem | None:
    """§9.5.2, R18  Return why a marker cannot be lifted.

    Orders in advance are not refused for a marker that is not there yet.
    """
    power = seen.board.powers[decision.seat]
    if not order.provinces:
        return Problem("no_province_named", {}, lasting=True)
    for province in order.provinces:
        if province not in PROVINCES:
            return Problem("no_such_province", {"province": province}, lasting=True)
    line = decision.topic != "lift"
    if line and power.markers:
        return Problem("markers_left", {"left": power.markers})
    if (line or decision.limits) and _liftable(seen.board, decision.seat, order.provinces) is None:
        return Problem("no_marker_there", {"provinces": order.provinces})
    return Problem("no_token_left") if line and not (power.stock or power.expansion) else None


def _liftable(board: Board, seat: Seat, provinces: Iterable[str]) -> str | None:
    return next((p for p in provinces if board.at(p, seat).marker == OLD), None)


def lift(table: Game, seat: Seat, order: Lift) -> None:
    """§9.5.2, R18  Lift a marker for use elsewhere; a token replaces it."""
    province = _liftable(table.board, seat, order.provinces)
    if province is not None:
        reduce_marker(table, seat, province, "lift")


def offer_lift(table: Game, seat: Seat, province: str, why: str) -> None:
    """§9.5.2, R47  Ask for a marker to lift for a province, if there is an old one."""
    if table.trial or all(piece.marker != OLD for _, piece in table.board.held(seat)):
        return
    gate = ask_reaction(table, "lift", f"{province}/{seat}/{why}", (seat,), province=province)
    table.then(LiftMarker(seat, province, gate))


def lift_marker(table: Game, step: LiftMarker) -> None:
    """R47  Move the first named marker that is still there; without an answer the tokens stay."""
    order = reply(table, step.gate, step.seat)
    if not isinstance(order, Lift) or table.board.powers[step.seat].eliminated:
        return
    lifted = _liftable(table.board, step.seat, order.provinces)
    if lifted is not None:
        table.emit(MarkerLifted(seat=step.seat, lifted=lifted, province=step.province))
