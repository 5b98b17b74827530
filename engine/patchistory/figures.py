"""Names of players, and their figures from round to round."""

from collections.abc import Mapping
from typing import Any, Final

from engine.kernel.catalogues import Words
from engine.kernel.charts import Numbers
from engine.kernel.languages import Language
from engine.kernel.panels import Panel, PanelFigure
from engine.kernel.power_names import PowerNames
from engine.kernel.rules import View
from engine.kernel.viewers import Seat
from engine.patchistory.catalogue import COLOURS, WORDS
from engine.patchistory.vocabulary import PLAYERS

NAMES: Final = PowerNames(
    "colour", {str(c.value): c.names for c in PLAYERS}, dict(zip(COLOURS, (5, 2, 0, 4), strict=True))
)
"""Players are named after the colour of their workers, and drawn in the most similar look of `OWNERS`."""
FIGURES: Final[Mapping[str, Words]] = WORDS.section("figures")
"""The charted figures: Culture and Money if public; levels, workers and squares always."""
_FIRST: Final = WORDS("picture.first")
_CARDS: Final = WORDS("picture.cards")


def count(view: View) -> Mapping[str, Numbers]:
    """Return the figures as `HasStatistics.count` does; None for a figure that is not public."""
    players: Mapping[Seat, Any] = view["powers"]
    return {name: {seat: _figure(player, name) for seat, player in players.items()} for name in FIGURES}


def _figure(player: Mapping[str, Any], name: str) -> int | None:
    match name:
        case "culture" | "money":
            found: int | None = player["stock"].get(name)
            return found
        case "squares":
            return sum(len(location["squares"]) for location in player["territory"])
        case "workers":
            return int(player["workers"])
    return int(player["levels"][name])


def panels(view: View, language: Language) -> Mapping[str, Panel]:
    """Return the panel of each player, in turn order: the charted figures, and prosperity cards in hand."""
    counted = count(view)
    return {seat: _panel(view, seat, counted, language) for seat in view["order"]}


def _panel(view: View, seat: str, counted: Mapping[str, Numbers], language: Language) -> Panel:
    shown = [(words, counted[name][Seat(seat)]) for name, words in FIGURES.items() if name != "squares"]
    found = [PanelFigure(words.printed(language), str(n)) for words, n in shown if n is not None]
    found.append(PanelFigure(_CARDS.printed(language), str(view["powers"][seat]["hand"])))
    return Panel(tuple(found), _FIRST.printed(language) if seat == view["first"] else "")
