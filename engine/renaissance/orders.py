"""Every order of the game. How each is written stands in `forms`.

`plays`: the cards that an order takes by itself, beside those that it names.
"""

from dataclasses import dataclass

from engine.kernel.codec import saved
from engine.kernel.orders import Order


@saved("ren.Claim")
@dataclass(frozen=True)
class Claim(Order):
    """Préparation  The nations one would play, the dearest first."""

    nations: tuple[str, ...]


@saved("ren.Found")
@dataclass(frozen=True)
class Found(Order):
    """Préparation, A28, A29  Where the rampart stands, which start city is chosen, where the palace of 1515 stands."""

    rampart: str
    choice: str = ""
    palace: str = ""


@saved("ren.Garrison")
@dataclass(frozen=True)
class Garrison(Order):
    """Préparation  The city of the third garrison: the first of these that can be had."""

    cities: tuple[str, ...]


@saved("ren.Return")
@dataclass(frozen=True)
class Return(Order):
    """Disparition de l'un des joueurs  The start city with which an eliminated player comes back."""

    city: str


@saved("ren.Vote")
@dataclass(frozen=True)
class Vote(Order):
    """Séquence 1  `peace` or `war`."""

    state: str


@saved("ren.Stance")
@dataclass(frozen=True)
class Stance(Order):
    """Pouvoirs par état, A30  Where the Swiss bonus falls this turn: `attack` or `defence`."""

    side: str


@saved("ren.BuyCards")
@dataclass(frozen=True)
class BuyCards(Order):
    """Séquence 3  All cards of the turn, bought at once."""

    count: int


@saved("ren.Build")
@dataclass(frozen=True)
class Build(Order):
    """Séquence 3  `palace`, `rampart`, `castle` or `fortress` (a rampart and a castle) in a city of one's own."""

    what: str
    city: str


@saved("ren.Settle")
@dataclass(frozen=True)
class Settle(Order):
    """Phase 1 - Expansion  Take a free city; `origin` unnamed: the first that serves."""

    city: str
    origin: str = ""


@saved("ren.Attack")
@dataclass(frozen=True)
class Attack(Order):
    """Phase 2 - Combats  Attack a city with these cards; `origin` unnamed: the first that serves."""

    city: str
    cards: tuple[str, ...]
    origin: str = ""


@saved("ren.Ride")
@dataclass(frozen=True)
class Ride(Order):
    """Chevauchée, A11  Attack a city however far, without what its ground gives."""

    city: str
    cards: tuple[str, ...]
    plays: tuple[str, ...] = ("chevauchee",)


@saved("ren.Pillage")
@dataclass(frozen=True)
class Pillage(Order):
    """Pillards, A3  Loot a city that is not one's own."""

    city: str
    plays: tuple[str, ...] = ("pillards",)


@saved("ren.Embassy")
@dataclass(frozen=True)
class Embassy(Order):
    """Ambassadeur  What is corrupted, and what falls into ruin, by the dice: the first of each that still can be."""

    corrupt: tuple[str, ...] = ()
    ruin: tuple[str, ...] = ()
    plays: tuple[str, ...] = ("ambassadeur",)


@saved("ren.Marry")
@dataclass(frozen=True)
class Marry(Order):
    """Mariage, A4  A city for two ducats."""

    city: str
    plays: tuple[str, ...] = ("mariage",)


@saved("ren.Patronise")
@dataclass(frozen=True)
class Patronise(Order):
    """Artiste  Draw an artist for an own palace."""

    city: str
    plays: tuple[str, ...] = ("artiste_banquier",)


@saved("ren.Bank")
@dataclass(frozen=True)
class Bank(Order):
    """Banquier, A22  Five ducats by an own palace."""

    city: str
    plays: tuple[str, ...] = ("artiste_banquier",)


@saved("ren.Lure")
@dataclass(frozen=True)
class Lure(Order):
    """Pouvoirs par état, A31  Florence draws an artist away from another's palace to one of its own."""

    origin: str
    city: str


@saved("ren.Sell")
@dataclass(frozen=True)
class Sell(Order):
    """Vente de Condottiere, A7  Offer Condottieri to belligerents (`attacker`, `defender` or nations), one to each."""

    to: tuple[str, ...]
    plays: tuple[str, ...] = ("condottiere",)


@saved("ren.Hire")
@dataclass(frozen=True)
class Hire(Order):
    """Vente de Condottiere, A7  Buy so many of the Condottieri that third parties offer."""

    count: int = 1
    plays: tuple[str, ...] = ("condottiere", "weakest")


@saved("ren.Lay")
@dataclass(frozen=True)
class Lay(Order):
    """Combat  A defender's card (a kind, `strongest`, `weakest` or `none`) and the red one beside it."""

    card: str
    red: str = ""


@saved("ren.Counter")
@dataclass(frozen=True)
class Counter(Order):
    """Ingénieur, Félon, A14  Cancel the attacker's red card by the same one from hand."""

    plays: tuple[str, ...] = ("ingenieur", "felon")


@saved("ren.Bribe")
@dataclass(frozen=True)
class Bribe(Order):
    """Condottiere, A5  Buy over a Condottiere that betrays, up to so many ducats in the turn."""

    most: int = 0


@saved("ren.Sign")
@dataclass(frozen=True)
class Sign(Order):
    """Signe de Dieu, A15  Double a card of one's own: a kind, or the `strongest`."""

    card: str = "strongest"
    plays: tuple[str, ...] = ("signe_de_dieu",)


@saved("ren.Withdraw")
@dataclass(frozen=True)
class Withdraw(Order):
    """Retraite, A16  Take back blue cards laid in this battle, in this order of preference."""

    cards: tuple[str, ...]
    plays: tuple[str, ...] = ("retraite",)


@saved("ren.Give")
@dataclass(frozen=True)
class Give(Order):
    """Diplomatie  Ducats for another player."""

    nation: str
    ducats: int


@saved("ren.Propose")
@dataclass(frozen=True)
class Propose(Order):
    """Diplomatie  Offer an own city for another's of the same level."""

    gives: str
    wants: str


@saved("ren.Accept")
@dataclass(frozen=True)
class Accept(Order):
    """Diplomatie  Agree to a swap that was offered: an own city goes, another's comes."""

    gives: str
    wants: str


@saved("ren.Recall")
@dataclass(frozen=True)
class Recall(Order):
    """Diplomatie  Take back the offer of a swap."""

    gives: str
    wants: str
