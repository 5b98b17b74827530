"""Charts of figures: every number is in them, every line can be told apart, whatever the numbers."""

import itertools
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from engine.kernel.charts import (
    BOTTOM,
    TOP,
    WIDE,
    FigureLabel,
    Line,
    draw_chart,
)
from engine.kernel.pictures import OWNERS, Theme

SVG = "{http://www.w3.org/2000/svg}"
NUMBERS = st.none() | st.integers(-50, 3000)


@given(st.integers(1, 14).flatmap(lambda n: st.lists(st.lists(NUMBERS, min_size=n, max_size=n), max_size=6)))
def test_any_numbers_make_a_chart_that_says_them_all(rows: list[list[int | None]]) -> None:
    """Points lie within the axes, the description holds each number, and the names do not lie on each other."""
    turns = list(range(1, len(rows[0]) + 1)) if rows else []
    lines = [Line(FigureLabel(f"Power <{n}>", n), numbers) for n, numbers in enumerate(rows)]
    root = ElementTree.fromstring(draw_chart("Income", turns, lines, "en", Theme.AUTO))
    said = root.findtext(f"{SVG}desc") or ""
    for line in lines:
        told = ", ".join(f"{t}: {'–' if n is None else n}" for t, n in zip(turns, line.numbers, strict=True))
        assert f"{line.called.name} {told}." in said
    names = [found for found in root.iter(f"{SVG}text") if (found.text or "").startswith("Power")]
    assert len(names) == sum(any(n is not None for n in numbers) for numbers in rows)
    heights = sorted(int(found.get("y") or 0) for found in names)
    assert all(later - former >= 26 for former, later in itertools.pairwise(heights))
    for found in root.iter(f"{SVG}path"):
        place = (found.get("transform") or "translate(0 100)").removeprefix("translate(").rstrip(")").split()
        assert 0 <= int(place[0]) <= WIDE
        assert TOP - 20 <= int(place[1]) <= BOTTOM + 10


def test_lines_are_told_apart_by_colour_and_by_shape() -> None:
    """Eight looks, eight colours, eight shapes of points."""
    lines = [Line(FigureLabel(str(n), n), [n, n + 1]) for n in range(len(OWNERS))]
    root = ElementTree.fromstring(draw_chart("Cash", [1, 2], lines, "fr", Theme.DARK))
    points = {(p.get("d"), p.get("fill")) for p in root.iter(f"{SVG}path") if p.get("transform")}
    assert len(points) == len({shape for shape, _ in points}) == len({colour for _, colour in points}) == len(OWNERS)


@given(st.lists(st.integers(0, 3000), min_size=1, max_size=14))
def test_no_line_of_the_scale_lies_above_the_chart(numbers: list[int]) -> None:
    """Every number beside the chart lies between its title and its turns, whether figures are small or large."""
    line = Line(FigureLabel("Blue", 0), numbers)
    root = ElementTree.fromstring(draw_chart("Cash", range(1, len(numbers) + 1), [line], "en", Theme.LIGHT))
    scale = [found for found in root.iter(f"{SVG}text") if found.get("text-anchor") == "end"]
    assert len(scale) > 1
    assert all(TOP <= int(found.get("y") or 0) - 6 <= BOTTOM for found in scale)


@given(st.integers(1, 40))
def test_a_chart_can_be_read_on_a_phone(turns: int) -> None:
    """Its smallest letters are 9 pixels high in 328, and no two numbers of turns touch, however long the game."""
    root = ElementTree.fromstring(draw_chart("Cash", range(1, turns + 1), [], "en", Theme.LIGHT))
    texts = list(root.iter(f"{SVG}text"))
    assert all(int(found.get("font-size") or 0) * 328 >= 9 * WIDE for found in texts)
    places = [int(found.get("x") or 0) for found in texts if found.get("text-anchor") == "middle"]
    assert places
    assert all(later - former >= 24 for former, later in itertools.pairwise(places))
