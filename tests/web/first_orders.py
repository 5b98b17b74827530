"""From the first page to a first order: what a guest taps, how often they scroll, for each game, size and language.

python -m tests.web.first_orders
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from playwright.sync_api import Browser, Locator, Page, sync_playwright

from engine import GAMES
from pbem.common.addresses import is_bot
from pbem.common.states import GameState
from pbem.store.models import Game, QuestionRow, SeatRow, User
from pbem.web import WebConfig, create_pages
from tests.bot_games import OURS
from tests.http_server import served
from tests.service.server_fixtures import ServerHarness, build
from tests.service.timed_games import advance_and_run
from tests.web.chromium import CHROMIUM, PATIENCE_MS, errors_of

SIZES: Final = ((390, 844), (1280, 800))
LANGUAGES: Final = ("en", "fr")
OPEN: Final = '#asked .part[data-kind="open"]'
"""The question in front, of those that a table waits for, with the answers that are offered."""
IN_SIGHT: Final = """thing => {
  const box = thing.getBoundingClientRect();
  const hit = document.elementFromPoint(box.x + box.width / 2, box.y + Math.min(box.height / 2, 20));
  return Boolean(hit && thing.contains(hit));
}"""
"""Whether a thing can be touched where it stands: on the screen, and under nothing else."""


@dataclass
class Steps:
    """What it took to send a first order. `errors`: what the browser noted."""

    game: str
    size: tuple[int, int]
    language: str
    taps: int
    scrolls: int
    errors: list[str]


@dataclass
class Guest:
    """Somebody at a screen who counts what they do."""

    page: Page
    taps: int = 0
    scrolls: int = 0

    def tap(self, thing: Locator) -> None:
        """Touch it once the page is at rest, and scroll to it first if it is out of sight."""
        self.page.locator('#desk[aria-busy="true"]').wait_for(state="detached")
        thing.wait_for()
        if not thing.evaluate(IN_SIGHT):
            self.scrolls += 1
            thing.scroll_into_view_if_needed()
        self.taps += 1
        thing.click()


def send_first_order(
    harness: ServerHarness, url: str, browser: Browser, game: str, size: tuple[int, int], language: str
) -> Steps:
    """Go from the first page to the receipt of a first order at a practice table."""
    width, height = size
    touch = width < height
    context = browser.new_context(
        base_url=url, viewport={"width": width, "height": height}, locale=language, has_touch=touch
    )
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    errors, guest = errors_of(page), Guest(page)
    page.goto("/")
    guest.tap(page.locator(f'.covers form:has(input[value="{game}"]) button'))
    page.wait_for_url("**/games/*")
    for _ in range(3):
        advance_and_run(harness, seconds=6)
        harness.run_queued_tasks()
    page.locator("#stage").wait_for()  # the page becomes the game by itself
    part, left = page.locator(OPEN), page.locator('#asked .mark[data-state="open"]')
    part.wait_for()
    for _ in range(max(left.count(), 1)):
        guest.tap(part.locator(".chip").first)
        page.locator('#desk[aria-busy="true"]').wait_for(state="detached")
        if left.count() and not page.locator('#asked .mark[data-state="open"][aria-current]').count():
            guest.tap(left.first)  # a question that takes more lines stays in front
    page.locator('#said[data-state="all"]').wait_for()
    guest.tap(page.locator('[name="act"][value="submit"]'))
    page.locator(".receipt.good").wait_for()
    context.close()
    return Steps(game, size, language, guest.taps, guest.scrolls, errors)


def let_bots_answer(harness: ServerHarness) -> None:
    """Let time pass until no guest's table waits for a bot: then nothing goes on before the guest answers."""
    guests = {user.id for user in harness.load_rows(User) if not is_bot(user.email)}
    while True:
        advance_and_run(harness, seconds=6)
        own = {row.game_id: row.seat for row in harness.load_rows(SeatRow) if row.user_id in guests}
        begun = all(game.state == GameState.RUNNING for game in harness.load_rows(Game) if game.id in own)
        rows = [row for row in harness.load_rows(QuestionRow) if row.is_blocking and row.answered_at is None]
        if begun and not any(row.seat != own.get(row.game_id, row.seat) for row in rows):
            return


@contextmanager
def shop(folder: Path) -> Iterator[tuple[ServerHarness, str]]:
    """A server with all games, and its address."""
    harness = build(folder, installed=GAMES)
    harness.configure(limits={"practice_from": 1_000})
    with served(create_pages(harness.web, WebConfig(requests_per_minute=1_000_000, sign_ins_per_minute=1_000))) as url:
        yield harness, url


def table_of(found: list[Steps]) -> str:
    """A line for each."""
    lines = [f"{'game':20} {'screen':>9} {'language':>8} {'taps':>4} {'scrolls':>7}"]
    lines += [
        f"{one.game:20} {one.size[0]:>4}x{one.size[1]:<4} {one.language:>8} {one.taps:>4} {one.scrolls:>7}"
        for one in found
    ]
    return "\n".join(lines)


def main() -> None:
    """The command."""
    with (
        TemporaryDirectory(prefix="pbem-first-") as folder,
        sync_playwright() as play,
        shop(Path(folder)) as (one, url),
    ):
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        ways = [(game, size, language) for game in OURS for size in SIZES for language in LANGUAGES]
        print(table_of([send_first_order(one, url, browser, *way) for way in ways]))
        browser.close()


if __name__ == "__main__":
    main()
