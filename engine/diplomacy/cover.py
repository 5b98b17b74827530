"""The cover: a map on a table, fleets and armies on it, and a sealed letter whose seal is broken."""

from engine.kernel.covers import backdrop, box, cover_document, disc, moved, oval, shape, stroke, waves

_PAPER, _LAND, _SEA, _INK = "#f1e4c3", "#d9c08c", "#7fb0bd", "#3b2f2a"
_RED, _BLUE, _GREEN, _GOLD = "#b3372c", "#2d5f8a", "#3f7a4a", "#d8a938"


def cover() -> str:
    """Return the cover."""
    return cover_document(
        backdrop("#5b3a2a", "#2c1b15"),
        moved(240, 176, _map(), turn=-4),
        moved(112, 262, _seal(), turn=8),
        *(_army(x, y, colour) for x, y, colour in ((250, 196, _RED), (318, 168, _GREEN), (290, 246, _GOLD))),
        *(_fleet(x, y, colour) for x, y, colour in ((92, 124, _BLUE), (146, 72, _RED))),
    )


def _map() -> str:
    """Return a sheet with a coast, the sea before it, and borders."""
    coast = "M-40 -140Q-90 -90 -40 -60T-70 10Q-130 40 -96 92T-10 104Q60 96 70 122H204V-140z"
    return "".join(
        (
            box(-212, -148, 424, 296, _PAPER, rx=6),
            box(-204, -140, 408, 280, _SEA),
            *(waves(y, "#98c3cd", left=-196, right=-52) for y in (-100, -60, -20)),
            shape(coast, _LAND, stroke=_INK, stroke_width=3),
            *(stroke(path, "#a98a58", 2, stroke_dasharray="6 5") for path in _BORDERS),
            shape("M-180 -20q24 -46 44 -10t-4 60q-34 20 -40 -50z", _LAND, stroke=_INK, stroke_width=3),
            *(
                disc(x, y, 6, _PAPER, stroke=_INK, stroke_width=3)
                for x, y in ((30, -80), (120, -40), (80, 50), (-40, 60))
            ),
        )
    )


_BORDERS = ("M-40 -60Q40 -30 60 -140", "M60 -60Q120 0 204 -30", "M-70 10Q20 0 60 40T70 122", "M60 40Q130 30 204 60")


def _army(x: int, y: int, colour: str) -> str:
    """Return a cannon on its wheel."""
    barrel = shape("M-34 -12l52 -12 6 14 -50 16z", colour, stroke=_INK, stroke_width=3)
    return moved(x, y, barrel, disc(-14, 8, 15, colour, stroke=_INK, stroke_width=4), disc(-14, 8, 4, _INK))


def _fleet(x: int, y: int, colour: str) -> str:
    """Return a ship of the line with two funnels."""
    funnels = box(-12, -26, 8, 20, _INK) + box(6, -26, 8, 20, _INK)
    hull = shape("M-38 -6h76l-12 18h-54z", colour, stroke=_INK, stroke_width=3)
    return moved(x, y, funnels, hull, oval(-8, -34, 10, 5, "#e9edee"))


def _seal() -> str:
    """Return a folded letter with a broken seal."""
    return "".join(
        (
            box(-74, -46, 148, 92, "#fbf4df", stroke=_INK, stroke_width=3),
            stroke("M-74 -46L0 8 74 -46", _INK, 3),
            disc(0, 8, 20, _RED, stroke=_INK, stroke_width=3),
            stroke("M-12 -6L4 10 -4 16 10 28", _PAPER, 4),
        )
    )
