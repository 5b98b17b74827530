"""The pages in a real browser, scripts switched off: legible on a small screen, usable by keyboard and reader."""

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from pbem.service.seats import signing_in
from pbem.web import Look, make
from tests.serving import served
from tests.web.conftest import Town
from tests.web.guests import Plain
from tests.web.test_boards import answer_all, opened

PATIENCE_MS = 60_000
"""How long a page may take on a busy machine."""

expect.set_options(timeout=PATIENCE_MS)
CHROMIUM = os.environ.get("PBEM_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")

pytestmark = pytest.mark.skipif(not CHROMIUM, reason="no chromium: set PBEM_CHROMIUM or put one on the PATH")


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """One browser for all tests of the file."""
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


def go_in(page: Page, link: str, url: str, name: str = "Sign in") -> None:
    """Follow a mailed link to a page served elsewhere, press its button, and wait until the next page stands."""
    page.goto(link.replace("https://games.test", url))
    pressed_in(page, name)


def pressed_in(page: Page, name: str = "Sign in") -> None:
    """Press the button of a mailed link: a click alone does not wait for the page that it leads to."""
    page.get_by_role("button", name=name).click()
    page.wait_for_url(lambda at: "/sign-in/" not in at, timeout=PATIENCE_MS)


def signed_in(town: Town, page: Page, url: str, address: str) -> None:
    """By the button of a mailed link."""
    go_in(page, signing_in.sign_in_link(town.hall.web, town.user(address)), url)


def overflow(page: Page) -> int:
    """By how many pixels the page is wider than the screen: what `scroll` reaches, without a script of the page."""
    width = page.locator("body").bounding_box()
    edges = [
        box["x"] + box["width"] for el in page.locator("main > *, main section > *").all() if (box := el.bounding_box())
    ]
    assert width is not None
    return int(max(edges) - width["width"])


def test_a_turn_without_scripts_on_a_small_screen(town: Town, chromium: Browser) -> None:
    """Sign in, build a line from lists, preview, send, read back: by forms alone, at 360 pixels."""
    app = make(town.hall.web, Look(requests_per_minute=100_000), Plain)
    with served(app) as url:
        context = chromium.new_context(java_script_enabled=False, viewport={"width": 360, "height": 740}, locale="en")
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        refused: list[str] = []
        page.on("console", lambda message: refused.append(message.text) if message.type == "error" else None)
        signed_in(town, page, url, "p1@games.test")
        page.get_by_role("link", name="Rose").click()
        expect(page.get_by_text("More orders, from lists").first).to_be_visible()
        assert overflow(page) <= 0
        page.get_by_text("More orders, from lists").first.click()
        page.get_by_label("coins").fill("3")
        page.get_by_role("button", name="Add this line BID").click()
        expect(page.get_by_label("Orders, one a line")).to_have_value(re.compile("BID 3"))
        page.get_by_role("button", name="Preview").click()
        expect(page.get_by_text("everything would be accepted")).to_be_visible()
        page.get_by_role("button", name="Send the orders").click()
        expect(page.get_by_text("Your orders are in.")).to_be_visible()
        page.get_by_role("button", name="Read back what I sent").click()
        town.hall.settle()
        page.get_by_text("Shown once").wait_for()
        expect(page.locator("pre", has_text="BID 3")).to_be_visible()
        assert refused == []
        context.close()


def test_the_pages_stand_before_a_reader_of_screens(town: Town, chromium: Browser) -> None:
    """No page breaks the rules that axe checks (WCAG 2.1 A and AA)."""
    from axe_playwright_python.sync_playwright import Axe

    app = make(town.hall.web, Look(requests_per_minute=100_000), Plain)
    with served(app) as url:
        context = chromium.new_context(viewport={"width": 1280, "height": 900}, locale="en", bypass_csp=True)
        page = context.new_page()
        page.goto(url)
        signed_in(town, page, url, "p1@games.test")
        for path in ("/", f"/games/{town.game}", f"/games/{town.game}/help", "/tables/new?game=toy", "/settings"):
            page.goto(url + path)
            found = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]})
            assert found.violations_count == 0, found.generate_report()
        context.close()


@pytest.mark.parametrize("width", [360, pytest.param(1280, marks=pytest.mark.slow)])
def test_the_flagship_fits_the_screen_in_the_dark(state_dir: Path, chromium: Browser, width: int) -> None:
    """The largest page there is, with dark colours: nothing wider than the screen, nothing that axe finds."""
    from axe_playwright_python.sync_playwright import Axe

    hall, _, game = opened(state_dir, "fr")
    for _ in range(4):
        answer_all(hall, game)
    with served(make(hall.web, Look(requests_per_minute=100_000))) as url:
        context = chromium.new_context(
            viewport={"width": width, "height": 900}, color_scheme="dark", bypass_csp=True, locale="fr"
        )
        page = context.new_page()
        go_in(page, signing_in.sign_in_link(hall.web, hall.game(game).host_id), url, "Se connecter")
        page.goto(f"{url}/games/{game}")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        found = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]})
        assert found.violations_count == 0, found.generate_report()
        if shots := os.environ.get("PBEM_SHOTS"):
            page.screenshot(path=f"{shots}/seat-{width}.png", full_page=True)
        context.close()
