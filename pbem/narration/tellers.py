"""The rules of each game together with what they say of its telling."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

from engine import rules
from engine.kernel.names import Seat
from engine.kernel.plots import Counts
from engine.kernel.position import Position
from engine.kernel.rules import Meta, Rules
from engine.kernel.telling import Telling, no_figures, telling_of


@dataclass(frozen=True)
class Teller:
    """One game, as far as telling it goes."""

    rules: Rules[Any]
    telling: Telling

    @property
    def meta(self) -> Meta:
        """Title, options, topics, endings."""
        return self.rules.meta


@cache
def teller(game: str) -> Teller:
    """The teller of a game; raises KeyError, whose text names the games there are.

    A game that names no figures of a seat, but some that everybody may follow, compares these in reports.
    """
    found = rules(game)
    telling = telling_of(found)
    if isinstance(found, Counts) and telling.figures is no_figures:
        telling = replace(telling, figures=partial(_counted, found))
    return Teller(found, telling)


def _counted(found: Any, position: Position[Any], seat: Seat) -> Mapping[str, int]:
    numbers = found.count(found.present(position, seat))
    return {name: known for name, by_seat in numbers.items() if (known := by_seat.get(seat)) is not None}
