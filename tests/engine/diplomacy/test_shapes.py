"""The geometry of the map: what touches on the canvas is what touches on the board, and nothing else."""

from collections import Counter
from itertools import combinations, pairwise
from math import isqrt

import pytest

from engine.diplomacy import shapes
from engine.diplomacy.catalogue import ARMY, CENTRES, FLEET, PROVINCES, places_of, province_of, reach
from engine.kernel.borders import FRAME, Spot
from tests.engine.diplomacy.drawing import make

LABELS = {*PROVINCES, shapes.WILD, shapes.STRAIT}
LEAST = 24
"""A border that is shorter, in units of the canvas, is not seen on a phone."""


def _passes(one: str, other: str) -> bool:
    """Return True if some unit passes between two provinces."""
    near = reach(ARMY, one).union(*(reach(FLEET, place) for place in places_of(one)))
    return other in map(province_of, near)


def _lengths() -> Counter[frozenset[str]]:
    """How long the border between each two provinces is."""
    found: Counter[frozenset[str]] = Counter()
    for arc, sides in zip(shapes.MAP.arcs, shapes.MAP.sides, strict=True):
        found[sides] += sum(isqrt((a - c) ** 2 + (b - d) ** 2) for (a, b), (c, d) in pairwise(arc))
    return found


def _within(spot: Spot, label: str) -> bool:
    """Return True if a point lies in an area (even-odd)."""
    x, y = spot
    inside = False
    for ring in shapes.MAP.rings(label):
        for (ax, ay), (bx, by) in pairwise((*ring, ring[0])):
            if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
                inside = not inside
    return inside


def test_provinces_share_a_border_if_and_only_if_a_unit_passes() -> None:
    """All 75, by land or by sea, without an exception, along a border that can be seen."""
    long = _lengths()
    assert [pair for pair in combinations(PROVINCES, 2) if (frozenset(pair) in long) != _passes(*pair)] == []
    assert [pair for pair, far in long.items() if pair < PROVINCES.keys() and far < LEAST] == []


def test_every_border_has_two_sides_and_the_areas_fill_the_canvas() -> None:
    """Each arc belongs to two areas, or to one and the frame; areas without their holes add up to the canvas."""
    used = Counter(n if n >= 0 else ~n for rings in shapes.MAP.areas.values() for ring in rings for n in ring)
    assert set(used) == set(range(len(shapes.MAP.arcs)))
    assert all(used[n] == 2 - (FRAME in sides) for n, sides in enumerate(shapes.MAP.sides))
    doubled = sum(
        a[0] * b[1] - b[0] * a[1]
        for label in shapes.MAP.areas
        for ring in shapes.MAP.rings(label)
        for a, b in pairwise((*ring, ring[0]))
    )
    assert abs(doubled) == 2 * shapes.SIZE[0] * shapes.SIZE[1]


def test_everything_has_its_place_on_the_map() -> None:
    """Each province its outline and its name, each centre its mark, each coast its letters, each place of a unit."""
    assert set(shapes.MAP.areas) == LABELS
    assert set(shapes.NAMES) == set(shapes.LOST) == set(PROVINCES)
    assert set(shapes.MARKS) == CENTRES
    coasts = {place for p in PROVINCES for place in places_of(p) if "/" in place}
    assert set(shapes.COASTS) == coasts
    assert set(shapes.UNITS) == {*PROVINCES, *coasts}


def test_names_and_units_stand_in_their_province_and_not_over_each_other() -> None:
    """The middle of each is inside the outline; a mark of a centre too; none covers a name."""
    spots = [*shapes.NAMES.items(), *shapes.MARKS.items(), *shapes.UNITS.items()]
    assert [(place, spot) for place, spot in spots if not _within(spot, province_of(place))] == []
    boxes = {("name", p): (*spot, 90, 36) for p, spot in shapes.NAMES.items()}
    boxes |= {("unit", place): (*spot, 64, 50) for place, spot in shapes.UNITS.items()}
    boxes |= {("mark", p): (*spot, 30, 30) for p, spot in shapes.MARKS.items()}
    over = [
        (one, other)
        for (one, (ax, ay, aw, ah)), (other, (bx, by, bw, bh)) in combinations(boxes.items(), 2)
        if 2 * abs(ax - bx) < aw + bw and 2 * abs(ay - by) < ah + bh
    ]
    assert over == []


@pytest.mark.night
def test_the_drawing_is_made_from_facts_and_nothing_else() -> None:
    """The maker, run again, makes the very same file, of at most 60 kB."""
    assert make.SHAPES.read_text(encoding="utf-8") == make.written()
    assert make.SHAPES.stat().st_size <= 60_000
