"""A stranger's first minute: from the first page to an order that is sent, and the hints on the way."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, StorageState, expect

from pbem.store.models import User
from tests.bot_games import OURS
from tests.service.server_fixtures import ServerHarness
from tests.web.chromium import PATIENCE_MS
from tests.web.first_orders import LANGUAGES, SIZES, let_bots_answer, send_first_order, shop, table_of

MOST_TAPS = 5
COVERED = """() => {
  const board = document.querySelector('#map').getBoundingClientRect();
  const hint = document.querySelector('.bubble:popover-open').getBoundingClientRect();
  const down = Math.min(board.bottom, hint.bottom) - Math.max(board.top, hint.top);
  return (Math.max(0, down) * hint.width) / (board.width * board.height);
}"""
"""The share of the board that a hint lies over."""

UNDER = """things => {
  const hint = document.querySelector('.bubble:popover-open').getBoundingClientRect();
  const isUnder = one => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return right > hint.left && left < hint.right && bottom > hint.top && top < hint.bottom;
  };
  return [...document.querySelectorAll(things)].filter(isUnder).map(one => one.className || one.id);
}"""
"""The things that a hint lies over."""
KEPT_FREE = {
    "write": "#map, .step.owed, #asked .part, .players > li, .sending",
    "send": "#map, .players > li, .sending",
    "sent": "#map, .receipt, .players > li",
}
"""By hint, what it does not lie over."""


@pytest.mark.long
@pytest.mark.parametrize("game", OURS)
def test_a_first_order_takes_a_guest_few_taps(state_dir: Path, chromium: Browser, game: str) -> None:
    """At most five, from the first page to the receipt, on a phone and on a desk, in both languages."""
    with shop(state_dir) as (harness, url):
        found = [send_first_order(harness, url, chromium, game, size, lang) for size in SIZES for lang in LANGUAGES]
    print(table_of(found))
    assert max(one.taps for one in found) <= MOST_TAPS
    assert [one.errors for one in found] == [[]] * len(found)


@pytest.mark.long
@pytest.mark.parametrize("size", SIZES)
def test_the_first_page_shows_all_that_matters_above_the_fold(
    state_dir: Path, chromium: Browser, size: tuple[int, int]
) -> None:
    """What this is, every game with its cover and its button, and a table to watch; sealing is below."""
    width, height = size
    with shop(state_dir) as (harness, url):
        page = chromium.new_page(base_url=url, viewport={"width": width, "height": height}, locale="fr")
        page.set_default_timeout(PATIENCE_MS)
        page.goto("/")
        page.locator(".covers button").first.click()
        page.wait_for_url("**/games/*")
        harness.run_queued_tasks()
        page.context.clear_cookies()
        page.goto("/")

        def bottom(selector: str) -> float:
            ends = page.locator(selector).evaluate_all("all => all.map((one) => one.getBoundingClientRect().bottom)")
            return max(map(float, ends))

        assert page.locator(".covers > li").count() == len(OURS)
        for seen in ("h1", ".what", ".covers img", ".covers p", ".covers button", ".live"):
            assert bottom(seen) <= height, seen
        assert float(page.locator(".points").evaluate("one => one.getBoundingClientRect().top")) > height / 2
        page.locator(".live").click()
        page.wait_for_url("**/watch")
        expect(page.locator("figure.map img")).to_be_visible()
        page.close()


def sit_down(page: Page, harness: ServerHarness, game: str) -> Page:
    """Begin to practise and look at the orders, once the bots have answered: news of them would come before hints."""
    page.goto("/")
    page.locator(f'.covers form:has(input[value="{game}"]) button').click()
    page.wait_for_url("**/games/*")
    table = page.url
    page.goto("about:blank")
    let_bots_answer(harness)
    page.goto(f"{table}#orders")
    return page


@pytest.mark.long
def test_the_hints_come_one_at_a_time_and_not_again(state_dir: Path, chromium: Browser) -> None:
    """Beside what each speaks of: the question, then the button, then what was sent; dismissed, none comes any more.

    On a phone it covers a third of the board at most, and goes when the board is touched.
    """
    with shop(state_dir) as (harness, url):

        def practise(kept: StorageState) -> Page:
            """Sit down as a new guest with what the browser kept of pages.

            A context for each guest: in one, an answer under way to the page before brings its session back.
            """
            context = chromium.new_context(
                base_url=url,
                viewport={"width": 390, "height": 844},
                locale="en",
                has_touch=True,
                storage_state={"cookies": [], "origins": kept.get("origins", [])},
            )
            context.set_default_timeout(PATIENCE_MS)
            page = sit_down(context.new_page(), harness, "amalfi")
            page.locator("#stage").wait_for()
            return page

        page = practise({})
        hints = page.locator(".bubble").filter(visible=True)
        expect(hints).to_have_count(1)
        expect(hints).to_contain_text("Your ships sail to destinations")
        assert page.evaluate(COVERED) <= 1 / 3
        page.locator('.part[data-kind="open"] .chip').first.click()
        expect(hints).to_contain_text("Send your orders here")
        page.locator('[name="act"][value="submit"]').click()
        page.locator(".receipt.good").wait_for()
        expect(hints).to_contain_text("Sent and sealed")
        kept = page.context.storage_state()
        page.context.close()
        page = practise(kept)
        hints = page.locator(".bubble").filter(visible=True)
        page.locator('.part[data-kind="open"] .chip').first.wait_for()
        expect(hints).to_have_count(0)
        page.evaluate("localStorage.clear()")
        page.reload()
        hints.wait_for()
        page.locator("#map svg").wait_for()
        page.touchscreen.tap(200, 150)
        expect(hints).to_have_count(0)  # who touches the board wants to see it; the hint to send comes all the same
        page.locator('.part[data-kind="open"] .chip').first.click()
        hints.get_by_role("button", name="No more hints").click()
        expect(hints).to_have_count(0)
        page.reload()
        page.locator('.part[data-kind="open"] .chip').first.wait_for()
        expect(hints).to_have_count(0)
        page.context.close()


@pytest.mark.long
def test_on_a_desk_a_hint_covers_nothing_of_the_board(state_dir: Path, chromium: Browser) -> None:
    """Of any game, nor a player's panel, nor what is to be read or pressed next."""
    with shop(state_dir) as (harness, url):
        for game in OURS:
            context = chromium.new_context(base_url=url, viewport={"width": 1280, "height": 800}, locale="en")
            context.set_default_timeout(PATIENCE_MS)
            page = sit_down(context.new_page(), harness, game)
            page.locator(".bubble:popover-open").wait_for()
            page.locator('.part[data-kind="open"] .chip').first.wait_for()
            page.evaluate("new Promise(requestAnimationFrame)")
            for step in ("write", "send"):
                page.locator(f'.bubble[data-step="{step}"]:popover-open').wait_for()
                assert page.evaluate(UNDER, KEPT_FREE[step]) == [], (game, step)
                while step == "write" and page.locator('.bubble[data-step="write"]:popover-open').count():
                    page.locator('#desk[aria-busy="true"]').wait_for(state="detached")
                    page.locator('.part[data-kind="open"] .chip').first.click()
                    page.locator('#desk[aria-busy="true"]').wait_for(state="detached")
                    left = page.locator('#asked .mark[data-state="open"]')
                    if left.count():
                        left.first.click()
            page.locator('[name="act"][value="submit"]').click()
            page.locator('.bubble[data-step="sent"]:popover-open').wait_for()
            assert page.evaluate(UNDER, KEPT_FREE["sent"]) == [], game
            context.close()


@pytest.mark.long
def test_a_table_that_is_prepared_becomes_the_game_and_a_zone_is_the_browsers(
    state_dir: Path, chromium: Browser
) -> None:
    """Without a click, and the times on it are those of the guest's browser."""
    with shop(state_dir) as (harness, url):
        context = chromium.new_context(base_url=url, locale="en", timezone_id="Asia/Tokyo")
        page = context.new_page()
        page.goto("/")
        page.locator(".covers button").first.click()
        page.locator(".preparing").wait_for()
        harness.run_queued_tasks()
        page.locator("#stage").wait_for()
        assert "Asia/Tokyo" in {user.time_zone for user in harness.load_rows(User)}
        chip = page.locator('.part[data-kind="open"] .chip').first
        chip.wait_for()
        context.set_offline(True)
        chip.click()
        expect(page.locator("#still-open")).to_contain_text("You are offline")
        page.locator('[name="act"][value="submit"]').click(force=True)
        assert page.locator("#stage").is_visible()
        context.close()
