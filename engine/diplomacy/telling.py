"""The narration hooks of the game."""

from collections.abc import Mapping
from typing import Any, Final

from engine.diplomacy import corrections, notation, turns, validation, views, votes
from engine.diplomacy import events as e
from engine.diplomacy.board import Board, building_sites, count_builds, count_centres, count_units, lost_units, units_of
from engine.diplomacy.gazetteer import DESCRIBED
from engine.diplomacy.meta import topic_of
from engine.diplomacy.orders import write_order
from engine.kernel.events import Event
from engine.kernel.narration_hooks import NarrationHooks, classes_in, problem_codes
from engine.kernel.position import Position
from engine.kernel.viewers import Seat

_WORDS: Final[Mapping[str, Any]] = {
    "building_sites": building_sites,
    "count_builds": count_builds,
    "lost_units": lost_units,
    "retreats": validation.retreats,
    "topic_of": topic_of,
    "units_of": units_of,
    "write_order": write_order,
}
"""What templates may call."""


def figures(position: Position[Board], seat: Seat) -> Mapping[str, int]:
    """Return the centres and units of a seat, for a report."""
    if seat not in position.board.powers:
        return {}
    power = position.board.powers[seat].power
    return {"centres": count_centres(position.board, power), "units": count_units(position.board, power)}


def weight(event: Event, seat: Seat) -> int:
    """Return how important an event is in a story of the whole game."""
    match event:
        case e.Won() | e.DrawAgreed() | e.Conceded():
            return 100
        case e.Eliminated():
            return 60
        case e.CentresTaken():
            return 30
    return 0


TELLING: Final = NarrationHooks(
    events=classes_in(e, corrections),
    problems=problem_codes("PROBLEMS", validation, votes, views, corrections, notation),
    notes=problem_codes("NOTES", turns),
    words=_WORDS,
    name_of=views.NAMES.name_of,
    seat_of=views.NAMES.seat_of,
    name="power",
    weight=weight,
    described=DESCRIBED,
    figures=figures,
)
"""Seats play under the names of powers."""
