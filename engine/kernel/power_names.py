"""Names and figures of powers, for emails, pages, charts and rulings.

For games whose board has `powers` by seat, each with the id of its name, and whose view has a row for each under
`powers`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.kernel.catalogues import Words
from engine.kernel.charts import FigureLabel, Numbers
from engine.kernel.languages import Language
from engine.kernel.position import Position
from engine.kernel.rules import View
from engine.kernel.viewers import Seat


@dataclass(frozen=True)
class PowerNames:
    """The names under which seats play.

    `attribute`: the attribute of a power, and the key of its row in a view, that holds the id of its name; "" if none.
    `words`: the names by id.
    `looks`: the index in `OWNERS` of each name.
    """

    attribute: str
    words: Mapping[str, Words]
    looks: Mapping[str, int]

    def name_of(self, position: Position[Any], seat: Seat) -> str:
        """Return the id of the name that a seat plays under; "" if it has none."""
        power = position.board.powers.get(seat)
        return "" if power is None else str(getattr(power, self.attribute))

    def seat_of(self, position: Position[Any], name: str) -> Seat | None:
        """Return the seat that plays under a name, or None."""
        powers = position.board.powers.items()
        return next((seat for seat, power in powers if getattr(power, self.attribute) == name), None)

    def called(self, view: View, language: Language) -> Mapping[str, FigureLabel]:
        """Return the label of each seat, as `HasStatistics.labels` does; seats without a name are left out."""
        names = {seat: power[self.attribute] for seat, power in view["powers"].items() if power[self.attribute]}
        return {seat: FigureLabel(self.words[name].printed(language), self.looks[name]) for seat, name in names.items()}


def number(found: Any) -> int | None:
    """Return a figure as a number: the length of a collection; None if it is not known."""
    return found if found is None or isinstance(found, int) else len(found)


@dataclass(frozen=True)
class PowerFigures:
    """Public figures of the powers, each by its key in a row of the view."""

    words: Mapping[str, Words]

    def count(self, view: View) -> Mapping[str, Numbers]:
        lines: Mapping[str, Any] = view["powers"]
        return {figure: {seat: number(line[figure]) for seat, line in lines.items()} for figure in self.words}
