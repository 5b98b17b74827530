"""Every page before a reader of screens, narrow and wide, light and dark: nothing serious, nothing wider than it."""

import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Page

from tests.screenshots.__main__ import letters
from tests.screenshots.town import RULES, Sights, build_town
from tests.serving import served
from tests.web.authenticator import Authenticator
from tests.web.test_browser import CHROMIUM, chromium

__all__ = ["chromium"]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not CHROMIUM, reason="no chromium: set PBEM_CHROMIUM or put one on the PATH"),
]

WIDTHS = (360, 1280)
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
SERIOUS = ("serious", "critical")
COLOURS = {"runOnly": ["color-contrast"]}
"""All that can be other in the dark."""
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


def checked(page: Page) -> list[str]:
    """What is serious, narrow and wide, light and dark; narrow, that it scrolls sideways."""
    found = []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            found += [
                f"{width} {scheme} {problem}" for problem in wrong(page, CHECKED if scheme == "light" else COLOURS)
            ]
        if page.evaluate("document.documentElement.scrollWidth") > width:
            found.append(f"wider than {width}")
    return found


@pytest.mark.parametrize("name", sorted(RULES))
def test_no_page_has_anything_serious(town: Sights, guest: Page, name: str) -> None:
    """Axe finds nothing serious on any page of the table of routes, and each shows its content, not a refusal."""
    answer = guest.goto(town.path(name))
    assert answer is not None
    assert answer.status == (404 if name == "nothing" else 200)
    if name.startswith("seat-"):
        guest.locator('.part[data-kind="open"] .chip').first.click()
        guest.locator('#said[data-state="all"]').wait_for()
    assert checked(guest) == []


def test_the_operators_page_has_nothing_serious(town: Sights, guest: Page) -> None:
    """Axe finds nothing serious before a code opens the operator's page, nor behind it."""
    codes = Authenticator(town.hall, town.host)
    guest.goto("/operator")
    assert checked(guest) == []
    guest.locator("#code").fill(codes.code())
    guest.locator("main button").click()
    guest.locator("#act").wait_for()
    assert checked(guest) == []


@pytest.mark.parametrize("path", ["/", "/sign-in", "/api/docs"])
def test_no_page_for_strangers_has_anything_serious(town: Sights, chromium: Browser, path: str) -> None:
    """The pages before signing in have nothing serious either."""
    with served(town.app) as url:
        page = chromium.new_page(bypass_csp=True, locale="fr", base_url=url)
        page.goto(path)
        assert checked(page) == []
        page.close()


def test_no_letter_has_anything_serious(town: Sights, chromium: Browser) -> None:
    """The HTML of every letter fits a phone, and can be read in the light and in the dark."""
    page = chromium.new_page(viewport={"width": 360, "height": 780}, bypass_csp=True)
    found = {}
    for name, html in letters(town, "fr").items():
        assert re.search("<html[^>]* lang=", html)
        page.set_content(html)
        problems = []
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            problems += wrong(page, CHECKED if scheme == "light" else COLOURS)
        if page.evaluate("document.documentElement.scrollWidth") > 360:
            problems.append("wider than the screen")
        if problems:
            found[name] = problems
    page.close()
    assert found == {}
