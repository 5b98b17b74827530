"""How every order is written, topic by topic: keywords in both languages, slots, a sentence for help pages.

These are the full forms, without a position; `language.forms` adds what would be accepted now.
"""

from collections.abc import Mapping
from typing import Any, Final

from engine.kernel.catalogues import Words, words
from engine.kernel.forms import Slot
from engine.kernel.orders import Order
from engine.kernel.phrasebook import Exact
from engine.renaissance import orders as o
from engine.renaissance import vocabulary as v
from engine.renaissance.catalogue import HAND_LIMIT


def _form(keyword: Words, order: type[Order], about: Words, *slots: Slot, **fixed: Any) -> Exact:
    return Exact(keyword, order, slots, fixed, about)


def _place(name: str, lead: Words) -> Slot:
    return v.may(v.led(v.one_of(name, "city", v.CITY_TITLE, v.CITY_CHOICES), lead), "")


def _build(what: str, keyword: Words, about: Words) -> Exact:
    return _form(keyword, o.Build, about, v.CITY, what=what)


_CORRUPT: Final = v.may(
    v.led(
        v.some_of("corrupt", "city", v.CITIES_TITLE, v.CITY_CHOICES),
        words("CORROMPRE|CORROMPRE À|SOUDOYER", "CORRUPT|CORRUPTING"),
    ),
    (),
)
_RUIN: Final = v.may(
    v.led(
        v.some_of("ruin", "city", v.CITIES_TITLE, v.CITY_CHOICES),
        words("RUINER|DÉTRUIRE À|DÉTRUIRE", "RUIN|RUINING|DESTROY"),
    ),
    (),
)
_GIVES: Final = v.one_of("gives", "city", v.CITY_TITLE, v.CITY_CHOICES)
_WANTS: Final = v.led(v.one_of("wants", "city", v.CITY_TITLE, v.CITY_CHOICES), v.AGAINST)

COMBAT: Final = (
    _form(
        words("ATTAQUER|ATTAQUE|ASSIÉGER", "ATTACK|ASSAULT|BESIEGE"),
        o.Attack,
        words(
            "Attaquer une ville avec deux cartes bleues ou Condottieri, et au plus une rouge.",
            "Attack a city with two blue cards or Condottieri, and one red one at most.",
        ),
        v.CITY,
        v.ORIGIN,
        v.LAID,
    ),
    _form(
        words("CHEVAUCHER|CHEVAUCHÉE|CHEVAUCHÉE SUR", "RIDE|RAID|RIDE AGAINST"),
        o.Ride,
        words("Attaquer par Chevauchée, si loin que ce soit.", "Attack by a Ride, however far."),
        v.CITY,
        v.LAID,
    ),
    _form(
        words("PILLER|PILLARDS|PILLAGE", "PILLAGE|LOOT|PLUNDER"),
        o.Pillage,
        words("Jouer Pillards sur une ville.", "Play Looters on a city."),
        v.CITY,
    ),
    _form(
        words("AMBASSADE|AMBASSADEUR|ENVOYER UN AMBASSADEUR", "EMBASSY|AMBASSADOR|SEND AN AMBASSADOR"),
        o.Embassy,
        words(
            "Jouer Ambassadeur : les villes à corrompre, celles à ruiner, selon les dés.",
            "Play Ambassador: the cities to corrupt, those to ruin, as the dice will have it.",
        ),
        _CORRUPT,
        _RUIN,
    ),
    _form(
        words("ÉPOUSER|MARIAGE|MARIER", "MARRY|MARRIAGE|WED"),
        o.Marry,
        words("Jouer Mariage : une ville pour deux ducats.", "Play Marriage: a city for two ducats."),
        v.CITY,
    ),
    _form(
        words("ARTISTE|ARTISTE À|INVITER UN ARTISTE", "ARTIST|INVITE AN ARTIST|ARTIST AT"),
        o.Patronise,
        words("Jouer Artiste ou Banquier : piocher un artiste.", "Play Artist or Banker: draw an artist."),
        v.CITY,
    ),
    _form(
        words("BANQUIER|BANQUIER À|BANQUE", "BANKER|BANKER AT|BANK"),
        o.Bank,
        words("Jouer Artiste ou Banquier : cinq ducats.", "Play Artist or Banker: five ducats."),
        v.CITY,
    ),
    _form(
        words("DÉBAUCHER|DÉBAUCHER L'ARTISTE DE|ATTIRER", "LURE|LURE THE ARTIST OF|ENTICE"),
        o.Lure,
        words(
            "Florence : attirer l'artiste d'une ville vers un palais libre.",
            "Florence: lure the artist of a city to a free palace.",
        ),
        v.one_of("origin", "city", v.ORIGIN_TITLE, v.CITY_CHOICES),
        v.led(v.CITY, words("VERS|JUSQU'À", "TO|TOWARDS")),
    ),
)
PURCHASES: Final = (
    _form(
        words("CARTES|ACHETER DES CARTES|ACHETER CARTES|ACHETER", "CARDS|BUY CARDS|BUY"),
        o.BuyCards,
        words("Acheter des cartes, à deux ducats, toutes à la fois.", "Buy cards, two ducats each, all at once."),
        v.number("count", words("cartes", "cards"), 1, HAND_LIMIT),
    ),
    _build("palace", words("PALAIS|CONSTRUIRE UN PALAIS|PALAIS À", "PALACE|BUILD A PALACE|BUILD PALACE"), words(
        "Construire un palais, pour trois ducats.", "Build a palace, for three ducats.")),
    _build("rampart", words("REMPART|REMPARTS|CONSTRUIRE UN REMPART", "RAMPART|BUILD A RAMPART|WALL"), words(
        "Construire un rempart, pour quatre ducats.", "Build a rampart, for four ducats.")),
    _build("castle", words("CHÂTEAU|CONSTRUIRE UN CHÂTEAU", "CASTLE|BUILD A CASTLE|BUILD CASTLE"), words(
        "Ajouter un château à un rempart, pour quatre ducats.", "Add a castle to a rampart, for four ducats.")),
    _build("fortress", words("FORTERESSE|CONSTRUIRE UNE FORTERESSE", "FORTRESS|BUILD A FORTRESS|BUILD FORTRESS"), words(
        "Faire d'une garnison une forteresse, pour huit ducats.", "Make a fortress of a garrison, for eight ducats.")),
)  # fmt: skip
DEALS: Final = (
    _form(
        words("DONNER|DON|VERSER", "GIVE|GIFT|PAY"),
        o.Give,
        words("Donner des ducats à une nation.", "Give ducats to a nation."),
        v.number("ducats", v.DUCATS_TITLE, 1),
        v.led(v.NATION, v.TO),
    ),
    _form(
        words("PROPOSER|OFFRIR|ÉCHANGER", "OFFER|PROPOSE|SWAP"),
        o.Propose,
        words("Proposer une ville contre une autre de même niveau.", "Offer a city for another of the same level."),
        _GIVES,
        _WANTS,
    ),
    _form(
        words("ACCEPTER|ACCORDER", "ACCEPT|AGREE"),
        o.Accept,
        words("Accepter un échange proposé : votre ville, contre la sienne.", "Accept a swap: your city, for his."),
        _GIVES,
        _WANTS,
    ),
    _form(
        words("REPRENDRE|ANNULER L'OFFRE", "RECALL|TAKE BACK"),
        o.Recall,
        words("Reprendre une offre d'échange.", "Take back the offer of a swap."),
        _GIVES,
        _WANTS,
    ),
)

FORMS: Final[Mapping[str, tuple[Exact, ...]]] = {
    "nations": (
        _form(
            words("JOUER|CHOISIR|NATION", "PLAY|CHOOSE|NATION"),
            o.Claim,
            words("Les nations que vous souhaitez, dans l'ordre.", "The nations that you wish for, in order."),
            v.some_of("nations", "nation", v.NATION_TITLE, v.NATION_CHOICES),
        ),
    ),
    "setup": (
        _form(
            words("REMPART|REMPART À", "RAMPART|RAMPART AT"),
            o.Found,
            words(
                "Votre rempart ; la ville choisie, le palais, si le scénario en donne.",
                "Your rampart; the chosen city and the palace, if the scenario gives them.",
            ),
            v.one_of("rampart", "city", v.CITY_TITLE, v.CITY_CHOICES),
            _place("choice", words("GARNISON|GARNISON À", "GARRISON|GARRISON AT")),
            _place("palace", words("PALAIS|PALAIS À", "PALACE|PALACE AT")),
        ),
    ),
    "garrison": (
        _form(
            words("GARNISON|OCCUPER", "GARRISON|OCCUPY"),
            o.Garrison,
            words(
                "Votre troisième garnison : la première possible de ces villes.",
                "Your third garrison: the first of these cities that can be had.",
            ),
            v.some_of("cities", "city", v.CITIES_TITLE, v.CITY_CHOICES),
        ),
    ),
    "return": (
        _form(
            words("REVENIR|REVENIR À|RETOUR", "RETURN|RETURN TO|COME BACK"),
            o.Return,
            words("Revenir par une de vos villes de départ.", "Come back with one of your start cities."),
            v.CITY,
        ),
    ),
    "vote": (
        _form(
            words("VOTER|VOTE", "VOTE"),
            o.Vote,
            words("Voter la paix ou la guerre.", "Vote for peace or war."),
            v.one_of("state", "state", words("état", "state"), v.STATE_CHOICES),
        ),
    ),
    "stance": (
        _form(
            words("BONUS|AVANTAGE", "BONUS|EDGE"),
            o.Stance,
            words("Le bonus suisse : en attaque ou en défense.", "The Swiss bonus: in attack or in defence."),
            v.one_of("side", "side", words("côté", "side"), v.SIDE_CHOICES),
        ),
    ),
    "purchases": PURCHASES,
    "expansion": (
        _form(
            words("OCCUPER|PRENDRE|S'ÉTENDRE À|ÉTENDRE", "EXPAND|SETTLE|OCCUPY|TAKE"),
            o.Settle,
            words("Prendre une ville libre, par route ou par mer.", "Take a free city, by road or by sea."),
            v.CITY,
            v.ORIGIN,
        ),
    ),
    "combat": COMBAT,
    "sales": (
        _form(
            words("VENDRE|VENDRE À|OFFRIR", "SELL|SELL TO|OFFER"),
            o.Sell,
            words("Proposer un Condottiere à chacun de ces belligérants.", "Offer a Condottiere to each of these."),
            v.some_of("to", "buyer", words("belligérants", "belligerents"), v.BUYER_CHOICES),
        ),
    ),
    "hire": (
        _form(
            words("EMBAUCHER|ENGAGER|ACHETER", "HIRE|BUY|ENGAGE"),
            o.Hire,
            words("Acheter jusqu'à tant de Condottieri proposés.", "Buy up to so many of the Condottieri offered."),
            v.may(v.number("count", words("condottieri", "condottieri"), 1, 3), 1),
        ),
    ),
    "defence": (
        _form(
            words("POSER|DÉFENDRE|JOUER", "LAY|DEFEND|PLAY"),
            o.Lay,
            words("Votre carte de défense, et la rouge à côté.", "Your card in defence, and the red one beside it."),
            v.one_of("card", "card", v.CARD_TITLE, v.DEFENCE_CHOICES),
            v.may(v.led(v.one_of("red", "card", v.CARD_TITLE, v.RED_CHOICES), v.WITH), ""),
        ),
    ),
    "counter": (
        _form(
            words("CONTRER|CONTRE|OUI", "COUNTER|YES|CANCEL"),
            o.Counter,
            words("Annuler la carte rouge de l'attaquant.", "Cancel the attacker's red card."),
        ),
    ),
    "traitor": (
        _form(
            words("SOUDOYER|RACHETER|ACHETER", "BRIBE|BUY|BUY OVER"),
            o.Bribe,
            words(
                "Acheter un Condottiere qui trahit ; au plus tant de ducats dans le tour.",
                "Buy a Condottiere who betrays; at most so many ducats in the turn.",
            ),
            v.may(v.number("most", v.DUCATS_TITLE, 1, 20), 0),
        ),
    ),
    "sign": (
        _form(
            words("DOUBLER|SIGNE|SIGNE DE DIEU SUR", "DOUBLE|SIGN|SIGN ON"),
            o.Sign,
            words("Doubler une carte par Signe de Dieu.", "Double a card by a Sign of God."),
            v.may(v.one_of("card", "card", v.CARD_TITLE, v.DOUBLED_CHOICES), "strongest"),
        ),
    ),
    "retreat": (
        _form(
            words("REPRENDRE|RETIRER|SAUVER", "SAVE|TAKE BACK|RECOVER"),
            o.Withdraw,
            words("Reprendre ces cartes bleues, une par Retraite.", "Take back these blue cards, one a Retreat."),
            v.some_of("cards", "card", v.CARDS_TITLE, v.TROOP_CHOICES),
        ),
    ),
    "deals": DEALS,
}  # fmt: skip
"""Every way to answer each question."""
