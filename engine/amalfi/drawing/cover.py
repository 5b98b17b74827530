"""The cover: the steep town above its bay, a ship under sail, and a branch of lemons."""

from engine.kernel.covers import backdrop, box, cover_document, oval, shape, stroke, waves, windows

_HOUSES = (
    (0, 118, 52, 190, "#f6d9b8"),
    (44, 150, 46, 160, "#fdf3df"),
    (84, 176, 44, 130, "#f0b27a"),
    (22, 196, 52, 120, "#f7e3a1"),
    (70, 214, 44, 100, "#e9a0a0"),
    (112, 222, 46, 90, "#fdf3df"),
    (0, 236, 40, 80, "#f0b27a"),
)
"""Left, top, width, height and colour of each, from the back to the front."""
_LEMONS = ((396, 46, 20), (440, 78, -14), (356, 24, 8))
_LEAVES = ((412, 18, 24), (372, 58, -28), (462, 46, 40), (332, 12, -8), (428, 108, 70))


def cover() -> str:
    """Return the cover."""
    return cover_document(
        backdrop("#3fa7d6", "#fdf0c8", 250),
        shape("M0 60 60 96 110 150 176 208 214 300H0z", "#7c8f6a"),
        shape("M0 100 40 130 90 190 150 240 190 310H0z", "#657a58"),
        box(0, 244, 480, 116, "#0f6f8f"),
        *(_house(*one) for one in _HOUSES),
        shape("M0 300h170q30 4 44 16H0z", "#b79b72"),
        waves(282, "#3d95af", 48, 232, 472),
        _ship(),
        waves(318, "#58aec4"),
        waves(344, "#3d95af"),
        _branch(),
    )


def _house(x: int, y: int, wide: int, high: int, colour: str) -> str:
    """A house with a flat roof and rows of windows with arches."""
    rows = [(left, top) for top in range(y + 30, y + high, 34) for left in range(x + 8, x + wide - 14, 18)]
    return box(x, y, wide, high, colour, stroke="#8a6a48", stroke_width=2) + windows(rows, 9, 12, "#6c4b34")


def _ship() -> str:
    """A trader with the cross of the republic on its sail."""
    cross = "M-6 -6L-12 -34 0 -26 12 -34 6 -6 34 -12 26 0 34 12 6 6 12 34 0 26 -12 34 -6 6 -34 12 -26 0 -34 -12z"
    return "".join(
        (
            stroke("M318 310V128", "#5a3a22", 7),
            stroke("M254 142H382", "#5a3a22", 6),
            shape("M258 144Q246 208 264 252Q318 270 372 252Q390 208 378 144Q318 156 258 144z", "#fdf7e8"),
            shape(cross, "#c22f2f", transform="translate(318 204)"),
            shape("M318 128l34 8l-34 10z", "#e6b422"),
            shape("M222 272q20 14 44 16h108q26 -4 44 -22l-20 46q-8 20 -30 22H280q-30 -2 -42 -28z", "#7a4526"),
            stroke("M236 294q90 16 172 -4", "#e6b422", 4),
            *(oval(x, 306, 5, 4, "#3b2112") for x in range(270, 390, 24)),
        )
    )


def _branch() -> str:
    """Lemons and leaves, from the upper corner."""
    leaves = (oval(0, 0, 26, 10, "#3f7d3a", transform=f"translate({x} {y}) rotate({turn})") for x, y, turn in _LEAVES)
    fruit = (
        oval(0, 0, 21, 16, "#f7d433", transform=f"translate({x} {y}) rotate({turn})", stroke="#d3a514", stroke_width=2)
        + oval(-5, -5, 7, 4, "#fdeb93", transform=f"translate({x} {y}) rotate({turn})")
        for x, y, turn in _LEMONS
    )
    return stroke("M480 26Q410 2 330 2M452 16Q446 40 440 60", "#5b4a24", 5) + "".join(leaves) + "".join(fruit)
