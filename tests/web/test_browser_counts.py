"""Orders that count: one click on a place writes a whole action, a sheet counts what is paid, lines are moved."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from engine import GAMES
from tests.service.hall import build, seated
from tests.web.owed import at_orders
from tests.web.test_boards import answer_all
from tests.web.test_browser import CHROMIUM, chromium
from tests.web.walker import ASIDE, click

__all__ = ["chromium"]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not CHROMIUM, reason="no chromium: set PBEM_CHROMIUM or put one on the PATH"),
]


@contextmanager
def acting(state: Path, browser: Browser, width: int) -> Iterator[tuple[Page, list[str]]]:
    """The page of a player who is asked for an action, and what its console notes."""
    hall = build(state, installed=GAMES)
    game = seated(hall, "amalfi", 3)
    while not any(d.asks == "action" and d.seat == "s1" for d in hall.position(game).core.open):
        answer_all(hall, game)
    with at_orders(hall, game, browser, width) as found:
        yield found


@pytest.mark.parametrize("width", [390, 1280])
def test_a_destination_clicked_sends_a_ship_and_lines_queue_up(state_dir: Path, chromium: Browser, width: int) -> None:
    """A free destination that can be sailed to is one whole accepted line; what one has counts down; the second action
    stands behind it, is moved before it, and is taken away.
    """
    with acting(state_dir, chromium, width) as (page, noted):
        text, said = page.locator("#text"), page.locator("#said")
        line = page.locator('.chip[data-line*="SAIL "]').first.get_attribute("data-line") or ""
        names = page.locator("#map svg [data-name]").evaluate_all("all => all.map(one => one.dataset.name)")
        place = max((name for name in names if f"SAIL {name}" in line), key=len)
        click(page, page.locator(f'#map svg [data-name="{place}"]').first)
        if page.locator("#offers").is_visible():
            page.locator("#offers .chip", has_text="SAIL").first.click()
        expect(said).to_have_attribute("data-state", "all")
        assert text.input_value().strip() == line
        expect(page.locator('#budget [data-held="bay"]')).to_have_class("moved")
        page.locator(f'.chips > .chip:not([data-line="{line}"])').first.click()
        rows = page.locator("#judged [data-line]")
        expect(rows).to_have_count(2)
        page.get_by_role("button", name="Move up").click()
        expect(text).to_have_value(re.compile(rf"^[^\n]+\n{re.escape(line)}\n$"))
        page.get_by_role("button", name="Remove this line").first.click()
        expect(text).to_have_value(f"{line}\n")
        assert page.evaluate(ASIDE) <= width
        assert noted == []


def test_a_sheet_counts_what_is_paid(state_dir: Path, chromium: Browser) -> None:
    """Each press writes so many into the line, and none takes the words away again; the judge reads along; the number
    of the question itself is no count.
    """
    with acting(state_dir, chromium, 1280) as (page, noted):
        text = page.locator("#text")
        page.get_by_text("Write as text").click()
        artwork = page.locator('[data-keyword="ACQUIRE"] select').first.locator("option").nth(1).text_content()
        prefix = (page.locator('.part[data-kind="open"]').first.get_attribute("data-prefix") or "").strip()
        line = f"{prefix} ACQUIRE {artwork}".strip()
        text.fill(f"{line} TAKE the rightmost\n")
        page.get_by_text("How many of each").click()
        expect(page.locator(".counts").get_by_text("you have").first).to_be_visible()
        assert page.get_by_role("button", name="One more").count() == 0
        page.get_by_role("button", name="PAY wine: 1").click()
        expect(text).to_have_value(f"{line} TAKE the rightmost PAY wine\n")
        page.get_by_role("button", name="PAY wine: 2").click()
        page.get_by_role("button", name="EMERGENCY wood: 1").click()
        expect(text).to_have_value(f"{line} TAKE the rightmost PAY wine, wine EMERGENCY wood\n")
        expect(page.locator("#judged .refused")).to_have_count(1)
        page.get_by_role("button", name="PAY wine: 1").click()
        page.get_by_role("button", name="PAY wine: 0").click()
        expect(text).to_have_value(f"{line} TAKE the rightmost EMERGENCY wood\n")
        text.fill(f"{line} PAY 2 wine, cloth\n")
        expect(page.get_by_role("button", name="PAY wine: 3")).to_be_visible()
        expect(page.get_by_role("button", name="PAY cloth: 2")).to_be_visible()
        assert noted == []
