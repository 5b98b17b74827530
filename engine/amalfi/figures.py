"""What players are called, and what of them is followed from period to period."""

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
"""Players are called by the colour of their ships, and drawn in the owner's look that comes nearest to it."""
FIGURES: Final[Mapping[str, Words]] = WORDS.section("figures")
"""All of them lie open."""


def count(view: View) -> Mapping[str, Numbers]:
    """See `HasStatistics`."""
    players: Mapping[Seat, Any] = view["powers"]
    return {name: {seat: _figure(player, name) for seat, player in players.items()} for name in FIGURES}


def figures_of(player: Mapping[str, Any]) -> Mapping[str, int]:
    """All figures of one player, of whom this is what a view tells."""
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
