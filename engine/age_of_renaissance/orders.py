"""Every order. Provinces, cards, goods and advances are ids of the catalogue; a power is named by its capital's id.

A card named in an order stands for any card that shows the same (`catalogue.FACE`): rules take the one that
`Board.copies_held` finds in the hand.
"""

from dataclasses import dataclass

from engine.kernel.codec import saved
from engine.kernel.orders import Order


@saved("aor.Keep")
@dataclass(frozen=True)
class Keep(Order):
    """§8.1  Keep two of the three cards dealt; the third goes back."""

    cards: tuple[str, ...]


@saved("aor.Bid")
@dataclass(frozen=True)
class Bid(Order):
    """§8.3  A secret bid for the choice of capital, in ducats."""

    ducats: int


@saved("aor.Capitals")
@dataclass(frozen=True)
class Capitals(Order):
    """§8.3  The capitals in order of preference: the first still free is taken."""

    capitals: tuple[str, ...]


@saved("aor.Tokens")
@dataclass(frozen=True)
class Tokens(Order):
    """§9.7  The number of tokens to buy: negative, or beyond the stock, to move in the order of play."""

    count: int


@saved("aor.Rank")
@dataclass(frozen=True)
class Rank(Order):
    """§8.3, R38  The place to take among those tied: 1 is the first of them; `last` counts from behind."""

    place: int = 1
    last: bool = False


@saved("aor.CancelMarkets")
@dataclass(frozen=True)
class CancelMarkets(Order):
    """§9.1  The first player pays away shortages or surpluses; a good named twice is cancelled twice."""

    goods: tuple[str, ...]


@saved("aor.Mill")
@dataclass(frozen=True)
class Mill(Order):
    """§9.1, R44  Mills: one step of one good towards `shortage` or towards `surplus`."""

    good: str
    way: str


@saved("aor.BuyExtra")
@dataclass(frozen=True)
class BuyExtra(Order):
    """§9.2  Urban growth: an extra card for 10 ducats."""


@saved("aor.Discard")
@dataclass(frozen=True)
class Discard(Order):
    """§9.2, R11  Arts and techniques: one card away, in phase 2 or at the moment of purchase."""

    card: str


@saved("aor.Play")
@dataclass(frozen=True)
class Play(Order):
    """§9.3  Play a card at `target` (powers by capital, provinces, region, category); `good`: of a double card."""

    card: str
    target: tuple[str, ...] = ()
    good: str = ""


@saved("aor.UpgradeShip")
@dataclass(frozen=True)
class UpgradeShip(Order):
    """§9.4.1  One level more of the kind of ship one has, for 10 ducats."""


@saved("aor.Buy")
@dataclass(frozen=True)
class Buy(Order):
    """§9.4.2  Buy advances, in this order; `claims`: leaders of others to claim (none named: all that help)."""

    advances: tuple[str, ...]
    claims: tuple[str, ...] = ()


@saved("aor.Stabilise")
@dataclass(frozen=True)
class Stabilise(Order):
    """§9.4.3  Pay for stability, or not."""

    pay: bool = True


@saved("aor.Place")
@dataclass(frozen=True)
class Place(Order):
    """§9.5  Put tokens into a province where nobody need be fought."""

    province: str
    tokens: int


@saved("aor.Attack")
@dataclass(frozen=True)
class Attack(Order):
    """§9.5.2  Bring tokens into a province and fight for it; `convert`: win by Conversion."""

    province: str
    tokens: int
    convert: bool = False


@saved("aor.BuyCard")
@dataclass(frozen=True)
class BuyCard(Order):
    """§9.5.1  A card for 3n tokens, once in the phase."""


@saved("aor.Lift")
@dataclass(frozen=True)
class Lift(Order):
    """§9.5.2, R18, R47  When no marker is left: replace own markers by a token, in this order of preference."""

    provinces: tuple[str, ...]


@saved("aor.Forfeit")
@dataclass(frozen=True)
class Forfeit(Order):
    """A2 Guerre civile  What is lost: `money` or `tokens`."""

    what: str


@saved("aor.Remain")
@dataclass(frozen=True)
class Remain(Order):
    """§9.3.2, R13  What is left of a marker that an event reduces while the stock is empty: `token` or `nothing`."""

    what: str


@saved("aor.Cede")
@dataclass(frozen=True)
class Cede(Order):
    """A2 Guerre  Provinces to cede, in order of preference."""

    provinces: tuple[str, ...]


@saved("aor.Arm")
@dataclass(frozen=True)
class Arm(Order):
    """R15  A military card played before a tied War is rolled again."""

    card: str


@saved("aor.UseConversion")
@dataclass(frozen=True)
class UseConversion(Order):
    """§9.5.2  Defend by Conversion; `against`: only these powers, `provinces`: only there (none named: any)."""

    against: tuple[str, ...] = ()
    provinces: tuple[str, ...] = ()


@saved("aor.Exchange")
@dataclass(frozen=True)
class Exchange(Order):
    """§9.5.2  Manuscripts: give this card for one drawn from the victim's hand; several: the first still held."""

    cards: tuple[str, ...]


@saved("aor.Swap")
@dataclass(frozen=True)
class Swap(Order):
    """§9.7  Renaissance: change places with the one `before` or `after`, at the start of `phase`.

    `civil_war`: at the start of the expansion, whether the swap comes `first` or `last`, before or after what Civil
    War does to the order (A2).
    """

    way: str
    phase: str
    civil_war: str = "first"


@saved("aor.Indulge")
@dataclass(frozen=True)
class Indulge(Order):
    """§9.5, R37  What is given for tokens that are missing: `ducats` or `misery`."""

    what: str


@saved("aor.Leave")
@dataclass(frozen=True)
class Leave(Order):
    """§11.3  Leave the game: treated as eliminated."""
