"""What happened is played on the board: pieces move from the position before to the one after, step by step."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from engine import GAMES
from pbem.web import WebConfig, create_pages
from tests.archive.bots import play_on
from tests.service.server_fixtures import build, start_game
from tests.web.chromium import browsing, entered, errors_of

FLIGHT = ".flight:not(.sky)"
SEEN = """() => {
  window.flights = [];
  new MutationObserver((all) => {
    for (const { addedNodes } of all) for (const one of addedNodes) {
      if (one.matches?.('.flight:not(.sky)')) window.flights.push(one.className);
    }
  }).observe(document.body, { childList: true, subtree: true });
}"""
"""Keep the classes of all pieces that fly."""


@contextmanager
def looking(state: Path, browser: Browser, title: str, entries: int, **more: Any) -> Iterator[tuple[str, Page]]:
    """A game of three after so many entries, and the browser of its first player, whose pages may move."""
    harness = build(state, installed=GAMES)
    game = start_game(harness, title, 3)
    play_on(harness, game, entries)
    app = create_pages(harness.web, WebConfig(requests_per_minute=100_000))
    with browsing(app, browser, 1280, **{"reduced_motion": "no-preference", **more}) as context:
        yield game, entered(harness, context)


def frozen(page: Page) -> str:
    """The board as it is drawn, without what is lit."""
    return str(page.locator("#map .frame svg").evaluate("svg => svg.textContent"))


@pytest.mark.long
def test_pieces_move_from_the_position_before_to_the_one_after(state_dir: Path, chromium: Browser) -> None:
    """Nothing is loaded before it is asked for; then every step moves; turned away from, the board is that of now."""
    with looking(state_dir, chromium, "amalfi", 16) as (game, page):
        noted, asked = errors_of(page), list[str]()
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"/games/{game}#orders")
        expect(page.locator("#map .frame svg")).to_be_visible()
        expect(page.locator("#said")).to_have_attribute("data-state", "empty")
        assert not [url for url in asked if url.endswith(("/steps", "moving.js"))]
        now = frozen(page)
        page.locator('a[href="#news"][data-tab]').click()
        expect(page.get_by_role("heading", name="Since your last order")).to_be_visible()
        page.evaluate(SEEN)
        lines = page.locator("#news .story > li")
        page.get_by_role("button", name="Twice as fast").click()
        page.get_by_role("button", name="Play", exact=True).click()
        expect(lines.last).to_have_attribute("aria-current", "step")
        expect(page.locator('[data-walk="0"]')).to_have_attribute("aria-pressed", "false")
        assert page.evaluate("window.flights.length") > 0
        expect(page.locator(FLIGHT)).to_have_count(0)
        lines.first.click()
        page.locator('a[href="#orders"][data-tab]').click()
        expect(page.locator("#news [aria-current]")).to_have_count(0)
        assert frozen(page) == now
        assert noted == []


@pytest.mark.long
def test_steps_are_gone_through_by_keys_by_slider_and_to_the_end(state_dir: Path, chromium: Browser) -> None:
    """Arrow keys, the slider and "skip"; whoever wants no motion gets every step without one."""
    with looking(state_dir, chromium, "age_of_renaissance", 12, reduced_motion="reduce") as (game, page):
        noted = errors_of(page)
        page.goto(f"/games/{game}/history/8")
        lines, slider = page.locator("#news .story > li"), page.locator("#news [data-to]")
        expect(page.locator("#map .frame svg")).to_be_visible()
        page.evaluate(SEEN)
        page.locator("h1").click()
        page.keyboard.press("ArrowRight")
        expect(lines.first).to_have_attribute("aria-current", "step")
        if lines.count() > 2:
            page.keyboard.press("ArrowRight")
            page.keyboard.press("ArrowLeft")
            expect(lines.first).to_have_attribute("aria-current", "step")
            slider.focus()
            slider.press("ArrowRight")
            expect(lines.nth(1)).to_have_attribute("aria-current", "step")
            expect(slider).to_have_attribute("aria-valuetext", re.compile(r"^2 of"))
        page.get_by_role("button", name="Skip").click()
        expect(lines.last).to_have_attribute("aria-current", "step")
        assert page.evaluate("window.flights") == []
        assert noted == []


@pytest.mark.long
def test_a_finished_game_plays_itself_from_turn_one_over_its_entries(state_dir: Path, chromium: Browser) -> None:
    """The slider says turns and phases; the play goes on from entry to entry without loading a page."""
    with looking(state_dir, chromium, "renaissance", 1000) as (game, page):
        noted = errors_of(page)
        page.goto(f"/records/{game}")
        expect(page.locator("#map .frame svg")).to_be_visible()
        expect(page.locator("#slide")).to_have_attribute("aria-valuetext", "Set-up")
        page.evaluate("window.stayed = true")
        page.evaluate(SEEN)
        page.get_by_role("button", name="Play", exact=True).click()
        expect(page).to_have_url(re.compile(r"/public/(?!1$)\d+$"))
        page.wait_for_function("() => window.flights.length > 3")
        page.locator("#slide").focus()
        page.locator("#slide").press("End")
        expect(page.locator('a[rel="next"]')).to_have_count(0)
        expect(page.locator(".result")).to_be_visible()
        assert page.evaluate("window.stayed"), "no other page was loaded"
        assert noted == []
