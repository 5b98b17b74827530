"""Lines that do not go with what is written: off, with their reason in reach, and not written by a click."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.web.test_browser import CHROMIUM, chromium
from tests.web.test_browser_counts import acting
from tests.web.walker import ASIDE

__all__ = ["chromium"]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not CHROMIUM, reason="no chromium: set PBEM_CHROMIUM or put one on the PATH"),
]


@pytest.mark.parametrize("width", [390, 1280])
def test_what_does_not_go_with_the_written_lines_is_off_and_says_why(
    state_dir: Path, chromium: Browser, width: int
) -> None:
    """Its name holds the reason, shown while it has the focus; a click says it and writes nothing; without the lines it
    is on again.
    """
    with acting(state_dir, chromium, width) as (page, noted):
        text, said = page.locator("#text"), page.locator("#said")
        page.locator(".part .chip").first.click()
        expect(said).to_have_attribute("data-state", "all")
        before = text.input_value()
        off = page.locator('.chips > .chip[aria-disabled="true"]').first
        why = off.locator(".why").text_content() or ""
        assert why
        off.focus()
        assert off.locator(".why").evaluate("why => why.getBoundingClientRect().height") > 8
        assert page.evaluate(ASIDE) <= width
        page.keyboard.press("Enter")
        expect(said).to_contain_text("Not written")
        expect(said).to_contain_text(why)
        expect(said).to_have_attribute("data-state", "all")
        assert text.input_value() == before
        page.get_by_role("button", name="Remove this line").click()
        expect(page.locator(".chip[aria-disabled]")).to_have_count(0)
        assert noted == []


def test_a_line_written_again_is_tried_before_it_stands(state_dir: Path, chromium: Browser) -> None:
    """The same action a second time is refused behind the first: it is not written, and why is said."""
    with acting(state_dir, chromium, 1280) as (page, noted):
        text, said = page.locator("#text"), page.locator("#said")
        page.locator(".part .chip").first.click()
        expect(said).to_have_attribute("data-state", "all")
        before = text.input_value()
        page.get_by_role("button", name="Write again").click()
        expect(said).to_contain_text("Not written")
        assert text.input_value() == before
        assert page.locator("#judged [data-line]").count() == 1
        assert noted == []
