"""Every page before a reader of screens, narrow and wide, light and dark: nothing wrong, nothing wider than it."""

import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Page

from engine import GAMES
from tests.budget import budget
from tests.screenshots.__main__ import letters
from tests.screenshots.sample_server import RULES, Sights, build_town
from tests.web.authenticator import Authenticator
from tests.web.chromium import ASIDE, browsing, entered

WIDTHS = (360, 1280)[: budget(1, 2)]
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
COLOURS = {"runOnly": ["color-contrast"]}
"""All that can be other in the dark."""
CHECKED = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}


@pytest.fixture(scope="module")
def town() -> Iterator[Sights]:
    """A server on which every page has something to show."""
    with TemporaryDirectory(prefix="pbem-axe-") as folder:
        yield build_town(Path(folder), "fr")


def wrong(page: Page, options: dict[str, Any]) -> list[str]:
    """What axe finds, of any severity: the rule, and where."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page, options=options).response["violations"]
    return [f"{v['id']}: {v['nodes'][0]['html'][:160]}" for v in found]


@pytest.fixture(scope="module")
def guest(town: Sights, chromium: Browser) -> Iterator[Page]:
    """Somebody who is signed in, with scripts."""
    with browsing(town.app, chromium, bypass_csp=True, locale="fr") as context:
        yield entered(town.harness, context)


def checked(page: Page) -> list[str]:
    """What is wrong, narrow and at night wide, light and dark; narrow, that it scrolls sideways."""
    found, before = [], page.viewport_size
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            rules = CHECKED if scheme == "light" else COLOURS
            found += [f"{width} {scheme} {problem}" for problem in wrong(page, rules)]
        if page.evaluate(ASIDE) > width:
            found.append(f"wider than {width}")
    assert before is not None
    page.set_viewport_size(before)
    return found


def kinds() -> Iterator[Any]:
    """Every page by its name; long: one of each kind, night: the same of the other games."""
    for name in sorted(RULES):
        others = name.partition("-")[2] in (*GAMES,)[1:]
        yield pytest.param(name, marks=pytest.mark.night if others else pytest.mark.long)


@pytest.mark.parametrize("name", list(kinds()))
def test_no_page_has_anything_wrong(town: Sights, guest: Page, name: str) -> None:
    """Axe finds nothing of any severity on any page of the table of routes; each shows its content, no refusal."""
    answer = guest.goto(town.path(name))
    assert answer is not None
    assert answer.status == (404 if name == "nothing" else 200)
    if name.startswith("seat_page-"):
        guest.get_by_role("link", name="Ordres", exact=True).click()
        guest.locator('.part[data-kind="open"] .chip').first.click()
        guest.locator('#said[data-state="all"]').wait_for()
    assert checked(guest) == []


@pytest.mark.long
def test_the_pages_of_operators_and_strangers_have_nothing_wrong(town: Sights, guest: Page, chromium: Browser) -> None:
    """Axe finds nothing of any severity before a code opens the operator's page, behind it, and before signing in."""
    codes = Authenticator(town.harness, town.host)
    guest.goto("/operator")
    assert checked(guest) == []
    guest.locator("#code").fill(codes.code())
    guest.locator("main button").click()
    guest.locator("#act").wait_for()
    assert checked(guest) == []
    with browsing(town.app, chromium, bypass_csp=True, locale="fr") as context:
        page = context.new_page()
        for path in ("/", "/sign-in", "/api/docs"):
            page.goto(path)
            assert checked(page) == [], path


LETTER = {"runOnly": [rules for rules in CHECKED["runOnly"] if rules != "best-practice"]}
"""A letter is part of the page of a mail program: headings and landmarks are those of that page."""


@pytest.mark.long
def test_no_letter_has_anything_wrong(town: Sights, chromium: Browser) -> None:
    """The HTML of every letter fits a phone, and can be read in the light and in the dark."""
    page = chromium.new_page(viewport={"width": 360, "height": 780}, bypass_csp=True)
    found = {}
    for name, html in letters(town, "fr").items():
        assert re.search("<html[^>]* lang=", html)
        page.set_content(html)
        problems = []
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            problems += wrong(page, LETTER if scheme == "light" else COLOURS)
        if page.evaluate(ASIDE) > 360:
            problems.append("wider than the screen")
        if problems:
            found[name] = problems
    page.close()
    assert found == {}
