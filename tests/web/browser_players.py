"""Players with browsers of their own, who walk through a game by clicks alone or by keys alone."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from playwright.sync_api import Browser, Locator, Page, expect

from pbem.store.models import QuestionRow
from pbem.web import WebConfig, create_pages
from tests.service.server_fixtures import ServerHarness
from tests.web.chromium import browsing, entered, errors_of

MOST_TABS = 8

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

OPEN = """asked => JSON.parse(asked.dataset.asked).questions.filter(one => one.kind === 'open').map(one => one.key)"""
"""The keys of the questions that a table waits for."""

Act = Callable[[Page, Locator], None]


@dataclass
class Player:
    """A player with a browser of their own; every error that it notes fails the test."""

    harness: ServerHarness
    game: str
    seat: str
    page: Page
    act: Act
    noted: list[str]

    @property
    def asked(self) -> bool:
        """Return True if the table waits for the player."""
        rows = self.harness.load_rows(QuestionRow)
        return any(row.seat == self.seat and row.is_blocking and row.answered_at is None for row in rows)

    def choose(self, what: Locator) -> None:
        """Choose something in the way of this player."""
        self.act(self.page, what)


@contextmanager
def players(
    harness: ServerHarness, game: str, browser: Browser, act: Act, count: int, width: int
) -> Iterator[list[Player]]:
    """A browser for every seat, signed in, at its page."""
    app = create_pages(harness.web, WebConfig(requests_per_minute=1_000_000))
    with ExitStack() as stack:
        seats = []
        for number in range(1, count + 1):
            page = entered(harness, stack.enter_context(browsing(app, browser, width)), f"p{number}@games.test")
            seats.append(Player(harness, game, f"s{number}", page, act, errors_of(page)))
        yield seats


def press(page: Page, what: Locator) -> None:
    """With Tab, or on the map the arrows, until it has the focus; then Enter."""
    for _ in range(MOST_TABS):
        steps = what.evaluate(STEPS)
        for _ in range(abs(steps)):
            page.keyboard.press("Tab" if steps > 0 else "Shift+Tab")
        if steps == 0:
            break
    if what.evaluate("thing => thing instanceof SVGElement"):
        walk(page, what.evaluate("thing => thing.getAttribute('data-name')"))
    assert what.evaluate("thing => document.activeElement === thing"), "the keyboard does not reach it"
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


def open_questions(page: Page) -> list[str]:
    """The keys of the questions that the table waits for, once their answers are on the page."""
    page.locator("#asked .part, #asked .mark").first.wait_for()
    found: list[str] = page.locator("#asked").evaluate(OPEN)
    return found


def in_front(page: Page, key: str, choose: Callable[[Locator], None] = Locator.click) -> Locator:
    """The part of a question, which is brought to the front by its mark if another one is there."""
    part = page.locator(f"#part-{key}")
    if not part.count():
        choose(page.locator(f'#asked .mark[data-press="mark {key}"]'))
        judged(page)
    part.wait_for()
    return part


def answer(player: Player, placed: Mapping[str, int]) -> None:
    """Answer all that is asked and send it: by the first suggested line of each question, or on the board.

    `placed`: the first words of orders that are given by choosing places on the board, and on how many.
    """
    page = player.page
    past_the_news(player)
    expect(page.locator("#said")).to_have_attribute("data-state", "empty")
    for key in open_questions(page):
        part = in_front(page, key, player.choose)
        if not any(place(player, part, word, most) for word, most in placed.items()):
            player.choose(part.locator(".chip").first)
            judged(page)
    expect(page.locator("#said")).to_have_attribute("data-state", "all")
    player.choose(page.get_by_role("button", name="Send the orders"))
    page.locator(".receipt.good").wait_for()
    player.harness.run_queued_tasks()


def judged(page: Page) -> None:
    """Wait until what was touched is written and judged."""
    expect(page.locator("#desk")).not_to_have_attribute("aria-busy", "true")
    expect(page.locator("#said")).not_to_have_attribute("data-state", "busy")


def place(player: Player, part: Locator, word: str, most: int) -> bool:
    """Pick up a way to write, and touch up to `most` places that glow for it; False where it has none there now."""
    page, given = player.page, 0
    while given < most:
        verb = part.locator(".verbs button:not([aria-disabled])", has_text=re.compile(f"^{word}$"))
        if not verb.count():
            break
        player.choose(verb)
        judged(page)
        for _ in range(3):  # a place, and from where
            lit = page.locator("#map svg .can")
            if not lit.count() or not page.locator(".verbs [aria-pressed='true']").count():
                break
            player.choose(lit.first)
            judged(page)
        done = page.locator("#look .chip.done")  # of a list, which could go on
        if done.count():
            player.choose(done)
            judged(page)
        given += 1
        expect(page.locator("#text")).to_have_value(re.compile(rf"\b{word} "))
        expect(page.locator("#said")).to_have_attribute("data-state", "all")
    return given > 0
