"""The panel of what is touched, and the marks beside an order: they offer what can be done, and say it once."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from engine.age_of_renaissance.drawing.panel import KEY_WIDE
from tests.web.boards import opened
from tests.web.chromium import at_orders
from tests.web.touching import Hand, Touched

pytestmark = pytest.mark.long

LEGEND_WORDS = 48
"""The size of the words in a legend that is `KEY_WIDE` wide."""
BESIDE = "status => [...status.childNodes].filter(one => one.nodeType === 3).map(one => one.data).join('').trim()"
"""What a status says beside the question, which stands above already."""


def test_on_a_phone_the_hand_is_marked_where_its_cards_can_be_touched(state_dir: Path, chromium: Browser) -> None:
    """A card that is touched there can be read above what is offered."""
    harness, _, game = opened(state_dir, asks="keep")
    with at_orders(harness, game, chromium, 390) as (page, noted):
        page.set_viewport_size({"width": 390, "height": 844})
        hand, tab = Hand(page, Touched()), page.locator('.tabs [href="#hand"]')
        hand.settle()
        expect(tab).to_have_class(re.compile(r"\bfresh\b"))
        tab.click()
        card = page.locator("#hand .hand-cards > li").first
        card.click()
        hand.settle()
        expect(page.locator("#look .slot.open")).to_be_in_viewport(ratio=1)
        expect(card.locator("strong")).to_be_in_viewport(ratio=1)
        assert noted == []


def test_a_desk_says_how_far_a_question_is_answered_and_not_the_question_twice(
    state_dir: Path, chromium: Browser
) -> None:
    """The question stands in the column; the status beside the button that sends has its count alone."""
    harness, _, game = opened(state_dir, asks="keep")
    with at_orders(harness, game, chromium, 1280) as (page, _):
        hand = Hand(page, Touched())
        hand.settle()
        page.locator("#hand .hand-cards > li").first.click()
        hand.settle()
        assert page.locator("#status").evaluate(BESIDE) == "1 of 2"


def test_a_card_that_is_played_is_not_offered_once_more(state_dir: Path, chromium: Browser) -> None:
    """No mark beside its order writes it again, since that would be refused."""
    harness, _, game = opened(state_dir, asks="history", words="war")
    with at_orders(harness, game, chromium, 1280) as (page, _):
        hand = Hand(page, Touched())
        hand.settle()
        page.locator(".part[data-kind='open'] .chip").first.click()
        hand.settle()
        expect(page.locator('#judged [data-line] [data-press="×"]')).to_have_count(1)
        expect(page.locator('#judged [data-press="2×"]')).to_have_count(0)


def test_what_is_chosen_is_not_offered_beside_itself(state_dir: Path, chromium: Browser) -> None:
    """An order that is changed shows what it has and what else it could have; of what may be left out, what is possible
    now: in this scenario there is neither a garrison nor a palace to place.
    """
    harness, _, game = opened(state_dir, "renaissance", asks="setup")
    with at_orders(harness, game, chromium, 1280) as (page, _):
        hand = Hand(page, Touched())
        hand.settle()
        page.locator(".part[data-kind='open'] .chip").first.click()
        hand.settle()
        page.locator('#judged [data-press="✎"]').click()
        hand.settle()
        chosen = page.locator("#look .slot.open b").inner_text()
        assert chosen not in page.locator("#look .slot.open .chip").all_inner_texts()
        expect(page.locator("#look .slot")).to_have_count(1)


def test_the_legend_beside_a_map_can_be_read(state_dir: Path, chromium: Browser) -> None:
    """Its words are 11 pixels high in the narrowest column beside the map of the flagship."""
    harness, _, game = opened(state_dir)
    with at_orders(harness, game, chromium, 1280) as (page, _):
        page.set_viewport_size({"width": 1280, "height": 800})
        legend = page.locator(".legend img").bounding_box()
        assert legend is not None
        assert legend["width"] * LEGEND_WORDS / KEY_WIDE >= 11


def test_the_figures_of_a_player_stay_in_their_panel(state_dir: Path, chromium: Browser) -> None:
    """However many advances a power has: their letters go on below."""
    harness, _, game = opened(state_dir)
    with at_orders(harness, game, chromium, 1280) as (page, _):
        page.locator(".figures dd").last.evaluate("one => one.textContent = [...'ABCDEFGHIJKLMNOPQRSTUVWX'].join(' ')")
        letters, panel = page.locator(".figures dd").last.bounding_box(), page.locator(".figures").last.bounding_box()
        assert letters is not None
        assert panel is not None
        assert letters["x"] + letters["width"] <= panel["x"] + panel["width"]
