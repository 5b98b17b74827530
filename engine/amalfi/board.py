"""The state of a game: dataclasses, and no behaviour beyond looking up."""

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
"""What lies open beside the board: destinations, artworks, characters."""


@serializable("amalfi.Phase")
class Phase(StrEnum):
    """Set-up, and the three phases of a period (Déroulement du jeu)."""

    SETUP = "setup"
    ACTIONS = "actions"
    MEAL = "meal"
    DECREES = "decrees"


class Actions(ExecuteOrders, saved="amalfi.Actions"):
    """What is left of the actions that a player has on file."""


@serializable("amalfi.Wishes")
@dataclass(frozen=True)
class Wishes:
    """The choices that the author of an action made beforehand; what is left out is asked, or chosen by a stated rule.

    `first`, `take`: characters of the Council, by preference; `send`: a hold for each ship; `erect`: places for
    lighthouses, `refresh`: characters to be refreshed, `recall`: docks from which ships come back, by preference;
    `light`: what one's own lighthouse is used for; `get`: what an action that an effect gives is about, with `pay` and
    `emergency`; `use`: a private destination; `discard`: a character given up for points.
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
    """A seat's affairs.

    `bay`, `port`, `yard`, `holds`: ships there; the others lie at docks. `built`: those that left the yard. `hand`:
    characters in hand; `invited`: those laid out, `engaged`: those of them that are turned. `destinations`: private
    ones. `title_vp`: points of titles (ties). `done`: passed for this period. `packet`: cards to choose from; `aside`:
    end-of-game cards of which one is kept. `queue`: actions on file, and how many
    are `queued`; `wishes`: choices for the one under way.
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

    def redacted(self, viewer: Viewer) -> "Player":
        """Nobody else knows whether actions are on file."""
        return self if viewer == self.seat else replace(self, queue=None, queued=None)

    @property
    def built(self) -> int:
        """Ships built beyond the first four."""
        return int(START["yard"]) - self.yard

    @property
    def fleet(self) -> int:
        """Every ship that is not in the yard."""
        return int(START["bay"]) + self.built

    @property
    def in_holds(self) -> int:
        """Ships in the five holds."""
        return sum(self.holds.values())


@serializable("amalfi.Board")
@dataclass
class Board:
    """The table. `players`: clockwise. `first`: who holds the Compass; `next_first`: the first to pass in this period.

    `rows`: the open tiles of the `atlas`, the open cards of the `atelier` and of the `council`, each from the left;
    `decks`: face down, the top first; `discards`: the last one last. `docks`: whose ship lies at a destination;
    `lights`: whose lighthouse stands there, in the order in which they were erected. `covered`: the tile upon an
    evolving destination. `titles`: on offer, the dark one first; `claims`: who has earned each, in order. `active`:
    whose turn it is; `round`: how often everybody's turn has come in this period. `answers`: what seats answered to
    questions whose consequence is still to come, by gate and seat. `asked`: how many choices were asked in this period.
    `hands`: the packets that nobody has chosen. `drafted`: how many cards were kept from packets so far. `returned`:
    characters that nobody has, until they are shuffled into the deck.
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
        """The period, which letters count."""
        return self.period

    @property
    def powers(self) -> Mapping[Seat, Player]:
        """The players, as the kernel calls them."""
        return self.players

    @property
    def deck(self) -> tuple[Secret[str], ...]:
        """The characters face down, as rulings call them."""
        return self.decks["council"]

    @deck.setter
    def deck(self, cards: tuple[Secret[str], ...]) -> None:
        self.decks["council"] = cards

    @property
    def discard(self) -> tuple[str, ...]:
        """The characters that were discarded."""
        return self.discards["council"]

    @discard.setter
    def discard(self, cards: tuple[str, ...]) -> None:
        self.discards["council"] = cards

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Clockwise from who holds the Compass."""
        table = tuple(sorted(self.players, key=lambda seat: COLOURS.index(self.players[seat].colour)))
        start = table.index(self.first)
        return table[start:] + table[:start]

    @property
    def public(self) -> tuple[str, ...]:
        """The destinations that are open to all, as they are now: the evolving ones last, from the top."""
        return (*PUBLIC, *(self.covered.get(place, place) for place in EVOLVING))

    @property
    def places(self) -> tuple[str, ...]:
        """Every destination in play."""
        return (*self.public, *(place for seat in self.seats for place in self.players[seat].destinations))

    def from_(self, seat: Seat) -> tuple[Seat, ...]:
        """Everybody, clockwise from this seat."""
        at = self.seats.index(seat)
        return self.seats[at:] + self.seats[:at]

    def owner(self, place: str) -> Seat | None:
        """Whose private destination it is."""
        return next((seat for seat, player in self.players.items() if place in player.destinations), None)

    def light(self, place: str) -> str:
        """Whose lighthouse stands there; empty for none."""
        return self.lights[place][0] if place in self.lights else ""

    def has_slot(self, place: str) -> bool:
        """Return True if a lighthouse may stand there: a printed evolving destination has no slot (A6)."""
        return DESTINATIONS[place].slot

    def erected(self, seat: str) -> int:
        """How many lighthouses this owner has erected."""
        return sum(owner == seat for owner, _ in self.lights.values())

    def left(self, seat: Seat) -> int:
        """How many lighthouses are still on the player's board."""
        return LIGHTHOUSES - self.erected(seat)

    def granary(self, seat: Seat) -> int:
        """How much bread a player can store (Le Pain)."""
        return min(GRANARY["most"], GRANARY["base"] + self.erected(seat))

    def docked(self, seat: str) -> tuple[str, ...]:
        """Where an owner's ships lie at docks."""
        return tuple(place for place, owner in self.docks.items() if owner == seat)

    def evolving(self, place: str) -> bool:
        """Return True if it is one of the three that also give a character, covered or not."""
        return DESTINATIONS[place].kind is Kind.EVOLVING or place in self.covered.values()


def without(held: tuple[Secret[str], ...], names: Iterable[object]) -> tuple[Secret[str], ...]:
    """A hand without these cards; a copy in which one is masked loses one that its reader does not know."""
    left = list(held)
    for name in names:
        found = [card.held for card in left]
        del left[found.index(name if name in found else Mask.UNKNOWN)]
    return tuple(left)
