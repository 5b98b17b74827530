"""Every order. Provinces, cards, goods and advances are ids of the catalogue; a power is named by its capital's id.

A card named in an order stands for any card that shows the same (`catalogue.FACE`): rules take the one that
`Board.copies_held` finds in the hand.
"""

from engine.kernel.orders import Order


class Keep(Order, saved="aor.Keep"):
    """§8.1  Keep two of the three cards dealt; the third goes back."""

    cards: tuple[str, ...]


class Bid(Order, saved="aor.Bid"):
    """§8.3  A secret bid for the choice of capital, in ducats."""

    ducats: int


class Capitals(Order, saved="aor.Capitals"):
    """§8.3  The capitals in order of preference: the first still free is taken."""

    capitals: tuple[str, ...]


class Tokens(Order, saved="aor.Tokens"):
    """§9.7  The number of tokens to buy: negative, or beyond the stock, to move in the order of play."""

    count: int


class Rank(Order, saved="aor.Rank"):
    """§8.3, R38  The place to take among those tied: 1 is the first of them; `last` counts from behind."""

    place: int = 1
    last: bool = False


class CancelMarkets(Order, saved="aor.CancelMarkets"):
    """§9.1  The first player pays away shortages or surpluses; a good named twice is cancelled twice."""

    goods: tuple[str, ...]


class Mill(Order, saved="aor.Mill"):
    """§9.1, R44  Mills: one step of one good towards `shortage` or towards `surplus`."""

    good: str
    way: str


class BuyExtra(Order, saved="aor.BuyExtra"):
    """§9.2  Urban growth: an extra card for 10 ducats."""


class Discard(Order, saved="aor.Discard"):
    """§9.2, R11  Arts and techniques: one card away, in phase 2 or at the moment of purchase."""

    card: str


class Play(Order, saved="aor.Play"):
    """§9.3  Play a card at `target` (powers by capital, provinces, region, category); `good`: of a double card."""

    card: str
    target: tuple[str, ...] = ()
    good: str = ""


class UpgradeShip(Order, saved="aor.UpgradeShip"):
    """§9.4.1  One level more of the kind of ship one has, for 10 ducats."""


class Buy(Order, saved="aor.Buy"):
    """§9.4.2  Buy advances, in this order; `claims`: leaders of others to claim (none named: all that help)."""

    advances: tuple[str, ...]
    claims: tuple[str, ...] = ()


class Stabilise(Order, saved="aor.Stabilise"):
    """§9.4.3  Pay for stability, or not."""

    pay: bool = True


class Place(Order, saved="aor.Place"):
    """§9.5  Put tokens into a province where nobody need be fought."""

    province: str
    tokens: int


class Attack(Order, saved="aor.Attack"):
    """§9.5.2  Bring tokens into a province and fight for it; `convert`: win by Conversion."""

    province: str
    tokens: int
    convert: bool = False


class BuyCard(Order, saved="aor.BuyCard"):
    """§9.5.1  A card for 3n tokens, once in the phase."""


class Lift(Order, saved="aor.Lift"):
    """§9.5.2, R18, R47  When no marker is left: replace own markers by a token, in this order of preference."""

    provinces: tuple[str, ...]


class Forfeit(Order, saved="aor.Forfeit"):
    """A2 Guerre civile  What is lost: `money` or `tokens`."""

    what: str


class Remain(Order, saved="aor.Remain"):
    """§9.3.2, R13  What is left of a marker that an event reduces while the stock is empty: `token` or `nothing`."""

    what: str


class Cede(Order, saved="aor.Cede"):
    """A2 Guerre  Provinces to cede, in order of preference."""

    provinces: tuple[str, ...]


class Arm(Order, saved="aor.Arm"):
    """R15  A military card played before a tied War is rolled again."""

    card: str


class UseConversion(Order, saved="aor.UseConversion"):
    """§9.5.2  Defend by Conversion; `against`: only these powers, `provinces`: only there (none named: any)."""

    against: tuple[str, ...] = ()
    provinces: tuple[str, ...] = ()


class Exchange(Order, saved="aor.Exchange"):
    """§9.5.2  Manuscripts: give this card for one drawn from the victim's hand; several: the first still held."""

    cards: tuple[str, ...]


class Swap(Order, saved="aor.Swap"):
    """§9.7  Renaissance: change places with the one `before` or `after`, at the start of `phase`.

    `civil_war`: at the start of the expansion, whether the swap comes `first` or `last`, before or after what Civil
    War does to the order (A2).
    """

    way: str
    phase: str
    civil_war: str = "first"


class Indulge(Order, saved="aor.Indulge"):
    """§9.5, R37  What is given for tokens that are missing: `ducats` or `misery`."""

    what: str


class Leave(Order, saved="aor.Leave"):
    """§11.3  Leave the game: treated as eliminated."""
