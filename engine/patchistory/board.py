"""The state of a game: dataclasses, and no behaviour beyond looking up."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from engine.kernel.codec import serializable
from engine.kernel.hidden_amounts import HiddenAmount, add_hidden, can_count, count_visible, set_amount
from engine.kernel.orders import Orders
from engine.kernel.secrets import Secret
from engine.kernel.viewers import Seat
from engine.patchistory.catalogue import COLOURS, ERAS, ROUNDS, STOCKS, WORKERS
from engine.patchistory.territory import Square, locations

RED, BLUE = "red", "blue"
"""The two sides of a token in a negotiation: aggression, or defence and alliance."""


@serializable("patch.Phase")
class Phase(StrEnum):
    """Set-up, the five phases of a round, the three more of a fifth round (Principes Généraux)."""

    SETUP = "setup"
    AUCTION = "auction"
    PLACEMENT = "placement"
    DIPLOMACY = "diplomacy"
    ADMINISTRATION = "administration"
    MOVEMENT = "movement"
    NEGOTIATION = "negotiation"
    WAR = "war"
    PRODUCTION = "production"
    UPKEEP = "upkeep"
    VOTE = "vote"
    ERA_END = "era_end"


@serializable("patch.Lot")
@dataclass(frozen=True)
class Lot:
    """A land tile on offer. `name`: A to D; `side`: the colour that is up, none with two players (p. 15)."""

    name: str
    tile: str
    side: str = ""


@serializable("patch.Stake")
@dataclass(frozen=True)
class Stake:
    """The money that a player has put on a lot."""

    lot: str
    money: int


@serializable("patch.Route")
@dataclass(frozen=True)
class Route:
    """A trade route between two players. A main one is used by the player at its start alone (A-16).

    `spots`: how far each worker on it has come, from its own end. `rests`: in which turn a worker went to rest/return.
    `war`: who is red and who blue, once a war is declared.
    """

    number: int
    start: Seat
    end: Seat
    allied: bool = False
    spots: Mapping[Seat, int] = field(default_factory=dict)
    rests: Mapping[Seat, int] = field(default_factory=dict)
    war: Mapping[Seat, str] = field(default_factory=dict)

    @property
    def ends(self) -> tuple[Seat, Seat]:
        """Both players."""
        return self.start, self.end

    def other(self, seat: Seat) -> Seat:
        """The player at the other end."""
        return self.end if seat == self.start else self.start

    def opens_to(self, seat: Seat) -> bool:
        """Return True if this player may have a worker on it, and has none."""
        return seat not in self.spots and (seat == self.start or (self.allied and seat == self.end))


@serializable("patch.Poll")
@dataclass(frozen=True)
class Poll:
    """A prosperity card under the vote: how players rank, and what each has put on it."""

    card: str
    ranks: Mapping[Seat, int]
    votes: Mapping[Seat, int] = field(default_factory=dict)

    @property
    def total(self) -> int:
        """All votes on the card."""
        return sum(self.votes.values())


@serializable("patch.Player")
@dataclass
class Player:
    """A seat's affairs.

    `stock`: goods and votes behind the screen; `workers`: the squares on which they stand; `track`: those still on the
    People track. `pack`: building tiles, `cards`: prosperity cards. `sails`: Vasco da Gama takes a tile at the next
    auction. `won`: the tile to be placed. What follows is of this round: Politics Points spent, what is done once a
    round (`route`, `campaign`, `accepted`, `acted`), how far workers go in this movement, which have moved on land, and
    on which routes.
    """

    seat: Seat
    colour: str
    capital: str = ""
    stock: dict[str, HiddenAmount] = field(default_factory=dict)
    territory: dict[str, Square] = field(default_factory=dict)
    workers: tuple[str, ...] = ()
    track: int = WORKERS
    pack: tuple[Secret[str], ...] = ()
    cards: tuple[Secret[str], ...] = ()
    sails: bool = False
    won: Lot | None = None
    spent: int = 0
    done: frozenset[str] = frozenset()
    stride: int = 0
    moved: tuple[str, ...] = ()
    travelled: tuple[int, ...] = ()

    def amount(self, good: str) -> int:
        """How much of it lies behind the screen; raises Hidden for a reader who may not look there."""
        return count_visible(self.stock[good])

    def counted(self, good: str) -> bool:
        """Return True if the reader in force may count it."""
        return can_count(self.stock[good])

    def able(self, good: str, most: int) -> int:
        """So much of it as there is; whoever may not count it presumes that there is enough."""
        return min(most, self.amount(good)) if self.counted(good) else most

    def add(self, good: str, by: int) -> None:
        """So much more, or less; what the reader may not count stays as it is."""
        self.stock[good] = add_hidden(self.stock[good], by)

    def put(self, good: str, amount: int) -> None:
        """Exactly so much, as open or as hidden as before."""
        self.stock[good] = set_amount(self.stock[good], amount)

    def screen(self, hidden: bool) -> None:
        """From here on goods and votes lie behind the screen, or open."""
        for good in STOCKS:
            if self.counted(good):
                amount = self.amount(good)
                self.stock[good] = Secret(amount, frozenset({self.seat})) if hidden else amount


@serializable("patch.Board")
@dataclass
class Board:
    """The table. `players`: in the order of the table, each to the left of the one before.

    `deck`: the era's land tiles; `offer`: those on the table; `led`: the colour that came first in the last offer.
    `bids`: in the auction under way; `bidder`: who bid last. `pile`: building tiles; `cleared`, `built`: those that
    were used, with the Wasteland or the building up. `stack`: prosperity cards that nobody was dealt; `scored`: those
    that were played. `gone`: land tiles that were never offered; `discarded`: those that were not placed. `laid`: the
    highest number that a route has had. `answers`: what seats answered to questions whose consequence is still to
    come, by gate and seat.
    """

    players: dict[Seat, Player]
    first: Seat
    turn: int = 0
    phase: Phase = Phase.SETUP
    deck: tuple[Secret[str], ...] = ()
    offer: tuple[Lot, ...] = ()
    led: str = ""
    bids: dict[Seat, Stake] = field(default_factory=dict)
    bidder: Seat | None = None
    routes: tuple[Route, ...] = ()
    laid: int = 0
    pile: tuple[Secret[str], ...] = ()
    cleared: tuple[Secret[str], ...] = ()
    built: tuple[str, ...] = ()
    stack: tuple[Secret[str], ...] = ()
    scored: tuple[str, ...] = ()
    gone: tuple[Secret[str], ...] = ()
    discarded: tuple[str, ...] = ()
    polls: tuple[Poll, ...] = ()
    answers: dict[str, Secret[Orders]] = field(default_factory=dict)

    @property
    def powers(self) -> Mapping[Seat, Player]:
        """The players, as the kernel calls them."""
        return self.players

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Turn order: from the first player to the left."""
        table = tuple(sorted(self.players, key=lambda seat: COLOURS.index(self.players[seat].colour)))
        start = table.index(self.first)
        return table[start:] + table[:start]

    @property
    def era(self) -> int:
        """1 to 3; before the first turn, the first."""
        return min((max(self.turn, 1) - 1) // ROUNDS + 1, ERAS)

    @property
    def round(self) -> int:
        """1 to 5."""
        return (max(self.turn, 1) - 1) % ROUNDS + 1

    def left_of(self, seat: Seat) -> Seat:
        """The next player in turn order."""
        seats = self.seats
        return seats[(seats.index(seat) + 1) % len(seats)]

    def route(self, number: int) -> Route | None:
        """The route of this number, if it is on the table."""
        return next((route for route in self.routes if route.number == number), None)

    def of(self, seat: Seat) -> tuple[Route, ...]:
        """The routes that a player has an end of."""
        return tuple(route for route in self.routes if seat in route.ends)

    def between(self, one: Seat, other: Seat) -> tuple[Route, ...]:
        """The routes between two players."""
        return tuple(route for route in self.of(one) if route.other(one) == other)

    def allied(self, one: Seat, other: Seat) -> bool:
        """Return True if two players share an allied route."""
        return any(route.allied for route in self.between(one, other))

    def in_play(self, seat: Seat) -> int:
        """A player's workers on tiles and routes."""
        return WORKERS - self.players[seat].track

    def lot(self, name: str) -> Lot | None:
        """The lot of this name."""
        return next((lot for lot in self.offer if lot.name == name), None)

    def leader(self, lot: str) -> Seat | None:
        """Whose bid stands on a lot."""
        stakes = [(stake.money, seat) for seat, stake in self.bids.items() if stake.lot == lot]
        return max(stakes)[1] if stakes else None

    def stands(self, seat: Seat) -> bool:
        """Return True if this player's bid is the highest on its lot."""
        return seat in self.bids and self.leader(self.bids[seat].lot) == seat


def free_squares(player: Player, taken: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """The first square of each location on which no worker stands."""
    held = {*player.workers, *taken}
    return tuple(squares[0] for squares in locations(player.territory) if not held & set(squares))


def without(held: tuple[Secret[str], ...], thing: Secret[str]) -> tuple[Secret[str], ...]:
    """A hand without one thing; a reader who does not know it drops one that they do not know."""
    wanted = thing.value if thing.visible else ""
    found = [card.value if card.visible else "" for card in held]
    place = found.index(wanted if wanted in found else "")
    return (*held[:place], *held[place + 1 :])
