"""The form of every order, by question, as judges' players write it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from engine.diplomacy import orders as o
from engine.diplomacy import vocabulary as v
from engine.diplomacy.catalogue import WORDS
from engine.kernel.catalogues import NOTHING, Words
from engine.kernel.forms import Form, Slot
from engine.kernel.orders import Order
from engine.kernel.phrasebook import as_optional

_HOLDS: Final = WORDS("orders.hold.keyword")


def _form(name: str, order: type[Order], *slots: Slot, fillers: Words = NOTHING) -> Form:
    """Return a form; the names of nations mean nothing between its slots (C6)."""
    called = WORDS.section(f"orders.{name}").get("called", NOTHING)
    return replace(v.SAID.form(name, order, *slots), called=called, fillers=WORDS("fillers") | fillers)


class _Route(Form):
    """A convoy written with the seas on its way, as judges print it: `A LON - NTH - NWY`.

    The seas say that the army goes by sea; which fleets carry it is not the army's to say (C1).
    """

    def make(self, values: Mapping[str, object]) -> Order:
        return o.Move(str(values["unit"]), str(values["to"]), o.BY_SEA)


_MOVE: Final = _form("move", o.Move, v.UNIT, v.TO, v.WAY)
_ROUTE: Final = _Route(_MOVE.keyword, o.Move, (v.UNIT, v.SEAS, v.TO, v.BY_CONVOY), fillers=_MOVE.fillers)
_MOVEMENT: Final = (
    replace(_MOVE, variants=(_ROUTE,)),
    _form("hold", o.Hold, v.UNIT),
    _form("support", o.Support, v.UNIT, v.unit("of"), as_optional(v.dashed(v.TO), ""), fillers=_HOLDS),
    _form("convoy", o.Convoy, v.UNIT, v.unit("army"), v.dashed(v.TO)),
    _form("draw", o.VoteDraw, as_optional(v.SHARING, ())),
    _form("concede", o.Concede, v.POWER),
)
_DISBAND: Final = _form("disband", o.Disband, v.UNIT)
_RETREATS: Final = (_form("retreat", o.Retreat, v.UNIT, v.TO), _DISBAND)
_ADJUSTMENTS: Final = (_form("build", o.Build, v.SITE), _DISBAND, _form("waive", o.Waive))

FORMS: Final[Mapping[str, tuple[Form, ...]]] = {
    "spring": _MOVEMENT,
    "spring_retreat": _RETREATS,
    "fall": _MOVEMENT,
    "fall_retreat": _RETREATS,
    "winter": _ADJUSTMENTS,
}
"""The forms by question."""
