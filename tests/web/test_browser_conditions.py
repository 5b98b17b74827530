"""Conditions by buttons, in a browser: by mouse, by touch and by keys alone."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from pbem.web import WebConfig, create_pages
from tests.web.boards import opened
from tests.web.chromium import ASIDE, browsing, entered, errors_of
from tests.web.conftest import Town
from tests.web.test_axe import CHECKED, wrong
from tests.web.touching import Hand, Touched


def press_by(page: Page, way: str) -> Callable[[Locator], None]:
    """How a button is pressed: by `mouse`, `touch` or `keys`."""

    def keys(what: Locator) -> None:
        what.focus()
        page.keyboard.press("Enter")

    return {"mouse": lambda what: what.click(), "touch": lambda what: what.tap(), "keys": keys}[way]


def write_all(page: Page, way: str, check_page: Callable[[str], None]) -> str:
    """An order with a condition, another order and tries, by its menu alone; return what is written.

    `check_page` is called with a name at each stage.
    """
    hand, press = Hand(page, Touched()), press_by(page, way)
    row = page.locator("#judged [data-line]").first
    menu = page.locator("#look")

    def choose(words: str) -> None:
        press(row.get_by_role("button", name="But if…"))
        expect(menu.locator(".chips button").first).to_be_focused()
        check_page("menu")
        press(menu.get_by_role("button", name=words))

    hand.settle()
    press(page.locator(".part .chip").first)
    hand.settle()
    assert len(hand.text.splitlines()) == 1

    choose("Only if…")
    menu.get_by_label("Fact").select_option("have")
    menu.get_by_label("number", exact=True).fill("3")
    check_page("condition")
    press(menu.get_by_role("button", name="Write it"))
    hand.settle()
    assert hand.text.startswith("IF I HAVE 3 ")
    expect(row.locator(".branches > div")).to_have_count(2)
    expect(row.get_by_role("button", name="But if…")).to_be_focused()

    choose("And only if…")
    menu.get_by_label("Fact").select_option("have")
    menu.get_by_label("number", exact=True).fill("2")
    press(menu.get_by_role("button", name="Write it"))
    hand.settle()
    assert " AND I HAVE 2 " in hand.text
    expect(row.locator(".branches > div")).to_have_count(2)

    choose("If it fails: another order")
    expect(menu).to_contain_text("which order?")
    check_page("else")
    press(menu.get_by_role("button", name="PLACE"))
    hand.settle()
    check_page("place")
    hand.touch(hand.names()[0][-1])
    for _ in range(4):
        if "ELSE" in hand.text:
            break
        assert hand.step()
    assert " ELSE PLACE " in hand.text
    assert len(hand.text.splitlines()) == 1
    expect(row.get_by_role("button", name="But if…")).to_be_focused()

    press(row.get_by_role("button", name="But if…"))
    for _ in range(2):
        press(menu.get_by_role("button", name="Tries, while it fails: One more"))
        hand.settle()
    expect(menu.locator("output")).to_have_text("3")
    assert " UP TO 3 TIMES ELSE " in hand.text
    press(menu.get_by_role("button", name="Close"))
    check_page("written")
    assert hand.settle() == "all"
    return hand.text


@pytest.mark.night
@pytest.mark.parametrize(("way", "width"), [("mouse", 1280), ("touch", 390), ("keys", 1280)])
def test_conditions_are_written_by_buttons_alone(state_dir: Path, chromium: Browser, way: str, width: int) -> None:
    """IF, ELSE and UP TO of an order, no letter of it typed; both branches are shown; it is sent as it stands.

    No step of it is wrong before a reader of screens, or wider than the page.
    """
    harness, _, game = opened(state_dir, asks="expansion", words="war")
    app = create_pages(harness.web, WebConfig(requests_per_minute=1_000_000))
    with browsing(app, chromium, width, has_touch=way == "touch", bypass_csp=True) as context:
        page = entered(harness, context)
        noted = errors_of(page)
        page.goto(f"/games/{game}#orders")
        page.locator("#map svg .can").first.wait_for()

        def check_page(stage: str) -> None:
            assert wrong(page, CHECKED) == [], stage
            assert page.evaluate(ASIDE) <= width, stage

        written = write_all(page, way, check_page)
        press_by(page, way)(page.get_by_role("button", name="Send the orders"))
        expect(page.locator(".receipt.good code").first).to_have_text(written.strip())
        assert noted == []


@pytest.mark.night
def test_orders_for_later_can_depend_on_something_too(town: Town, chromium: Browser) -> None:
    """Another order for a question that is not asked yet is chosen by its words, its things and its number."""
    with browsing(town.app, chromium, 390) as context:
        page = entered(town.harness, context)
        noted = errors_of(page)
        page.goto(f"/games/{town.game}#orders")
        page.locator(".as-text summary").click()
        page.locator("#text").fill("FOR TURN 1 MARCH\nATTACK Mill WITH 2\n")
        hand, menu = Hand(page, Touched()), page.locator("#look")
        page.locator("#judged").get_by_role("button", name="But if…").click()
        for name in ("If it fails: another order", "ATTACK", "Abbey"):
            menu.get_by_role("button", name=name).first.click()
            hand.settle()
        while " ELSE ATTACK Abbey" not in hand.text:
            assert hand.step(), (hand.text, menu.inner_text(), page.locator("#said").inner_text())
        assert hand.settle() == "all"
        assert noted == []
