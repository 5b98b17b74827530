"""From labelled cells to outlines: every border is one arc, drawn once and shared by those on its two sides."""

import itertools
from collections import defaultdict
from dataclasses import dataclass
from math import hypot
from typing import Final

from tests.engine.age_of_renaissance.drawing.raster import CELL, HIGH, WIDE, Cell

Corner = tuple[int, int]
Spot = tuple[float, float]
FRAME: Final = "frame"
TURNS: Final = ((1, 0), (0, 1), (-1, 0), (0, -1))


@dataclass
class Arc:
    """A border: its points on the canvas, and who lies on its left and on its right, going along."""

    points: list[Corner]
    left: str
    right: str


def _edges(cells: dict[Cell, str]) -> dict[tuple[Corner, Corner], tuple[str, str]]:
    """Every step between two different labels, in both directions, with (left, right) on a canvas whose y goes down."""
    found = {}
    for x in range(WIDE + 1):
        for y in range(HIGH + 1):
            here = cells.get((x, y), FRAME)
            west, north = cells.get((x - 1, y), FRAME), cells.get((x, y - 1), FRAME)
            if here != west and y < HIGH:  # going down, the east is on the left
                found[(x, y), (x, y + 1)] = (here, west)
                found[(x, y + 1), (x, y)] = (west, here)
            if here != north and x < WIDE:  # going east, the north is on the left
                found[(x, y), (x + 1, y)] = (north, here)
                found[(x + 1, y), (x, y)] = (here, north)
    return found


def chains(cells: dict[Cell, str]) -> list[tuple[list[Corner], str, str]]:
    """The borders as chains of corners of the grid, from junction to junction, or closed."""
    edges = _edges(cells)
    out: dict[Corner, list[Corner]] = defaultdict(list)
    for start, end in edges:
        out[start].append(end)
    joints = {corner for corner, ends in out.items() if len(ends) != 2}
    done: set[tuple[Corner, Corner]] = set()
    found = []
    for start in [*sorted(joints), *sorted(set(out) - joints)]:
        for end in sorted(out[start]):
            if (start, end) in done:
                continue
            chain = [start, end]
            while chain[-1] not in joints and chain[-1] != start:
                chain.append(next(after for after in out[chain[-1]] if after != chain[-2]))
            for one, two in itertools.pairwise(chain):
                done |= {(one, two), (two, one)}
            found.append((chain, *edges[start, end]))
    return found


def _simpler(path: list[Spot], slack: float) -> list[Spot]:
    """Fewer points, none further off than `slack` (Douglas and Peucker)."""
    if len(path) < 3:
        return path
    (ax, ay), (bx, by) = path[0], path[-1]
    long = hypot(bx - ax, by - ay)
    far, at = -1.0, 0
    for n, (x, y) in enumerate(path[1:-1], 1):
        off = abs((x - ax) * (by - ay) - (y - ay) * (bx - ax)) / long if long else hypot(x - ax, y - ay)
        if off > far:
            far, at = off, n
    if far <= slack:
        return [path[0], path[-1]]
    return _simpler(path[: at + 1], slack)[:-1] + _simpler(path[at:], slack)


def _rounder(path: list[Spot], closed: bool) -> list[Spot]:
    """Corners cut (Chaikin); the ends stay."""
    made = [] if closed else [path[0]]
    for (ax, ay), (bx, by) in itertools.pairwise(path):
        made += [(0.75 * ax + 0.25 * bx, 0.75 * ay + 0.25 * by), (0.25 * ax + 0.75 * bx, 0.25 * ay + 0.75 * by)]
    return [*made, made[0]] if closed else [*made, path[-1]]


def smooth(chain: list[Corner], *, plain: bool, unit: int = CELL) -> list[Corner]:
    """A chain of the grid as a line of the canvas. `plain`: it runs along the frame and stays straight. `unit`: how
    many units of the canvas a cell is wide.
    """
    path: list[Spot] = [(float(x), float(y)) for x, y in chain]
    closed = chain[0] == chain[-1]
    if closed:  # two halves, so that there is something to simplify between
        half = max(range(len(path)), key=lambda n: hypot(path[n][0] - path[0][0], path[n][1] - path[0][1]))
        path = _simpler(path[: half + 1], 0.8)[:-1] + _simpler(path[half:], 0.8)
    else:
        path = _simpler(path, 0.8)
    if not plain and len(path) > 2:
        path = _simpler(_rounder(_rounder(path, closed), closed), 0.12)
    made: list[Corner] = []
    for x, y in path:
        point = (round(x * unit), round(y * unit))
        if not made or made[-1] != point:
            made.append(point)
    return made


def arcs(cells: dict[Cell, str], unit: int = CELL) -> list[Arc]:
    """All borders of the map."""
    return [
        Arc(smooth(chain, plain=FRAME in (left, right), unit=unit), left, right) for chain, left, right in chains(cells)
    ]


def rings(borders: list[Arc], label: str) -> list[list[int]]:
    """The outlines of a label as numbers of arcs, ~n for one that is walked backwards; its land lies on the left.

    Where four lands meet in a corner, the walk turns so that corners do not join.
    """
    begin: dict[Corner, list[int]] = defaultdict(list)
    for n, arc in enumerate(borders):
        if arc.left == label:
            begin[arc.points[0]].append(n)
        if arc.right == label:
            begin[arc.points[-1]].append(~n)
    found = []
    while any(begin.values()):
        start = min(corner for corner, waiting in begin.items() if waiting)
        walk = [begin[start].pop(0)]
        while (end := _end(borders, walk[-1])) != start:
            waiting = begin[end]
            walk.append(waiting.pop(_sharpest(borders, walk[-1], waiting)))
        found.append(walk)
    return found


def along(borders: list[Arc], number: int) -> list[Corner]:
    """The points of an arc in the direction in which it is walked."""
    return borders[number].points if number >= 0 else borders[~number].points[::-1]


def _end(borders: list[Arc], number: int) -> Corner:
    return along(borders, number)[-1]


def _sharpest(borders: list[Arc], coming: int, waiting: list[int]) -> int:
    """Of several ways on, the one furthest to the left: it stays with the same land."""
    if len(waiting) == 1:
        return 0
    (ax, ay), (bx, by) = along(borders, coming)[-2:]

    def turn(number: int) -> float:
        (cx, cy), (dx, dy) = along(borders, number)[:2]
        one, two = (bx - ax, by - ay), (dx - cx, dy - cy)
        cross, dot = one[0] * two[1] - one[1] * two[0], one[0] * two[0] + one[1] * two[1]
        size = hypot(*one) * hypot(*two)
        return (1 - dot / size) * (-1 if cross < 0 else 1)

    return min(range(len(waiting)), key=lambda n: turn(waiting[n]))
