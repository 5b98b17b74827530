"""Colours, signs and words of the picture."""

from collections.abc import Mapping
from typing import Final

from engine.kernel.drawing import COLOURS, Captions
from engine.kernel.pictures import OWNERS, Owner, Palette
from engine.renaissance.catalogue import WORDS

PALETTE: Final = Palette(
    {
        **COLOURS,
        "free": ("#e6ead2", "#3a4030"),
        "road": ("#7a4f1d", "#d3a263"),
        "battle": ("#a3200d", "#ff9c8a"),
    }
)

_LOOKS: Final[Mapping[str, tuple[int, str]]] = {
    "florence": (4, "F"),
    "genes": (5, "G"),
    "naples": (1, "N"),
    "milan": (2, "M"),
    "rome": (3, "R"),
    "venise": (0, "V"),
    "france": (6, "Fr"),
    "espagne": (1, "E"),
    "saint_empire": (0, "I"),
    "suisse": (2, "S"),
}
NUMBER: Final[Mapping[str, int]] = {nation: number for nation, (number, _) in _LOOKS.items()}
"""The look (index in OWNERS) of each nation; a nation played with another's tokens has the same look."""
LETTER: Final[Mapping[str, str]] = {nation: letter for nation, (_, letter) in _LOOKS.items()}
"""The letters on a nation's pieces."""


def owner(nation: str) -> Owner:
    """Return the look of a nation's pieces."""
    return OWNERS[NUMBER[nation]]


ANCHOR: Final = "M-3 -9V13Q-12 11 -13 2l-5 4q1 14 18 19q17 -5 18 -19l-5 -4q-1 9 -10 11V-9h8v-5h-8a8 8 0 1 0 -6 0h-8v5z"
PALACE: Final = "M0 -20L21 -7V-3H-21V-7ZM-17 0h7v14h-7zM-3 0h7v14h-7zM10 0h7v14h-7zM-21 17h42v5h-42z"
BRUSH: Final = (
    "M0 -20a21 18 0 1 0 8 35q-8 -6 -1 -11h10q5 -2 4 -8q-4 -15 -21 -16zM-11 -7a4 4 0 1 0 .1 0zM2 -14a4 4 0 1 0 .1 0z"
)
FLAME: Final = "M1 -22q13 14 13 26a14 16 0 0 1 -28 0q0 -8 7 -14q1 7 5 8q4 -9 3 -20z"
MOUNTAIN: Final = "M-22 14L-7 -15L2 1L8 -8L22 14Z"
MARSH: Final = (
    "M-20 -4q5 -7 10 0t10 0t10 0t10 0v5q-5 7 -10 0t-10 0t-10 0t-10 0z"
    "M-20 8q5 -7 10 0t10 0t10 0t10 0v5q-5 7 -10 0t-10 0t-10 0t-10 0z"
)
TERRAIN: Final[Mapping[str, str]] = {"mountain": MOUNTAIN, "marsh": MARSH}
"""Signs around (0, 0), about forty units wide, filled even-odd."""

say: Final = Captions(WORDS.section("picture"))
