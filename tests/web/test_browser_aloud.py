"""A turn as a reader of screens is told it: kept as text, one file for each game, to be read by people.

A file that is not there is written, and the test fails once so that somebody reads it.
"""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from engine import GAMES
from pbem.service.seats import signing_in, tables
from pbem.web import Look, make
from tests.archive.files import steady
from tests.service.hall import Hall, build, seated
from tests.serving import served
from tests.web.test_boards import answer_all
from tests.web.test_browser import CHROMIUM, PATIENCE_MS, chromium, go_in

__all__ = ["chromium"]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not CHROMIUM, reason="no chromium: set PBEM_CHROMIUM or put one on the PATH"),
]

KEPT = Path(__file__).with_name("aloud")
ASKED = {"age_of_renaissance": "expansion", "patchistory": "placement", "amalfi": "action"}
"""The question of the turn that is told; elsewhere the first."""


def asked(hall: Hall, title: str) -> str:
    """A game in which the first player owes the answer that is told."""
    game = seated(hall, title, 3)
    while not any(d.seat == "s1" and ASKED.get(title, d.asks) == d.asks for d in hall.position(game).core.open):
        answer_all(hall, game)
    return game


def told(page: Page) -> str:
    """The page as a turn goes: what is asked, a line written, what was sent."""
    orders, said = page.locator("#orders"), page.locator("#said")
    expect(said).to_have_attribute("data-state", "empty")
    parts = ["# The bar", page.locator(".bar").aria_snapshot(), "# What is asked", orders.aria_snapshot()]
    page.locator('.part[data-kind="open"] .chip').first.click()
    expect(said).to_have_attribute("data-state", "all")
    parts += ["# A line is written", page.locator(".sheet").aria_snapshot()]
    page.get_by_role("button", name="Send the orders").click()
    page.locator(".receipt.good").wait_for()
    parts += ["# It was sent", page.locator("#orders > .receipt").aria_snapshot()]
    return "\n".join(parts) + "\n"


@pytest.mark.parametrize("title", GAMES)
def test_a_turn_reads_as_it_was_read(state_dir: Path, chromium: Browser, title: str) -> None:
    """The bar, the questions, a written line with its judgement, and the receipt, in roles and names alone."""
    hall = steady(build(state_dir, installed=GAMES), "aloud")
    game = asked(hall, title)
    with hall.web.db.writing() as session:
        user = tables.user_of(hall.web, session, "p1@games.test").id
    with served(make(hall.web, Look(requests_per_minute=100_000))) as url:
        context = chromium.new_context(locale="en", base_url=url, reduced_motion="reduce")
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        go_in(page, signing_in.sign_in_link(hall.web, user), url)
        page.goto(f"/games/{game}#orders")
        page.locator("#map svg").wait_for()
        now = told(page)
        context.close()
    file = KEPT / f"{title}.txt"
    if not file.exists():
        file.parent.mkdir(exist_ok=True)
        file.write_text(now, encoding="utf-8")
        pytest.fail(f"{file.name} was written: read it, and keep it")
    assert now == file.read_text(encoding="utf-8")
