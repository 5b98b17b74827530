"""Paiements & Ressources: ships from holds, emergency ships, and excess."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from operator import mul

from engine.amalfi.board import Board
from engine.amalfi.values import emergency_value, hold_value
from engine.kernel.orders import Problem
from engine.kernel.viewers import Seat

PROBLEMS = (
    "not_accepted",  # {resource, accepts}: not payable with this resource
    "no_ship_in_hold",  # {hold, ships}: the hold has only so many ships
    "no_ship_in_bay",  # {ships}: an emergency needs a ship of the bay, including those just lowered
    "too_little",  # {cost, paid}: the stated payment is too small
    "cannot_pay",  # {cost, most, accepts}: no payment is possible
)


@dataclass(frozen=True)
class Payment:
    """A payment: ships lowered by hold, emergency ships, and their value together.

    `chosen`: by the rule of least waste.
    """

    holds: Mapping[str, int]
    emergency: int
    worth: int
    chosen: bool = False


def paying(
    board: Board, seat: Seat, cost: int, accepts: Sequence[str], pay: Sequence[str], emergency: Sequence[str]
) -> Payment | Problem:
    """Return the payment of a cost: as stated, or with least waste if nothing is stated; or the problem."""
    if pay or emergency:
        return _said(board, seat, cost, accepts, pay, emergency)
    return least_waste(board, seat, cost, accepts)


def _said(
    board: Board, seat: Seat, cost: int, accepts: Sequence[str], pay: Sequence[str], emergency: Sequence[str]
) -> Payment | Problem:
    player, holds = board.players[seat], dict(Counter(pay))
    wrong = next((r for r in (*pay, *emergency) if r not in accepts), None)
    if wrong is not None:
        return Problem("not_accepted", {"resource": wrong, "accepts": tuple(accepts)}, lasting=True)
    for hold, n in holds.items():
        if n > player.holds[hold]:
            return Problem("no_ship_in_hold", {"hold": hold, "ships": player.holds[hold]})
    if len(emergency) > player.bay + len(pay):
        return Problem("no_ship_in_bay", {"ships": player.bay + len(pay)})
    worth = worth_of(board, seat, holds, len(emergency))
    if worth < cost:
        return Problem("too_little", {"cost": cost, "paid": worth})
    return Payment(holds, len(emergency), worth)


def worth_of(board: Board, seat: Seat, holds: Mapping[str, int], emergency: int) -> int:
    """Return the value of ships lowered by hold and of emergency ships."""
    lowered = sum(hold_value(board, seat, hold) * n for hold, n in holds.items())
    return lowered + emergency * emergency_value(board, seat)


def least_waste(board: Board, seat: Seat, cost: int, accepts: Sequence[str]) -> Payment | Problem:
    """Return the payment with the fewest emergency ships, then the least excess, then the fewest ships."""
    ways = tuple(_ways_to_pay(board, seat, cost, accepts))
    if not ways:
        return Problem("cannot_pay", {"cost": cost, "most": most(board, seat, accepts), "accepts": tuple(accepts)})
    emergency, paid, _, counts = min(ways)
    holds = {hold: n for hold, n in zip(accepts, counts, strict=True) if n}
    return Payment(holds, emergency, paid, chosen=True)


def most(board: Board, seat: Seat, accepts: Iterable[str]) -> int:
    """Return the most that a player can pay with these resources."""
    player = board.players[seat]
    holds = {hold: player.holds[hold] for hold in accepts}
    return worth_of(board, seat, holds, player.bay + sum(holds.values()))


def _ways_to_pay(
    board: Board, seat: Seat, cost: int, accepts: Sequence[str]
) -> Iterator[tuple[int, int, int, tuple[int, ...]]]:
    """Yield each way to lower ships: emergency ships that it needs, its value, all ships lowered, and those by hold.

    No hold gives more ships than would pay all.
    """
    player, each = board.players[seat], emergency_value(board, seat)
    values = [hold_value(board, seat, hold) for hold in accepts]
    tried = (
        range(min(player.holds[hold], max(0, -(-cost // value))) + 1)
        for hold, value in zip(accepts, values, strict=True)
    )
    for counts in product(*tried):
        lowered, ships = sum(map(mul, counts, values)), sum(counts)
        emergency = max(0, -((lowered - cost) // each))
        if emergency <= player.bay + ships:
            yield emergency, lowered + emergency * each, ships, counts
