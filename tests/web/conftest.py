"""A table of two under way, one that is over, a browser for the tests that need one, and everybody who might come."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from flask import Flask
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import sync_playwright

from tests.archive.bots import play_on
from tests.archive.files import steady
from tests.service.master_commands import get_user_id
from tests.service.server_fixtures import ServerHarness, build, start_game
from tests.web.chromium import CHROMIUM
from tests.web.form_browser import Browser, site
from tests.web.server_copies import copy_server


@dataclass
class Town:
    """A server with a game under way."""

    harness: ServerHarness
    app: Flask
    game: str

    def user(self, address: str) -> int:
        """Somebody's number."""
        return get_user_id(self.harness, address)

    def browser(self, address: str = "") -> Browser:
        """Somebody at the pages, signed in if an address is given."""
        guest = Browser(self.app)
        return guest.sign_in(self.harness, self.user(address)) if address else guest


@pytest.fixture
def town(state_dir: Path) -> Town:
    """Two seats, p1@ and p2@, who are asked for bids."""
    harness = build(state_dir)
    return Town(harness, site(harness), start_game(harness, "toy", 2))


@pytest.fixture
def over(state_dir: Path) -> Town:
    """A game of two that is over, on a server where another one is under way."""
    harness, game = copy_server(state_dir, "over", _over)
    return Town(harness, site(harness), game)


def _over(folder: Path) -> tuple[ServerHarness, str]:
    harness = steady(build(folder), "pages")
    game = start_game(harness, "toy", 2)
    play_on(harness, game)
    harness.run_queued_tasks()
    harness.sent.clear()
    start_game(harness, "toy", 2)
    harness.sent.clear()
    return harness, game


@pytest.fixture(scope="session")
def chromium() -> Iterator[Chromium]:
    """One browser for all tests of a process; each makes itself an empty one of its own."""
    if not CHROMIUM:
        pytest.skip("no chromium: set PBEM_CHROMIUM or put one on the PATH")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()
