"""The moving parts: provinces in the colours of their owners, markers, tokens, and marks of changes."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from engine.age_of_renaissance.catalogue import PROVINCES, Province
from engine.age_of_renaissance.drawing import chart, layout, shapes
from engine.age_of_renaissance.drawing.holdings import NONE, Held, Holdings, held_in_words, steps
from engine.age_of_renaissance.drawing.layout import HIGH, WIDE, Stack
from engine.age_of_renaissance.drawing.look import DISC, LETTER, NUMBER, PALETTE, owner, say
from engine.kernel.drawing import outline_text
from engine.kernel.languages import Language
from engine.kernel.pictures import SMALLEST, Theme, Value, escape, fill_for, label, tag


@dataclass(frozen=True)
class Scene:
    """What is drawn, and how.

    `before`: changed provinces with their earlier pieces.
    `ahead`: provinces that the viewer's orders would change, with their pieces then.
    `room`: how many tokens the viewer may place, by province.
    `needs`: how many an attack needs.
    `chances`: the chance of the attack, in percent.
    """

    language: Language
    theme: Theme
    players: int
    live: bool
    held: Holdings
    before: Mapping[str, tuple[Held, ...]]
    ahead: Mapping[str, tuple[Held, ...]]
    room: Mapping[str, int]
    needs: Mapping[str, int]
    chances: Mapping[str, str]

    @cached_property
    def lying(self) -> Mapping[str, tuple[Held, ...]]:
        """Return the pieces to draw, by province; where orders would change them, the intended ones."""
        found = {name: self.ahead.get(name, self.held.get(name, NONE)) for name in shapes.MIDDLES}
        return {name: lying for name, lying in found.items() if lying}


def provinces(scene: Scene) -> str:
    """Return every province as an area to choose, in the colour of its region or its owner."""
    drawn = [_province(PROVINCES[name], n == 0, scene) for n, name in enumerate((*shapes.MIDDLES,))]
    return tag("g", *drawn, class_="provinces", stroke_linejoin="round")


def _province(province: Province, first: bool, scene: Scene) -> str:
    words = _in_words(province, scene)
    marks = [held for held in scene.held.get(province.id, NONE) if held.marker]
    playing = chart.in_play(province, scene.players)
    classes = ["province", *(["unused"] if not playing else []), *(["held"] if marks else [])]
    colour = PALETTE.fill(chart.tint(province, scene.players), scene.theme, *classes)
    for held in marks:
        faint = ".5" if held.marker == "new" else ".88"
        colour = {"fill": fill_for(NUMBER[held.capital]), "fill_opacity": faint, "class_": " ".join(classes)}
    named: dict[str, Value] = {"data_province": province.id, "data_region": province.region}
    if scene.live:
        named |= {"data_name": province.words.printed(scene.language), "role": "button", "aria_label": words}
        named |= {"tabindex": 0 if first else -1}
        named |= {"data_room": scene.room.get(province.id), "data_needs": scene.needs.get(province.id)}
    area = tag("path", d=shapes.OUTLINES[province.id], id=f"a-{province.id}")
    return tag("g", tag("title", escape(words)), area, id=f"p-{province.id}", **colour, **named)


def _in_words(province: Province, scene: Scene) -> str:
    """Return a province and its pieces in words, with changes and intentions."""
    language, here = scene.language, scene.held.get(province.id, NONE)
    parts = [chart.place_told(province, language)]
    if not chart.in_play(province, scene.players):
        parts.append(say(language, "unused"))
    if here:
        parts.append(held_in_words(here, language))
    parts += _open_to(province, scene) if scene.live else ()
    for word, other in (("was", scene.before), ("will", scene.ahead)):
        if province.id in other:
            parts.append(say(language, word, what=held_in_words(other[province.id], language)))
    return ". ".join(parts)


def _open_to(province: Province, scene: Scene) -> Iterator[str]:
    """Yield what the viewer's tokens can do there, with the odds."""
    if province.id in scene.room:
        yield say(scene.language, "may_place", tokens=scene.room[province.id])
    if province.id in scene.needs:
        needs, chance = scene.needs[province.id], scene.chances[province.id]
        yield say(scene.language, "may_attack", tokens=needs, chance=chance)


def pieces(scene: Scene) -> str:
    """Return markers and tokens on the map, and the marks of changes and intentions."""
    stood = tuple(layout.stacks(scene.lying, scene.language, scene.players))
    drawn = [
        *outline_text(PALETTE, scene.theme, scene.before, scene.ahead),
        *(_marker(name, scene) for name in scene.lying),
        *(_tokens(one, scene) for one in stood),
    ]
    drawn += _notes(scene, stood)
    return tag("g", *drawn, class_="pieces", pointer_events="none", aria_hidden="true", stroke_linejoin="round")


def _marker(name: str, scene: Scene) -> str:
    """Return the marker of a province, next to its pill."""
    spots = ((held, layout.marker(name, scene.players)) for held in scene.lying[name] if held.marker)
    return "".join(marker(x, y, held, scene.theme, name in scene.ahead) for held, (x, y) in spots)


def _tokens(stack: Stack, scene: Scene) -> str:
    """Return the tokens of a province, in rows of two."""
    return "".join(
        tokens(x, y, pile.held, pile.kind, pile.count, scene.theme, stack.province in scene.ahead)
        for pile, x, y in stack.spots
    )


def marker(x: int, y: int, held: Held, theme: Theme, meant: bool = False) -> str:
    """Return a control marker: a disc, or a ring while it is new (● and ○), with its owner's letter."""
    look, full = owner(held.capital), held.marker == "old"
    return (
        tag("circle", cx=x, cy=y, r=DISC + 4, **PALETTE.fill("intended" if meant else "ink", theme))
        + tag("circle", cx=x, cy=y, r=DISC, fill=look.colour)
        + ("" if full else tag("circle", cx=x, cy=y, r=DISC - 10, **PALETTE.fill("paper", theme)))
        + label(
            x,
            y + 14 - (not full),
            LETTER[held.capital],
            40 if full else SMALLEST,
            text_anchor="middle",
            font_weight="bold",
            **_ink(look.ink, full, theme),
        )
    )


def tokens(x: int, y: int, held: Held, kind: str, count: int, theme: Theme, meant: bool = False) -> str:
    """Return a pile of tokens: a filled box, or an empty one while they are new (■ and □), with letter and count."""
    look, full = owner(held.capital), kind == "old"
    box = (x - WIDE // 2, y - HIGH // 2)
    return (
        tag(
            "rect",
            x=box[0] - 4,
            y=box[1] - 4,
            width=WIDE + 8,
            height=HIGH + 8,
            rx=6,
            **PALETTE.fill("intended" if meant else "ink", theme),
        )
        + tag("rect", x=box[0], y=box[1], width=WIDE, height=HIGH, rx=3, fill=look.colour)
        + (
            ""
            if full
            else tag(
                "rect", x=box[0] + 9, y=box[1] + 9, width=WIDE - 18, height=HIGH - 18, **PALETTE.fill("paper", theme)
            )
        )
        + label(
            x,
            y + 14,
            f"{LETTER[held.capital]}{count}",
            40 if full else 36,
            text_anchor="middle",
            font_weight="bold",
            **_ink(look.ink, full, theme),
        )
    )


def _ink(ink: str, full: bool, theme: Theme) -> dict[str, Value]:
    return {"fill": ink} if full else PALETTE.fill("ink", theme)


def _notes(scene: Scene, stood: tuple[Stack, ...]) -> Iterator[str]:
    """Yield the texts of what came and went, near the pieces."""
    said = {name: tuple(_said(name, scene)) for name in {**scene.before, **scene.ahead}}
    lines = {name: [text for _, text in notes] for name, notes in said.items()}
    for note in layout.notes(lines, scene.lying, stood, scene.language, scene.players):
        for n, (colour, text) in enumerate(said[note.province]):
            yield label(
                note.x,
                note.y + n * layout.LINE,
                text,
                layout.NOTE,
                text_anchor="middle",
                font_weight="bold",
                stroke=PALETTE.of("paper", scene.theme),
                stroke_width=10,
                paint_order="stroke",
                **PALETTE.fill(colour, scene.theme, "s-paper"),
            )


def _said(name: str, scene: Scene) -> Iterator[tuple[str, str]]:
    now, ahead = scene.held.get(name, NONE), scene.ahead.get(name)
    if name in scene.before:
        yield "changed", " ".join(steps(scene.before[name], now))
    if ahead is not None:
        yield "intended", " ".join(steps(now, ahead))
