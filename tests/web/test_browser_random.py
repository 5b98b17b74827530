"""Whatever is clicked on the play page: what it offers is accepted, nothing fails, and one can always go on."""

import random
import re
from collections import Counter
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from engine import GAMES
from tests.budget import budget
from tests.screenshots.sample_server import FEW, ROUNDS
from tests.web.boards import opened
from tests.web.browser_players import in_front, open_questions
from tests.web.chromium import ASIDE, at_orders

CLICKS = budget(40, 250)
"""At each of two positions of a game."""

HITS = """kinds => {
  const here = [];
  for (const thing of document.querySelectorAll(kinds.join())) {
    const box = thing.getBoundingClientRect();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const hit = document.elementFromPoint(x, y);
    if (hit && (hit === thing || thing.contains(hit))) here.push([x, y, thing.outerHTML.slice(0, 90)]);
  }
  return here;
}"""
"""The middles of all things of some kinds that a click would hit now."""

KINDS = [
    ".chip",
    ".verbs button",
    "#map svg [data-name]",
    ".piece-afloat > rect",
    "#hand .pick",
    "#judged button",
    "#look button",
    ".pad button",
    ".undo button",
    ".mark",
    "[data-tab]",
    ".zoom button",
    "#grow",
]
"""What is clicked: all that writes, moves or folds, and nothing that sends or leads elsewhere."""


REFUSED = """() => {
  const rows = document.getElementById('text').value.split('\\n');
  return [...document.querySelectorAll('#judged .refused')].map(line => rows[line.dataset.line - 1]);
}"""

TAKES_BACK = re.compile(r'aria-label="Remove this line:|data-undo|data-redo')
"""What takes a line away, or goes back: it offers nothing, and what stood on the line may fall with it."""


def emptied(page: Page) -> None:
    """Nothing is written."""
    page.locator("#text").evaluate("text => { text.value = ''; text.dispatchEvent(new Event('input')); }")
    expect(page.locator("#said")).to_have_attribute("data-state", "empty")


def judged(page: Page) -> str:
    """What the judge says of all that is written."""
    said = page.locator("#said")
    expect(page.locator("#desk")).not_to_have_attribute("aria-busy", "true")
    expect(said).not_to_have_attribute("data-state", "busy")
    return said.get_attribute("data-state") or ""


def every_offer_is_accepted(page: Page) -> None:
    """Each likely line of each open question, clicked alone."""
    for key in open_questions(page):
        for n in range(in_front(page, key).locator(".chip").count()):
            emptied(page)
            in_front(page, key).locator(".chip").nth(n).evaluate("button => button.click()")
            expect(page.locator("#text")).not_to_have_value("")
            assert judged(page) == "all", page.locator("#text").input_value()
    emptied(page)


def refusals(page: Page) -> Counter[str]:
    """The rows that the judge refuses."""
    rows = page.evaluate(REFUSED)
    return Counter(str(row) for row in rows)


def clicked(page: Page, chance: random.Random, times: int) -> list[str]:
    """Whatever can be hit, again and again, and the whole set judged behind each; now and then the tray is scrolled.

    No click leaves a line refused that was not refused before, but one that takes something back.
    """
    done: list[str] = []
    for _ in range(times):
        text, before = page.locator("#text").input_value(), refusals(page)
        if chance.random() < 0.2:
            page.locator("#orders").evaluate("(tray, top) => { tray.scrollTop = top; }", chance.randrange(2000))
        hits = page.evaluate(HITS, KINDS)
        x, y, what = chance.choice(hits)
        done.append(what)
        page.mouse.click(x, y)
        judged(page)
        if not TAKES_BACK.search(what):
            assert not refusals(page) - before, (what, text, page.locator("#text").input_value())
    return done


@pytest.mark.parametrize(
    ("title", "width"),
    [
        pytest.param(title, 390 if n % 2 else 1280, marks=pytest.mark.night if n else pytest.mark.long)
        for n, title in enumerate(GAMES)
    ],
)
def test_clicks_at_random_reach_no_dead_end(state_dir: Path, chromium: Browser, title: str, width: int) -> None:
    """Every line offered is accepted alone; hundreds of clicks write none that is refused in company of the others, and
    leave no error in the console and nothing wider than the screen; then an offered line counts, and can be sent.
    """
    chance = random.Random(title)
    for rounds in (0, ROUNDS.get(title, FEW)):
        harness, _, game = opened(state_dir / str(rounds), title, rounds=rounds, asks="any")
        with at_orders(harness, game, chromium, width) as (page, noted):
            every_offer_is_accepted(page)
            done = clicked(page, chance, CLICKS)
            judged(page)
            assert noted == [], done[-5:]
            assert page.evaluate(ASIDE) <= width
            emptied(page)
            page.get_by_role("link", name="Orders", exact=True).click()
            in_front(page, open_questions(page)[0]).locator(".chip").first.evaluate("button => button.click()")
            assert judged(page) == "all"
            page.get_by_role("button", name="Send the orders").click()
            page.locator(".receipt.good").wait_for()
            assert noted == []
