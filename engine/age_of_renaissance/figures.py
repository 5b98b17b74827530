"""What is followed from turn to turn: figures of the public view."""

from collections.abc import Mapping
from typing import Any, Final

from engine.age_of_renaissance.catalogue import PROVINCES
from engine.age_of_renaissance.drawing.look import NUMBER
from engine.age_of_renaissance.wording import WORDS
from engine.kernel.catalogues import Words
from engine.kernel.languages import Language
from engine.kernel.plots import Called, Numbers
from engine.kernel.rules import View

FIGURES: Final[Mapping[str, Words]] = WORDS.section("figures")


def count(view: View) -> Mapping[str, Numbers]:
    """§14, §9.4, §13, §7  As `Counts` says; cash is None where it is piled (R33)."""
    powers: Mapping[str, Any] = view["powers"]
    return {
        figure: {seat: len(power[figure]) if figure == "advances" else power[figure] for seat, power in powers.items()}
        for figure in FIGURES
    }


def called(view: View, language: Language) -> Mapping[str, Called]:
    """By capital; whoever has none yet is called by nothing."""
    return {
        seat: Called(PROVINCES[power["capital"]].words.shown(language), NUMBER[power["capital"]])
        for seat, power in view["powers"].items()
        if power["capital"]
    }
