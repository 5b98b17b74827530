"""Colours, signs and sizes of the map."""

from collections.abc import Mapping
from typing import Final

from engine.age_of_renaissance.catalogue import CAPITALS, WORDS
from engine.kernel.drawing import COLOURS, Captions
from engine.kernel.pictures import OWNERS, Owner, Palette

PALETTE: Final = Palette(
    {
        **COLOURS,
        "water2": ("#bcd6e8", "#213543"),
        "narrow": ("#d6e7f1", "#192732"),
        "seaname": ("#4a6c85", "#8fb0c6"),
        "shortage": ("#a3200d", "#ff9c8a"),
        "surplus": ("#0b5394", "#8cc4ff"),
        "reg-I": ("#dfe6c4", "#46502f"),
        "reg-II": ("#ecd9c0", "#574632"),
        "reg-III": ("#d9e0ea", "#3b4756"),
        "reg-IV": ("#f3e2b3", "#5b4c27"),
        "reg-V": ("#e4d8e8", "#4b3f54"),
        "reg-VI": ("#f3d5ca", "#5a4038"),
        "reg-VII": ("#d8ebda", "#38503d"),
        "reg-VIII": ("#efe9b4", "#54502a"),
        "reg-far_east": ("#f0dfe2", "#513f43"),
        "reg-new_world": ("#dde9e4", "#3a4d47"),
        "t-stone": ("#5f6a72", "#b3c0c9"),
        "t-wool": ("#7b6a4a", "#e6d9bd"),
        "t-timber": ("#2c6b2f", "#8fd192"),
        "t-grain": ("#946300", "#f2cb55"),
        "t-cloth": ("#5b3a99", "#c3a8f5"),
        "t-wine": ("#8c1d47", "#f58db3"),
        "t-metal": ("#3d4c5c", "#a9bed3"),
        "t-fur": ("#7d4616", "#dda273"),
        "t-silk": ("#ad2f86", "#f4a3da"),
        "t-spice": ("#b03f00", "#ffab73"),
        "t-gold": ("#8a6300", "#ffd75e"),
        "t-ivory": ("#6b624f", "#ece3cd"),
    }
)

_PLACES: Final = ("venezia", "genoa", "barcelona", "paris", "london", "hamburg")
_NUMBERS: Final = (4, 3, 0, 5, 2, 7)
NUMBER: Final[Mapping[str, int]] = dict(zip(_PLACES, _NUMBERS, strict=True))
"""The look (index in OWNERS) of each capital, close to the colours of the rulebook's example."""
LETTER: Final[Mapping[str, str]] = {capital: capital[0].upper() for capital in CAPITALS[6]}
"""The letter on a capital's pieces; all six differ."""


def owner(capital: str) -> Owner:
    """Return the look of a capital's pieces."""
    return OWNERS[NUMBER[capital]]


GOODS: Final[Mapping[str, str]] = {
    "stone": "M-18 13L-13 -8L2 -15L17 -4L15 13Z",
    "wool": "M-11 12a10 10 0 0 1 -3 -19a10 10 0 0 1 17 -6a9 9 0 0 1 13 11a8 8 0 0 1 -5 14z",
    "timber": "M0 -19L14 5H5V17H-5V5H-14Z",
    "grain": "M-2 18V-2h4V18zM0 -19q8 7 0 15q-8 -8 0 -15zM3 -2q11 -8 13 -1q-4 8 -13 6zM-3 -2q-11 -8 -13 -1q4 8 13 6z"
    "M3 9q11 -8 13 -1q-4 8 -13 6zM-3 9q-11 -8 -13 -1q4 8 13 6z",
    "cloth": "M-7 -15q7 6 14 0l12 9l-7 9l-4 -3v16h-16v-16l-4 3l-7 -9z",
    "wine": "M-10 -18h20q1 17 -7 20v10h7v5h-20v-5h7v-10q-8 -3 -7 -20z",
    "metal": "M-19 -11h38q-2 9 -13 10v5q7 2 8 10h-28q1 -8 8 -10v-5q-11 -1 -13 -10z",
    "fur": "M0 -13l6 -6l5 6h7l-4 8l3 5l-3 6l3 9h-8l-5 -4l-4 7l-4 -7l-5 4h-8l3 -9l-3 -6l3 -5l-4 -8h7l5 -6z",
    "silk": "M-13 -17h26v6h-5v22h5v6h-26v-6h5v-22h-5zM-4 -8h8v3h-8zM-4 -1h8v3h-8zM-4 6h8v3h-8z",
    "spice": "M0 -20l5 11l12 -1l-7 10l7 10l-12 -1l-5 11l-5 -11l-12 1l7 -10l-7 -10l12 1z",
    "gold": "M-17 0a17 17 0 1 0 34 0a17 17 0 1 0 -34 0zM-9 0a9 9 0 1 1 18 0a9 9 0 1 1 -18 0z",
    "ivory": "M-17 -14q3 24 34 20q-12 13 -25 7q-13 -8 -9 -27z",
}
"""Signs of the twelve commodities, around (0, 0), forty units wide, filled even-odd."""
CROWN: Final = "M-17 13V-9l9 9l8 -15l8 15l9 -9v22z"
SHIP: Final = "M-18 4h36l-6 12h-24zM-2 0v-18l16 14h-16z"

DISC: Final = 31
"""The radius of a control marker."""


say: Final = Captions(WORDS.section("picture"))
"""The words of the picture that are not names of the catalogue."""
