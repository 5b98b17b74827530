"""The way to a table in a real browser, by roles and visible names: how many steps it takes."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from engine.amalfi import RULES as AMALFI
from pbem.service.seats import signing_in, tables
from pbem.web import Look, make
from tests.screenshots.town import settled
from tests.service.hall import Hall, build
from tests.serving import served
from tests.web.guests import Plain
from tests.web.test_axe import checked
from tests.web.test_browser import CHROMIUM, PATIENCE_MS, chromium, go_in

__all__ = ["chromium"]

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not CHROMIUM, reason="no chromium")]


@dataclass
class Steps:
    """What somebody does, counted: pages that are opened, and what is pressed, chosen and written on them."""

    count: list[int] = field(default_factory=lambda: [0])

    def open(self, page: Page, path: str) -> None:
        """Open an address."""
        self.count[0] += 1
        page.goto(path)

    def press(self, page: Page, name: str | re.Pattern[str], role: str = "button") -> None:
        """Press what is called so."""
        self.count[0] += 1
        page.get_by_role(role, name=name).first.click()  # type: ignore[arg-type]

    def write(self, page: Page, label: str, text: str) -> None:
        """Write in a field."""
        self.count[0] += 1
        page.get_by_label(label, exact=True).fill(text)

    def choose(self, page: Page, label: str, value: str) -> None:
        """Choose from a list."""
        self.count[0] += 1
        page.get_by_label(label, exact=True).select_option(value)


@contextmanager
def opened(chromium: Browser, url: str, width: int = 1280) -> Iterator[Page]:
    """An empty browser."""
    context = chromium.new_context(
        viewport={"width": width, "height": 900}, locale="en", base_url=url, bypass_csp=True, reduced_motion="reduce"
    )
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    yield page
    context.close()


@pytest.mark.parametrize("width", [360, 1280])
def test_from_the_landing_page_to_a_sent_first_order_in_twelve_steps(
    state_dir: Path, chromium: Browser, width: int
) -> None:
    """A stranger opens the first page, tries a turn, follows the guide, and the real judge takes their order."""
    hall = build(state_dir, installed={"amalfi": AMALFI})
    steps = Steps()
    with served(make(hall.web, Look(requests_per_minute=100_000))) as url, opened(chromium, url, width) as page:
        steps.open(page, "/")
        assert checked(page) == []
        page.set_viewport_size({"width": width, "height": 900})
        steps.press(page, "Try a turn now")
        settled(hall, page)
        expect(page.get_by_text("Your first turn")).to_be_visible()
        assert checked(page) == []
        page.set_viewport_size({"width": width, "height": 900})
        steps.press(page, re.compile(r"^CHOOSE \S"))  # a line that is offered whole
        steps.press(page, "Send the orders")
        expect(page.get_by_text("Your orders are in.")).to_be_visible()
    assert steps.count[0] <= 12
    assert hall.sent == []


def test_a_table_for_four_is_made_joined_by_three_links_and_begun_in_twenty_five_steps(
    state_dir: Path, chromium: Browser
) -> None:
    """The host chooses a game and a pace, makes a link, and three people sit down by it with a name and an address."""
    hall = build(state_dir)
    steps = Steps()
    app = make(hall.web, Look(requests_per_minute=100_000), Plain)
    with served(app) as url, opened(chromium, url) as host:
        _signed_in(hall, host, url)
        steps.press(host, "Open a table", "link")
        steps.choose(host, "Players, including you", "4")
        steps.press(host, "A month or two", "radio")
        steps.press(host, "Open the table")
        hall.settle()
        steps.press(host, "Make a link")
        assert checked(host) == []
        link = host.get_by_label("The link to this table").input_value().replace("https://games.test", "")
        for name in ("Ann", "Bob", "Cat"):
            with opened(chromium, url, 360) as guest:
                steps.open(guest, link)
                if name == "Ann":
                    assert checked(guest) == []
                steps.write(guest, "Your name at the tables", name)
                steps.write(guest, "Your e-mail address", f"{name.lower()}@games.test")
                steps.press(guest, "Take the seat")
                expect(guest.get_by_role("heading", level=1)).to_be_visible()
        settled(hall, host)
        expect(host.get_by_text("Orders due")).to_be_visible()
    assert steps.count[0] <= 25


def test_the_link_of_a_table_is_copied_by_its_button(state_dir: Path, chromium: Browser) -> None:
    """The button stands where the browser has a clipboard, puts the link there, and says so."""
    hall = build(state_dir)
    app = make(hall.web, Look(requests_per_minute=100_000), Plain)
    with served(app) as url, opened(chromium, url) as host:
        host.context.grant_permissions(["clipboard-read", "clipboard-write"])
        _signed_in(hall, host, url)
        host.get_by_role("link", name="Open a table").click()
        host.get_by_role("button", name="Open the table").click()
        hall.settle()
        host.get_by_role("button", name="Make a link").click()
        host.get_by_role("button", name="Copy").click()
        expect(host.get_by_role("button", name="Copied")).to_be_visible()
        link = host.get_by_label("The link to this table").input_value()
        assert link
        assert host.evaluate("navigator.clipboard.readText()") == link


def _signed_in(hall: Hall, page: Page, url: str) -> None:
    with hall.web.db.writing() as session:
        host = tables.user_of(hall.web, session, "host@games.test", "Host").id
    go_in(page, signing_in.sign_in_link(hall.web, host), url)
