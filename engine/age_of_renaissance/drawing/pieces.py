"""What moves: provinces in the colours of who controls them, markers and tokens, and marks on what has changed."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from engine.age_of_renaissance.catalogue import PROVINCES, Province
from engine.age_of_renaissance.drawing import chart, shapes
from engine.age_of_renaissance.drawing.holdings import NONE, Held, Holdings, steps, told
from engine.age_of_renaissance.drawing.look import DISC, LETTER, NUMBER, PALETTE, owner
from engine.age_of_renaissance.drawing.words import say
from engine.kernel.forms import Language
from engine.kernel.pictures import Theme, Value, escaped, label, paint, tag

WIDE, HIGH, ROW = 84, 52, 60
"""Width and height of a stack of tokens, and from one row of them to the next."""


@dataclass(frozen=True)
class Scene:
    """What is drawn, and how. `before`: provinces that have changed, with what lay there; `ahead`: those that orders
    would change, with what would lie there. `room`: how many tokens the viewer may place where; `needs`: how many an
    attack takes.
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


def provinces(scene: Scene) -> str:
    """Every province as an area that can be chosen, in the colour of its region or of who controls it."""
    drawn = [_province(PROVINCES[name], n == 0, scene) for n, name in enumerate((*shapes.MIDDLES,))]
    return tag("g", *drawn, class_="provinces", stroke_linejoin="round")


def _province(province: Province, first: bool, scene: Scene) -> str:
    words = _told(province, scene)
    marks = [held for held in scene.held.get(province.id, NONE) if held.marker]
    playing = chart.in_play(province, scene.players)
    classes = ["province", *(["unused"] if not playing else []), *(["held"] if marks else [])]
    colour = PALETTE.fill(chart.tint(province, scene.players), scene.theme, *classes)
    for held in marks:
        faint = ".5" if held.marker == "new" else ".88"
        colour = {"fill": paint(NUMBER[held.capital]), "fill_opacity": faint, "class_": " ".join(classes)}
    named: dict[str, Value] = {"data_province": province.id, "data_region": province.region}
    if scene.live:
        named |= {"data_name": province.words.shown(scene.language), "role": "button", "aria_label": words}
        named |= {"tabindex": 0 if first else -1}
        named |= {"data_room": scene.room.get(province.id), "data_needs": scene.needs.get(province.id)}
    area = tag("path", d=shapes.OUTLINES[province.id], id=f"a-{province.id}")
    return tag("g", tag("title", escaped(words)), area, id=f"p-{province.id}", **colour, **named)


def _told(province: Province, scene: Scene) -> str:
    """A province and what lies there, in words; what has changed and what is meant too."""
    language, here = scene.language, scene.held.get(province.id, NONE)
    parts = [chart.place_told(province, language)]
    if not chart.in_play(province, scene.players):
        parts.append(say(language, "unused"))
    if here:
        parts.append(told(here, language))
    for word, other in (("was", scene.before), ("will", scene.ahead)):
        if province.id in other:
            parts.append(say(language, word, what=told(other[province.id], language)))
    return ". ".join(parts)


def pieces(scene: Scene) -> str:
    """Markers and tokens on the map, and the marks on what has changed or is meant to."""
    drawn = [*_marks(scene)]
    for name in shapes.MIDDLES:
        lying = scene.ahead.get(name, scene.held.get(name, NONE))
        if lying:
            drawn.append(_stack(PROVINCES[name], lying, scene, name in scene.ahead))
    drawn += _notes(scene)
    return tag("g", *drawn, class_="pieces", pointer_events="none", aria_hidden="true", stroke_linejoin="round")


def _stack(province: Province, lying: tuple[Held, ...], scene: Scene, meant: bool) -> str:
    """The pieces of one province: a marker beside the pill, tokens in rows of two below it."""
    x, y = shapes.MIDDLES[province.id]
    drawn = []
    for held in lying:
        if held.marker:
            left = x - chart.pill_width(province, scene.players) // 2 - DISC + 2
            drawn.append(marker(left, y + 13, held, scene.theme, meant))
    stacks = [(held, kind, count) for held in lying for kind, count in (("old", held.old), ("new", held.new)) if count]
    for n, (held, kind, count) in enumerate(stacks):
        across = 0 if len(stacks) == 1 or (n == len(stacks) - 1 and n % 2 == 0) else (n % 2 * 2 - 1) * (WIDE // 2 + 3)
        drawn.append(tokens(x + across, y + 74 + n // 2 * ROW, held, kind, count, scene.theme, meant))
    return "".join(drawn)


def marker(x: int, y: int, held: Held, theme: Theme, meant: bool = False) -> str:
    """A control marker: a full disc, or a ring while it is new (● and ○); its letter says whose."""
    look, full = owner(held.capital), held.marker == "old"
    return (
        tag("circle", cx=x, cy=y, r=DISC + 4, **PALETTE.fill("intended" if meant else "ink", theme))
        + tag("circle", cx=x, cy=y, r=DISC, fill=look.colour)
        + ("" if full else tag("circle", cx=x, cy=y, r=DISC - 10, **PALETTE.fill("paper", theme)))
        + label(x, y + 14 - (not full), LETTER[held.capital], 40 if full else 32, text_anchor="middle",
                font_weight="bold", **_ink(look.ink, full, theme))
    )  # fmt: skip


def tokens(x: int, y: int, held: Held, kind: str, count: int, theme: Theme, meant: bool = False) -> str:
    """A stack of tokens: a full box, or an empty one while they are new (■ and □); letter and number on it."""
    look, full = owner(held.capital), kind == "old"
    box = (x - WIDE // 2, y - HIGH // 2)
    return (
        tag("rect", x=box[0] - 4, y=box[1] - 4, width=WIDE + 8, height=HIGH + 8, rx=6,
            **PALETTE.fill("intended" if meant else "ink", theme))
        + tag("rect", x=box[0], y=box[1], width=WIDE, height=HIGH, rx=3, fill=look.colour)
        + ("" if full else tag("rect", x=box[0] + 9, y=box[1] + 9, width=WIDE - 18, height=HIGH - 18,
                               **PALETTE.fill("paper", theme)))
        + label(x, y + 14, f"{LETTER[held.capital]}{count}", 40 if full else 36, text_anchor="middle",
                font_weight="bold", **_ink(look.ink, full, theme))
    )  # fmt: skip


def _ink(ink: str, full: bool, theme: Theme) -> dict[str, Value]:
    return {"fill": ink} if full else PALETTE.fill("ink", theme)


def _marks(scene: Scene) -> Iterator[str]:
    """A line round each province that has changed, and a broken one round those that orders would change."""
    for name in scene.before:
        line = PALETTE.line("changed", scene.theme, 13, "changed")
        yield tag("use", href=f"#a-{name}", stroke_opacity=".85", **line)
    for name in scene.ahead:
        line = PALETTE.line("intended", scene.theme, 13, "intended")
        yield tag("use", href=f"#a-{name}", stroke_dasharray="30 16", **line)


def _notes(scene: Scene) -> Iterator[str]:
    """What came and what went, under the pieces."""
    for name in {**scene.before, **scene.ahead}:
        x, y = shapes.MIDDLES[name]
        now, ahead = scene.held.get(name, NONE), scene.ahead.get(name)
        lying = now if ahead is None else ahead
        rows = (sum((h.old > 0) + (h.new > 0) for h in lying) + 1) // 2
        notes = [("changed", steps(scene.before[name], now))] if name in scene.before else []
        notes += [("intended", steps(now, ahead))] if ahead is not None else []
        for n, (colour, said) in enumerate(notes):
            yield label(
                x, y + 82 + rows * ROW + n * 42, " ".join(said), 42, text_anchor="middle", font_weight="bold",
                stroke=PALETTE.of("paper", scene.theme), stroke_width=10, paint_order="stroke",
                **PALETTE.fill(colour, scene.theme, "s-paper"),
            )  # fmt: skip
