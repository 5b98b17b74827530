"""The play page as a board, a hand and a tray, on a phone and on a desk: its parts, its one button, what it keeps."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from pbem.service.seats import signing_in
from pbem.service.talk import messages
from pbem.vault import new_token
from pbem.web import Look, make
from tests.service.test_deputies import standing
from tests.serving import served
from tests.web.conftest import Town
from tests.web.guests import Plain
from tests.web.test_browser import CHROMIUM, PATIENCE_MS, chromium, pressed_in
from tests.web.walker import ASIDE, errors_of

__all__ = ["chromium"]

pytestmark = pytest.mark.skipif(not CHROMIUM, reason="no chromium: set PBEM_CHROMIUM or put one on the PATH")

SIZES = {390: 844, 1280: 800}

TWICE = """(button) => {
  button.click();
  button.click();
  return [button.getAttribute("aria-disabled"), document.getElementById("still-open").textContent];
}"""


@contextmanager
def browsing(town: Town, chromium: Browser, width: int = 1280) -> Iterator[BrowserContext]:
    """A browser of one person, at the address of the site."""
    with served(make(town.hall.web, Look(requests_per_minute=100_000), Plain)) as url:
        size = {"width": width, "height": SIZES[width]}
        context = chromium.new_context(viewport=size, locale="en", base_url=url)  # type: ignore[arg-type]
        context.set_default_timeout(PATIENCE_MS)
        yield context
        context.close()


def entered(town: Town, context: BrowserContext, address: str = "p1@games.test", *, shared: bool = False) -> Page:
    """The page of a player's seat, signed in by a link."""
    page = context.new_page()
    link = signing_in.sign_in_link(town.hall.web, town.user(address))
    page.goto(link.removeprefix("https://games.test"))
    if shared:
        page.get_by_label("This is a shared computer").check()
    pressed_in(page)
    page.goto(f"/games/{town.game}")
    expect(page.locator("#said")).to_have_attribute("data-state", "empty")
    return page


def written(page: Page) -> str:
    """The orders that are being written."""
    return page.locator("#text").input_value()


def looked(page: Page) -> None:
    """The page comes to the front, and asks whether the game has gone on."""
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


@pytest.mark.parametrize("width", SIZES)
def test_parts_stand_behind_tabs_and_nothing_sticks_out(town: Town, chromium: Browser, width: int) -> None:
    """On a phone each part takes the sheet; on a desk the table covers the board and uncovers it again."""
    with browsing(town, chromium, width) as context:
        page = entered(town, context)
        noted = errors_of(page)
        tabs = page.get_by_role("navigation", name="Parts of the page")
        for name, part in (("News", "#news"), ("Talk", "#talk"), ("Table", "#table"), ("Orders", "#orders")):
            tabs.get_by_role("link", name=name, exact=True).click()
            expect(page.locator(part)).to_be_visible()
            expect(page.locator("#orders")).to_be_visible(visible=part == "#orders")
            page.get_by_role("button", name="Send the orders").hover(trial=True)
            assert page.evaluate(ASIDE) <= width
        expect(page.get_by_role("button", name="Send the orders")).to_be_in_viewport()
        assert noted == []


def test_the_button_that_sends_is_off_for_what_would_be_refused(town: Town, chromium: Browser) -> None:
    """It gives its reason; it is on as soon as everything would be accepted, and off while nothing is written."""
    with browsing(town, chromium) as context:
        page = entered(town, context)
        send = page.get_by_role("button", name="Send the orders")
        expect(send).to_have_attribute("aria-disabled", "true")
        expect(page.locator("#sending-why")).to_have_text("Nothing to send yet.")
        page.get_by_text("Write as text").click()
        page.locator("#text").fill("BID 99")
        expect(page.locator("#sending-why")).to_contain_text("Not as it stands")
        expect(send).to_have_attribute("aria-disabled", "true")
        page.locator("#text").fill("BID 2")
        expect(send).to_have_attribute("aria-disabled", "false")
        expect(page.locator("#sending-why")).not_to_contain_text("Not as it stands")


def came(page: Page, held: list[Route]) -> None:
    """Wait for a request that is held back."""
    while not held:
        page.wait_for_timeout(20)


@pytest.mark.parametrize("shared", [False, True])
def test_what_was_sent_is_not_sent_again_until_it_is_changed(town: Town, chromium: Browser, shared: bool) -> None:
    """From the press on, while the answer and then the judge are awaited: the button is off, and says why."""
    with browsing(town, chromium, 390) as context:
        page = entered(town, context, shared=shared)
        page.locator(".part .chip").first.click()
        send, why = page.get_by_role("button", name="Send the orders"), page.locator("#sending-why")
        expect(send).to_have_attribute("aria-disabled", "false")
        posted: list[str] = []
        page.on("request", lambda request: posted.append(request.url))
        held: list[Route] = []
        page.route("**/check", lambda route: held.append(route))
        assert send.evaluate(TWICE) == ["true", "Sending."]
        page.locator(".receipt.good").wait_for()
        assert len([url for url in posted if url.endswith("/orders")]) == 1
        came(page, held)
        expect(send).to_have_attribute("aria-disabled", "true")
        expect(why).to_contain_text("Already sent")
        page.unroute_all()
        page.locator("#text").evaluate("text => text.dispatchEvent(new Event('input', {bubbles: true}))")
        expect(page.locator("#judged .ok").first).to_be_attached()
        expect(send).to_have_attribute("aria-disabled", "true")
        page.get_by_text("Write as text").click()
        page.locator("#text").fill("BID 2")
        expect(send).to_have_attribute("aria-disabled", "false")
        expect(why).not_to_contain_text("Already sent")


def test_what_was_done_is_undone_and_done_again(town: Town, chromium: Browser) -> None:
    """By buttons, and by Ctrl-Z and Ctrl-Y where no field has the focus."""
    with browsing(town, chromium) as context:
        page = entered(town, context)
        page.locator(".part .chip").first.click()
        line = written(page)
        assert line.startswith("BID ")
        page.get_by_role("button", name="Undo").click()
        expect(page.locator("#text")).to_have_value("")
        page.get_by_role("button", name="Redo").click()
        expect(page.locator("#text")).to_have_value(line)
        page.keyboard.press("Control+z")
        expect(page.locator("#text")).to_have_value("")
        page.keyboard.press("Control+y")
        expect(page.locator("#text")).to_have_value(line)


def test_a_draft_and_what_was_sent_stay_in_this_browser(town: Town, chromium: Browser) -> None:
    """A draft is there after a reload; what was sent is shown as sealed; somebody else in this browser finds none."""
    with browsing(town, chromium) as context:
        page = entered(town, context)
        page.locator(".part .chip").first.click()
        line = written(page)
        expect(page.locator("#said")).to_have_attribute("data-state", "all")
        page.goto(f"/games/{town.game}")
        expect(page.locator("#text")).to_have_value(line)
        expect(page.locator("#kept")).to_contain_text("what you were writing")
        expect(page.locator("#said")).to_have_attribute("data-state", "all")
        page.get_by_role("button", name="Send the orders").click()
        page.locator(".receipt.good").wait_for()
        page.goto(f"/games/{town.game}")
        expect(page.locator("#text")).to_have_value(line)
        expect(page.locator("#kept")).to_contain_text("sealed")
        other = entered(town, context, "p2@games.test")
        expect(other.locator("#text")).to_have_value("")
        kept = other.evaluate("JSON.stringify(localStorage)")
        assert line.strip() not in kept


def test_the_page_loaded_again_after_sending_sends_nothing(town: Town, chromium: Browser) -> None:
    """After the receipt the address is that of the seat: to load it again asks for the page, and posts no form."""
    with browsing(town, chromium) as context:
        page = entered(town, context)
        page.locator(".part .chip").first.click()
        expect(page.locator("#said")).to_have_attribute("data-state", "all")
        page.get_by_role("button", name="Send the orders").click()
        page.locator(".receipt.good").wait_for()
        page.wait_for_url(f"**/games/{town.game}")
        posted: list[str] = []
        page.on("request", lambda request: posted.append(request.url) if request.method == "POST" else None)
        page.reload()
        expect(page.locator("#kept")).to_contain_text("sealed")
        assert [url for url in posted if url.endswith("/orders")] == []


def test_a_shared_computer_keeps_no_draft(town: Town, chromium: Browser) -> None:
    """Whoever ticks it finds an empty page after a reload, and the browser's store empty."""
    with browsing(town, chromium) as context:
        page = entered(town, context, shared=True)
        page.locator(".part .chip").first.click()
        expect(page.locator("#said")).to_have_attribute("data-state", "all")
        page.goto(f"/games/{town.game}")
        expect(page.locator("#said")).to_have_attribute("data-state", "empty")
        assert written(page) == ""
        assert page.evaluate("localStorage.length") == 0


def test_withdrawing_asks_once(town: Town, chromium: Browser) -> None:
    """The first press asks, the second withdraws."""
    with browsing(town, chromium) as context:
        page = entered(town, context)
        page.locator(".part .chip").first.click()
        expect(page.locator("#said")).to_have_attribute("data-state", "all")
        page.get_by_role("button", name="Send the orders").click()
        page.locator(".receipt.good").wait_for()
        page.get_by_role("button", name="Withdraw all your orders").click()
        page.get_by_role("button", name="Press again to confirm").click()
        page.get_by_text("Your orders are withdrawn").first.wait_for()


def test_the_page_notices_that_the_game_went_on(town: Town, chromium: Browser) -> None:
    """It offers the new position, and takes along what was being written; then the news are shown first."""
    with browsing(town, chromium) as context:
        page = entered(town, context)
        page.get_by_text("Write as text").click()
        page.locator("#text").fill("BID 2")
        expect(page.locator("#said")).to_have_attribute("data-state", "all")
        town.hall.say("s1", "BID 1")
        town.hall.say("s2", "BID 0")
        looked(page)
        expect(page.locator("#gone-on")).to_be_visible()
        page.get_by_role("link", name="Show the new position").click()
        expect(page.locator("#news")).to_be_visible()
        expect(page.locator("#text")).to_have_value("BID 2")


def test_what_was_said_since_is_marked_until_it_is_read(town: Town, chromium: Browser) -> None:
    """The tab of talk tells that something is new, the message says so, and once it was turned to it is read."""
    with browsing(town, chromium) as context:
        page = entered(town, context)
        talk = page.locator('a[href="#talk"][data-tab]')
        expect(talk).not_to_have_class("fresh")
        messages.say(town.hall.web, town.user("p2@games.test"), town.game, ["all"], "Good morning", new_token())
        page.reload()
        expect(talk).to_have_class("fresh")
        talk.click()
        expect(page.locator("#talk .unread")).to_be_visible()
        page.reload()
        expect(page.locator("#said")).to_have_attribute("data-state", "empty")
        expect(talk).not_to_have_class("fresh")
        talk.click()
        expect(page.locator("#talk")).to_contain_text("Good morning")
        expect(page.locator("#talk .unread")).to_be_hidden()


def test_a_dot_says_who_is_away(town: Town, chromium: Browser) -> None:
    """Marked by its edge and in words, once a deputy answers for the seat; whether it is awaited stays there too."""
    standing(town.hall, town.game)
    with browsing(town, chromium) as context:
        page = entered(town, context)
        dots = page.get_by_role("list", name="Seats").get_by_role("listitem")
        expect(dots.nth(1)).to_contain_text("awaited, away: a deputy answers")
        expect(dots.nth(1)).to_have_class(re.compile(r"\baway\b"))
        expect(dots.first).to_contain_text("awaited")
        expect(dots.first.get_by_text("away")).to_be_hidden()


HEARD = """
window.tones = 0;
window.AudioContext = class {
  state = "running"; currentTime = 0; destination = {};
  createGain() { return { gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} }, connect: (to) => to }; }
  createOscillator() { return { frequency: {}, connect: (to) => to, start() { window.tones += 1; }, stop() {} }; }
};
"""
"""Instead of what makes sounds: it counts them."""


def test_no_tone_is_heard_until_its_switch_is_set(town: Town, chromium: Browser) -> None:
    """Off at first, and then nothing is heard when the game goes on."""
    with browsing(town, chromium) as context:
        context.add_init_script(HEARD)
        page = entered(town, context)
        gone_on(town, page)
        assert page.evaluate("window.tones") == 0


def test_the_switch_of_the_tone_is_kept_and_then_it_is_heard(town: Town, chromium: Browser) -> None:
    """Set once it stays set when the page is loaded again, which alone makes no sound; the game that goes on does."""
    with browsing(town, chromium) as context:
        context.add_init_script(HEARD)
        page = entered(town, context)
        page.locator(".menu summary").click()
        page.get_by_label("Sound when the game goes on").check()
        page.reload()
        expect(page.locator("#said")).to_have_attribute("data-state", "empty")
        expect(page.locator("#sound")).to_be_checked()
        assert page.evaluate("window.tones") == 0
        gone_on(town, page)
        assert page.evaluate("window.tones") > 0


def test_on_a_shared_computer_the_switch_is_not_kept(town: Town, chromium: Browser) -> None:
    """It can be set while the page is open, and is off again on the next."""
    with browsing(town, chromium) as context:
        context.add_init_script(HEARD)
        page = entered(town, context, shared=True)
        page.locator(".menu summary").click()
        page.get_by_label("Sound when the game goes on").check()
        assert page.evaluate("window.tones") > 0
        page.reload()
        expect(page.locator("#sound")).not_to_be_checked()


def gone_on(town: Town, page: Page) -> None:
    """Everybody answers, and the page notices it."""
    town.hall.say("s1", "BID 1")
    town.hall.say("s2", "BID 0")
    looked(page)
    expect(page.locator("#gone-on")).to_be_visible()
