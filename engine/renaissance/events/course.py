"""The course of a game: cards and order, the preparation, sequences, purchases, expansion, points and treasury."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.kernel.codec import saved
from engine.kernel.events import Event, Heading
from engine.kernel.names import Seat
from engine.kernel.secrets import Secret
from engine.renaissance.board import Phase


@saved("ren.DeckMade")
@dataclass(frozen=True, kw_only=True)
class DeckMade(Event):
    """Cards were shuffled into a deck. `cause`: `start`, `empty` (the discards, A19), `turn` (all hands come back)."""

    deck: tuple[Secret[str], ...]
    cause: str


@saved("ren.NationTaken")
@dataclass(frozen=True, kw_only=True)
class NationTaken(Event):
    """Préparation  A seat plays a nation: by lot, or as it chose."""

    seat: Seat
    nation: str
    drawn: bool


@saved("ren.TableSet")
@dataclass(frozen=True, kw_only=True)
class TableSet(Event):
    """Préparation  The scenario, and the provinces closed for this number of players."""

    scenario: str
    closed: tuple[str, ...]


@saved("ren.OrderDrawn")
@dataclass(frozen=True, kw_only=True)
class OrderDrawn(Event):
    """Séquence 4, A27  The order of play. `listed`: by the scenario; `barred`: who could not be first again."""

    order: tuple[Seat, ...]
    listed: bool = False
    barred: Seat | None = None


@saved("ren.Founded")
@dataclass(frozen=True, kw_only=True)
class Founded(Event):
    """Préparation  A nation's start cities, its rampart, its palace in 1515."""

    seat: Seat
    cities: tuple[str, ...]
    rampart: str
    palace: str = ""


@saved("ren.GarrisonPlaced")
@dataclass(frozen=True, kw_only=True)
class GarrisonPlaced(Event):
    """Préparation  The third garrison; by sea if no road leads there."""

    seat: Seat
    city: str
    sea: bool


@saved("ren.TurnBegan")
@dataclass(frozen=True, kw_only=True)
class TurnBegan(Event):
    """A turn of eight years began."""

    heading = Heading.TURN
    turn: int
    year: int


@saved("ren.PhaseBegan")
@dataclass(frozen=True, kw_only=True)
class PhaseBegan(Event):
    """A sequence began."""

    heading = Heading.PHASE
    phase: Phase


@saved("ren.Returned")
@dataclass(frozen=True, kw_only=True)
class Returned(Event):
    """Disparition de l'un des joueurs  Back in the game with a start city, whoever held it, and some ducats."""

    seat: Seat
    city: str
    loser: Seat | None
    ducats: int


@saved("ren.StateSet")
@dataclass(frozen=True, kw_only=True)
class StateSet(Event):
    """Séquence 1  Peace or war; `votes` are empty on the first turn. `war` of `of` votes were for war (A25)."""

    state: str
    votes: Mapping[Seat, str]
    war: int
    of: int


@saved("ren.StanceTaken")
@dataclass(frozen=True, kw_only=True)
class StanceTaken(Event):
    """A30  The Swiss fight better in attack, or in defence."""

    seat: Seat
    side: str


@saved("ren.CardsDrawn")
@dataclass(frozen=True, kw_only=True)
class CardsDrawn(Event):
    """Cards from the deck, and ducats with them. `cause`: `peace`, `war`, `empire`, `bought`, `embassy`."""

    seat: Seat
    cards: tuple[Secret[str], ...]
    cause: str
    ducats: int = 0


@saved("ren.CardsBought")
@dataclass(frozen=True, kw_only=True)
class CardsBought(Event):
    """Séquence 3  Cards were paid; they are drawn when the announcement is over."""

    seat: Seat
    count: int
    paid: int


@saved("ren.Built")
@dataclass(frozen=True, kw_only=True)
class Built(Event):
    """Séquence 3  A palace, rampart, castle or fortress."""

    seat: Seat
    city: str
    what: str
    paid: int


@saved("ren.Settled")
@dataclass(frozen=True, kw_only=True)
class Settled(Event):
    """Phase 1 - Expansion  A free city was taken, by road or by sea."""

    seat: Seat
    city: str
    origin: str
    sea: bool


@saved("ren.Eliminated")
@dataclass(frozen=True, kw_only=True)
class Eliminated(Event):
    """Disparition de l'un des joueurs  No city is left; he comes back next turn, if there is one (A23)."""

    seat: Seat


@saved("ren.PointsScored")
@dataclass(frozen=True, kw_only=True)
class PointsScored(Event):
    """Séquence 6  A point for each whole province, and for each palace with an artist."""

    seat: Seat
    provinces: tuple[str, ...]
    artists: tuple[str, ...]


@saved("ren.IncomeTaken")
@dataclass(frozen=True, kw_only=True)
class IncomeTaken(Event):
    """Le trésor  Ducats by cities, the pillaged apart; `bonus`: Venice's privilege."""

    seat: Seat
    ducats: int
    pillaged: tuple[str, ...]
    bonus: int = 0


@saved("ren.MarkersLifted")
@dataclass(frozen=True, kw_only=True)
class MarkersLifted(Event):
    """Le trésor  The pillage markers went back."""

    cities: tuple[str, ...]
