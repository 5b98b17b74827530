"""Beside battles: yellow cards, privileges, and what players agree with each other."""

from dataclasses import dataclass

from engine.kernel.codec import saved
from engine.kernel.events import Event
from engine.kernel.names import Seat


@saved("ren.CardPlayed")
@dataclass(frozen=True, kw_only=True)
class CardPlayed(Event):
    """A card was shown and discarded; no card: a privilege that stands for one (A26)."""

    seat: Seat
    kind: str
    card: str


@saved("ren.Pillaged")
@dataclass(frozen=True, kw_only=True)
class Pillaged(Event):
    """Pillards  A die against a city's walls (none for a free city); what the looters brought."""

    seat: Seat
    city: str
    owner: Seat | None
    throw: int
    needs: int
    won: bool
    ducats: int


@saved("ren.EmbassyHeard")
@dataclass(frozen=True, kw_only=True)
class EmbassyHeard(Event):
    """Ambassadeur  Two dice: `corruption`, `upkeep` or `help`; no city: nothing could be done with it (A18)."""

    seat: Seat
    dice: tuple[int, int]
    effect: str
    city: str = ""


@saved("ren.Corrupted")
@dataclass(frozen=True, kw_only=True)
class Corrupted(Event):
    """Corruption  A die against a city's walls; it changes sides or not."""

    seat: Seat
    city: str
    loser: Seat
    throw: int
    needs: int
    won: bool


@saved("ren.Ruined")
@dataclass(frozen=True, kw_only=True)
class Ruined(Event):
    """Mauvais entretien, A18  A castle or a rampart fell down."""

    seat: Seat
    city: str
    owner: Seat
    level: int


@saved("ren.Married")
@dataclass(frozen=True, kw_only=True)
class Married(Event):
    """Mariage, A4  A city for two ducats, paid to its owner."""

    seat: Seat
    city: str
    loser: Seat
    paid: int


@saved("ren.ArtistCame")
@dataclass(frozen=True, kw_only=True)
class ArtistCame(Event):
    """Artiste  An artist was drawn; the preacher burns the palace, and is put back."""

    seat: Seat
    city: str
    artist: str
    burnt: bool


@saved("ren.BankerPaid")
@dataclass(frozen=True, kw_only=True)
class BankerPaid(Event):
    """Banquier  Five ducats by a palace."""

    seat: Seat
    city: str
    ducats: int


@saved("ren.ArtistLured")
@dataclass(frozen=True, kw_only=True)
class ArtistLured(Event):
    """A31  Florence tried to draw an artist away."""

    seat: Seat
    origin: str
    city: str
    loser: Seat
    artist: str
    throw: int
    won: bool


@saved("ren.Gave")
@dataclass(frozen=True, kw_only=True)
class Gave(Event):
    """Diplomatie  Ducats for another player."""

    seat: Seat
    to: Seat
    ducats: int


@saved("ren.SwapOffered")
@dataclass(frozen=True, kw_only=True)
class SwapOffered(Event):
    """Diplomatie  A city offered for another's."""

    seat: Seat
    to: Seat
    gives: str
    wants: str


@saved("ren.SwapRecalled")
@dataclass(frozen=True, kw_only=True)
class SwapRecalled(Event):
    """Diplomatie  An offer taken back."""

    seat: Seat
    gives: str
    wants: str


@saved("ren.Swapped")
@dataclass(frozen=True, kw_only=True)
class Swapped(Event):
    """Diplomatie  Two cities of one level changed owners."""

    seat: Seat
    to: Seat
    gives: str
    wants: str
