"""Corrections of this board by a game master, as events that can be verified and undone."""

from collections.abc import Mapping
from typing import Final

from engine.diplomacy import vocabulary as v
from engine.diplomacy.board import Board, Unit
from engine.diplomacy.catalogue import ARMY, PROVINCES, SEA, WORDS, places_of, province_of
from engine.diplomacy.meta import LAST_YEAR
from engine.diplomacy.views import NAMES
from engine.kernel.correction_events import CorrectionRefused, ValueSet
from engine.kernel.corrections import Corrections, Ruling, Zone, require_change
from engine.kernel.events import Event
from engine.kernel.forms import Choice, Form
from engine.kernel.orders import Order
from engine.kernel.phrasebook import one_choice, with_lead
from engine.kernel.position import Position
from engine.kernel.rulings import TO, ruling_form

PROBLEMS: Final = (
    "cannot_stand",  # {unit, places}
    "no_centre",  # {province}
)


class UnitRighted(ValueSet, saved="diplomacy.UnitRighted"):
    """The unit in a province was corrected; None stands for no unit."""

    province: str

    def current(self, board: Board) -> Unit | None:
        return board.units.get(self.province)

    def put(self, board: Board) -> None:
        board.units.pop(self.province, None)
        if self.after is not None:
            board.units[self.province] = self.after


class CentreRighted(ValueSet, saved="diplomacy.CentreRighted"):
    """The owner of a centre was corrected; "" stands for nobody."""

    province: str

    def current(self, board: Board) -> str:
        return board.centres.get(self.province, "")

    def put(self, board: Board) -> None:
        board.centres.pop(self.province, None)
        if self.after:
            board.centres[self.province] = self.after


class PlaceUnit(Order):
    """Put a unit of a power on the board, in place of what stands there."""

    unit: str
    power: str


class LiftUnit(Order):
    """Take a unit off the board."""

    unit: str


class SetOwner(Order):
    """Give a centre to a power, or to nobody."""

    province: str
    power: str


_NOBODY: Final = Choice("", WORDS("choices.nobody"))
_UNIT: Final = one_choice("unit", "site", v.SAID.title("site"), v.STANDING)
_PROVINCE: Final = one_choice("province", "place", v.SAID.title("to"), v.PROVINCE_CHOICES)
_OF: Final = with_lead(one_choice("power", "power", v.SAID.title("power"), v.POWER_CHOICES), WORDS("leads.of"))
_OWNER: Final = with_lead(one_choice("power", "power", v.SAID.title("power"), (*v.POWER_CHOICES, _NOBODY)), TO)


class Rightings(Corrections):
    """The corrections of Diplomacy: units, and who owns which centre."""

    names = NAMES
    zones: Mapping[str, Zone] = {}
    adoptable = (LAST_YEAR,)

    def forms(self, position: Position[Board]) -> tuple[Form, ...]:
        """Return the common forms, and those of this board."""
        return (
            *super().forms(position),
            ruling_form(WORDS, "place", PlaceUnit, _UNIT, _OF),
            ruling_form(WORDS, "lift", LiftUnit, v.unit("unit")),
            ruling_form(WORDS, "owner", SetOwner, _PROVINCE, _OWNER),
        )

    def facts(self, ruling: Ruling, order: Order) -> tuple[Event, ...]:
        """Return the events of one order. Raises CorrectionRefused."""
        board: Board = ruling.board
        match order:
            case PlaceUnit(unit=written, power=power):
                unit = _standing(power, written)
                require_change(before := board.units.get(unit.province), unit)
                return (UnitRighted(province=unit.province, before=before, after=unit),)
            case LiftUnit(unit=written):
                kind, _, place = written.rpartition(" ")
                p = province_of(place)
                if p not in board.units or kind not in ("", board.units[p].kind):
                    raise CorrectionRefused("nothing_there", province=p)
                return (UnitRighted(province=p, before=board.units[p], after=None),)
            case SetOwner(province=p, power=power):
                if not PROVINCES[p].centre:
                    raise CorrectionRefused("no_centre", province=p)
                require_change(owner := board.centres.get(p, ""), power)
                return (CentreRighted(province=p, before=owner, after=power),)
        return super().facts(ruling, order)


def _standing(power: str, written: str) -> Unit:
    """Return a unit where its kind can stand. Raises CorrectionRefused."""
    kind, place = written.split()
    p = province_of(place)
    if kind == ARMY and PROVINCES[p].kind != SEA:
        return Unit(power, kind, p)
    if kind != ARMY and place in places_of(p):
        return Unit(power, kind, place)
    raise CorrectionRefused("cannot_stand", unit=written, places=() if kind == ARMY else places_of(p))


CORRECTIONS: Final = Rightings()
