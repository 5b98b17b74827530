"""Orders of Diplomacy by touch: units by their fields, support, coasts, builds and disbandings."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from engine import GAMES
from tests.engine.diplomacy.build import Lines
from tests.engine.diplomacy.test_table import table
from tests.service.position_setup import store_position
from tests.service.server_fixtures import build, start_game
from tests.web.chromium import at_orders, click

pytestmark = pytest.mark.long


@contextmanager
def austria(
    folder: Path, browser: Browser, units: Lines, phase: str, centres: Lines | None = None, width: int = 1280
) -> Iterator[Page]:
    """The page of Austria in a position."""
    harness = build(folder, installed=GAMES)
    game = start_game(harness, "diplomacy", 7)
    store_position(harness, game, table(units, phase, centres))
    with at_orders(harness, game, browser, width) as (page, noted):
        page.locator("#asked .part").wait_for()
        yield page
        assert noted == []


def touch(page: Page, *names: str) -> None:
    """One after the other."""
    for name in names:
        page.locator('#desk[aria-busy="true"]').wait_for(state="detached")
        click(page, page.locator(f'#map svg [data-name="{name}"]'))


def test_fields_mean_their_units_and_a_fleet_is_asked_for_its_coast(state_dir: Path, chromium: Browser) -> None:
    """A field begins the order of the unit in it, supports it, or is gone to; of two coasts a button says which."""
    with austria(state_dir, chromium, {"Austria": ["A BUD", "A VIE", "F MAO"]}, "S1901M") as page:
        text = page.locator("#text")
        touch(page, "BUD", "GAL")
        expect(text).to_have_value("A BUD - GAL\n")
        expect(page.get_by_role("button", name="Write again")).to_have_count(0)
        touch(page, "MAO", "SPA")
        page.locator("#look").get_by_role("button", name="F MAO - SPA/SC").click()
        expect(text).to_have_value("A BUD - GAL\nF MAO - SPA/SC\n")
        page.locator("#asked").get_by_role("button", name="S support").click()
        touch(page, "VIE", "BUD")
        expect(page.locator("#look").get_by_role("button", name="A VIE S A BUD")).to_be_visible()
        touch(page, "GAL")
        expect(text).to_have_value("A BUD - GAL\nF MAO - SPA/SC\nA VIE S A BUD - GAL\n")


def test_a_field_is_looked_at_that_can_mean_many_orders(state_dir: Path, chromium: Browser) -> None:
    """In a question to come everything is legal: a place with two coasts begins more orders than any other."""
    with austria(state_dir, chromium, {"Austria": ["A BUD"]}, "S1901M") as page:
        marks = page.locator('#asked .mark[data-state="advance"]')
        for n in range(marks.count()):
            marks.nth(n).click()
            touch(page, "STP")
            expect(page.locator("#look .title")).to_contain_text("STP")
            page.keyboard.press("Escape")


def test_an_army_goes_over_the_sea_by_touch(state_dir: Path, chromium: Browser) -> None:
    """By a fleet of one's own and one of another power: the army's move, and the convoys of own and other armies."""
    units = {"Austria": ["A TRI", "F ADR"], "Italy": ["F ION", "A VEN"]}
    with austria(state_dir, chromium, units, "S1902M") as page:
        text = page.locator("#text")
        touch(page, "TRI", "TUN")
        expect(text).to_have_value("A TRI - TUN\n")
        touch(page, "ADR", "TRI", "TUN")
        expect(text).to_have_value("A TRI - TUN\nF ADR C A TRI - TUN\n")
        touch(page, "ADR", "VEN", "ALB")
        expect(text).to_have_value("A TRI - TUN\nF ADR C A VEN - ALB\n")
        expect(page.locator("#look .label").last).to_have_text("place")


def test_a_field_with_a_unit_is_attacked_as_an_empty_one_is(state_dir: Path, chromium: Browser) -> None:
    """By two touches; to support its unit instead is one more, and the next unit begins its own order."""
    with austria(state_dir, chromium, {"Austria": ["A BUD", "A VIE"], "Russia": ["A GAL"]}, "S1902M") as page:
        text = page.locator("#text")
        touch(page, "BUD", "GAL")
        expect(text).to_have_value("A BUD - GAL\n")
        touch(page, "VIE", "BUD")
        expect(text).to_have_value("A BUD - GAL\nA VIE - BUD\n")
        expect(page.locator("#look")).to_contain_text("Written: A VIE - BUD")
        page.locator("#look").get_by_role("button", name="A VIE S A BUD").click()
        expect(text).to_have_value("A BUD - GAL\nA VIE S A BUD\n")


def test_a_unit_with_an_order_goes_elsewhere_by_two_touches(state_dir: Path, chromium: Browser) -> None:
    """And a touch of another unit leaves it as it is, and begins that one's."""
    with austria(state_dir, chromium, {"Austria": ["A BUD", "A TYR"]}, "S1902M") as page:
        text = page.locator("#text")
        touch(page, "BUD", "GAL", "BUD", "RUM")
        expect(text).to_have_value("A BUD - RUM\n")
        touch(page, "TYR", "PIE")
        expect(text).to_have_value("A BUD - RUM\nA TYR - PIE\n")
        expect(page.locator("#asked").get_by_role("button", name="move", exact=True)).to_be_visible()


def test_a_home_centre_offers_what_can_be_built_there(state_dir: Path, chromium: Browser) -> None:
    """A free one an army and a fleet; a second touch of it changes what was built."""
    owned = {"Austria": ["BUD", "TRI", "VIE"]}
    with austria(state_dir, chromium, {"Austria": ["A SER"]}, "F1901A", owned) as page:
        touch(page, "TRI")
        offered = page.locator("#look .chip")
        expect(offered).to_have_text(["A TRI B", "F TRI B"])
        offered.last.click()
        expect(page.locator("#text")).to_have_value("F TRI B\n")
        touch(page, "TRI")
        page.locator("#look").get_by_role("button", name="A TRI", exact=True).click()
        expect(page.locator("#text")).to_have_value("A TRI B\n")


def test_on_a_phone_the_board_opens_at_own_units_and_a_field_takes_its_unit_off(
    state_dir: Path, chromium: Browser
) -> None:
    """With more units than centres."""
    with austria(state_dir, chromium, {"Austria": ["A SER", "A BUD"]}, "F1901A", {"Austria": ["BUD"]}, 390) as page:
        expect(page.locator('#map svg [data-name="SER"]')).to_be_in_viewport(ratio=1)
        touch(page, "SER")
        expect(page.locator("#text")).to_have_value("A SER D\n")
