"""Colours, signs and words of the picture."""

from collections.abc import Mapping, Sequence
from typing import Final

from engine.amalfi.catalogue import RIVAL, WORDS
from engine.amalfi.figures import NAMES
from engine.kernel.drawing import COLOURS, Captions, Pen
from engine.kernel.pictures import OWNERS, SMALLEST, Palette, Theme, fill_for, label, tag
from engine.kernel.text_layout import text_width

PALETTE: Final = Palette(
    {
        **COLOURS,
        "land": ("#f3efe2", "#2a2824"),
        "place": ("#dfecf2", "#1f2f39"),
        "evolving": ("#e9e4f5", "#302c49"),
        "book": ("#f4e3dc", "#45302a"),
        "painting": ("#e2e6f6", "#2b3150"),
        "monument": ("#e0eede", "#25402b"),
        "immediate": ("#f6ecd2", "#443a20"),
        "permanent": ("#f5dfe6", "#47293a"),
        "engageable": ("#e2eedb", "#2a4028"),
        "end_game": ("#dfe8f6", "#26364f"),
        "sea": ("#cfe3ee", "#1d3140"),
        "wave": ("#8fb7cf", "#3c5f76"),
        "t-spice": ("#a84300", "#ffb27a"),
        "t-wood": ("#74491a", "#d9a873"),
        "t-wine": ("#8c1d47", "#f58db3"),
        "t-jewel": ("#00639c", "#7cc7f5"),
        "t-cloth": ("#5b3a99", "#c3a8f5"),
        "t-bread": ("#8a5a00", "#f0c46a"),
        "t-vp": ("#a16a00", "#ffd257"),
        "t-lighthouse": ("#b3261e", "#ff9c8f"),
    }
)
"""Tints by kind; signs show the kind without colour."""

SIGNS: Final[Mapping[str, str]] = {
    "spice": "M-2 19V11C-20 8 -18 -12 0 -19C18 -12 20 8 2 11V19ZM-1 -9V4H1V-9Z",
    "wood": "M-18 -10H8A8 10 0 0 1 8 10H-18ZM8 -5A4 5 0 1 0 8.1 -5ZM-14 -4V-1H-2V-4ZM-14 3V6H-4V3Z",
    "wine": "M-13 -18H13C13 -2 8 4 3 5V12H11V18H-11V12H-3V5C-8 4 -13 -2 -13 -18ZM-8 -14L-7 -8H7L8 -14Z",
    "jewel": "M-10 -15H10L19 -4L0 18L-19 -4ZM-12 -3L-2 9L-5 -3ZM12 -3L2 9L5 -3ZM-8 -11L-11 -7H-5Z",
    "cloth": "M-8 -17L-19 -9L-13 1L-9 -2V17H9V-2L13 1L19 -9L8 -17C5 -11 -5 -11 -8 -17Z",
    "any": "M0 -18A18 18 0 1 0 .1 -18ZM0 -13A13 13 0 1 1 -.1 -13ZM-3 -10H3V-3H10V3H3V10H-3V3H-10V-3H-3Z",
    "bread": "M-18 4C-20 -9 -10 -13 0 -13C10 -13 20 -9 18 4V12H-18ZM-10 -6L-6 4H-2L-6 -6ZM2 -6L6 4H10L6 -6Z",
    "vp": "M0 -18L5 -6L18 -6L8 3L11 16L0 9L-11 16L-8 3L-18 -6L-5 -6Z",
    "ship": "M-18 7H18L11 17H-11ZM-2 -18V4H-15ZM2 -14V4H14Z",
    "lighthouse": "M-5 -7H5L9 18H-9ZM-7 -18H7V-10H-7ZM-19 -18L-10 -15V-13L-19 -10ZM19 -18L10 -15V-13L19 -10Z",
    "character": "M0 -18A8 8 0 1 0 .1 -18ZM-13 18C-13 4 -8 0 0 0C8 0 13 4 13 18Z",
    "immediate": "M4 -19L-13 4H-2L-5 19L13 -5H2L9 -19Z",
    "permanent": "M-9 -10A10 10 0 1 0 -8.9 -10ZM-9 -4A4 4 0 1 1 -9.1 -4Z"
    "M9 -10A10 10 0 1 0 9.1 -10ZM9 -4A4 4 0 1 1 8.9 -4Z",
    "engageable": "M-17 -17H-1V17H-17ZM-13 -13V13H-5V-13ZM3 -4H8V-11L19 0L8 11V4H3Z",
    "engaged": "M-18 -10H18V10H-18ZM-13 -5V5H13V-5Z",
    "end_game": "M-13 -18H13V-12L3 0L13 12V18H-13V12L-3 0L-13 -12ZM-6 13H6L0 6Z",
    "untap": "M0 -15A15 15 0 1 0 15 0H9A9 9 0 1 1 0 -9V-2L13 -12L0 -22Z",
    "artwork": "M-18 -16H18V16H-18ZM-12 -10V10H12V-10ZM-9 7L-3 -4L2 3L6 -2L9 7Z",
    "book": "M0 -10C-6 -15 -13 -15 -18 -13V13C-13 11 -6 11 0 16C6 11 13 11 18 13V-13C13 -15 6 -15 0 -10ZM-1 -6V9H1V-6Z",
    "painting": "M0 -16C12 -16 18 -8 18 0C18 8 12 6 8 7C4 8 8 16 0 16C-12 16 -18 8 -18 0C-18 -10 -10 -16 0 -16Z"
    "M-9 -6A3 3 0 1 0 -8.9 -6ZM1 -12A3 3 0 1 0 1.1 -12ZM10 -6A3 3 0 1 0 10.1 -6ZM-8 4A3 3 0 1 0 -7.9 4Z",
    "monument": "M0 -18L17 -8V-5H-17V-8ZM-14 -2h6v13h-6zM-3 -2h6v13h-6zM8 -2h6v13h-6zM-17 13h34v5h-34z",
    "place": "M0 -19A13 13 0 0 1 13 -6C13 4 4 10 0 19C-4 10 -13 4 -13 -6A13 13 0 0 1 0 -19ZM0 -12A6 6 0 1 0 .1 -12Z",
    "title": "M-16 12L-19 -11L-8 1L0 -16L8 1L19 -11L16 12ZM-16 14H16V18H-16Z",
    "decree": "M-12 -18H12V18H-12ZM-7 -12V-9H7V-12ZM-7 -5V-2H7V-5ZM-7 2V5H2V2ZM4 9A4 4 0 1 0 4.1 9Z",
    "act": "M-11 -17L17 0L-11 17Z",
    "discard": "M-15 -10L-10 -15L0 -5L10 -15L15 -10L5 0L15 10L10 15L0 5L-10 15L-15 10L-5 0Z",
    "hand": "M-18 -9L-6 -14L4 14L-8 18ZM-1 -17L15 -13L8 17L6 16L-2 -13ZM4 -10L2 -8L6 -2L10 -8Z",
    "compass": "M0 -19L4 -4L19 0L4 4L0 19L-4 4L-19 0L-4 -4Z",
    "turn": "M-18 -5H2V-15L18 0L2 15V5H-18Z",
    "passed": "M-13 -18H-8V18H-13ZM-6 -17H16L9 -8L16 1H-6Z",
    "dock": "M-2 -8A6 6 0 1 1 2 -8V-4H10V0H2V12C8 11 12 8 13 3L18 6C16 14 8 18 0 18C-8 18 -16 14 -18 6L-13 3"
    "C-12 8 -8 11 -2 12V0H-10V-4H-2ZM0 -15A2 2 0 1 0 .1 -15Z",
    "bay": "M-18 -8q4 -7 9 0t9 0t9 0t9 0v5q-4 7 -9 0t-9 0t-9 0t-9 0z"
    "M-18 6q4 -7 9 0t9 0t9 0t9 0v5q-4 7 -9 0t-9 0t-9 0t-9 0z",
    "port": "M-17 18V-6L-8 -14L0 -6L8 -14L17 -6V18ZM-4 18H4V6H-4Z",
    "yard": "M-16 -15H8L17 -7V-3H4V18H-4V-3H-16Z",
    "meal": "M-18 -4H18C18 8 10 15 4 15H-4C-10 15 -18 8 -18 -4ZM-7 -17H-3V-8H-7ZM4 -17H8V-8H4Z",
    "period": "M0 -9A9 9 0 1 0 .1 -9ZM-2 -19H2V-12H-2ZM-2 12H2V19H-2ZM-19 -2H-12V2H-19ZM12 -2H19V2H12Z"
    "M-14 -11L-11 -14L-6 -9L-9 -6ZM14 -11L11 -14L6 -9L9 -6ZM-14 11L-11 14L-6 9L-9 6ZM14 11L11 14L6 9L9 6Z",
}
"""Signs around (0, 0), about 36 units wide, filled even-odd."""
_BUST: Final = "M0 -12A9 9 0 1 0 .1 -12ZM-16 20C-16 6 -9 2 0 2C9 2 16 6 16 20Z"
_HATS: Final = (
    "M-11 -12C-14 -20 12 -22 13 -13Z",
    "M-10 -11L-12 -22L-5 -16L0 -23L5 -16L12 -22L10 -11Z",
    "M-13 4C-16 -18 -6 -22 0 -22C6 -22 16 -18 13 4L9 0C10 -8 8 -14 0 -14C-8 -14 -10 -8 -9 0Z",
    "M-16 -10H16V-13H9L7 -22H-7L-9 -13H-16Z",
)
"""What the busts of the characters wear: beret, crown, hood, hat."""
SIZE: Final = SMALLEST
"""The size of text."""
ADVANCE: Final = 42
"""The distance between signs."""
_WIDTHS: Final = {**dict.fromkeys("+−=≠≤≥×→∞", 28), **dict.fromkeys("/:", 14)}
"""The widths of symbols that `text_width` does not know."""
RIVAL_LOOK: Final = 7
"""The look (index in OWNERS) of the solo rival."""

Chain = Sequence[str]
"""Signs, each written `@name`, and texts between them."""
say: Final = Captions(WORDS.section("picture"))
TINTS: Final = {name: f"t-{name}" for name in ("spice", "wood", "wine", "jewel", "cloth", "bread", "vp", "lighthouse")}
"""The colours of what is collected; each has a shape of its own too."""
PEN: Final = Pen(PALETTE, SIGNS, SIZE, TINTS)
sign, text = PEN.sign, PEN.text


def ground(x: int, y: int, wide: int, high: int, fill: str, theme: Theme) -> str:
    """Return an empty card or box."""
    line = PALETTE.line("line", theme, 2)
    drawn = {**line, **PALETTE.fill(fill, theme), "class_": f"c-{fill} s-line"}
    return tag("rect", x=x + 2, y=y + 2, width=wide - 4, height=high - 4, rx=10, **drawn)


def chain(tokens: Chain, x: int, y: int, theme: Theme, colour: str = "ink") -> str:
    """Return signs and texts in a row, vertically centred at `y`."""
    drawn: list[str] = []
    for token in tokens:
        if token.startswith("@"):
            drawn.append(sign(token[1:], x + ADVANCE // 2, y, theme, colour))
        elif token.strip():
            drawn.append(text(x + 2, y + 12, token, theme, colour, font_weight="bold"))
        x += _advance(token)
    return "".join(drawn)


def extent(tokens: Chain) -> int:
    """Return the width of signs and texts in a row."""
    return sum(map(_advance, tokens))


def _advance(token: str) -> int:
    if token.startswith("@"):
        return ADVANCE
    letters = "".join(letter for letter in token if letter not in _WIDTHS)
    return text_width(letters, SIZE) + sum(_WIDTHS.get(letter, 0) for letter in token) + 4


# --- owners


def look(owner: str) -> int:
    """Return the look of a colour, or of the solo rival."""
    return RIVAL_LOOK if owner == RIVAL else NAMES.looks[owner]


def disc(x: int, y: int, owner: str, letter: str) -> str:
    """Return a player's ship: a hull and a sail in the look of its owner, with their letter on the sail."""
    hull = tag("path", d=f"M{x - 26} {y + 12}H{x + 26}L{x + 17} {y + 28}H{x - 17}Z", **_outer(owner))
    sail = tag(
        "path",
        d=f"M{x - 22} {y - 28}Q{x} {y - 22} {x + 22} {y - 28}V{y + 8}Q{x} {y + 3} {x - 22} {y + 8}Z",
        **_outer(owner),
    )
    return sail + hull + _lettered(x, y - 11, owner, letter)


def lamp(x: int, y: int, owner: str, letter: str) -> str:
    """Return a lighthouse in the look of its owner, with their letter."""
    return tag("path", d=_tower(x, y), **_outer(owner)) + _lettered(x, y + 2, owner, letter)


def boat(x: int, y: int, owner: str, theme: Theme) -> str:
    """Return a ship of a player's board: its hull in their colour under white sails."""
    ink = PALETTE.line("ink", theme, 2)
    hull = tag(
        "path",
        d=f"M{x - 20} {y + 5}H{x + 20}L{x + 12} {y + 19}H{x - 12}Z",
        **{**ink, "fill": OWNERS[look(owner)].colour},
    )
    sails = f"M{x - 2} {y - 22}V{y + 1}H{x - 18}ZM{x + 3} {y - 17}L{x + 17} {y + 1}H{x + 3}Z"
    return hull + tag("path", d=sails, **{**ink, "fill": "#ffffff"})


def no_disc(x: int, y: int, theme: Theme) -> str:
    """Return a free dock: a pier in the water."""
    return tag(
        "path",
        d=f"M{x - 24} {y - 22}V{y + 22}H{x + 24}V{y - 22}",
        stroke_dasharray="9 7",
        **PALETTE.line("line", theme, 4),
    )


def no_lamp(x: int, y: int, theme: Theme) -> str:
    """Return a place for a lighthouse."""
    return tag("path", d=_tower(x, y), stroke_dasharray="9 7", **PALETTE.line("line", theme, 4))


def _tower(x: int, y: int) -> str:
    return f"M{x - 23} {y + 28}L{x - 17} {y - 14}H{x - 11}V{y - 28}H{x + 11}V{y - 14}H{x + 17}L{x + 23} {y + 28}Z"


def _outer(owner: str) -> dict[str, str | int]:
    return {"fill": fill_for(look(owner)), "stroke": "#000000", "stroke_width": 3}


def _lettered(x: int, y: int, owner: str, letter: str) -> str:
    """Return a letter on the plain colour of its owner."""
    owned = OWNERS[look(owner)]
    plain = tag("circle", cx=x, cy=y, r=16, fill=owned.colour)
    return plain + label(x, y + 12, letter, SIZE, text_anchor="middle", font_weight="bold", fill=owned.ink)


def portrait(person: str, x: int, y: int, theme: Theme) -> str:
    """Return the emblem of a character, pale: a bust, whose hat follows from the character's id."""
    hat = _HATS[sum(map(ord, person)) % len(_HATS)]
    return tag(
        "path",
        d=_BUST + hat,
        transform=f"translate({x} {y}) scale(1.5)",
        fill_opacity=".22",
        **PALETTE.fill("ink", theme),
    )


def waves(x: int, y: int, wide: int, high: int, theme: Theme) -> str:
    """Return the water of a harbour: rows of waves on a box."""
    rows = (
        f"M{x + 16 + 36 * (n % 2)} {y + 26 + 30 * n}" + "q9 -9 18 0t18 0m36 0" * max(1, (wide - 60) // 72)
        for n in range(max(1, (high - 16) // 30))
    )
    line = PALETTE.line("wave", theme, 3)
    return tag("path", d="".join(rows), stroke_opacity=".55", stroke_linecap="round", **line)
