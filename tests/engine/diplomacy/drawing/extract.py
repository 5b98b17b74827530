"""Cuts the countries of Europe out of Natural Earth (1:50 million, public domain), as world-atlas packs it.

    python -m tests.engine.diplomacy.drawing.extract countries-50m.json

The outcome, `countries.json`, lies beside this file: by country, rings of longitude and latitude in hundredths of a
degree. To get other coasts, run this once more; making the map needs the outcome only.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from tests.engine.age_of_renaissance.drawing.extract import Ring, read_arcs

COUNTRIES: Final = Path(__file__).with_name("countries.json")
WEST, SOUTH, EAST, NORTH = -30.0, 27.0, 72.0, 73.0
FAR_WEST: Final = -60.0
"""What lies further west is the other end of the country that reaches furthest east."""
BEYOND: Final = (
    "Greenland",
    "Afghanistan",
    "Pakistan",
    "Kuwait",
    "Mauritania",
    "Turkmenistan",
    "Uzbekistan",
    "W. Sahara",
)
"""Countries within these bounds that are off the map."""
LEAST: Final = 4.0
"""Rings whose bounds are smaller than this, in hundredths of a square degree, are left out."""


def _rings(arcs: list[Ring], country: Any) -> Iterator[Ring]:
    polygons = country["arcs"] if country["type"] == "MultiPolygon" else [country["arcs"]]
    for polygon in polygons:
        for numbers in polygon:
            yield [p for n in numbers for p in (arcs[n] if n >= 0 else arcs[~n][::-1])]


def _is_wanted(ring: Ring) -> bool:
    (west, east), (south, north) = ((min(p[axis] for p in ring), max(p[axis] for p in ring)) for axis in (0, 1))
    is_near = west < EAST and east > WEST and south < NORTH - 2 and north > SOUTH
    return is_near and 100 * (east - west) * (north - south) >= LEAST


def main(source: str) -> None:
    """Write the countries, by name; what is beyond the bounds is drawn on them."""
    atlas = json.loads(Path(source).read_text())
    arcs, found = read_arcs(atlas), dict[str, list[list[int]]]()
    for country in atlas["objects"]["countries"]["geometries"]:
        for ring in filter(_is_wanted, _rings(arcs, country)):
            if country["properties"]["name"] in BEYOND:
                continue
            held = ((min(max(x if x > FAR_WEST else EAST, WEST), EAST), min(max(y, SOUTH), NORTH)) for x, y in ring)
            points = [(round(100 * x), round(100 * y)) for x, y in held]
            points = [p for n, p in enumerate(points) if p != points[n - 1]]
            found.setdefault(country["properties"]["name"], []).append([number for p in points for number in p])
    rows = (f"{json.dumps(name)}: {json.dumps(rings, separators=(',', ':'))}" for name, rings in sorted(found.items()))
    COUNTRIES.write_text("{\n" + ",\n".join(rows) + "\n}\n")


if __name__ == "__main__":
    main(sys.argv[1])
