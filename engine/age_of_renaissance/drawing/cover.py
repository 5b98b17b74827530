"""The cover: Florence at dusk behind the table of a banker, with coins and a sealed letter."""

from engine.kernel.covers import backdrop, box, cover_document, disc, oval, shape, stroke, windows

_NIGHT, _TOWN, _FAR, _GOLD, _RIM = "#2a1f3d", "#3b2a4a", "#7d4a63", "#e9b83a", "#a8761b"
_TABLE, _EDGE, _PAPER, _WAX = "#5a2c1f", "#7a4330", "#f4e6c4", "#b3212d"
_ROOFS = ((0, 214, 46), (40, 226, 40), (76, 206, 34), (300, 212, 44), (340, 228, 36), (372, 204, 40), (408, 222, 76))
"""Houses: left, top and width."""
_STACKS = ((60, 5), (104, 8), (148, 3))
"""Coins: where a stack stands, and of how many."""


def cover() -> str:
    """Return the cover."""
    return cover_document(
        backdrop("#31305c", "#f2a65a", 290),
        disc(352, 168, 62, "#fbe2a0"),
        shape("M0 236 80 190 150 214 250 176 340 206 420 184 480 208V300H0z", _FAR),
        *(box(x, y, wide, 300 - y, _TOWN) for x, y, wide in _ROOFS),
        *(shape(f"M{x - 4} {y}h{wide + 8}l-8 -12H{x + 4}z", _NIGHT) for x, y, wide in _ROOFS),
        _cathedral(),
        _tower(),
        windows([(12, 250), (52, 262), (90, 246), (312, 252), (388, 244), (430, 262), (456, 262)], 8, 10, "#f7c86a"),
        box(0, 284, 480, 76, _TABLE),
        box(0, 284, 480, 8, _EDGE),
        *(_coins(x, count) for x, count in _STACKS),
        _letter(),
    )


def _cathedral() -> str:
    """The dome with its ribs, on its drum, and the nave."""
    ribs = (f"M{220 + step} 178Q{220 + step // 3} 118 220 100" for step in (-46, -23, 0, 23, 46))
    return "".join(
        (
            box(130, 220, 180, 70, _NIGHT),
            shape("M126 222h188l-30 -20H156z", "#46304f"),
            box(166, 176, 108, 36, "#f0d9b5"),
            *(disc(x, 194, 8, _NIGHT) for x in (184, 208, 232, 256)),
            shape("M160 180Q168 116 220 96Q272 116 280 180z", "#c8502f"),
            *(stroke(rib, "#f4dcb4", 3) for rib in ribs),
            box(212, 78, 16, 20, "#f0d9b5"),
            shape("M208 80h24l-12 -22z", "#c8502f"),
            disc(220, 54, 5, _GOLD),
        )
    )


def _tower() -> str:
    """The bell tower, in bands of two marbles."""
    bands = (box(96, y, 36, 12, "#e7c9a3" if y % 24 else "#b9705a") for y in range(108, 290, 12))
    return box(92, 100, 44, 8, "#f0d9b5") + "".join(bands) + windows([(108, 150), (108, 198)], 12, 16, _NIGHT)


def _coins(x: int, count: int) -> str:
    """A stack of florins."""
    edges = (
        oval(x, 336 - 7 * number, 20, 8, _RIM if number < count - 1 else _GOLD, stroke="#6d4a10", stroke_width=1)
        for number in range(count)
    )
    return "".join(edges) + oval(x, 336 - 7 * (count - 1), 11, 4, "#f6d77c")


def _letter() -> str:
    """A folded letter under red wax."""
    return "".join(
        (
            shape("M250 352 270 296h176l22 56z", _PAPER),
            stroke("M270 296 358 336 446 296", "#cdb583", 2),
            stroke("M250 352 330 324M468 352 386 324", "#cdb583", 2),
            disc(358, 328, 17, _WAX),
            disc(358, 328, 11, "#d5414b"),
            stroke("M352 328h12M358 322v12", "#f6c9c4", 3),
        )
    )
