"""The cities: their land in the colours of their owners, walls, palaces, artists, and marks of changes."""

from collections.abc import Iterator

from engine.kernel.drawing import outline_text
from engine.kernel.pictures import SMALLEST, Theme, Value, escape, fill_for, label, tag
from engine.renaissance.catalogue import FORTRESS, FREE, PROVINCES, RAMPART, TOWNS
from engine.renaissance.drawing import names, notes, shapes
from engine.renaissance.drawing.look import BRUSH, FLAME, LETTER, NUMBER, PALACE, PALETTE, owner, say
from engine.renaissance.drawing.scene import DISC, Scene, city_in_words

# --- the land


def land(scene: Scene) -> str:
    """Return every city's land as an area to choose, in the colours of its owner."""
    first = next(iter(scene.cities), "")
    drawn = [_area(name, name == first, scene) for name in TOWNS]
    return tag("g", *drawn, class_="provinces", stroke_linejoin="round")


def _area(name: str, first: bool, scene: Scene) -> str:
    city, town, words = scene.cities.get(name), TOWNS[name], _words(name, scene)
    classes = ["province", *(["unused"] if city is None else []), *(["held"] if city and city["owner"] else [])]
    colour = PALETTE.fill("free" if city else "unused", scene.theme, *classes)
    if city and city["owner"]:
        number = NUMBER[scene.nations[city["owner"]]]
        colour = {"fill": fill_for(number), "fill_opacity": ".62", "class_": " ".join(classes)}
    named: dict[str, Value] = {"data_province": name}
    if scene.live and city is not None:
        named |= {"data_name": town.words.printed(scene.language), "role": "button", "aria_label": words}
        named |= {"tabindex": 0 if first else -1, "data_room": 1 if name in scene.room else None}
    area = tag("path", d=shapes.AREAS[name], id=f"a-{name}")
    x, y = shapes.PLACES[name]
    spot = tag("circle", cx=x, cy=y, r=DISC + 14, fill_opacity=0)
    return tag("g", tag("title", escape(words)), area, spot, id=f"p-{name}", **colour, **named)


def _words(name: str, scene: Scene) -> str:
    """Return a city and its buildings in words, with changes and intentions."""
    town, language, city = TOWNS[name], scene.language, scene.cities.get(name)
    ground = ", ".join([say(language, town.terrain), *([say(language, "port")] if town.port else [])])
    province = PROVINCES[town.province].words.printed(language)
    said = [say(language, "place", name=town.words.printed(language), province=province, ground=ground)]
    said.append(city_in_words(city, scene) if city is not None else say(language, "unused"))
    for word, other in (("was", scene.before), ("will", scene.ahead)):
        if name in other:
            said.append(say(language, word, what=city_in_words(other[name], scene)))
    return ". ".join(said)


# --- pieces


def pieces(scene: Scene) -> str:
    """Return cities with walls and buildings, names, and the marks of changes and intentions."""
    drawn = [*outline_text(PALETTE, scene.theme, scene.before, scene.ahead)]
    for name in TOWNS:
        drawn += [*_city(name, scene), *names.name_and_signs(name, scene)]
    drawn += notes.notes(scene)
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
        dx, dy = names.beside(name, n)
        yield _sign(sign, x + dx, y + dy, colour, scene.theme)


def _sign(sign: str, x: int, y: int, colour: str, theme: Theme) -> str:
    """Return a sign with an edge in the colour of paper, so that it is visible on any background."""
    return tag(
        "path",
        d=sign,
        transform=f"translate({x} {y}) scale(.9)",
        fill_rule="evenodd",
        paint_order="stroke",
        stroke=PALETTE.of("paper", theme),
        stroke_width=9,
        **PALETTE.fill(colour, theme, "s-paper"),
    )


def stronghold(x: int, y: int, nation: str, level: int, theme: Theme, *, meant: bool = False) -> str:
    """Return a city: a ring if free, a disc with a garrison, in a square with a rampart, with towers for a castle."""
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
        drawn.append(
            tag("rect", x=x - inner, y=y - inner, width=2 * inner, height=2 * inner, **PALETTE.fill("paper", theme))
        )
    drawn.append(tag("circle", cx=x, cy=y, r=DISC, **edge))
    drawn.append(tag("circle", cx=x, cy=y, r=DISC - 4, fill=look.colour))
    drawn.append(
        label(
            x,
            y + 14,
            LETTER[nation],
            40 if len(LETTER[nation]) == 1 else SMALLEST,
            text_anchor="middle",
            font_weight="bold",
            fill=look.ink,
        )
    )
    return "".join(drawn)
