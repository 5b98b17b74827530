"""Squares of a territory or of tiles on offer, with name, signs, gold frame and worker."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from engine.kernel.languages import Language
from engine.kernel.pictures import Theme, tag
from engine.kernel.zones import Item
from engine.patchistory.catalogue import ROOMS, TILES, Room
from engine.patchistory.drawing.lettering import named
from engine.patchistory.drawing.look import GROUNDS, HOUSES, NAMED, PALETTE, disc, say, sign, symbols, text
from engine.patchistory.territory import where

SIDE: Final = 165
"""The width of a square."""
Spot = tuple[int, int]


@dataclass(frozen=True)
class Cell:
    """A location as drawn.

    `spots`: its squares, in rows and columns. `names`: the name of each square. `worked`: squares with a worker.
    `tile`: the tile it is on.
    """

    spots: tuple[Spot, ...]
    room: Room
    names: tuple[str, ...] = ()
    worked: tuple[str, ...] = ()
    tile: str = ""


@dataclass(frozen=True)
class Ground:
    """What squares are drawn with: language, theme, and the colour and letter of the owner's workers."""

    language: Language
    theme: Theme
    colour: str = ""
    letter: str = ""


def cells(territory: Iterable[Mapping[str, Any]]) -> tuple[Cell, ...]:
    """Return the locations of a territory, with its top left square at (0, 0)."""
    places = [(place, [where(square) for square in place["squares"]]) for place in territory]
    rows = [row for _, spots in places for row, _ in spots]
    columns = [column for _, spots in places for _, column in spots]
    return tuple(
        Cell(
            tuple((row - min(rows), column - min(columns)) for row, column in spots),
            ROOMS[place["room"]],
            tuple(place["squares"]),
            tuple(place["workers"]),
            place["tile"],
        )
        for place, spots in places
    )


def face_cells(tile: str, side: str) -> tuple[Cell, ...]:
    """Return the locations of one side of a tile."""
    face = TILES[tile].face(side)
    spots: dict[str, list[Spot]] = {}
    for spot, letter in face.spots():
        spots.setdefault(letter, []).append(spot)
    return tuple(Cell(tuple(found), face.room(letter)) for letter, found in spots.items())


def size(found: Iterable[Cell]) -> tuple[int, int]:
    """Return width and height of locations on the canvas."""
    spots = [spot for cell in found for spot in cell.spots]
    return max((c + 1 for _, c in spots), default=0) * SIDE, max((r + 1 for r, _ in spots), default=0) * SIDE


def items(found: Iterable[Cell], ground: Ground) -> Iterator[Item]:
    """Yield each square of a territory by its name; a location is drawn in its first square."""
    for cell in found:
        said = in_words(cell, ground.language)
        for n, (name, (row, column)) in enumerate(zip(cell.names, cell.spots, strict=True)):
            words = ", ".join((said, say(ground.language, "worked"))) if name in cell.worked else said
            drawn = partial(_square, cell, ground, n)
            box = (column * SIDE, row * SIDE, SIDE, SIDE)
            yield Item(name, f"{name} {words}", box, drawn, name, whole=cell.names[0])


def _square(cell: Cell, ground: Ground, n: int) -> str:
    """Return square number `n` of a location."""
    name, (row, column) = cell.names[n], cell.spots[n]
    x, y = column * SIDE, row * SIDE
    drawn = [text(x + 10, y + 36, name, ground.theme, "soft"), *([] if n else ["".join(_inside(cell, ground))])]
    drawn += [disc(x + 132, y + 22, ground.colour, ground.letter, 20)] if name in cell.worked else []
    return tag("g", *drawn, pointer_events="none")


def under(found: Iterable[Cell], theme: Theme) -> str:
    """Return the background of locations: their ground, the streets of each tile, what is built, a line around each."""
    shown = tuple(found)
    grounds = (_ground(cell, theme) for cell in shown)
    houses = (_house(cell, theme) for cell in shown)
    edges = (_edge(cell.spots, theme) for cell in shown)
    return "".join((*grounds, _streets(shown, theme), *houses, *edges))


def _streets(found: tuple[Cell, ...], theme: Theme) -> str:
    """Return streets from the middle of each square to its neighbours on the same tile, over land only."""
    tiles = {spot: cell.tile for cell in found if cell.room.kind not in ("sea", "wasteland") for spot in cell.spots}
    half, path = SIDE // 2, []
    for (row, column), tile in tiles.items():
        left, top = column * SIDE + half, row * SIDE + half
        path += [f"M{left} {top}h{SIDE}"] if tiles.get((row, column + 1)) == tile else []
        path += [f"M{left} {top}v{SIDE}"] if tiles.get((row + 1, column)) == tile else []
    line = PALETTE.line("street", theme, 22)
    return tag("path", d="".join(path), stroke_opacity=".45", stroke_linecap="round", **line) if path else ""


def _house(cell: Cell, theme: Theme) -> str:
    """Return what is built on a location, or the emblem of its kind, pale behind its words."""
    kind, symbol = cell.room.kind, next(iter((*cell.room.base, *cell.room.gold)), "")
    if kind == "general" and symbol not in HOUSES:
        return ""
    sign, colour = (f"house-{symbol}", f"t-{symbol}") if kind == "general" else (kind, "soft")
    rows, columns = zip(*cell.spots, strict=True)
    across, down = (SIDE * (max(axis) - min(axis)) // 2 for axis in (columns, rows))
    left, top = min(columns) * SIDE + across, min(rows) * SIDE + down
    at = f"translate({left + 108} {top + 88}) scale(2.6)"
    return tag("use", href=f"#g-{sign}", transform=at, fill_opacity=".2", **PALETTE.fill(colour, theme))


def shown(found: Iterable[Cell], ground: Ground, x: int, y: int) -> str:
    """Return the locations of a tile at a point of the table."""
    drawn = "".join(line for cell in found for line in _inside(cell, ground))
    return tag("g", under(found, ground.theme), drawn, transform=f"translate({x} {y})")


def _ground(cell: Cell, theme: Theme) -> str:
    fields = cell.room.kind == "general" and "food" in cell.room.base
    fill = PALETTE.fill("field" if fields else GROUNDS[cell.room.kind], theme)
    squares = (tag("rect", x=c * SIDE, y=r * SIDE, width=SIDE, height=SIDE, **fill) for r, c in cell.spots)
    return "".join(squares)


def _edge(spots: tuple[Spot, ...], theme: Theme) -> str:
    """Return the line around a location, without lines between its squares."""
    held, path = set(spots), []
    for row, column in spots:
        left, top = column * SIDE, row * SIDE
        sides = {
            (row - 1, column): f"M{left} {top}h{SIDE}",
            (row + 1, column): f"M{left} {top + SIDE}h{SIDE}",
            (row, column - 1): f"M{left} {top}v{SIDE}",
            (row, column + 1): f"M{left + SIDE} {top}v{SIDE}",
        }
        path += [line for beside, line in sides.items() if beside not in held]
    return tag("path", d="".join(path), **PALETTE.line("line", theme, 5))


def _inside(cell: Cell, ground: Ground) -> Iterator[str]:
    """Yield kind, symbols, gold frame and name of a location."""
    room, (row, column) = cell.room, cell.spots[0]
    x, y, theme = column * SIDE, row * SIDE, ground.theme
    if room.kind != "general":
        yield sign(room.kind, x + 92, y + 24, theme, "soft")
    line, end = symbols(room.base, x + 8, y + 69, theme)
    yield line
    if room.gold:
        yield from _gold(room.gold, end + 2, y + 69, theme)
    across = 2 if (row, column + 1) in cell.spots else 1
    yield from named(room.words.printed(ground.language), across * SIDE - 12, x + 6, y + 119, theme)


def _gold(found: Mapping[str, int], x: int, y: int, theme: Theme) -> Iterator[str]:
    """Yield symbols that need a worker, in a double frame."""
    line, end = symbols(found, x + 8, y, theme)
    gold = PALETTE.line("gold", theme, 4)
    yield tag("rect", x=x, y=y - 23, width=end - x + 6, height=46, rx=6, **gold)
    yield tag("rect", x=x + 6, y=y - 18, width=end - x - 6, height=36, rx=2, **{**gold, "stroke_width": 2})
    yield line


def in_words(cell: Cell, language: Language) -> str:
    """Return a location in words: its name and its symbols."""
    said = [cell.room.words.printed(language)]
    said += [given(cell.room.base, language)] if cell.room.base else []
    said += [say(language, "gold", what=given(cell.room.gold, language))] if cell.room.gold else []
    return ", ".join(said)


def given(found: Mapping[str, int], language: Language) -> str:
    """Return symbols in words."""
    return ", ".join(f"{n} {NAMED[name].printed(language)}" for name, n in found.items() if n)
