"""Squares: of a territory, and of tiles that are on offer; each with its name, signs, gold frame and worker."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from engine.kernel.languages import Language
from engine.kernel.pictures import Theme, Value, escaped, tag
from engine.kernel.rules import View
from engine.patchistory.catalogue import ROOMS, TILES
from engine.patchistory.drawing.look import GROUNDS, NAMED, PALETTE, disc, fitted, say, sign, symbols, text
from engine.patchistory.territory import extent, where

SIDE: Final = 164
"""How wide a square is."""
Spot = tuple[int, int]


@dataclass(frozen=True)
class Cell:
    """A location as it is drawn: where its squares lie, in rows and columns, and what stands on it.

    `names`: what each square is called; `worked`: those with a worker.
    """

    spots: tuple[Spot, ...]
    room: str
    names: tuple[str, ...] = ()
    worked: tuple[str, ...] = ()


@dataclass(frozen=True)
class Ground:
    """What squares are drawn in: the corner of the first, whose they are, what is marked, whether they are buttons."""

    x: int
    y: int
    language: Language
    theme: Theme
    colour: str = ""
    letter: str = ""
    changed: frozenset[str] = frozenset()
    intended: frozenset[str] = frozenset()
    live: bool = False
    first: str = ""


def cells(territory: Iterable[Mapping[str, Any]]) -> tuple[Cell, ...]:
    """The locations of a territory, its top left square at 0, 0."""
    places = [(p, [where(s) for s in p["squares"]]) for p in territory]
    if not places:
        return ()
    top, left = corner(s for _, spots in places for s in spots)
    return tuple(
        Cell(tuple((r - top, c - left) for r, c in spots), p["room"], tuple(p["squares"]), tuple(p["workers"]))
        for p, spots in places
    )


def corner(spots: Iterable[Spot]) -> Spot:
    """The least row and the least column."""
    rows, columns = zip(*spots, strict=True)
    return min(rows), min(columns)


def face_cells(tile: str, side: str) -> tuple[Cell, ...]:
    """The locations of one side of a tile."""
    face = TILES[tile].face(side)
    spots: dict[str, list[Spot]] = {}
    for spot, letter in face.spots():
        spots.setdefault(letter, []).append(spot)
    return tuple(Cell(tuple(found), face.rooms[letter]) for letter, found in spots.items())


def size(territory: Iterable[Mapping[str, Any]]) -> tuple[int, int]:
    """Width and height of a territory in squares."""
    squares = [square for place in territory for square in place["squares"]]
    return extent(squares) if squares else (0, 0)


def drawn(found: Iterable[Cell], ground: Ground) -> Iterator[str]:
    """All locations, and over them the marks."""
    shown = tuple(found)
    for cell in shown:
        yield from _cell(cell, ground)
    for cell in shown:
        yield from _marks(cell, ground)


def _cell(cell: Cell, ground: Ground) -> Iterator[str]:
    room, words = ROOMS[cell.room], in_words(cell, ground.language)
    for n, (row, column) in enumerate(cell.spots):
        called = cell.names[n] if cell.names else ""
        x, y = ground.x + column * SIDE, ground.y + row * SIDE
        square = tag("rect", x=x, y=y, width=SIDE, height=SIDE, **PALETTE.fill(GROUNDS[room.kind], ground.theme))
        yield tag("g", tag("title", escaped(words)), square, **_button(called, words, ground))
    yield _edge(cell.spots, ground)
    yield tag("g", *_inside(cell, ground), pointer_events="none", aria_hidden="true")


def _button(called: str, words: str, ground: Ground) -> dict[str, Value]:
    """What makes a square one that can be chosen on a page."""
    named: dict[str, Value] = {"data_square": called or None, "class_": "square"}
    if ground.live and called:
        named |= {"data_name": called, "role": "button", "aria_label": f"{called}. {words}"}
        named["tabindex"] = 0 if called == ground.first else -1
    return named


def _edge(spots: tuple[Spot, ...], ground: Ground) -> str:
    """The line round a location, and none between its squares."""
    held, path = set(spots), []
    for row, column in spots:
        x, y = ground.x + column * SIDE, ground.y + row * SIDE
        for (dr, dc), line in (
            ((-1, 0), f"M{x} {y}h{SIDE}"),
            ((1, 0), f"M{x} {y + SIDE}h{SIDE}"),
            ((0, -1), f"M{x} {y}v{SIDE}"),
            ((0, 1), f"M{x + SIDE} {y}v{SIDE}"),
        ):
            path += [] if (row + dr, column + dc) in held else [line]
    return tag("path", d="".join(path), **PALETTE.line("line", ground.theme, 5))


def _inside(cell: Cell, ground: Ground) -> Iterator[str]:
    """Names of squares, kind, symbols, gold frame, what the location is called, workers."""
    room, (row, column) = ROOMS[cell.room], cell.spots[0]
    x, y, theme = ground.x + column * SIDE, ground.y + row * SIDE, ground.theme
    for (r, c), called in zip(cell.spots, cell.names, strict=False):
        yield text(ground.x + c * SIDE + 10, ground.y + r * SIDE + 36, called, theme, "soft")
    if room.kind != "general":
        yield sign(room.kind, x + 88, y + 24, theme, "soft")
    line, end = symbols(room.base, x + 8, y + 64, theme)
    yield line
    if room.gold:
        yield from _gold(room.gold, end + 4, y + 64, theme)
    across = sum((row, column + n) in cell.spots for n in range(2))
    for n, said in enumerate(fitted(room.words.printed(ground.language), across * SIDE - 14, 2)):
        yield text(x + 10, y + 117 + 35 * n, said, theme)
    for called in cell.worked:
        at_row, at_column = cell.spots[cell.names.index(called)]
        yield disc(ground.x + at_column * SIDE + 132, ground.y + at_row * SIDE + 30, ground.colour, ground.letter)


def _gold(found: Mapping[str, int], x: int, y: int, theme: Theme) -> Iterator[str]:
    """What needs a worker, in a double frame."""
    line, end = symbols(found, x + 8, y, theme)
    gold = PALETTE.line("gold", theme, 4)
    yield tag("rect", x=x, y=y - 24, width=end - x + 6, height=48, rx=6, **gold)
    yield tag("rect", x=x + 6, y=y - 18, width=end - x - 6, height=36, rx=2, **{**gold, "stroke_width": 2})
    yield line


def _marks(cell: Cell, ground: Ground) -> Iterator[str]:
    """A line inside each square that has changed, a broken one inside those that orders would change."""
    for (row, column), called in zip(cell.spots, cell.names, strict=False):
        x, y = ground.x + column * SIDE + 3, ground.y + row * SIDE + 3
        for colour, dash, marked in (("changed", None, ground.changed), ("intended", "26 14", ground.intended)):
            if called in marked:
                line = PALETTE.line(colour, ground.theme, 7, colour)
                yield tag(
                    "rect",
                    x=x,
                    y=y,
                    width=SIDE - 6,
                    height=SIDE - 6,
                    stroke_dasharray=dash,
                    data_marked=called,
                    pointer_events="none",
                    **line,
                )


def in_words(cell: Cell, language: Language) -> str:
    """A location in words: what it is called, what it gives, whether somebody works there."""
    room = ROOMS[cell.room]
    said = [room.words.printed(language)]
    said += [given(room.base, language)] if room.base else []
    said += [say(language, "gold", what=given(room.gold, language))] if room.gold else []
    said += [say(language, "worked")] if cell.worked else []
    return ", ".join(said)


def given(found: Mapping[str, int], language: Language) -> str:
    """Symbols in words."""
    return ", ".join(f"{n} {NAMED[name].printed(language)}" for name, n in found.items())


Seen = tuple[str, str, bool, bool]


def seen(view: View | None, seat: str) -> Mapping[str, Seen]:
    """What may change about each square of a player: its location, tile, building, worker."""
    player = view["powers"].get(seat) if view is not None else None
    return {
        square: (place["room"], place["tile"], place["built"], square in place["workers"])
        for place in (player["territory"] if player else ())
        for square in place["squares"]
    }


def differing(before: View | None, after: View, seat: str) -> frozenset[str]:
    """The squares of a player that are not as they were; none where nothing was seen before."""
    was, now = seen(before, seat), seen(after, seat)
    return frozenset(square for square, what in now.items() if was and was.get(square) != what)
