"""The cities: their land in the colours of who holds them, their walls, palaces and artists, what has changed."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from engine.kernel.forms import Language
from engine.kernel.pictures import Theme, Value, escaped, label, paint, tag
from engine.renaissance.catalogue import FORTRESS, FREE, PROVINCES, RAMPART, TOWNS
from engine.renaissance.drawing import shapes
from engine.renaissance.drawing.look import ANCHOR, BRUSH, FLAME, LETTER, NUMBER, PALACE, PALETTE, TERRAIN, owner, say

DISC: Final = 30
City = Mapping[str, Any]

_ABOVE, _BELOW, _LEFT, _RIGHT = (0, -50, "middle"), (0, 82, "middle"), (-50, 14, "end"), (50, 14, "start")
_BESIDE: Final[Mapping[str, tuple[int, int, str]]] = {
    "torino": (-40, -18, "end"), "saluzzo": _LEFT, "casale": _ABOVE, "milano": _ABOVE, "pavia": (0, 78, "middle"),
    "piacenza": (6, 84, "middle"), "genova": (20, 92, "start"), "savona": (-46, 40, "end"), "treviso": _ABOVE,
    "venezia": (48, 34, "start"), "padova": (-40, -32, "end"), "mantova": _ABOVE, "ferrara": (50, 4, "start"),
    "bologna": (-46, 44, "end"), "ravenna": (48, 30, "start"), "pistoia": (-44, -26, "end"), "pisa": (-46, 50, "end"),
    "firenze": (48, 6, "start"), "capua": (-40, -36, "end"), "napoli": (-44, 46, "end"),
    "benevento": (48, -10, "start"),
    "urbino": _ABOVE, "ancona": (46, -14, "start"), "nizza": (8, 86, "middle"), "piombino": (-46, 40, "end"),
    "siena": (40, 56, "start"), "brescia": _ABOVE, "ragusa": (-40, -44, "middle"),
}  # fmt: skip
"""Where a city's name stands, from its middle; below it unless said here."""


@dataclass(frozen=True)
class Scene:
    """What is drawn, and how. `before`: cities that have changed, as they were; `ahead`: those that orders would
    change, as they would be. `nations`: what each seat plays. `room`: the free cities that the viewer may take.
    """

    language: Language
    theme: Theme
    live: bool
    cities: Mapping[str, City]
    before: Mapping[str, City]
    ahead: Mapping[str, City]
    nations: Mapping[str, str]
    room: frozenset[str]


def seen(city: City) -> tuple[object, ...]:
    """What may change about a city."""
    return tuple(city[what] for what in ("owner", "level", "palace", "artist", "pillaged"))


def told(city: City, scene: Scene) -> str:
    """Who holds a city, and what stands in it."""
    said = [LETTER[scene.nations[city["owner"]]] if city["owner"] else say(scene.language, "free")]
    if city["level"] > FREE:
        said.append(say(scene.language, f"level{city['level']}"))
    said += [say(scene.language, what) for what in ("palace", "artist", "pillaged") if city[what]]
    return ", ".join(said)


# --- the land


def land(scene: Scene) -> str:
    """Every city's land as an area that can be chosen, in the colours of who holds it."""
    first = next(iter(scene.cities), "")
    drawn = [_area(name, name == first, scene) for name in TOWNS]
    return tag("g", *drawn, class_="provinces", stroke_linejoin="round")


def _area(name: str, first: bool, scene: Scene) -> str:
    city, town, words = scene.cities.get(name), TOWNS[name], _words(name, scene)
    classes = ["province", *(["unused"] if city is None else []), *(["held"] if city and city["owner"] else [])]
    colour = PALETTE.fill("free" if city else "unused", scene.theme, *classes)
    if city and city["owner"]:
        number = NUMBER[scene.nations[city["owner"]]]
        colour = {"fill": paint(number), "fill_opacity": ".62", "class_": " ".join(classes)}
    named: dict[str, Value] = {"data_province": name}
    if scene.live and city is not None:
        named |= {"data_name": town.words.shown(scene.language), "role": "button", "aria_label": words}
        named |= {"tabindex": 0 if first else -1, "data_room": 1 if name in scene.room else None}
    area = tag("path", d=shapes.AREAS[name], id=f"a-{name}")
    x, y = shapes.PLACES[name]
    spot = tag("circle", cx=x, cy=y, r=DISC + 14, fill_opacity=0)
    return tag("g", tag("title", escaped(words)), area, spot, id=f"p-{name}", **colour, **named)


def _words(name: str, scene: Scene) -> str:
    """A city and what stands there, in words; what has changed and what is meant too."""
    town, language, city = TOWNS[name], scene.language, scene.cities.get(name)
    ground = ", ".join([say(language, town.terrain), *([say(language, "port")] if town.port else [])])
    province = PROVINCES[town.province].words.shown(language)
    said = [say(language, "place", name=town.words.shown(language), province=province, ground=ground)]
    said.append(told(city, scene) if city is not None else say(language, "unused"))
    for word, other in (("was", scene.before), ("will", scene.ahead)):
        if name in other:
            said.append(say(language, word, what=told(other[name], scene)))
    return ". ".join(said)


# --- what stands on it


def pieces(scene: Scene) -> str:
    """Cities with their walls and what is in them, names, and the marks on what has changed or is meant to."""
    drawn = [*_marks(scene)]
    for name in TOWNS:
        drawn += [*_city(name, scene), *_name(name, scene)]
    drawn += _notes(scene)
    return tag("g", *drawn, class_="pieces", pointer_events="none", aria_hidden="true", stroke_linejoin="round")


def _city(name: str, scene: Scene) -> Iterator[str]:
    x, y = shapes.PLACES[name]
    city = scene.ahead.get(name, scene.cities.get(name))
    if city is None:
        yield tag("circle", cx=x, cy=y, r=12, **PALETTE.fill("faint", scene.theme))
        return
    nation = scene.nations[city["owner"]] if city["owner"] else ""
    yield stronghold(x, y, nation, city["level"], scene.theme, meant=name in scene.ahead)
    signs = [(PALACE, "ink")] * city["palace"] + [(BRUSH, "ink")] * bool(city["artist"])
    signs += [(FLAME, "battle")] * bool(city["pillaged"])
    for n, (sign, colour) in enumerate(signs):
        yield _sign(sign, x + 50, y - 34 + n * 40, colour, scene.theme)


def _sign(sign: str, x: int, y: int, colour: str, theme: Theme) -> str:
    """A sign with an edge of paper round it, so that it is seen on every ground."""
    return tag("path", d=sign, transform=f"translate({x} {y}) scale(.9)", fill_rule="evenodd", paint_order="stroke",
               stroke=PALETTE.of("paper", theme), stroke_width=9, **PALETTE.fill(colour, theme, "s-paper"))  # fmt: skip


def stronghold(x: int, y: int, nation: str, level: int, theme: Theme, *, meant: bool = False) -> str:
    """A city: a ring while it is free, a disc with a garrison, in a square with a rampart, with towers for a castle."""
    edge, wall = PALETTE.fill("intended" if meant else "ink", theme), DISC + 9
    if level == FREE or not nation:
        return tag("circle", cx=x, cy=y, r=19, **edge) + tag("circle", cx=x, cy=y, r=12, **PALETTE.fill("paper", theme))
    look, drawn = owner(nation), []
    if level >= FORTRESS:
        corners = ((dx, dy) for dx in (-wall, wall) for dy in (-wall, wall))
        drawn += [tag("rect", x=x + dx - 14, y=y + dy - 14, width=28, height=28, **edge) for dx, dy in corners]
    if level >= RAMPART:
        drawn.append(tag("rect", x=x - wall, y=y - wall, width=2 * wall, height=2 * wall, rx=3, **edge))
        inner = wall - 6
        drawn.append(tag("rect", x=x - inner, y=y - inner, width=2 * inner, height=2 * inner,
                         **PALETTE.fill("paper", theme)))  # fmt: skip
    drawn.append(tag("circle", cx=x, cy=y, r=DISC, **edge))
    drawn.append(tag("circle", cx=x, cy=y, r=DISC - 4, fill=look.colour))
    drawn.append(label(x, y + 14, LETTER[nation], 40 if len(LETTER[nation]) == 1 else 32, text_anchor="middle",
                       font_weight="bold", fill=look.ink))  # fmt: skip
    return "".join(drawn)


def _name(name: str, scene: Scene) -> Iterator[str]:
    """A city's name, with the signs of its ground and of its port."""
    town, (x, y) = TOWNS[name], shapes.PLACES[name]
    dx, dy, anchor = _BESIDE.get(name, _BELOW)
    said, size = town.words.shown(scene.language), 44
    if name in scene.cities:
        yield label(x + dx, y + dy, said, size, text_anchor=anchor, font_weight="bold", paint_order="stroke",
                    stroke=PALETTE.of("paper", scene.theme), stroke_width=9, stroke_opacity=".85",
                    **PALETTE.fill("ink", scene.theme, "s-paper"))  # fmt: skip
    else:
        yield label(x + dx, y + dy, said, size, text_anchor=anchor, **PALETTE.fill("soft", scene.theme))
    wide = len(said) * (27 if name in scene.cities else 23)
    right = x + dx + {"middle": wide // 2, "end": 0, "start": wide}[anchor]
    signs = [TERRAIN[town.terrain]] if town.terrain in TERRAIN else []
    signs += [ANCHOR] if town.port else []
    left = x + dx - {"middle": wide // 2, "end": wide, "start": 0}[anchor]
    for n, sign in enumerate(signs):
        at = left - 26 - n * 40 if anchor == "end" else right + 26 + n * 40
        yield tag("path", d=sign, transform=f"translate({at} {y + dy - 15}) scale(.75)", fill_rule="evenodd",
                  paint_order="stroke", stroke=PALETTE.of("paper", scene.theme), stroke_width=8, stroke_opacity=".8",
                  **PALETTE.fill("coast" if sign is ANCHOR else "soft", scene.theme, "s-paper"))  # fmt: skip


def _marks(scene: Scene) -> Iterator[str]:
    """A line round each city's land that has changed, and a broken one round those that orders would change."""
    for name in scene.before:
        line = PALETTE.line("changed", scene.theme, 13, "changed")
        yield tag("use", href=f"#a-{name}", stroke_opacity=".85", **line)
    for name in scene.ahead:
        line = PALETTE.line("intended", scene.theme, 13, "intended")
        yield tag("use", href=f"#a-{name}", stroke_dasharray="30 16", **line)


def _notes(scene: Scene) -> Iterator[str]:
    """What came and what went, over the cities."""
    for colour, pairs in (
        ("changed", {n: (was, scene.cities[n]) for n, was in scene.before.items()}),
        ("intended", {n: (scene.cities[n], will) for n, will in scene.ahead.items()}),
    ):
        for name, (one, other) in pairs.items():
            x, y = shapes.PLACES[name]
            said = " ".join(steps(one, other, scene))
            yield label(x - 44, y - 30, said, 36, text_anchor="end", font_weight="bold", paint_order="stroke",
                        stroke=PALETTE.of("paper", scene.theme), stroke_width=10,
                        **PALETTE.fill(colour, scene.theme, "s-paper"))  # fmt: skip


def steps(one: City, other: City, scene: Scene) -> Iterator[str]:
    """How a city changed, in signs: holder, walls, palace, artist, pillage."""
    if one["owner"] != other["owner"]:
        was, now = (LETTER[scene.nations[c["owner"]]] if c["owner"] else "–" for c in (one, other))
        yield f"{was}→{now}"
    if one["level"] != other["level"] and other["owner"] and one["owner"] == other["owner"]:
        yield "▲" if other["level"] > one["level"] else "▼"
    for what in ("palace", "artist", "pillaged"):
        if bool(one[what]) != bool(other[what]):
            yield ("+" if other[what] else "−") + say(scene.language, what)
