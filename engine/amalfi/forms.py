"""The form of every order, by question, without a position."""

from collections.abc import Mapping
from typing import Final

from engine.amalfi import orders as o
from engine.amalfi import vocabulary as v
from engine.kernel.forms import Form
from engine.kernel.phrasebook import one_choice, some_choices

_form: Final = v.SAID.form
_PAY: Final = (v.wish(v.holds("pay"), "pay"), v.wish(v.holds("emergency"), "emergency"))
_SEND: Final = v.wish(v.ships_sent(), "send")
_BONUS: Final = (
    v.wish(v.taken(), "take"),
    v.wish(v.erected(), "erect"),
    v.wish(v.refreshed(), "refresh"),
)
_GET: Final = v.wish(v.thing(), "get", "")
_RECALL: Final = v.wish(v.recalled(), "recall")
_LIGHT: Final = v.wish(v.holds("light"), "light")

_ACQUIRE: Final = _form("acquire", o.Acquire, v.artwork(), *_PAY, *_BONUS)
_DISCOVER: Final = _form("discover", o.Discover, v.place("destination"), *_PAY)
_INVITE: Final = _form("invite", o.Invite, v.character(), *_PAY, _SEND, *_BONUS, _RECALL, _GET)
_BUILD: Final = _form("build", o.Build, v.ships(), *_PAY, *_BONUS)
_OPTIONAL: Final = (
    _form("lower", o.Lower, v.holds()),
    _form("supply", o.Supply, v.ships()),
    _form("drop", o.Drop, v.characters()),
)
_REFRESH: Final = _form("refresh", o.Refresh, v.refreshed())
_KEEP: Final = _form("keep", o.Keep, v.characters())

FORMS: Final[Mapping[str, tuple[Form, ...]]] = {
    "hand": (_form("choose_hand", o.ChooseHand, one_choice("hand", "hand", v.title("hand"), v.HAND_CHOICES)),),
    "packets": (_form("list_hands", o.ListHands, some_choices("hands", "hand", v.title("hand"), v.HAND_CHOICES)),),
    "pick": (_KEEP,),
    "keep": (_KEEP,),
    "score": (_KEEP,),
    "action": (
        _form("sail", o.Sail, v.place(), v.wish(v.taken("first"), "first", spare=False), _SEND, *_BONUS, _LIGHT),
        _ACQUIRE,
        _DISCOVER,
        _INVITE,
        _form(
            "engage",
            o.Engage,
            v.character(),
            *_PAY,
            _SEND,
            *_BONUS,
            _RECALL,
            _GET,
            v.wish(v.place("use"), "use", ""),
            v.wish(v.character("discard"), "give_up", ""),
        ),
        _BUILD,
        _form("finish", o.Finish),
        *_OPTIONAL,
    ),
    "free": (*_OPTIONAL, _form("recant", o.Recant)),
    "send": (_form("send", o.Send, v.ships_sent()),),
    "take": (_form("take", o.Take, v.taken()), _REFRESH),
    "erect": (_form("erect", o.Erect, v.erected()),),
    "refresh": (_REFRESH,),
    "recall": (_form("recall", o.Recall, v.recalled()),),
    "use": (_form("use", o.Use, v.place("use")),),
    "give_up": (_form("give_up", o.GiveUp, v.character("discard")),),
    "get": (_ACQUIRE, _DISCOVER, _INVITE, _BUILD),
    "light": (_form("light", o.Light, v.holds("light")), _form("bread", o.Light, light=())),
    "meal": (_form("provide", o.Provide), *_OPTIONAL),
    "decree": _OPTIONAL,
}
"""The forms by question."""
