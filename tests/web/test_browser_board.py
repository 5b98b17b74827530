"""Sentences light their places on the board, and those of no other player; zones are chosen from."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

import engine
from engine import GAMES
from pbem.web import WebConfig, create_pages
from tests.archive.bots import play_on
from tests.service.server_fixtures import GAME_TYPES, ServerHarness, build, start_game
from tests.web.chromium import ASIDE, at_orders, browsing, click, entered

pytestmark = pytest.mark.night

OF = "[...document.querySelectorAll('#map [data-of]')]"
"""The zones that belong to somebody, on a page."""


@contextmanager
def watching(
    state: Path, browser: Browser, title: str, players: int, entries: int
) -> Iterator[tuple[ServerHarness, str, Page]]:
    """A game after so many entries, and the browser of its first player."""
    harness = build(state, installed=GAMES)
    game = start_game(harness, title, players)
    play_on(harness, game, entries)
    with browsing(create_pages(harness.web, WebConfig(requests_per_minute=100_000)), browser, 1280) as context:
        yield harness, game, entered(harness, context)


def at_rest(board: Locator) -> str:
    """The part of a board that is shown, once it moves no more."""
    before, now = "", board.get_attribute("viewBox") or ""
    while now != before:
        board.page.wait_for_timeout(300)
        before, now = now, board.get_attribute("viewBox") or ""
    return now


def test_news_that_are_turned_away_from_leave_the_board_as_it_was(state_dir: Path, chromium: Browser) -> None:
    """A sentence lights its places and brings them near, also on a board drawn anew; turned away from, all is dark."""
    with watching(state_dir, chromium, "amalfi", 2, 14) as (_, game, page):
        page.goto(f"/games/{game}")
        board, lit = page.locator("#map .frame svg"), page.locator("#map .lit-place")
        expect(page.locator("#said")).to_have_attribute("data-state", "empty")
        before = at_rest(board)
        page.locator('a[href="#news"][data-tab]').click()
        lines = page.locator("#news .story > li")
        for n in range(lines.count()):
            lines.nth(n).click()
            expect(lines.nth(n)).to_have_attribute("aria-current", "step")
            if lit.count():
                break
        expect(lit.first).to_be_attached()
        expect(board).not_to_have_attribute("viewBox", before)
        near = at_rest(board)
        board.evaluate("svg => svg.setAttribute('data-old', '')")
        page.locator("#text").evaluate(
            "text => { text.value = 'BID 1'; text.dispatchEvent(new Event('input', {bubbles: true})); }"
        )
        expect(page.locator("#map .frame svg[data-old]")).to_have_count(0)
        expect(lit.first).to_be_attached()
        expect(board).to_have_attribute("viewBox", near)
        assert float(near.split()[2]) < float(before.split()[2])
        page.locator('a[href="#orders"][data-tab]').click()
        expect(lit).to_have_count(0)
        expect(board).to_have_attribute("viewBox", before)
        expect(page.locator("#news [aria-current]")).to_have_count(0)


def test_a_sentence_lights_nothing_of_a_player_whom_it_does_not_name(state_dir: Path, chromium: Browser) -> None:
    """The squares of all territories have the same names: a sentence lights those of its players alone."""
    with watching(state_dir, chromium, "patchistory", 3, 20) as (_, game, page):
        lit = set[str]()
        for entry in range(2, 20):
            page.goto(f"/games/{game}/history/{entry}")
            expect(page.locator("#map .frame [data-name]").first).to_be_attached()
            owners = set(page.evaluate(f"{OF}.map((zone) => zone.dataset.of)"))
            assert len(owners) == 3
            assert "" in owners, "one's own zones have no name"
            for line in page.locator("#news .story > li").all():
                line.click()
                expect(line).to_have_attribute("aria-current", "step")
                said = line.text_content() or ""
                bright = f"{OF}.filter((zone) => zone.querySelector('.lit-place'))"
                shine = set(page.evaluate(f"{bright}.map((zone) => zone.dataset.of)"))
                named = {owner for owner in owners if owner and re.search(rf"\b{owner}\b", said)}
                assert shine <= (named or {""}), said
                lit |= shine
        assert len(lit) > 1


def test_zones_are_chosen_shown_and_clicked(
    state_dir: Path, chromium: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The part that concerns the reader is shown first; going to a place by its letter shows its zone; a click on it
    writes an order; the same is there in words.
    """
    monkeypatch.setitem(engine.GAMES, "toy", GAME_TYPES["toy"])
    harness = build(state_dir)
    game = start_game(harness, "toy", 2)
    harness.reply("s1", "BID 1")
    harness.reply("s2", "BID 0")
    with at_orders(harness, game, chromium, 390) as (page, noted):
        chooser = page.locator("#part")
        parts = {
            option.get_attribute("data-crop"): option.get_attribute("value")
            for option in chooser.locator("option").all()
        }
        assert chooser.input_value() == parts["hand"]
        page.locator('#map svg [data-name="Mill"]').focus()
        page.keyboard.press("a")
        expect(page.locator('#map svg [data-name="Abbey"]')).to_be_focused()
        expect(page.locator('#map svg [data-name="Abbey"]')).to_be_in_viewport()
        click(page, page.locator('#map svg [data-name="Mill"]'))
        expect(page.locator("#text")).to_have_value(re.compile(r"^ATTACK Mill WITH \d+\n$"))
        page.get_by_role("link", name="Table", exact=True).click()
        page.get_by_text("The board in words").click()
        expect(page.get_by_text("Harbour: -; Mill: -; Abbey: -.")).to_be_visible()
        assert page.evaluate(ASIDE) <= 390
        assert noted == []
