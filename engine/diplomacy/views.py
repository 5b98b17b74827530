"""What everybody is shown: names, numbers, tuples and mappings. The position is public; orders are in no view."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.diplomacy.board import Board, Part, Unit, count_builds, is_out, lost_units, units_of
from engine.diplomacy.catalogue import CENTRES, POWERS, PROVINCES, SEA, WORDS, places_of
from engine.diplomacy.meta import topic_of
from engine.diplomacy.orders import Convoy, Move, Retreat, Support, with_units, write_order
from engine.diplomacy.turns import Seen
from engine.diplomacy.validation import ordered_province, retreats
from engine.kernel.catalogues import Words
from engine.kernel.languages import Language
from engine.kernel.orders import Order, Problem
from engine.kernel.panels import Panel, PanelFigure
from engine.kernel.power_names import PowerFigures, PowerNames
from engine.kernel.rules import View
from engine.kernel.viewers import Seat, Viewer

NAMES: Final = PowerNames(
    "power",
    {power.id: power.words for power in POWERS.values()},
    dict(zip(POWERS, (5, 0, 6, 7, 2, 3, 4), strict=True)),
)
FIGURES: Final[Mapping[str, Words]] = WORDS.section("figures")
COUNTED: Final = PowerFigures(FIGURES)

PROBLEMS = (
    "two_places",  # {unit, province}
    "no_place",  # {unit}
)
"""Broken invariants."""


def present(seen: Seen, viewer: Viewer) -> View:
    """Return the whole view, the same for all viewers but for their seat and the orders that they try."""
    board = seen.board
    return {
        "turn": board.phase.year,
        "phase": topic_of(board.phase),
        "seat": viewer,
        "over": seen.core.over,
        "powers": {seat: _row(board, player.power) for seat, player in board.powers.items()},
        "units": tuple(_unit(unit) for _, unit in sorted(board.units.items())),
        "dislodged": tuple(
            {**_unit(lost.unit), "retreats": retreats(board, p)} for p, lost in sorted(board.dislodged.items())
        ),
        "provinces": {**_UNOWNED, **{p: {**_UNOWNED[p], "owner": owner} for p, owner in board.centres.items()}},
        "free": tuple(sorted(CENTRES - board.centres.keys())),
        "orders": _orders(board, viewer),
        "resolved": tuple(
            {**_unit(one.unit), **_direction(one.order), "succeeded": one.succeeded} for one in board.resolved
        ),
    }


def _orders(board: Board, viewer: Viewer) -> Mapping[str, Mapping[str, str]]:
    """Return the orders of the viewer that count so far, by the province of their unit, with what each says."""
    if viewer not in board.orders or board.phase.part is not Part.MOVEMENT:
        return {}
    counted = {ordered_province(order): order for order in board.orders[Seat(viewer)].value}
    return {p: _order(board.units[p], board, order) for p, order in counted.items() if p in board.units}


def _order(unit: Unit, board: Board, order: Order) -> Mapping[str, str]:
    told = with_units(order, board.units)
    return {**_direction(told), "line": write_order(unit, told)}


def _direction(order: Order) -> Mapping[str, str]:
    """Return what an order does, as arrows show it.

    `aim`: the place that a unit moves to or helps into; "" if it only stays. `helps`: the place of the unit it helps.
    """
    match order:
        case Move(to=to) | Retreat(to=to):
            return {"sort": "move", "aim": to, "helps": ""}
        case Support(of=of, to=to):
            return {"sort": "support", "aim": to or of.split()[1], "helps": of.split()[1]}
        case Convoy(army=army, to=to):
            return {"sort": "convoy", "aim": to, "helps": army.split()[1]}
    return {"sort": "hold", "aim": "", "helps": ""}


_UNOWNED: Final = {
    p: {"kind": province.kind, "centre": province.centre, "places": places_of(p), "owner": ""}
    for p, province in PROVINCES.items()
}


def _unit(unit: Unit) -> Mapping[str, Any]:
    return {"power": unit.power, "kind": unit.kind, "place": unit.place, "unit": str(unit)}


def _row(board: Board, power: str) -> Mapping[str, Any]:
    centres = tuple(sorted(p for p, owner in board.centres.items() if owner == power))
    return {
        "power": power,
        "centres": centres,
        "units": tuple(str(unit) for unit in units_of(board, power)),
        "dislodged": tuple(str(unit) for unit in lost_units(board, power)),
        "builds": count_builds(board, power),
        "out": is_out(board, power),
    }


def list_violations(position: Seen) -> Sequence[Problem]:
    """Return units that stand where they cannot, or are kept under another province."""
    board = position.board
    kept = [(p, unit) for p, unit in board.units.items()]
    kept += [(p, lost.unit) for p, lost in board.dislodged.items()]
    found = [Problem("two_places", {"unit": str(unit), "province": p}) for p, unit in kept if unit.province != p]
    return (*found, *(Problem("no_place", {"unit": str(unit)}) for _, unit in kept if not _can_stand(unit)))


def _can_stand(unit: Unit) -> bool:
    province = PROVINCES[unit.province]
    return province.kind != SEA if unit.kind == "A" else unit.place.partition("/")[2] in province.fleet


def count(view: View) -> Mapping[str, Any]:
    """Return the public figures of each seat."""
    return COUNTED.count(view)


def panels(view: View, language: Language) -> Mapping[str, Panel]:
    """Return the panel of each seat: its centres and units, and whether it is out."""
    return {seat: _panel(row, language) for seat, row in view["powers"].items()}


def _panel(row: Mapping[str, Any], language: Language) -> Panel:
    figures = tuple(PanelFigure(words.printed(language), str(len(row[name]))) for name, words in FIGURES.items())
    return Panel(figures, WORDS("picture.out").printed(language) if row["out"] else "")
