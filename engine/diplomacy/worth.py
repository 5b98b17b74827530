"""What a power would do: a plan for all its units, from the public position alone.

Every province is worth what it promises: a centre to take, a centre to keep, or the way there. Units go where it is
worth most, helped by the others where somebody stands or may come; the rest support, or stay.
"""

from collections.abc import Callable, Iterator, Mapping
from operator import itemgetter
from typing import Final
from zlib import crc32

from engine.diplomacy.board import Board, Part, Unit, building_sites, count_builds, lost_units, units_of
from engine.diplomacy.catalogue import ARMY, CENTRES, FLEET, PROVINCES, places_of, province_of, reach
from engine.diplomacy.orders import Build, Disband, Hold, Move, Retreat, Support, Waive
from engine.diplomacy.phases import removed_first
from engine.diplomacy.validation import retreats
from engine.kernel.orders import Order

TO_TAKE: Final = 1000
"""A centre of nobody, or of a power that has left it."""
TO_CONQUER: Final = 800
"""A centre on which a unit of another power stands."""
TO_KEEP: Final = 600
"""An own centre that a unit of another power can reach."""
FADING: Final = 6
"""In tenths: what a province is worth by the best one next to it."""
STEPS: Final = 5
VARIED: Final = 300


def plan(board: Board, power: str) -> Iterator[Order]:
    """Yield an order for each unit that a power must order, or each build, best first."""
    match board.phase.part:
        case Part.MOVEMENT:
            yield from plan_moves(board, power)
        case Part.RETREAT:
            yield from _plan_retreats(board, power)
        case Part.ADJUSTMENT:
            yield from _plan_adjustment(board, power)


def plan_moves(board: Board, power: str) -> Iterator[Order]:
    """Yield an order for each unit of a power, best first."""
    return iter(_Plan(board, power).orders.values())


def worth_of_provinces(board: Board, power: str) -> Mapping[str, int]:
    """Return what each province is worth to a power."""
    worth = {p: _worth_of(board, power, p) for p in PROVINCES}
    for _ in range(STEPS):
        before = worth
        worth = {p: max(own, max(_TAKE_NEAR[p](before)) * FADING // 10) for p, own in before.items()}
        if worth == before:
            break
    return worth


def _worth_of(board: Board, power: str, p: str) -> int:
    if p not in CENTRES:
        return 0
    if board.centres.get(p) == power:
        return TO_KEEP if _count_near(board, p, others_than=power) else 0
    return TO_CONQUER if _is_foreign(board, power, p) else TO_TAKE


def _is_foreign(board: Board, power: str, p: str) -> bool:
    return p in board.units and board.units[p].power != power


def _goals(unit: Unit) -> frozenset[str]:
    return frozenset(map(province_of, reach(unit.kind, unit.place)))


def _count_near(board: Board, p: str, others_than: str) -> int:
    """Return how many units of other powers can reach a province."""
    near = (board.units[q] for q in _NEAR[p] if q in board.units)
    return sum(unit.power != others_than and p in _goals(unit) for unit in near)


_NEAR: Final = {
    p: frozenset(province_of(place) for kind in (ARMY, FLEET) for at in (*places_of(p), p) for place in reach(kind, at))
    for p in PROVINCES
}
_TAKE_NEAR: Final[Mapping[str, Callable[[Mapping[str, int]], tuple[int, ...]]]] = {
    p: itemgetter(*near) for p, near in _NEAR.items()
}


class _Plan:
    """Orders for the units of a power, one by one: the best move, who helps it, and so on."""

    def __init__(self, board: Board, power: str) -> None:
        self.board, self.power = board, power
        self.worth = worth_of_provinces(board, power)
        self.free = {unit.province: unit for unit in units_of(board, power)}
        self.orders: dict[str, Order] = {}
        self.taken: set[str] = set()
        for _, p, to in sorted(self._moves(), key=lambda move: (-move[0], move[1:])):
            self._try(p, to)
        for p in tuple(self.free):
            self._order(self._help(p) or Hold(_name(self.board.units[p])))

    def _moves(self) -> Iterator[tuple[int, str, str]]:
        """Yield what each move promises: more than where the unit stands, which a fall makes its own."""
        for p, unit in self.free.items():
            stays = self.worth[p] if self.board.phase.is_fall or self.board.centres.get(p) == self.power else 0
            for to in reach(unit.kind, unit.place):
                gain = self.worth[province_of(to)] - stays
                if gain > 0:
                    yield gain + self._vary(p, to), p, to

    def _vary(self, p: str, to: str) -> int:
        """Return a little more for another move in each phase, so that a standoff is not repeated for ever."""
        return crc32(f"{self.power}/{self.board.phase}/{p}/{to}".encode()) % VARIED

    def _try(self, p: str, to: str) -> None:
        """Order a move if it can arrive: alone, or with the help of others."""
        target = province_of(to)
        is_own = target in self.board.units and not _is_foreign(self.board, self.power, target)
        if p not in self.free or target in self.taken or (is_own and not self._has_left(target)):
            return
        helpers = [q for q, unit in self.free.items() if q not in (p, target) and target in _goals(unit)]
        against, is_foreign = _count_near(self.board, target, self.power), _is_foreign(self.board, self.power, target)
        if is_foreign and not helpers:
            return
        self._order(Move(_name(self.board.units[p]), to))
        self.taken.add(target)
        of = _name(self.board.units[p])
        for q in helpers[: max(against, 1) if is_foreign else min(against, 1)]:
            self._order(Support(_name(self.board.units[q]), of, to))

    def _has_left(self, p: str) -> bool:
        return isinstance(self.orders.get(p), Move)

    def _help(self, p: str) -> Support | None:
        """Return a support of a unit that stays where others may come."""
        goals = _goals(self.board.units[p])
        near = [q for q in sorted(goals) if q in self.board.units and self.board.units[q].power == self.power]
        threatened = [q for q in near if not self._has_left(q) and _count_near(self.board, q, self.power)]
        return Support(_name(self.board.units[p]), _name(self.board.units[threatened[0]])) if threatened else None

    def _order(self, order: Hold | Move | Support) -> None:
        p = order.unit.split()[1]
        del self.free[p]
        self.orders[p] = order
        if not isinstance(order, Move):
            self.taken.add(p)


def _name(unit: Unit) -> str:
    return f"{unit.kind} {unit.province}"


def _plan_retreats(board: Board, power: str) -> Iterator[Order]:
    worth, taken = worth_of_provinces(board, power), set[str]()
    for unit in lost_units(board, power):
        places = [place for place in retreats(board, unit.province) if province_of(place) not in taken]
        if places:
            best = max(places, key=lambda place: (worth[province_of(place)], place))
            taken.add(province_of(best))
            yield Retreat(_name(unit), best)
        else:
            yield Disband(_name(unit))


def _plan_adjustment(board: Board, power: str) -> Iterator[Order]:
    builds = count_builds(board, power)
    for unit in removed_first(board, power)[: max(0, -builds)]:
        yield Disband(_name(unit))
    if builds > 0:
        worth = worth_of_provinces(board, power)
        fleets = sum(unit.kind == FLEET for unit in units_of(board, power))
        wants_fleets = fleets * 5 < len(units_of(board, power)) * 2
        for site in sorted(building_sites(board, power), key=lambda p: (-worth[p], p)):
            if wants_fleets and places_of(site):
                yield Build(f"{FLEET} {places_of(site)[-1]}")
            yield Build(f"{ARMY} {site}")
        yield Waive()
