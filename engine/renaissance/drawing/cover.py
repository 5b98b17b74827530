"""The cover: a walled town on its hill, cypresses, and the arms of a Condottiere before it."""

from engine.kernel.covers import backdrop, battlements, box, cover_document, disc, oval, shape, stroke, windows

_WALL, _SHADE, _ROOF, _DARK, _STEEL = "#c9784a", "#a65a35", "#8c3b22", "#5b2a1a", "#dfe5e8"
_CYPRESSES = ((34, 262, 74), (62, 272, 56), (408, 258, 78), (438, 270, 60), (462, 262, 84))
"""Trees: where they stand, and how high."""
_FLAGS = ((150, 84, "#1f6f8b"), (250, 52, "#b3261e"), (342, 84, "#1f6f8b"))


def cover() -> str:
    """Return the cover."""
    return cover_document(
        backdrop("#79b4cf", "#f7ecd2"),
        disc(96, 78, 34, "#fdf6da"),
        shape("M0 230 90 176 190 214 300 166 400 204 480 178V360H0z", "#a9c08a"),
        shape("M0 270Q120 196 250 206T480 262V360H0z", "#7ba05b"),
        _town(),
        shape("M0 300Q140 246 260 262T480 292V360H0z", "#5d8347"),
        *(_cypress(x, y, high) for x, y, high in _CYPRESSES),
        shape("M0 338Q160 300 480 330V360H0z", "#456b36"),
        _lances(),
        _shield(),
    )


def _town() -> str:
    """The walls with their towers, and the roofs and the keep within."""
    houses = ((176, 150, 34), (206, 138, 30), (276, 146, 32), (304, 154, 30))
    return "".join(
        (
            battlements(228, 276, 92, 130, _SHADE),
            *(
                box(x, y, wide, 60, "#e7c596") + shape(f"M{x - 4} {y}h{wide + 8}l-{wide // 2 + 4} -16z", _ROOF)
                for x, y, wide in houses
            ),
            battlements(132, 360, 190, 66, _WALL),
            *(battlements(x, x + 36, 124, 132, _SHADE) for x in (132, 324)),
            windows([(145, 164), (337, 164), (246, 128)], 10, 14, _DARK),
            windows([(232, 256)], 36, 30, _DARK),
            *(stroke(f"M{x} {y}v{34 if x == 250 else 30}", _DARK, 3) for x, y, _ in _FLAGS),
            *(shape(f"M{x} {y}l30 8l-30 10z", colour) for x, y, colour in _FLAGS),
        )
    )


def _cypress(x: int, y: int, high: int) -> str:
    """A dark flame of a tree."""
    return box(x - 2, y, 4, 14, _DARK) + oval(x, y - high // 2 + 8, high // 7, high // 2, "#2f4d34")


def _lances() -> str:
    """Two lances, crossed."""
    shafts = (stroke(f"M{240 - side * 104} 352 {240 + side * 84} 214", _DARK, 7) for side in (1, -1))
    tips = (
        shape(f"M{240 + side * 80} 226l{side * 4} -14l{side * 26} -24l{side * -14} 32l{side * -10} 10z", _STEEL)
        for side in (1, -1)
    )
    return "".join(shafts) + "".join(tips)


def _shield() -> str:
    """The arms: quartered, with a bend and a star."""
    outline = "M186 236h108v52q0 46 -54 66q-54 -20 -54 -66z"
    return "".join(
        (
            shape(outline, "#f3e3b3", stroke=_DARK, stroke_width=6),
            shape("M186 236h54v58h-54z", "#b3261e"),
            shape("M240 294h54q-2 42 -54 60z", "#b3261e"),
            shape("M213 248l5 12h13l-10 8 4 13 -12 -8 -12 8 4 -13 -10 -8h13z", "#f3d16b"),
            stroke("M254 250l26 30M254 280l26 -30", "#1f6f8b", 6),
            shape(outline, "none", stroke=_DARK, stroke_width=5),
        )
    )
