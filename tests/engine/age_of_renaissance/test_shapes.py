"""The geometry of the map: what touches on the canvas is what touches on the board, and nothing else."""

from collections import Counter
from itertools import combinations, pairwise

import pytest

from engine.age_of_renaissance import atlas
from engine.age_of_renaissance.catalogue import PROVINCES
from engine.age_of_renaissance.drawing import shapes
from engine.kernel.borders import FRAME, Spot
from engine.kernel.data_tables import load_table
from tests.engine.age_of_renaissance.drawing import make

SHAPES = load_table("engine.age_of_renaissance", "shapes")
BORDERS = load_table("engine.age_of_renaissance", "borders")
ON_THE_MAP = [name for name in PROVINCES if name not in shapes.BOXES]
WATERS = {*atlas.SEAS, shapes.NARROWS}
Segment = frozenset[Spot]


def _segments(label: str) -> set[Segment]:
    """The straight pieces of an outline, whichever way they are walked."""
    return {frozenset(pair) for ring in shapes.rings(label) for pair in pairwise((*ring, ring[0]))}


SEGMENTS = {label: _segments(label) for label in shapes.AREAS}


def _touching(one: str, other: str) -> bool:
    return not SEGMENTS[one].isdisjoint(SEGMENTS[other])


def _area(label: str) -> int:
    """Twice the area within an outline, by its rings: holes count against it."""
    rings = shapes.rings(label)
    return sum(a[0] * b[1] - b[0] * a[1] for ring in rings for a, b in pairwise((*ring, ring[0])))


def _within(spot: Spot, label: str) -> bool:
    """Return True if a point lies in an area (even-odd)."""
    x, y = spot
    inside = False
    for ring in shapes.rings(label):
        for (ax, ay), (bx, by) in pairwise((*ring, ring[0])):
            if (ay > y) != (by > y) and (x - ax) * (by - ay) * (1 if by > ay else -1) < (bx - ax) * (y - ay) * (
                1 if by > ay else -1
            ):
                inside = not inside
    return inside


def test_provinces_share_an_edge_if_and_only_if_they_are_linked() -> None:
    """On the polygons themselves; what is drawn otherwise is listed as a bridge or a barred border."""
    bridges, barred = ({frozenset(pair) for pair in SHAPES[kind]} for kind in ("bridges", "barred"))
    wrong = set()
    for one, other in combinations(ON_THE_MAP, 2):
        if _touching(one, other) != (other in atlas.NEIGHBOURS[one]):
            wrong.add(frozenset((one, other)))
    assert wrong == bridges | barred


def test_a_sea_touches_the_coasts_that_it_washes_and_no_other() -> None:
    """§4.2 on the polygons: each of the 12 seas shares an edge with exactly the provinces of its list."""
    for sea in atlas.SEAS.values():
        touched = {name for name in ON_THE_MAP if _touching(sea.id, name)}
        assert touched == {coast.partition("#")[0] for coast in sea.coasts}


def test_every_province_and_every_sea_has_its_place() -> None:
    """107 provinces, five of them in boxes, and 12 seas are drawn; a province has a shore if it is called coastal."""
    assert set(shapes.AREAS) == {*ON_THE_MAP, *WATERS, shapes.WILDS}
    assert set(shapes.MIDDLES) == set(PROVINCES) == {*ON_THE_MAP, *shapes.BOXES}
    assert (len(PROVINCES), len(atlas.SEAS)) == (107, 12)
    assert set(shapes.SEA_NAMES) == set(atlas.SEAS)
    for name in ON_THE_MAP:
        assert any(_touching(name, water) for water in WATERS) == PROVINCES[name].coastal, name


def test_every_border_has_two_sides() -> None:
    """Each arc belongs to exactly two areas, or to one and the frame: shared borders are drawn once."""
    used = Counter(n if n >= 0 else ~n for rings in shapes.AREAS.values() for ring in rings for n in ring)
    assert set(used) == set(range(len(shapes.ARCS)))
    for number, sides in enumerate(shapes.SIDES):
        assert len(sides) == 2
        assert used[number] == 2 - (FRAME in sides)


def test_the_areas_fill_the_canvas_without_gap_or_overlap() -> None:
    """Their areas, holes taken off, add up to that of the canvas."""
    signs = {_area(label) > 0 for label in shapes.AREAS}
    assert len(signs) == 1
    assert abs(sum(_area(label) for label in shapes.AREAS)) == 2 * shapes.WIDE * shapes.HIGH


def test_pieces_lie_within_their_province() -> None:
    """The middle of a province is inside its own outline, and leaves room for a name above and tokens below."""
    assert [name for name in ON_THE_MAP if not _within(shapes.MIDDLES[name], name)] == []
    for x, y in shapes.MIDDLES.values():
        assert 80 < x < shapes.WIDE - 80
        assert 66 < y < shapes.HIGH - 98


def test_a_satellite_has_an_arrow_to_each_of_its_provinces() -> None:
    """§9.5.2  As the catalogue says, and it leads from the satellite towards the province."""
    drawn = [(satellite, target) for satellite, target, _, _ in shapes.ARROWS]
    assert drawn == [(p.id, target) for p in PROVINCES.values() for target in p.points_to]
    for _, target, tail, head in shapes.ARROWS:
        x, y = shapes.MIDDLES[target]
        far = [(x - a) ** 2 + (y - b) ** 2 for a, b in (tail, head)]
        assert far[1] < far[0], target


def test_coasts_linked_over_water_have_a_crossing() -> None:
    """Every coast link between provinces that have no frontier is drawn from shore to shore, and no other one."""
    links = {
        frozenset(coast.partition("#")[0] for coast in pair) for group in BORDERS["coast"] for pair in group["pairs"]
    }
    over_water = {pair for pair in links if not any(set(pair) <= {p, *atlas.NEIGHBOURS[p]} for p in pair)}
    assert {frozenset((one, other)) for one, other, _, _ in shapes.CROSSINGS} == over_water
    for one, other, start, end in shapes.CROSSINGS:
        for name, spot in ((one, start), (other, end)):
            assert any(spot in segment for segment in SEGMENTS[name])


@pytest.mark.night
def test_the_drawing_is_made_from_facts_and_nothing_else() -> None:
    """The maker, run again, makes the very same file."""
    assert make.SHAPES.read_text(encoding="utf-8") == make.written()
