"""Every order of the game; `forms` has their syntax.

`plays`: the kinds of card that an order uses besides those that it names.
"""

from engine.kernel.orders import Order


class Claim(Order, saved="ren.Claim"):
    """Préparation  List nations to play, the preferred one first."""

    nations: tuple[str, ...]


class Found(Order, saved="ren.Found"):
    """Préparation, A28, A29  Choose the city of the rampart, the optional start city, and the city of the palace of
    1515.
    """

    rampart: str
    choice: str = ""
    palace: str = ""


class Garrison(Order, saved="ren.Garrison"):
    """Préparation  List cities for the third garrison; the first possible one is taken."""

    cities: tuple[str, ...]


class Return(Order, saved="ren.Return"):
    """Disparition de l'un des joueurs  Choose the start city with which an eliminated player returns."""

    city: str


class Vote(Order, saved="ren.Vote"):
    """Séquence 1  Vote for `peace` or `war`."""

    state: str


class Stance(Order, saved="ren.Stance"):
    """Pouvoirs par état, A30  Choose the Swiss bonus of this turn: `attack` or `defence`."""

    side: str


class BuyCards(Order, saved="ren.BuyCards"):
    """Séquence 3  Buy all cards of the turn at once."""

    count: int


class Build(Order, saved="ren.Build"):
    """Séquence 3  Build a `palace`, `rampart`, `castle` or `fortress` (a rampart and a castle) in an own city."""

    what: str
    city: str


class Settle(Order, saved="ren.Settle"):
    """Phase 1 - Expansion  Take a free city. `origin`: "" for the first possible one."""

    city: str
    origin: str = ""


class Attack(Order, saved="ren.Attack"):
    """Phase 2 - Combats  Attack a city with these cards. `origin`: "" for the first possible one."""

    may_retry = True

    city: str
    cards: tuple[str, ...]
    origin: str = ""


class Ride(Order, saved="ren.Ride"):
    """Chevauchée, A11  Attack a city at any distance; its terrain does not help the defence."""

    may_retry = True

    city: str
    cards: tuple[str, ...]
    plays: tuple[str, ...] = ("chevauchee",)


class Pillage(Order, saved="ren.Pillage"):
    """Pillards, A3  Pillage a city that is not the player's own."""

    city: str
    plays: tuple[str, ...] = ("pillards",)


class Embassy(Order, saved="ren.Embassy"):
    """Ambassadeur  List cities to corrupt and to ruin; by the dice, the first possible one of a list is used."""

    corrupt: tuple[str, ...] = ()
    ruin: tuple[str, ...] = ()
    plays: tuple[str, ...] = ("ambassadeur",)


class Marry(Order, saved="ren.Marry"):
    """Mariage, A4  Take a city for two ducats."""

    city: str
    plays: tuple[str, ...] = ("mariage",)


class Patronise(Order, saved="ren.Patronise"):
    """Artiste  Draw an artist for an own palace."""

    city: str
    plays: tuple[str, ...] = ("artiste_banquier",)


class Bank(Order, saved="ren.Bank"):
    """Banquier, A22  Get five ducats from an own palace."""

    city: str
    plays: tuple[str, ...] = ("artiste_banquier",)


class Lure(Order, saved="ren.Lure"):
    """Pouvoirs par état, A31  Take another player's artist to an own palace (Florence)."""

    origin: str
    city: str


class Sell(Order, saved="ren.Sell"):
    """Vente de Condottiere, A7  Offer Condottieri to belligerents (`attacker`, `defender` or nations), one for each
    name.
    """

    to: tuple[str, ...]
    plays: tuple[str, ...] = ("condottiere",)


class Hire(Order, saved="ren.Hire"):
    """Vente de Condottiere, A7, A40  Buy up to `count` of the Condottieri that third parties offer."""

    count: int = 1
    plays: tuple[str, ...] = ("condottiere", "weakest")


class Lay(Order, saved="ren.Lay"):
    """Combat  Lay a defender's card (a kind, `strongest`, `weakest` or `none`), and optionally a red one."""

    card: str
    red: str = ""


class Counter(Order, saved="ren.Counter"):
    """Ingénieur, Félon, A14  Cancel the attacker's red card with the same card from the hand."""

    plays: tuple[str, ...] = ("ingenieur", "felon")


class Bribe(Order, saved="ren.Bribe"):
    """Condottiere, A5  Bribe a Condottiere that betrays.

    `most`: the most ducats in the turn; 0 for no limit.
    """

    most: int = 0


class Sign(Order, saved="ren.Sign"):
    """Signe de Dieu, A15  Double an own card: a kind, or the `strongest`."""

    card: str = "strongest"
    plays: tuple[str, ...] = ("signe_de_dieu",)


class Withdraw(Order, saved="ren.Withdraw"):
    """Retraite, A16, A39  Take back blue cards laid in this battle, in order of preference.

    `cards`: kinds. A kind named once means all its cards, `one_canon` a single one.
    """

    cards: tuple[str, ...]
    plays: tuple[str, ...] = ("retraite",)


class Give(Order, saved="ren.Give"):
    """Diplomatie  Give ducats to another player."""

    nation: str
    ducats: int


class Propose(Order, saved="ren.Propose"):
    """Diplomatie  Offer an own city for another player's of the same level."""

    gives: str
    wants: str


class Accept(Order, saved="ren.Accept"):
    """Diplomatie  Accept an offered swap: give an own city for another player's."""

    gives: str
    wants: str


class Recall(Order, saved="ren.Recall"):
    """Diplomatie  Withdraw an own offer."""

    gives: str
    wants: str
