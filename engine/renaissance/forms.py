"""The form of every order, by topic: keywords, slots, and a sentence for help pages.

These forms do not depend on a position; `OrderLanguage.forms` adds the values that are valid now.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from engine.kernel.catalogues import Words
from engine.kernel.forms import Slot
from engine.kernel.phrasebook import Exact, as_optional, number, one_choice, some_choices, with_lead
from engine.kernel.vocabulary import FormWords
from engine.renaissance import orders as o
from engine.renaissance import vocabulary as v
from engine.renaissance.catalogue import ALONE, HAND_LIMIT, WORDS

_form: Final = FormWords(WORDS).form


def _place(name: str, lead: Words) -> Slot:
    return as_optional(with_lead(one_choice(name, "city", v.CITY_TITLE, v.CITY_CHOICES), lead), "")


def _build(what: str) -> Exact:
    return _form(what, o.Build, v.CITY, what=what)


_CORRUPT: Final = as_optional(
    with_lead(
        some_choices("corrupt", "city", v.CITIES_TITLE, v.CITY_CHOICES),
        WORDS("leads.corrupt"),
    ),
    (),
)
_RUIN: Final = as_optional(
    with_lead(
        some_choices("ruin", "city", v.CITIES_TITLE, v.CITY_CHOICES),
        WORDS("leads.ruin"),
    ),
    (),
)
_GIVES: Final = one_choice("gives", "city", v.CITY_TITLE, v.CITY_CHOICES)
_WANTS: Final = with_lead(one_choice("wants", "city", v.CITY_TITLE, v.CITY_CHOICES), v.AGAINST)

COMBAT: Final = (
    _form("attack", o.Attack, v.CITY, v.ORIGIN, v.LAID),
    _form("ride", o.Ride, v.CITY, v.LAID),
    _form("pillage", o.Pillage, v.CITY),
    _form("embassy", o.Embassy, _CORRUPT, _RUIN),
    _form("marry", o.Marry, v.CITY),
    _form("artist", o.Patronise, v.CITY),
    _form("banker", o.Bank, v.CITY),
    _form(
        "lure",
        o.Lure,
        one_choice("origin", "city", v.ORIGIN_TITLE, v.CITY_CHOICES),
        with_lead(v.CITY, WORDS("leads.towards")),
    ),
)
PURCHASES: Final = (
    _form("cards", o.BuyCards, number("count", WORDS("slots.cards"), 1, HAND_LIMIT)),
    _build("palace"),
    _build("rampart"),
    _build("castle"),
    _build("fortress"),
)
_GIVE: Final = _form("give", o.Give, number("ducats", v.DUCATS_TITLE, 1), with_lead(v.NATION, v.TO))
_ACCEPT: Final = _form("accept", o.Accept, _GIVES, _WANTS)
COUNCIL: Final = (_ACCEPT, _GIVE)
_SAVED: Final = replace(some_choices("cards", "card", v.CARDS_TITLE, v.SAVED_CHOICES, counted=True), unit_choices=ALONE)
DEALS: Final = (
    _GIVE,
    _form("offer", o.Propose, _GIVES, _WANTS),
    _ACCEPT,
    _form("recall", o.Recall, _GIVES, _WANTS),
)

FORMS: Final[Mapping[str, tuple[Exact, ...]]] = {
    "nations": (_form("nations", o.Claim, some_choices("nations", "nation", v.NATION_TITLE, v.NATION_CHOICES)),),
    "setup": (
        _form(
            "found",
            o.Found,
            one_choice("rampart", "city", v.CITY_TITLE, v.CITY_CHOICES),
            _place("choice", WORDS("leads.garrison")),
            _place("palace", WORDS("leads.palace")),
        ),
    ),
    "garrison": (_form("garrison", o.Garrison, some_choices("cities", "city", v.CITIES_TITLE, v.CITY_CHOICES)),),
    "return": (_form("return", o.Return, v.CITY),),
    "vote": (_form("vote", o.Vote, one_choice("state", "state", WORDS("slots.state"), v.STATE_CHOICES)),),
    "stance": (_form("bonus", o.Stance, one_choice("side", "side", WORDS("slots.side"), v.SIDE_CHOICES)),),
    "purchases": PURCHASES,
    "expansion": (_form("expand", o.Settle, v.CITY, v.ORIGIN),),
    "combat": COMBAT,
    "sales": (_form("sell", o.Sell, v.BUYERS),),
    "hire": (_form("hire", o.Hire, as_optional(number("count", WORDS("slots.condottieri"), 1, 3), 1)),),
    "defence": (
        _form(
            "lay",
            o.Lay,
            one_choice("card", "card", v.CARD_TITLE, v.DEFENCE_CHOICES),
            as_optional(with_lead(one_choice("red", "card", v.CARD_TITLE, v.RED_CHOICES), v.WITH), ""),
        ),
    ),
    "counter": (_form("counter", o.Counter),),
    "traitor": (_form("bribe", o.Bribe, as_optional(number("most", v.DUCATS_TITLE, 1, 20), 0)),),
    "sign": (
        _form("double", o.Sign, as_optional(one_choice("card", "card", v.CARD_TITLE, v.DOUBLED_CHOICES), "strongest")),
    ),
    "retreat": (_form("save", o.Withdraw, _SAVED),),
    "council": COUNCIL,
    "deals": DEALS,
}
"""The forms by topic."""
