"""Every event: what came of each order, and what changed on the board."""

from collections.abc import Mapping

from engine.diplomacy.board import Dislodged, Phase, Unit
from engine.kernel.events import NOBODY, Event, Heading
from engine.kernel.orders import Order
from engine.kernel.viewers import Seat


class PowersGiven(Event, saved="diplomacy.PowersGiven"):
    """Every seat got its power."""

    powers: Mapping[Seat, str]


class YearBegan(Event, saved="diplomacy.YearBegan"):
    """A year began."""

    heading = Heading.TURN
    turn: int


class PhaseBegan(Event, saved="diplomacy.PhaseBegan"):
    """A phase began."""

    heading = Heading.PHASE
    phase: Phase


class Ordered(Event, saved="diplomacy.Ordered"):
    """An order counts, from the set of a seat; only the seat knows it until the phase is resolved.

    It is not narrated: what became of the lines of a set is told with them.
    """

    settles_later = True
    seat: Seat
    order: Order
    visible_to: frozenset[Seat] | None = NOBODY


class OrderResolved(Event, saved="diplomacy.OrderResolved"):
    """It was found out whether the order of a unit does what it says; the board changes with `UnitsMoved`.

    `order`: the unit that it helps is named as `A BUD`.
    """

    unit: Unit
    order: Order
    succeeded: bool


class UnitsMoved(Event, saved="diplomacy.UnitsMoved"):
    """All moved at once. `moved`: by province, the place entered. `dislodged`, `contested`: as on the board."""

    moved: Mapping[str, str]
    dislodged: Mapping[str, Dislodged]
    contested: frozenset[str]


class Retreated(Event, saved="diplomacy.Retreated"):
    """A dislodged unit went to a place."""

    unit: Unit
    to: str


class Disbanded(Event, saved="diplomacy.Disbanded"):
    """A unit was taken off the board. `is_ordered`: its player said so."""

    unit: Unit
    is_ordered: bool


class Built(Event, saved="diplomacy.Built"):
    """A unit was built."""

    unit: Unit


class Waived(Event, saved="diplomacy.Waived"):
    """A power left builds undone."""

    power: str
    builds: int


class CentresTaken(Event, saved="diplomacy.CentresTaken"):
    """Centres changed hands after the fall. `owners`: their new owners."""

    owners: Mapping[str, str]


class Eliminated(Event, saved="diplomacy.Eliminated"):
    """A power has neither units nor centres left."""

    power: str


class Won(Event, saved="diplomacy.Won"):
    """A power owns enough centres (C10)."""

    power: str
