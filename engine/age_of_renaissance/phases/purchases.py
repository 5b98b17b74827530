"""§9.4  Phase 4: the fleet, then advances, then stability, in this order."""

from collections.abc import Callable, Mapping
from typing import Any

from engine.age_of_renaissance.acts import Game, Seen, call_for_orders, move_misery
from engine.age_of_renaissance.atlas import upgraded
from engine.age_of_renaissance.board import Board
from engine.age_of_renaissance.catalogue import SHIP_UPGRADE, stabilisation, unpaid
from engine.age_of_renaissance.events import ShipUpgraded, Stabilised
from engine.age_of_renaissance.orders import Buy, Discard, Stabilise, UpgradeShip
from engine.age_of_renaissance.phases import advances, leaders
from engine.age_of_renaissance.phases.cards import put_away
from engine.kernel.orders import Order, Orders, Problem, Question
from engine.kernel.position import ExecuteOrders, Step
from engine.kernel.secrets import Sealed
from engine.kernel.turn_chapters import Gates, Refusals, Sets, Steps
from engine.kernel.viewers import Seat

PROBLEMS = (
    "ship_once",  # {}: one level a turn
    "ship_first",  # {}: the fleet comes before the advances
    "ship_highest",  # {hull, level}: its kind has no higher level
    "too_dear",  # {cost, cash}
    "stable_already",  # {}
)


class Purchase(ExecuteOrders, saved="aor.Purchase"):
    """A player's purchases of the phase, one line after the other."""


class EndOfPurchases(Step, saved="aor.EndOfPurchases"):
    """End the phase after all have bought."""


def begin(table: Game) -> None:
    """§9.4  Ask all players; afterwards the leaders leave."""
    table.then(EndOfPurchases())
    call_for_orders(table, "purchases")


def resolve(table: Game, gate: str, answers: Mapping[Seat, Orders]) -> None:
    """Queue the orders, in order of play."""
    seats = [power.seat for power in table.board.playing() if power.seat in answers]
    table.then(*(Purchase(seat, gate, "purchases", Sealed(answers[seat])) for seat in seats))


def purchase(table: Game, step: Purchase) -> None:
    """Do the next possible line; after the last one, pay for stability if no line has settled it."""
    if table.board.powers[step.seat].eliminated:
        return
    order, rest = table.next_order(step)
    if order is not None:
        table.then(rest.line_done())
        ACTS[type(order)](table, step.seat, order)
    elif not _asked_again(table, step.seat):
        _stabilise_unless_done(table, step.seat)


def _asked_again(table: Game, seat: Seat) -> bool:
    """Return True if the seat has been asked again after a failed line, so it has not finished."""
    return any(d.seat == seat and d.topic == "purchases" for d in table.core.questions)


def _stabilise_unless_done(table: Game, seat: Seat) -> None:
    if not table.board.powers[seat].stabilised:
        _settle(table, seat, pay=True)


def _upgrade(table: Game, seat: Seat, order: UpgradeShip) -> None:
    """§9.4.1  Upgrade the ship; without a ship, build the first galley."""
    ship = upgraded(table.board.powers[seat].ship)
    if ship is not None:
        table.emit(ShipUpgraded(seat=seat, ship=ship, paid=SHIP_UPGRADE))


def _discard(table: Game, seat: Seat, order: Discard) -> None:
    """§9.4.2, R11  Discard a card with Arts and Techniques, in the turn of its purchase."""
    put_away(table, seat, table.board.copy_held(seat, order.card) or order.card)


def _stabilise(table: Game, seat: Seat, order: Stabilise) -> None:
    _settle(table, seat, order.pay)


def stability_cost(board: Board, seat: Seat) -> int:
    """§9.4.3, §9.6  Return the ducats for the present hand; half, rounded up, with Middle Class."""
    return stabilisation(len(board.powers[seat].hand), half=board.has(seat, "Z"))


def _settle(table: Game, seat: Seat, pay: bool) -> None:
    """§9.4.3, R46  Pay in full if wanted and possible; if not, raise misery by at least the cost."""
    power, cost = table.board.powers[seat], stability_cost(table.board, seat)
    paid = cost if cost <= power.cash and (pay or not cost) else -1
    table.emit(Stabilised(seat=seat, cards=len(power.hand), paid=paid))
    if paid < 0:
        move_misery(table, power, unpaid(power.misery, cost), "stabilisation")


def end(table: Game, step: EndOfPurchases) -> None:
    """§9.3.3, R21  Remove the leaders; by option, reduce misery for tiers reached this turn."""
    if table.core.options["tiers"] == "phase":
        for power in table.board.playing():
            advances.reduce_by_tiers(table, power.seat, power.advances - power.bought)
    leaders.leave(table)


def refuse_upgrade(seen: Seen, decision: Question, order: UpgradeShip) -> Problem | None:
    """§9.4, §9.4.1  Require 10 ducats, a higher level, no upgrade or advance yet this turn."""
    power = seen.board.powers[decision.seat]
    if power.stabilised:
        return Problem("after_stability", {})
    if power.ship_upgraded:
        return Problem("ship_once", {}, lasting=True)
    if power.bought:
        return Problem("ship_first", {}, lasting=True)
    if power.ship is not None and upgraded(power.ship) is None:
        return Problem("ship_highest", {"hull": power.ship.hull, "level": power.ship.level}, lasting=True)
    if power.cash < SHIP_UPGRADE:
        return Problem("too_dear", {"cost": SHIP_UPGRADE, "cash": power.cash})
    return None


def refuse_stabilise(seen: Seen, decision: Question, order: Stabilise) -> Problem | None:
    """§9.4.3  Require the full cost, once. Not paying is always allowed."""
    power, cost = seen.board.powers[decision.seat], stability_cost(seen.board, decision.seat)
    if power.stabilised:
        return Problem("stable_already", {}, lasting=True)
    if order.pay and power.cash < cost:
        return Problem("too_dear", {"cost": cost, "cash": power.cash})
    return None


ACTS: Mapping[type[Order], Callable[[Game, Seat, Any], None]] = {
    UpgradeShip: _upgrade,
    Buy: advances.buy,
    Discard: _discard,
    Stabilise: _stabilise,
}
STEPS: Steps = {Purchase: purchase, EndOfPurchases: end}
GATES: Gates = {"purchases": resolve}
REFUSALS: Refusals = {
    UpgradeShip: refuse_upgrade,
    Buy: advances.refuse_buy,
    Stabilise: refuse_stabilise,
}
SETS: Sets = {"purchases": Purchase}
