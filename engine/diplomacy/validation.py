"""What may be ordered: impossible orders are refused as they are written, useless ones are not (C9)."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from engine.diplomacy.board import Board, Part, Unit, building_sites, count_builds
from engine.diplomacy.catalogue import (
    ARMY,
    COAST,
    FLEET,
    PROVINCES,
    SEA,
    has_route,
    has_route_through,
    places_of,
    province_of,
    reach,
)
from engine.diplomacy.orders import (
    BY_LAND,
    Build,
    Concede,
    Convoy,
    Disband,
    Hold,
    Move,
    Retreat,
    Support,
    UnitOrder,
    VoteDraw,
    Waive,
)
from engine.diplomacy.votes import Vote, validate_vote
from engine.kernel.orders import Order, Problem

PROBLEMS = (
    "nothing_there",  # {province}
    "not_yours",  # {unit, power}
    "not_dislodged",  # {province}
    "stays_there",  # {unit}
    "unreachable",  # {unit, to, places}
    "inland_of_fleet",  # {unit}: TYR is Tyrolia, the sea beside it TYS
    "no_fleets",  # {unit, to, places}
    "coast_needed",  # {to, places}
    "wrong_coast",  # {to, places}
    "supports_itself",  # {unit}
    "cannot_support",  # {unit, to, places}
    "cannot_go",  # {unit, to, places}
    "all_ordered",  # {}: no unit without an order is left
    "no_fleet_at_sea",  # {}: none without an order
    "cannot_convoy",  # {unit}
    "not_an_army",  # {province}
    "no_convoy",  # {unit, army, to}
    "no_retreat",  # {unit, to, places}
    "no_builds",  # {builds}
    "no_removals",  # {builds}
    "not_a_site",  # {place, places}
    "not_by_fleet",  # {place}
    "wrong_kind",  # {province, kind}
    "already_ordered",  # {province}
    "not_now",  # {}
)
"""Why an order cannot stand, with the terms that its sentence is given."""


TYROLIA: Final = "TYR"
"""Many write TYR for the Tyrrhenian Sea (TYS), too: of a fleet it is asked back."""


def _name(unit: str) -> tuple[str, str]:
    """Return the kind ("" if it is not said) and the province of a unit that an order names."""
    kind, _, place = unit.rpartition(" ")
    return kind, province_of(place)


def validate_orders(board: Board, power: str, orders: Iterable[Order]) -> list[Order | Problem]:
    """Return each order as it will count, coasts filled in, or why it does not.

    Of two orders for a unit or a place, the first counts, and of builds and removals as many as are due (C7).
    """
    results: list[Order | Problem] = []
    for order in orders:
        before = [result for result in results if not isinstance(result, Problem)]
        results.append(validate_next(board, power, order, before))
    return results


def validate_next(board: Board, power: str, order: Order, before: Sequence[Order]) -> Order | Problem:
    """Return an order behind others that count, as it will count, or why it does not."""
    result = validate_order(board, power, order)
    if isinstance(result, Problem | Waive):
        return result
    if isinstance(result, Vote):
        return Problem("already_voted") if any(isinstance(other, Vote) for other in before) else result
    counted = sum(not isinstance(other, Waive) for other in before)
    if board.phase.part is Part.ADJUSTMENT and counted >= abs(due := count_builds(board, power)):
        return Problem("no_removals" if isinstance(result, Disband) else "no_builds", {"builds": due})
    province = ordered_province(result)
    if any(ordered_province(other) == province for other in before):
        return Problem("already_ordered", {"province": province})
    return result


def ordered_province(order: Order) -> str:
    """Return where the unit of an order stands, or will; "" for an order without one."""
    return _name(order.unit)[1] if isinstance(order, UnitOrder) else ""


def validate_order(board: Board, power: str, order: Order) -> Order | Problem:
    """Return one order as it will count, or why it does not. A hole of a search may be in place of any value."""
    match board.phase.part, order:
        case Part.MOVEMENT, Hold() | Move() | Support() | Convoy():
            return _validate_movement(board, power, order)
        case Part.MOVEMENT, VoteDraw() | Concede():
            return validate_vote(board, power, order)
        case Part.RETREAT, Retreat() | Disband():
            return _validate_retreat(board, power, order)
        case Part.ADJUSTMENT, Build():
            return _validate_build(board, power, order)
        case Part.ADJUSTMENT, Disband(unit=p):
            if count_builds(board, power) >= 0:
                return Problem("no_removals", {"builds": count_builds(board, power)})
            unit = _find_own(board, power, p)
            return unit if isinstance(unit, Problem) else replace(order, unit=unit.province)
        case Part.ADJUSTMENT, Waive():
            builds = count_builds(board, power)
            return order if builds > 0 else Problem("no_builds", {"builds": builds})
    return Problem("not_now")


def _find(board: Board, name: str) -> Unit | Problem:
    """Return the unit that an order names."""
    kind, p = _name(name)
    unit = board.units.get(p)
    if unit is None:
        return Problem("nothing_there", {"province": p})
    return unit if kind in ("", unit.kind) else Problem("wrong_kind", {"province": p, "kind": unit.kind})


def _find_own(board: Board, power: str, name: str) -> Unit | Problem:
    """Return the unit that an order names, of one's own."""
    unit = _find(board, name)
    if isinstance(unit, Problem) or unit.power == power:
        return unit
    return Problem("not_yours", {"unit": str(unit), "power": unit.power})


def _validate_movement(board: Board, power: str, order: Hold | Move | Support | Convoy) -> Order | Problem:
    unit = _find_own(board, power, order.unit)
    if isinstance(unit, Problem):
        return unit
    order = replace(order, unit=unit.province)
    match order:
        case Move():
            place = _destination(board, unit, order.to)
            if isinstance(place, Problem):
                return place
            return (
                replace(order, to=place, way=order.way if unit.kind == ARMY else "")
                if (order.way != BY_LAND or place in reach(unit.kind, unit.place))
                else _unreachable(unit, place)
            )
        case Support():
            return _validate_support(board, unit, order)
        case Convoy():
            return _validate_convoy(board, unit, order)
    return order


def _fleets(board: Board, but: str = "") -> frozenset[str]:
    return frozenset(p for p, u in board.units.items() if u.kind == FLEET and p != but and PROVINCES[p].kind == SEA)


def _unreachable(unit: Unit, to: str) -> Problem:
    if unit.kind == FLEET and province_of(to) == TYROLIA:
        return Problem("inland_of_fleet", {"unit": str(unit)})
    return Problem("unreachable", {"unit": str(unit), "to": to, "places": tuple(sorted(reach(unit.kind, unit.place)))})


def _destination(board: Board, unit: Unit, to: str, but: str = "") -> str | Problem:
    """Return the place that a unit would enter (C5), by itself or over fleets other than `but`."""
    target, near = province_of(to), reach(unit.kind, unit.place)
    if target == unit.province:
        return Problem("stays_there", {"unit": str(unit)})
    if unit.kind == FLEET:
        return _place_in(to, near) or _unreachable(unit, to)
    if target in near or has_route(unit.province, target, _fleets(board, but)):
        return target
    if PROVINCES[target].kind == COAST == PROVINCES[unit.province].kind:
        return Problem("no_fleets", {"unit": str(unit), "to": target, "places": tuple(sorted(near))})
    return _unreachable(unit, target)


def _place_in(to: str, places: Iterable[str]) -> str | Problem | None:
    """Return which of some places a fleet means: a coast is needed only where two are possible (C5)."""
    target = province_of(to)
    found = tuple(sorted(place for place in places if province_of(place) == target))
    if not found:
        return None
    if "/" in to and "/" in found[0]:
        return to if to in found else Problem("wrong_coast", {"to": to, "places": found})
    return found[0] if len(found) == 1 else Problem("coast_needed", {"to": target, "places": found})


def _validate_support(board: Board, unit: Unit, order: Support) -> Order | Problem:
    other = _find(board, order.of)
    if isinstance(other, Problem):
        return other
    if other == unit:
        return Problem("supports_itself", {"unit": str(unit)})
    to = order.to
    if to:
        place = _destination(board, other, to, but=unit.province)
        if isinstance(place, Problem) and place.code != "coast_needed":
            return Problem("cannot_go", {**place.terms, "to": to}) if place.code == "unreachable" else place
        to = place if isinstance(place, str) and "/" in to else province_of(to)
    target, near = province_of(to) or other.province, {province_of(place) for place in reach(unit.kind, unit.place)}
    if target not in near:
        return Problem("cannot_support", {"unit": str(unit), "to": target, "places": tuple(sorted(near))})
    return replace(order, of=other.province, to=to)


def _validate_convoy(board: Board, unit: Unit, order: Convoy) -> Order | Problem:
    if unit.kind != FLEET or PROVINCES[unit.province].kind != SEA:
        return Problem("cannot_convoy", {"unit": str(unit)})
    army = _find(board, order.army)
    if isinstance(army, Problem):
        return army
    if army.kind != ARMY:
        return Problem("not_an_army", {"province": army.province})
    to = province_of(order.to)
    if not has_route_through(army.province, to, _fleets(board), unit.province):
        return Problem("no_convoy", {"unit": str(unit), "army": str(army), "to": to})
    return replace(order, army=army.province, to=to)


def retreats(board: Board, p: str) -> tuple[str, ...]:
    """Return where a dislodged unit can go: near, empty, not where its attacker came from, not contested."""
    lost = board.dislodged[p]
    barred = board.units.keys() | board.contested | {lost.attacked_from}
    near = reach(lost.unit.kind, lost.unit.place)
    return tuple(sorted(place for place in near if province_of(place) not in barred))


def _validate_retreat(board: Board, power: str, order: Retreat | Disband) -> Order | Problem:
    kind, p = _name(order.unit)
    lost = board.dislodged.get(p)
    if lost is None:
        return Problem("not_dislodged", {"province": p})
    if kind not in ("", lost.unit.kind):
        return Problem("wrong_kind", {"province": p, "kind": lost.unit.kind})
    if lost.unit.power != power:
        return Problem("not_yours", {"unit": str(lost.unit), "power": lost.unit.power})
    order = replace(order, unit=p)
    if isinstance(order, Disband):
        return order
    places = retreats(board, p)
    place = _place_in(order.to, places) if lost.unit.kind == FLEET else province_of(order.to)
    if isinstance(place, Problem):
        return place
    if place not in places:
        return Problem("no_retreat", {"unit": str(lost.unit), "to": order.to, "places": places})
    return replace(order, to=place)


def _validate_build(board: Board, power: str, order: Build) -> Order | Problem:
    builds, sites = count_builds(board, power), building_sites(board, power)
    if builds <= 0:
        return Problem("no_builds", {"builds": builds})
    kind, _, written = order.unit.partition(" ")
    p = province_of(written)
    if p not in sites:
        return Problem("not_a_site", {"place": p, "places": sites})
    if kind == ARMY:
        return Build(f"{kind} {p}")
    place = _place_in(written, places_of(p))
    if place is None:
        return Problem("not_by_fleet", {"place": p})
    return place if isinstance(place, Problem) else Build(f"{kind} {place}")
