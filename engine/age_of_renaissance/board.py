"""The state of a game: dataclasses with look-ups only."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from engine.age_of_renaissance.atlas import Hull, Ship
from engine.age_of_renaissance.catalogue import FACE, MARKERS, PRODUCERS, PROVINCES, START_CASH, TOKENS
from engine.kernel.codec import serializable
from engine.kernel.hidden_amounts import HiddenAmount, add_hidden, can_count, count_visible, set_amount
from engine.kernel.orders import Orders
from engine.kernel.secrets import Secret
from engine.kernel.viewers import Seat

serializable("aor.Hull")(Hull)
serializable("aor.Ship")(Ship)


@serializable("aor.Phase")
class Phase(StrEnum):
    """The set-up, the seven phases of a turn (§3) and the last card play (§11.1)."""

    SETUP = "setup"
    DRAW = "draw"
    CARDS = "cards"
    HISTORY = "history"
    PURCHASES = "purchases"
    EXPANSION = "expansion"
    INCOME = "income"
    TOKENS = "tokens"
    FINAL = "final"


@serializable("aor.Piece")
@dataclass(frozen=True)
class Piece:
    """One power's pieces in one province: old and new tokens (■ □), or a control marker (● old, ○ new), never both."""

    old: int = 0
    new: int = 0
    marker: str = ""

    @property
    def tokens(self) -> int:
        """Return the number of tokens, without a marker."""
        return self.old + self.new

    @property
    def controls(self) -> bool:
        """Return True if there is a control marker."""
        return bool(self.marker)

    def strength(self, province: str) -> int:
        """§9.5.2  Return the number of tokens, or the province's capacity for a marker."""
        return PROVINCES[province].capacity if self.marker else self.tokens


OLD, NEW = "old", "new"
NOTHING = Piece()


@serializable("aor.Leader")
@dataclass(frozen=True)
class Leader:
    """A leader in play (§9.3.3).

    `seat`: the player of the card. `box`: its protected box, 0 for none. `claims`: the powers that have claimed it.
    """

    card: str
    seat: Seat
    box: int
    claims: tuple[Seat, ...] = ()


@serializable("aor.War")
@dataclass(frozen=True)
class War:
    """A tied war (A2 Guerre).

    `turn`: the turn of its declaration. `rolls`: the number of rolls so far.
    """

    attacker: Seat
    defender: Seat
    turn: int
    rolls: int = 0


@serializable("aor.Power")
@dataclass
class Power:
    """The state of a seat, except its pieces on the map.

    `purse`: the cash; known only to its owner if piled (R33).
    `chosen`: 1 for the first to choose a capital.
    `written`: the sum on the sheet (§9.7).
    `stock`, `expansion`: tokens in the stock and in the pool of bought ones.
    `markers`: control markers not on the map.
    `misery`: index on the ladder.
    `bought`: advances of this turn, which give no credit yet.
    `weapons`: military advantages played this turn.
    `fought`: by province, the results of this power's attacks in order, `W` won or `L` lost.
    `roots`: provinces where a new marker replaced old tokens in this phase; they are still bases.

    The fields from `weapons` on apply to the current turn or phase.
    """

    seat: Seat
    capital: str = ""
    chosen: int = 0
    slot: int = 0
    purse: HiddenAmount = START_CASH
    written: int = START_CASH
    stock: int = TOKENS
    expansion: int = 0
    markers: int = MARKERS
    misery: int = 0
    ship: Ship | None = None
    advances: frozenset[str] = frozenset()
    bought: frozenset[str] = frozenset()
    hand: tuple[Secret[str], ...] = ()
    eliminated: bool = False
    weapons: tuple[str, ...] = ()
    shielded: bool = False
    ship_upgraded: bool = False
    stabilised: bool = False
    card_bought: bool = False
    swapped: bool = False
    discarded: bool = False
    exchanged: bool = False
    converted: frozenset[Seat] = frozenset()
    landed: dict[str, int] = field(default_factory=dict)
    fought: dict[str, str] = field(default_factory=dict)
    roots: frozenset[str] = frozenset()

    @property
    def cash(self) -> int:
        """Return the ducats in hand. Raises Hidden for a reader who may not count them."""
        return count_visible(self.purse)

    @cash.setter
    def cash(self, ducats: int) -> None:
        self.purse = set_amount(self.purse, ducats)

    @property
    def counted(self) -> bool:
        """Return True if the current reader may count the cash (R33)."""
        return can_count(self.purse)

    def gain(self, ducats: int) -> None:
        """Add ducats, or remove them if negative; cash that the reader may not count stays hidden."""
        self.purse = add_hidden(self.purse, ducats)

    def pile(self, piled: bool) -> None:
        """§5.5, R33  Make the cash piled or public from now on, if the current reader may count it."""
        if self.counted:
            self.purse = Secret(self.cash, frozenset({self.seat})) if piled else self.cash


@serializable("aor.Board")
@dataclass
class Board:
    """The board of a game.

    `order`: seats in order of play.
    `pieces`: province -> seat -> Piece, without empty entries.
    `markets`: good -> shortages minus surpluses, which cancel each other (§9.6.1).
    `banned`: the category that a Papal Decree forbids.
    `played`: events played that permanently affect other cards.
    `this_turn`: all cards played this turn, in order.
    `later`: cards of later epochs.
    `civil_war`: powers that a Civil War of this turn makes play last from the expansion on.
    `answers`: answers that no step has used yet, by gate and seat.
    """

    players: int
    powers: dict[Seat, Power]
    turn: int = 0
    phase: Phase = Phase.SETUP
    epoch: int = 1
    order: tuple[Seat, ...] = ()
    pieces: dict[str, dict[Seat, Piece]] = field(default_factory=dict)
    deck: tuple[Secret[str], ...] = ()
    discard: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    withheld: tuple[str, ...] = ()
    later: tuple[str, ...] = ()
    leaders: tuple[Leader, ...] = ()
    markets: dict[str, int] = field(default_factory=dict)
    banned: str = ""
    played: frozenset[str] = frozenset()
    this_turn: tuple[str, ...] = ()
    wars: tuple[War, ...] = ()
    civil_war: tuple[Seat, ...] = ()
    cards_bought: int = 0
    last_turn: str = ""
    answers: dict[str, Secret[Orders]] = field(default_factory=dict)

    def power_of(self, capital: str) -> Power | None:
        """Return the power with this capital, or None."""
        return next((p for p in self.powers.values() if p.capital == capital), None)

    def playing(self) -> tuple[Power, ...]:
        """Return the powers not eliminated, in order of play."""
        return tuple(self.powers[s] for s in self.order if not self.powers[s].eliminated)

    def at(self, province: str, seat: Seat) -> Piece:
        """Return a power's pieces in a province."""
        return self.pieces.get(province, {}).get(seat, NOTHING)

    def controller(self, province: str) -> Seat | None:
        """Return the seat with a control marker in a province, or None."""
        return next((s for s, piece in self.pieces.get(province, {}).items() if piece.marker), None)

    def controls(self, seat: Seat, good: str) -> int:
        """Return how many provinces that produce `good` a power controls (§9.3.1)."""
        found = 0
        for province in PRODUCERS[good]:
            here = self.pieces.get(province)
            if here and seat in here and here[seat].controls:
                found += 1
        return found

    def all_controls(self) -> Mapping[Seat, Mapping[str, int]]:
        """Return the number of controlled producers for every power and good, in one pass over the map."""
        found = {seat: dict.fromkeys(PRODUCERS, 0) for seat in self.powers}
        for province, here in self.pieces.items():
            for seat, piece in here.items():
                if piece.marker:
                    for good in PROVINCES[province].goods:
                        found[seat][good] += 1
        return found

    def held(self, seat: Seat) -> Iterator[tuple[str, Piece]]:
        """Yield a power's pieces with their provinces."""
        return ((p, here[seat]) for p, here in self.pieces.items() if seat in here)

    def provinces(self, seat: Seat) -> int:
        """Return how many provinces a power controls, which sets its income (§9.6)."""
        return MARKERS - self.powers[seat].markers

    def has(self, seat: Seat, letter: str) -> bool:
        """Return True if a power may use an advance: it owns it and is not eliminated (§9.4.4)."""
        power = self.powers[seat]
        return letter in power.advances and not power.eliminated

    def known_hand(self, seat: Seat) -> tuple[str, ...]:
        """Return the cards of a hand that the current reader knows."""
        return tuple(card.value for card in self.powers[seat].hand if card.visible)

    def copies_held(self, seat: Seat, cards: Iterable[str]) -> tuple[str, ...] | None:
        """Return a card of the known hand for each of `cards` with the same face, or None if any is missing.

        Orders name a card by its face: for the author of `PLAY Stone`, two Stone cards are the same.
        """
        hand, found = list(self.known_hand(seat)), []
        for card in cards:
            copy = card if card in hand else next((c for c in hand if FACE[c] == FACE[card]), None)
            if copy is None:
                return None
            hand.remove(copy)
            found.append(copy)
        return tuple(found)

    def copy_held(self, seat: Seat, card: str) -> str | None:
        """Return a card of the known hand with the same face as `card`, or None."""
        copies = self.copies_held(seat, (card,))
        return copies[0] if copies else None
