"""The table as SVG, from a view: one's own territory, the levels, the offer, routes, the territories of the others.

Everything that moves comes from the view, which holds nothing that its viewer may not know; what is printed comes from
the catalogue. Zones stand in two columns, each no wider than what a phone can show.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from engine.kernel.drawing import Drawing, Sheet, in_words
from engine.kernel.languages import Language
from engine.kernel.pictures import LEGIBLE, Part
from engine.kernel.room import Box
from engine.kernel.rules import View
from engine.patchistory.drawing import zones
from engine.patchistory.drawing.look import PALETTE, say, signs
from engine.patchistory.drawing.squares import Cell, cells, differing
from engine.patchistory.drawing.squares import in_words as square_in_words
from engine.patchistory.figures import NAMES
from engine.patchistory.wording import WORDS

APART: Final = 40
WIDE: Final = 2 * LEGIBLE + APART
OWN: Final = 1000
"""What one's own territory weighs: it comes first, whatever has changed elsewhere."""

Laid = tuple[zones.Zone, int, int]


def _laid(view: View) -> tuple[tuple[Laid, ...], int]:
    """Each zone with its corner, in the shorter of two columns; and how high the higher one is."""
    heights, found = [0, 0], []
    for zone in zones.zones(view):
        column = heights.index(min(heights))
        found.append((zone, column * (LEGIBLE + APART), heights[column]))
        heights[column] += zone.high + APART
    return tuple(found), max(heights)


def _height(view: View) -> int:
    return _laid(view)[1] + zones.LEGEND


def _layers(sheet: Sheet) -> Iterator[str]:
    found, high = _laid(sheet.view)
    for zone, x, y in found:
        yield from zone.draw(sheet, x, y)
    yield from zones.legend(sheet, 0, high)


def _looks(view: View) -> Iterator[int]:
    return (NAMES.looks[player["colour"]] for player in view["powers"].values())


# --- parts


def crops(view: View, since: View | None = None) -> Mapping[str, Part]:
    """The table without what its signs mean, then its zones: first where most has changed, or the viewer's own."""
    found = {
        zone.name: Part(WORDS(f"parts.{zone.name}"), (x, y, LEGIBLE, zone.high), _weight(zone.name, view, since))
        for zone, x, y in _laid(view)[0]
    }
    ranked = sorted(found.items(), key=lambda part: -part[1].weight)
    return {"map": Part(say.words["map"], _window("map", view)), **dict(ranked)}


def _weight(name: str, view: View, since: View | None) -> int:
    """One's own territory, then what has changed on those of others."""
    seat = next((s for s, player in view["powers"].items() if player["colour"] == name), "")
    return OWN * (seat == view["seat"]) + len(differing(since, view, seat)) if seat else 0


def _window(crop: str, view: View) -> Box:
    found, high = _laid(view)
    if crop == "map":
        return 0, 0, WIDE, high
    return next((x, y, LEGIBLE, zone.high) for zone, x, y in found if zone.name == crop)


# --- in words


def _title(view: View, language: Language) -> str:
    return say(language, "title", course=zones.course(view, language))


def description(sheet: Sheet) -> str:
    """The same table in sentences: each territory square by square, what has changed, what orders would do."""
    view, language = sheet.view, sheet.language
    said = [f"{say(language, 'map')}. {say(language, 'rebuilt')}."]
    for seat in zones.turned(view):
        squares = "; ".join(_place(cell, language) for cell in cells(view["powers"][seat]["territory"]))
        said.append(say(language, "territory", who=zones.called(view, seat, language), squares=squares))
    return " ".join((*said, *in_words(sheet, say, lambda before, after: _differences(before, after, language))))


def _place(cell: Cell, language: Language) -> str:
    return f"{'+'.join(cell.names)} {square_in_words(cell, language)}"


def _differences(before: View, after: View, language: Language) -> list[str]:
    """By player, the squares that are not as they were."""
    found = {seat: sorted(differing(before, after, seat)) for seat in zones.turned(after)}
    return [f"{zones.called(after, seat, language)} {' '.join(squares)}" for seat, squares in found.items() if squares]


DRAWING: Final = Drawing((WIDE, 0), PALETTE, _height, _looks, _layers, _window, _title, description, signs())
picture: Final = DRAWING.picture
