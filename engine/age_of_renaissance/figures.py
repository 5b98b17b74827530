"""What powers are called, and what of them is followed from turn to turn."""

from typing import Final

from engine.age_of_renaissance.catalogue import PROVINCES
from engine.age_of_renaissance.drawing.look import NUMBER
from engine.age_of_renaissance.wording import WORDS
from engine.kernel.powers import PowerFigures, PowerNames

NAMES: Final = PowerNames("capital", {province.id: province.words for province in PROVINCES.values()}, NUMBER)
"""Powers are called by their capitals (§8.2)."""
FIGURES: Final = PowerFigures(WORDS.section("figures"))
"""§14, §9.4, §13, §7"""
