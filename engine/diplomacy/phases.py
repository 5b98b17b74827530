"""The phases of a year, one function each: movement, retreats, adjustments, and what comes next."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from engine.diplomacy import events as e
from engine.diplomacy.board import (
    CENTRES_TO_WIN,
    Board,
    Part,
    Phase,
    Unit,
    building_sites,
    count_builds,
    units_of,
)
from engine.diplomacy.catalogue import CENTRES, FLEET, POWERS, PROVINCES, distances_from, province_of
from engine.diplomacy.movement import Outcome, adjudicate
from engine.diplomacy.orders import Build, Convoy, Disband, Hold, Move, Retreat, Support, UnitOrder, with_units
from engine.diplomacy.validation import retreats
from engine.diplomacy.votes import find_agreement
from engine.kernel.events import Event
from engine.kernel.languages import DEFAULT
from engine.kernel.orders import Order

Emit = Callable[[Event], None]
"""Applies an event to the board and reports it."""
Orders = Mapping[str, Sequence[Order]]
"""By power, orders that `validate_orders` has let pass."""


def resolve_phase(board: Board, orders: Orders, emit: Emit, last_year: int | None = None) -> None:
    """Resolve the phase of the board with the orders of all powers.

    Begin the next one unless a power has won, or the fall of the last year is over. Votes are counted first: if one
    carries, the game ends where it stands, and no order is carried out.
    """
    if agreement := find_agreement(board, orders):
        emit(agreement)
        return
    match board.phase.part:
        case Part.MOVEMENT:
            _resolve_movement(board, orders, emit)
        case Part.RETREAT:
            _resolve_retreats(board, orders, emit)
        case Part.ADJUSTMENT:
            for power in POWERS:
                _adjust(board, power, orders.get(power, ()), emit)
    _go_on(board, emit, last_year)


def _by_unit(orders: Orders) -> dict[str, Order]:
    return {order.unit: order for given in orders.values() for order in given if isinstance(order, UnitOrder)}


def _resolve_movement(board: Board, orders: Orders, emit: Emit) -> None:
    units, given = dict(board.units), _by_unit(orders)
    outcome = adjudicate(units, given)
    for p, unit in sorted(units.items(), key=lambda item: (item[1].power, item[0])):
        order = given.get(p, Hold(p))
        told = with_units(order, units)
        emit(e.OrderResolved(unit=unit, order=told, succeeded=_has_succeeded(p, order, outcome)))
    emit(e.UnitsMoved(moved=outcome.moved, dislodged=outcome.dislodged, contested=outcome.contested))
    for p, lost in sorted(board.dislodged.items()):
        if not retreats(board, p):
            emit(e.Disbanded(unit=lost.unit, is_ordered=False))


def _has_succeeded(p: str, order: Order, outcome: Outcome) -> bool:
    match order:
        case Move():
            return p in outcome.moved
        case Support():
            return outcome.succeeded.get(("support", p), False)
        case Convoy(army=army, to=to):
            return army in outcome.by_sea and outcome.moved.get(army) == to and p not in outcome.dislodged
    return p not in outcome.dislodged


def _resolve_retreats(board: Board, orders: Orders, emit: Emit) -> None:
    """Two that would go to the same province are both disbanded, and so is a unit without an order (C8)."""
    given = _by_unit(orders)
    goals = {p: order.to for p, order in given.items() if isinstance(order, Retreat)}
    claims = Counter(province_of(place) for place in goals.values())
    for p, lost in sorted(board.dislodged.items()):
        if p in goals and claims[province_of(goals[p])] == 1:
            emit(e.Retreated(unit=lost.unit, to=goals[p]))
        else:
            emit(e.Disbanded(unit=lost.unit, is_ordered=isinstance(given.get(p), Disband)))


def _adjust(board: Board, power: str, orders: Sequence[Order], emit: Emit) -> None:
    """Build what is ordered; remove what is ordered, and for want of orders what is farthest from home (C8)."""
    builds = count_builds(board, power)
    for order in orders:
        if isinstance(order, Build):
            emit(e.Built(unit=Unit(power, *order.unit.split())))
        elif isinstance(order, Disband):
            emit(e.Disbanded(unit=board.units[order.unit], is_ordered=True))
    left = min(count_builds(board, power), len(building_sites(board, power)))
    if builds > 0 and left > 0:
        emit(e.Waived(power=power, builds=left))
    for unit in removed_first(board, power)[: max(0, -count_builds(board, power))]:
        emit(e.Disbanded(unit=unit, is_ordered=False))


def removed_first(board: Board, power: str) -> list[Unit]:
    """Return the units of a power in the order in which they are removed without orders (C8)."""
    far = distances_from([p for p in CENTRES if PROVINCES[p].home == power])
    names = {p: province.words.printed(DEFAULT) for p, province in PROVINCES.items()}
    return sorted(
        units_of(board, power), key=lambda unit: (-far[unit.province], unit.kind != FLEET, names[unit.province])
    )


def _go_on(board: Board, emit: Emit, last_year: int | None) -> None:
    """Begin the next phase in which anything is to be ordered; after the fall, centres change hands first."""
    phase = board.phase
    if phase.part is Part.MOVEMENT and board.dislodged:
        emit(e.PhaseBegan(phase=Phase(phase.year, phase.is_fall, Part.RETREAT)))
        return
    if phase.part is not Part.ADJUSTMENT:
        if not phase.is_fall:
            emit(e.PhaseBegan(phase=Phase(phase.year, is_fall=True)))
            return
        _take_centres(board, emit)
        if board.winner or (last_year is not None and phase.year >= last_year):
            return
        if any(needs_adjustment(board, power) for power in POWERS):
            emit(e.PhaseBegan(phase=Phase(phase.year, is_fall=True, part=Part.ADJUSTMENT)))
            return
    emit(e.YearBegan(turn=phase.year + 1))
    emit(e.PhaseBegan(phase=Phase(phase.year + 1)))


def needs_adjustment(board: Board, power: str) -> bool:
    """Return True if a power must remove units, or can build."""
    builds = count_builds(board, power)
    return builds < 0 or (builds > 0 and bool(building_sites(board, power)))


def _take_centres(board: Board, emit: Emit) -> None:
    taken = {
        p: board.units[p].power
        for p in sorted(CENTRES & board.units.keys())
        if board.centres.get(p) != board.units[p].power
    }
    if taken:
        emit(e.CentresTaken(owners=taken))
    owned = Counter(board.centres.values())
    leaders = [power for power in POWERS if owned[power] >= CENTRES_TO_WIN]
    if leaders:
        emit(e.Won(power=leaders[0]))
