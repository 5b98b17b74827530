"""The map on a phone and on paper: its names can be read, with scripts and without."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from engine import GAMES
from tests.screenshots.sample_server import Sights, build_town
from tests.web.chromium import ASIDE, browsing, entered

pytestmark = pytest.mark.night

SMALLEST = """() => {
  const svg = document.querySelector('#map svg'), seen = svg.getBoundingClientRect();
  const scale = seen.width / svg.viewBox.baseVal.width;
  const inside = text => {
    const box = text.getBoundingClientRect();
    return box.left >= seen.left && box.left < seen.right && box.bottom > seen.top && box.bottom < seen.bottom;
  };
  const shown = [...svg.querySelectorAll('text')].filter(inside);
  return [shown.length, Math.min(...shown.map(text => parseFloat(getComputedStyle(text).fontSize) * scale))];
}"""
"""How many lines of text the part that is shown holds, and how high the smallest letters are, in pixels."""
WINDOW = "document.querySelector('#map svg').viewBox.baseVal.width"
"""How wide the part of the picture is that is shown, in its own units."""


@pytest.fixture(scope="module")
def town() -> Iterator[Sights]:
    """A server with a table of each game."""
    with TemporaryDirectory(prefix="pbem-map-") as folder:
        yield build_town(Path(folder))


PICTURE = re.compile(r"\.svg\?(?!legend)")
"""The address of a board, or of a part of it."""


@contextmanager
def looking(town: Sights, browser: Browser, name: str, width: int = 360, **more: Any) -> Iterator[Page]:
    """A page of a signed-in player on a screen of this width."""
    with browsing(town.app, browser, width, **more) as context:
        page = entered(town.harness, context)
        if name:
            page.goto(town.path(name))
            page.locator("#map svg").wait_for()
        yield page


@pytest.mark.parametrize("title", GAMES)
def test_every_part_of_the_map_can_be_read_on_a_phone(town: Sights, chromium: Browser, title: str) -> None:
    """At 360 pixels a part with one's own pieces is shown, in letters 9 pixels high; so is each part one chooses, and
    the whole map is one choice away, four times as large where one wants.
    """
    with looking(town, chromium, f"seat_page-{title}") as page:
        page.locator('a[href="#orders"][data-tab]').click()  # the news move the board
        chooser = page.get_by_label("Part of the board")
        names = chooser.locator("option").all_inner_texts()  # a part has another place at another step of the news
        assert chooser.evaluate("one => one.selectedOptions[0].innerText") == names[1]
        for name in names[1:]:
            chooser.select_option(label=name)
            lines, height = page.evaluate(SMALLEST)
            assert lines > 1
            assert height >= 9
        chooser.select_option("")
        before = page.evaluate(WINDOW)
        for _ in range(3):
            page.get_by_role("button", name="Enlarge the board").click()
        assert page.evaluate(WINDOW) < before / 3.9
        page.get_by_role("button", name="The whole board").click()
        assert page.evaluate(WINDOW) == before
        assert page.evaluate(ASIDE) <= 360


def test_a_place_outside_the_part_that_is_shown_comes_into_sight(town: Sights, chromium: Browser) -> None:
    """Walking on by a letter shows the part where the place lies."""
    with looking(town, chromium, "seat_page-age_of_renaissance") as page:
        chooser = page.get_by_label("Part of the board")
        before = chooser.input_value()
        page.locator('#map svg [tabindex="0"]').focus()
        page.keyboard.press("k")
        page.keyboard.press("l")
        assert chooser.input_value() != before
        held = page.evaluate("document.activeElement.getBoundingClientRect().toJSON()")
        frame = page.locator("#map .frame").bounding_box()
        assert frame is not None
        assert held["left"] < frame["x"] + frame["width"]
        assert held["right"] > frame["x"]


@pytest.mark.parametrize("page_of", ["seat_page", "table_page", "entry_page"])
def test_without_scripts_a_part_is_shown_and_the_others_are_a_link_away(
    town: Sights, chromium: Browser, page_of: str
) -> None:
    """A narrow page loads the part that concerns its reader and nothing else, a wide one the whole; each part has a
    link, at which it fills the screen.
    """
    asked: list[str] = []
    for width in (360, 1280):
        with looking(town, chromium, "", width, java_script_enabled=False) as page:
            asked.clear()
            page.on("request", lambda request: asked.append(request.url) if PICTURE.search(request.url) else None)
            page.goto(town.path(f"{page_of}-age_of_renaissance"))
            page.wait_for_load_state("networkidle")
            assert [("crop=" in url) for url in asked] == [width == 360]
            page.get_by_text("Parts of the board, larger").click()
            page.locator(".parts a").last.click()
            page.wait_for_url(re.compile("crop="))


def test_on_paper_there_is_the_whole_map_and_the_tables_and_nothing_to_press(town: Sights, chromium: Browser) -> None:
    """Printed from a phone: the whole map on a page of its own, every table after it, no button, light paper."""
    with looking(town, chromium, "seat_page-age_of_renaissance", color_scheme="dark") as page:
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        page.emulate_media(media="print")
        page.set_viewport_size({"width": 1032, "height": 700})
        assert page.locator("#map svg").get_attribute("viewBox") == "0 0 4000 2896"
        box = page.locator("#map svg").bounding_box()
        assert box is not None
        assert box["height"] <= 700
        assert page.evaluate(SMALLEST)[1] >= 7, "the smallest name is lower than two millimetres"
        assert not page.locator("button:visible, textarea:visible, select:visible, header:visible").count()
        assert page.locator("#board table").last.is_visible()
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert len(page.pdf(prefer_css_page_size=True)) > 10_000
