"""What is suggested, and which values are worth trying in a slot: those that may be of use on the position."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from engine.diplomacy import orders as o
from engine.diplomacy.board import Board, Part, Unit, building_sites, count_builds, lost_units, units_of
from engine.diplomacy.catalogue import ARMY, COAST, FLEET, PROVINCES, SEA, places_of, province_of, reach
from engine.diplomacy.meta import TOPICS, topic_of
from engine.diplomacy.turns import Seen
from engine.diplomacy.validation import ordered_province, retreats
from engine.diplomacy.votes import powers_left
from engine.diplomacy.worth import plan
from engine.kernel.gates import Gate
from engine.kernel.holes import Filling, SlotValues, one_of
from engine.kernel.orders import Order, Problem, Question
from engine.kernel.ruleset import Proposals, SlotTable
from engine.kernel.viewers import Seat


def is_judged(seen: Seen, decision: Question) -> bool:
    """Return True if the position can judge answers to a question: it is about this phase."""
    phase = seen.board.phase
    return (decision.topic, Gate.parse(decision.gate).turn) == (topic_of(phase), phase.year)


def propose(seen: Seen, decision: Question) -> Iterator[Order]:
    """Yield an order for each unit that has none yet, best first; a power without units votes for a draw."""
    done, power = _ordered(seen.board, decision.seat), _power(seen, decision)
    if seen.board.phase.part is Part.MOVEMENT and not units_of(seen.board, power) and not done:
        yield o.VoteDraw()
    may_waive = len(done) < count_builds(seen.board, power) and "" not in done
    for order in plan(seen.board, power):
        if may_waive if isinstance(order, o.Waive) else ordered_province(order) not in done:
            yield order


def _power(seen: Seen, decision: Question) -> str:
    return seen.board.powers[decision.seat].power


def _ordered(board: Board, seat: Seat) -> set[str]:
    """Return the provinces whose units have an order that counts; "" stands for a build that is left undone."""
    return {ordered_province(order) for order in board.orders[seat].value} if seat in board.orders else set()


def _names(units: Iterable[Unit]) -> Iterator[str]:
    return (f"{unit.kind} {unit.province}" for unit in units)


def _own(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    done = _ordered(seen.board, decision.seat)
    left = (u for u in units_of(seen.board, _power(seen, decision)) if u.province not in done)
    return one_of(_names(left), Problem("all_ordered"))


def _own_fleets(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    fleets = (name for name in _own(seen, decision, known).values if str(name).startswith(FLEET))
    return one_of((name for name in fleets if PROVINCES[_province(name)].kind == SEA), Problem("no_fleet_at_sea"))


def _lost(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    done = _ordered(seen.board, decision.seat)
    return one_of(_names(u for u in lost_units(seen.board, _power(seen, decision)) if u.province not in done))


def _to_disband(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    is_winter = decision.topic == "winter"
    return _own(seen, decision, known) if is_winter else _lost(seen, decision, known)


def _province(name: Any) -> str:
    return province_of(str(name).rpartition(" ")[2])


def _goals(board: Board, name: Any) -> tuple[str, ...]:
    """Return the places that a unit may enter, over the sea too."""
    unit = board.units.get(_province(name))
    if unit is None:
        return ()
    by_sea = {p for p in PROVINCES if PROVINCES[p].kind == COAST} if unit.kind == ARMY and _is_coast(unit) else set()
    return tuple(sorted(reach(unit.kind, unit.place) | by_sea))


def _is_coast(unit: Unit) -> bool:
    return PROVINCES[unit.province].kind == COAST


def _to(seen: Seen, decision: Question, known: Filling) -> SlotValues | None:
    unit = known.get("unit")
    return None if unit is None else one_of(_goals(seen.board, unit))


def _supported(seen: Seen, decision: Question, known: Filling) -> SlotValues | None:
    return one_of(_names(unit for _, unit in sorted(seen.board.units.items())))


def _supported_to(seen: Seen, decision: Question, known: Filling) -> SlotValues | None:
    """Return the provinces that both units can reach; a support needs no coast (C5)."""
    unit, of = known.get("unit"), known.get("of")
    if unit is None or of is None:
        return None
    own = seen.board.units.get(_province(unit))
    near = set(map(province_of, reach(own.kind, own.place))) if own is not None else set()
    return one_of(place for place in _with_provinces(_goals(seen.board, of)) if province_of(place) in near)


def _with_provinces(places: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(found for place in places for found in (province_of(place), place)))


def _armies(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    units = (unit for _, unit in sorted(seen.board.units.items()))
    return one_of(_names(unit for unit in units if unit.kind == ARMY and _is_coast(unit)))


def _carried_to(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    return one_of(p for p in sorted(PROVINCES) if PROVINCES[p].kind == COAST)


def _retreat_to(seen: Seen, decision: Question, known: Filling) -> SlotValues | None:
    unit = known.get("unit")
    if unit is None or _province(unit) not in seen.board.dislodged:
        return None
    return one_of(retreats(seen.board, _province(unit)))


def _sites(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    done = _ordered(seen.board, decision.seat)
    sites = [p for p in building_sites(seen.board, _power(seen, decision)) if p not in done]
    return one_of(name for p in sites for name in (f"{ARMY} {p}", *(f"{FLEET} {place}" for place in places_of(p))))


def _sharing(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    """Return the powers of whom at least two may share a draw."""
    return SlotValues(powers_left(seen.board), least=2)


def _winners(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    return one_of(power for power in powers_left(seen.board) if power != _power(seen, decision))


PROPOSALS: Final[Proposals] = dict.fromkeys(TOPICS.values(), propose)
WORTH_TRYING: Final[SlotTable] = {
    (o.Hold, "unit"): _own,
    (o.Move, "unit"): _own,
    (o.Move, "to"): _to,
    (o.Support, "unit"): _own,
    (o.Support, "of"): _supported,
    (o.Support, "to"): _supported_to,
    (o.Convoy, "unit"): _own_fleets,
    (o.Convoy, "army"): _armies,
    (o.Convoy, "to"): _carried_to,
    (o.Retreat, "unit"): _lost,
    (o.Retreat, "to"): _retreat_to,
    (o.Disband, "unit"): _to_disband,
    (o.Build, "unit"): _sites,
    (o.VoteDraw, "powers"): _sharing,
    (o.Concede, "power"): _winners,
}
