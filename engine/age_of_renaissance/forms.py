"""How every order is written, topic by topic: keywords in both languages, slots, a sentence for help pages.

These are the full forms, without a position; `language.forms` adds what would be accepted now.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from engine.age_of_renaissance import orders as o
from engine.age_of_renaissance import vocabulary as v
from engine.age_of_renaissance.catalogue import CARDS, FACE, TOKENS, Aim
from engine.kernel.catalogues import Words, words
from engine.kernel.forms import Choice, Form, Slot
from engine.kernel.orders import Order
from engine.kernel.phrasebook import Exact


@dataclass(frozen=True)
class Faced(Exact):
    """A form in which a card is written as the first of its face."""

    def named(self, slot: Slot, value: object) -> object:
        """A value as it is written."""
        return _faced(slot, value)


@dataclass(frozen=True)
class Fight(Faced):
    """An attack: `BY CONVERSION` is a word on paper and a yes or no in the order."""

    def make(self, values: Mapping[str, object]) -> Order:
        """The attack; by Conversion if the word was said."""
        return super().make({**values, "convert": bool(values.get("convert"))})

    def read(self, order: Order) -> Mapping[str, object] | None:
        """The slot values of an attack."""
        if not isinstance(order, o.Attack):
            return None
        by = "conversion" if order.convert else ""
        return {"province": order.province, "tokens": order.tokens, "convert": by}


def _faced(slot: Slot, value: object) -> object:
    if slot.kind != "card":
        return value
    return tuple(_face(card) for card in value) if isinstance(value, tuple) else _face(value)


def _face(card: object) -> object:
    return FACE[card] if isinstance(card, str) and card in CARDS else card


def _led(slot: Slot, lead: Words, unsaid: object = ()) -> Slot:
    """The slot behind a lead word, which may be left out."""
    return v.may(v.led(slot, lead), unsaid)


def _target(kind: str, title: Words, choices: tuple[Choice, ...], lead: Words) -> Slot:
    """Whom or what a card hits: a tuple in the order, whether it holds one thing or several."""
    return _led(v.some_of("target", kind, title, choices), lead)


def _form(keyword: Words, order: type[Order], about: Words, *slots: Slot, **fixed: Any) -> Faced:
    return Faced(keyword, order, slots, fixed, about)


def _card(choices: tuple[Choice, ...], name: str = "card") -> Slot:
    return v.one_of(name, "card", v.CARD_TITLE, choices)


def _cards(name: str) -> Slot:
    return v.some_of(name, "card", v.CARDS_TITLE, v.CARD_CHOICES)


def _places(name: str = "provinces") -> Slot:
    return v.some_of(name, "province", v.PROVINCES_TITLE, v.PROVINCE_CHOICES)


_PLAY: Final = words("JOUER|JOUE|ABATTRE", "PLAY")
_DISCARD: Final = _form(
    words("DÉFAUSSER|DÉFAUSSE|JETER", "DISCARD|THROW AWAY"),
    o.Discard,
    words("Défausser une carte de votre main.", "Discard a card of your hand."),
    _card(v.CARD_CHOICES),
)


_LIFT: Final = _form(
    words("RELEVER|RÉCUPÉRER|LEVER|LIBÉRER", "LIFT|FREE|TAKE UP"),
    o.Lift,
    words(
        "Remplacer ailleurs un marqueur par un pion, dans cet ordre de préférence.",
        "Replace a marker elsewhere by a token, in this order of preference.",
    ),
    _places(),
)


def _aimed(aim: Aim, slot: Slot, about: Words) -> Faced:
    return _form(_PLAY, o.Play, about, _card(v.aimed_cards(aim)), slot, good="")


PLAYS: Final = (
    _form(
        _PLAY,
        o.Play,
        words(
            "Jouer une marchandise, une personnalité ou un événement sans cible.",
            "Play a commodity, a leader or an event without target.",
        ),
        _card(v.PLAIN_CARDS),
        target=(),
        good="",
    ),
    _form(
        _PLAY,
        o.Play,
        words(
            "Jouer une carte double pour la marchandise de votre choix.",
            "Play a double card for the good of your choice.",
        ),
        _card(v.DOUBLE_CARDS),
        _led(v.one_of("good", "good", v.GOOD_TITLE, v.DOUBLE_GOODS), words("COMME|EN TANT QUE|POUR", "AS|FOR"), ""),
        target=(),
    ),
    _aimed(
        Aim.SEAT,
        _target("power", v.POWER_TITLE, v.CAPITAL_CHOICES, v.at("CONTRE", "AGAINST")),
        words("Jouer un événement contre une puissance.", "Play an event against a power."),
    ),
    _aimed(
        Aim.PROVINCE,
        _target("province", v.PROVINCE_TITLE, v.PROVINCE_CHOICES, v.at("À", "AT")),
        words("Jouer un événement dans une province.", "Play an event in a province."),
    ),
    _aimed(
        Aim.PROVINCES,
        _target("province", v.PROVINCES_TITLE, v.PROVINCE_CHOICES, v.at("À", "AT")),
        words("Jouer Pirates/Vikings dans des provinces côtières.", "Play Pirates/Vikings in coastal provinces."),
    ),
    _aimed(
        Aim.REGION,
        _target("region", words("région", "region"), v.REGION_CHOICES, v.at("EN", "IN")),
        words("Jouer Peste noire dans une région.", "Play Black Death in a region."),
    ),
    _aimed(
        Aim.CATEGORY,
        _target("category", words("catégorie", "category"), v.BULL_CATEGORIES, v.at("CONTRE", "AGAINST")),
        words("Jouer Bulle papale contre une catégorie.", "Play Papal Decree against a category."),
    ),
)
"""§9.3  One form for each sort of card, all with the same keyword."""

PURCHASES: Final = (
    _form(
        words(
            "FLOTTE|NAVIRE|BATEAU|AMÉLIORER LA FLOTTE|AMÉLIORER|ACHETER FLOTTE|ACHETER UN NAVIRE|ACHETER NAVIRE",
            "SHIP|FLEET|UPGRADE SHIP|UPGRADE FLEET|UPGRADE|BUY SHIP|BUY A SHIP|BUY FLEET",
        ),
        o.UpgradeShip,
        words("Améliorer votre flotte d'un niveau, pour 10 ducats.", "Upgrade your fleet by a level, for 10 ducats."),
    ),
    _form(
        words("ACHETER|ACHAT|ACQUÉRIR|PROGRÈS", "BUY|PURCHASE|ADVANCE|ADVANCES"),
        o.Buy,
        words(
            "Acheter des progrès, par lettre ou par nom, dans cet ordre.",
            "Buy advances, by letter or by name, in this order.",
        ),
        v.some_of("advances", "advance", v.ADVANCE_TITLE, v.ADVANCE_CHOICES),
        _led(
            v.some_of("claims", "card", words("personnalités", "leaders"), v.LEADER_CARDS),
            words("AVEC|GRÂCE À|PAR|RÉCLAMER", "WITH|CLAIMING|CLAIM|THANKS TO|USING"),
        ),
    ),
    _form(
        words("STABILISER|STABILISE|STABILISATION|STABILITÉ", "STABILISE|STABILIZE|STABILISATION|STABILITY"),
        o.Stabilise,
        words("Payer la stabilisation.", "Pay for stability."),
        pay=True,
    ),
    _form(
        words(
            "NE PAS STABILISER|PAS DE STABILISATION|NE STABILISE PAS|SANS STABILISER",
            "DO NOT STABILISE|DO NOT STABILIZE|DON'T STABILISE|NO STABILISATION|NOT STABILISE",
        ),
        o.Stabilise,
        words("Ne pas payer la stabilisation.", "Do not pay for stability."),
        pay=False,
    ),
    _DISCARD,
)

EXPANSION: Final = (
    _form(
        words("PLACER|PLACE|METTRE|POSER", "PLACE|PUT|SETTLE"),
        o.Place,
        words("Placer des pions là où personne n'est à combattre.", "Place tokens where nobody need be fought."),
        v.one_of("province", "province", v.PROVINCE_TITLE, v.PROVINCE_CHOICES),
        v.number("tokens", v.TOKENS_TITLE, 1, TOKENS),
    ),
    Fight(
        words("ATTAQUER|ATTAQUE|DISPUTER", "ATTACK|FIGHT|CONTEST"),
        o.Attack,
        (
            v.one_of("province", "province", v.PROVINCE_TITLE, v.PROVINCE_CHOICES),
            v.number("tokens", v.TOKENS_TITLE, 1, TOKENS),
            Slot(
                "convert", "means", words("Conversion", "Conversion"),
                v.choices((("conversion", words("Conversion", "Conversion")),)),
                optional=True, unsaid="", lead=words("PAR|EMPLOYANT", "BY|USING"),
            ),
        ),
        {},
        words(
            "Attaquer une province avec ce nombre de nouveaux pions.",
            "Attack a province with this number of new tokens.",
        ),
    ),
    _form(
        words("ACHETER CARTE|ACHETER UNE CARTE", "BUY CARD|BUY A CARD"),
        o.BuyCard,
        words("Acheter une carte avec vos pions.", "Buy a card with your tokens."),
    ),
    _LIFT,
)  # fmt: skip

FORMS: Final[Mapping[str, tuple[Form, ...]]] = {
    "keep": (
        _form(
            words("GARDER|GARDE|CONSERVER", "KEEP"),
            o.Keep,
            words("Garder deux des trois cartes reçues.", "Keep two of the three cards dealt."),
            _cards("cards"),
        ),
    ),
    "bid": (
        _form(
            words("ENCHÈRE|ENCHÉRIR|MISER", "BID"),
            o.Bid,
            words("Miser des ducats pour choisir sa capitale.", "Bid ducats for the choice of capital."),
            v.number("ducats", v.DUCATS_TITLE, 0),
        ),
    ),
    "capitals": (
        _form(
            words("CAPITALES|CAPITALE", "CAPITALS|CAPITAL"),
            o.Capitals,
            words("Les capitales, de la préférée à la dernière.", "The capitals, from the favourite to the last."),
            v.some_of("capitals", "power", words("capitales", "capitals"), v.CAPITAL_CHOICES),
        ),
    ),
    "tokens": (
        _form(
            words("PIONS|PION|ACHETER PIONS", "TOKENS|TOKEN|BUY TOKENS"),
            o.Tokens,
            words(
                "Le nombre de pions achetés ; négatif pour jouer tôt.",
                "The number of tokens bought; negative to play early.",
            ),
            v.number("count", v.TOKENS_TITLE),
        ),
    ),
    "history": PLAYS,
    "purchases": PURCHASES,
    "expansion": EXPANSION,
    "final": PLAYS,
    "rank": (
        _form(
            words("PREMIER|RANG PREMIER|D'ABORD", "FIRST|RANK FIRST"),
            o.Rank,
            words("Jouer avant ceux qui sont à égalité.", "Play before those tied with you."),
            place=1,
            last=False,
        ),
        _form(
            words("DERNIER|RANG DERNIER", "LAST|RANK LAST"),
            o.Rank,
            words("Jouer après ceux qui sont à égalité.", "Play after those tied with you."),
            place=1,
            last=True,
        ),
        _form(
            words("RANG DEPUIS LA FIN", "RANK FROM LAST"),
            o.Rank,
            words("La place comptée depuis la fin.", "The place counted from behind."),
            v.number("place", v.NUMBER_TITLE, 2, 6),
            last=True,
        ),
        _form(
            words("RANG|PLACE", "RANK|PLACE"),
            o.Rank,
            words("La place parmi ceux qui sont à égalité.", "The place among those tied."),
            v.number("place", v.NUMBER_TITLE, 1, 6),
            last=False,
        ),
    ),
    "surplus": (
        _form(
            words("ANNULER|ANNULE|RACHETER", "CANCEL|BUY OFF"),
            o.CancelMarkets,
            words("Payer pour annuler excédents ou pénuries.", "Pay to cancel surpluses or shortages."),
            v.some_of("goods", "good", words("marchandises", "goods"), v.GOOD_CHOICES),
        ),
    ),
    "mills": (
        _form(
            words("MOULINS|MOULIN|AJUSTER", "MILLS|MILL|ADJUST"),
            o.Mill,
            words("Ajuster un marché d'un pas.", "Adjust a market by one step."),
            v.one_of("good", "good", v.GOOD_TITLE, v.MILLED_CHOICES),
            v.one_of("way", "way", words("sens", "way"), v.MARKET_WAYS),
        ),
    ),
    "extra": (
        _form(
            words("CARTE SUPPLÉMENTAIRE|ACHETER CARTE|ACHETER UNE CARTE|TIRER", "EXTRA CARD|BUY CARD|BUY A CARD|DRAW"),
            o.BuyExtra,
            words("Tirer une carte de plus, pour 10 ducats.", "Draw one more card, for 10 ducats."),
        ),
    ),
    "discard": (_DISCARD,),
    "civil_war": (
        _form(
            words("ARGENT|DUCATS|MONNAIE|PERDRE ARGENT", "MONEY|DUCATS|CASH|LOSE MONEY"),
            o.Forfeit,
            words("Perdre de l'argent.", "Lose money."),
            what="money",
        ),
        _form(
            words("PIONS|PERDRE PIONS", "TOKENS|LOSE TOKENS"),
            o.Forfeit,
            words("Perdre des pions d'expansion.", "Lose expansion tokens."),
            what="tokens",
        ),
    ),
    "remnant": (
        _form(
            words("LAISSER UN PION|GARDER UN PION", "LEAVE A TOKEN|KEEP A TOKEN"),
            o.Remain,
            words("Y laisser un des pions achetés.", "Leave one of the tokens bought there."),
            what="token",
        ),
        _form(
            words("LAISSER VIDE|LAISSER LA PROVINCE VIDE", "LEAVE EMPTY|LEAVE THE PROVINCE EMPTY"),
            o.Remain,
            words("Laisser la province vide.", "Leave the province empty."),
            what="nothing",
        ),
    ),
    "war": (
        _form(
            words("CÉDER|CÈDE|DONNER", "CEDE|GIVE UP|GIVE"),
            o.Cede,
            words("Les provinces à céder, dans cet ordre.", "The provinces to cede, in this order."),
            _places(),
        ),
    ),
    "weapon": (
        _form(
            words("ARMER|JOUER|JOUE|UTILISER", "ARM|PLAY|USE"),
            o.Arm,
            words("Jouer une carte militaire avant le nouveau jet.", "Play a military card before the new roll."),
            _card(v.WEAPON_CARDS),
        ),
    ),
    "conversion": (
        _form(
            words(
                "UTILISER CONVERSION|CONVERSION|UTILISER LA CONVERSION|CONVERTIR", "USE CONVERSION|CONVERSION|CONVERT"
            ),
            o.UseConversion,
            words(
                "Vous défendre par Conversion, contre ces puissances ou là seulement.",
                "Defend by Conversion, against these powers or there only.",
            ),
            _led(
                v.some_of("against", "power", words("puissances", "powers"), v.CAPITAL_CHOICES),
                words("CONTRE", "AGAINST"),
            ),
            _led(_places(), words("À|EN|DANS", "AT|IN")),
        ),
    ),
    "manuscripts": (
        _form(
            words("ÉCHANGER|ÉCHANGE|DONNER", "EXCHANGE|GIVE|SWAP"),
            o.Exchange,
            words("Donner la première de ces cartes encore en main.", "Give the first of these cards still in hand."),
            _cards("cards"),
        ),
    ),
    "renaissance": (
        _form(
            words("CHANGER|PERMUTER|RENAISSANCE", "SWAP|CHANGE|RENAISSANCE"),
            o.Swap,
            words(
                "Changer de place au début d'une phase, avant ou après l'effet de la Guerre civile.",
                "Change places at the start of a phase, before or after the effect of Civil War.",
            ),
            v.one_of("way", "way", words("sens", "way"), v.BEFORE_AFTER),
            v.one_of("phase", "phase", words("phase", "phase"), v.PHASE_CHOICES),
            _led(
                v.one_of("civil_war", "way", words("ordre", "order"), v.CIVIL_WAR_ORDER),
                words("GUERRE CIVILE", "CIVIL WAR"),
                "first",
            ),
        ),
    ),
    "indulgences": (
        _form(
            words("DUCATS|ARGENT|PAYER", "DUCATS|MONEY|PAY"),
            o.Indulge,
            words("Payer un ducat par pion manquant.", "Pay a ducat for each token that is missing."),
            what="ducats",
        ),
        _form(
            words("MÉCONTENTEMENT|MISÈRE", "MISERY|UNREST"),
            o.Indulge,
            words("Monter d'une case de mécontentement.", "Go up one step of misery."),
            what="misery",
        ),
    ),
    "lift": (_LIFT,),
    "leave": (
        _form(
            words("QUITTER LA PARTIE|ABANDONNER LA PARTIE", "LEAVE THE GAME|QUIT THE GAME"),
            o.Leave,
            words("Offrir sa place, avant de quitter la partie.", "Offer one's seat, before leaving the game."),
        ),
    ),
}
"""By topic. An order that several topics take is written alike in each."""
