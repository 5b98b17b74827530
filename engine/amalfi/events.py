"""Every event: a change of the board and a sentence of the report.

`cause` is a short code for the narrator: the id of a destination, an artwork, a character, a title or a bonus, or the
name of a rule. Bread beyond the granary is lost, and counted in `lost` (Le Pain).
"""

from collections.abc import Mapping

from engine.amalfi.board import Actions, Phase, Wishes
from engine.kernel.events import NOBODY, Event, Heading
from engine.kernel.orders import Orders, Problem
from engine.kernel.secrets import Sealed, Secret
from engine.kernel.viewers import Seat

# --- set-up


class BoardLaid(Event, saved="amalfi.BoardLaid"):
    """The decrees of the four periods, the three titles and the holder of the Compass were drawn."""

    decrees: tuple[str, ...]
    titles: tuple[str, ...]
    first: Seat


class BreadDealt(Event, saved="amalfi.BreadDealt"):
    """All players got their initial bread, clockwise from the first player."""

    bread: Mapping[Seat, int]


class DeckShuffled(Event, saved="amalfi.DeckShuffled"):
    """The deck of a row was shuffled. `again`: from its discards, because it was empty."""

    row: str
    cards: tuple[Secret[str], ...]
    again: bool = False


class RowFilled(Event, saved="amalfi.RowFilled"):
    """A card was put on the leftmost slot of its row. `card`: "" if a trial cannot foresee it."""

    row: str
    card: str


class CharactersSetOut(Event, saved="amalfi.CharactersSetOut"):
    """All characters were set out, to be dealt."""

    cards: tuple[Secret[str], ...]


class HandChosen(Event, saved="amalfi.HandChosen"):
    """Mise en place §9  A player chose a packet. It is public, because its cards are printed."""

    seat: Seat
    hand: str
    cards: tuple[Secret[str], ...]


class HandDealt(Event, saved="amalfi.HandDealt"):
    """Variantes  Characters were dealt: into the `hand`, as a `packet` to choose from, or put `aside`."""

    seat: Seat
    cards: tuple[Secret[str], ...]
    where: str


class CardsKept(Event, saved="amalfi.CardsKept"):
    """A player kept characters of a `packet`, or of those put `aside`."""

    seat: Seat
    cards: tuple[Secret[str], ...]
    where: str


class PacketsPassed(Event, saved="amalfi.PacketsPassed"):
    """Draft  All players passed their remaining cards to the left. `number`: cards kept so far."""

    number: int
    packets: Mapping[Seat, tuple[Secret[str], ...]]


class CardsReturned(Event, saved="amalfi.CardsReturned"):
    """Cards that a player did not keep were put back, face down."""

    seat: Seat
    cards: tuple[Secret[str], ...]
    where: str


# --- the frame of a period


class PeriodBegan(Event, saved="amalfi.PeriodBegan"):
    """A period began. `turn`: 1 to 4. `first`: the holder of the Compass."""

    heading = Heading.TURN
    turn: int
    first: Seat


class PhaseBegan(Event, saved="amalfi.PhaseBegan"):
    """A phase began."""

    heading = Heading.PHASE
    phase: Phase


class TurnCame(Event, saved="amalfi.TurnCame"):
    """A player's turn came. `round`: how many times turns have gone round in this period."""

    seat: Seat
    round: int
    visible_to: frozenset[Seat] | None = NOBODY


class Passed(Event, saved="amalfi.Passed"):
    """A player passed for the rest of the period. `compass`: as the first, who takes the Compass."""

    seat: Seat
    compass: bool


class QueueKept(Event, saved="amalfi.QueueKept"):
    """A player's remaining actions were stored, with their number; None if none remain."""

    seat: Seat
    queue: Actions | None
    count: Secret[int] | None
    visible_to: frozenset[Seat] | None = NOBODY


class QueueDropped(Event, saved="amalfi.QueueDropped"):
    """A player withdrew the stored actions. Visible to that player."""

    seat: Seat
    lines: int


class WishesNoted(Event, saved="amalfi.WishesNoted"):
    """The choices of the current action were stored; None when it is over."""

    seat: Seat
    wishes: Sealed[Wishes] | Secret[Wishes] | None
    visible_to: frozenset[Seat] | None = NOBODY


class ChoiceCounted(Event, saved="amalfi.ChoiceCounted"):
    """Another choice was asked in this period."""

    visible_to: frozenset[Seat] | None = NOBODY


class Replied(Event, saved="amalfi.Replied"):
    """An answer was stored until a later step uses it. `key`: its gate and seat."""

    key: str
    answer: Secret[Orders]
    visible_to: frozenset[Seat] | None = NOBODY


class RepliesUsed(Event, saved="amalfi.RepliesUsed"):
    """Stored answers were used and removed."""

    keys: tuple[str, ...]
    visible_to: frozenset[Seat] | None = NOBODY


# --- main actions


class Sailed(Event, saved="amalfi.Sailed"):
    """Navigation  A ship went from the bay to a dock, for `bread`."""

    seat: Seat
    place: str
    bread: int


class UsedFromAfar(Event, saved="amalfi.UsedFromAfar"):
    """An own private destination was used without a ship, for `bread` (A21)."""

    seat: Seat
    place: str
    bread: int


class Paid(Event, saved="amalfi.Paid"):
    """Paiements  A cost was paid: ships went from `holds` to the bay, then `emergency` ships from the bay to the port.

    `bread`: the excess stored. `lost`: the rest of the excess. `chosen`: the payment followed the rule of least waste.
    """

    seat: Seat
    cost: int
    holds: Mapping[str, int]
    emergency: int
    bread: int
    lost: int
    chosen: bool


class Acquired(Event, saved="amalfi.Acquired"):
    """Acquisition  An artwork of the Atelier was acquired. `slot`: its place, from the left."""

    seat: Seat
    artwork: str
    slot: int
    points: int


class Discovered(Event, saved="amalfi.Discovered"):
    """Découverte  A tile of the Atlas was discovered."""

    seat: Seat
    destination: str
    slot: int
    points: int


class Invited(Event, saved="amalfi.Invited"):
    """Invitation  A character from the hand was laid out."""

    seat: Seat
    character: str


class Engaged(Event, saved="amalfi.Engaged"):
    """Engagement  An engageable character was turned."""

    seat: Seat
    character: str


class Built(Event, saved="amalfi.Built"):
    """Construction  Ships went from the yard to the port, or to the bay (`to`)."""

    seat: Seat
    ships: int
    to: str


# --- gains


class BreadGained(Event, saved="amalfi.BreadGained"):
    """Bread was gained. `lost`: bread without room."""

    seat: Seat
    bread: int
    lost: int
    cause: str


class BreadPaid(Event, saved="amalfi.BreadPaid"):
    """Bread was paid for an effect."""

    seat: Seat
    bread: int
    cause: str


class PointsGained(Event, saved="amalfi.PointsGained"):
    """Points were gained."""

    seat: Seat
    points: int
    cause: str


class ShipsSent(Event, saved="amalfi.ShipsSent"):
    """Ships went from the bay to holds."""

    seat: Seat
    holds: Mapping[str, int]
    cause: str


class CharacterTaken(Event, saved="amalfi.CharacterTaken"):
    """A character of the Council was taken into the hand. `paid`, `gained`: bread for its slot."""

    seat: Seat
    character: str
    paid: int
    gained: int
    lost: int
    cause: str


class LighthouseErected(Event, saved="amalfi.LighthouseErected"):
    """The leftmost lighthouse of a player's board was erected. `number`: its number on the table."""

    seat: Seat
    place: str
    number: int
    cause: str


class Refreshed(Event, saved="amalfi.Refreshed"):
    """Engaged characters were turned back."""

    seat: Seat
    characters: tuple[str, ...]
    cause: str


class ShipsRecalled(Event, saved="amalfi.ShipsRecalled"):
    """Ships returned from docks to the bay."""

    seat: Seat
    places: tuple[str, ...]
    cause: str


class ShipsLaunched(Event, saved="amalfi.ShipsLaunched"):
    """Ships went from the port to the bay."""

    seat: Seat
    ships: int
    cause: str


class GivenUp(Event, saved="amalfi.GivenUp"):
    """A character was discarded from the hand for an effect."""

    seat: Seat
    character: str
    cause: str


class BenefitLost(Event, saved="amalfi.BenefitLost"):
    """A benefit was impossible or not wanted. `what`: a verb of the catalogue."""

    seat: Seat
    what: str
    cause: str


class NamedInVain(Event, saved="amalfi.NamedInVain"):
    """What a player named could not be got by the action that an effect gave.  Visible to that player."""

    seat: Seat
    thing: str
    cause: str
    reason: Problem


class LighthouseUsed(Event, saved="amalfi.LighthouseUsed"):
    """The owner of a lighthouse paid bread to send a ship there."""

    seat: Seat
    place: str
    hold: str
    bread: int


class CardDiscarded(Event, saved="amalfi.CardDiscarded"):
    """The rightmost card of a row was discarded."""

    row: str
    card: str
    cause: str


class TileTaken(Event, saved="amalfi.TileTaken"):
    """Nouvelle Période  The rightmost tile of the Atlas covered an evolving destination, and is public."""

    tile: str
    place: str


# --- optional actions


class ShipsLowered(Event, saved="amalfi.ShipsLowered"):
    """Actions optionnelles  Ships went from holds to the bay, for bread."""

    seat: Seat
    holds: Mapping[str, int]
    bread: int
    lost: int


class ShipsSupplied(Event, saved="amalfi.ShipsSupplied"):
    """Ravitaillement d'urgence  Ships went from the bay to the port, for bread."""

    seat: Seat
    ships: int
    bread: int
    lost: int


class CharactersDropped(Event, saved="amalfi.CharactersDropped"):
    """Actions optionnelles  Characters were discarded face up from the hand, for bread."""

    seat: Seat
    characters: tuple[str, ...]
    bread: int
    lost: int


# --- points, and the end


class TitleEarned(Event, saved="amalfi.TitleEarned"):
    """Titres  A cube was put on the leftmost free cell. `rank`: its number, from 1."""

    seat: Seat
    title: str
    rank: int
    points: int


class Fed(Event, saved="amalfi.Fed"):
    """Phase 2  Bread was paid as far as there was any. `lost`: points lost for missing bread."""

    seat: Seat
    due: int
    paid: int
    lost: int


class DecreeScored(Event, saved="amalfi.DecreeScored"):
    """Phase 3  Points were scored for each thing counted, including those printed on the board."""

    seat: Seat
    decree: str
    counted: Mapping[str, int]
    parts: Mapping[str, int]


class ShipsReturned(Event, saved="amalfi.ShipsReturned"):
    """Nouvelle Période  All ships returned from docks and ports to the bays."""


class AllRefreshed(Event, saved="amalfi.AllRefreshed"):
    """Nouvelle Période  All engaged characters were turned back."""


class EndScored(Event, saved="amalfi.EndScored"):
    """Fin du jeu  An end-of-game character scored its points."""

    seat: Seat
    character: str
    counted: int
    points: int


# --- the solo rival


class RivalSailed(Event, saved="amalfi.RivalSailed"):
    """Défis solo  A ship of the rival went to a destination."""

    place: str


class RivalErected(Event, saved="amalfi.RivalErected"):
    """Défis solo  The rival erected a lighthouse at a destination; it only blocks the place (A22)."""

    place: str
    number: int


class RivalChecked(Event, saved="amalfi.RivalChecked"):
    """Défis solo  The player's titles were compared with those needed to go on."""

    seat: Seat
    titles: int
    needed: int
