"""The names of the cities, with the signs of their terrain and ports."""

from collections.abc import Iterator, Mapping
from typing import Final

from engine.kernel.languages import Language
from engine.kernel.pictures import label, tag
from engine.kernel.text_layout import Box, text_width
from engine.renaissance.catalogue import TOWNS
from engine.renaissance.drawing import shapes
from engine.renaissance.drawing.look import ANCHOR, PALETTE, TERRAIN
from engine.renaissance.drawing.scene import Scene

_ABOVE, _BELOW, _LEFT, _RIGHT = (0, -50, "middle"), (0, 82, "middle"), (-50, 14, "end"), (50, 14, "start")
_BESIDE: Final[Mapping[str, tuple[int, int, str]]] = {
    "torino": (-40, -18, "end"),
    "saluzzo": _LEFT,
    "casale": _ABOVE,
    "milano": _ABOVE,
    "pavia": (0, 78, "middle"),
    "piacenza": (6, 84, "middle"),
    "genova": (-6, 94, "middle"),
    "savona": (-46, 40, "end"),
    "treviso": _ABOVE,
    "venezia": (48, 34, "start"),
    "padova": (-40, -32, "end"),
    "mantova": _ABOVE,
    "ferrara": (50, 24, "start"),
    "bologna": (-46, 44, "end"),
    "ravenna": (48, 30, "start"),
    "pistoia": (-44, -26, "end"),
    "pisa": (-46, 50, "end"),
    "firenze": (48, 26, "start"),
    "capua": (-40, -36, "end"),
    "napoli": (-44, 46, "end"),
    "benevento": (48, 24, "start"),
    "urbino": _ABOVE,
    "ancona": (48, 26, "start"),
    "nizza": (8, 86, "middle"),
    "piombino": (-46, 40, "end"),
    "siena": (40, 56, "start"),
    "brescia": _ABOVE,
    "ragusa": (-40, -44, "middle"),
}
"""The place of a city's name relative to its centre; below it if not listed."""
_SIZE, _SIGN = 44, 40
_LIGHT: Final = 91
"""The width of a regular letter, in percent of a bold one."""


def signs(name: str) -> tuple[str, ...]:
    """Return the signs next to a name."""
    town = TOWNS[name]
    return (*([TERRAIN[town.terrain]] if town.terrain in TERRAIN else []), *([ANCHOR] if town.port else []))


def beside(name: str, place: int) -> tuple[int, int]:
    """Return the offset of a sign from its city's centre, clear of its name.

    `place`: 0 for the first sign.
    """
    _, dy, anchor = _BESIDE.get(name, _BELOW)
    if anchor == "start":
        return 50 + 40 * place, -38
    return 50, (-12 if dy < 0 and anchor == "middle" else -46) + 36 * place


def _reach(name: str, said: str, played: bool = True) -> tuple[int, int]:
    """Return the left and right ends of a name, without its signs."""
    dx, _, anchor = _BESIDE.get(name, _BELOW)
    wide = text_width(said, _SIZE) * (100 if played else _LIGHT) // 100
    left = shapes.PLACES[name][0] + dx - {"middle": wide // 2, "end": wide, "start": 0}[anchor]
    return left, left + wide


def box(name: str, language: Language) -> Box:
    """Return the box that a name takes with its signs."""
    _, dy, anchor = _BESIDE.get(name, _BELOW)
    left, right = _reach(name, TOWNS[name].words.printed(language))
    more, base = _SIGN * len(signs(name)) + 6, shapes.PLACES[name][1] + dy
    if anchor == "end":
        return left - more, base - 36, right, base + 10
    return left, base - 36, right + more, base + 10


def name_and_signs(name: str, scene: Scene) -> Iterator[str]:
    """Yield a city's name, with the signs of its terrain and port."""
    x, y = shapes.PLACES[name]
    dx, dy, anchor = _BESIDE.get(name, _BELOW)
    said, played = TOWNS[name].words.printed(scene.language), name in scene.cities
    if played:
        yield label(
            x + dx,
            y + dy,
            said,
            _SIZE,
            text_anchor=anchor,
            font_weight="bold",
            paint_order="stroke",
            stroke=PALETTE.of("paper", scene.theme),
            stroke_width=9,
            stroke_opacity=".85",
            **PALETTE.fill("ink", scene.theme, "s-paper"),
        )
    else:
        yield label(x + dx, y + dy, said, _SIZE, text_anchor=anchor, **PALETTE.fill("soft", scene.theme))
    left, right = _reach(name, said, played)
    for n, sign in enumerate(signs(name)):
        at = left - 26 - n * _SIGN if anchor == "end" else right + 26 + n * _SIGN
        yield tag(
            "path",
            d=sign,
            transform=f"translate({at} {y + dy - 15}) scale(.75)",
            fill_rule="evenodd",
            paint_order="stroke",
            stroke=PALETTE.of("paper", scene.theme),
            stroke_width=8,
            stroke_opacity=".8",
            **PALETTE.fill("coast" if sign is ANCHOR else "soft", scene.theme, "s-paper"),
        )
