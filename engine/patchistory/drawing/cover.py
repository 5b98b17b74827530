"""The cover: tiles of land, sea, fields and towns that lie over each other, with a road from one to the next."""

from collections.abc import Callable, Mapping
from typing import Final

from engine.kernel.covers import box, cover_document, disc, moved, oval, shape, stroke

_SIDE: Final = 84
"""A square of a tile."""
_LINE = "#5d4a2c"


def cover() -> str:
    """Return the cover."""
    return cover_document(
        box(0, 0, 480, 360, "#d9c9a0"),
        *(disc(x, y, 2, "#c7b487") for x in range(20, 480, 40) for y in range(20, 360, 40)),
        _tile(-30, 190, -9, "wood", "peaks", "field", "wood"),
        _tile(300, -34, 8, "sea", "field", "peaks", "wood"),
        _tile(316, 206, -6, "field", "sea", "town", "sea"),
        _tile(40, 24, 5, "sea", "wood", "sea", "town"),
        _tile(158, 118, -3, "town", "field", "field", "temple"),
        _road(),
    )


def _tile(x: int, y: int, turn: int, *squares: str) -> str:
    """Four squares, with the shadow that they throw on what they cover."""
    places = ((0, 0), (_SIDE, 0), (0, _SIDE), (_SIDE, _SIDE))
    drawn = (moved(left, top, _SQUARES[name]()) for (left, top), name in zip(places, squares, strict=True))
    whole = 2 * _SIDE
    return moved(
        x,
        y,
        box(7, 9, whole, whole, "#4d3c1f", rx=6, fill_opacity="0.35"),
        *drawn,
        box(0, 0, whole, whole, "none", rx=6, stroke=_LINE, stroke_width=5),
        turn=turn,
    )


def _road() -> str:
    """A road over three of them."""
    way = "M126 150C150 190 190 178 214 196S300 250 330 292"
    return stroke(way, "#8b6b3d", 11) + stroke(way, "#f3e3b8", 6, stroke_dasharray="12 9")


def _field() -> str:
    rows = (stroke(f"M{left} 78V6", "#c99a2e", 4) for left in range(8, _SIDE, 13))
    return box(0, 0, _SIDE, _SIDE, "#efcf6a") + "".join(rows)


def _sea() -> str:
    crests = (stroke(f"M8 {y}q8 -8 17 0t17 0t17 0t17 0", "#bfe3ee", 4) for y in (20, 42, 64))
    return box(0, 0, _SIDE, _SIDE, "#2f8fb0") + "".join(crests)


def _wood() -> str:
    trees = ((20, 26), (56, 20), (38, 50), (68, 58), (16, 64))
    crowns = (box(x - 2, y + 6, 4, 12, "#5b3d20") + disc(x, y, 12, "#2f6b3a") for x, y in trees)
    return box(0, 0, _SIDE, _SIDE, "#8fb45f") + "".join(crowns)


def _peaks() -> str:
    hills = "".join(
        shape(f"M{x} 74l24 -{high}l24 {high}z", "#8a8378")
        + shape(f"M{x + 16} {74 - high * 2 // 3}l8 -{high // 3}l8 {high // 3}z", "#f7f4ec")
        for x, high in ((2, 44), (34, 58))
    )
    return box(0, 0, _SIDE, _SIDE, "#b9b58f") + hills


def _town() -> str:
    homes = "".join(
        box(x, y, 22, 20, "#f3e0bd") + shape(f"M{x - 3} {y}l14 -14l14 14z", "#b8472a") + box(x + 8, y + 9, 6, 11, _LINE)
        for x, y in ((10, 26), (48, 22), (16, 60), (50, 58))
    )
    return box(0, 0, _SIDE, _SIDE, "#a8c178") + homes


def _temple() -> str:
    columns = "".join(box(x, 36, 7, 30, "#fbf6e9") for x in (16, 31, 46, 61))
    parts = box(10, 66, 64, 8, "#e3d9c0"), columns, shape("M6 36h72l-36 -24z", "#fbf6e9", stroke=_LINE, stroke_width=2)
    return box(0, 0, _SIDE, _SIDE, "#c9b27c") + oval(42, 74, 36, 5, "#a88f57") + "".join(parts)


_SQUARES: Final[Mapping[str, Callable[[], str]]] = {
    "field": _field,
    "sea": _sea,
    "wood": _wood,
    "peaks": _peaks,
    "town": _town,
    "temple": _temple,
}
