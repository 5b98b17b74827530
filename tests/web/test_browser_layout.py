"""What a player needs is within the window, legible, and under nothing else: measured in a browser, at eight sizes.

One game is measured with the other long tests, the others at night.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from engine import GAMES
from tests.screenshots.sample_server import Sights, build_town
from tests.web.boards import opened
from tests.web.chromium import ASIDE, browsing, entered
from tests.web.first_orders import IN_SIGHT

SIZES = ((1920, 1080), (1366, 768), (1280, 800), (1024, 768), (844, 390), (768, 1024), (640, 400), (390, 844))
"""Desks, tablets and phones; 640x400 is also a desk at 200 %."""
AT_400 = (320, 200)
"""A desk at 400 %."""
DESKS = tuple(size for size in SIZES if size[0] >= 1100)
BESIDE = ((1024, 768), (844, 390), (768, 1024), (640, 400))
"""Where board and column stand side by side."""
PHONE = (390, 844)
SMALLEST = 11
MOST_BLANK = 0.08
SEATS = {"diplomacy": (7, 2)}
"""Where there are not three seats with four figures or more: how many of each."""
NO_HAND = {"diplomacy"}
MAPS = ("age_of_renaissance", "renaissance")

SHOWN = """() => {
  const frame = document.querySelector('#map .frame').getBoundingClientRect();
  const svg = document.querySelector('#map .frame svg');
  const scale = svg.getScreenCTM().a;
  const beside = box => box.left < frame.left || box.right > frame.right;
  const inside = box => box.width && !beside(box) && box.top >= frame.top && box.bottom <= frame.bottom;
  const texts = [...svg.querySelectorAll('text')].filter(text => inside(text.getBoundingClientRect()));
  return texts.map(text => parseFloat(text.getAttribute('font-size')) * scale);
}"""
"""The height of the letters of each word of the board that is wholly seen."""

COVERED = """() => {
  const svg = document.querySelector('#map .frame svg');
  const [x, y, w, h] = svg.getAttribute('viewBox').split(' ').map(Number);
  const hovers = document.querySelector('.piece-afloat > rect');
  const room = hovers ? 2 * hovers.getAttribute('width') : 0;
  const board = document.querySelector('#map').dataset.whole.split(' ').map(Number);
  const whole = [board[0] - room, board[1] - room, board[2] + 2 * room, board[3] + 2 * room];
  const across = Math.min(x + w, whole[0] + whole[2]) - Math.max(x, whole[0]);
  const down = Math.min(y + h, whole[1] + whole[3]) - Math.max(y, whole[1]);
  return (across * down) / (w * h);
}"""
"""The share of the frame in which there is a board, or room beside it where the piece that hovers can be laid."""

OVERLAPS = """() => {
  const frame = document.querySelector('#map .frame').getBoundingClientRect();
  const beside = box => box.left < frame.left || box.right > frame.right;
  const inside = box => box.width && !beside(box) && box.top >= frame.top && box.bottom <= frame.bottom;
  const level = text => Math.abs(text.getScreenCTM().b) < 1e-6;
  const texts = [...document.querySelectorAll('#map .frame svg text')].filter(level)
    .map(text => [text.textContent, text.getBoundingClientRect()]).filter(([, box]) => inside(box));
  const size = box => box.width * box.height, found = [];
  for (const [n, [one, a]] of texts.entries()) for (const [other, b] of texts.slice(n + 1)) {
    const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (across > 0 && down > 0 && across * down > 0.2 * Math.min(size(a), size(b))) found.push(`${one} | ${other}`);
  }
  return found;
}"""
"""The pairs of level words on the board of which one lies over a fifth of the other; a sea's name is written aslant."""

WHOLE = "one => one.scrollWidth <= one.clientWidth"
"""Whether all words of a line are seen."""

BOXES = """names => names.map(name => {
  const thing = document.querySelector(name);
  if (!thing || !thing.checkVisibility()) return null;
  const box = thing.getBoundingClientRect();
  return {left: box.left, top: box.top, right: box.right, bottom: box.bottom, width: box.width, height: box.height};
})"""


@pytest.fixture(scope="module")
def town() -> Iterator[Sights]:
    """A server with a table of each game."""
    with TemporaryDirectory(prefix="pbem-layout-") as folder:
        yield build_town(Path(folder))


@contextmanager
def at_seat(town: Sights, browser: Browser, title: str, size: tuple[int, int], **more: Any) -> Iterator[Page]:
    """The page of a seat at its orders, in a window of this size, once its board is there."""
    viewport = {"width": size[0], "height": size[1]}
    with browsing(town.app, browser, viewport=viewport, **more) as context:
        page = entered(town.harness, context)
        page.goto(f"{town.path(f'seat_page-{title}')}#orders")
        page.locator("#map .frame svg").wait_for()
        yield page


def boxes(page: Page, *names: str) -> list[Any]:
    """Where things are on the screen, each by its selector; None for what is not shown."""
    found: list[Any] = page.evaluate(BOXES, list(names))
    return found


def titles() -> Iterator[Any]:
    """The games: the first with the other long tests, the others at night."""
    for number, title in enumerate(GAMES):
        yield pytest.param(title, marks=pytest.mark.night if number else pytest.mark.long)


def resized(page: Page, size: tuple[int, int]) -> None:
    """The page in another window, as it is when it is opened there."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.reload()
    page.locator("#map .frame svg").wait_for()


@pytest.mark.parametrize("title", list(titles()))
def test_a_board_opens_legible_and_fills_its_frame(town: Sights, chromium: Browser, title: str) -> None:
    """At every size the smallest letters on the board are 11 pixels high, words do not lie over each other, and at most
    8 % of the frame is blank; a map that is shown whole on a desk has no more blank, and no letters that are smaller.
    """
    with at_seat(town, chromium, title, SIZES[0]) as page:
        for size in SIZES:
            resized(page, size)
            shown = page.evaluate(SHOWN)
            assert len(shown) > 5, size
            assert min(shown) >= SMALLEST - 0.1, size
            assert page.evaluate(COVERED) >= 1 - MOST_BLANK, size
            assert page.evaluate(OVERLAPS) == [], size
            assert page.evaluate(ASIDE) <= size[0]
            if title in MAPS and size in DESKS:
                page.get_by_role("button", name="The whole board").click()
                assert page.evaluate(COVERED) >= 1 - MOST_BLANK, size
                assert min(page.evaluate(SHOWN), default=SMALLEST) >= SMALLEST - 0.1, size


@pytest.mark.parametrize("title", list(titles()))
def test_board_question_send_and_players_are_in_sight(town: Sights, chromium: Browser, title: str) -> None:
    """At every size the board, what is asked, the button that sends and the players are within the window and cover
    nothing of each other; the column with the orders is as high and wide as it must be to write in it.
    """
    with at_seat(town, chromium, title, SIZES[0]) as page:
        for size in SIZES:
            resized(page, size)
            wide, high = size
            frame, players, column, orders, send = boxes(
                page, "#map .frame", ".players", ".tray", "#orders", ".sending"
            )
            for box in (frame, players, column, orders, send):
                assert box is not None, size
                assert box["left"] >= 0, size
                assert box["right"] <= wide + 1 or box is players, size
                assert box["bottom"] <= high + 1 or box is players, size
            assert frame["height"] >= high / 4, size
            if size in DESKS:
                assert column["width"] == 380
            if size in (*DESKS, *BESIDE):
                assert column["left"] >= frame["right"] - 1, size
                assert column["width"] >= 300, size
                assert column["height"] >= 0.45 * high, size
                assert orders["height"] >= 0.3 * high, size
            else:
                assert column["top"] >= frame["bottom"], size
                assert boxes(page, ".asked")[0]["bottom"] <= frame["top"] + 1
                assert orders["height"] >= 0.2 * high, size
            asked = boxes(page, ".asked" if size == PHONE else ".step .question")[0]
            assert asked["top"] < send["top"], size
            if size in (*DESKS, PHONE, (844, 390)):
                page.locator(".part button").first.wait_for()
                answer, send = boxes(page, ".part button", ".sending")
                assert answer["bottom"] <= send["top"] + 1, f"{size}: no answer is in sight"


@pytest.mark.parametrize("title", list(titles()))
def test_the_figures_of_all_players_stand_beside_the_board(town: Sights, chromium: Browser, title: str) -> None:
    """On a desk and a tablet the panel of each player, with name, figures, cards and whether orders are in, is within
    the window; on a phone a tap on a chip opens it there.
    """
    with at_seat(town, chromium, title, SIZES[0]) as page:
        for size in SIZES:
            resized(page, size)
            panels = page.locator(".players > li")
            seats, least = SEATS.get(title, (3, 4))
            assert panels.count() == seats
            for panel in panels.all():
                figures = panel.locator(".figures")
                if size[1] < 600 or size[0] < 700:
                    expect(figures).to_be_hidden()
                    panel.locator("summary").click()
                expect(figures).to_be_visible()
                assert figures.locator("dt").count() >= least
                box = figures.bounding_box()
                assert box is not None
                assert 0 <= box["x"] <= box["x"] + box["width"] <= size[0] + 1, size
                assert 0 <= box["y"] <= box["y"] + box["height"] <= size[1] + 1, size
                page.keyboard.press("Escape")


@pytest.mark.parametrize("title", list(titles()))
def test_news_talk_and_table_cover_no_board_on_a_desk(town: Sights, chromium: Browser, title: str) -> None:
    """Each opens in the column beside the board, which stays where it is."""
    with at_seat(town, chromium, title, (1280, 800)) as page:
        before = boxes(page, "#map .frame")[0]
        for name, part in (("News", "#news"), ("Talk", "#talk"), ("Table", "#table")):
            page.get_by_role("link", name=name, exact=True).click()
            frame, shown = boxes(page, "#map .frame", part)
            assert frame == before
            assert shown["left"] >= frame["right"] - 1


@pytest.mark.parametrize("title", list(titles()))
def test_a_page_enlarged_four_times_can_be_used(town: Sights, chromium: Browser, title: str) -> None:
    """At 400 % the page scrolls in one direction only; board, parts and the button that sends can be reached."""
    with at_seat(town, chromium, title, AT_400) as page:
        assert page.evaluate(ASIDE) <= AT_400[0]
        for name, part in (
            ("Orders", "#orders"),
            ("News", "#news"),
            ("Hand", "#hand"),
            ("Table", "#table"),
            ("Orders", "#orders"),
        ):
            if name == "Hand" and title in NO_HAND:
                expect(page.get_by_role("link", name=name, exact=True)).to_have_count(0)
                continue
            page.get_by_role("link", name=name, exact=True).click()
            expect(page.locator(part)).to_be_visible()
        for thing in ("#map .frame", "#orders .question", ".sending .main"):
            page.locator(thing).first.scroll_into_view_if_needed()
            expect(page.locator(thing).first).to_be_in_viewport(ratio=0.5)


@pytest.mark.long
def test_the_sheet_of_a_phone_has_three_heights_and_send_stays(town: Sights, chromium: Browser) -> None:
    """A low sheet leaves the board the room, a high one takes all of it, by taps and by keys; the button that sends
    stays in sight.
    """
    with at_seat(town, chromium, MAPS[0], PHONE) as page:
        handle, send = page.locator("#grow"), page.locator(".sending .main")
        heights = []
        for _ in range(3):
            heights.append(boxes(page, ".tray")[0]["height"])
            expect(send).to_be_in_viewport(ratio=1)
            handle.click()
        half, full, peek = heights
        assert peek < 0.3 * PHONE[1] < half < 0.6 * PHONE[1] < full
        handle.press("ArrowDown")
        assert boxes(page, ".tray")[0]["height"] == peek


@pytest.mark.long
def test_a_phone_cuts_no_words_off(town: Sights, chromium: Browser) -> None:
    """The question takes two lines, and all it needs where the sheet is full; where the game stands, what an order
    would change and the buttons of a replay have the room that they need.
    """
    with at_seat(town, chromium, "amalfi", PHONE, has_touch=True) as page:
        asked = page.locator(".asked")
        size = float(asked.evaluate("one => parseFloat(getComputedStyle(one).lineHeight)"))
        assert boxes(page, ".asked")[0]["height"] < 3 * size
        page.locator("#grow").click()
        assert asked.evaluate("one => one.scrollHeight <= one.clientHeight + 1")
        page.locator("#grow").click()
        page.locator("#grow").click()
        assert page.locator(".course .at").evaluate(WHOLE)
        page.locator("#map .can").first.dispatch_event("pointerdown", {"pointerType": "touch"})
        page.locator("#map .can").first.dispatch_event("click")
        chips = page.locator("#look .chip")
        expect(chips.first).to_be_visible()
        panel = boxes(page, "#look")[0]
        for box in chips.evaluate_all("all => all.map((one) => one.getBoundingClientRect().right)"):
            assert box <= panel["right"]
        page.locator('a[href="#news"][data-tab]').click()
        tops = page.locator(".walk > *").evaluate_all("all => all.map((one) => one.getBoundingClientRect())")
        assert max(box["top"] for box in tops) < min(box["bottom"] for box in tops), "one row"


@pytest.mark.long
def test_a_question_keeps_to_its_column(town: Sights, chromium: Browser) -> None:
    """In a low window its rule and what becomes of no answer are lines that would be wider than the column."""
    with at_seat(town, chromium, "renaissance", (844, 390)) as page:
        tray, question = boxes(page, ".tray", ".step.owed")
        assert question["right"] <= tray["right"]


@pytest.mark.long
def test_what_can_be_bought_is_seen_four_at_once_and_no_word_stands_twice(state_dir: Path, chromium: Browser) -> None:
    """Advances are narrow cards on a desk; a way to write that is a whole order is suggested and no button besides."""
    harness, guest, game = opened(state_dir, asks="purchases")
    with browsing(guest.client.application, chromium, viewport={"width": 1280, "height": 800}) as context:
        page = entered(harness, context)
        page.goto(f"/games/{game}#orders")
        page.locator(".part .chip").first.wait_for()
        for n in range(4):
            expect(page.locator(".shelf > li").nth(n)).to_be_in_viewport(ratio=1)
        verbs = page.locator(".part .verbs button").all_inner_texts()
        assert len(verbs) > 2
        assert not set(verbs) & set(page.locator(".part .chip").all_inner_texts())


@pytest.mark.night
def test_a_suggested_line_is_in_sight_and_does_not_repeat_the_title_above_it(town: Sights, chromium: Browser) -> None:
    """On a phone, whatever the number of ways to write. It is written with the title all the same."""
    with at_seat(town, chromium, "amalfi", PHONE) as page:
        expect(page.locator(".part .verbs button").nth(6)).to_be_attached()
        expect(page.locator(".part .chip").first).to_be_in_viewport(ratio=1)
        assert page.locator(".part .chip").first.evaluate(IN_SIGHT)
        title = page.locator(".part > h3").evaluate("one => one.firstChild.data.trim()")
        chip = page.locator(".part .chip").first
        expect(chip).to_have_attribute("data-line", re.compile(f"^{title}: "))
        expect(chip).not_to_contain_text(":")
        chip.click()
        expect(page.locator("#text")).to_have_value(re.compile(f"^{title}: "))


@pytest.mark.long
def test_a_browser_without_scripts_gets_everything_one_below_the_other(town: Sights, chromium: Browser) -> None:
    """Players with their figures, what is asked, the field of orders and the table are there without a script."""
    with browsing(town.app, chromium, 390, java_script_enabled=False) as context:
        page = entered(town.harness, context)
        page.goto(town.path(f"seat_page-{MAPS[0]}"))
        for thing in ("#map img", ".players .figures", ".step .question", "#text", "#board", ".sending .main"):
            expect(page.locator(thing).first).to_be_visible()
        assert page.evaluate(ASIDE) <= 390
