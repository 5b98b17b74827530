"""Orders written by touch, on the pages of real games: whole lines, what is paid for them, and what is not possible."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from tests.web.boards import opened
from tests.web.browser_players import judged
from tests.web.chromium import ASIDE, INSIDE, at_orders, click

pytestmark = pytest.mark.night

ANSWERS = {"amalfi": "action", "age_of_renaissance": "expansion", "diplomacy": "spring"}
"""What the first player is asked."""
SAILS_ALONE = '.part .chip[data-line*="SAIL "]:not([data-line*=" SEND "])'
"""A suggested line that sails without sending anything along."""


@contextmanager
def answering(
    state: Path, browser: Browser, title: str = "amalfi", width: int = 1280
) -> Iterator[tuple[Page, Locator, Locator]]:
    """The page of a player who owes an answer, its text, and what it says; its console notes nothing."""
    harness, _, game = opened(state, title, asks=ANSWERS[title], words="war")
    with at_orders(harness, game, browser, width) as (page, noted):
        expect(page.locator("#said")).to_have_attribute("data-state", "empty")
        yield page, page.locator("#text"), page.locator("#said")
        assert [line for line in noted if "ERR_FAILED" not in line] == []
        assert page.evaluate(ASIDE) <= width


def accepted(page: Page, chip: str = ".part .chip") -> str:
    """Choose a suggested line, and return the text once it was accepted."""
    page.locator(chip).first.click()
    judged(page)
    expect(page.locator("#said")).to_have_attribute("data-state", "all")
    return page.locator("#text").input_value()


@pytest.mark.parametrize("width", [390, 1280])
def test_a_destination_that_is_touched_sends_a_ship_and_lines_queue_up(
    state_dir: Path, chromium: Browser, width: int
) -> None:
    """A free destination that can be sailed to is one whole accepted line; what one has counts down; the second action
    is behind it, is moved before it, and is taken away.
    """
    with answering(state_dir, chromium, width=width) as (page, text, said):
        page.get_by_role("button", name="SAIL", exact=True).click()
        judged(page)
        click(page, page.locator("#map svg .can").first)
        judged(page)
        expect(said).to_have_attribute("data-state", "all")
        line = text.input_value().strip()
        assert "SAIL " in line
        expect(page.locator('#budget [data-held="bay"]')).to_have_class("moved")
        page.locator(".chips > .chip").first.click()
        expect(page.locator("#judged [data-line]")).to_have_count(2)
        page.get_by_role("button", name="Move up").click()
        expect(text).to_have_value(re.compile(rf"^[^\n]+\n{re.escape(line)}\n$"))
        page.get_by_role("button", name="Remove this line").first.click()
        expect(text).to_have_value(f"{line}\n")


def test_what_is_sent_along_is_chosen_on_the_order(state_dir: Path, chromium: Browser) -> None:
    """An order is opened, its optional parts stand in it by name, each press writes the line anew, and each is legal;
    what was added is taken out again.
    """
    with answering(state_dir, chromium) as (page, text, said):
        line = accepted(page, SAILS_ALONE).strip()
        page.get_by_role("button", name="Change this order").click()
        judged(page)
        page.get_by_role("button", name=re.compile("Choose SEND")).click()
        judged(page)
        more = page.locator("#look .slot.open .chip:not(.on)")
        expect(more.first).to_be_visible()
        more.first.click()
        judged(page)
        expect(text).to_have_value(re.compile(rf"^{re.escape(line)}.* SEND "))
        expect(said).to_have_attribute("data-state", "all")
        page.locator("#look .slot.open .chip.on").first.click()
        judged(page)
        expect(text).not_to_have_value(re.compile("SEND"))


def test_what_does_not_go_with_the_written_lines_is_dim_and_says_why(state_dir: Path, chromium: Browser) -> None:
    """With lines written, places that would be refused behind them glow no more, and a touch says why and writes
    nothing; without the lines they glow again.
    """
    with answering(state_dir, chromium, "age_of_renaissance") as (page, text, said):
        lit = page.locator("#map svg .can")
        lit.first.wait_for()
        names = "all => all.map(place => place.dataset.name)"
        before = set(lit.evaluate_all(names))
        off = set[str]()
        while not off:
            accepted(page, '.part .chip[data-line*="PLACE "]')
            written = text.input_value()
            off = {name for name in before - set(lit.evaluate_all(names)) if f"PLACE {name} " not in written}
        spot = page.locator(f'#map svg [data-name="{min(off)}"]').first
        click(page, spot)
        judged(page)
        why = page.locator("#look .why").inner_text()
        assert why
        assert text.input_value() == written
        expect(said).to_have_attribute("data-state", "all")
        page.mouse.move(5, 5)
        page.mouse.move(*spot.evaluate(INSIDE))
        expect(page.locator(".place-card .why")).to_have_text(why)
        text.evaluate("text => { text.value = ''; text.dispatchEvent(new Event('input')); }")
        expect(said).to_have_attribute("data-state", "empty")
        assert set(lit.evaluate_all(names)) == before


def test_a_number_goes_up_to_what_is_legal(state_dir: Path, chromium: Browser) -> None:
    """Pressed again and again, also faster than the judge answers, the number stops at the highest that he accepts."""
    with answering(state_dir, chromium, "age_of_renaissance") as (page, text, said):
        accepted(page, '.part .chip[data-line*="PLACE "]')
        for _ in range(12):
            page.get_by_role("button", name="One more").first.evaluate("press => { press.click(); press.click(); }")
            judged(page)
            expect(said).to_have_attribute("data-state", "all")
        expect(page.locator("#look .why")).to_be_visible()
        assert page.locator("#judged .refused").count() == 0
        assert len(text.input_value().splitlines()) == 1


def test_where_the_connection_is_lost_a_click_is_written_as_by_hand(state_dir: Path, chromium: Browser) -> None:
    """While it is tried the judge cannot be reached: the line stands, the page says that it was not judged, and judges
    it when it can.
    """
    with answering(state_dir, chromium) as (page, text, said):
        first = accepted(page)
        second = accepted(page).removeprefix(first)

        def lose(route: Route) -> None:
            route.abort()

        page.route("**/preview", lose)
        page.get_by_role("button", name="Move up").click()
        expect(text).to_have_value(second + first)
        expect(said).to_have_attribute("data-state", "lost")
        page.unroute("**/preview", lose)
        text.evaluate("text => text.dispatchEvent(new Event('input'))")
        expect(page.locator("#judged .refused").first).to_be_visible()


@pytest.mark.parametrize("width", [390, 1280])
def test_a_unit_and_then_where_it_goes_or_whom_it_helps_are_touched(
    state_dir: Path, chromium: Browser, width: int
) -> None:
    """Behind a unit its destinations and the units that it can help glow; the next touch says which order it is, the
    same unit again lets it hold. What is offered begins with the unit.
    """
    with answering(state_dir, chromium, "diplomacy", width=width) as (page, text, said):

        def touch(name: str) -> None:
            click(page, page.locator(f'#map svg [data-name="{name}"]').first)
            judged(page)

        touch("A WAR")
        lit = set(page.locator("#map svg .can").evaluate_all("all => all.map(place => place.dataset.name)"))
        assert {"UKR", "SIL", "A MOS"} <= lit
        assert not {"A WAR", "BUR"} & lit
        expect(page.locator("#look .chip", has_text="A WAR S …")).to_have_count(1)
        touch("UKR")
        expect(text).to_have_value("A WAR - UKR\n")
        touch("A MOS")
        touch("A WAR")
        touch("UKR")
        expect(text).to_have_value("A WAR - UKR\nA MOS S A WAR - UKR\n")
        touch("F SEV")
        touch("F SEV")
        expect(text).to_have_value(re.compile(r"F SEV H\n$"))
        expect(said).to_have_attribute("data-state", "all")


def test_likely_numbers_stand_in_order_and_the_best_is_marked(state_dir: Path, chromium: Browser) -> None:
    """One amount after the other; what the word alone writes has a stepper."""
    harness, _, game = opened(state_dir, asks="tokens", words="war")
    with at_orders(harness, game, chromium, 390) as (page, noted):
        chips = page.locator(".part .chips > .chip")
        chips.first.wait_for()
        numbers = [int(found) for said in chips.all_inner_texts() for found in re.findall(r"-?\d+", said)]
        assert len(numbers) > 1
        assert numbers == sorted(numbers)
        expect(page.locator(".part .chip.likely")).to_have_count(1)
        page.locator(".part .verbs button").first.click()
        expect(page.locator("#judged").get_by_role("button", name="One more")).to_be_visible()
        assert noted == []
