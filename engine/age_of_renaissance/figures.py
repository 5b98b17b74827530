"""Names of powers, and their public figures from turn to turn."""

from collections.abc import Mapping
from typing import Final

from engine.age_of_renaissance.catalogue import MISERY, PROVINCES, WORDS
from engine.age_of_renaissance.drawing.look import NUMBER
from engine.kernel.charts import Numbers
from engine.kernel.power_names import PowerFigures, PowerNames
from engine.kernel.rules import View

NAMES: Final = PowerNames("capital", {province.id: province.words for province in PROVINCES.values()}, NUMBER)
"""Powers are named after their capitals (§8.2)."""


class Figures(PowerFigures):
    """The figures of the powers.

    Misery beyond the last box counts as that box, as at the end (§9.4.4, §14).
    """

    def count(self, view: View) -> Mapping[str, Numbers]:
        found = super().count(view)
        misery = {seat: n if n is None else min(n, MISERY[-1]) for seat, n in found["misery"].items()}
        return {**found, "misery": misery}


FIGURES: Final = Figures(WORDS.section("figures"))
"""The charted figures (§14, §9.4, §13, §7)."""
