"""Names of powers, and their public figures from turn to turn."""

from typing import Final

from engine.kernel.power_names import PowerFigures, PowerNames
from engine.renaissance.catalogue import NATIONS, WORDS
from engine.renaissance.drawing.look import NUMBER

NAMES: Final = PowerNames("nation", {nation.id: nation.words for nation in NATIONS.values()}, NUMBER)
"""Powers are named after their nations (Préparation)."""
FIGURES: Final = PowerFigures(WORDS.section("figures"))
"""The charted figures (Séquence 6)."""
