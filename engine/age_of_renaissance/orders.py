"""Every order.

Provinces, cards, goods and advances are ids of the catalogue; a power is named by its capital's id.

A card in an order means any card with the same face (`catalogue.FACE`): rules take the one that `Board.copies_held`
finds in the hand.
"""

from engine.kernel.orders import Order


class Keep(Order, saved="aor.Keep"):
    """§8.1  Keep two of the three cards dealt; the third goes back."""

    cards: tuple[str, ...]


class Bid(Order, saved="aor.Bid"):
    """§8.3  Bid secretly for the choice of capital, in ducats."""

    ducats: int


class Capitals(Order, saved="aor.Capitals"):
    """§8.3  List capitals in order of preference; the first one still free is taken."""

    capitals: tuple[str, ...]


class Tokens(Order, saved="aor.Tokens"):
    """§9.7  Buy tokens. A number below 0 or beyond the stock changes the order of play."""

    count: int


class Rank(Order, saved="aor.Rank"):
    """§8.3, R38  Take a place among tied players: 1 is the first of them. `last`: count from the end."""

    place: int = 1
    last: bool = False


class CancelMarkets(Order, saved="aor.CancelMarkets"):
    """§9.1  Pay to cancel shortages or surpluses, as the first player.

    A good named twice is cancelled twice.
    """

    goods: tuple[str, ...]


class Mill(Order, saved="aor.Mill"):
    """§9.1, R44  Move one good by one step towards `shortage` or `surplus`, with Mills."""

    good: str
    way: str


class BuyExtra(Order, saved="aor.BuyExtra"):
    """§9.2  Buy an extra card for 10 ducats, with Urban Growth."""


class Discard(Order, saved="aor.Discard"):
    """§9.2, R11  Discard one card with Arts and Techniques, in phase 2 or when it is bought."""

    card: str


class Play(Order, saved="aor.Play"):
    """§9.3  Play a card.

    `target`: powers by capital, provinces, a region or a category. `good`: the choice of a double card.
    """

    card: str
    target: tuple[str, ...] = ()
    good: str = ""


class UpgradeShip(Order, saved="aor.UpgradeShip"):
    """§9.4.1  Upgrade the ship by one level of its kind, for 10 ducats."""


class Buy(Order, saved="aor.Buy"):
    """§9.4.2  Buy advances, in this order. `claims`: leaders of others to claim; empty for all that help."""

    advances: tuple[str, ...]
    claims: tuple[str, ...] = ()


class Stabilise(Order, saved="aor.Stabilise"):
    """§9.4.3  Pay for stability, or refuse to."""

    pay: bool = True


class Place(Order, saved="aor.Place"):
    """§9.5  Place tokens in a province without a fight."""

    province: str
    tokens: int


class Attack(Order, saved="aor.Attack"):
    """§9.5.2  Bring tokens into a province and fight for it. `convert`: win by Conversion."""

    may_retry = True

    province: str
    tokens: int
    convert: bool = False


class BuyCard(Order, saved="aor.BuyCard"):
    """§9.5.1  Buy a card for 3n tokens, once a phase."""


class Lift(Order, saved="aor.Lift"):
    """§9.5.2, R18, R47  Replace one own marker by a token when no marker is left.

    `provinces`: in order of preference.
    """

    provinces: tuple[str, ...]


class Forfeit(Order, saved="aor.Forfeit"):
    """A2 Guerre civile  Choose the loss: `money` or `tokens`."""

    what: str


class Remain(Order, saved="aor.Remain"):
    """§9.3.2, R13  Choose what replaces a marker that an event reduces while the stock is empty:
    `token` or `nothing`.
    """

    what: str


class Cede(Order, saved="aor.Cede"):
    """A2 Guerre  List provinces to cede, in order of preference."""

    provinces: tuple[str, ...]


class Arm(Order, saved="aor.Arm"):
    """R15  Play a military card before a tied War is rolled again."""

    card: str


class UseConversion(Order, saved="aor.UseConversion"):
    """§9.5.2  Defend by Conversion.

    `against`: only these powers. `provinces`: only there. Empty means any.
    """

    against: tuple[str, ...] = ()
    provinces: tuple[str, ...] = ()


class Exchange(Order, saved="aor.Exchange"):
    """§9.5.2  Give a card for one drawn from the victim's hand, with Manuscripts.

    Of several, the first still held.
    """

    cards: tuple[str, ...]


class Swap(Order, saved="aor.Swap"):
    """§9.7  Swap places with the neighbour `before` or `after` at the start of `phase`, with Renaissance.

    `civil_war`: at the start of the expansion, make the swap `first` or `last`, before or after the effect of Civil War
    on the order (A2).
    """

    way: str
    phase: str
    civil_war: str = "first"


class Indulge(Order, saved="aor.Indulge"):
    """§9.5, R37  Choose what to give for missing tokens: `ducats` or `misery`."""

    what: str


class Leave(Order, saved="aor.Leave"):
    """§11.3  Leave the game; the power is eliminated."""
