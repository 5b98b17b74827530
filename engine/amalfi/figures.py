"""Names of players, and their public figures from period to period."""

from collections.abc import Mapping
from typing import Any, Final

from engine.amalfi.catalogue import COLOURS, WORDS
from engine.amalfi.vocabulary import PLAYERS
from engine.kernel.catalogues import Words
from engine.kernel.charts import Numbers
from engine.kernel.power_names import PowerNames
from engine.kernel.rules import View
from engine.kernel.viewers import Seat

NAMES: Final = PowerNames(
    "colour", {str(c.value): c.names for c in PLAYERS}, dict(zip(COLOURS, (5, 0, 2, 4), strict=True))
)
"""Players are named after the colour of their ships, and drawn in the most similar look of `OWNERS`."""
FIGURES: Final[Mapping[str, Words]] = WORDS.section("figures")
"""The charted figures; all are public."""


def count(view: View) -> Mapping[str, Numbers]:
    """Return the figures as `HasStatistics.count` does."""
    players: Mapping[Seat, Any] = view["powers"]
    return {name: {seat: _figure(player, name) for seat, player in players.items()} for name in FIGURES}


def figures_of(player: Mapping[str, Any]) -> Mapping[str, int]:
    """Return all figures of a player. `player`: the player's row of a view."""
    return {name: _figure(player, name) for name in FIGURES}


def _figure(player: Mapping[str, Any], name: str) -> int:
    match name:
        case "vp" | "bread":
            return int(player[name])
        case "ships":
            return int(player["fleet"])
        case "lighthouses":
            return int(player["lights"])
        case "characters":
            return len(player["invited"])
    return len(player[name])
