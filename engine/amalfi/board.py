"""The state of a game: dataclasses with look-ups only."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from engine.amalfi.catalogue import COLOURS, DESTINATIONS, EVOLVING, GRANARY, HOLDS, LIGHTHOUSES, PUBLIC, START, Kind
from engine.kernel.codec import serializable
from engine.kernel.orders import Orders
from engine.kernel.position import ExecuteOrders
from engine.kernel.secrets import Mask, Sealed, Secret
from engine.kernel.viewers import Seat, Viewer

ROWS: Final = ("atlas", "atelier", "council")
"""The open rows beside the board: destinations, artworks, characters."""


@serializable("amalfi.Phase")
class Phase(StrEnum):
    """Set-up, and the three phases of a period (Déroulement du jeu)."""

    SETUP = "setup"
    ACTIONS = "actions"
    MEAL = "meal"
    DECREES = "decrees"


class Actions(ExecuteOrders, saved="amalfi.Actions"):
    """The remaining lines of a player's stored actions."""


@serializable("amalfi.Wishes")
@dataclass(frozen=True)
class Wishes:
    """The choices that the author of an action stated in advance; others are asked, or made by a stated rule.

    `first`, `take`: characters of the Council.
    `send`: a hold for each ship.
    `erect`: places for lighthouses.
    `refresh`: characters to refresh.
    `recall`: docks from which ships return.
    `light`: holds for the player's own lighthouse.
    `get`: the thing of an action that an effect gives, with `pay` and `emergency`.
    `use`: a private destination.
    `discard`: a character given up for points.

    Lists are in order of preference.
    """

    first: tuple[str, ...] = ()
    send: tuple[str, ...] = ()
    take: tuple[str, ...] = ()
    erect: tuple[str, ...] = ()
    refresh: tuple[str, ...] = ()
    recall: tuple[str, ...] = ()
    light: tuple[str, ...] = ()
    get: str = ""
    use: str = ""
    discard: str = ""
    pay: tuple[str, ...] = ()
    emergency: tuple[str, ...] = ()


@serializable("amalfi.Player")
@dataclass
class Player:
    """The state of a seat.

    `bay`, `port`, `yard`, `holds`: numbers of ships; the others are at docks.
    `hand`: characters in hand.
    `invited`: characters laid out; `engaged`: those of them that are turned.
    `destinations`: private ones.
    `title_vp`: points of titles, which break ties.
    `done`: passed for this period.
    `packet`: cards to choose from.
    `aside`: end-of-game cards of which one is kept.
    `queue`: stored actions; `queued`: how many.
    `wishes`: choices of the current action.
    `sent`: ships went to holds in the current action.
    """

    seat: Seat
    colour: str
    vp: int = 0
    bread: int = 0
    bay: int = START["bay"]
    port: int = 0
    yard: int = START["yard"]
    holds: dict[str, int] = field(default_factory=lambda: dict.fromkeys(HOLDS, 0))
    hand: tuple[Secret[str], ...] = ()
    invited: tuple[str, ...] = ()
    engaged: tuple[str, ...] = ()
    artworks: tuple[str, ...] = ()
    destinations: tuple[str, ...] = ()
    title_vp: int = 0
    done: bool = False
    packet: tuple[Secret[str], ...] = ()
    aside: tuple[Secret[str], ...] = ()
    queue: Actions | None = None
    queued: Secret[int] | None = None
    wishes: Sealed[Wishes] | Secret[Wishes] | None = None
    sent: bool = False

    def redacted(self, viewer: Viewer) -> "Player":
        """Hide from others whether actions are stored."""
        return self if viewer == self.seat else replace(self, queue=None, queued=None)

    @property
    def built(self) -> int:
        """Return the number of ships built beyond the first four."""
        return int(START["yard"]) - self.yard

    @property
    def fleet(self) -> int:
        """Return the number of ships not in the yard."""
        return int(START["bay"]) + self.built

    @property
    def in_holds(self) -> int:
        """Return the number of ships in the five holds."""
        return sum(self.holds.values())


@serializable("amalfi.Board")
@dataclass
class Board:
    """The board of a game.

    `players`: clockwise.
    `first`: the holder of the Compass.
    `next_first`: the first to pass in this period.
    `rows`: the open tiles of the `atlas` and the open cards of the `atelier` and the `council`, from the left.
    `decks`: face down, the top first.
    `discards`: the newest last.
    `docks`: the owner of the ship at a destination.
    `lights`: the owner and number of the lighthouse at a destination.
    `covered`: the tile on an evolving destination.
    `titles`: on offer, the dark one first.
    `claims`: the seats that have earned each title, in order.
    `active`: the seat whose turn it is.
    `round`: how many times turns have gone round in this period.
    `answers`: answers that no step has used yet, by gate and seat.
    `asked`: the number of choices asked in this period.
    `hands`: packets not chosen yet.
    `drafted`: how many cards were kept from packets so far.
    `returned`: characters in no hand, until they are shuffled into the deck.
    """

    players: dict[Seat, Player]
    first: Seat
    period: int = 0
    phase: Phase = Phase.SETUP
    next_first: Seat | None = None
    active: Seat | None = None
    round: int = 0
    rows: dict[str, tuple[str, ...]] = field(default_factory=lambda: dict.fromkeys(ROWS, ()))
    decks: dict[str, tuple[Secret[str], ...]] = field(default_factory=lambda: dict.fromkeys(ROWS, ()))
    discards: dict[str, tuple[str, ...]] = field(default_factory=lambda: dict.fromkeys(ROWS, ()))
    docks: dict[str, str] = field(default_factory=dict)
    lights: dict[str, tuple[str, int]] = field(default_factory=dict)
    covered: dict[str, str] = field(default_factory=dict)
    titles: tuple[str, ...] = ()
    claims: dict[str, tuple[Seat, ...]] = field(default_factory=dict)
    decrees: tuple[str, ...] = ()
    hands: tuple[str, ...] = ()
    drafted: int = 0
    returned: tuple[Secret[str], ...] = ()
    answers: dict[str, Secret[Orders]] = field(default_factory=dict)
    asked: int = 0

    @property
    def turn(self) -> int:
        """Return the period, which emails call the turn."""
        return self.period

    @property
    def powers(self) -> Mapping[Seat, Player]:
        """Return the players, under the name that the kernel uses."""
        return self.players

    @property
    def deck(self) -> tuple[Secret[str], ...]:
        """Return the face-down characters, under the name that rulings use."""
        return self.decks["council"]

    @deck.setter
    def deck(self, cards: tuple[Secret[str], ...]) -> None:
        self.decks["council"] = cards

    @property
    def discard(self) -> tuple[str, ...]:
        """Return the discarded characters."""
        return self.discards["council"]

    @discard.setter
    def discard(self, cards: tuple[str, ...]) -> None:
        self.discards["council"] = cards

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Return the seats clockwise from the holder of the Compass."""
        table = tuple(sorted(self.players, key=lambda seat: COLOURS.index(self.players[seat].colour)))
        start = table.index(self.first)
        return table[start:] + table[:start]

    @property
    def public(self) -> tuple[str, ...]:
        """Return the current public destinations, the evolving ones last, from the top."""
        return (*PUBLIC, *(self.covered.get(place, place) for place in EVOLVING))

    @property
    def places(self) -> tuple[str, ...]:
        """Return every destination in play."""
        return (*self.public, *(place for seat in self.seats for place in self.players[seat].destinations))

    def from_(self, seat: Seat) -> tuple[Seat, ...]:
        """Return all seats, clockwise from this one."""
        at = self.seats.index(seat)
        return self.seats[at:] + self.seats[:at]

    def owner(self, place: str) -> Seat | None:
        """Return the owner of a private destination, or None."""
        return next((seat for seat, player in self.players.items() if place in player.destinations), None)

    def light(self, place: str) -> str:
        """Return the owner of the lighthouse at a destination; "" if there is none."""
        return self.lights[place][0] if place in self.lights else ""

    def has_slot(self, place: str) -> bool:
        """Return True if a lighthouse can be erected there; printed evolving destinations have no slot (A6)."""
        return DESTINATIONS[place].slot

    def erected(self, seat: str) -> int:
        """Return how many lighthouses an owner has erected."""
        return sum(owner == seat for owner, _ in self.lights.values())

    def left(self, seat: Seat) -> int:
        """Return how many lighthouses are left on the player's board."""
        return LIGHTHOUSES - self.erected(seat)

    def granary(self, seat: Seat) -> int:
        """Return how much bread a player can store (Le Pain)."""
        return min(GRANARY["most"], GRANARY["base"] + self.erected(seat))

    def docked(self, seat: str) -> tuple[str, ...]:
        """Return the destinations where an owner's ships are docked."""
        return tuple(place for place, owner in self.docks.items() if owner == seat)

    def evolving(self, place: str) -> bool:
        """Return True for one of the three destinations that also give a character, covered or not."""
        return DESTINATIONS[place].kind is Kind.EVOLVING or place in self.covered.values()


def without(held: tuple[Secret[str], ...], names: Iterable[object]) -> tuple[Secret[str], ...]:
    """Return a hand without these cards; a card that the reader does not know is removed as an unknown one."""
    left = list(held)
    for name in names:
        found = [card.held for card in left]
        del left[found.index(name if name in found else Mask.UNKNOWN)]
    return tuple(left)
