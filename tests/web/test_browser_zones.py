"""A board of zones on a phone: each zone is read and chosen from, also where orders make one larger."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

import engine
from pbem.service.seats import signing_in, tables
from pbem.web import Look, make
from tests.service.hall import TITLES, Hall, build, seated
from tests.serving import served
from tests.web.test_browser import CHROMIUM, PATIENCE_MS, chromium, go_in
from tests.web.walker import click, errors_of

__all__ = ["chromium"]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not CHROMIUM, reason="no chromium: set PBEM_CHROMIUM or put one on the PATH"),
]

PHONE: ViewportSize = {"width": 390, "height": 800}


def entered(hall: Hall, game: str, url: str, chromium: Browser) -> Page:
    """The page of the first player on a phone, once its picture is there."""
    with hall.web.db.writing() as session:
        user = tables.user_of(hall.web, session, "p1@games.test").id
    page = chromium.new_context(viewport=PHONE, locale="en", base_url=url).new_page()
    page.set_default_timeout(PATIENCE_MS)
    go_in(page, signing_in.sign_in_link(hall.web, user), url)
    page.goto(f"{url}/games/{game}")
    page.locator("#map svg").wait_for()
    return page


def test_zones_are_chosen_shown_and_clicked(
    state_dir: Path, chromium: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The part that concerns the reader is shown first; going to a place by its letter shows its zone; a click on it
    writes an order; the same is there in words.
    """
    monkeypatch.setitem(engine.GAMES, "toy", TITLES["toy"])
    hall = build(state_dir)
    game = seated(hall, "toy", 2)
    hall.say("s1", "BID 1")
    hall.say("s2", "BID 0")
    with served(make(hall.web, Look(requests_per_minute=100_000))) as url:
        page = entered(hall, game, url, chromium)
        noted, chooser = errors_of(page), page.locator("#part")
        parts = {
            option.get_attribute("data-crop"): option.get_attribute("value")
            for option in chooser.locator("option").all()
        }
        assert chooser.input_value() == parts["hand"]
        page.locator('#map svg [data-name="Mill"]').focus()
        page.keyboard.press("a")
        expect(page.locator('#map svg [data-name="Abbey"]')).to_be_focused()
        expect(page.locator('#map svg [data-name="Abbey"]')).to_be_in_viewport()
        click(page, page.locator('#map svg [data-name="Mill"]'))
        expect(page.locator("#text")).to_have_value("ATTACK Mill\n")
        page.get_by_role("link", name="Table", exact=True).click()
        page.get_by_text("The board in words").click()
        expect(page.get_by_text("Harbour: -; Mill: -; Abbey: -.")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        assert noted == []
        page.context.close()
