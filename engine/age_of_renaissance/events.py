"""Every event: a fact that changes the board, and a sentence of the report.

`cause` is always a short code that the narrator words: a card's id, an advance's letter, or the name of a rule
(`stabilisation`, `shortage`, `surplus`, `bonus`, `turn`, `extra`, `expansion`, `bid` ...).
"""

from engine.age_of_renaissance.atlas import Ship
from engine.age_of_renaissance.board import Leader, Phase
from engine.kernel.events import NOBODY, Event, Heading
from engine.kernel.orders import Orders
from engine.kernel.secrets import Secret
from engine.kernel.viewers import Seat

# --- set-up (§8) and the piles (§4.7)


class PileMade(Event, saved="aor.PileMade"):
    """The pile was shuffled anew. `cause`: `setup`, `kept`, `withheld`, `epoch` (with the discards)."""

    epoch: int
    deck: tuple[Secret[str], ...]
    cause: str


class Dealt(Event, saved="aor.Dealt"):
    """§8.1  Cards from the top of the pile."""

    seat: Seat
    cards: tuple[Secret[str], ...]


class Kept(Event, saved="aor.Kept"):
    """§8.1  Two cards were kept; the third lies face down with the pile (`PileMade` shuffles it in)."""

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
    """§8.3  A capital was chosen (`chosen`: 1 for the first choice); a control marker lies there."""

    seat: Seat
    capital: str
    chosen: int


# --- the course of the game


class TurnBegan(Event, saved="aor.TurnBegan"):
    """A turn began; what lasts a turn is over."""

    heading = Heading.TURN
    turn: int


class PhaseBegan(Event, saved="aor.PhaseBegan"):
    """A phase began; what lasts a phase is over."""

    heading = Heading.PHASE
    phase: Phase


class LastTurnCame(Event, saved="aor.LastTurnCame"):
    """§11, R26  This turn is the last; `reason` is one of the game's endings."""

    reason: str


class TokensBought(Event, saved="aor.TokensBought"):
    """§9.7  `asked` tokens, `taken` of them from the stock, for `paid` ducats; what is left is written on the sheet."""

    seat: Seat
    asked: int
    taken: int
    paid: int


class OrderSet(Event, saved="aor.OrderSet"):
    """The order of play, first to last, with the slots. `cause`: `tokens`, `Q` (by `seat`), `civil_war`."""

    slots: tuple[tuple[Seat, int], ...]
    cause: str
    seat: Seat | None = None


class Replied(Event, saved="aor.Replied"):
    """An answer was noted until its consequence is drawn; `key` names question and seat."""

    key: str
    answer: Secret[Orders]
    visible_to: frozenset[Seat] | None = NOBODY


class RepliesUsed(Event, saved="aor.RepliesUsed"):
    """Answers whose consequence has been drawn are forgotten."""

    keys: tuple[str, ...]
    visible_to: frozenset[Seat] | None = NOBODY


# --- cards in and out of hands


class CardDrawn(Event, saved="aor.CardDrawn"):
    """The top card of the pile. `cause`: `turn`, `extra` (V), `expansion`, `bonus`, `shortage`; with what it cost."""

    seat: Seat
    card: Secret[str]
    cause: str
    ducats: int = 0
    tokens: int = 0


class CardDiscarded(Event, saved="aor.CardDiscarded"):
    """§9.2  A card was put away openly; `removed`: for good (it does not recycle)."""

    seat: Seat
    card: str
    removed: bool
    cause: str


class CardPlayed(Event, saved="aor.CardPlayed"):
    """§9.3  A card was played: at whom or what, and for which good. `target` as in the order."""

    seat: Seat
    card: str
    target: tuple[str, ...] = ()
    good: str = ""


class CardsKept(Event, saved="aor.CardsKept"):
    """§7.2, §11.1, R52  What could not be played in the last card play stays in hand; its owner alone is told."""

    seat: Seat
    cards: tuple[str, ...]


class CardsExchanged(Event, saved="aor.CardsExchanged"):
    """§9.5.2 Manuscrits  One card each way between a captor and their victim; both know both cards."""

    seat: Seat
    victim: Seat
    given: Secret[str]
    taken: Secret[str]


# --- money, misery, markets


class Paid(Event, saved="aor.Paid"):
    """Ducats to the bank."""

    seat: Seat
    ducats: int
    cause: str


class Received(Event, saved="aor.Received"):
    """Ducats from the bank."""

    seat: Seat
    ducats: int
    cause: str


class CommodityPaid(Event, saved="aor.CommodityPaid"):
    """§9.3.1  A commodity card paid for `provinces` controlled, moved by `market` boxes and by Manufactures."""

    seat: Seat
    good: str
    provinces: int
    market: int
    manufactures: bool
    ducats: int


class IncomeTaken(Event, saved="aor.IncomeTaken"):
    """§9.6  `base` for provinces, `middle` (Z), `bank` (L): how the income came."""

    seat: Seat
    provinces: int
    base: int
    middle: int
    bank: int


class MiseryMoved(Event, saved="aor.MiseryMoved"):
    """The marker moved on the ladder from place `before` to `after` (places; `len(MISERY)` is beyond the end)."""

    seat: Seat
    before: int
    after: int
    cause: str


class Eliminated(Event, saved="aor.Eliminated"):
    """§9.4.4, §11.3  Out of the game (`misery` or `left`); the hand goes to the piles, tokens bought to the stock."""

    seat: Seat
    cause: str
    discarded: tuple[str, ...]
    removed: tuple[str, ...]


class MarketRolled(Event, saved="aor.MarketRolled"):
    """§9.6.1  Three dice, and what they brought: +1 a shortage, -1 a surplus of these goods."""

    green: int
    black: int
    white: int
    goods: tuple[str, ...]
    shift: int


class MarketMoved(Event, saved="aor.MarketMoved"):
    """A market moved by `by` (+: to shortage): `cancelled` (first player), `J` (Mills), `played`, `expired`."""

    good: str
    by: int
    cause: str
    seat: Seat | None = None
    ducats: int = 0


# --- events of history (A2)


class MarkerReduced(Event, saved="aor.MarkerReduced"):
    """§9.3.2, R13  A marker became one old token, from `source`: `stock` or `expansion`; or the province is empty:
    by its owner's choice (`left`), or for want of any token (``).
    """

    seat: Seat
    province: str
    source: str
    cause: str


class PiecesRemoved(Event, saved="aor.PiecesRemoved"):
    """All that a power had in a province went back to its stock."""

    seat: Seat
    province: str
    tokens: int
    marker: bool
    cause: str


class MarkerPlaced(Event, saved="aor.MarkerPlaced"):
    """An old marker was put into an empty province (Crusades); `token`: a token, no marker being left (R49)."""

    seat: Seat
    province: str
    token: bool
    cause: str


class WarRolled(Event, saved="aor.WarRolled"):
    """A2 Guerre  One roll: dice and bonuses of attacker and defender; `winner` None: tied, and the War goes on."""

    attacker: Seat
    defender: Seat
    dice: tuple[int, int]
    bonus: tuple[int, int]
    winner: Seat | None
    turn: int


class WarOver(Event, saved="aor.WarOver"):
    """A War ended without a winner: at the end of the game (§11.1), or a belligerent is gone."""

    attacker: Seat
    defender: Seat


class ProvinceCeded(Event, saved="aor.ProvinceCeded"):
    """A2 Guerre  A marker changed hands. `placed`: `marker`, `token` (no marker left, R49), or `` (neither left)."""

    loser: Seat
    winner: Seat
    province: str
    placed: str


class TokensMoved(Event, saved="aor.TokensMoved"):
    """Tokens between stock and the expansion pool: positive into the pool (Indulgences), negative out of it."""

    seat: Seat
    tokens: int
    cause: str


# --- purchases (§9.4)


class ShipUpgraded(Event, saved="aor.ShipUpgraded"):
    """§9.4.1  The next level, for `paid` ducats."""

    seat: Seat
    ship: Ship
    paid: int


class AdvanceBought(Event, saved="aor.AdvanceBought"):
    """§9.4.2  An advance: printed cost, credits by source (an advance's letter or a leader's id), what was paid."""

    seat: Seat
    letter: str
    cost: int
    credits: tuple[tuple[str, int], ...]
    paid: int


class LeaderClaimed(Event, saved="aor.LeaderClaimed"):
    """§9.3.3 Patronage  A power claimed another's leader."""

    seat: Seat
    card: str


class Refunded(Event, saved="aor.Refunded"):
    """§9.3.3 Imprimerie  A leader's credits on advances already held were paid out."""

    seat: Seat
    card: str
    letters: tuple[str, ...]
    ducats: int


class Stabilised(Event, saved="aor.Stabilised"):
    """§9.4.3  Stability was paid for, with `cards` in hand; or not (`paid` -1), and a MiseryMoved follows."""

    seat: Seat
    cards: int
    paid: int


class LeadersLeft(Event, saved="aor.LeadersLeft"):
    """§9.3.3  The leaders in play were put away for good."""

    leaders: tuple[Leader, ...]


# --- expansion (§9.5)


class Placed(Event, saved="aor.Placed"):
    """§9.5  New tokens in a province, `via` as in atlas.How; `marker`: they became a control marker (R47)."""

    seat: Seat
    province: str
    tokens: int
    via: str
    marker: bool


class RivalryFought(Event, saved="aor.RivalryFought"):
    """§9.5.2  An attack: new tokens brought, both strengths, dice (None: Conversion of `by`), and what came of it.

    `left`: what the winner of the attack has there: `marker`, `token`, or `` for a loss. Losers' pieces go to stock.
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
    """R47  The old marker of `lifted` was put, as a new one, where own tokens stood; a token took its place."""

    seat: Seat
    lifted: str
    province: str


class TokensReturned(Event, saved="aor.TokensReturned"):
    """§9.5  Tokens not used went back to the stock."""

    seat: Seat
    tokens: int


class Consolidated(Event, saved="aor.Consolidated"):
    """§9.5.4  All new pieces were turned to their old side."""
