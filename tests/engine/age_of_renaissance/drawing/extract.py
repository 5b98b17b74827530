"""Cuts the coasts of Europe out of Natural Earth's land (1:50 million, public domain), as world-atlas packs it.

    python -m tests.engine.age_of_renaissance.drawing.extract land-50m.json

The outcome, `land.json`, lies beside this file: rings of longitude and latitude in hundredths of a degree. To get
other coasts, run this once more; making the map needs the outcome only.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

LAND = Path(__file__).with_name("land.json")
WEST, SOUTH, EAST, NORTH = -26.0, 19.0, 62.0, 70.0
Ring = list[tuple[float, float]]


def read_arcs(atlas: Any) -> list[Ring]:
    """The arcs of a TopoJSON file in degrees: each is written in steps from the point before."""
    (sx, sy), (tx, ty) = atlas["transform"]["scale"], atlas["transform"]["translate"]
    found = []
    for steps in atlas["arcs"]:
        x = y = 0
        arc = []
        for dx, dy in steps:
            x, y = x + dx, y + dy
            arc.append((x * sx + tx, y * sy + ty))
        found.append(arc)
    return found


def _rings(atlas: Any) -> Iterator[Ring]:
    arcs = read_arcs(atlas)
    for shape in atlas["objects"]["land"]["geometries"]:
        for polygon in shape["arcs"]:
            for numbers in polygon:
                yield [p for n in numbers for p in (arcs[n] if n >= 0 else arcs[~n][::-1])]


def _clipped(ring: Ring) -> Ring:
    """A ring cut at the four edges of the map (Sutherland and Hodgman)."""
    for axis, bound, sign in ((0, WEST, 1), (0, EAST, -1), (1, SOUTH, 1), (1, NORTH, -1)):
        cut: Ring = []
        for one, two in zip(ring, ring[1:] + ring[:1], strict=True):
            inside, next_inside = ((p[axis] - bound) * sign >= 0 for p in (one, two))
            if inside:
                cut.append(one)
            if inside != next_inside:
                share = (bound - one[axis]) / (two[axis] - one[axis])
                cut.append((one[0] + share * (two[0] - one[0]), one[1] + share * (two[1] - one[1])))
        ring = cut
    return ring


def main(source: str) -> None:
    """Write the coasts, largest ring first."""
    rings = []
    for ring in _rings(json.loads(Path(source).read_text())):
        cut = [(round(100 * x), round(100 * y)) for x, y in _clipped(ring)]
        cut = [p for n, p in enumerate(cut) if p != cut[n - 1]]
        if len(cut) > 3:
            rings.append([number for point in cut for number in point])
    rings.sort(key=lambda ring: (-len(ring), ring))
    LAND.write_text("[\n" + ",\n".join(json.dumps(ring, separators=(",", ":")) for ring in rings) + "\n]\n")


if __name__ == "__main__":
    main(sys.argv[1])
