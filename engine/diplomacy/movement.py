"""Movement: which moves succeed, which supports are given, which convoys arrive.

The method is that of the decisions of L. B. Kruijswijk's test cases (DATC, chapter 5: "the adjudication process"):
every move, support and way over the sea is a decision, yes, no or still open; strengths have a least and a greatest
value; decisions are taken until nothing changes. What then still depends on itself is a ring of moves, which all
succeed, or a paradox of convoys, decided by the rule of S. Szykman (C2). No order of input can matter.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from engine.diplomacy.board import Dislodged, Unit
from engine.diplomacy.catalogue import ARMY, has_route, province_of, reach
from engine.diplomacy.orders import BY_LAND, BY_SEA, Convoy, Hold, Move, Support
from engine.kernel.orders import Order

Decision = tuple[str, str]
"""What is decided (`move`, `support` or `way`), and the province of the unit that is ordered."""
Strength = tuple[int, int]
"""The least and the greatest value that a strength can still have."""
NONE: Strength = (0, 0)


@dataclass(frozen=True)
class Outcome:
    """What came of a movement phase, by the province where a unit stood.

    `succeeded`: for each move and support, and each army's way over the sea, whether it did. `by_sea`: who moved so.
    """

    moved: Mapping[str, str]
    dislodged: Mapping[str, Dislodged]
    contested: frozenset[str]
    succeeded: Mapping[Decision, bool]
    by_sea: frozenset[str]


def adjudicate(units: Mapping[str, Unit], orders: Mapping[str, Order]) -> Outcome:
    """Return the outcome of valid orders, by province; a unit without one holds."""
    return _Adjudication(units, {p: orders.get(p, Hold(p)) for p in sorted(units)}).outcome()


class _Adjudication:
    def __init__(self, units: Mapping[str, Unit], orders: Mapping[str, Order]) -> None:
        self.units, self.orders = units, orders
        self.moves = {p: order for p, order in orders.items() if isinstance(order, Move)}
        self.target = {p: province_of(move.to) for p, move in self.moves.items()}
        self.into: dict[str, list[str]] = {}
        for origin, target in self.target.items():
            self.into.setdefault(target, []).append(origin)
        self.convoys: dict[str, list[str]] = {}
        self.supports: dict[str, list[str]] = {}
        for p, order in orders.items():
            if isinstance(order, Convoy) and self.target.get(order.army) == province_of(order.to):
                self.convoys.setdefault(order.army, []).append(p)
            elif isinstance(order, Support) and self._is_matched(order):
                self.supports.setdefault(order.of, []).append(p)
        self.by_sea = frozenset(p for p in self.moves if self._goes_by_sea(p))
        self.decided: dict[Decision, bool] = {}
        self.read: set[Decision] | None = None

    def _is_matched(self, order: Support) -> bool:
        """C5: a support that names a coast counts for a move to that coast; one without, for any."""
        move = self.moves.get(order.of)
        if move is None or not order.to:
            return move is None and not order.to
        return order.to == (move.to if "/" in order.to else province_of(move.to))

    def _goes_by_sea(self, p: str) -> bool:
        """C3: what cannot walk does; what can, if it or a fleet of its own power says so, and there is a convoy."""
        unit, move = self.units[p], self.moves[p]
        if unit.kind != ARMY or move.way == BY_LAND:
            return False
        if self.target[p] not in reach(ARMY, p):
            return True
        fleets = self.convoys.get(p, ())
        is_meant = move.way == BY_SEA or any(self.units[fleet].power == unit.power for fleet in fleets)
        return is_meant and has_route(p, self.target[p], fleets)

    def outcome(self) -> Outcome:
        """Decide everything, and say what it comes to."""
        open_ones = {("move", p) for p in self.moves} | {("way", p) for p in self.by_sea}
        open_ones |= {("support", s) for supporters in self.supports.values() for s in supporters}
        self._decide(open_ones)
        while open_ones:
            self._settle_knot(open_ones)
            self._decide(open_ones)
        moved = {p: move.to for p, move in self.moves.items() if self.decided["move", p]}
        lost = {p: self._attacker(p) for p in self.units if self.is_dislodged(p)}
        dislodged = {
            p: Dislodged(self.units[p], "" if attacker in self.by_sea else attacker) for p, attacker in lost.items()
        }
        return Outcome(moved, dislodged, self._contested(moved), self.decided, self.by_sea)

    def _attacker(self, p: str) -> str:
        return next(origin for origin in self.into[p] if self.decided["move", origin])

    def _contested(self, moved: Mapping[str, str]) -> frozenset[str]:
        """Where a standoff left a province empty: a move there failed that kept others out."""
        taken = {province_of(place) for place in moved.values()} | (self.units.keys() - moved.keys())
        return frozenset(
            t
            for t, o in self.into.items()
            if t not in taken and any(self._compute_prevention_strength(p)[1] for p in o)
        )

    def _decide(self, open_ones: set[Decision]) -> None:
        """Take decisions until none can be taken."""
        changed = True
        while changed:
            changed = False
            for decision in tuple(open_ones):
                answer = self._evaluate(decision)
                if answer is not None:
                    self.decided[decision] = answer
                    open_ones.discard(decision)
                    changed = True

    def _evaluate(self, decision: Decision) -> bool | None:
        kind, p = decision
        if kind == "move":
            return self._evaluate_move(p)
        return self._evaluate_support(p) if kind == "support" else self._evaluate_way(p)

    # What is known so far

    def _known(self, kind: str, p: str) -> bool | None:
        answer = self.decided.get((kind, p))
        if answer is None and self.read is not None:
            self.read.add((kind, p))
        return answer

    def _has_left(self, p: str) -> bool | None:
        return self._known("move", p) if p in self.moves else False

    def _has_way(self, p: str) -> bool | None:
        return self._known("way", p) if p in self.by_sea else True

    def is_dislodged(self, p: str) -> bool | None:
        """Return True if a move into the province succeeds and its unit stays."""
        left = self._has_left(p)
        if left:
            return False
        entered = [self._known("move", origin) for origin in self.into.get(p, ())]
        if True in entered:
            return None if left is None else True
        return None if None in entered else False

    def _meets(self, p: str) -> bool:
        """Whether a move and one from its target run against each other, both on land, or both of fleets."""
        target = self.target[p]
        return self.target.get(target) == p and p not in self.by_sea and target not in self.by_sea

    # Strengths

    def _count_supports(self, p: str, but: str = "") -> Strength:
        """1 and the supports that are given, without those of one power."""
        low = high = 1
        for supporter in self.supports.get(p, ()):
            if self.units[supporter].power != but:
                given = self._known("support", supporter)
                low, high = low + (given is True), high + (given is not False)
        return low, high

    def _compute_attack_strength(self, p: str) -> Strength:
        """Nobody dislodges a unit of their own power, or helps to dislodge their own."""
        way, target = self._has_way(p), self.target[p]
        if way is False:
            return NONE
        occupant = self.units.get(target)
        left = True if occupant is None else False if self._meets(p) else self._has_left(target)
        low, high = self._count_supports(p)
        if occupant is not None and left is not True:
            own = occupant.power == self.units[p].power
            against = NONE if own else self._count_supports(p, but=occupant.power)
            low, high = against if left is False else (against[0], high)
        return (low if way else 0), high

    def _compute_prevention_strength(self, p: str) -> Strength:
        """What keeps others out of the target, even if it does not arrive (C4: not if the unit met there arrives)."""
        way = self._has_way(p)
        met = self._has_left(self.target[p]) if self._meets(p) else False
        if way is False or met is True:
            return NONE
        low, high = self._count_supports(p)
        return (low if way and met is False else 0), high

    def _compute_hold_strength(self, province: str) -> Strength:
        if province not in self.units:
            return NONE
        if province not in self.moves:
            return self._count_supports(province)
        left = self._has_left(province)
        return NONE if left else (int(left is False), 1)

    # Decisions

    def _evaluate_move(self, p: str) -> bool | None:
        low, high = self._compute_attack_strength(p)
        target = self.target[p]
        against = [self._count_supports(target) if self._meets(p) else self._compute_hold_strength(target)]
        against += [self._compute_prevention_strength(other) for other in self.into[target] if other != p]
        if low > max(most for _, most in against):
            return True
        return False if high <= max(least for least, _ in against) else None

    def _evaluate_support(self, p: str) -> bool | None:
        """Cut if dislodged, or attacked by another power from elsewhere than the place that it is directed at."""
        order, answer = self.orders[p], self.is_dislodged(p)
        if answer:
            return False
        directed = province_of(order.to or order.of) if isinstance(order, Support) else ""
        open_ways = answer is None
        for origin in self.into.get(p, ()):
            if origin != directed and self.units[origin].power != self.units[p].power:
                way = self._has_way(origin)
                if way:
                    return False
                open_ways = open_ways or way is None
        return None if open_ways else True

    def _evaluate_way(self, p: str) -> bool | None:
        """C1: as long as one route is whole."""
        fleets = {fleet: self.is_dislodged(fleet) for fleet in self.convoys.get(p, ())}
        if has_route(p, self.target[p], [fleet for fleet, lost in fleets.items() if lost is False]):
            return True
        return None if has_route(p, self.target[p], [f for f, lost in fleets.items() if lost is not True]) else False

    # What depends on itself

    def _settle_knot(self, open_ones: set[Decision]) -> None:
        """Decide one knot of decisions that depend on each other and on nothing else that is open."""
        knot = min(self._closures(open_ones), key=lambda closure: (len(closure), sorted(closure)))
        ways = sorted(decision for decision in knot if decision[0] == "way")
        for decision in ways:
            possible = [guess for guess in (True, False) if self._agrees(decision, guess, knot)]
            if len(possible) == 1:
                self._set(decision, possible[0], open_ones)
                return
        for decision in ways:
            self._set(decision, False, open_ones)
        if not ways:
            ring = self._ring(knot)
            for decision in sorted(knot):
                if decision[0] == "move" and (decision[1] in ring or not ring):
                    self._set(decision, bool(ring), open_ones)

    def _set(self, decision: Decision, answer: bool, open_ones: set[Decision]) -> None:
        self.decided[decision] = answer
        open_ones.discard(decision)

    def _closures(self, open_ones: Iterable[Decision]) -> list[set[Decision]]:
        """Return for each open decision all that it depends on."""
        reads: dict[Decision, set[Decision]] = {}
        for decision in open_ones:
            self.read = set()
            self._evaluate(decision)
            reads[decision] = self.read
        self.read = None
        closures = []
        for decision in reads:
            closure, ahead = set[Decision](), [decision]
            while ahead:
                further = ahead.pop()
                if further not in closure:
                    closure.add(further)
                    ahead += reads[further]
            closures.append(closure)
        return closures

    def _agrees(self, decision: Decision, guess: bool, knot: set[Decision]) -> bool:
        """Return True if a guess does not lead to its contrary."""
        kept = dict(self.decided)
        self.decided[decision] = guess
        self._decide(knot - {decision})
        answer = self._evaluate(decision)
        self.decided = kept
        return answer is None or answer == guess

    def _ring(self, knot: set[Decision]) -> list[str]:
        """Return the moves of a ring in a knot, each into the province that the next one leaves; empty without one."""
        for _, start in sorted(knot):
            p, ring = start, list[str]()
            while ("move", p) in knot and p not in ring:
                ring.append(p)
                p = self.target[p]
            if ring and p == start:
                return ring
        return []
