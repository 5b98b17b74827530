"""Colours, signs and words of the picture."""

from collections.abc import Mapping
from typing import Final

from engine.kernel.drawing import COLOURS, Captions, Pen
from engine.kernel.pictures import OWNERS, SMALLEST, Palette, Theme, fill_for, label, tag
from engine.kernel.text_layout import text_width
from engine.patchistory.catalogue import LEVELS, STOCKS, SYMBOLS, WORDS
from engine.patchistory.figures import NAMES

PALETTE: Final = Palette(
    {
        **COLOURS,
        "land": ("#f3efe2", "#2a2824"),
        "gold": ("#9a6a00", "#e8b84a"),
        "hero": ("#f6dfe4", "#4a2a34"),
        "wonder": ("#e4e0f4", "#322e50"),
        "special": ("#dcebe2", "#24402f"),
        "field": ("#dbe6bd", "#37401f"),
        "street": ("#c9ad7f", "#6b5836"),
        "t-food": ("#4b7a12", "#a9d66a"),
        "t-resource": ("#7d4616", "#dda273"),
        "t-money": ("#8f6500", "#f2c94c"),
        "t-culture": ("#7a2a8c", "#dba2ea"),
        "t-politics": ("#1c4f8f", "#93c0f2"),
        "t-transport": ("#0b6a6e", "#76d3d6"),
        "t-military": ("#a3200d", "#ff9c8a"),
        "t-defence": ("#4d5a67", "#bcc8d4"),
    }
)
GROUNDS: Final[Mapping[str, str]] = {
    "general": "land",
    "wasteland": "unused",
    "sea": "water",
    "special_building": "special",
    "hero": "hero",
    "wonder": "wonder",
}
"""The colour of squares by kind of location; signs show the kind without colour."""

SIGNS: Final[Mapping[str, str]] = {
    "food": "M0 -18C14 -9 14 9 0 18C-14 9 -14 -9 0 -18ZM-2 -8H2V18H-2Z",
    "resource": "M0 -17L16 -9V9L0 17L-16 9V-9ZM0 -11L-9 -6L0 -1L9 -6Z",
    "money": "M0 -17A17 17 0 1 0 .1 -17ZM-6 -6H6V6H-6Z",
    "culture": "M0 -18L5 -6L18 -6L8 3L11 16L0 9L-11 16L-8 3L-18 -6L-5 -6Z",
    "politics": "M0 -18L17 -8V-5H-17V-8ZM-14 -2h6v13h-6zM-3 -2h6v13h-6zM8 -2h6v13h-6zM-17 13h34v5h-34z",
    "transport": "M-18 -6H2V-16L18 0L2 16V6H-18Z",
    "military": "M0 -19L5 -10V5H13V10H4V18H-4V10H-13V5H-5V-10Z",
    "defence": "M-15 -17H15V0C15 10 7 16 0 18C-7 16 -15 10 -15 0ZM-3 -10V10H3V-10Z",
    "vote": "M-16 -16H16V16H-16ZM-9 -1L-3 6L10 -9L7 -12L-3 0L-6 -4Z",
    "worker": "M0 -18A8 8 0 1 0 .1 -18ZM-12 18C-12 4 -8 0 0 0C8 0 12 4 12 18Z",
    "hero": "M0 -18A9 9 0 1 0 .1 -18ZM-16 18L-9 1H9L16 18Z",
    "wonder": "M0 -18L18 16H-18ZM0 -8L-5 16H5Z",
    "special_building": "M-17 18V-6L-8 -14L0 -6L8 -14L17 -6V18ZM-4 18H4V6H-4Z",
    "sea": "M-18 -6q4 -7 9 0t9 0t9 0t9 0v5q-4 7 -9 0t-9 0t-9 0t-9 0z"
    "M-18 7q4 -7 9 0t9 0t9 0t9 0v5q-4 7 -9 0t-9 0t-9 0t-9 0z",
    "wasteland": "M-17 14L-6 -14L2 4L8 -8L17 14Z",
    "first": "M-13 -18H-8V18H-13ZM-6 -17H16L9 -8L16 1H-6Z",
    "rest": "M-12 -16H12V-10L-3 10H12V16H-12V10L3 -10H-12Z",
    "preparation": "M-4 -18H4V6H-4ZM0 10A5 5 0 1 0 .1 10Z",
}
"""Signs around (0, 0), about 36 units wide, filled even-odd."""
HOUSES: Final[Mapping[str, str]] = {
    "food": "M-17 18V-4L0 -17L17 -4V18ZM-6 18V4H6V18Z",
    "resource": "M-18 16L-8 -4L-2 6L6 -12L18 16Z",
    "money": "M-18 -14H18L20 -4H-20ZM-16 -2H-13V18H-16ZM13 -2H16V18H13ZM-14 8H14V12H-14Z",
    "culture": SIGNS["politics"],
    "politics": "M-17 18V6H17V18ZM-13 4A13 13 0 0 1 13 4ZM-2 -9V-18H2V-9Z",
    "transport": "M0 -17A17 17 0 1 0 .1 -17ZM0 -12A12 12 0 1 1 -.1 -12ZM-2 -12H2V12H-2ZM-12 -2H12V2H-12Z",
    "military": "M-12 18V-6H-15V-18H-9V-13H-3V-18H3V-13H9V-18H15V-6H12V18ZM-4 18V6H4V18Z",
    "defence": "M-18 18V-8H-12V-14H-6V-8H-3V-14H3V-8H6V-14H12V-8H18V18ZM-18 2H18V5H-18Z",
}
"""What is built on a location, by its first symbol: barn, quarry, market, temple, town hall, wheel, tower, wall."""
_HALVES: Final[Mapping[str, int]] = {
    "food": 14,
    "resource": 16,
    "money": 17,
    "politics": 17,
    "military": 14,
    "defence": 15,
    "vote": 16,
}
"""Half the width of a sign, if it is not 18."""
SIZE: Final = SMALLEST
"""The size of text, except for names of locations."""

NAMED: Final = {
    **{good: WORDS(f"choices.good.{good}") for good in STOCKS},
    **{level: WORDS(f"figures.{level}") for level in LEVELS},
}
"""The words for symbols."""
say: Final = Captions(WORDS.section("picture"))
PEN: Final = Pen(
    PALETTE,
    {**SIGNS, **{f"house-{name}": path for name, path in HOUSES.items()}},
    SIZE,
    {name: f"t-{name}" for name in SYMBOLS},
)
sign, text = PEN.sign, PEN.text


DISC: Final = 26
"""The radius of a worker; smaller in a square, which has little room above the symbols."""


def disc(x: int, y: int, colour: str, letter: str, radius: int = DISC) -> str:
    """Return a worker: a disc in the look of its player, with their letter."""
    owner = OWNERS[NAMES.looks[colour]]
    drawn = tag("circle", cx=x, cy=y, r=radius, fill=fill_for(NAMES.looks[colour]), stroke="#000000", stroke_width=3)
    ground = tag("circle", cx=x, cy=y, r=radius - 6, fill=owner.colour)
    return drawn + ground + label(x, y + 12, letter, SIZE, text_anchor="middle", font_weight="bold", fill=owner.ink)


def symbols(found: Mapping[str, int], x: int, y: int, theme: Theme) -> tuple[str, int]:
    """Return a row of signs, with a number if it is not 1, and the right end of the row."""
    drawn: list[str] = []
    for name, n in found.items():
        half = _HALVES.get(name, 18)
        drawn.append(sign(name, x + 1 + half, y, theme))
        x += 2 * half + 4
        if n != 1:
            drawn.append(text(x, y + 12, str(n), theme, font_weight="bold"))
            x += text_width(str(n), SIZE) + 6
    return "".join(drawn), x
