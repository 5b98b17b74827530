"""The board as SVG, from a view: Italy with its cities, and the powers.

All that changes comes from the view, which holds nothing that its viewer may not know. The rest is geometry and names
of the catalogue. The printed board was not available: positions are geographic, and the frontiers are this project's
own, as the picture says.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from engine.kernel.drawing import Drawing, Sheet, describe, join_words
from engine.kernel.languages import Language
from engine.kernel.pictures import LEGIBLE, Part, Theme, tag
from engine.kernel.rules import View
from engine.kernel.text_layout import Box
from engine.renaissance.catalogue import TOWNS, WORDS
from engine.renaissance.drawing import panel, shapes
from engine.renaissance.drawing.look import NUMBER, PALETTE, say
from engine.renaissance.drawing.scene import City, Scene, city_in_words, seen
from engine.renaissance.drawing.towns import land, pieces

_HIGH: Final = LEGIBLE * 4 // 5
_PARTS: Final[Mapping[str, tuple[int, int, int]]] = {
    "northwest": (60, 180, _HIGH),
    "northeast": (620, 250, _HIGH),
    "centre": (680, 730, _HIGH),
    "west": (470, 730, _HIGH),
    "east": (1590, 980, _HIGH),
    "south": (1250, 1080, _HIGH),
    "sicily": (1480, 1690, shapes.HIGH - 1690),
}
"""Crops of the map, each `LEGIBLE` wide: left, top and height."""
CHANGED: Final = 5
"""The weight of a changed city, added to that of a city that the viewer holds."""


def _layers(sheet: Sheet) -> Iterator[str]:
    scene, theme = _scene(sheet), sheet.theme
    yield tag("rect", width=shapes.WIDE, height=shapes.HIGH, **PALETTE.fill("water", theme))
    yield tag("path", d=shapes.AREAS[shapes.WILDS], fill_rule="evenodd", **PALETTE.fill("wild", theme))
    yield land(scene)
    yield tag("g", *_lines(sheet.view, theme), pointer_events="none")
    yield pieces(scene)
    yield panel.panel(sheet)


def _scene(sheet: Sheet) -> Scene:
    view, cities, before, ahead = sheet.view, _cities(sheet.view), _cities(sheet.since), _cities(sheet.preview)
    room = frozenset(place["city"] for place in view.get("own", {}).get("free", ()))
    was = {name: before[name] for name in changed(before, cities)}
    meant = {name: ahead[name] for name in changed(cities, ahead)}
    return Scene(sheet.language, sheet.theme, sheet.live, cities, was, meant, _nations(view), room)


def _nations(view: View) -> Mapping[str, str]:
    return {seat: power["nation"] for seat, power in view["powers"].items() if power["nation"]}


def _looks(view: View) -> Iterator[int]:
    """Yield the looks of the powers, and of the city in the legend."""
    return (NUMBER[nation] for nation in (*_nations(view).values(), "florence"))


def _cities(view: View | None) -> Mapping[str, City]:
    return {city["id"]: city for city in view["cities"]} if view is not None else {}


def changed(before: Mapping[str, City], after: Mapping[str, City]) -> list[str]:
    """Return the cities that have changed, in the order of the catalogue."""
    return [name for name in TOWNS if name in before and name in after and seen(before[name]) != seen(after[name])]


def _lines(view: View, theme: Theme) -> Iterator[str]:
    """Yield what is above the land and below the cities: borders, coast, roads, the current battle."""
    yield tag("path", d=shapes.BOUNDS, stroke_dasharray="4 12", **PALETTE.line("line", theme, 5))
    yield tag("path", d=shapes.FRONTIERS, **PALETTE.line("line", theme, 8))
    yield tag("path", d=shapes.COAST, **PALETTE.line("coast", theme, 7))
    yield tag("path", d=shapes.ROAD_LINES, stroke_opacity=".7", **PALETTE.line("paper", theme, 17))
    yield tag("path", d=shapes.ROAD_LINES, **PALETTE.line("road", theme, 8))
    fight = view["battle"]
    if fight is not None:
        x, y = shapes.PLACES[fight["city"]]
        yield tag("circle", cx=x, cy=y, r=66, stroke_dasharray="22 12", **PALETTE.line("battle", theme, 14, "battle"))
        if fight["origin"]:
            a, b = shapes.PLACES[fight["origin"]]
            yield tag("path", d=f"M{a} {b}L{x} {y}", stroke_dasharray="36 14", **PALETTE.line("battle", theme, 16))


# --- parts of the map


def crops(view: View, since: View | None = None) -> Mapping[str, Part]:
    """Return the map without the panel, and its parts, by most changes or most of the viewer's cities first.

    Before the first garrisons, the viewer's cities are those to begin in.
    Of parts with the same weight, the one with its cities nearest its centre comes first.
    """
    own = view.get("own", {}).get("seat", "")
    weights = {city["id"]: 1 for city in view["cities"] if city["owner"] and own in ("", city["owner"])}
    if own and not weights:
        weights = dict.fromkeys(view["powers"][own]["starts"], 1)
    for name in changed(_cities(since), _cities(view)):
        weights[name] = weights.get(name, 0) + CHANGED
    held = {name: {city: n for city, n in weights.items() if _lies(city, _window(name))} for name in _PARTS}
    order = sorted(_PARTS, key=lambda name: (-sum(held[name].values()), _aside(_window(name), held[name])))
    return {
        "map": Part(say.words["map"], _window("map")),
        **{name: Part(WORDS(f"parts.{name}"), _window(name), sum(held[name].values())) for name in order},
    }


def _lies(city: str, box: Box) -> bool:
    """Return True if a city is in a window."""
    (left, top, wide, high), (x, y) = box, shapes.PLACES[city]
    return left <= x <= left + wide and top <= y <= top + high


def _aside(box: Box, weights: Mapping[str, int]) -> int:
    """Return the distance of its cities from the centre of a window, by their weights."""
    left, top, wide, high = box
    return sum(
        weight * (abs(2 * (x - left) - wide) + abs(2 * (y - top) - high))
        for name, weight in weights.items()
        for x, y in [shapes.PLACES[name]]
    )


def _window(crop: str, view: View | None = None) -> Box:
    if crop == "map":
        return 0, 0, shapes.WIDE, shapes.HIGH
    left, top, high = _PARTS[crop]
    return left, top, LEGIBLE, high


# --- in words


def _title(view: View, language: Language) -> str:
    return (
        say(language, "title", turn=view["turn"], year=view["year"]) if view["turn"] else say(language, "title_setup")
    )


def description(sheet: Sheet) -> str:
    """Return the picture in sentences: turn, powers, changes, and what the viewer's orders would change."""
    view, language, powers = sheet.view, sheet.language, sheet.view["powers"]
    standing = [
        say(
            language,
            "standing",
            who=panel.name(view, seat, language),
            score=powers[seat]["score"],
            cities=len(powers[seat]["cities"]),
        )
        for seat in view["order"]
        if powers[seat]["nation"]
    ]
    said = [f"{say(language, 'map')}. {say(language, 'rebuilt')}. {', '.join(panel.course(view, language))}."]
    said += [f"{join_words(standing, language)}."] if standing else []
    return " ".join((*said, *describe(sheet, say, lambda before, after: _differences(before, after, language))))


def _differences(before: View, after: View, language: Language) -> list[str]:
    """Return the changed cities, with their owners and buildings."""
    scene = _scene(Sheet(after, language))
    return [
        f"{TOWNS[name].words.printed(language)} ({city_in_words(scene.cities[name], scene)})"
        for name in changed(_cities(before), scene.cities)
    ]


DRAWING: Final = Drawing(
    (shapes.WIDE, shapes.HIGH), PALETTE, panel.height, _looks, _layers, _window, _title, description
)
picture: Final = DRAWING.picture
