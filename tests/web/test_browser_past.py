"""A game to look back on, in a browser: its steps come into the page that is there; sentences light places."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from engine import GAMES
from pbem.service.seats import signing_in
from pbem.web import Look, make
from tests.archive.bots import play_on
from tests.service.hall import build, seated
from tests.serving import served
from tests.web.conftest import Town
from tests.web.test_browser import CHROMIUM, PATIENCE_MS, chromium, pressed_in

__all__ = ["chromium"]

OF = "[...document.querySelectorAll('#map [data-of]')]"
"""The zones that belong to somebody, on a page."""

pytestmark = pytest.mark.skipif(not CHROMIUM, reason="no chromium: set PBEM_CHROMIUM or put one on the PATH")


@pytest.fixture
def watched(state_dir: Path, chromium: Browser) -> Iterator[tuple[Town, Page]]:
    """A real table of two, and the browser of its first player."""
    hall = build(state_dir, installed=GAMES)
    town = Town(hall, make(hall.web, Look(requests_per_minute=100_000)), seated(hall, "amalfi", 2))
    with served(town.app) as url:
        context = chromium.new_context(viewport={"width": 1280, "height": 800}, locale="en", base_url=url)
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        page.goto(signing_in.sign_in_link(hall.web, town.user("p1@games.test")).removeprefix("https://games.test"))
        pressed_in(page)
        yield town, page
        context.close()


def stays(page: Page) -> None:
    """From here on the same document is there."""
    page.evaluate("window.stayed = true")


def stayed(page: Page) -> bool:
    """Return True if no page was loaded since."""
    return bool(page.evaluate("window.stayed === true"))


def at_rest(board: Locator) -> str:
    """The part of a board that is shown, once it moves no more."""
    before, now = "", board.get_attribute("viewBox") or ""
    while now != before:
        board.page.wait_for_timeout(300)
        before, now = now, board.get_attribute("viewBox") or ""
    return now


def test_a_finished_game_is_walked_through_in_one_page_as_each_seat_saw_it(watched: tuple[Town, Page]) -> None:
    """Earlier, later, another seat, and the walk beyond an entry's last sentence load nothing; back leads back."""
    town, page = watched
    play_on(town.hall, town.game)
    page.goto(f"/records/{town.game}/public/{town.hall.game(town.game).entry - 6}")
    expect(page.locator("#map .frame svg")).to_be_visible()
    drawn, story = page.locator("#map .frame").bounding_box(), page.locator("#news").bounding_box()
    assert drawn is not None
    assert story is not None
    assert drawn["width"] > 700, "the board has the larger part"
    assert story["x"] >= drawn["x"] + drawn["width"], "its story stands beside it"
    stays(page)
    first = page.url
    page.locator('a[rel="next"]').click()
    expect(page).not_to_have_url(first)
    page.locator('.viewers a[data-step="s1"]').click()
    expect(page).to_have_url(re.compile(r"/records/\w+/s1/"))
    expect(page.locator("#news .story > li").first).to_be_visible()
    before = page.url
    for _ in range(page.locator("#news .story > li").count() + 1):
        page.locator('[data-walk="1"]').click()
    expect(page).not_to_have_url(before)
    expect(page.locator("#news [aria-current]")).to_have_count(1)
    page.go_back()
    expect(page).to_have_url(before)
    assert stayed(page)


def test_a_report_and_the_history_light_the_places_of_a_sentence(watched: tuple[Town, Page]) -> None:
    """One player serves both: a pressed sentence is the current one, and its places are lit on the board beside it."""
    town, page = watched
    play_on(town.hall, town.game, 14)
    for address in ("history/12", "history"):
        page.goto(f"/games/{town.game}/{address}")
        expect(page.locator("#map .frame [data-name]").first).to_be_attached()
        lines = page.locator("#news .story > li")
        for n in range(lines.count()):
            lines.nth(n).click()
            expect(lines.nth(n)).to_have_attribute("aria-current", "step")
    stays(page)
    slider = page.locator('input[type="range"]')
    slider.focus()
    slider.press("Home")
    expect(page.locator('a[rel="prev"]')).to_have_count(0)
    expect(page.locator('input[type="range"]')).to_be_focused()
    assert stayed(page)


def test_news_that_are_turned_away_from_leave_the_board_as_it_was(watched: tuple[Town, Page]) -> None:
    """A sentence lights its places and brings them near, also on a board drawn anew; turned away from, all is dark."""
    town, page = watched
    play_on(town.hall, town.game, 14)
    page.goto(f"/games/{town.game}")
    board, lit = page.locator("#map .frame svg"), page.locator("#map .lit-place")
    expect(page.locator("#said")).to_have_attribute("data-state", "empty")
    before = at_rest(board)
    page.locator('a[href="#news"][data-tab]').click()
    lines = page.locator("#news .story > li")
    for n in range(lines.count()):
        lines.nth(n).click()
        expect(lines.nth(n)).to_have_attribute("aria-current", "step")
        if lit.count():
            break
    expect(lit.first).to_be_attached()
    expect(board).not_to_have_attribute("viewBox", before)
    near = at_rest(board)
    board.evaluate("svg => svg.setAttribute('data-old', '')")
    page.locator("#text").evaluate(
        "text => { text.value = 'BID 1'; text.dispatchEvent(new Event('input', {bubbles: true})); }"
    )
    expect(page.locator("#map .frame svg[data-old]")).to_have_count(0)
    expect(lit.first).to_be_attached()
    expect(board).to_have_attribute("viewBox", near)
    assert float(near.split()[2]) < float(before.split()[2])
    page.locator('a[href="#orders"][data-tab]').click()
    expect(lit).to_have_count(0)
    expect(board).to_have_attribute("viewBox", before)
    expect(page.locator("#news [aria-current]")).to_have_count(0)


def test_a_sentence_lights_nothing_of_a_player_whom_it_does_not_name(state_dir: Path, chromium: Browser) -> None:
    """The squares of all territories have the same names: a sentence lights those of its players alone."""
    hall = build(state_dir, installed=GAMES)
    town = Town(hall, make(hall.web, Look(requests_per_minute=100_000)), seated(hall, "patchistory", 3))
    play_on(hall, town.game, 20)
    with served(town.app) as url:
        page = chromium.new_context(viewport={"width": 1280, "height": 800}, locale="en", base_url=url).new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.goto(signing_in.sign_in_link(hall.web, town.user("p1@games.test")).removeprefix("https://games.test"))
        pressed_in(page)
        lit = set[str]()
        for entry in range(2, 20):
            page.goto(f"/games/{town.game}/history/{entry}")
            expect(page.locator("#map .frame [data-name]").first).to_be_attached()
            owners = set(page.evaluate(f"{OF}.map((zone) => zone.dataset.of)"))
            assert len(owners) == 3
            assert "" in owners, "one's own zones have no name"
            for line in page.locator("#news .story > li").all():
                line.click()
                said = line.text_content() or ""
                bright = f"{OF}.filter((zone) => zone.querySelector('.lit-place'))"
                shine = set(page.evaluate(f"{bright}.map((zone) => zone.dataset.of)"))
                named = {owner for owner in owners if owner and re.search(rf"\b{owner}\b", said)}
                assert shine <= (named or {""}), said
                lit |= shine
        assert len(lit) > 1
        page.context.close()
