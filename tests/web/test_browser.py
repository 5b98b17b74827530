"""The play page of the smallest game in a real browser: by forms alone, with scripts, and what a browser keeps."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, expect

from pbem.crypto import new_token
from pbem.service.messages import messages
from tests.archive.bots import play_on
from tests.service.test_deputies import standing
from tests.web.chromium import ASIDE, browsing, entered, errors_of
from tests.web.conftest import Town
from tests.web.form_browser import site

TWICE = """(button) => {
  button.click();
  button.click();
  return [button.getAttribute("aria-disabled"), document.getElementById("still-open").textContent];
}"""
HEARD = """
window.tones = 0;
window.AudioContext = class {
  state = "running"; currentTime = 0; destination = {};
  createGain() { return { gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} }, connect: (to) => to }; }
  createOscillator() { return { frequency: {}, connect: (to) => to, start() { window.tones += 1; }, stop() {} }; }
};
"""
"""Instead of what makes sounds: it counts them."""


@contextmanager
def playing(town: Town, chromium: Browser, width: int = 1280, *, shared: bool = False) -> Iterator[Page]:
    """The page of the first player, who owes a bid."""
    with browsing(site(town.harness), chromium, width) as context:
        context.add_init_script(HEARD)
        yield at_seat(town, context, shared=shared)


def at_seat(town: Town, context: BrowserContext, address: str = "p1@games.test", *, shared: bool = False) -> Page:
    """The page of a player's seat, once its script has looked at what is written."""
    page = entered(town.harness, context, address, shared=shared)
    page.goto(f"/games/{town.game}")
    expect(page.locator("#said")).to_have_attribute("data-state", "empty")
    return page


def send_button(page: Page) -> Locator:
    """The button that sends."""
    return page.get_by_role("button", name="Send the orders")


def offered(page: Page) -> str:
    """Choose the first likely line, and return it once the judge has accepted it."""
    page.locator(".part .chip").first.click()
    expect(page.locator("#said")).to_have_attribute("data-state", "all")
    return page.locator("#text").input_value()


def test_a_turn_without_scripts_on_a_small_screen(town: Town, chromium: Browser) -> None:
    """Sign in, build a line from lists, preview, send, read back: by forms alone, at 360 pixels."""
    with browsing(site(town.harness), chromium, 360, java_script_enabled=False) as context:
        page = entered(town.harness, context)
        noted = errors_of(page)
        page.get_by_role("link", name="Rose").click()
        page.get_by_text("More orders, from lists").first.click()
        page.get_by_label("coins").fill("3")
        page.get_by_role("button", name="Add this line BID").click()
        expect(page.get_by_label("Orders, one a line")).to_have_value(re.compile("BID 3"))
        page.get_by_role("button", name="Preview").click()
        expect(page.get_by_text("everything would be accepted")).to_be_visible()
        send_button(page).click()
        expect(page.get_by_text("Your orders are in.")).to_be_visible()
        page.get_by_role("button", name="Read back what I sent").click()
        town.harness.run_queued_tasks()
        page.get_by_text("Shown once").wait_for()
        expect(page.locator("pre", has_text="BID 3")).to_be_visible()
        assert noted == []


def test_an_amount_is_stepped_in_its_question(town: Town, chromium: Browser) -> None:
    """Before it is written from the likely amount, then from the written one; by a click and by a key."""
    with playing(town, chromium, 390) as page:
        amount, text = page.locator(".part .amount"), page.locator("#text")
        likely = int(amount.locator("output.likely").inner_text())
        amount.get_by_role("button", name="One more").click()
        expect(text).to_have_value(f"BID {likely + 1}\n")
        amount.get_by_role("button", name="One less").press("Enter")
        expect(text).to_have_value(f"BID {likely}\n")
        expect(amount.locator("output")).to_have_text(str(likely))
        expect(amount.get_by_role("button", name="One less")).to_be_focused()


def test_text_and_clicks_are_one_thing(town: Town, chromium: Browser) -> None:
    """What is clicked can be edited, what is written can be clicked away, each line is judged as it is typed, and what
    was done is undone; the button that sends is off, with its reason, for what would be refused.
    """
    with playing(town, chromium, 360) as page:
        said, text, why = page.locator("#said"), page.locator("#text"), page.locator("#sending-why")
        expect(said).to_have_attribute("aria-live", "polite")
        expect(send_button(page)).to_have_attribute("aria-disabled", "true")
        expect(why).to_have_text("Nothing to send yet.")
        page.get_by_text("Write as text").click()
        text.fill("BID 99")
        expect(said).to_have_attribute("data-state", "none")
        expect(why).to_contain_text("This would be refused")
        expect(send_button(page)).to_have_attribute("aria-disabled", "true")
        page.locator("#judged .refused [data-use]").click()
        expect(said).to_have_attribute("data-state", "all")
        expect(send_button(page)).to_have_attribute("aria-disabled", "false")
        page.locator(".part .chip").first.click()
        assert text.input_value().count("BID") == 1
        before = text.input_value()
        page.locator("#judged").get_by_role("button", name="One more").click()
        expect(text).not_to_have_value(before)
        page.get_by_role("button", name="Remove this line").click()
        expect(text).to_have_value("")
        expect(said).to_have_attribute("data-state", "empty")
        line = offered(page)
        page.get_by_role("button", name="Undo").click()
        expect(text).to_have_value("")
        page.get_by_role("button", name="Redo").click()
        expect(text).to_have_value(line)
        page.locator("h1").first.click()
        page.keyboard.press("Control+z")
        expect(text).to_have_value("")
        page.keyboard.press("Control+y")
        expect(text).to_have_value(line)
        assert page.evaluate(ASIDE) <= 360


@pytest.mark.parametrize("width", [390, pytest.param(1280, marks=pytest.mark.night)])
def test_parts_stand_behind_tabs_and_nothing_sticks_out(town: Town, chromium: Browser, width: int) -> None:
    """Each part takes the sheet of a phone, and on a desk the column beside the board."""
    with playing(town, chromium, width) as page:
        noted = errors_of(page)
        tabs = page.get_by_role("navigation", name="Parts of the page")
        for name, part in (("News", "#news"), ("Talk", "#talk"), ("Table", "#table"), ("Orders", "#orders")):
            tabs.get_by_role("link", name=name, exact=True).click()
            expect(page.locator(part)).to_be_visible()
            expect(page.locator("#orders")).to_be_visible(visible=part == "#orders")
            send_button(page).hover(trial=True)
            assert page.evaluate(ASIDE) <= width
        expect(send_button(page)).to_be_in_viewport()
        assert noted == []


@pytest.mark.long
def test_what_was_sent_is_not_sent_again_until_it_is_changed(town: Town, chromium: Browser) -> None:
    """From the press on, while the answer and then the judge are awaited, the button is off and says why; loaded again
    the page posts no form, and shows what was sent as sealed; to withdraw it asks once.
    """
    with playing(town, chromium, 390) as page:
        line, why = offered(page), page.locator("#sending-why")
        posted: list[str] = []
        page.on("request", lambda request: posted.append(request.url) if request.method == "POST" else None)
        held: list[Route] = []
        page.route("**/preview", lambda route: held.append(route))
        assert send_button(page).evaluate(TWICE) == ["true", "Sending."]
        page.locator(".receipt.good").wait_for()
        while not held:
            page.wait_for_timeout(20)
        expect(send_button(page)).to_have_attribute("aria-disabled", "true")
        expect(why).to_contain_text("Already sent")
        page.unroute_all()
        page.wait_for_url(f"**/games/{town.game}")
        page.reload()
        expect(page.locator("#text")).to_have_value(line)
        expect(page.locator("#kept")).to_contain_text("sealed")
        assert len([url for url in posted if url.endswith("/orders")]) == 1
        expect(page.locator("#judged .ok").first).to_be_attached()
        expect(send_button(page)).to_have_attribute("aria-disabled", "true")
        expect(why).not_to_contain_text("replaces what is in")
        page.get_by_text("Write as text").click()
        page.locator("#text").fill("BID 2")
        expect(send_button(page)).to_have_attribute("aria-disabled", "false")
        expect(why).not_to_contain_text("Already sent")
        page.get_by_role("button", name="Withdraw all your orders").click()
        page.get_by_role("button", name="Press again to confirm").click()
        page.get_by_text("Your orders are withdrawn").first.wait_for()


@pytest.mark.long
def test_a_draft_stays_in_this_browser_for_its_writer(town: Town, chromium: Browser) -> None:
    """A draft is there after a reload; somebody else in this browser finds none."""
    with playing(town, chromium) as page:
        line = offered(page)
        page.goto(f"/games/{town.game}")
        expect(page.locator("#text")).to_have_value(line)
        expect(page.locator("#kept")).to_contain_text("Your unsent lines")
        expect(page.locator("#said")).to_have_attribute("data-state", "all")
        other = at_seat(town, page.context, "p2@games.test")
        assert line.strip() not in other.evaluate("JSON.stringify(localStorage)")


def test_a_shared_computer_keeps_nothing(town: Town, chromium: Browser) -> None:
    """Whoever ticks it finds an empty page and the tone off after a reload, and the browser's store empty; what was
    sent is not sent again all the same.
    """
    with playing(town, chromium, shared=True) as page:
        page.locator(".menu summary").click()
        page.get_by_label("Play a sound when the game goes on").check()
        assert page.evaluate("window.tones") > 0
        page.locator(".menu summary").click()
        offered(page)
        page.reload()
        expect(page.locator("#said")).to_have_attribute("data-state", "empty")
        expect(page.locator("#text")).to_have_value("")
        expect(page.locator("#sound")).not_to_be_checked()
        assert page.evaluate("localStorage.length") == 0
        offered(page)
        send_button(page).click()
        page.locator(".receipt.good").wait_for()
        expect(page.locator("#judged .ok").first).to_be_attached()
        expect(send_button(page)).to_have_attribute("aria-disabled", "true")
        expect(page.locator("#sending-why")).to_contain_text("Already sent")


@pytest.mark.parametrize("tone", [False, pytest.param(True, marks=pytest.mark.night)])
def test_the_page_notices_that_the_game_went_on(town: Town, chromium: Browser, tone: bool) -> None:
    """It offers the new position, and takes along what was being written; then the news are shown first.

    The switch of the tone is off at first, and stays set when the page is loaded again, which alone makes no sound.
    """
    with playing(town, chromium) as page:
        if tone:
            page.locator(".menu summary").click()
            page.get_by_label("Play a sound when the game goes on").check()
            page.reload()
            expect(page.locator("#said")).to_have_attribute("data-state", "empty")
            expect(page.locator("#sound")).to_be_checked()
        page.get_by_text("Write as text").click()
        page.locator("#text").fill("BID 2")
        expect(page.locator("#said")).to_have_attribute("data-state", "all")
        assert page.evaluate("window.tones") == 0
        town.harness.reply("s1", "BID 1")
        town.harness.reply("s2", "BID 0")
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        expect(page.locator("#gone-on")).to_be_visible()
        assert (page.evaluate("window.tones") > 0) == tone
        page.get_by_role("link", name="Show the new position").click()
        expect(page.locator("#news")).to_be_visible()
        expect(page.locator("#text")).to_have_value("BID 2")


@pytest.mark.long
def test_a_touch_that_comes_after_the_game_went_on_says_so(town: Town, chromium: Browser) -> None:
    """Nothing more is legal on the page; nothing failed, and the console notes no error."""
    with playing(town, chromium) as page:
        noted = errors_of(page)
        for seat, line in (("s1", "BID 1"), ("s2", "BID 0")):
            town.harness.reply(seat, line)
        page.locator(".part .verbs button").first.click()
        expect(page.locator("#said")).to_have_text("The game has moved on.")
        assert noted == []


@pytest.mark.long
def test_what_others_say_and_who_is_away_is_marked(town: Town, chromium: Browser) -> None:
    """The tab of talk tells that something is new, the message says so, and once it was turned to it is read; the panel
    of a seat for which a deputy answers says so by its edge and in words.
    """
    with playing(town, chromium) as page:
        talk = page.locator('a[href="#talk"][data-tab]')
        expect(talk).not_to_have_class("fresh")
        messages.send(town.harness.web, town.user("p2@games.test"), town.game, ["all"], "Good morning", new_token())
        standing(town.harness, town.game)
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
        panels = page.get_by_role("list", name="Seats").get_by_role("listitem")
        expect(panels.nth(1)).to_contain_text("awaited, away: a deputy answers")
        expect(panels.nth(1)).to_have_class(re.compile(r"\baway\b"))
        expect(panels.first).to_contain_text("awaited")
        expect(panels.first.get_by_text("away")).to_be_hidden()


@pytest.mark.night
def test_the_link_of_a_table_is_copied_by_its_button(town: Town, chromium: Browser) -> None:
    """The button is there where the browser has a clipboard, puts the link there, and says so."""
    with browsing(town.app, chromium, permissions=["clipboard-read", "clipboard-write"]) as context:
        page = entered(town.harness, context)
        page.get_by_role("link", name="Open a table").click()
        page.get_by_role("button", name="Open the table").click()
        town.harness.run_queued_tasks()
        page.get_by_role("button", name="Make a link").click()
        page.get_by_role("button", name="Copy").click()
        expect(page.get_by_role("button", name="Copied")).to_be_visible()
        link = page.get_by_label("The link to this table").input_value()
        assert page.evaluate("navigator.clipboard.readText()") == link != ""


@pytest.mark.long
def test_a_finished_game_is_walked_through_in_one_page_as_each_seat_saw_it(over: Town, chromium: Browser) -> None:
    """Earlier, later, another seat, and the walk beyond an entry's last sentence load nothing; back leads back."""
    with browsing(site(over.harness), chromium) as context:
        page = entered(over.harness, context)
        page.goto(f"/records/{over.game}/public/{over.harness.load_game(over.game).entry - 6}")
        expect(page.locator("#map .frame svg")).to_be_visible()
        drawn, story = page.locator("#map .frame").bounding_box(), page.locator("#news").bounding_box()
        assert drawn is not None
        assert story is not None
        assert story["x"] >= drawn["x"] + drawn["width"] > 700, "the board has the larger part, its story is beside it"
        page.evaluate("window.stayed = true")
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
        assert page.evaluate("window.stayed"), "no other page was loaded"


@pytest.mark.long
def test_the_history_of_a_game_under_way_is_walked_by_its_slider(town: Town, chromium: Browser) -> None:
    """A pressed sentence is the current one; the slider steps without loading a page, and keeps the focus."""
    play_on(town.harness, town.game, 6)
    with browsing(site(town.harness), chromium) as context:
        page = entered(town.harness, context)
        page.goto(f"/games/{town.game}/history")
        lines = page.locator("#news .story > li")
        for n in range(lines.count()):
            lines.nth(n).click()
            expect(lines.nth(n)).to_have_attribute("aria-current", "step")
        page.evaluate("window.stayed = true")
        slider = page.locator("#slide")
        slider.focus()
        slider.press("Home")
        expect(page.locator('a[rel="prev"]')).to_have_count(0)
        expect(slider).to_be_focused()
        assert page.evaluate("window.stayed"), "no other page was loaded"
