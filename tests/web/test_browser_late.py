"""What is pressed while an answer of the server is on its way, and answers that come when the page has gone on."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.archive.bots import play_on
from tests.web.browser_players import judged
from tests.web.chromium import PATIENCE_MS, browsing, entered, errors_of
from tests.web.conftest import Town
from tests.web.form_browser import site

pytestmark = pytest.mark.long  # what is too quick or too late is one kind

WRITE = "(field, text) => { field.value = text; field.dispatchEvent(new Event('input')); }"
PLANS = "FOR TURN 1 MARCH\nATTACK Mill WITH 2\nATTACK Abbey WITH 1\n"
"""Orders for a question that is not asked yet."""


@contextmanager
def at_seat(town: Town, chromium: Browser, text: str = "") -> Iterator[Page]:
    """The page of a player who owes a bid, with a text that was judged; its console notes nothing."""
    with browsing(site(town.harness), chromium) as context:
        page = entered(town.harness, context)
        noted = errors_of(page)
        page.goto(f"/games/{town.game}")
        page.locator(".part .chip").first.wait_for()
        if text:
            write(page, text)
            expect(page.locator("#said")).to_have_attribute("data-state", "all")
        yield page
        assert noted == []


def write(page: Page, text: str) -> None:
    """Write a text by hand."""
    page.locator("#text").evaluate(WRITE, text)


def hold_requests(page: Page, address: str, count: int = 1) -> list[Route]:
    """So many questions to an address wait from now on, in a list, to be let go."""
    held: list[Route] = []
    page.route(address, lambda route: held.append(route) if len(held) < count else route.continue_())
    return held


def wait_for(page: Page, held: list[Route], count: int = 1) -> None:
    """Wait until so many answers are held."""
    until = monotonic() + PATIENCE_MS / 1000
    while len(held) < count:
        assert monotonic() < until, "nothing is asked"
        page.wait_for_timeout(10)


def test_a_board_that_comes_late_redraws_no_question(town: Town, chromium: Browser) -> None:
    """What was written before is on it; the questions are the same elements, whose press is not lost."""
    with browsing(site(town.harness), chromium) as context:
        page = entered(town.harness, context)
        held = hold_requests(page, "**/map.svg?live*")
        page.goto(f"/games/{town.game}")
        page.locator(".part .chip").first.click()
        expect(page.locator("#said")).to_have_attribute("data-state", "all")
        page.evaluate("window.part = document.querySelector('.part')")
        wait_for(page, held)
        held[0].continue_()
        page.locator("#map .frame svg").wait_for()
        judged(page)
        assert page.evaluate("window.part === document.querySelector('.part')")


@pytest.mark.parametrize("what", ["chip", "verb", "text"])
def test_a_game_that_ended_meanwhile_says_so(town: Town, chromium: Browser, what: str) -> None:
    """Nothing failed: neither a touch nor what is written makes the console note an error."""
    with at_seat(town, chromium) as page:
        play_on(town.harness, town.game)
        if what == "text":
            write(page, "BID 1")
        else:
            page.locator(".part .chip" if what == "chip" else ".part .verbs button").first.click()
        expect(page.locator("#said")).to_contain_text("The game has moved on.")


def test_a_line_that_is_removed_by_two_quick_presses_takes_no_other_with_it(town: Town, chromium: Browser) -> None:
    """The second press means the line that was there, not the one that came in its place."""
    with at_seat(town, chromium, PLANS) as page:
        remove = page.get_by_role("button", name="Remove this line: ATTACK Mill")
        remove.evaluate("press => { press.click(); press.click(); }")
        judged(page)
        expect(page.locator("#text")).to_have_value("FOR TURN 1 MARCH\nATTACK Abbey WITH 1\n")


def test_a_line_that_is_removed_while_it_is_changed_does_not_come_back(town: Town, chromium: Browser) -> None:
    """What was prepared for another text is not written into this one."""
    with at_seat(town, chromium, "BID 2") as page:
        held = hold_requests(page, "**/moves")
        page.locator("#judged").get_by_role("button", name="One more").click()
        wait_for(page, held)
        page.get_by_role("button", name="Remove this line").click()
        held[0].continue_()
        judged(page)
        expect(page.locator("#text")).to_have_value("")


def test_a_press_for_an_order_that_is_no_longer_under_way_does_nothing(town: Town, chromium: Browser) -> None:
    """An order is being changed, and its line is removed: what is pressed of it then fails in no way."""
    with at_seat(town, chromium, "BID 2") as page:
        page.get_by_role("button", name="Change this order").click()
        page.locator("#look .slot.open").wait_for()
        page.evaluate("""() => {
          document.querySelector('#judged [data-press="×"]').click();
          document.querySelector('#look .slot.open button:not([disabled])').click();
        }""")
        judged(page)
        expect(page.locator("#said")).to_have_attribute("data-state", "empty")
        expect(page.locator("#text")).to_have_value("")


def test_what_was_pressed_before_the_button_that_sends_is_sent(town: Town, chromium: Browser) -> None:
    """A line that is still with the judge is waited for."""
    with at_seat(town, chromium) as page:
        held = hold_requests(page, "**/preview")
        line = page.locator(".part .chip").first
        written = line.inner_text()
        line.click()
        wait_for(page, held)
        page.get_by_role("button", name="Send the orders").click()
        held[0].continue_()
        expect(page.locator(".receipt.good code").first).to_have_text(written)


def test_news_that_were_left_do_not_begin_when_the_board_comes(town: Town, chromium: Browser) -> None:
    """Who turned to the orders meanwhile has the board of now."""
    town.harness.reply("s1", "BID 1")
    town.harness.reply("s2", "BID 0")
    with browsing(site(town.harness), chromium) as context:
        page = entered(town.harness, context)
        held = hold_requests(page, "**/map.svg?live*")
        page.goto(f"/games/{town.game}")
        page.locator("#news .story > li").first.wait_for()
        page.get_by_role("link", name="Orders", exact=True).click()
        wait_for(page, held)
        held[0].continue_()
        page.locator("#map .frame svg").wait_for()
        assert page.locator("#news [aria-current]").count() == 0


def test_an_answer_about_an_older_text_is_not_shown(town: Town, chromium: Browser) -> None:
    """A question is brought to the front, a line is written meanwhile, and what that question takes comes last."""
    with at_seat(town, chromium) as page:
        held = hold_requests(page, "**/moves", 2)
        page.locator('#asked .mark[data-state="advance"]').first.click()
        wait_for(page, held)
        write(page, "BID 2")
        wait_for(page, held, 2)
        held[1].continue_()
        expect(page.locator("#judged [data-line]")).to_have_count(1)
        held[0].continue_()
        judged(page)
        expect(page.locator("#judged [data-line]")).to_have_count(1)
        expect(page.locator("#said")).to_have_attribute("data-state", "all")


def test_a_button_that_is_held_down_is_not_redrawn(town: Town, chromium: Browser) -> None:
    """The judge's answer comes between press and release: the press counts."""
    with at_seat(town, chromium) as page:
        held = hold_requests(page, "**/preview")
        write(page, "BID 2")
        wait_for(page, held)
        chip = page.locator(".part .chip", has_not_text="BID 2").first
        line = chip.inner_text()
        chip.hover()
        page.mouse.down()
        with page.expect_response("**/preview"):
            held[0].continue_()
        page.wait_for_timeout(50)
        page.mouse.up()
        expect(page.locator("#text")).to_have_value(f"{line}\n")
