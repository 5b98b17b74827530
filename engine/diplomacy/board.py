"""The state: units, centres, and what a phase leaves for the next one; only orders that are not resolved are secret."""

from dataclasses import dataclass, field
from enum import Enum

from engine.diplomacy.catalogue import CENTRES, POWERS, PROVINCES, province_of
from engine.kernel.codec import serializable
from engine.kernel.orders import Order
from engine.kernel.secrets import Secret
from engine.kernel.viewers import Seat

FIRST_YEAR = 1901
CENTRES_TO_WIN = 18


@serializable("diplomacy.Unit")
@dataclass(frozen=True)
class Unit:
    """An army or a fleet. `kind`: A or F. `place`: its province, with the coast of a fleet where it matters."""

    power: str
    kind: str
    place: str

    @property
    def province(self) -> str:
        """Return where it stands, without a coast."""
        return province_of(self.place)

    def __str__(self) -> str:
        return f"{self.kind} {self.place}"


@serializable("diplomacy.Dislodged")
@dataclass(frozen=True)
class Dislodged:
    """A unit that must retreat. `attacked_from`: where it may not go; "" if its attacker came by sea (C4)."""

    unit: Unit
    attacked_from: str = ""


@serializable("diplomacy.Part")
class Part(Enum):
    """A part of a season."""

    MOVEMENT = "M"
    RETREAT = "R"
    ADJUSTMENT = "A"


@serializable("diplomacy.Phase")
@dataclass(frozen=True)
class Phase:
    """A phase: year, spring or fall, and part. Adjustments belong to the fall."""

    year: int = FIRST_YEAR
    is_fall: bool = False
    part: Part = Part.MOVEMENT


@serializable("diplomacy.Resolved")
@dataclass(frozen=True)
class Resolved:
    """What came of the order of a unit, in a phase. `order`: the unit that it helps is named as `A BUD`."""

    phase: Phase
    unit: Unit
    order: Order
    succeeded: bool


@serializable("diplomacy.Player")
@dataclass(frozen=True)
class Player:
    """Who plays what. `power`: "" before it is drawn."""

    power: str = ""


@serializable("diplomacy.Board")
@dataclass
class Board:
    """Where everything stands. Only events change it, in `apply`.

    `units`, `dislodged`: by province. `centres`: the power that owns each. `contested`: provinces that a standoff left
    empty. `winner`: who has won, or "". `drawn`: who shares a draw. `powers`: what each seat plays; empty for a
    position without a table. `orders`: those of the phase that count so far. `resolved`: moves and retreats of the last
    season.
    """

    units: dict[str, Unit]
    centres: dict[str, str]
    phase: Phase = Phase()
    dislodged: dict[str, Dislodged] = field(default_factory=dict)
    contested: frozenset[str] = frozenset()
    winner: str = ""
    drawn: tuple[str, ...] = ()
    powers: dict[Seat, Player] = field(default_factory=dict)
    orders: dict[Seat, Secret[tuple[Order, ...]]] = field(default_factory=dict)
    resolved: tuple[Resolved, ...] = ()

    @property
    def turn(self) -> int:
        """Return the year."""
        return self.phase.year


def start_board() -> Board:
    """Return the board of spring 1901."""
    units = [Unit(power.id, *unit.split()) for power in POWERS.values() for unit in power.units]
    return Board({unit.province: unit for unit in units}, {unit.province: unit.power for unit in units})


def units_of(board: Board, power: str) -> tuple[Unit, ...]:
    """Return the units of a power that are not dislodged, in the order of their places."""
    return tuple(board.units[p] for p in sorted([p for p, unit in board.units.items() if unit.power == power]))


def lost_units(board: Board, power: str) -> tuple[Unit, ...]:
    """Return the dislodged units of a power, in the order of their places."""
    return tuple(lost.unit for _, lost in sorted(board.dislodged.items()) if lost.unit.power == power)


def is_out(board: Board, power: str) -> bool:
    """Return True if a power has neither units nor centres."""
    owns = power in board.centres.values()
    return not owns and not units_of(board, power) and not lost_units(board, power)


def count_centres(board: Board, power: str) -> int:
    """Return how many supply centres a power owns."""
    return list(board.centres.values()).count(power)


def count_units(board: Board, power: str) -> int:
    """Return how many units of a power are not dislodged."""
    return [unit.power for unit in board.units.values()].count(power)


def count_builds(board: Board, power: str) -> int:
    """Return how many units a power may build; below 0, how many it must remove."""
    return count_centres(board, power) - count_units(board, power)


def building_sites(board: Board, power: str) -> tuple[str, ...]:
    """Return the home centres where a power can build: its own, and free."""
    homes = (p for p in sorted(CENTRES) if PROVINCES[p].home == power == board.centres.get(p))
    return tuple(home for home in homes if home not in board.units)
