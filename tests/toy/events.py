"""Every event of the smallest game; the values that not everybody may know are Secrets, or told to few."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.kernel.codec import saved
from engine.kernel.events import Event, Heading
from engine.kernel.names import Seat
from engine.kernel.secrets import Secret


@saved("toy.Stacked")
@dataclass(frozen=True, kw_only=True)
class Stacked(Event):
    """All cards that nobody holds were shuffled to a new deck; everybody knows how high it is."""

    deck: tuple[Secret[str], ...]


@saved("toy.Dealt")
@dataclass(frozen=True, kw_only=True)
class Dealt(Event):
    """A seat was dealt the top cards of the deck; told to it alone."""

    seat: Seat
    cards: tuple[str, ...]


@saved("toy.TurnBegan")
@dataclass(frozen=True, kw_only=True)
class TurnBegan(Event):
    """§1  A turn began."""

    heading = Heading.TURN
    turn: int


@saved("toy.Bought")
@dataclass(frozen=True, kw_only=True)
class Bought(Event):
    """§2  All bids were shown; the highest took the top card, whose name the buyer alone knows."""

    bids: Mapping[Seat, int]
    seat: Seat
    card: Secret[str]


@saved("toy.Attacked")
@dataclass(frozen=True, kw_only=True)
class Attacked(Event):
    """§4  Armies were hired and stand before a town."""

    seat: Seat
    town: str
    armies: int


@saved("toy.Fought")
@dataclass(frozen=True, kw_only=True)
class Fought(Event):
    """§4  The armies rolled, unless they were turned away (no rolls)."""

    seat: Seat
    town: str
    rolls: tuple[int, ...]
    won: bool


@saved("toy.Sold")
@dataclass(frozen=True, kw_only=True)
class Sold(Event):
    """§5  Wares were sold."""

    seat: Seat
    cards: tuple[str, ...]
    price: int


@saved("toy.Scouted")
@dataclass(frozen=True, kw_only=True)
class Scouted(Event):
    """§6  A card was looked at: everybody knows whose, two know which."""

    seat: Seat
    of: Seat
    place: int
    card: Secret[str]


@saved("toy.Parried")
@dataclass(frozen=True, kw_only=True)
class Parried(Event):
    """§7  A shield was shown, and the attack turned away."""

    seat: Seat
    card: str


@saved("toy.Left")
@dataclass(frozen=True, kw_only=True)
class Left(Event):
    """§8  A seat gave up: its coins and cards went back, its towns are free."""

    seat: Seat
    farewell: str


@saved("toy.Paid")
@dataclass(frozen=True, kw_only=True)
class Paid(Event):
    """§9  The towns paid, as far as the bank had coins."""

    income: Mapping[Seat, int]
