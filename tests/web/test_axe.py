"""Every page before a reader of screens, narrow and wide, light and dark: nothing serious, nothing wider than it."""

import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.screenshots.__main__ import letters
from tests.screenshots.town import RULES, Sights, build_town
from tests.web.test_browser import CHROMIUM, chromium, served

__all__ = ["chromium"]

pytestmark = pytest.mark.skipif(not CHROMIUM, reason="no chromium: set PBEM_CHROMIUM or put one on the PATH")

SERIOUS = ("serious", "critical")
CHECKED = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}


@pytest.fixture(scope="module")
def town() -> Iterator[Sights]:
    """A server on which every page has something to show."""
    with TemporaryDirectory(prefix="pbem-axe-") as folder:
        yield build_town(Path(folder), "fr")


def wrong(page: Page, options: dict[str, Any]) -> list[str]:
    """What axe finds that is serious: the rule, and where."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page, options=options).response["violations"]
    return [f"{v['id']}: {v['nodes'][0]['html'][:160]}" for v in found if v["impact"] in SERIOUS]


@pytest.fixture(scope="module")
def guest(town: Sights, chromium: Browser) -> Iterator[Page]:
    """Somebody who is signed in, with scripts."""
    with served(town.app) as url:
        context = chromium.new_context(bypass_csp=True, locale="fr", base_url=url)
        page = context.new_page()
        page.goto(town.sign_in(url))
        page.locator("main button").first.click()
        yield page
        context.close()


@pytest.mark.parametrize("name", sorted(RULES))
def test_no_page_has_anything_serious(town: Sights, guest: Page, name: str) -> None:
    """Each page of the table of routes, narrow and light, wide and dark; narrow, it does not scroll sideways."""
    guest.set_viewport_size({"width": 360, "height": 780})
    guest.emulate_media(color_scheme="light")
    guest.goto(town.path(name))
    if name.startswith("seat-"):
        guest.locator('.part[data-kind="open"] .chip').first.click()
        guest.locator('#said[data-state="all"]').wait_for()
    assert wrong(guest, CHECKED) == []
    assert guest.evaluate("document.documentElement.scrollWidth") <= 360
    guest.set_viewport_size({"width": 1280, "height": 900})
    guest.emulate_media(color_scheme="dark")
    assert wrong(guest, CHECKED) == []


def test_no_letter_has_anything_serious(town: Sights, chromium: Browser) -> None:
    """The HTML of a report and of the other letters fits a phone; in the dark its colours are the reader's own."""
    page = chromium.new_page(viewport={"width": 360, "height": 780}, bypass_csp=True)
    found = {}
    for name, html in letters(town).items():
        assert re.search("<html[^>]* lang=", html)
        page.set_content(html)
        problems = wrong(page, CHECKED)
        if page.evaluate("document.documentElement.scrollWidth") > 360:
            problems.append("wider than the screen")
        if problems:
            found[name] = problems
    page.close()
    assert found == {}
