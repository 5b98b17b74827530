"""Every event of the game: a fact each, in the past tense; what not everybody may know is a Secret.

Cities, nations, kinds and artists are ids of the catalogue; cards are ids of single cards.
"""

from collections.abc import Mapping

from engine.kernel.events import Event, Heading
from engine.kernel.secrets import Secret
from engine.kernel.viewers import Seat
from engine.renaissance.board import Battle, Phase

# --- the course of a game: cards and order, the preparation, sequences, purchases, expansion, points, treasury


class DeckMade(Event, saved="ren.DeckMade"):
    """Cards were shuffled into a deck. `cause`: `start`, `empty` (the discards, A19), `turn` (all hands come back)."""

    deck: tuple[Secret[str], ...]
    cause: str


class NationTaken(Event, saved="ren.NationTaken"):
    """Préparation  A seat plays a nation: by lot, or as it chose."""

    seat: Seat
    nation: str
    drawn: bool


class TableSet(Event, saved="ren.TableSet"):
    """Préparation  The scenario, and the provinces closed for this number of players."""

    scenario: str
    closed: tuple[str, ...]


class OrderDrawn(Event, saved="ren.OrderDrawn"):
    """Séquence 4, A27  The order of play. `listed`: by the scenario; `barred`: who could not be first again."""

    order: tuple[Seat, ...]
    listed: bool = False
    barred: Seat | None = None


class Founded(Event, saved="ren.Founded"):
    """Préparation  A nation's start cities, its rampart, its palace in 1515."""

    seat: Seat
    cities: tuple[str, ...]
    rampart: str
    palace: str = ""


class GarrisonPlaced(Event, saved="ren.GarrisonPlaced"):
    """Préparation  The third garrison; by sea if no road leads there."""

    seat: Seat
    city: str
    sea: bool


class TurnBegan(Event, saved="ren.TurnBegan"):
    """A turn of eight years began."""

    heading = Heading.TURN
    turn: int
    year: int


class PhaseBegan(Event, saved="ren.PhaseBegan"):
    """A sequence began."""

    heading = Heading.PHASE
    phase: Phase


class Returned(Event, saved="ren.Returned"):
    """Disparition de l'un des joueurs  Back in the game with a start city, from any owner, and some ducats.

    With the city go the offers of its swap (A41).
    """

    seat: Seat
    city: str
    loser: Seat | None
    ducats: int


class StateSet(Event, saved="ren.StateSet"):
    """Séquence 1  Peace or war; `votes` are empty on the first turn. `war` of `of` votes were for war (A25)."""

    state: str
    votes: Mapping[Seat, str]
    war: int
    of: int


class StanceTaken(Event, saved="ren.StanceTaken"):
    """A30  The Swiss fight better in attack, or in defence."""

    seat: Seat
    side: str


class CardsDrawn(Event, saved="ren.CardsDrawn"):
    """Cards from the deck, and ducats with them. `cause`: `peace`, `war`, `empire`, `bought`, `embassy`."""

    seat: Seat
    cards: tuple[Secret[str], ...]
    cause: str
    ducats: int = 0


class CardsBought(Event, saved="ren.CardsBought"):
    """Séquence 3  Cards were paid; they are drawn when the announcement is over."""

    seat: Seat
    count: int
    paid: int


class Built(Event, saved="ren.Built"):
    """Séquence 3  A palace, rampart, castle or fortress."""

    seat: Seat
    city: str
    what: str
    paid: int


class Settled(Event, saved="ren.Settled"):
    """Phase 1 - Expansion  A free city was taken, by road or by sea."""

    seat: Seat
    city: str
    origin: str
    sea: bool


class Eliminated(Event, saved="ren.Eliminated"):
    """Disparition de l'un des joueurs  No city is left; the player comes back next turn, if there is one (A23)."""

    seat: Seat


class PointsScored(Event, saved="ren.PointsScored"):
    """Séquence 6  A point for each whole province, and for each palace with an artist."""

    seat: Seat
    provinces: tuple[str, ...]
    artists: tuple[str, ...]


class IncomeTaken(Event, saved="ren.IncomeTaken"):
    """Le trésor  Ducats by cities, the pillaged apart; `bonus`: Venice's privilege."""

    seat: Seat
    ducats: int
    pillaged: tuple[str, ...]
    bonus: int = 0


class MarkersLifted(Event, saved="ren.MarkersLifted"):
    """Le trésor  The pillage markers went back."""

    cities: tuple[str, ...]


# --- Phase 2 - Combats: the turn of each player, and a battle from its announcement to its end


class CampaignBegan(Event, saved="ren.CampaignBegan"):
    """Phase 2 - Combats  A player's turn."""

    seat: Seat


class CampaignEnded(Event, saved="ren.CampaignEnded"):
    """Phase 2 - Combats  A turn is over: the cards before the player are back in their hand."""

    seat: Seat
    cards: tuple[str, ...]


class AttackAnnounced(Event, saved="ren.AttackAnnounced"):
    """Annonce du combat  A battle is fought for a city; the attacker's cards lie face down."""

    battle: Battle


class CondottiereOffered(Event, saved="ren.CondottiereOffered"):
    """Vente de Condottiere  A third party would sell one to a belligerent."""

    seat: Seat
    to: Seat


class CondottiereHired(Event, saved="ren.CondottiereHired"):
    """Vente de Condottiere  Bought for a ducat, and laid. `back`: the troop that it replaced, in hand again."""

    seat: Seat
    seller: Seat
    card: Secret[str]
    back: Secret[str] | None = None
    paid: int = 1


class DefenceLaid(Event, saved="ren.DefenceLaid"):
    """Combat  The defender's cards lie face down."""

    seat: Seat
    cards: tuple[Secret[str], ...]


class CardsShown(Event, saved="ren.CardsShown"):
    """Combat  Both dice, all cards, what the Condottieri among them cost, and those that could not be paid (A6)."""

    attacker: Seat
    defender: Seat
    attack: tuple[str, ...]
    defence: tuple[str, ...]
    dice: tuple[int, int]
    paid: Mapping[Seat, int]
    unpaid: tuple[str, ...] = ()


class HirePresumed(Event, saved="ren.HirePresumed"):
    """A6, A26  In a preview: what the Condottieri of an attack would cost, and that Milan's free one is among them."""

    seat: Seat
    ducats: int
    free: bool


class RedCancelled(Event, saved="ren.RedCancelled"):
    """Le contre  The attacker's red card was cancelled by the same one, laid (A13) or from hand (A14)."""

    seat: Seat
    kind: str
    attack: str
    defence: str
    from_hand: bool


class TroopLost(Event, saved="ren.TroopLost"):
    """Félon in defence, A12  The attacker's strongest troop is gone (no card: there was none)."""

    seat: Seat
    card: str


class CondottiereThrown(Event, saved="ren.CondottiereThrown"):
    """Condottiere  The Condottiere's die: `rout`, `betrayal`, or a value."""

    seat: Seat
    card: str
    face: str
    throw: int


class CondottiereTurned(Event, saved="ren.CondottiereTurned"):
    """Trahison, A5  Bought over by the other side for a ducat."""

    seat: Seat
    loser: Seat
    card: str
    paid: int


class SignLaid(Event, saved="ren.SignLaid"):
    """Signe de Dieu  One card counts double."""

    seat: Seat
    sign: str
    card: str


class BattleDecided(Event, saved="ren.BattleDecided"):
    """Résultat du combat  Both totals, with what they are made of, and who won (`attack`, `defence`, `tie`)."""

    attacker: Seat
    defender: Seat
    city: str
    attack: Mapping[str, int]
    defence: Mapping[str, int]
    won_by: str


class CardsSaved(Event, saved="ren.CardsSaved"):
    """Retraite  Troops taken back before they were discarded, one for each Retraite (none shown: the privilege)."""

    seat: Seat
    cards: tuple[str, ...]
    retreats: tuple[str, ...]
    free: bool = False


class BattleEnded(Event, saved="ren.BattleEnded"):
    """Résultat du combat  The city has changed hands or not; which cards lie aside, are back in hand, are gone."""

    attacker: Seat
    defender: Seat
    city: str
    captured: bool
    aside: tuple[str, ...]
    back: tuple[str, ...]
    discarded: tuple[str, ...]


# --- beside battles: yellow cards, privileges, and what players agree with each other


class CardPlayed(Event, saved="ren.CardPlayed"):
    """A card was shown and discarded; no card: a privilege that stands for one (A26)."""

    seat: Seat
    kind: str
    card: str


class Pillaged(Event, saved="ren.Pillaged"):
    """Pillards  A die against a city's walls (none for a free city); what the looters brought."""

    seat: Seat
    city: str
    owner: Seat | None
    throw: int
    needs: int
    won: bool
    ducats: int


class EmbassyHeard(Event, saved="ren.EmbassyHeard"):
    """Ambassadeur  Two dice: `corruption`, `upkeep` or `help`; no city: nothing could be done with it (A18)."""

    seat: Seat
    dice: tuple[int, int]
    effect: str
    city: str = ""


class Corrupted(Event, saved="ren.Corrupted"):
    """Corruption  A die against a city's walls; it changes sides or not."""

    seat: Seat
    city: str
    loser: Seat
    throw: int
    needs: int
    won: bool


class Ruined(Event, saved="ren.Ruined"):
    """Mauvais entretien, A18  A castle or a rampart fell down."""

    seat: Seat
    city: str
    owner: Seat
    level: int


class Married(Event, saved="ren.Married"):
    """Mariage, A4  A city for two ducats, paid to its owner."""

    seat: Seat
    city: str
    loser: Seat
    paid: int


class ArtistCame(Event, saved="ren.ArtistCame"):
    """Artiste  An artist was drawn; the preacher burns the palace, and is put back."""

    seat: Seat
    city: str
    artist: str
    burnt: bool


class BankerPaid(Event, saved="ren.BankerPaid"):
    """Banquier  Five ducats by a palace."""

    seat: Seat
    city: str
    ducats: int


class ArtistLured(Event, saved="ren.ArtistLured"):
    """A31  Florence tried to draw an artist away."""

    seat: Seat
    origin: str
    city: str
    loser: Seat
    artist: str
    throw: int
    won: bool


class Gave(Event, saved="ren.Gave"):
    """Diplomatie  Ducats for another player."""

    seat: Seat
    to: Seat
    ducats: int


class SwapOffered(Event, saved="ren.SwapOffered"):
    """Diplomatie  A city offered for another's."""

    seat: Seat
    to: Seat
    gives: str
    wants: str


class SwapRecalled(Event, saved="ren.SwapRecalled"):
    """Diplomatie  An offer taken back."""

    seat: Seat
    gives: str
    wants: str


class Swapped(Event, saved="ren.Swapped"):
    """Diplomatie  Two cities of one level changed owners."""

    seat: Seat
    to: Seat
    gives: str
    wants: str
