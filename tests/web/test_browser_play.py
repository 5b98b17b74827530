"""A whole turn in a real browser, scripts on: by clicks alone, by keys alone; and what the page says of each line."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, expect

from engine import GAMES
from pbem.service.seats import signing_in, tables
from pbem.store.models import DecisionRow
from pbem.web import Look, make
from tests.service.hall import Hall, build, seated
from tests.serving import served
from tests.web.conftest import Town
from tests.web.guests import Plain
from tests.web.test_browser import CHROMIUM, PATIENCE_MS, chromium, go_in, signed_in

__all__ = ["chromium"]

pytestmark = pytest.mark.skipif(not CHROMIUM, reason="no chromium: set PBEM_CHROMIUM or put one on the PATH")

SEATS = 4
MOST_TABS = 8

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

WAY = """name => {
  const middle = thing => {
    const box = thing.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const goal = [...document.querySelectorAll('svg [data-name]')].find(p => p.getAttribute('data-name') === name);
  if (goal === document.activeElement) return '';
  const [x, y] = middle(document.activeElement), [left, top] = middle(goal);
  const [across, down] = [left - x, top - y];
  if (Math.abs(across) > Math.abs(down)) return across > 0 ? 'ArrowRight' : 'ArrowLeft';
  return down > 0 ? 'ArrowDown' : 'ArrowUp';
}"""
"""The arrow that leads nearest to a place of the map; nothing once it is reached."""

STEPS = """thing => {
  const goal = thing instanceof SVGElement ? thing.closest('svg').querySelector('[data-name][tabindex="0"]') : thing;
  const kinds = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]';
  const stops = [...document.querySelectorAll(kinds)].filter(stop => stop.checkVisibility() && !stop.disabled);
  return stops.indexOf(goal) - stops.indexOf(document.activeElement);
}"""
"""How many stops of the Tab key away something is; on the map all places together are one stop."""

ASIDE = "document.documentElement.scrollWidth"
"""How wide a page is, with what sticks out of the screen."""

Act = Callable[[Page, Locator], None]


@dataclass
class Player:
    """A player with a browser of their own; every error that it notes fails the test."""

    hall: Hall
    game: str
    seat: str
    page: Page
    act: Act
    noted: list[str]

    @property
    def asked(self) -> bool:
        """Return True if the table waits for the player."""
        rows = self.hall.rows(DecisionRow)
        return any(row.seat == self.seat and row.blocking and row.answered_at is None for row in rows)

    def choose(self, what: Locator) -> None:
        """Choose something in the way of this player."""
        self.act(self.page, what)

    @property
    def text(self) -> str:
        """What stands in the field of orders."""
        return self.page.locator("#text").input_value()


def errors_of(page: Page) -> list[str]:
    """Every error and warning that a page's console notes from now on."""
    noted: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            noted.append(message.text)

    page.on("console", note)
    page.on("pageerror", lambda error: noted.append(str(error)))
    return noted


@contextmanager
def players(
    hall: Hall, game: str, url: str, browser: Browser, act: Act, *, count: int = SEATS, width: int = 1280
) -> Iterator[list[Player]]:
    """A browser for every seat, signed in, at its page."""
    seats, contexts = [], []
    for number in range(1, count + 1):
        with hall.web.db.writing() as session:
            user = tables.user_of(hall.web, session, f"p{number}@games.test").id
        context = browser.new_context(
            viewport={"width": width, "height": 900}, locale="en", base_url=url, reduced_motion="reduce"
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        noted = errors_of(page)
        go_in(page, signing_in.sign_in_link(hall.web, user), url)
        seats.append(Player(hall, game, f"s{number}", page, act, noted))
    try:
        yield seats
    finally:
        for context in contexts:
            context.close()


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


def press(page: Page, what: Locator) -> None:
    """With Tab, or on the map the arrows, until it has the focus; then Enter."""
    wanted = what.element_handle()
    for _ in range(MOST_TABS):
        steps = wanted.evaluate(STEPS)
        for _ in range(abs(steps)):
            page.keyboard.press("Tab" if steps > 0 else "Shift+Tab")
        if steps == 0:
            break
    if wanted.evaluate("thing => thing instanceof SVGElement"):
        walk(page, wanted.evaluate("thing => thing.getAttribute('data-name')"))
    assert wanted.evaluate("thing => document.activeElement === thing"), "the keyboard does not reach it"
    page.keyboard.press("Enter")


def walk(page: Page, name: str) -> None:
    """Some steps with the arrows over the map towards a place, then by the first letter of its name."""
    for step in range(60):
        key = page.evaluate(WAY, name)
        if not key:
            return
        page.keyboard.press(key if step < 10 else name[0].lower())


def past_the_news(player: Player) -> None:
    """On from the news, which a page shows first where there are any, to the orders."""
    orders = player.page.get_by_role("link", name="Orders", exact=True)
    if player.page.locator("#orders").is_hidden():
        player.choose(orders)
    expect(orders).to_have_attribute("aria-current", "true")


def answer(player: Player) -> None:
    """Answer all that is asked: places on the map where a question takes them, else its first likely line."""
    page = player.page
    past_the_news(player)
    for part in page.locator('.part[data-kind="open"]').all():
        places = part.locator('[data-keyword="PLACE"] optgroup[data-likely] option')
        if places.count():
            for name in places.all_text_contents()[:2]:
                place(player, name)
        else:
            player.choose(part.locator(".chip").first)
    expect(page.locator("#said")).to_have_attribute("data-state", "all")
    player.choose(page.get_by_role("button", name="Send the orders"))
    page.locator(".receipt.good").wait_for()
    player.hall.settle()


def place(player: Player, name: str) -> None:
    """Tokens to a province, by choosing it on the map; the first time the order is chosen too, where there are more."""
    page = player.page
    found = page.locator(f'#map svg [data-name="{name}"]').first
    found.wait_for(state="attached")
    player.choose(found)
    if page.locator("#offers").is_visible():
        player.choose(page.locator("#offers .chip", has_text="PLACE").first)
    expect(page.locator("#text")).to_have_value(re.compile(f"PLACE {re.escape(name)} "))
    expect(page.locator("#said")).to_have_attribute("data-state", "all")


@pytest.mark.slow
@pytest.mark.parametrize("act", [click, press], ids=["clicks", "keys"])
def test_a_whole_turn_by_clicks_alone_and_by_keys_alone(state_dir: Path, chromium: Browser, act: Act) -> None:
    """Four seats play the first turn to its end and are asked for the second, without writing a word."""
    hall = build(state_dir, installed=GAMES)
    game = seated(hall, "age_of_renaissance", SEATS)
    phases: set[str] = set()
    app = make(hall.web, Look(requests_per_minute=100_000))
    with served(app) as url, players(hall, game, url, chromium, act) as seats:
        for player in seats * 12:
            phases.add(str(hall.position(game).board.phase))
            while hall.position(game).board.turn < 2 and player.asked:
                player.page.goto(f"/games/{game}")
                answer(player)
        assert [player.noted for player in seats] == [[]] * SEATS
    assert hall.position(game).board.turn == 2
    assert {"tokens", "history", "purchases", "expansion"} <= phases


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1280])
def test_a_round_of_auction_tiles_and_workers_by_clicks(state_dir: Path, chromium: Browser, width: int) -> None:
    """On a phone and on a desk three seats of Patchistory play the first round by the lines that the page offers."""
    hall = build(state_dir, installed=GAMES)
    game = seated(hall, "patchistory", 3)
    app = make(hall.web, Look(requests_per_minute=100_000))
    asked: set[str] = set()
    with served(app) as url, players(hall, game, url, chromium, click, count=3, width=width) as seats:
        for player in seats * 8:
            while hall.position(game).board.turn < 2 and player.asked:
                player.page.goto(f"/games/{game}")
                asked |= {d.asks for d in hall.position(game).core.open if d.seat == player.seat}
                offered(player)
        assert [player.noted for player in seats] == [[]] * 3
        assert all(player.page.evaluate(ASIDE) <= width for player in seats)
    assert hall.position(game).board.turn == 2
    assert {"opening", "placement", "settle", "administration", "movement"} <= asked


def offered(player: Player) -> None:
    """Answer with the first line that the page offers; where it offers none, with no orders at all."""
    page = player.page
    past_the_news(player)
    for part in page.locator('.part[data-kind="open"]').all():
        chips = part.locator(".chip")
        if chips.count():
            player.choose(chips.first)
        else:
            page.get_by_text("Write as text").click()
            page.locator("#text").fill("PASS")
    expect(page.locator("#said")).to_have_attribute("data-state", "all")
    player.choose(page.get_by_role("button", name="Send the orders"))
    page.locator(".receipt.good").wait_for()
    player.hall.settle()


def test_text_and_clicks_are_one_thing(town: Town, chromium: Browser) -> None:
    """What is clicked can be edited, what is written can be clicked away, and each line is judged as it is typed."""
    app = make(town.hall.web, Look(requests_per_minute=100_000), Plain)
    with served(app) as url:
        context = chromium.new_context(viewport={"width": 360, "height": 740}, locale="en", base_url=url)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        signed_in(town, page, url, "p1@games.test")
        page.goto(f"/games/{town.game}")
        said, text = page.locator("#said"), page.locator("#text")
        expect(said).to_have_attribute("aria-live", "polite")
        page.get_by_text("Write as text").click()
        text.fill("BID 99")
        expect(said).to_have_attribute("data-state", "none")
        expect(page.locator("#judged .refused")).to_have_count(1)
        page.locator("#judged [data-use]").click()
        expect(said).to_have_attribute("data-state", "all")
        assert text.input_value().startswith("BID ")
        page.locator(".part .chip").first.click()
        assert text.input_value().count("BID") == 1
        before = text.input_value()
        page.get_by_role("button", name="One more").click()
        expect(text).not_to_have_value(before)
        page.get_by_role("button", name="Remove this line").click()
        expect(text).to_have_value("")
        expect(said).to_have_attribute("data-state", "empty")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        context.close()
