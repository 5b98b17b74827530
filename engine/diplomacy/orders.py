"""Every order. A province stands for the unit in it; a place names a coast where it matters."""

from typing import Final

from engine.kernel.orders import Order

BY_SEA, BY_LAND = "sea", "land"


class Hold(Order, saved="diplomacy.Hold"):
    """Stay."""

    unit: str


class Move(Order, saved="diplomacy.Move"):
    """Go to a place. `way`: `sea` or `land` if the order says which, else "" (C3)."""

    unit: str
    to: str
    way: str = ""


class Support(Order, saved="diplomacy.Support"):
    """Support another unit: its move to a place, or, if `to` is empty, its staying."""

    unit: str
    of: str
    to: str = ""


class Convoy(Order, saved="diplomacy.Convoy"):
    """Carry an army over the sea."""

    unit: str
    army: str
    to: str


class Retreat(Order, saved="diplomacy.Retreat"):
    """Take a dislodged unit to a place."""

    unit: str
    to: str


class Disband(Order, saved="diplomacy.Disband"):
    """Take a unit off the board: a dislodged one, or one too many."""

    unit: str


class Build(Order, saved="diplomacy.Build"):
    """Build a unit at a place. `kind`: A or F."""

    kind: str
    place: str


class Waive(Order, saved="diplomacy.Waive"):
    """Leave a build undone."""


MOVEMENT_ORDERS: Final = (Hold, Move, Support, Convoy)
