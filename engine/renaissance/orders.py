"""Every order of the game. How each is written stands in `forms`.

`plays`: the cards that an order takes by itself, beside those that it names.
"""

from engine.kernel.orders import Order


class Claim(Order, saved="ren.Claim"):
    """Préparation  The nations one would play, the dearest first."""

    nations: tuple[str, ...]


class Found(Order, saved="ren.Found"):
    """Préparation, A28, A29  Where the rampart stands, which start city is chosen, where the palace of 1515 stands."""

    rampart: str
    choice: str = ""
    palace: str = ""


class Garrison(Order, saved="ren.Garrison"):
    """Préparation  The city of the third garrison: the first of these that can be had."""

    cities: tuple[str, ...]


class Return(Order, saved="ren.Return"):
    """Disparition de l'un des joueurs  The start city with which an eliminated player comes back."""

    city: str


class Vote(Order, saved="ren.Vote"):
    """Séquence 1  `peace` or `war`."""

    state: str


class Stance(Order, saved="ren.Stance"):
    """Pouvoirs par état, A30  Where the Swiss bonus falls this turn: `attack` or `defence`."""

    side: str


class BuyCards(Order, saved="ren.BuyCards"):
    """Séquence 3  All cards of the turn, bought at once."""

    count: int


class Build(Order, saved="ren.Build"):
    """Séquence 3  `palace`, `rampart`, `castle` or `fortress` (a rampart and a castle) in a city of one's own."""

    what: str
    city: str


class Settle(Order, saved="ren.Settle"):
    """Phase 1 - Expansion  Take a free city; `origin` unnamed: the first that serves."""

    city: str
    origin: str = ""


class Attack(Order, saved="ren.Attack"):
    """Phase 2 - Combats  Attack a city with these cards; `origin` unnamed: the first that serves."""

    city: str
    cards: tuple[str, ...]
    origin: str = ""


class Ride(Order, saved="ren.Ride"):
    """Chevauchée, A11  Attack a city however far, without what its ground gives."""

    city: str
    cards: tuple[str, ...]
    plays: tuple[str, ...] = ("chevauchee",)


class Pillage(Order, saved="ren.Pillage"):
    """Pillards, A3  Loot a city that is not one's own."""

    city: str
    plays: tuple[str, ...] = ("pillards",)


class Embassy(Order, saved="ren.Embassy"):
    """Ambassadeur  What is corrupted, and what falls into ruin, by the dice: the first of each that still can be."""

    corrupt: tuple[str, ...] = ()
    ruin: tuple[str, ...] = ()
    plays: tuple[str, ...] = ("ambassadeur",)


class Marry(Order, saved="ren.Marry"):
    """Mariage, A4  A city for two ducats."""

    city: str
    plays: tuple[str, ...] = ("mariage",)


class Patronise(Order, saved="ren.Patronise"):
    """Artiste  Draw an artist for an own palace."""

    city: str
    plays: tuple[str, ...] = ("artiste_banquier",)


class Bank(Order, saved="ren.Bank"):
    """Banquier, A22  Five ducats by an own palace."""

    city: str
    plays: tuple[str, ...] = ("artiste_banquier",)


class Lure(Order, saved="ren.Lure"):
    """Pouvoirs par état, A31  Florence draws an artist away from another's palace to one of its own."""

    origin: str
    city: str


class Sell(Order, saved="ren.Sell"):
    """Vente de Condottiere, A7  Offer Condottieri to belligerents (`attacker`, `defender` or nations), one to each."""

    to: tuple[str, ...]
    plays: tuple[str, ...] = ("condottiere",)


class Hire(Order, saved="ren.Hire"):
    """Vente de Condottiere, A7, A40  Buy so many of the Condottieri that third parties offer, as far as can be."""

    count: int = 1
    plays: tuple[str, ...] = ("condottiere", "weakest")


class Lay(Order, saved="ren.Lay"):
    """Combat  A defender's card (a kind, `strongest`, `weakest` or `none`) and the red one beside it."""

    card: str
    red: str = ""


class Counter(Order, saved="ren.Counter"):
    """Ingénieur, Félon, A14  Cancel the attacker's red card by the same one from hand."""

    plays: tuple[str, ...] = ("ingenieur", "felon")


class Bribe(Order, saved="ren.Bribe"):
    """Condottiere, A5  Buy over a Condottiere that betrays, up to so many ducats in the turn."""

    most: int = 0


class Sign(Order, saved="ren.Sign"):
    """Signe de Dieu, A15  Double a card of one's own: a kind, or the `strongest`."""

    card: str = "strongest"
    plays: tuple[str, ...] = ("signe_de_dieu",)


class Withdraw(Order, saved="ren.Withdraw"):
    """Retraite, A16, A39  Take back blue cards laid in this battle, in this order of preference.

    `cards`: kinds; one named once is all its cards, `one_canon` a single one.
    """

    cards: tuple[str, ...]
    plays: tuple[str, ...] = ("retraite",)


class Give(Order, saved="ren.Give"):
    """Diplomatie  Ducats for another player."""

    nation: str
    ducats: int


class Propose(Order, saved="ren.Propose"):
    """Diplomatie  Offer an own city for another's of the same level."""

    gives: str
    wants: str


class Accept(Order, saved="ren.Accept"):
    """Diplomatie  Agree to a swap that was offered: an own city goes, another's comes."""

    gives: str
    wants: str


class Recall(Order, saved="ren.Recall"):
    """Diplomatie  Take back the offer of a swap."""

    gives: str
    wants: str
