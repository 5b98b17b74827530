"""Facts of the board: provinces, coasts, who borders whom, powers and their first units. Nothing here changes.

A *place* is a province (`NTH`), or one of its coasts where it has several (`STP/SC`). A fleet stands at a place, an
army in a province.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

from engine.kernel.catalogues import Words, load_catalogue
from engine.kernel.data_tables import build_row, load_table

WORDS: Final = load_catalogue(__package__)
"""The words of the game in every language, from the files in `words/`."""
_MAP: Final[Any] = load_table(__package__, "map")

ARMY, FLEET = "A", "F"
SEA, COAST = "sea", "coast"


@dataclass(frozen=True)
class Province:
    """A province. `kind`: sea, coast or inland. `at`: a point inside, in tenths of a degree.

    `home`: the power whose home centre it is, or "". `army`: provinces that an army reaches from it. `fleet`: by coast
    ("" where there is only one), the places that a fleet reaches from it.
    """

    id: str
    words: Words
    kind: str
    at: tuple[int, ...]
    home: str
    centre: bool
    army: tuple[str, ...]
    fleet: Mapping[str, tuple[str, ...]]
    judges_write: tuple[str, ...]


@dataclass(frozen=True)
class Power:
    """A great power. `units`: those that it begins with, as `F STP/SC`."""

    id: str
    words: Words
    units: tuple[str, ...]


PROVINCES: Final[Mapping[str, Province]] = MappingProxyType(
    {
        row["id"]: build_row(
            Province,
            row,
            words=WORDS(f"provinces.{row['id']}"),
            fleet=MappingProxyType({coast: tuple(places) for coast, places in row["fleet"].items()}),
        )
        for row in _MAP["provinces"]
    }
)
POWERS: Final[Mapping[str, Power]] = MappingProxyType(
    {row["id"]: build_row(Power, row, words=WORDS(f"powers.{row['id']}")) for row in _MAP["powers"]}
)
CENTRES: Final = frozenset(id for id, province in PROVINCES.items() if province.centre)


def province_of(place: str) -> str:
    """Return the province of a place: `STP` of `STP/SC`."""
    return place.partition("/")[0]


def places_of(province: str) -> tuple[str, ...]:
    """Return where a fleet can stand in a province: its coasts, or the province itself; empty inland."""
    return tuple(f"{province}/{coast}" if coast else province for coast in PROVINCES[province].fleet)


_FLEET_REACH: Final = {
    (f"{id}/{coast}" if coast else id): frozenset(places)
    for id, province in PROVINCES.items()
    for coast, places in province.fleet.items()
}
_ARMY_REACH: Final = {id: frozenset(province.army) for id, province in PROVINCES.items()}


def reach(kind: str, place: str) -> frozenset[str]:
    """Return the places that a unit reaches by itself in one move."""
    if kind == ARMY:
        return _ARMY_REACH[province_of(place)]
    return _FLEET_REACH.get(place, frozenset())


_WATERS: Final = {
    id: frozenset(province_of(place) for places in province.fleet.values() for place in places)
    for id, province in PROVINCES.items()
}
"""By province, all provinces that a fleet reaches from any of its coasts."""


def has_route(origin: str, destination: str, fleets: Collection[str]) -> bool:
    """Return True if a chain of fleets, in these provinces, carries an army from one coast to another."""
    if not _are_coasts(origin, destination):
        return False
    seas = frozenset(fleet for fleet in fleets if PROVINCES[fleet].kind == SEA)
    return any(_leads_to(sea, destination, seas) for sea in _WATERS[origin] & seas)


@lru_cache(maxsize=4096)
def has_route_through(origin: str, destination: str, fleets: frozenset[str], fleet: str) -> bool:
    """Return True if a fleet can be needed in such a chain: in one from which none can be left out (DATC 6.G.19)."""
    seas = frozenset(f for f in fleets if PROVINCES[f].kind == SEA)
    return _are_coasts(origin, destination) and fleet in seas and _needs(origin, destination, seas, fleet)


def _needs(here: str, destination: str, seas: frozenset[str], fleet: str) -> bool:
    """Go on along the seas that no earlier part of the way touches; once the fleet is met, any way on will do."""
    ahead = _WATERS[here] & seas
    rest = seas - ahead
    for sea in ahead:
        is_last = destination in _WATERS[sea]
        if sea == fleet and (is_last or any(_leads_to(f, destination, rest) for f in _WATERS[sea] & rest)):
            return True
        if sea != fleet and not is_last and _needs(sea, destination, rest, fleet):
            return True
    return False


def _leads_to(sea: str, destination: str, seas: frozenset[str]) -> bool:
    seen, ahead = set[str](), [sea]
    while ahead:
        here = ahead.pop()
        if destination in _WATERS[here]:
            return True
        seen.add(here)
        ahead += _WATERS[here] & seas - seen
    return False


def _are_coasts(origin: str, destination: str) -> bool:
    return origin != destination and PROVINCES[origin].kind == PROVINCES[destination].kind == COAST


def distances_from(provinces: Collection[str]) -> Mapping[str, int]:
    """Return for every province how many moves of any unit, by land or sea, it is from the nearest of some (C8)."""
    far, ahead = dict.fromkeys(provinces, 0), list(provinces)
    for here in ahead:
        for further in sorted(_WATERS[here] | _ARMY_REACH[here]):
            if further not in far:
                far[further] = far[here] + 1
                ahead.append(further)
    return far
