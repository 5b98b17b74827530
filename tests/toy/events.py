"""Every event of the smallest game; the values that not everybody may know are Secrets, or told to few."""

from collections.abc import Mapping

from engine.kernel.codec import Fields, added_field, serializable, upcast
from engine.kernel.events import Event, Heading
from engine.kernel.secrets import Secret
from engine.kernel.viewers import Seat


class Stacked(Event, saved="toy.Stacked"):
    """All cards that nobody holds were shuffled to a new deck; everybody knows how high it is."""

    deck: tuple[Secret[str], ...]


class Dealt(Event, saved="toy.Dealt"):
    """A seat was dealt the top cards of the deck; told to it alone."""

    seat: Seat
    cards: tuple[str, ...]


class TurnBegan(Event, saved="toy.TurnBegan"):
    """§1  A turn began."""

    heading = Heading.TURN
    turn: int


class Bought(Event, saved="toy.Bought"):
    """§2  All bids were shown; the highest took the top card, whose name the buyer alone knows."""

    bids: Mapping[Seat, int]
    seat: Seat
    card: Secret[str]


class Attacked(Event, saved="toy.Attacked"):
    """§4  Armies were hired and stand before a town."""

    seat: Seat
    town: str
    armies: int


@serializable("toy.Fought", version=2)
class Fought(Event):
    """§4  The armies rolled, unless they were turned away (no rolls)."""

    seat: Seat
    town: str
    rolls: tuple[int, ...]
    won: bool


@upcast("toy.Fought", 1)
def _rolled_once(fields: Fields) -> Fields:
    """In the first version an attack had one roll, or none."""
    roll = fields.pop("roll")
    return {**fields, "rolls": () if roll is None else (roll,)}


class Sold(Event, saved="toy.Sold"):
    """§5  Wares were sold."""

    seat: Seat
    cards: tuple[str, ...]
    price: int


class Scouted(Event, saved="toy.Scouted"):
    """§6  A card was looked at: everybody knows whose, two know which."""

    seat: Seat
    of: Seat
    place: int
    card: Secret[str]


class Parried(Event, saved="toy.Parried"):
    """§7  A shield was shown, and the attack turned away."""

    seat: Seat
    card: str


class Awarded(Event, saved="toy.Awarded"):
    """§10  A stall of the fair was held: how much was offered, and who took the ribbon; what for, they alone know."""

    stall: int
    offers: Mapping[Seat, int]
    seat: Seat | None
    paid: Mapping[str, Secret[int]]


class Harvested(Event, saved="toy.Harvested"):
    """§10  Every seat brought so much of everything to the fair."""

    each: int


class Left(Event, saved="toy.Left"):
    """§8  A seat gave up: its coins and cards went back, its towns are free."""

    seat: Seat
    farewell: str = added_field("")


class Paid(Event, saved="toy.Paid"):
    """§9  The towns paid, as far as the bank had coins."""

    income: Mapping[Seat, int]
