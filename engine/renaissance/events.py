"""Every event of the game, in the past tense; values that are not public are Secrets.

Cities, nations, kinds and artists are ids of the catalogue; cards are ids of single cards.
"""

from collections.abc import Mapping

from engine.kernel.events import Event, Heading
from engine.kernel.secrets import Secret
from engine.kernel.viewers import Seat
from engine.renaissance.board import Battle, Phase

# --- outside combat: cards and order, preparation, sequences, purchases, expansion, points, treasury


class DeckMade(Event, saved="ren.DeckMade"):
    """A deck was shuffled. `cause`: `start`, `empty` (from the discards, A19) or `turn` (with all hands)."""

    deck: tuple[Secret[str], ...]
    cause: str


class NationTaken(Event, saved="ren.NationTaken"):
    """Préparation  A seat got a nation. `drawn`: by lot; if False, as it chose."""

    seat: Seat
    nation: str
    drawn: bool


class TableSet(Event, saved="ren.TableSet"):
    """Préparation  The scenario was set, and provinces closed for this number of players."""

    scenario: str
    closed: tuple[str, ...]


class OrderDrawn(Event, saved="ren.OrderDrawn"):
    """Séquence 4, A27  The order of play was set.

    `listed`: by the scenario. `barred`: the seat that could not be first again.
    """

    order: tuple[Seat, ...]
    listed: bool = False
    barred: Seat | None = None


class Founded(Event, saved="ren.Founded"):
    """Préparation  A nation got its start cities, its rampart, and in 1515 its palace."""

    seat: Seat
    cities: tuple[str, ...]
    rampart: str
    palace: str = ""


class GarrisonPlaced(Event, saved="ren.GarrisonPlaced"):
    """Préparation  The third garrison was placed. `sea`: no road leads there."""

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
    """Disparition de l'un des joueurs  A player returned with a start city and some ducats.

    `loser`: its former owner.

    Offers to swap the city were removed (A41).
    """

    seat: Seat
    city: str
    loser: Seat | None
    ducats: int


class StateSet(Event, saved="ren.StateSet"):
    """Séquence 1  Peace or war was set.

    `votes`: empty in the first turn. `war`, `of`: votes for war, and all votes (A25).
    """

    state: str
    votes: Mapping[Seat, str]
    war: int
    of: int


class StanceTaken(Event, saved="ren.StanceTaken"):
    """A30  The Swiss chose their bonus for attack or defence."""

    seat: Seat
    side: str


class CardsDrawn(Event, saved="ren.CardsDrawn"):
    """Cards were drawn, with ducats. `cause`: `peace`, `war`, `empire`, `bought` or `embassy`."""

    seat: Seat
    cards: tuple[Secret[str], ...]
    cause: str
    ducats: int = 0


class CardsBought(Event, saved="ren.CardsBought"):
    """Séquence 3  Cards were paid for; they are drawn after all purchases of the player."""

    seat: Seat
    count: int
    paid: int


class Built(Event, saved="ren.Built"):
    """Séquence 3  A palace, rampart, castle or fortress was built."""

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
    """Disparition de l'un des joueurs  A player has no city left, and returns next turn, if there is one (A23)."""

    seat: Seat


class PointsScored(Event, saved="ren.PointsScored"):
    """Séquence 6  A seat scored a point for each whole province and each palace with an artist."""

    seat: Seat
    provinces: tuple[str, ...]
    artists: tuple[str, ...]


class IncomeTaken(Event, saved="ren.IncomeTaken"):
    """Le trésor  Income was paid for cities, except pillaged ones. `bonus`: Venice's privilege."""

    seat: Seat
    ducats: int
    pillaged: tuple[str, ...]
    bonus: int = 0


class MarkersLifted(Event, saved="ren.MarkersLifted"):
    """Le trésor  The pillage markers were removed."""

    cities: tuple[str, ...]


# --- Phase 2 - Combats: each player's turn, and battles


class CampaignBegan(Event, saved="ren.CampaignBegan"):
    """Phase 2 - Combats  A player's combat turn began."""

    seat: Seat


class CampaignEnded(Event, saved="ren.CampaignEnded"):
    """Phase 2 - Combats  A combat turn ended; the player's cards set aside returned to the hand."""

    seat: Seat
    cards: tuple[str, ...]


class AttackAnnounced(Event, saved="ren.AttackAnnounced"):
    """Annonce du combat  A battle for a city was announced; the attacker's cards are face down."""

    battle: Battle


class CondottiereOffered(Event, saved="ren.CondottiereOffered"):
    """Vente de Condottiere  A third party offered a Condottiere to a belligerent."""

    seat: Seat
    to: Seat


class CondottiereHired(Event, saved="ren.CondottiereHired"):
    """Vente de Condottiere  A Condottiere was bought for a ducat, and laid.

    `back`: the troop that it replaced, back in the hand.
    """

    seat: Seat
    seller: Seat
    card: Secret[str]
    back: Secret[str] | None = None
    paid: int = 1


class DefenceLaid(Event, saved="ren.DefenceLaid"):
    """Combat  The defender laid cards face down."""

    seat: Seat
    cards: tuple[Secret[str], ...]


class CardsShown(Event, saved="ren.CardsShown"):
    """Combat  Both rolled a die and showed all cards.

    `paid`: ducats for Condottieri, by seat. `unpaid`: Condottieri that could not be paid (A6).
    """

    attacker: Seat
    defender: Seat
    attack: tuple[str, ...]
    defence: tuple[str, ...]
    dice: tuple[int, int]
    paid: Mapping[Seat, int]
    unpaid: tuple[str, ...] = ()


class HirePresumed(Event, saved="ren.HirePresumed"):
    """A6, A26  A preview paid the Condottieri of an attack. `free`: Milan's free one is among them."""

    seat: Seat
    ducats: int
    free: bool


class RedCancelled(Event, saved="ren.RedCancelled"):
    """Le contre  The attacker's red card was cancelled by the same card, laid (A13) or from the hand (A14)."""

    seat: Seat
    kind: str
    attack: str
    defence: str
    from_hand: bool


class TroopLost(Event, saved="ren.TroopLost"):
    """Félon in defence, A12  The attacker lost the strongest troop. `card`: "" if there was none."""

    seat: Seat
    card: str


class CondottiereThrown(Event, saved="ren.CondottiereThrown"):
    """Condottiere  The Condottiere's die was rolled: `rout`, `betrayal`, or a value.

    `for_sale`: it turns traitor, and the other side has a ducat to buy it with.
    """

    seat: Seat
    card: str
    face: str
    throw: int
    for_sale: bool = False


class CondottiereTurned(Event, saved="ren.CondottiereTurned"):
    """Trahison, A5  A Condottiere was bribed by the other side for a ducat."""

    seat: Seat
    loser: Seat
    card: str
    paid: int


class SignLaid(Event, saved="ren.SignLaid"):
    """Signe de Dieu  A card counts double."""

    seat: Seat
    sign: str
    card: str


class BattleDecided(Event, saved="ren.BattleDecided"):
    """Résultat du combat  A battle was decided: `attack`, `defence` or `tie`.

    `attack`, `defence`: the items of both totals.
    """

    attacker: Seat
    defender: Seat
    city: str
    attack: Mapping[str, int]
    defence: Mapping[str, int]
    won_by: str


class CardsSaved(Event, saved="ren.CardsSaved"):
    """Retraite  Troops were taken back before the discard, one for each Retraite.

    `free`: one by the privilege, without a card.
    """

    seat: Seat
    cards: tuple[str, ...]
    retreats: tuple[str, ...]
    free: bool = False


class BattleEnded(Event, saved="ren.BattleEnded"):
    """Résultat du combat  A battle ended.

    `captured`: the city changed hands.
    `aside`: the attacker's cards set aside.
    `back`: the defender's cards back in hand.
    `discarded`: all others.
    """

    attacker: Seat
    defender: Seat
    city: str
    captured: bool
    aside: tuple[str, ...]
    back: tuple[str, ...]
    discarded: tuple[str, ...]


# --- outside battles: yellow cards, privileges, diplomacy


class CardPlayed(Event, saved="ren.CardPlayed"):
    """A card was shown and discarded. `card`: "" for a privilege used as a card (A26)."""

    seat: Seat
    kind: str
    card: str


class Pillaged(Event, saved="ren.Pillaged"):
    """Pillards  A die was rolled against a city's walls; a free city needs none. `ducats`: the loot."""

    seat: Seat
    city: str
    owner: Seat | None
    throw: int
    needs: int
    won: bool
    ducats: int


class EmbassyHeard(Event, saved="ren.EmbassyHeard"):
    """Ambassadeur  Two dice gave `corruption`, `upkeep` or `help`.

    `city`: "" if no named city was possible (A18).
    """

    seat: Seat
    dice: tuple[int, int]
    effect: str
    city: str = ""


class Corrupted(Event, saved="ren.Corrupted"):
    """Corruption  A die was rolled against a city's walls. `won`: the city changed sides."""

    seat: Seat
    city: str
    loser: Seat
    throw: int
    needs: int
    won: bool


class Ruined(Event, saved="ren.Ruined"):
    """Mauvais entretien, A18  A castle or a rampart was destroyed."""

    seat: Seat
    city: str
    owner: Seat
    level: int


class Married(Event, saved="ren.Married"):
    """Mariage, A4  A city was taken for two ducats, paid to its owner."""

    seat: Seat
    city: str
    loser: Seat
    paid: int


class ArtistCame(Event, saved="ren.ArtistCame"):
    """Artiste  An artist was drawn.

    `burnt`: it was the preacher, who burns the palace and returns to the supply.
    """

    seat: Seat
    city: str
    artist: str
    burnt: bool


class BankerPaid(Event, saved="ren.BankerPaid"):
    """Banquier  A palace earned five ducats."""

    seat: Seat
    city: str
    ducats: int


class ArtistLured(Event, saved="ren.ArtistLured"):
    """A31  Florence tried to take another player's artist."""

    seat: Seat
    origin: str
    city: str
    loser: Seat
    artist: str
    throw: int
    won: bool


class Gave(Event, saved="ren.Gave"):
    """Diplomatie  Ducats were given to another player."""

    seat: Seat
    to: Seat
    ducats: int


class SwapOffered(Event, saved="ren.SwapOffered"):
    """Diplomatie  A city was offered for another player's."""

    seat: Seat
    to: Seat
    gives: str
    wants: str


class SwapRecalled(Event, saved="ren.SwapRecalled"):
    """Diplomatie  An offer was withdrawn."""

    seat: Seat
    gives: str
    wants: str


class Swapped(Event, saved="ren.Swapped"):
    """Diplomatie  Two cities of one level changed owners."""

    seat: Seat
    to: Seat
    gives: str
    wants: str
