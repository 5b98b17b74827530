"""Areas of a map as outlines that share their borders.

Each border is one arc, drawn once, with an area on its left and one on its right. `arcs`: each its first point, then
steps. `areas`: rings of arc numbers; ~n is arc n in reverse.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from engine.kernel.pictures import outline_path

Spot = tuple[int, int]
FRAME: Final = ""
"""The label of the outside of the canvas."""


@dataclass(frozen=True)
class Borders:
    """The areas of a map and their borders. `sides`: the labels of the areas on both sides of each arc."""

    arcs: tuple[tuple[Spot, ...], ...]
    areas: Mapping[str, tuple[tuple[int, ...], ...]]
    sides: tuple[frozenset[str], ...]

    def rings(self, label: str) -> tuple[tuple[Spot, ...], ...]:
        """Return the outlines of an area; each closes from its last point to its first."""
        return tuple(tuple(spot for n in ring for spot in self._along(n)[:-1]) for ring in self.areas[label])

    def path(self, label: str) -> str:
        """Return the SVG path of an area; "" for an area without rings."""
        return "".join(outline_path(ring) for ring in self.rings(label))

    def lines(self, wanted: Callable[[frozenset[str]], bool]) -> str:
        """Return the SVG path of all arcs whose sides satisfy `wanted`."""
        return "".join(
            outline_path(arc)[:-1] for arc, sides in zip(self.arcs, self.sides, strict=True) if wanted(sides)
        )

    def _along(self, number: int) -> tuple[Spot, ...]:
        return self.arcs[number] if number >= 0 else self.arcs[~number][::-1]


def load_borders(arcs: Sequence[Sequence[int]], areas: Mapping[str, Sequence[Sequence[int]]]) -> Borders:
    """Build borders from a table of shapes."""
    kept = {label: tuple(tuple(ring) for ring in rings) for label, rings in areas.items()}
    beside: list[set[str]] = [set() for _ in arcs]
    for label, rings in kept.items():
        for number in (n for ring in rings for n in ring):
            beside[number if number >= 0 else ~number].add(label)
    sides = tuple(frozenset(labels if len(labels) == 2 else {*labels, FRAME}) for labels in beside)
    return Borders(tuple(map(to_path, arcs)), kept, sides)


def to_path(steps: Sequence[int]) -> tuple[Spot, ...]:
    """Return the points of an arc from its first point and steps."""
    x, y = steps[:2]
    found = [(x, y)]
    for dx, dy in zip(steps[2::2], steps[3::2], strict=True):
        x, y = x + dx, y + dy
        found.append((x, y))
    return tuple(found)
