"""The state of a game: dataclasses with look-ups only."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from engine.kernel.codec import serializable
from engine.kernel.secrets import Secret
from engine.kernel.viewers import Seat, Viewer
from engine.renaissance.catalogue import (
    FORTRESS,
    GARRISON,
    PEACE,
    PROVINCES,
    RAMPART,
    START_DUCATS,
    SUPPLIES,
    TOWNS,
    kind_of,
)


@serializable("ren.Phase")
class Phase(StrEnum):
    """The preparation, and the sequences of a turn (Tour de jeu) that ask questions, with the council before scoring
    (A38).
    """

    SETUP = "setup"
    STATE = "state"
    PURCHASES = "purchases"
    EXPANSION = "expansion"
    COMBAT = "combat"
    COUNCIL = "council"
    SCORING = "scoring"


@serializable("ren.City")
@dataclass(frozen=True)
class City:
    """The state of a city. `swapped`: it changed hands by a swap this turn (Diplomatie)."""

    owner: Seat | None = None
    level: int = 0
    palace: bool = False
    artist: str = ""
    pillaged: bool = False
    swapped: bool = False


_PLACED: Final[Mapping[str, Callable[[City], bool]]] = {
    "ramparts": lambda city: city.level >= RAMPART,
    "castles": lambda city: city.level == FORTRESS,
    "palaces": lambda city: city.palace,
    "pillage": lambda city: city.pillaged,
}
"""For each kind of piece on the map, whether a city has one."""


@serializable("ren.Laid")
@dataclass(frozen=True)
class Laid:
    """A card on the table of a battle.

    `hired`: bought from a third party or bribed, so nothing is due for it.
    `value`: the result of a Condottiere's die; None if not rolled yet.
    `gone`: why it no longer counts: `routed`, `lost` (Félon), `cancelled` or `unpaid`.
    `doubled`: by a Signe de Dieu.
    """

    card: Secret[str]
    hired: bool = False
    value: int | None = None
    gone: str = ""
    doubled: bool = False

    def is_a(self, kind: str) -> bool:
        """Return True if it is a card of this kind, as far as the current reader knows."""
        return self.card.visible and kind_of(self.card.value).id == kind

    @property
    def troop(self) -> bool:
        """Return True if it is a blue card, as far as the current reader knows."""
        return self.card.visible and kind_of(self.card.value).value > 0


@serializable("ren.Battle")
@dataclass(frozen=True)
class Battle:
    """A battle in progress.

    `way`: `road`, `sea` or `ride`.
    `dice`: both sides' dice, once the cards are shown.
    `offers`: (seller, buyer) for each Condottiere still offered.
    `signs`: seats that have played a Signe de Dieu.
    `won_by`: `attack`, `defence`, `tie`, or "" before the result.
    `saved`: cards taken back by Retraite.
    `ready`: the defender has laid cards.
    `throws`: rolls of the Condottiere die.
    """

    number: int
    attacker: Seat
    defender: Seat
    city: str
    origin: str
    way: str
    attack: tuple[Laid, ...] = ()
    defence: tuple[Laid, ...] = ()
    offers: tuple[tuple[Seat, Seat], ...] = ()
    dice: tuple[int, ...] = ()
    signs: tuple[Seat, ...] = ()
    won_by: str = ""
    saved: tuple[str, ...] = ()
    ready: bool = False
    throws: int = 0

    def side(self, seat: Seat) -> tuple[Laid, ...]:
        """Return the cards that fight for a seat."""
        return self.attack if seat == self.attacker else self.defence

    def foe(self, seat: Seat) -> Seat:
        """Return the other belligerent."""
        return self.defender if seat == self.attacker else self.attacker


@serializable("ren.Offer")
@dataclass(frozen=True)
class Offer:
    """An offered swap: an own city for a city of another player (Diplomatie)."""

    seat: Seat
    gives: str
    wants: str


@serializable("ren.Power")
@dataclass
class Power:
    """The state of a seat, except its cities.

    `shown`: cards in hand that everybody has seen.
    `aside`: cards face up before the player, which return to the hand when the combat turn ends.
    `points`: by turn.
    `seas`: expansions by sea allowed in a turn.

    The fields from `stance` on apply to the current turn.
    `settled`: (from, to) of expansions.
    `origins`, `targets`: cities attacked from, and attacked.
    `beaten`: cities where an attack failed.
    `taken`: cities taken in the combat turn, which are no base of attack (A9).
    `attacked`, `married`: seats.
    `used`: privileges used.
    `bought`: cards bought.
    `bribes`: ducats spent on bribes.
    """

    seat: Seat
    nation: str = ""
    seas: int = 1
    starts: tuple[str, ...] = ()
    ducats: int = START_DUCATS
    ramparts: int = 0
    palaces: int = 0
    hand: tuple[Secret[str], ...] = ()
    shown: tuple[str, ...] = ()
    aside: tuple[str, ...] = ()
    points: tuple[int, ...] = ()
    eliminated: bool = False
    stance: str = ""
    settled: tuple[tuple[str, str], ...] = ()
    origins: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    beaten: tuple[str, ...] = ()
    taken: tuple[str, ...] = ()
    attacked: tuple[Seat, ...] = ()
    married: tuple[Seat, ...] = ()
    used: frozenset[str] = frozenset()
    bought: int = 0
    bribes: int = 0

    @property
    def cards(self) -> int:
        """Return how many cards the seat can play, which is public."""
        return len(self.hand) + len(self.shown)

    @property
    def score(self) -> int:
        """Return the points of Renaissance so far."""
        return sum(self.points)


@serializable("ren.Board")
@dataclass
class Board:
    """The board of a game.

    `order`: seats in order of play, including eliminated ones.
    `closed`: cities not used with this number of players.
    `battles`, `played`: the numbers of battles, and of cards played outside them, this turn.
    `acting`: the seat whose combat turn it is.
    `fallen`: cities taken in battle this turn.
    `bankers`: palaces whose banker paid this turn (A22).
    `supply`: artists that may be drawn.
    """

    players: int
    powers: dict[Seat, Power]
    cities: dict[str, City]
    supply: tuple[str, ...]
    scenario: str = "standard"
    closed: frozenset[str] = frozenset()
    turn: int = 0
    phase: Phase = Phase.SETUP
    state: str = PEACE
    order: tuple[Seat, ...] = ()
    deck: tuple[Secret[str], ...] = ()
    discard: tuple[str, ...] = ()
    battle: Battle | None = None
    battles: int = 0
    played: int = 0
    acting: Seat | None = None
    fallen: tuple[str, ...] = ()
    bankers: tuple[str, ...] = ()
    offers: tuple[Offer, ...] = ()

    def redacted(self, viewer: Viewer) -> "Board":
        """Combat  Hide from others whether the attacker's face-down cards are among those seen by all."""
        if self.battle is None or self.battle.dice or viewer == self.battle.attacker:
            return self
        power = self.powers[self.battle.attacker]
        hand = (*power.hand, *map(Secret, power.shown))
        return replace(self, powers={**self.powers, power.seat: replace(power, hand=hand, shown=())})

    def playing(self) -> tuple[Power, ...]:
        """Return the powers not eliminated, in order of play."""
        return tuple(self.powers[seat] for seat in self.order if not self.powers[seat].eliminated)

    def held(self, seat: Seat) -> tuple[str, ...]:
        """Return a power's cities, in the order of the map."""
        return tuple([town for town, city in self.cities.items() if city.owner == seat])

    def open(self) -> Iterator[str]:
        """Yield the cities used in this game."""
        return (town for town in TOWNS if town not in self.closed)

    def provinces(self, seat: Seat) -> tuple[str, ...]:
        """Séquence 6  Return the provinces of which a power holds every city."""
        mine = set(self.held(seat))
        return tuple(p.id for p in PROVINCES.values() if mine.issuperset(p.cities))

    def level(self, town: str) -> int:
        """Return the level of a city; 0 if it is free."""
        return self.cities[town].level

    def left(self, piece: str) -> int:
        """Return the number of pieces not on the map (Le jeu comprend): ramparts, castles, palaces, pillage markers."""
        placed = sum(map(_PLACED[piece], self.cities.values()))
        hands = sum(getattr(p, piece) for p in self.powers.values()) if piece in ("ramparts", "palaces") else 0
        return SUPPLIES[piece] - placed - hands

    def garrisons(self, seat: Seat) -> int:
        """Return the number of a nation's tokens not on the map (A21)."""
        return SUPPLIES["garrisons"] - len(self.held(seat))

    def nation(self, name: str) -> Power | None:
        """Return the power that plays a nation, or None."""
        return next((power for power in self.powers.values() if power.nation == name), None)

    def holding(self, seat: Seat) -> tuple[str, ...]:
        """Return the cards that a power can play, as far as the current reader knows; those seen by all first."""
        power = self.powers[seat]
        return (*power.shown, *(card.value for card in power.hand if card.visible))

    def kinds(self, seat: Seat) -> tuple[str, ...]:
        """Return the kinds of these cards, one for each card."""
        return tuple(kind_of(card).id for card in self.holding(seat))

    def copies(self, seat: Seat, kinds: tuple[str, ...]) -> tuple[str, ...] | None:
        """Return one card of the hand for each named kind, or None if there are not enough."""
        hand, found = list(self.holding(seat)), []
        for kind in kinds:
            card = next((c for c in hand if kind_of(c).id == kind), None)
            if card is None:
                return None
            hand.remove(card)
            found.append(card)
        return tuple(found)

    def fighting(self, town: str) -> bool:
        """Return True if a battle in progress is fought for this city or from it."""
        return self.battle is not None and town in (self.battle.city, self.battle.origin)


NOTHING = City()
HELD = City(level=GARRISON)
