"""What glows can be touched, and nothing that glows is refused; what is dim says why."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Route, expect

from engine import GAMES
from engine.kernel.position import Position
from pbem.web import WebConfig, create_pages
from tests.budget import budget
from tests.every_game import cases, one_game
from tests.service.position_setup import store_position
from tests.service.server_fixtures import build, start_game
from tests.web.boards import opened
from tests.web.browser_players import in_front, open_questions
from tests.web.chromium import INSIDE, at_orders, browsing, entered
from tests.web.form_browser import Browser as Guest
from tests.web.form_browser import orders
from tests.web.touching import Hand, Touched

EACH = budget(4, 40)
"""So many things of each kind are touched at a question."""


def _asked(title: str) -> Iterator[Position[Any]]:
    """Positions of a game between bots in which somebody owes an answer: each kind of question once, or all."""
    known = set[str]()
    for number in range(budget(1, cases()[title].games)):
        for entry in one_game(title, number)[1].entries[:: budget(1, 4)]:
            position = entry.after.position
            topics = {d.topic for d in position.core.questions if d.blocking} - known
            if topics:
                known |= topics if budget(1, 0) else set()
                yield position


@pytest.mark.parametrize(
    ("title", "width"),
    [
        pytest.param(
            title, width, marks=pytest.mark.long if (title, width) == ("renaissance", 1280) else pytest.mark.night
        )
        for title in GAMES
        for width in (1280, 844, 390)
    ],
)
def test_nothing_that_glows_is_refused(
    state_dir: Path,
    chromium: Browser,
    title: str,
    width: int,
    record_property: Callable[[str, object], None],
) -> None:
    """On games between bots, at each question: each lit thing leads to a line that the judge accepts, each dim one says
    why it does not, and so do the ways to write and the suggested lines.
    """
    count = Touched()
    for number, position in enumerate(_asked(title)):
        harness = build(state_dir / str(number), installed=GAMES)
        game = start_game(harness, title, len(position.core.seats))
        store_position(harness, game, position)
        state = harness.load_state(game).core
        seat = next(d.seat for d in state.questions if d.blocking)
        with at_orders(harness, game, chromium, width, "#desk", seat=seat) as (page, noted):
            Hand(page, count, noted).touch_everything(EACH)
            assert noted == []
    record_property("touched", str(count))
    assert min(count.lit, count.dim, count.lines) > 0


@pytest.mark.long
def test_the_first_card_is_marked_and_the_second_completes_the_answer(state_dir: Path, chromium: Browser) -> None:
    """Two of three cards are kept: a touch marks the first one, and says so; the second writes the order; a touch of a
    card that is kept takes it back.
    """
    harness, _, game = opened(state_dir, asks="keep")
    with at_orders(harness, game, chromium, 1280) as (page, _):
        hand = Hand(page, Touched())
        hand.settle()
        cards = page.locator("#hand .hand-cards > li")
        status = page.locator("#status")
        cards.nth(0).click()
        expect(cards.nth(0)).to_have_class(re.compile(r"\bheld\b"))
        expect(status).to_contain_text("1 of 2")
        expect(status).to_be_in_viewport()
        assert hand.text == ""
        cards.nth(1).click()
        expect(page.locator("#said")).to_have_attribute("data-state", "all")
        assert hand.text.startswith("KEEP ")
        cards.nth(0).click()
        expect(status).to_contain_text("1 of 2")
        cards.nth(2).click()
        hand.settle()
        assert len(hand.text.splitlines()) == 1


@pytest.mark.long
def test_what_is_for_sale_is_bought_by_touch(state_dir: Path, chromium: Browser) -> None:
    """A thing on the shelf writes its order, or asks for the city where it is built; what cannot be had says why."""
    harness, _, game = opened(state_dir, "renaissance", asks="purchases")
    with at_orders(harness, game, chromium, 1280) as (page, noted):
        hand, shelf = Hand(page, Touched()), page.locator("#hand .shelf > li")
        hand.settle()
        for n in range(shelf.count()):
            thing = shelf.nth(n).locator("[data-name]")
            keyword = thing.get_attribute("data-name") or ""
            lit = "can" in (shelf.nth(n).get_attribute("class") or "").split()
            assert lit != ("far" in (shelf.nth(n).get_attribute("class") or "").split()), keyword
            shelf.nth(n).click()
            hand.settle()
            if lit:
                hand.finish(keyword)
                assert hand.text.startswith(keyword)
                hand.empty()
            else:
                expect(page.locator("#look .why")).not_to_be_empty()
        assert hand.count.lines > 0
        assert noted == []


@pytest.mark.night
def test_one_question_is_in_front_and_the_others_are_marks(state_dir: Path, chromium: Browser) -> None:
    """On a phone the question in front stands above the board; once it is answered its order is in sight, the next one
    comes to the front, and its mark says that it is written; a mark brings a question back, to be changed.
    """
    harness, _, game = opened(state_dir, asks="keep")
    with at_orders(harness, game, chromium, 390) as (page, _):
        hand = Hand(page, Touched())
        first, *others = open_questions(page)
        asked, marks = page.locator(".asked"), page.locator('#asked .mark[data-state="open"]')
        expect(marks).to_have_count(1 + len(others))
        for n, key in enumerate((first, *others)):
            before = asked.inner_text()
            page.locator(f"#part-{key} .chip").first.click()
            hand.settle()
            expect(page.locator("#judged [data-line]").nth(n)).to_be_in_viewport(ratio=1)
            assert (asked.inner_text() != before) == (key != others[-1])
        expect(marks).to_have_count(0)
        count = len(hand.text.splitlines())
        in_front(page, first).locator(".chip").first.click()
        hand.settle()
        expect(page.locator(f"#part-{first}")).to_be_visible()
        assert len(hand.text.splitlines()) == count == 1 + len(others)


@pytest.mark.long
def test_a_press_counts_that_lasts_while_the_board_comes(state_dir: Path, chromium: Browser) -> None:
    """The board comes a moment after the questions: a suggested line that is held down just then is written."""
    harness, _, game = opened(state_dir, "renaissance", asks="any")
    with browsing(create_pages(harness.web, WebConfig(requests_per_minute=1_000_000)), chromium) as context:
        page = entered(harness, context)
        held: list[Route] = []
        page.route(re.compile(r"/map"), lambda route: held.append(route))
        page.goto(f"/games/{game}#orders")
        chip = page.locator(".part .chip").first
        chip.hover()
        page.mouse.down()
        for route in held:
            route.continue_()
        page.locator("#map svg .can").first.wait_for()
        page.mouse.up()
        expect(page.locator("#text")).not_to_have_value("")


@pytest.mark.night
def test_a_card_is_played_by_touching_it_and_then_its_target(state_dir: Path, chromium: Browser) -> None:
    """One button for all cards; a card that is touched is played, or its targets glow and one of them completes it."""
    harness, _, game = opened(state_dir, asks="history", words="war")
    with at_orders(harness, game, chromium, 1280) as (page, _):
        hand = Hand(page, Touched())
        hand.settle()
        verbs = page.locator(".part[data-kind='open'] .verbs button")
        assert verbs.all_inner_texts() == ["PLAY"]
        lit = page.locator("#hand .can [data-name]").evaluate_all("all => all.map(card => card.dataset.name)")
        assert lit
        for card in lit:
            hand.empty()
            page.locator(f'#hand [data-name="{card}"]').click()
            hand.settle()
            if not hand.text:
                expect(page.locator("#map svg .can, #look .slot.open .chip").first).to_be_attached()
            hand.finish(card)
            assert hand.text.startswith("PLAY ")


@pytest.mark.night
@pytest.mark.parametrize("width", [390, 1280])
def test_a_look_writes_nothing_while_the_orders_are_out_of_sight(
    state_dir: Path, chromium: Browser, width: int
) -> None:
    """With the news in front a click shows what the place is and what can be done there; its button writes the order
    and shows it among the orders.
    """
    harness, _, game = opened(state_dir, asks="expansion", words="war")
    with at_orders(harness, game, chromium, width) as (page, _):
        hand = Hand(page, Touched())
        hand.settle()
        page.locator("#map svg .can").first.wait_for()
        page.get_by_role("link", name="News", exact=True).click()
        hand.touch(hand.names()[0][0])
        assert hand.text == ""
        page.locator("#look .chips > .chip").first.click()
        hand.settle()
        expect(page.locator("#judged [data-line]")).to_be_visible()
        assert len(hand.text.splitlines()) == 1


@pytest.mark.night
def test_a_first_tap_looks_and_a_second_one_orders(state_dir: Path, chromium: Browser) -> None:
    """By touch, a place says what it is and what it would cost before anything is written."""
    harness, _, game = opened(state_dir, asks="expansion", words="war")
    app = create_pages(harness.web, WebConfig(requests_per_minute=1_000_000))
    with browsing(app, chromium, 390, has_touch=True) as context:
        page = entered(harness, context)
        page.goto(f"/games/{game}#orders")
        hand = Hand(page, Touched())
        page.locator("#map svg .can").first.wait_for()
        hand.settle()
        spot = next(place for place in page.locator("#map svg .can").all() if place.evaluate(INSIDE))
        page.touchscreen.tap(*spot.evaluate(INSIDE))
        expect(page.locator("#look .chip").first).to_contain_text("→")
        assert hand.settle() == "empty"
        page.touchscreen.tap(*spot.evaluate(INSIDE))
        expect(page.locator("#said")).to_have_attribute("data-state", "all")
        assert len(hand.text.splitlines()) == 1


@pytest.mark.night
def test_a_second_touch_of_a_tile_bids_no_second_time(state_dir: Path, chromium: Browser) -> None:
    """It shows the bid that stands, to be changed."""
    harness, _, game = opened(state_dir, "patchistory", asks="opening")
    with at_orders(harness, game, chromium, 1280) as (page, _):
        hand = Hand(page, Touched())
        hand.settle()
        name = hand.names()[0][0]
        hand.touch(name)
        written = hand.text
        assert written.startswith("BID ")
        hand.touch(name)
        assert hand.text == written
        expect(page.locator("#look .slot").first).to_be_visible()


@pytest.mark.night
def test_squares_of_another_territory_neither_glow_nor_take_orders(state_dir: Path, chromium: Browser) -> None:
    """All territories have squares of the same names; a touch on another player's says whose it is, and what it is."""
    harness, _, game = opened(state_dir, "patchistory", asks="settle")
    with at_orders(harness, game, chromium, 1280) as (page, _):
        hand = Hand(page, Touched())
        hand.settle()
        of_others = '#map [data-of]:not([data-of=""]) [data-name]'
        own = set(page.locator('#map [data-of=""] .can').evaluate_all("all => all.map((one) => one.dataset.name)"))
        shared = page.locator(", ".join(f'{of_others[:-1]}="{name}"]' for name in own)).first
        expect(shared).to_have_attribute("data-name", re.compile("."))
        expect(page.locator(f"{of_others}.can")).to_have_count(0)
        shared.dispatch_event("click")
        owner = str(shared.evaluate("one => one.closest('[data-of]').dataset.of"))
        expect(page.locator("#look .title")).to_contain_text(f"{owner} {shared.get_attribute('data-name')}")
        assert not hand.text


def first_line(guest: Guest, game: str) -> str:
    """The first line that the page suggests without a script."""
    return str(re.findall(r'value="likely:\w+:([^"]*)"', guest.get(f"/games/{game}").text)[0])


@pytest.mark.night
def test_orders_that_are_in_are_shown_and_changed_on_another_device(state_dir: Path, chromium: Browser) -> None:
    """The page says that they are in, and since when; shows them to be changed; says before they are sent what they
    replace, and after that they did.
    """
    harness, guest, game = opened(state_dir, asks="tokens")
    line = first_line(guest, game)
    assert "Your orders are in." in orders(guest, game, line, "submit").text
    with at_orders(harness, game, chromium, 390) as (page, _):
        step = page.locator(".step.done")
        expect(step).to_contain_text("sent")
        step.get_by_role("button", name="Show and change them").click()
        harness.run_queued_tasks()
        page.get_by_role("button", name="Change these orders").click()
        expect(page.locator("#said")).to_have_attribute("data-state", "all")
        assert page.locator("#text").input_value().strip() == line
        expect(page.locator("#still-open")).to_contain_text("replaces what is in: Tokens")
        page.get_by_role("button", name="Send the orders").click()
        expect(page.locator(".receipt.good")).to_contain_text("They replace the orders")
