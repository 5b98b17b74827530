"""Every event: a change of the board and a sentence of the report.

`cause` is a short code for the narrator: a card's id, an advance's letter, or the name of a rule (`stabilisation`,
`shortage`, `surplus`, `bonus`, `turn`, `extra`, `expansion`, `bid` ...).
"""

from engine.age_of_renaissance.atlas import Ship
from engine.age_of_renaissance.board import Leader, Phase
from engine.kernel.events import NOBODY, Event, Heading
from engine.kernel.orders import Orders
from engine.kernel.secrets import Secret
from engine.kernel.viewers import Seat

# --- set-up (§8) and the piles (§4.7)


class PileMade(Event, saved="aor.PileMade"):
    """A pile was shuffled. `cause`: `setup`, `kept`, `withheld`, or `epoch` (with the discards)."""

    epoch: int
    deck: tuple[Secret[str], ...]
    cause: str


class Dealt(Event, saved="aor.Dealt"):
    """§8.1  Cards were dealt from the top of the pile."""

    seat: Seat
    cards: tuple[Secret[str], ...]


class Kept(Event, saved="aor.Kept"):
    """§8.1  Two cards were kept; the third is face down with the pile (`PileMade` shuffles it in)."""

    seat: Seat
    kept: tuple[Secret[str], ...]
    back: Secret[str]


class BidMade(Event, saved="aor.BidMade"):
    """§8.3  A bid was revealed and paid."""

    seat: Seat
    ducats: int


class TieRolled(Event, saved="aor.TieRolled"):
    """§8.3  Equal bids were decided by dice."""

    rolls: tuple[tuple[Seat, int], ...]


class CapitalTaken(Event, saved="aor.CapitalTaken"):
    """§8.3  A capital was taken and got a control marker. `chosen`: 1 for the first choice."""

    seat: Seat
    capital: str
    chosen: int


# --- the course of the game


class TurnBegan(Event, saved="aor.TurnBegan"):
    """A turn began; effects of the previous turn ended."""

    heading = Heading.TURN
    turn: int


class PhaseBegan(Event, saved="aor.PhaseBegan"):
    """A phase began; effects of the previous phase ended."""

    heading = Heading.PHASE
    phase: Phase


class LastTurnCame(Event, saved="aor.LastTurnCame"):
    """§11, R26  This turn is the last. `reason`: one of the game's endings."""

    reason: str


class TokensBought(Event, saved="aor.TokensBought"):
    """§9.7  A power asked for `asked` tokens and got `taken` from the stock for `paid` ducats.

    The remaining cash is written on the sheet.
    """

    seat: Seat
    asked: int
    taken: int
    paid: int


class OrderSet(Event, saved="aor.OrderSet"):
    """The order of play was set, first to last, with ranks.

    `cause`: `tokens`, `Q` (by `seat`) or `civil_war`.
    """

    slots: tuple[tuple[Seat, int], ...]
    cause: str
    seat: Seat | None = None


class Replied(Event, saved="aor.Replied"):
    """An answer was stored until a later step uses it. `key`: its gate and seat."""

    key: str
    answer: Secret[Orders]
    visible_to: frozenset[Seat] | None = NOBODY


class RepliesUsed(Event, saved="aor.RepliesUsed"):
    """Stored answers were used and removed."""

    keys: tuple[str, ...]
    visible_to: frozenset[Seat] | None = NOBODY


# --- cards in and out of hands


class CardDrawn(Event, saved="aor.CardDrawn"):
    """The top card was drawn, for `ducats` or `tokens`.

    `cause`: `turn`, `extra` (V), `expansion`, `bonus` or `shortage`.
    """

    seat: Seat
    card: Secret[str]
    cause: str
    ducats: int = 0
    tokens: int = 0


class CardDiscarded(Event, saved="aor.CardDiscarded"):
    """§9.2  A card was discarded face up. `removed`: it left the game, because it does not recycle."""

    seat: Seat
    card: str
    removed: bool
    cause: str


class CardPlayed(Event, saved="aor.CardPlayed"):
    """§9.3  A card was played. `target`: as in the order. `good`: the good of a commodity card."""

    seat: Seat
    card: str
    target: tuple[str, ...] = ()
    good: str = ""


class CardsKept(Event, saved="aor.CardsKept"):
    """§7.2, §11.1, R52  Unplayable cards stay in hand in the last card play. Visible to their owner."""

    seat: Seat
    cards: tuple[str, ...]


class CardsExchanged(Event, saved="aor.CardsExchanged"):
    """§9.5.2 Manuscrits  A captor and the victim exchanged one card each; both know both cards."""

    seat: Seat
    victim: Seat
    given: Secret[str]
    taken: Secret[str]


# --- money, misery, markets


class Paid(Event, saved="aor.Paid"):
    """Ducats were paid to the bank."""

    seat: Seat
    ducats: int
    cause: str


class Received(Event, saved="aor.Received"):
    """Ducats were received from the bank."""

    seat: Seat
    ducats: int
    cause: str


class CommodityPaid(Event, saved="aor.CommodityPaid"):
    """§9.3.1  A commodity card paid for `provinces` controlled.

    `market`: boxes moved by the market. `manufactures`: one more box.
    """

    seat: Seat
    good: str
    provinces: int
    market: int
    manufactures: bool
    ducats: int


class IncomeTaken(Event, saved="aor.IncomeTaken"):
    """§9.6  Income was taken: `base` for provinces, `middle` for Z, `bank` for L."""

    seat: Seat
    provinces: int
    base: int
    middle: int
    bank: int


class MiseryMoved(Event, saved="aor.MiseryMoved"):
    """Misery moved from index `before` to `after` of the ladder; `len(MISERY)` is beyond its end."""

    seat: Seat
    before: int
    after: int
    cause: str


class Eliminated(Event, saved="aor.Eliminated"):
    """§9.4.4, §11.3  A power is out of the game. `cause`: `misery` or `left`.

    Its hand is discarded or removed, and its bought tokens return to the stock.
    """

    seat: Seat
    cause: str
    discarded: tuple[str, ...]
    removed: tuple[str, ...]


class MarketRolled(Event, saved="aor.MarketRolled"):
    """§9.6.1  Three dice were rolled. `shift`: +1 for a shortage, -1 for a surplus of these goods."""

    green: int
    black: int
    white: int
    goods: tuple[str, ...]
    shift: int


class MarketMoved(Event, saved="aor.MarketMoved"):
    """A market moved by `by`, positive towards shortage.

    `cause`: `cancelled` (by the first player), `J` (Mills), `played` or `expired`. `left`: where it is now.
    """

    good: str
    by: int
    cause: str
    seat: Seat | None = None
    ducats: int = 0
    left: int = 0


# --- events of history (A2)


class MarkerReduced(Event, saved="aor.MarkerReduced"):
    """§9.3.2, R13  A marker was replaced by one old token, or by nothing.

    `source`: `stock`, `expansion`, `left` (empty by its owner's choice), or "" (no token available).
    """

    seat: Seat
    province: str
    source: str
    cause: str


class PiecesRemoved(Event, saved="aor.PiecesRemoved"):
    """All pieces of a power in a province returned to its stock."""

    seat: Seat
    province: str
    tokens: int
    marker: bool
    cause: str


class MarkerPlaced(Event, saved="aor.MarkerPlaced"):
    """An old marker was placed in an empty province (Crusades).

    `token`: a token instead, if no marker is left (R49).
    """

    seat: Seat
    province: str
    token: bool
    cause: str


class WarRolled(Event, saved="aor.WarRolled"):
    """A2 Guerre  A War was rolled: dice and bonuses of attacker and defender.

    `winner`: None if tied, so the War goes on.
    """

    attacker: Seat
    defender: Seat
    dice: tuple[int, int]
    bonus: tuple[int, int]
    winner: Seat | None
    turn: int


class WarOver(Event, saved="aor.WarOver"):
    """A War ended without a winner: at the end of the game (§11.1), or because a belligerent has left."""

    attacker: Seat
    defender: Seat


class CessionLapsed(Event, saved="aor.CessionLapsed"):
    """§9.4.4, R58  Provinces owed after a War are not ceded, because a belligerent has left the game."""

    loser: Seat
    winner: Seat
    gone: Seat
    provinces: int


class ProvinceCeded(Event, saved="aor.ProvinceCeded"):
    """A2 Guerre  A province was ceded.

    `placed`: the winner's `marker`, a `token` if no marker is left (R49), or "" if neither is.
    """

    loser: Seat
    winner: Seat
    province: str
    placed: str


class TokensMoved(Event, saved="aor.TokensMoved"):
    """Tokens moved between stock and pool, positive into the pool (Indulgences)."""

    seat: Seat
    tokens: int
    cause: str


# --- purchases (§9.4)


class ShipUpgraded(Event, saved="aor.ShipUpgraded"):
    """§9.4.1  A ship was upgraded to the next level, for `paid` ducats."""

    seat: Seat
    ship: Ship
    paid: int


class AdvanceBought(Event, saved="aor.AdvanceBought"):
    """§9.4.2  An advance was bought.

    `cost`: the printed cost. `credits`: by source, an advance's letter or a leader's id. `paid`: the rest.
    """

    seat: Seat
    letter: str
    cost: int
    credits: tuple[tuple[str, int], ...]
    paid: int


class LeaderClaimed(Event, saved="aor.LeaderClaimed"):
    """§9.3.3 Patronage  A power claimed another power's leader."""

    seat: Seat
    card: str


class Refunded(Event, saved="aor.Refunded"):
    """§9.3.3 Imprimerie  A leader's credits were paid out for advances already held."""

    seat: Seat
    card: str
    letters: tuple[str, ...]
    ducats: int


class Stabilised(Event, saved="aor.Stabilised"):
    """§9.4.3  Stability was paid for, with `cards` in hand.

    `paid`: -1 if not paid; then a MiseryMoved follows.
    """

    seat: Seat
    cards: int
    paid: int


class LeadersLeft(Event, saved="aor.LeadersLeft"):
    """§9.3.3  The leaders in play were removed from the game."""

    leaders: tuple[Leader, ...]


# --- expansion (§9.5)


class Placed(Event, saved="aor.Placed"):
    """§9.5  New tokens were placed in a province.

    `via`: a value of atlas.How. `marker`: they became a control marker (R47).
    """

    seat: Seat
    province: str
    tokens: int
    via: str
    marker: bool


class RivalryFought(Event, saved="aor.RivalryFought"):
    """§9.5.2  An attack was resolved.

    `tokens`: new tokens brought.
    `number`: the number of this power's attack on the province in this turn, from 1.
    `strength`, `against`: the strengths of attacker and defenders.
    `dice`: None if decided by the Conversion of `by`.
    `left`: what a victorious attacker has there: `marker`, `token`, or "" after a loss. The losers' pieces return to
    stock.
    """

    seat: Seat
    province: str
    tokens: int
    via: str
    number: int
    strength: int
    against: tuple[tuple[Seat, int], ...]
    rank: int
    dice: tuple[int, int, int] | None
    by: Seat | None
    won: bool
    left: str


class MarkerLifted(Event, saved="aor.MarkerLifted"):
    """R47  The old marker of `lifted` was moved, as a new one, to a province with own tokens.

    A token replaced it.
    """

    seat: Seat
    lifted: str
    province: str


class TokensReturned(Event, saved="aor.TokensReturned"):
    """§9.5  Unused tokens returned to the stock."""

    seat: Seat
    tokens: int


class Consolidated(Event, saved="aor.Consolidated"):
    """§9.5.4  All new pieces became old."""
