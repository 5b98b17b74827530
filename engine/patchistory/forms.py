"""The form of every order, by question, without a position."""

from collections.abc import Mapping
from typing import Final

from engine.kernel.forms import Form, Slot
from engine.kernel.phrasebook import as_optional, number, one_choice, some_choices, with_lead
from engine.patchistory import orders as o
from engine.patchistory import vocabulary as v
from engine.patchistory.catalogue import AID

_form: Final = v.SAID.form
_BID: Final = _form(
    "bid",
    o.Bid,
    v.lot(),
    as_optional(with_lead(number("start", v.title("bid"), 1, v.MOST), v.lead("start")), 1),
    as_optional(with_lead(number("most", v.title("limit"), 1, v.MOST), v.lead("up_to")), 0),
)
_HOME: Final = _form("home", o.Home, v.squares())

FORMS: Final[Mapping[str, tuple[Form, ...]]] = {
    "voyage": (_form("take", o.Take, v.lot()),),
    "opening": (_BID,),
    "auction": (_BID,),
    "placement": (
        _form(
            "place",
            o.Place,
            as_optional(v.lot(), ""),
            with_lead(v.square("corner"), v.lead("at")),
            as_optional(with_lead(v.squares("under"), v.lead("under")), ()),
            as_optional(one_choice("side", "side", v.title("side"), v.SIDE_CHOICES), ""),
        ),
        _form("forgo", o.Forgo),
    ),
    "settle": (_form("settle", o.Settle, v.squares()),),
    "crowd": (_HOME,),
    "recall": (
        _form("recall_square", o.SendBack, v.squares(), routes=()),
        _form(
            "recall_route", o.SendBack, some_choices("routes", "route", v.title("route"), v.ROUTE_CHOICES), squares=()
        ),
    ),
    "envoy": (_form("ally", o.Ally, v.player(), v.end()),),
    "siege": (_form("discard_route", o.DiscardRoute, v.route()),),
    "bombing": (_form("bomb", o.Bomb, v.player(), v.square(), v.building(optional=True)),),
    "diplomacy": (
        _form("aid", o.Aid, v.goods("goods", AID["gives"], AID["gives"]), v.player()),
        _form(
            "threaten",
            o.Threaten,
            v.player(),
            with_lead(one_choice("good", "good", v.title("good"), v.DEMANDS), v.lead("ask")),
        ),
        _form("break", o.BreakAlliance, v.player()),
    ),
    "aid": (_form("accept", o.Answer, accept=True), _form("refuse", o.Answer, accept=False)),
    "administration": (
        _form("send", o.Send, v.square(), v.route()),
        _form(
            "exchange",
            o.Exchange,
            number("count", v.title("count"), 1, v.MOST),
            one_choice("good", "good", v.title("good"), v.GOODS),
            with_lead(v.goods("gained"), v.lead("for")),
        ),
        _form("train", o.Train, v.square()),
        _form("honour", o.Honour, one_choice("what", "kind", v.title("honoured"), v.HONOURED)),
        _form("build_route", o.BuildRoute, v.player()),
        _form("clear", o.Clear, v.square(), v.building(optional=True)),
        _form("build", o.Build, v.building(), v.square()),
        _form("campaign", o.Campaign, number("points", v.title("points"), 1, v.MOST)),
    ),
    "movement": (
        _form("move", o.Move, v.square("start"), with_lead(v.square("to"), v.lead("to"))),
        _form("travel", o.Travel, v.route(), with_lead(number("spaces", v.title("spaces"), 1, v.MOST), v.lead("by"))),
        _form("rest", o.Rest, v.route()),
    ),
    "home": (_HOME,),
    "negotiation": (
        _form("war", o.Token, side="red", wish=False, end="A"),
        _form("peace", o.Token, side="blue", wish=False, end="A"),
        _form("alliance", o.Token, v.end(), side="blue", wish=True),
    ),
    "fights": (_form("fights", o.Fights, some_choices("routes", "route", v.title("route"), v.ROUTE_CHOICES)),),
    "fuel": (
        _form(
            "fuel",
            o.Fuel,
            number("resources", v.title("resources"), 0, v.MOST),
            as_optional(with_lead(number("votes", v.title("votes"), 0, v.MOST), v.lead("votes")), 0),
        ),
    ),
    "sacrifice": (
        _form(
            "send_back",
            o.SendBack,
            as_optional(v.squares(), ()),
            as_optional(
                with_lead(some_choices("routes", "route", v.title("route"), v.ROUTE_CHOICES), v.lead("and_from")), ()
            ),
        ),
    ),
    "prosperity": (_form("put", o.PutCard, one_choice("card", "card", v.title("card"), v.CARD_CHOICES)),),
    "votes": (_form("votes", o.Votes, Slot("counts", "number", v.title("votes"), many=True, low=0, high=v.MOST)),),
}
"""The forms by question."""
