"""The writer of pictures: what it writes is well-formed, whatever it is given, and its colours stay apart."""

import re
from itertools import combinations
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.kernel.pictures import (
    OWNERS,
    Palette,
    Theme,
    escape,
    fill_for,
    label,
    outline_path,
    patterns,
    rim,
    stack,
    svg_document,
    tag,
)

SVG = "{http://www.w3.org/2000/svg}"
PALETTE = Palette({"ink": ("#111111", "#eeeeee"), "water": ("#aaccee", "#112233")})


@given(st.text(st.characters(exclude_categories=["Cs"]).filter(lambda c: c not in "\ufffe\uffff"), max_size=40))
def test_whatever_is_written_can_be_read_back(text: str) -> None:
    """Any text comes through as content and as attribute, its control characters as spaces."""
    made = ElementTree.fromstring(tag("g", escape(text), aria_label=text))
    plain = re.sub(r"[\x00-\x1f]", " ", text)
    assert (made.text or "", made.get("aria-label")) == (plain, plain)


@given(st.lists(st.tuples(st.integers(-5000, 5000), st.integers(-5000, 5000)), min_size=1, max_size=12))
def test_an_outline_goes_through_its_points(path: list[tuple[int, int]]) -> None:
    """Steps of path data, added up, lead through the same points in the same order."""
    data = outline_path(path)
    first = re.match(r"M(-?\d+) (-?\d+)", data)
    assert first
    x, y = int(first[1]), int(first[2])
    walked = [(x, y)]
    for kind, one, two in re.findall(r"([lhv])(-?\d+)(?: (-?\d+))?", data[first.end() :]):
        x, y = x + (0 if kind == "v" else int(one)), y + (int(two) if kind == "l" else int(one) if kind == "v" else 0)
        walked.append((x, y))
    assert walked == path
    assert data.endswith("z")


def test_several_documents_fit_on_one_page() -> None:
    """Documents with different names share no id."""
    both = [ElementTree.fromstring(svg_document((9, 9), "t", "d", name=name)) for name in ("one", "two")]
    one, two = ({found.get("id") for found in made.iter() if found.get("id")} for made in both)
    assert one
    assert one.isdisjoint(two)


@pytest.mark.parametrize("live", [False, True])
def test_a_document_says_what_it_shows(live: bool) -> None:
    """Title and description are named by the root; only a picture to be used is no mere image."""
    made = ElementTree.fromstring(svg_document((10, 20), "A & B", "what <it> shows", label(1, 2, "x", 3), live=live))
    named = {child.get("id"): child.text for child in made if child.get("id")}
    assert named[made.get("aria-labelledby")] == "A & B"
    assert named[made.get("aria-describedby")] == "what <it> shows"
    assert made.get("role") == ("group" if live else "img")
    assert made.get("viewBox") == "0 0 10 20"


def test_every_colour_can_turn_dark() -> None:
    """What is written light has a class, and the style sheet has a dark colour for that class; AUTO has it within."""
    assert PALETTE.fill("water", Theme.AUTO, "sea") == {"fill": "#aaccee", "class_": "sea c-water"}
    assert PALETTE.fill("water", Theme.DARK)["fill"] == "#112233"
    assert ".picture .c-water{fill:#112233}" in PALETTE.sheet()
    assert ".picture .s-ink{stroke:#eeeeee}" in PALETTE.style(Theme.AUTO)
    assert PALETTE.style(Theme.LIGHT) == PALETTE.style(Theme.DARK) == ""


def _light(colour: str) -> tuple[float, float, float]:
    red, green, blue = (int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5))
    return tuple(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (red, green, blue))  # type: ignore[return-value]


def _luminance(colour: str) -> float:
    red, green, blue = _light(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


# Viénot, Brettel & Mollon 1999: what a reader without long or middle cones sees, in linear light.
BLINDNESS = {
    "deutan": ((0.29275, 0.70725, 0.0), (0.29275, 0.70725, 0.0), (-0.02234, 0.02234, 1.0)),
    "protan": ((0.11238, 0.88762, 0.0), (0.11238, 0.88762, 0.0), (0.00401, -0.00401, 1.0)),
}


@pytest.mark.parametrize("kind", BLINDNESS)
def test_owners_stay_apart_for_colour_blind_eyes(kind: str) -> None:
    """Any two owners differ in what is left of their colours, and all in their patterns."""
    seen = []
    for owner in OWNERS:
        light = _light(owner.colour)
        seen.append(
            [max(0.0, sum(w * c for w, c in zip(row, light, strict=True))) ** (1 / 2.2) for row in BLINDNESS[kind]]
        )
    for one, two in combinations(seen, 2):
        assert sum((a - b) ** 2 for a, b in zip(one, two, strict=True)) ** 0.5 > 0.09
    assert len({owner.pattern for owner in OWNERS}) == len(OWNERS)


def test_letters_can_be_read_on_their_owners_colour() -> None:
    """The contrast of ink and colour is at least 3 to 1, what large or bold letters need."""
    for owner in OWNERS:
        bright, dim = sorted((_luminance(owner.colour) + 0.05, _luminance(owner.ink) + 0.05), reverse=True)
        assert bright / dim >= 3, owner


def test_owners_are_painted_with_their_patterns() -> None:
    """Each pattern has an id of its own and a paper of its owner's colour; an owner without one is a plain colour."""
    made = ElementTree.fromstring(tag("defs", patterns(range(len(OWNERS)), 2)))
    defined = {f"url(#{found.get('id')})": found[0].get("fill") for found in made}
    assert {fill_for(n): owner.colour for n, owner in enumerate(OWNERS)} == {"#0072b2": "#0072b2", **defined}
    assert len(defined) == len(OWNERS) - 1


def test_pictures_can_be_stacked() -> None:
    """Each is as wide as the widest, keeps its shape and its window, and begins below a strip under the one before."""
    upper = svg_document((400, 300), "a", "b", tag("rect", width=400, height=300), box=(10, 20, 100, 50))
    lower = svg_document((400, 300), "c", "d", tag("rect", width=400, height=300))
    both = ElementTree.fromstring(stack(upper, lower))
    assert both.get("viewBox") == "0 0 400 510"
    found = [[one.get(key) for key in ("y", "width", "height", "viewBox")] for one in both]
    strip = ["200", "400", "10", None]
    assert found == [["0", "400", "200", "10 20 100 50"], strip, ["210", "400", "300", "0 0 400 300"]]
    with pytest.raises(ValueError, match="viewBox"):
        stack("<svg/>")


@pytest.mark.parametrize(
    ("boxes", "path"),
    [
        ([(0, 0, 10, 10)], "M1 1h8v8h-8z"),
        ([(0, 0, 10, 10), (10, 0, 10, 10)], "M1 1h18v8h-18z"),
        ([(0, 0, 10, 10), (0, 10, 10, 10), (10, 10, 10, 10)], "M1 1h8v10h10v8h-18z"),
        ([(0, 0, 10, 10), (20, 0, 10, 10)], "M1 1h8v8h-8zM21 1h8v8h-8z"),
    ],
)
def test_a_line_runs_round_boxes_that_adjoin(boxes: list[tuple[int, int, int, int]], path: str) -> None:
    """Within their rim, round corners that stand in as well, and none runs between them."""
    assert rim(boxes, 1) == path
