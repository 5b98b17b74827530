"""The geography of the board: borders by land and coast, and the provinces that a power can reach.

The module knows no owners; they are passed as arguments. Distances are computed once, on import, because reach is
tested thousands of times for one expansion.
"""

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final

from engine.age_of_renaissance.catalogue import PROVINCES, WORDS, Special
from engine.kernel.catalogues import Words
from engine.kernel.data_tables import load_table

_BORDERS: Final[Any] = load_table(__package__, "borders")
_TABLES: Final[Any] = load_table(__package__, "tables")

Coast = str
"""A province's shore: its id, or `id#segment` if its land separates two waters (R4)."""


class Hull(StrEnum):
    """The three kinds of ship (§9.4.1)."""

    GALLEY = "galley"
    SEAWORTHY = "seaworthy"
    GALLEON = "galleon"


LEVELS: Final[Mapping[Hull, tuple[int, ...]]] = MappingProxyType({hull: tuple(_TABLES["ships"][hull]) for hull in Hull})
"""The four levels of each kind, in the order of purchase."""


@dataclass(frozen=True)
class Ship:
    """A ship at a level of the navigation table. A power without a ship has None."""

    hull: Hull
    level: int

    @property
    def load(self) -> int | None:
        """§9.4.1  Return the most tokens that it can land in one province in a phase; None for any number."""
        return None if self.hull is Hull.GALLEON else self.level


def upgraded(ship: Ship | None) -> Ship | None:
    """§9.4.1  Return the ship after one upgrade, or None if its kind has no higher level."""
    if ship is None:
        return Ship(Hull.GALLEY, LEVELS[Hull.GALLEY][0])
    levels = LEVELS[ship.hull]
    place = levels.index(ship.level) + 1
    return Ship(ship.hull, levels[place]) if place < len(levels) else None


def overseas_room(ship: Ship | None) -> int:
    """§9.4.1  Return how many of the five overseas boxes this fleet can support."""
    return ship.level if ship is not None and ship.hull is Hull.GALLEON else 0


class How(StrEnum):
    """The ways to reach a province."""

    HELD = "held"
    LAND = "land"
    CARAVAN = "caravan"
    SHIP = "ship"
    OCEAN = "ocean"


@dataclass(frozen=True)
class Reach:
    """A way to reach a province.

    `limit`: the most tokens that may come this way in the phase; None for any number. `via`: the province that a
    caravan crosses.
    """

    how: How
    limit: int | None = None
    via: str | None = None


@dataclass(frozen=True)
class Sea:
    """A named sea (§4.2) and its coasts."""

    id: str
    words: Words
    coasts: tuple[Coast, ...]


def _province_of(coast: Coast) -> str:
    return coast.partition("#")[0]


def _linked(groups: Iterable[Mapping[str, Any]]) -> dict[str, tuple[str, ...]]:
    """Return both directions of the pairs of a table of borders, sorted."""
    found: dict[str, set[str]] = {}
    for group in groups:
        for one, other in group["pairs"]:
            found.setdefault(one, set()).add(other)
            found.setdefault(other, set()).add(one)
    return {place: tuple(sorted(links)) for place, links in found.items()}


_LAND: Final = _linked(_BORDERS["land"])
_WATER: Final = _linked(_BORDERS["coast"])
SEAS: Final[Mapping[str, Sea]] = MappingProxyType(
    {r["id"]: Sea(r["id"], WORDS(f"seas.{r['id']}"), tuple(r["coasts"])) for r in _BORDERS["seas"]}
)
COASTS: Final[Mapping[str, tuple[Coast, ...]]] = MappingProxyType(
    {
        p.id: tuple(f"{p.id}#{name}" for name in _BORDERS["segments"].get(p.id, ())) or (p.id,)
        for p in PROVINCES.values()
        if p.coastal
    }
)
"""The shores of each coastal province: one, or two that do not meet."""
NEIGHBOURS: Final[Mapping[str, frozenset[str]]] = MappingProxyType({p: frozenset(_LAND.get(p, ())) for p in PROVINCES})
"""Provinces that share a land border (§9.5)."""


def neighbouring_coasts(province: str) -> frozenset[str]:
    """Return the provinces whose coast meets one of this province's (§4.2)."""
    return frozenset(_province_of(other) for coast in COASTS.get(province, ()) for other in _WATER.get(coast, ()))


SATELLITES: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {p: frozenset(s.id for s in PROVINCES.values() if p in s.points_to) for p in PROVINCES}
)
"""The satellites whose arrows point to a province (§9.5.2)."""


def _steps(node: tuple[str, bool], astronomy: bool) -> list[tuple[str, bool]]:
    """Return where a ship may go next.

    A node is a coast or sea, and True if a sea was crossed already; one is allowed (R3).
    """
    place, crossed = node
    if place in SEAS:
        return [(coast, crossed) for coast in SEAS[place].coasts]
    along = [(coast, crossed) for coast in _WATER.get(place, ())]
    if astronomy and not crossed:
        along += [(sea.id, True) for sea in SEAS.values() if place in sea.coasts]
    return along


def _voyages(start: str, astronomy: bool) -> dict[str, int]:
    """Return the distance in coastal provinces from `start` to every shore that a galley could reach (§9.4.1, R2)."""
    waiting = deque(((coast, False), 0) for coast in COASTS[start])
    seen = {node for node, _ in waiting}
    shortest: dict[str, int] = {}
    while waiting:
        node, distance = waiting.popleft()
        if node[0] not in SEAS:
            shortest.setdefault(_province_of(node[0]), distance)
        for step in _steps(node, astronomy):
            if step not in seen:
                seen.add(step)
                waiting.append((step, distance + 1))
    return shortest


_DISTANCES: Final[Mapping[bool, Mapping[str, Mapping[str, int]]]] = {
    astronomy: {start: _voyages(start, astronomy) for start in COASTS} for astronomy in (False, True)
}
_PORTS: Final[Mapping[tuple[bool, int], Mapping[str, frozenset[str]]]] = {
    (astronomy, level): {
        target: frozenset(start for start, far in _DISTANCES[astronomy].items() if far.get(target, level + 1) <= level)
        for target in COASTS
    }
    for astronomy in (False, True)
    for level in LEVELS[Hull.GALLEY]
}
"""(Astronomy, range of the galley) -> for each shore, the provinces from which a ship can reach it."""
_REGION: Final[Mapping[str, str]] = {p.id: p.region for p in PROVINCES.values()}
_LANDINGS: Final[Mapping[int | None, Reach]] = {
    load: Reach(How.SHIP, load) for load in (None, *LEVELS[Hull.GALLEY], *LEVELS[Hull.SEAWORTHY])
}
_HELD: Final = Reach(How.HELD)
_ON_FOOT: Final = Reach(How.LAND)
_OVER_THE_OCEAN: Final = Reach(How.OCEAN)
_CARAVANS: Final[Mapping[str, Reach]] = {p: Reach(How.CARAVAN, None, p) for p in PROVINCES}


def sea_distance(start: str, target: str, astronomy: bool) -> int | None:
    """§9.4.1, R2, R3  Return the distance of a galley in coastal provinces; None if there is no way.

    A ship follows the coast. With Astronomy it may cross one sea, which counts as one coastal province.
    """
    return _DISTANCES[astronomy].get(start, {}).get(target)


def closed(target: str, ship: Ship | None, advances: AbstractSet[str], regions: AbstractSet[str]) -> str | None:
    """Return why a power may have no piece in `target` from anywhere, or None if it may.

    `out_of_play` (§8.2); `silk_road`: region V needs R (§9.5); `galleon`: an overseas box needs T; `new_world`: the
    Americas need U too (§4.1, §9.4.1). For the same reasons a province cannot be ceded in a War (A2).
    """
    region = _REGION[target]
    if region not in regions:
        return "out_of_play"
    if region == "V":
        return None if "R" in advances else "silk_road"
    if PROVINCES[target].special is not Special.OVERSEAS:
        return None
    if ship is None or ship.hull is not Hull.GALLEON:
        return "galleon"
    return "new_world" if region == "new_world" and "U" not in advances else None


def _caravan(
    bases: AbstractSet[str], target: str, regions: AbstractSet[str], transit_open: Callable[[str], bool]
) -> Reach | None:
    """§9.5, R17  Return the way across one province that is in play and not controlled by an opponent, or None."""
    for crossed in _LAND.get(target, ()):
        if _REGION[crossed] in regions and not NEIGHBOURS[crossed].isdisjoint(bases) and transit_open(crossed):
            return _CARAVANS[crossed]
    return None


def _by_ship(bases: AbstractSet[str], target: str, ship: Ship, advances: AbstractSet[str]) -> Reach | None:
    """§9.4.1  Return the way by water, also along coasts that are out of play (§8.2), or None."""
    if target not in COASTS:
        return None
    if PROVINCES[target].special is Special.OVERSEAS:
        return _OVER_THE_OCEAN
    if ship.hull is Hull.GALLEY and _PORTS["A" in advances, ship.level][target].isdisjoint(bases):
        return None
    return _LANDINGS[ship.load]


def in_reach(
    bases: AbstractSet[str],
    target: str,
    ship: Ship | None,
    advances: AbstractSet[str],
    regions: AbstractSet[str],
    transit_open: Callable[[str], bool],
) -> Reach | None:
    """§9.5  Return the way to `target` that lets most tokens through, or None if it is out of reach.

    `bases`: provinces with the power's old pieces, and its capital, even in other hands.
    `advances`: letters of its advances.
    `regions`: those in play.
    `transit_open(p)`: True if no opponent controls `p`; called only for provinces that a caravan could cross.

    The power's own pieces in the target count as land access (R48). Caravans and ships do not combine.
    """
    if closed(target, ship, advances, regions) is not None:
        return None
    if target in bases:
        return _HELD
    if not NEIGHBOURS[target].isdisjoint(bases):
        return _ON_FOOT
    caravan = _caravan(bases, target, regions, transit_open) if "I" in advances else None
    if caravan is not None or ship is None or not bases:
        return caravan
    return _by_ship(bases, target, ship, advances)
