"""The state of a game: dataclasses with look-ups only."""

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
    """Set-up, the five phases of a round, and the three more of a fifth round (Principes Généraux)."""

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
    """A land tile on offer. `name`: A to D. `side`: the colour that is up; "" with two players (p. 15)."""

    name: str
    tile: str
    side: str = ""


@serializable("patch.Stake")
@dataclass(frozen=True)
class Stake:
    """The money that a player has bid on a lot."""

    lot: str
    money: int


@serializable("patch.Route")
@dataclass(frozen=True)
class Route:
    """A trade route between two players. A main route is used only by the player at its start (A-16).

    `spots`: the space of each worker, counted from its own end.
    `rests`: the turn in which a worker went to rest/return.
    `war`: the red and the blue player of a declared war.
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
        """Return both players."""
        return self.start, self.end

    def other(self, seat: Seat) -> Seat:
        """Return the player at the other end."""
        return self.end if seat == self.start else self.start

    def opens_to(self, seat: Seat) -> bool:
        """Return True if this player may send a worker, and has none on the route."""
        return seat not in self.spots and (seat == self.start or (self.allied and seat == self.end))


@serializable("patch.Poll")
@dataclass(frozen=True)
class Poll:
    """A prosperity card under the vote: the players' ranks, and their votes."""

    card: str
    ranks: Mapping[Seat, int]
    votes: Mapping[Seat, int] = field(default_factory=dict)

    @property
    def total(self) -> int:
        """Return all votes on the card."""
        return sum(self.votes.values())


@serializable("patch.Player")
@dataclass
class Player:
    """The state of a seat.

    `stock`: goods and votes behind the screen.
    `workers`: the squares with a worker.
    `track`: the number of workers on the People track.
    `pack`: building tiles.
    `cards`: prosperity cards.
    `sails`: Vasco da Gama takes a tile at the next auction.
    `won`: the tile to be placed.

    The fields from `spent` on apply to the current round.
    `spent`: Politics Points.
    `done`: actions allowed once a round (`route`, `campaign`, `accepted`, `acted`).
    `stride`: how far workers go in this movement.
    `moved`, `travelled`: the workers that have moved on land, and the routes with a worker that has moved.
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
        """Return the amount of a good. Raises Hidden for a reader who may not count it."""
        return count_visible(self.stock[good])

    def counted(self, good: str) -> bool:
        """Return True if the current reader may count a good."""
        return can_count(self.stock[good])

    def able(self, good: str, most: int) -> int:
        """Return `most`, or the amount if it is less; a reader who may not count it presumes that there is enough."""
        return min(most, self.amount(good)) if self.counted(good) else most

    def add(self, good: str, by: int) -> None:
        """Add to a good, or remove if negative; hidden amounts stay hidden."""
        self.stock[good] = add_hidden(self.stock[good], by)

    def put(self, good: str, amount: int) -> None:
        """Set the amount of a good, as public or hidden as before."""
        self.stock[good] = set_amount(self.stock[good], amount)

    def screen(self, hidden: bool) -> None:
        """Put goods and votes behind the screen, or make them public."""
        for good in STOCKS:
            if self.counted(good):
                amount = self.amount(good)
                self.stock[good] = Secret(amount, frozenset({self.seat})) if hidden else amount


@serializable("patch.Board")
@dataclass
class Board:
    """The board of a game.

    `players`: in table order, each to the left of the previous one.
    `deck`: the era's land tiles.
    `offer`: tiles on offer.
    `led`: the first colour of the last offer.
    `bids`: those of the current auction.
    `bidder`: the last bidder.
    `pile`: building tiles.
    `cleared`, `built`: building tiles used as Wasteland or as a building.
    `stack`: prosperity cards not dealt.
    `scored`: prosperity cards played.
    `gone`: land tiles never offered.
    `discarded`: land tiles not placed.
    `laid`: the highest route number so far.
    `answers`: answers that no step has used yet, by gate and seat.
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
        """Return the players, under the name that the kernel uses."""
        return self.players

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Return the seats in turn order: from the first player to the left."""
        table = tuple(sorted(self.players, key=lambda seat: COLOURS.index(self.players[seat].colour)))
        start = table.index(self.first)
        return table[start:] + table[:start]

    @property
    def era(self) -> int:
        """Return the era, 1 to 3; 1 before the first turn."""
        return min((max(self.turn, 1) - 1) // ROUNDS + 1, ERAS)

    @property
    def round(self) -> int:
        """Return the round of the era, 1 to 5."""
        return (max(self.turn, 1) - 1) % ROUNDS + 1

    def left_of(self, seat: Seat) -> Seat:
        """Return the next player in turn order."""
        seats = self.seats
        return seats[(seats.index(seat) + 1) % len(seats)]

    def route(self, number: int) -> Route | None:
        """Return the route of this number, or None."""
        return next((route for route in self.routes if route.number == number), None)

    def of(self, seat: Seat) -> tuple[Route, ...]:
        """Return the routes with an end at a player."""
        return tuple(route for route in self.routes if seat in route.ends)

    def between(self, one: Seat, other: Seat) -> tuple[Route, ...]:
        """Return the routes between two players."""
        return tuple(route for route in self.of(one) if route.other(one) == other)

    def allied(self, one: Seat, other: Seat) -> bool:
        """Return True if two players share an allied route."""
        return any(route.allied for route in self.between(one, other))

    def in_play(self, seat: Seat) -> int:
        """Return the number of a player's workers on tiles and routes."""
        return WORKERS - self.players[seat].track

    def lot(self, name: str) -> Lot | None:
        """Return the lot of this name, or None."""
        return next((lot for lot in self.offer if lot.name == name), None)

    def leader(self, lot: str) -> Seat | None:
        """Return the highest bidder of a lot, or None."""
        stakes = [(stake.money, seat) for seat, stake in self.bids.items() if stake.lot == lot]
        return max(stakes)[1] if stakes else None

    def stands(self, seat: Seat) -> bool:
        """Return True if this player's bid is the highest on its lot."""
        return seat in self.bids and self.leader(self.bids[seat].lot) == seat


def free_squares(player: Player) -> tuple[str, ...]:
    """Return the first square of each location without a worker."""
    held = set(player.workers)
    return tuple(squares[0] for squares in locations(player.territory) if not held & set(squares))


def without(held: tuple[Secret[str], ...], thing: Secret[str]) -> tuple[Secret[str], ...]:
    """Return a hand without one thing; for a reader who does not know it, without an unknown one."""
    wanted = thing.value if thing.visible else ""
    found = [card.value if card.visible else "" for card in held]
    place = found.index(wanted if wanted in found else "")
    return (*held[:place], *held[place + 1 :])
