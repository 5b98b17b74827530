"""What is followed from turn to turn: figures of the public view."""

from collections.abc import Mapping
from typing import Any, Final

from engine.kernel.catalogues import Words
from engine.kernel.languages import Language
from engine.kernel.plots import Called, Numbers
from engine.kernel.rules import View
from engine.renaissance.catalogue import NATIONS
from engine.renaissance.drawing.look import NUMBER
from engine.renaissance.wording import WORDS

FIGURES: Final[Mapping[str, Words]] = WORDS.section("figures")


def count(view: View) -> Mapping[str, Numbers]:
    """Séquence 6  As `Counts` says; all of it lies open on the table."""
    powers: Mapping[str, Any] = view["powers"]
    return {figure: {seat: _number(power[figure]) for seat, power in powers.items()} for figure in FIGURES}


def _number(found: Any) -> int:
    return found if isinstance(found, int) else len(found)


def called(view: View, language: Language) -> Mapping[str, Called]:
    """By nation; whoever has none yet is called by nothing."""
    return {
        seat: Called(NATIONS[power["nation"]].words.shown(language), NUMBER[power["nation"]])
        for seat, power in view["powers"].items()
        if power["nation"]
    }
