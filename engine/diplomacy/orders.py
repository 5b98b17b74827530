"""Every order. A place names a coast where it matters.

A unit is named as `A PAR` or `F STP`, or by its province alone; an order that counts names it by its province.
"""

from collections.abc import Mapping
from dataclasses import replace

from engine.diplomacy.board import Unit
from engine.kernel.orders import Order

BY_SEA, BY_LAND = "sea", "land"


class UnitOrder(Order):
    """An order to a unit. `unit`: the one that it is for."""

    unit: str


class Hold(UnitOrder, saved="diplomacy.Hold"):
    """Stay."""


class Move(UnitOrder, saved="diplomacy.Move"):
    """Go to a place. `way`: `sea` or `land` if the order says which, else "" (C3)."""

    to: str
    way: str = ""


class Support(UnitOrder, saved="diplomacy.Support"):
    """Support another unit: its move to a place, or, if `to` is empty, its staying."""

    of: str
    to: str = ""


class Convoy(UnitOrder, saved="diplomacy.Convoy"):
    """Carry an army over the sea."""

    army: str
    to: str


class Retreat(UnitOrder, saved="diplomacy.Retreat"):
    """Take a dislodged unit to a place."""

    to: str


class Disband(UnitOrder, saved="diplomacy.Disband"):
    """Take a unit off the board: a dislodged one, or one too many."""


class Build(UnitOrder, saved="diplomacy.Build"):
    """Build a unit. `unit`: as `A PAR` or `F STP/NC`."""


class Waive(Order, saved="diplomacy.Waive"):
    """Leave a build undone."""


class VoteDraw(Order, saved="diplomacy.VoteDraw"):
    """Agree to a draw. `powers`: who shares it; empty for all who are left."""

    powers: tuple[str, ...] = ()


class Concede(Order, saved="diplomacy.Concede"):
    """Agree that a power wins."""

    power: str


def write_order(unit: Unit, order: Order) -> str:
    """Return an order that counts as judges write it: `A PAR - BUR`."""
    match order:
        case Move(to=to, way=way):
            return f"{unit} - {to}{' VIA CONVOY' if way == BY_SEA else ''}"
        case Support(of=of, to=to):
            return f"{unit} S {of}{f' - {to}' if to else ''}"
        case Convoy(army=army, to=to):
            return f"{unit} C {army} - {to}"
    return f"{unit} H"


def with_units(order: Order, units: Mapping[str, Unit]) -> Order:
    """Return an order that counts with the unit that it helps as judges print it: `A BUD`."""
    match order:
        case Support(of=p):
            return replace(order, of=str(units[p]))
        case Convoy(army=p):
            return replace(order, army=str(units[p]))
    return order
