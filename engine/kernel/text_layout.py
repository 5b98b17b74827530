"""Text widths, overlaps of boxes, and the placement with the least overlap.

Text is not measured by a renderer, so bold widths are estimated, rather too wide than too narrow.
"""

import unicodedata
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Final, TypeVar

Box = tuple[int, int, int, int]
"""Left, top, right, bottom."""

T = TypeVar("T")

_LETTERS: Final = {
    **dict.fromkeys("ABCDEFGHJKLNOPQRSTUVXYZ", 74),
    **dict.fromkeys("ijlI.,' ", 37),
    **dict.fromkeys("frt-−–", 49),
    **dict.fromkeys("mwMW→▲▼+", 95),
}
_OTHER: Final = 64
"""The width of any other bold letter, in hundredths of its size."""


@lru_cache(maxsize=4096)
def text_width(text: str, size: int) -> int:
    """Return an upper estimate of the width of a line of bold text."""
    wide = sum(_LETTERS.get(letter, _OTHER) for letter in text)
    return wide * size // 100


_LIGHT_LETTERS: Final = {
    letter: wide
    for wide, letters in {
        25: "ijl'",
        27: "IJ",
        29: " .,’",
        32: "f-",
        35: "t",
        37: "r",
        48: "szc",
        51: "Lk",
        53: "Fvxy",
        55: "PTaeoY",
        57: "bdghnpquES0123456789",
        60: "KZ",
        69: "DGHN",
        71: "OQ",
        76: "wM",
        90: "mWœŒ",
    }.items()
    for letter in letters
}


def strip_marks(text: str) -> str:
    """Return a text without accents, with as many letters."""
    return text if text.isascii() else "".join(unicodedata.normalize("NFD", letter)[0] for letter in text)


@lru_cache(maxsize=4096)
def light_width(text: str, size: int) -> int:
    """Return the width of a line of regular text in the server's font, exact to a unit or two."""
    return sum(_LIGHT_LETTERS.get(letter, _OTHER) for letter in strip_marks(text)) * size // 100


def common_box(one: Box, other: Box) -> int:
    """Return the area that two boxes share."""
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return wide * high if wide > 0 and high > 0 else 0


def covered_area(box: Box, others: Iterable[Box]) -> int:
    """Return the area that a box shares with others, summed."""
    return sum(common_box(box, other) for other in others)


def boxes_near(x: int, y: int, far: int, boxes: Iterable[Box]) -> tuple[Box, ...]:
    """Return the boxes that overlap the square within `far` of (x, y) in each direction."""
    return tuple(b for b in boxes if b[2] > x - far and b[0] < x + far and b[3] > y - far and b[1] < y + far)


def freest_box(places: Iterable[T], cost: Callable[[T], int]) -> T | None:
    """Return the first place without cost, else the first of the cheapest; None if there are no places."""
    best, least = None, 0
    for place in places:
        found = cost(place)
        if best is None or found < least:
            best, least = place, found
        if not found:
            break
    return best
