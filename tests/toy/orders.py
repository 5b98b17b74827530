"""Every order of the smallest game, with its form."""

from collections.abc import Iterable, Mapping

from engine.kernel.catalogues import Words
from engine.kernel.forms import Fact, Form, Slot
from engine.kernel.orders import Order
from engine.kernel.phrasebook import amounts_of, choices
from engine.kernel.viewers import Seat
from tests.bilingual import words
from tests.toy.board import CARDS, GOODS, TOWNS


class Bid(Order, saved="toy.Bid"):
    """§2  Offer coins for the top card of the deck."""

    coins: int


class Attack(Order, saved="toy.Attack"):
    """§4  Hire armies, a coin each, against a town."""

    may_retry = True

    town: str
    armies: int = 1


class Sell(Order, saved="toy.Sell"):
    """§5  Sell wares to the bank."""

    cards: tuple[str, ...]


class Scout(Order, saved="toy.Scout"):
    """§6  Look at the oldest card of another seat that one does not know yet, for a coin."""

    of: str


class Parry(Order, saved="toy.Parry"):
    """§7  Turn an attack away with a shield."""

    card: str


class Offer(Order, saved="toy.Offer"):
    """§10  Offer goods at a stall of the fair."""

    goods: Mapping[str, int]


class Leave(Order, saved="toy.Leave"):
    """§8  Give the game up, with a word of farewell."""

    farewell: str = ""


def named(names: dict[str, Words], likely: Iterable[str], slot: str, title: Words, many: bool = False) -> Slot:
    """A slot whose vocabulary is `names` and whose candidates now are `likely`."""
    return Slot(slot, "name", title, choices(names.items()), many=many, suggested=tuple(likely))


def town(likely: Iterable[str]) -> Slot:
    """A town."""
    return named(TOWNS, likely, "town", words("place", "town"))


def bid(most: int) -> Form:
    """`BID 3`."""
    coins = Slot("coins", "number", words("pièces", "coins"), low=0, high=most, suggested=(0,))
    return Form(words("ENCHÈRE|MISE", "BID"), Bid, (coins,), about=words("Enchérir.", "Bid for the top card."))


def attack(likely: Iterable[str], most: int) -> Form:
    """`ATTACK Mill WITH 3`; one army where the number is left out."""
    armies = Slot(
        "armies",
        "number",
        words("armées", "armies"),
        optional=True,
        default=1,
        lead=words("AVEC", "WITH"),
        low=1,
        high=max(1, most),
    )
    return Form(words("ATTAQUER|ATTAQUE", "ATTACK"), Attack, (town(likely), armies))


def sell(likely: Iterable[str]) -> Form:
    """`SELL Wool, Salt`."""
    return Form(words("VENDRE", "SELL"), Sell, (named(CARDS, likely, "cards", words("cartes", "cards"), many=True),))


def scout(seats: Iterable[Seat], likely: Iterable[str]) -> Form:
    """`SCOUT Bob`."""
    names = {str(seat): words(seat.capitalize(), seat.capitalize()) for seat in seats}
    return Form(words("ÉPIER", "SCOUT"), Scout, (named(names, likely, "of", words("joueur", "player")),))


def parry(likely: Iterable[str]) -> Form:
    """`PARRY Iron Shield`."""
    return Form(words("PARER", "PARRY"), Parry, (named(CARDS, likely, "card", words("carte", "card")),))


OFFER = Form(
    words("OFFRIR|OFFRE", "OFFER"),
    Offer,
    (amounts_of("goods", "goods", words("denrées", "goods"), choices(GOODS.items()), high=99),),
    about=words("Offrir des denrées à l'étal.", "Offer goods at the stall."),
)
"""`OFFER 2 grain, 1 hay`."""


LEAVE = Form(
    words("QUITTER", "LEAVE"),
    Leave,
    (Slot("farewell", "text", words("adieu", "farewell"), optional=True, default="", text=True),),
)
HOLD = Fact("hold", words("JE TIENS", "I HOLD"), (town(()),))
HAVE = Fact("have", words("J'AI", "I HAVE"), (Slot("coins", "number", words("pièces", "coins"), low=0, high=30),))
