"""Chromium at the pages: people who sign in by a mailed link, and what the tests look for on a page."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from flask import Flask
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Locator, Page, expect

from pbem.service.seats import sign_in
from pbem.web import WebConfig, create_pages
from tests.http_server import served
from tests.service.master_commands import get_user_id
from tests.service.server_fixtures import ServerHarness

CHROMIUM = os.environ.get("PBEM_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
PATIENCE_MS = 60_000
"""How long a page may take on a busy machine."""
expect.set_options(timeout=PATIENCE_MS)

ASIDE = "document.documentElement.scrollWidth"
"""How wide a page is, with what sticks out of the screen."""
INSIDE = """place => {
  const box = place.getBoundingClientRect();
  for (let n = 1; n < 400; n++) {
    const x = box.x + box.width * ((n * 0.618034) % 1), y = box.y + box.height * ((n * 0.381966 * 1.7) % 1);
    const hit = document.elementFromPoint(x, y);
    if (hit && hit.closest('[data-name]') === place) return [x, y];
  }
  return null;
}"""
"""A point of the screen at which a place of the map can be hit."""


@contextmanager
def browsing(app: Flask, browser: Browser, width: int = 1280, **more: Any) -> Iterator[BrowserContext]:
    """An empty browser of one person, at the address of the pages."""
    settings = {"viewport": {"width": width, "height": 900}, "locale": "en", "reduced_motion": "reduce", **more}
    with served(app) as url:
        context = browser.new_context(base_url=url, **settings)
        context.set_default_timeout(PATIENCE_MS)
        yield context
        context.close()


def entered(
    harness: ServerHarness, context: BrowserContext, address: str = "p1@games.test", *, shared: bool = False
) -> Page:
    """A page of somebody who has signed in by a mailed link, on a computer that others use too or not."""
    page = context.new_page()
    page.goto(
        sign_in.create_sign_in_link(harness.web, get_user_id(harness, address)).removeprefix("https://games.test")
    )
    if shared:
        page.get_by_label("This is a shared computer").check()
    page.locator("main button").first.click()
    page.wait_for_url(lambda at: "/sign-in/" not in at)  # a click alone does not wait for the page that it leads to
    return page


@contextmanager
def at_orders(
    harness: ServerHarness, game: str, browser: Browser, width: int, there: str = "#map svg", *, seat: str = "s1"
) -> Iterator[tuple[Page, list[str]]]:
    """The page of a seat at its orders, once what is named `there` is on it; and what its console notes."""
    with browsing(create_pages(harness.web, WebConfig(requests_per_minute=1_000_000)), browser, width) as context:
        page = entered(harness, context, f"p{seat.removeprefix('s')}@games.test")
        noted = errors_of(page)
        page.goto(f"/games/{game}#orders")
        page.locator(there).wait_for()
        yield page, noted


def errors_of(page: Page) -> list[str]:
    """Every error and warning that a page's console notes from now on."""
    noted: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            noted.append(message.text)

    page.on("console", note)
    page.on("pageerror", lambda error: noted.append(str(error)))
    return noted


def click(page: Page, what: Locator) -> None:
    """With the mouse, where it can be hit."""
    if what.evaluate("thing => thing instanceof SVGElement"):
        what.scroll_into_view_if_needed()
        if not (point := what.evaluate(INSIDE)):  # the news have moved the board elsewhere
            page.get_by_role("button", name="The whole board").click()
            point = what.evaluate(INSIDE)
        page.mouse.click(*point)
    else:
        what.click()
