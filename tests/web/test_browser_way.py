"""The way to a table in a real browser, by roles and visible names: how many steps it takes."""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from engine.amalfi import RULES as AMALFI
from pbem.web import Look, make
from tests.screenshots.town import settled
from tests.service.hall import build
from tests.web.browsing import browsing, entered
from tests.web.guests import site
from tests.web.test_axe import checked

pytestmark = pytest.mark.night


@dataclass
class Steps:
    """What somebody does, counted: pages that are opened, and what is pressed, chosen and written on them."""

    count: int = 0

    def open(self, page: Page, path: str) -> None:
        """Open an address."""
        self.count += 1
        page.goto(path)

    def press(self, page: Page, name: str | re.Pattern[str], role: str = "button") -> None:
        """Press what is called so."""
        self.count += 1
        page.get_by_role(role, name=name).first.click()  # type: ignore[arg-type]

    def write(self, page: Page, label: str, text: str) -> None:
        """Write in a field."""
        self.count += 1
        page.get_by_label(label, exact=True).fill(text)

    def choose(self, page: Page, label: str, value: str) -> None:
        """Choose from a list."""
        self.count += 1
        page.get_by_label(label, exact=True).select_option(value)


def test_from_the_landing_page_to_a_sent_first_order_in_twelve_steps(state_dir: Path, chromium: Browser) -> None:
    """A stranger opens the first page, tries a turn, follows the guide, and the real judge takes their order."""
    hall = build(state_dir, installed={"amalfi": AMALFI})
    steps = Steps()
    with browsing(make(hall.web, Look(requests_per_minute=100_000)), chromium, 360, bypass_csp=True) as context:
        page = context.new_page()
        steps.open(page, "/")
        assert checked(page) == []
        steps.press(page, "Try a turn now")
        settled(hall, page)
        expect(page.get_by_text("Your first turn")).to_be_visible()
        assert checked(page) == []
        steps.press(page, re.compile(r"^CHOOSE \S"))  # a line that is offered whole
        steps.press(page, "Send the orders")
        expect(page.get_by_text("Your orders are in.")).to_be_visible()
    assert steps.count <= 12
    assert hall.sent == []


def test_a_table_for_four_is_made_joined_by_three_links_and_begun_in_twenty_five_steps(
    state_dir: Path, chromium: Browser
) -> None:
    """The host chooses a game and a pace, makes a link, which a button copies, and three people sit down by it with a
    name and an address.
    """
    hall = build(state_dir)
    steps = Steps()
    clipboard = ["clipboard-read", "clipboard-write"]
    with browsing(site(hall), chromium, bypass_csp=True, permissions=clipboard) as context:
        host = entered(hall, context, "host@games.test")
        steps.press(host, "Open a table", "link")
        steps.choose(host, "Players, including you", "4")
        steps.press(host, "A month or two", "radio")
        steps.press(host, "Open the table")
        hall.settle()
        steps.press(host, "Make a link")
        assert checked(host) == []
        link = host.get_by_label("The link to this table").input_value()
        host.get_by_role("button", name="Copy").click()
        expect(host.get_by_role("button", name="Copied")).to_be_visible()
        assert host.evaluate("navigator.clipboard.readText()") == link
        for name in ("Ann", "Bob", "Cat"):
            with browsing(site(hall), chromium, 360, bypass_csp=True) as other:
                guest = other.new_page()
                steps.open(guest, link.replace("https://games.test", ""))
                if name == "Ann":
                    assert checked(guest) == []
                steps.write(guest, "Your name at the tables", name)
                steps.write(guest, "Your e-mail address", f"{name.lower()}@games.test")
                steps.press(guest, "Take the seat")
                expect(guest.get_by_role("heading", level=1)).to_be_visible()
        settled(hall, host)
        expect(host.get_by_text("Orders due")).to_be_visible()
    assert steps.count <= 25
