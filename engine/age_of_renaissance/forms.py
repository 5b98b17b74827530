"""The form of every order, by topic: keywords, slots, and a sentence for help pages.

These forms do not depend on a position; `OrderLanguage.forms` adds the values that are valid now.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from engine.age_of_renaissance import orders as o
from engine.age_of_renaissance import vocabulary as v
from engine.age_of_renaissance.catalogue import CARDS, FACE, TOKENS, WORDS, Aim
from engine.kernel.catalogues import Words
from engine.kernel.forms import Choice, Form, Slot
from engine.kernel.orders import Order
from engine.kernel.phrasebook import Exact, as_optional, choices, number, one_choice, some_choices, with_lead


@dataclass(frozen=True)
class Faced(Exact):
    """A form that writes a card as the first card with its face."""

    def find(self, slot: Slot, value: object) -> object:
        """Return a value as it is written: a card by its face."""
        return _faced(slot, value)


@dataclass(frozen=True)
class Fight(Faced):
    """The form of an attack. `BY CONVERSION` is a word in the text and a bool in the order."""

    def make(self, values: Mapping[str, object]) -> Order:
        """Return the attack; by Conversion if the word was written."""
        return super().make({**values, "convert": bool(values.get("convert"))})

    def parse(self, order: Order) -> Mapping[str, object] | None:
        """Return the slot values of an attack, or None for another order."""
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
    """Return an optional slot with a lead word."""
    return as_optional(with_lead(slot, lead), unsaid)


def _target(kind: str, title: Words, choices: tuple[Choice, ...], lead: Words) -> Slot:
    """Return the slot for the targets of a card: a tuple in the order, even for one."""
    return _led(some_choices("target", kind, title, choices), lead)


def _form(name: str, order: type[Order], *slots: Slot, **fixed: Any) -> Faced:
    return Faced(WORDS(f"orders.{name}.keyword"), order, slots, fixed, WORDS(f"orders.{name}.about"))


def _card(choices: tuple[Choice, ...], name: str = "card") -> Slot:
    return one_choice(name, "card", v.CARD_TITLE, choices)


def _cards(name: str) -> Slot:
    return some_choices(name, "card", v.CARDS_TITLE, v.CARD_CHOICES)


def _places(name: str = "provinces") -> Slot:
    return some_choices(name, "province", v.PROVINCES_TITLE, v.PROVINCE_CHOICES)


_DISCARD: Final = _form("discard", o.Discard, _card(v.CARD_CHOICES))


_LIFT: Final = _form("lift", o.Lift, _places())


def _play(name: str, *slots: Slot, **fixed: Any) -> Faced:
    return Faced(WORDS("orders.play.keyword"), o.Play, slots, fixed, WORDS(f"orders.play.{name}"))


def _aimed(aim: Aim, slot: Slot) -> Faced:
    return _play(aim.value, _card(v.aimed_cards(aim)), slot, good="")


PLAYS: Final = (
    _play("plain", _card(v.PLAIN_CARDS), target=(), good=""),
    _play(
        "double",
        _card(v.DOUBLE_CARDS),
        _led(one_choice("good", "good", v.GOOD_TITLE, v.DOUBLE_GOODS), WORDS("leads.as"), ""),
        target=(),
    ),
    _aimed(Aim.SEAT, _target("power", v.POWER_TITLE, v.CAPITAL_CHOICES, WORDS("leads.target_against"))),
    _aimed(Aim.PROVINCE, _target("province", v.PROVINCE_TITLE, v.PROVINCE_CHOICES, WORDS("leads.target_at"))),
    _aimed(Aim.PROVINCES, _target("province", v.PROVINCES_TITLE, v.PROVINCE_CHOICES, WORDS("leads.target_at"))),
    _aimed(Aim.REGION, _target("region", WORDS("slots.region"), v.REGION_CHOICES, WORDS("leads.target_in"))),
    _aimed(
        Aim.CATEGORY, _target("category", WORDS("slots.category"), v.BULL_CATEGORIES, WORDS("leads.target_against"))
    ),
)
"""§9.3  One form for each sort of card, all with one keyword."""

PURCHASES: Final = (
    _form("ship", o.UpgradeShip),
    _form(
        "buy",
        o.Buy,
        some_choices("advances", "advance", v.ADVANCE_TITLE, v.ADVANCE_CHOICES),
        _led(
            some_choices("claims", "card", WORDS("slots.leaders"), v.LEADER_CARDS),
            WORDS("leads.with"),
        ),
    ),
    _form("stabilise", o.Stabilise, pay=True),
    _form("do_not_stabilise", o.Stabilise, pay=False),
    _DISCARD,
)

EXPANSION: Final = (
    _form(
        "place",
        o.Place,
        one_choice("province", "province", v.PROVINCE_TITLE, v.PROVINCE_CHOICES),
        number("tokens", v.TOKENS_TITLE, 1, TOKENS),
    ),
    Fight(
        WORDS("orders.attack.keyword"),
        o.Attack,
        (
            one_choice("province", "province", v.PROVINCE_TITLE, v.PROVINCE_CHOICES),
            number("tokens", v.TOKENS_TITLE, 1, TOKENS),
            Slot(
                "convert",
                "means",
                WORDS("slots.conversion"),
                choices((("conversion", WORDS("choices.conversion")),)),
                optional=True,
                default="",
                lead=WORDS("leads.by"),
            ),
        ),
        {},
        WORDS("orders.attack.about"),
    ),
    _form("buy_card", o.BuyCard),
    _LIFT,
)

FORMS: Final[Mapping[str, tuple[Form, ...]]] = {
    "keep": (_form("keep", o.Keep, _cards("cards")),),
    "bid": (_form("bid", o.Bid, number("ducats", v.DUCATS_TITLE, 0)),),
    "capitals": (
        _form("capitals", o.Capitals, some_choices("capitals", "power", WORDS("slots.capitals"), v.CAPITAL_CHOICES)),
    ),
    "tokens": (_form("tokens", o.Tokens, number("count", v.TOKENS_TITLE)),),
    "history": PLAYS,
    "purchases": PURCHASES,
    "expansion": EXPANSION,
    "final": PLAYS,
    "rank": (
        _form("rank_first", o.Rank, place=1, last=False),
        _form("rank_last", o.Rank, place=1, last=True),
        _form("rank_from_last", o.Rank, number("place", v.NUMBER_TITLE, 2, 6), last=True),
        _form("rank", o.Rank, number("place", v.NUMBER_TITLE, 1, 6), last=False),
    ),
    "surplus": (_form("cancel", o.CancelMarkets, some_choices("goods", "good", WORDS("slots.goods"), v.GOOD_CHOICES)),),
    "mills": (
        _form(
            "mills",
            o.Mill,
            one_choice("good", "good", v.GOOD_TITLE, v.MILLED_CHOICES),
            one_choice("way", "way", WORDS("slots.way"), v.MARKET_WAYS),
        ),
    ),
    "extra": (_form("extra_card", o.BuyExtra),),
    "discard": (_DISCARD,),
    "civil_war": (
        _form("forfeit_money", o.Forfeit, what="money"),
        _form("forfeit_tokens", o.Forfeit, what="tokens"),
    ),
    "remnant": (
        _form("leave_token", o.Remain, what="token"),
        _form("leave_empty", o.Remain, what="nothing"),
    ),
    "war": (_form("cede", o.Cede, _places()),),
    "weapon": (_form("arm", o.Arm, _card(v.WEAPON_CARDS)),),
    "conversion": (
        _form(
            "use_conversion",
            o.UseConversion,
            _led(
                some_choices("against", "power", WORDS("slots.powers"), v.CAPITAL_CHOICES),
                WORDS("leads.against"),
            ),
            _led(_places(), WORDS("leads.at")),
        ),
    ),
    "manuscripts": (_form("exchange", o.Exchange, _cards("cards")),),
    "renaissance": (
        _form(
            "swap",
            o.Swap,
            one_choice("way", "way", WORDS("slots.way"), v.BEFORE_AFTER),
            one_choice("phase", "phase", WORDS("slots.phase"), v.PHASE_CHOICES),
            _led(
                one_choice("civil_war", "way", WORDS("slots.order"), v.CIVIL_WAR_ORDER),
                WORDS("leads.civil_war"),
                "first",
            ),
        ),
    ),
    "indulgences": (
        _form("indulge_ducats", o.Indulge, what="ducats"),
        _form("indulge_misery", o.Indulge, what="misery"),
    ),
    "lift": (_LIFT,),
    "leave": (_form("leave", o.Leave),),
}
"""The forms by topic. An order has one form in all its topics."""
