"""The facts for IF; all are public."""

from collections.abc import Callable, Mapping
from typing import Final

from engine.diplomacy import vocabulary as v
from engine.diplomacy.board import Board
from engine.diplomacy.catalogue import WORDS, province_of
from engine.kernel.forms import Fact
from engine.kernel.orders import Condition
from engine.kernel.phrasebook import fact, leading, one_choice
from engine.kernel.position import Position
from engine.kernel.viewers import Seat

_PROVINCE: Final = one_choice("place", "place", v.SAID.title("to"), v.PROVINCE_CHOICES)

FACTS: Final[tuple[Fact, ...]] = (
    fact(WORDS, "free", leading(_PROVINCE)),
    fact(WORDS, "there", leading(v.unit("other"))),
    fact(WORDS, "dislodged", leading(v.unit("other"))),
    fact(WORDS, "occupies", leading(v.POWER), _PROVINCE),
    fact(WORDS, "owns", leading(v.POWER), _PROVINCE),
)
"""The same for every seat."""

About = Mapping[str, str | int]


def holds(seen: Position[Board], seat: Seat, condition: Condition) -> bool:
    """Return True if the fact holds, before negation."""
    return _JUDGES[condition.fact](seen.board, condition.about)


def _named(about: About) -> tuple[str, str]:
    """Return the kind ("" for any) and the province of a unit."""
    kind, _, place = str(about["other"]).rpartition(" ")
    return kind, province_of(place)


def _is_there(board: Board, about: About) -> bool:
    kind, p = _named(about)
    return p in board.units and kind in ("", board.units[p].kind)


def _is_dislodged(board: Board, about: About) -> bool:
    kind, p = _named(about)
    return p in board.dislodged and kind in ("", board.dislodged[p].unit.kind)


def _occupies(board: Board, about: About) -> bool:
    unit = board.units.get(str(about["place"]))
    return unit is not None and unit.power == about["power"]


_JUDGES: Final[Mapping[str, Callable[[Board, About], bool]]] = {
    "free": lambda board, about: about["place"] not in board.units,
    "there": _is_there,
    "dislodged": _is_dislodged,
    "occupies": _occupies,
    "owns": lambda board, about: board.centres.get(str(about["place"])) == about["power"],
}
