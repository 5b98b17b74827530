"""A piece that was won hovers over the board: moved, slid under and laid by mouse and by keys, and told in words."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.boards import opened
from tests.web.chromium import ASIDE, at_orders
from tests.web.first_orders import IN_SIGHT

pytestmark = [pytest.mark.night, pytest.mark.parametrize("width", [390, 1280])]


@contextmanager
def placing(state: Path, browser: Browser, width: int) -> Iterator[Page]:
    """The page of a player who is asked where their tile goes; its console notes nothing."""
    harness, _, game = opened(state, "patchistory", asks="placement")
    with at_orders(harness, game, browser, width, ".piece-afloat") as (page, noted):
        yield page
        assert noted == []


def lies_at(page: Page, square: str) -> None:
    """The piece, its words and the line that is written say one square."""
    expect(page.locator("[data-where]")).to_contain_text(f"Its top left square is on {square}.")
    expect(page.locator(".piece-afloat")).to_have_attribute("aria-label", re.compile(f"is on {square}[.]"))
    expect(page.locator("#text")).to_have_value(re.compile(rf"^PLACE AT {square}( UNDER .*)?\n$"))


def test_a_tile_is_moved_slid_under_and_sent_by_keys(state_dir: Path, chromium: Browser, width: int) -> None:
    """Its buttons are in sight. With the arrow keys alone the tile goes over the territory; a square slides under.

    Where the judge would refuse it, it hovers, nothing is written, and why is said; what is written is what is sent.
    """
    with placing(state_dir, chromium, width) as page:
        tile, said = page.locator(".piece-afloat"), page.locator("#said")
        page.set_viewport_size({"width": width, "height": 800})
        assert page.get_by_role("button", name="Place it here").evaluate(IN_SIGHT)
        tile.focus()
        while "on J9." not in (tile.get_attribute("aria-label") or ""):
            where = re.search(r"on ([A-Z])(\d+)[.]", tile.get_attribute("aria-label") or "")
            assert where
            page.keyboard.press("ArrowRight" if where[1] < "J" else "ArrowDown")
        lies_at(page, "J9")
        expect(said).to_have_attribute("data-state", "all")
        expect(tile).to_be_focused()
        page.get_by_role("button", name="J9: over").click()
        expect(page.locator("[data-where]")).to_contain_text("wholly under it")
        expect(page.locator("#text")).to_have_value("")
        expect(tile).to_have_attribute("data-state", "loose")
        page.get_by_role("button", name="J9: under").click()
        lies_at(page, "J9")
        expect(tile).to_have_attribute("data-state", "laid")
        expect(said).to_have_attribute("data-state", "all")
        page.keyboard.press("Control+z")
        expect(page.locator("#text")).to_have_value("")
        page.keyboard.press("Control+Shift+z")
        lies_at(page, "J9")
        expect(said).to_have_attribute("data-state", "all")
        assert page.evaluate(ASIDE) <= width
        page.get_by_role("button", name="Send the orders").click()
        page.locator(".receipt.good").wait_for()


def test_a_tile_is_dragged_and_clicked_to_its_place(state_dir: Path, chromium: Browser, width: int) -> None:
    """Dragged, it is where it was let go; a click on the territory brings it there; a click on one of its squares
    slides this under; the text that is edited moves it too.
    """
    with placing(state_dir, chromium, width) as page:
        page.get_by_text("Write as text").click()
        page.locator("#text").fill("PLACE AT I9\n")
        lies_at(page, "I9")
        expect(page.locator("#said")).to_have_attribute("data-state", re.compile("^(all|some|none)$"))
        there = page.locator('.zone [data-name="I9"]').first.bounding_box()
        assert there
        x, y, side = there["x"] + there["width"] / 2, there["y"] + there["height"] / 2, there["width"]
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + side, y, steps=5)
        page.mouse.up()
        lies_at(page, "J9")
        expect(page.locator("#said")).to_have_attribute("data-state", "all")
        page.locator('.piece-afloat [data-square="J9"]').click()
        expect(page.get_by_role("button", name="J9: under")).to_be_visible()
        expect(page.locator("[data-where]")).to_contain_text("wholly under it")
        expect(page.locator("#text")).to_have_value("")
        page.locator('.piece-afloat [data-square="J9"]').click()
        lies_at(page, "J9")
        page.locator('.zone [data-name="I9"]').first.click()
        expect(page.locator("[data-where]")).to_contain_text("Its top left square is on I9.")
