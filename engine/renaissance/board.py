"""The state of a game: dataclasses, and no behaviour beyond looking up."""

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
    """Preparation, and the sequences of a turn (Tour de jeu), with the stop before the count (A38).

    The deal and the draw of the order ask nobody.
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
    """What stands in a city: whose it is, how strong; `swapped`: it changed hands by a swap this turn (Diplomatie)."""

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
"""Of each kind of piece that stands on the map: whether a city has one."""


@serializable("ren.Laid")
@dataclass(frozen=True)
class Laid:
    """A card on the table of a battle.

    `hired`: it was bought from a third party, or turned its coat: nothing more is due for it. `value`: what a
    Condottiere's die gave (None: not thrown, or gone). `gone`: it counts no more: `routed`, `lost` (Félon),
    `cancelled`, `unpaid`. `doubled`: by a Signe de Dieu.
    """

    card: Secret[str]
    hired: bool = False
    value: int | None = None
    gone: str = ""
    doubled: bool = False

    def is_a(self, kind: str) -> bool:
        """Return True if it is a card of this kind, as far as the reader in force knows."""
        return self.card.visible and kind_of(self.card.value).id == kind

    @property
    def troop(self) -> bool:
        """Return True if it is a blue card, as far as the reader in force knows."""
        return self.card.visible and kind_of(self.card.value).value > 0


@serializable("ren.Battle")
@dataclass(frozen=True)
class Battle:
    """A battle under way. `way`: `road`, `sea` or `ride`. `dice`: both sides' dice once the cards are shown.

    `offers`: (seller, buyer) for each Condottiere still offered. `signs`: who has laid a Signe de Dieu. `won_by`:
    `attack`, `defence`, `tie`, or `` before the result. `saved`: cards taken back by Retraite. `ready`: the defender
    has laid. `throws`: of the Condottiere die.
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
        """The cards that fight for a seat."""
        return self.attack if seat == self.attacker else self.defence

    def foe(self, seat: Seat) -> Seat:
        """The other belligerent."""
        return self.defender if seat == self.attacker else self.attacker


@serializable("ren.Offer")
@dataclass(frozen=True)
class Offer:
    """A swap offered: a city of one's own for a city of another player (Diplomatie)."""

    seat: Seat
    gives: str
    wants: str


@serializable("ren.Power")
@dataclass
class Power:
    """A seat's affairs, all but its cities.

    `shown`: cards in hand that everybody has seen. `aside`: cards face up before the player, back in hand when a combat
    turn ends. `points`: those of each turn. `seas`: expansions by sea they may make in a turn. What follows `stance` is
    of this turn alone: `settled`: (from, to) of their expansions; `origins`, `targets`: cities attacked from and on;
    `beaten`: where they failed; `taken`: cities taken in their combat turn, no base of attack (A9); `attacked`,
    `married`: seats; `used`: privileges used up; `bribes`: ducats spent on turncoats.
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
        """How many cards the seat can play, as everybody sees."""
        return len(self.hand) + len(self.shown)

    @property
    def score(self) -> int:
        """Points of Renaissance so far."""
        return sum(self.points)


@serializable("ren.Board")
@dataclass
class Board:
    """The table.

    `order`: seats in order of play, who is out among them. `closed`: cities that this number of players does not use.
    `battles`, `played`: how many battles, and cards outside them, there were this turn. `acting`: whose combat turn it
    is. `fallen`: cities taken in battle this turn. `bankers`: palaces whose banker was seen this turn (A22). `supply`:
    artists that may be drawn.
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
        """Combat  While the attacker's cards lie face down, nobody else sees whether they are of those seen by all."""
        if self.battle is None or self.battle.dice or viewer == self.battle.attacker:
            return self
        power = self.powers[self.battle.attacker]
        hand = (*power.hand, *map(Secret, power.shown))
        return replace(self, powers={**self.powers, power.seat: replace(power, hand=hand, shown=())})

    def playing(self) -> tuple[Power, ...]:
        """The powers that hold a city, in order of play."""
        return tuple(self.powers[seat] for seat in self.order if not self.powers[seat].eliminated)

    def held(self, seat: Seat) -> tuple[str, ...]:
        """A power's cities, in the order of the map."""
        return tuple([town for town, city in self.cities.items() if city.owner == seat])

    def open(self) -> Iterator[str]:
        """The cities that may be entered in this game."""
        return (town for town in TOWNS if town not in self.closed)

    def provinces(self, seat: Seat) -> tuple[str, ...]:
        """Séquence 6  The provinces of which a power holds every city."""
        mine = set(self.held(seat))
        return tuple(p.id for p in PROVINCES.values() if mine.issuperset(p.cities))

    def level(self, town: str) -> int:
        """How strong a city is: 0 when it is nobody's."""
        return self.cities[town].level

    def left(self, piece: str) -> int:
        """Pieces not on the map (Le jeu comprend): ramparts, castles, palaces, pillage markers."""
        placed = sum(map(_PLACED[piece], self.cities.values()))
        hands = sum(getattr(p, piece) for p in self.powers.values()) if piece in ("ramparts", "palaces") else 0
        return SUPPLIES[piece] - placed - hands

    def garrisons(self, seat: Seat) -> int:
        """Tokens of a nation not on the map (A21)."""
        return SUPPLIES["garrisons"] - len(self.held(seat))

    def nation(self, name: str) -> Power | None:
        """The power that plays a nation, if anybody does."""
        return next((power for power in self.powers.values() if power.nation == name), None)

    def holding(self, seat: Seat) -> tuple[str, ...]:
        """The cards that a power can play, as far as the reader in force knows: those seen by all first."""
        power = self.powers[seat]
        return (*power.shown, *(card.value for card in power.hand if card.visible))

    def kinds(self, seat: Seat) -> tuple[str, ...]:
        """The kinds of these cards, one for each card."""
        return tuple(kind_of(card).id for card in self.holding(seat))

    def copies(self, seat: Seat, kinds: tuple[str, ...]) -> tuple[str, ...] | None:
        """One card of the hand for each kind named; None if there are not enough."""
        hand, found = list(self.holding(seat)), []
        for kind in kinds:
            card = next((c for c in hand if kind_of(c).id == kind), None)
            if card is None:
                return None
            hand.remove(card)
            found.append(card)
        return tuple(found)

    def fighting(self, town: str) -> bool:
        """Return True if a battle under way is fought over this city, or from it."""
        return self.battle is not None and town in (self.battle.city, self.battle.origin)


NOTHING = City()
HELD = City(level=GARRISON)
