"""A whole turn in a real browser, scripts on: by clicks alone, by keys alone; and what the page says of each line."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from engine import GAMES
from pbem.web import Look, make
from tests.games import OURS
from tests.service.hall import Hall, build, seated
from tests.serving import served
from tests.web.conftest import Town
from tests.web.guests import Plain
from tests.web.test_browser import CHROMIUM, PATIENCE_MS, chromium, signed_in
from tests.web.walker import ASIDE, Act, answer, click, players, press

__all__ = ["chromium"]

pytestmark = pytest.mark.skipif(not CHROMIUM, reason="no chromium: set PBEM_CHROMIUM or put one on the PATH")


@dataclass(frozen=True)
class Walk:
    """A whole turn of a game: how many play, what is asked in it, and which orders are given on the board."""

    seats: int
    asked: frozenset[str]
    placed: Mapping[str, int]


WALKS = {
    "age_of_renaissance": Walk(4, frozenset({"tokens", "history", "purchases", "expansion"}), {"PLACE": 2}),
    "renaissance": Walk(3, frozenset({"setup", "garrison", "purchases", "expansion", "combat"}), {"EXPAND": 1}),
    "patchistory": Walk(3, frozenset({"opening", "placement", "settle", "administration", "movement"}), {"SETTLE": 1}),
    "amalfi": Walk(3, frozenset({"hand", "action"}), {"SAIL": 1}),
}


def turn(hall: Hall, game: str) -> int:
    """The turn that is played, or the period."""
    board = hall.position(game).board
    return int(board.period if hasattr(board, "period") else board.turn)


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("act", [click, press], ids=["clicks", "keys"])
@pytest.mark.parametrize("title", OURS)
def test_a_whole_turn_by_clicks_alone_and_by_keys_alone(
    state_dir: Path, chromium: Browser, title: str, act: Act, width: int
) -> None:
    """On a phone and on a desk all seats play the first turn to its end and go on, without writing a word."""
    walk = WALKS[title]
    hall = build(state_dir, installed=GAMES)
    game = seated(hall, title, walk.seats)
    asked: set[str] = set()
    app = make(hall.web, Look(requests_per_minute=1_000_000))
    with served(app) as url, players(hall, game, url, chromium, act, walk.seats, width) as seats:
        for player in seats * 20:
            while turn(hall, game) < 2 and player.asked:
                player.page.goto(f"/games/{game}")
                asked |= {d.asks for d in hall.position(game).core.open if d.seat == player.seat and d.blocking}
                answer(player, walk.placed)
        assert [player.noted for player in seats] == [[]] * walk.seats
        assert all(player.page.evaluate(ASIDE) <= width for player in seats)
    assert turn(hall, game) == 2
    assert walk.asked <= asked


def test_text_and_clicks_are_one_thing(town: Town, chromium: Browser) -> None:
    """What is clicked can be edited, what is written can be clicked away, and each line is judged as it is typed."""
    app = make(town.hall.web, Look(requests_per_minute=100_000), Plain)
    with served(app) as url:
        context = chromium.new_context(viewport={"width": 360, "height": 740}, locale="en", base_url=url)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        signed_in(town, page, url, "p1@games.test")
        page.goto(f"/games/{town.game}")
        said, text = page.locator("#said"), page.locator("#text")
        expect(said).to_have_attribute("aria-live", "polite")
        page.get_by_text("Write as text").click()
        text.fill("BID 99")
        expect(said).to_have_attribute("data-state", "none")
        expect(page.locator("#judged .refused")).to_have_count(1)
        page.locator("#judged [data-use]").click()
        expect(said).to_have_attribute("data-state", "all")
        assert text.input_value().startswith("BID ")
        page.locator(".part .chip").first.click()
        assert text.input_value().count("BID") == 1
        before = text.input_value()
        page.get_by_role("button", name="One more").click()
        expect(text).not_to_have_value(before)
        page.get_by_role("button", name="Remove this line").click()
        expect(text).to_have_value("")
        expect(said).to_have_attribute("data-state", "empty")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        context.close()
