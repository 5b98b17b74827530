"""Every event: a fact that changes the board, and a sentence of the report.

`cause` is a short code that the narrator words: a location's id, or the name of a rule. `points` are Politics Points.
"""

from collections.abc import Mapping

from engine.kernel.events import NOBODY, Event, Heading
from engine.kernel.orders import Orders
from engine.kernel.secrets import Secret
from engine.kernel.viewers import Seat
from engine.patchistory.board import Lot, Phase

# --- set-up and the course of the game


class CapitalsDealt(Event, saved="patch.CapitalsDealt"):
    """Everybody has a capital, all with the same side up (`equality` or `liberty`)."""

    capitals: Mapping[Seat, str]
    side: str


class BuildingsShuffled(Event, saved="patch.BuildingsShuffled"):
    """The building tiles were shuffled."""

    pile: tuple[Secret[str], ...]


class CardsShuffled(Event, saved="patch.CardsShuffled"):
    """The prosperity cards were shuffled."""

    stack: tuple[Secret[str], ...]


class Dealt(Event, saved="patch.Dealt"):
    """A player was dealt building tiles and prosperity cards from the tops of their piles."""

    seat: Seat
    pack: tuple[Secret[str], ...]
    cards: tuple[Secret[str], ...]


class FirstPlayerChosen(Event, saved="patch.FirstPlayerChosen"):
    """Chance chose the first player."""

    seat: Seat


class RouteLaid(Event, saved="patch.RouteLaid"):
    """A trade route lies between two players. `cause`: `setup`, `negotiation`, or the location that brought it."""

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
    """8. Fin d'une Ère: the tiles of the era before are out of the game, those of this one are shuffled."""

    era: int
    deck: tuple[Secret[str], ...]


class TurnBegan(Event, saved="patch.TurnBegan"):
    """A round began. `turn`: 1 to 15; `first`: who has the first player marker."""

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
    """An answer was noted until its consequence comes; `key` names gate and seat."""

    key: str
    answer: Secret[Orders]
    visible_to: frozenset[Seat] | None = NOBODY


class RepliesUsed(Event, saved="patch.RepliesUsed"):
    """Answers whose consequence has come are forgotten."""

    keys: tuple[str, ...]
    visible_to: frozenset[Seat] | None = NOBODY


# --- auction and placement


class Offered(Event, saved="patch.Offered"):
    """Land tiles were laid on the table."""

    lots: tuple[Lot, ...]


class MoneyLent(Event, saved="patch.MoneyLent"):
    """6.  Who has no Money discards Culture for one."""

    seat: Seat
    culture: int
    money: int


class Waited(Event, saved="patch.Waited"):
    """First auction: a player waits instead of bidding."""

    seat: Seat


class BidMade(Event, saved="patch.BidMade"):
    """A bid. `raised`: what it cost more than before; `left`: the lot that the bid was moved from."""

    seat: Seat
    lot: str
    money: int
    raised: int
    left: str = ""


class BidsShown(Event, saved="patch.BidsShown"):
    """Two players: both bids were shown, and paid."""

    bids: tuple[tuple[Seat, str, int], ...]


class TileTaken(Event, saved="patch.TileTaken"):
    """A player takes a tile. `cause`: `bid`, `other` (the one that is left), or the location that gives it."""

    seat: Seat
    lot: Lot
    cause: str


class TilePlaced(Event, saved="patch.TilePlaced"):
    """A tile was placed, with its top left square at `corner` and the squares `under` below what lay there."""

    seat: Seat
    tile: str
    side: str
    corner: str
    under: tuple[str, ...] = ()


class TileDiscarded(Event, saved="patch.TileDiscarded"):
    """A tile that was won was not placed."""

    seat: Seat
    tile: str


# --- workers


class WorkerSettled(Event, saved="patch.WorkerSettled"):
    """A worker of the People track stands on a square. `cause`: `setup`, `train` (with its price), or a location."""

    seat: Seat
    square: str
    cause: str
    food: int = 0
    points: int = 0


class WorkerMoved(Event, saved="patch.WorkerMoved"):
    """A worker went from one square to another. `cause`: `movement`, or `crowded` (A-10)."""

    seat: Seat
    start: str
    to: str
    cause: str


class WorkerSent(Event, saved="patch.WorkerSent"):
    """Commerce: a worker went from a square to the start of a route."""

    seat: Seat
    square: str
    number: int
    food: int
    points: int


class WorkerTravelled(Event, saved="patch.WorkerTravelled"):
    """A worker went forward on a route, to the space `spot`."""

    seat: Seat
    number: int
    spot: int


class WorkerRested(Event, saved="patch.WorkerRested"):
    """A worker on a route went to rest/return."""

    seat: Seat
    number: int


class WorkerCameHome(Event, saved="patch.WorkerCameHome"):
    """A worker left a route for a square of its owner; none where none was free, then for the People track."""

    seat: Seat
    number: int
    square: str
    cause: str


class WorkerSentBack(Event, saved="patch.WorkerSentBack"):
    """A worker went back to the People track, from a square, or from the route of this number."""

    seat: Seat
    square: str
    number: int
    cause: str


# --- diplomacy and administration


class AidOffered(Event, saved="patch.AidOffered"):
    """Aide: three goods are offered."""

    seat: Seat
    to: Seat
    goods: tuple[str, ...]
    points: int


class AidAnswered(Event, saved="patch.AidAnswered"):
    """Aide: taken, the goods change hands; refused, they stay; the giver gains Culture either way."""

    seat: Seat
    to: Seat
    goods: tuple[str, ...]
    accepted: bool
    culture: int


class Threatened(Event, saved="patch.Threatened"):
    """Menace: what was asked for was paid, as far as there was any."""

    seat: Seat
    to: Seat
    good: str
    demanded: int
    paid: int
    points: int


class AllianceBroken(Event, saved="patch.AllianceBroken"):
    """Briser une Alliance: a vote for each Politics Point spent; the route goes."""

    seat: Seat
    to: Seat
    points: int
    votes: int


class Exchanged(Event, saved="patch.Exchanged"):
    """Échange: so many units of one good for others."""

    seat: Seat
    good: str
    count: int
    gained: Mapping[str, int]
    points: int


class Honoured(Event, saved="patch.Honoured"):
    """Honorer: Culture for each hero, or each wonder. `what`: `hero` or `wonder`."""

    seat: Seat
    what: str
    good: str
    paid: int
    culture: int
    points: int


class RouteBuilt(Event, saved="patch.RouteBuilt"):
    """Construction: a main route with its start at the builder."""

    seat: Seat
    to: Seat
    number: int
    resources: int
    points: int


class Cleared(Event, saved="patch.Cleared"):
    """Assainissement: a building tile lies with its Wasteland up; `tile` is what its back hides.

    `of`: whose territory; `cause`: `clear`, or the location that does it to somebody else.
    """

    seat: Seat
    of: Seat
    square: str
    tile: Secret[str]
    resources: int
    points: int
    cause: str


class Built(Event, saved="patch.Built"):
    """Construction: a building tile lies with its building up."""

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
    """Campagne: a vote for each Politics Point."""

    seat: Seat
    points: int
    votes: int


class Gained(Event, saved="patch.Gained"):
    """What a location brings, or takes (below zero). `cause`: its id, or the name of a moment."""

    seat: Seat
    symbols: Mapping[str, int]
    cause: str


# --- negotiation and war


class Negotiated(Event, saved="patch.Negotiated"):
    """Both tokens were shown. `wishes`: who would conclude an alliance."""

    number: int
    tokens: Mapping[Seat, str]
    wishes: tuple[Seat, ...]


class WarDeclared(Event, saved="patch.WarDeclared"):
    """A war will be fought in the next round; each aggressor has paid its preparation."""

    number: int
    roles: Mapping[Seat, str]
    paid: Mapping[Seat, int]


class WarFought(Event, saved="patch.WarFought"):
    """Guerre: powers, what was discarded for them, and who won (nobody where two aggressors are equal)."""

    number: int
    powers: Mapping[Seat, int]
    fuel: Mapping[Seat, Mapping[str, int]]
    winner: Seat | None
    loser: Seat | None
    culture: int
    taken: int


class WarCancelled(Event, saved="patch.WarCancelled"):
    """A-25: a new alliance, or the loss of the route, ends a war that was declared."""

    number: int
    ends: tuple[Seat, ...]


# --- production, upkeep, vote, end


class Produced(Event, saved="patch.Produced"):
    """5. Production: what the tiles bring, then what the workers on routes bring."""

    seat: Seat
    tiles: Mapping[str, int]
    routes: Mapping[str, int]


class WorkersFed(Event, saved="patch.WorkersFed"):
    """Entretien des Ouvriers: Food, and Culture for what is missing."""

    seat: Seat
    food: int
    missing: int
    culture: int


class SpecialsKept(Event, saved="patch.SpecialsKept"):
    """6. Entretien des Héros et des Merveilles: goods, and Culture for what is missing."""

    seat: Seat
    food: int
    resources: int
    missing: Mapping[str, int]
    culture: int


class CardsRevealed(Event, saved="patch.CardsRevealed"):
    """7. Vote: the cards in the order of the vote, who put each, and how players rank."""

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
    """The card with the fewest votes is not counted; where several tie, none is."""

    cards: tuple[str, ...]


class CardScored(Event, saved="patch.CardScored"):
    """Décompte: Culture by rank, below zero for what the last discards."""

    card: str
    votes: int
    culture: Mapping[Seat, int]


class VoteEnded(Event, saved="patch.VoteEnded"):
    """All votes, spent or not, and the used cards are discarded."""
