"""Every event: a change of the board and a sentence of the report.

`cause` is a short code for the narrator: a location's id, or the name of a rule. `points` are Politics Points.
"""

from collections.abc import Mapping

from engine.kernel.events import NOBODY, Event, Heading
from engine.kernel.orders import Orders
from engine.kernel.secrets import Secret
from engine.kernel.viewers import Seat
from engine.patchistory.board import Lot, Phase

# --- set-up and the frame of the game


class CapitalsDealt(Event, saved="patch.CapitalsDealt"):
    """Each player got a capital, all with the same side up (`equality` or `liberty`)."""

    capitals: Mapping[Seat, str]
    side: str


class BuildingsShuffled(Event, saved="patch.BuildingsShuffled"):
    """The building tiles were shuffled."""

    pile: tuple[Secret[str], ...]


class CardsShuffled(Event, saved="patch.CardsShuffled"):
    """The prosperity cards were shuffled."""

    stack: tuple[Secret[str], ...]


class Dealt(Event, saved="patch.Dealt"):
    """A player was dealt building tiles and prosperity cards."""

    seat: Seat
    pack: tuple[Secret[str], ...]
    cards: tuple[Secret[str], ...]


class FirstPlayerChosen(Event, saved="patch.FirstPlayerChosen"):
    """The first player was drawn."""

    seat: Seat


class RouteLaid(Event, saved="patch.RouteLaid"):
    """A trade route was laid between two players. `cause`: `setup`, `negotiation`, or a location."""

    number: int
    start: Seat
    end: Seat
    allied: bool
    cause: str


class RouteGone(Event, saved="patch.RouteGone"):
    """A trade route was discarded; an alliance ends with its route."""

    number: int
    allied: bool
    ends: tuple[Seat, ...]
    cause: str


class EraBegan(Event, saved="patch.EraBegan"):
    """8. Fin d'une Ère: the old era's tiles were removed, the new era's tiles shuffled."""

    era: int
    deck: tuple[Secret[str], ...]


class TurnBegan(Event, saved="patch.TurnBegan"):
    """A round began. `turn`: 1 to 15. `first`: the first player."""

    heading = Heading.TURN
    turn: int
    era: int
    round: int
    first: Seat


class PhaseBegan(Event, saved="patch.PhaseBegan"):
    """A phase began. `strides`: before the movement, how far each player's workers go (A-21)."""

    heading = Heading.PHASE
    phase: Phase
    strides: Mapping[Seat, int] | None = None


class Replied(Event, saved="patch.Replied"):
    """An answer was stored until a later step uses it. `key`: its gate and seat."""

    key: str
    answer: Secret[Orders]
    visible_to: frozenset[Seat] | None = NOBODY


class RepliesUsed(Event, saved="patch.RepliesUsed"):
    """Stored answers were used and removed."""

    keys: tuple[str, ...]
    visible_to: frozenset[Seat] | None = NOBODY


# --- auction and placement


class Offered(Event, saved="patch.Offered"):
    """Land tiles were put on offer."""

    lots: tuple[Lot, ...]


class MoneyLent(Event, saved="patch.MoneyLent"):
    """6. A player without Money discarded Culture for one."""

    seat: Seat
    culture: int
    money: int


class Waited(Event, saved="patch.Waited"):
    """First auction: a player waited instead of bidding."""

    seat: Seat


class BidMade(Event, saved="patch.BidMade"):
    """A bid was made.

    `raised`: what it added to the earlier bid. `left`: the lot from which the bid was moved.
    """

    seat: Seat
    lot: str
    money: int
    raised: int
    left: str = ""


class BidsShown(Event, saved="patch.BidsShown"):
    """Two players: both bids were shown and paid."""

    bids: tuple[tuple[Seat, str, int], ...]


class TileTaken(Event, saved="patch.TileTaken"):
    """A player took a tile. `cause`: `bid`, `other` (the remaining one), or a location."""

    seat: Seat
    lot: Lot
    cause: str


class TilePlaced(Event, saved="patch.TilePlaced"):
    """A tile was placed with its top left square at `corner`. `under`: its squares below existing ones."""

    seat: Seat
    tile: str
    side: str
    corner: str
    under: tuple[str, ...] = ()


class TileDiscarded(Event, saved="patch.TileDiscarded"):
    """A won tile was not placed."""

    seat: Seat
    tile: str


# --- workers


class WorkerSettled(Event, saved="patch.WorkerSettled"):
    """A worker moved from the People track to a square.

    `cause`: `setup`, `train` (with its price), or a location.
    """

    seat: Seat
    square: str
    cause: str
    food: int = 0
    points: int = 0


class WorkerMoved(Event, saved="patch.WorkerMoved"):
    """A worker moved between squares. `cause`: `movement`, `crowded` (A-10), or `shared`: back, because the location is
    still occupied.
    """

    seat: Seat
    start: str
    to: str
    cause: str


class WorkerSent(Event, saved="patch.WorkerSent"):
    """Commerce: a worker moved from a square to the start of a route."""

    seat: Seat
    square: str
    number: int
    food: int
    points: int


class WorkerTravelled(Event, saved="patch.WorkerTravelled"):
    """A worker moved on a route to the space `spot`."""

    seat: Seat
    number: int
    spot: int


class WorkerRested(Event, saved="patch.WorkerRested"):
    """A worker on a route moved to rest/return."""

    seat: Seat
    number: int


class WorkerCameHome(Event, saved="patch.WorkerCameHome"):
    """A worker moved from a route to a square of its owner.

    `square`: "" for the People track, if none was free.
    """

    seat: Seat
    number: int
    square: str
    cause: str


class WorkerSentBack(Event, saved="patch.WorkerSentBack"):
    """A worker returned to the People track, from a square, or from the route of this number."""

    seat: Seat
    square: str
    number: int
    cause: str


# --- diplomacy and administration


class AidOffered(Event, saved="patch.AidOffered"):
    """Aide: three goods were offered."""

    seat: Seat
    to: Seat
    goods: tuple[str, ...]
    points: int


class AidAnswered(Event, saved="patch.AidAnswered"):
    """Aide: the offer was accepted, and the goods moved, or refused. The giver gains Culture either way."""

    seat: Seat
    to: Seat
    goods: tuple[str, ...]
    accepted: bool
    culture: int


class Threatened(Event, saved="patch.Threatened"):
    """Menace: the demand was paid, as far as possible."""

    seat: Seat
    to: Seat
    good: str
    demanded: int
    paid: int
    points: int


class AllianceBroken(Event, saved="patch.AllianceBroken"):
    """Briser une Alliance: an alliance ended, with a vote for each Politics Point spent."""

    seat: Seat
    to: Seat
    points: int
    votes: int


class Exchanged(Event, saved="patch.Exchanged"):
    """Échange: units of one good were exchanged for others."""

    seat: Seat
    good: str
    count: int
    gained: Mapping[str, int]
    points: int


class Honoured(Event, saved="patch.Honoured"):
    """Honorer: Culture was gained for each hero, or each wonder. `what`: `hero` or `wonder`."""

    seat: Seat
    what: str
    good: str
    paid: int
    culture: int
    points: int


class RouteBuilt(Event, saved="patch.RouteBuilt"):
    """Construction: a main route was built, with its start at the builder."""

    seat: Seat
    to: Seat
    number: int
    resources: int
    points: int


class Cleared(Event, saved="patch.Cleared"):
    """Assainissement: a building tile was placed as Wasteland. `tile`: its hidden building.

    `of`: the owner of the territory. `cause`: `clear`, or the location that does it to another player.
    """

    seat: Seat
    of: Seat
    square: str
    tile: Secret[str]
    resources: int
    points: int
    cause: str


class Built(Event, saved="patch.Built"):
    """Construction: a building tile was placed as a building."""

    seat: Seat
    square: str
    tile: str
    resources: int
    points: int


class BuildingDrawn(Event, saved="patch.BuildingDrawn"):
    """A building tile was drawn."""

    seat: Seat
    tile: Secret[str]


class Campaigned(Event, saved="patch.Campaigned"):
    """Campagne: a vote was gained for each Politics Point."""

    seat: Seat
    points: int
    votes: int


class Gained(Event, saved="patch.Gained"):
    """A location gave symbols, or took them if negative. `cause`: its id, or the name of a moment."""

    seat: Seat
    symbols: Mapping[str, int]
    cause: str


# --- negotiation and war


class Negotiated(Event, saved="patch.Negotiated"):
    """Both tokens were shown. `wishes`: the players who want an alliance."""

    number: int
    tokens: Mapping[Seat, str]
    wishes: tuple[Seat, ...]


class WarDeclared(Event, saved="patch.WarDeclared"):
    """A war was declared for the next round; each aggressor paid for the preparation.

    `last`: there is no next round, so it is never fought (A-26).
    """

    number: int
    roles: Mapping[Seat, str]
    paid: Mapping[Seat, int]
    last: bool = False


class WarFought(Event, saved="patch.WarFought"):
    """Guerre: a war was fought.

    `fuel`: goods discarded for power. `winner`: None if two aggressors were equal.
    """

    number: int
    powers: Mapping[Seat, int]
    fuel: Mapping[Seat, Mapping[str, int]]
    winner: Seat | None
    loser: Seat | None
    culture: int
    taken: int


class WarCancelled(Event, saved="patch.WarCancelled"):
    """A-25: a new alliance, or the loss of the route, cancelled a declared war."""

    number: int
    ends: tuple[Seat, ...]


# --- production, upkeep, vote, end


class Produced(Event, saved="patch.Produced"):
    """5. Production: tiles produced goods, then workers on routes."""

    seat: Seat
    tiles: Mapping[str, int]
    routes: Mapping[str, int]


class WorkersFed(Event, saved="patch.WorkersFed"):
    """Entretien des Ouvriers: Food was paid, and Culture for missing Food."""

    seat: Seat
    food: int
    missing: int
    culture: int


class SpecialsKept(Event, saved="patch.SpecialsKept"):
    """6. Entretien des Héros et des Merveilles: goods were paid, and Culture for missing ones."""

    seat: Seat
    food: int
    resources: int
    missing: Mapping[str, int]
    culture: int


class CardsRevealed(Event, saved="patch.CardsRevealed"):
    """7. Vote: the cards were revealed, in the order of the vote, with the players' ranks."""

    cards: tuple[str, ...]
    ranks: Mapping[str, Mapping[Seat, int]]


class CardPut(Event, saved="patch.CardPut"):
    """A prosperity card was put on the table face down."""

    seat: Seat
    card: Secret[str]


class VotesShown(Event, saved="patch.VotesShown"):
    """The votes on one card were shown."""

    card: str
    votes: Mapping[Seat, int]


class CardsDropped(Event, saved="patch.CardsDropped"):
    """The card with the fewest votes does not count; if several tie, no card counts."""

    cards: tuple[str, ...]


class CardScored(Event, saved="patch.CardScored"):
    """Décompte: Culture was scored by rank, negative for the last."""

    card: str
    votes: int
    culture: Mapping[Seat, int]


class VoteEnded(Event, saved="patch.VoteEnded"):
    """All votes, spent or not, and the played cards were discarded."""
