"""Every event of the game: a fact each, in the past tense; what not everybody may know is a Secret.

Cities, nations, kinds and artists are ids of the catalogue; cards are ids of single cards.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.kernel.codec import saved
from engine.kernel.events import Event
from engine.kernel.names import Seat
from engine.kernel.secrets import Secret
from engine.renaissance.board import Battle, Phase


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

    turn: int
    year: int


@saved("ren.PhaseBegan")
@dataclass(frozen=True, kw_only=True)
class PhaseBegan(Event):
    """A sequence began."""

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


@saved("ren.CampaignBegan")
@dataclass(frozen=True, kw_only=True)
class CampaignBegan(Event):
    """Phase 2 - Combats  A player's turn."""

    seat: Seat


@saved("ren.CampaignEnded")
@dataclass(frozen=True, kw_only=True)
class CampaignEnded(Event):
    """Phase 2 - Combats  His turn is over: the cards before him are back in his hand."""

    seat: Seat
    cards: tuple[str, ...]


@saved("ren.CardPlayed")
@dataclass(frozen=True, kw_only=True)
class CardPlayed(Event):
    """A card was shown and discarded; no card: a privilege that stands for one (A26)."""

    seat: Seat
    kind: str
    card: str


@saved("ren.AttackAnnounced")
@dataclass(frozen=True, kw_only=True)
class AttackAnnounced(Event):
    """Annonce du combat  A battle is fought for a city; the attacker's cards lie face down."""

    battle: Battle


@saved("ren.CondottiereOffered")
@dataclass(frozen=True, kw_only=True)
class CondottiereOffered(Event):
    """Vente de Condottiere  A third party would sell one to a belligerent."""

    seat: Seat
    to: Seat


@saved("ren.CondottiereHired")
@dataclass(frozen=True, kw_only=True)
class CondottiereHired(Event):
    """Vente de Condottiere  Bought for a ducat, and laid. `back`: the troop that it replaced, in hand again."""

    seat: Seat
    seller: Seat
    card: Secret[str]
    back: Secret[str] | None = None
    paid: int = 1


@saved("ren.DefenceLaid")
@dataclass(frozen=True, kw_only=True)
class DefenceLaid(Event):
    """Combat  The defender's cards lie face down."""

    seat: Seat
    cards: tuple[Secret[str], ...]


@saved("ren.CardsShown")
@dataclass(frozen=True, kw_only=True)
class CardsShown(Event):
    """Combat  Both dice, all cards, what the Condottieri among them cost, and those that could not be paid (A6)."""

    attacker: Seat
    defender: Seat
    attack: tuple[str, ...]
    defence: tuple[str, ...]
    dice: tuple[int, int]
    paid: Mapping[Seat, int]
    unpaid: tuple[str, ...] = ()


@saved("ren.RedCancelled")
@dataclass(frozen=True, kw_only=True)
class RedCancelled(Event):
    """Le contre  The attacker's red card was cancelled by the same one, laid (A13) or from hand (A14)."""

    seat: Seat
    kind: str
    attack: str
    defence: str
    from_hand: bool


@saved("ren.TroopLost")
@dataclass(frozen=True, kw_only=True)
class TroopLost(Event):
    """Félon in defence, A12  The attacker's strongest troop is gone (no card: there was none)."""

    seat: Seat
    card: str


@saved("ren.CondottiereThrown")
@dataclass(frozen=True, kw_only=True)
class CondottiereThrown(Event):
    """Condottiere  His die: `rout`, `betrayal`, or a value."""

    seat: Seat
    card: str
    face: str
    throw: int


@saved("ren.CondottiereTurned")
@dataclass(frozen=True, kw_only=True)
class CondottiereTurned(Event):
    """Trahison, A5  Bought over by the other side for a ducat."""

    seat: Seat
    loser: Seat
    card: str
    paid: int


@saved("ren.SignLaid")
@dataclass(frozen=True, kw_only=True)
class SignLaid(Event):
    """Signe de Dieu  One card counts double."""

    seat: Seat
    sign: str
    card: str


@saved("ren.BattleDecided")
@dataclass(frozen=True, kw_only=True)
class BattleDecided(Event):
    """Résultat du combat  Both totals, with what they are made of, and who won (`attack`, `defence`, `tie`)."""

    attacker: Seat
    defender: Seat
    city: str
    attack: Mapping[str, int]
    defence: Mapping[str, int]
    won_by: str


@saved("ren.CardsSaved")
@dataclass(frozen=True, kw_only=True)
class CardsSaved(Event):
    """Retraite  Troops taken back before they were discarded, one for each Retraite (none shown: the privilege)."""

    seat: Seat
    cards: tuple[str, ...]
    retreats: tuple[str, ...]
    free: bool = False


@saved("ren.BattleEnded")
@dataclass(frozen=True, kw_only=True)
class BattleEnded(Event):
    """Résultat du combat  The city has changed hands or not; which cards lie aside, are back in hand, are gone."""

    attacker: Seat
    defender: Seat
    city: str
    captured: bool
    aside: tuple[str, ...]
    back: tuple[str, ...]
    discarded: tuple[str, ...]


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
