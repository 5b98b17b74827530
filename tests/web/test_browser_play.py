"""A whole turn of each game in a real browser: by clicks alone, by keys alone, and as a reader of screens hears it."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from engine import GAMES
from tests.service.server_fixtures import ServerHarness, build, start_game
from tests.web.boards import opened
from tests.web.browser_players import Act, answer, players, press
from tests.web.chromium import ASIDE, at_orders, click


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


RUNS = [
    pytest.param(title, act, width, marks=pytest.mark.long if (act, width) == usual else pytest.mark.night)
    for title, usual in zip(WALKS, ((click, 390), (press, 1280), (click, 1280), (press, 390)), strict=True)
    for act in (click, press)
    for width in (390, 1280)
]
"""Each game once in the way that is usual for it; at night in the others too."""


def turn(harness: ServerHarness, game: str) -> int:
    """The turn that is played, or the period."""
    board = harness.load_state(game).board
    return int(board.period if hasattr(board, "period") else board.turn)


@pytest.mark.parametrize(("title", "act", "width"), RUNS)
def test_a_whole_turn_by_clicks_alone_and_by_keys_alone(
    state_dir: Path, chromium: Browser, title: str, act: Act, width: int
) -> None:
    """On a phone and on a desk all seats play the first turn to its end and go on, without writing a word."""
    walk = WALKS[title]
    harness = build(state_dir, installed=GAMES)
    game = start_game(harness, title, walk.seats)
    asked: set[str] = set()
    with players(harness, game, chromium, act, walk.seats, width) as seats:
        for player in seats * 20:
            while turn(harness, game) < 2 and player.asked:
                player.page.goto(f"/games/{game}")
                asked |= {
                    d.topic for d in harness.load_state(game).core.questions if d.seat == player.seat and d.blocking
                }
                answer(player, walk.placed)
        assert [player.noted for player in seats] == [[]] * walk.seats
        assert all(player.page.evaluate(ASIDE) <= width for player in seats)
    assert turn(harness, game) == 2
    assert walk.asked <= asked


ALOUD = Path(__file__).with_name("aloud")
"""A turn as a reader of screens is told it: kept as text, one file for each game, to be read by people."""
TOLD = {"age_of_renaissance": "expansion", "patchistory": "placement", "amalfi": "action"}
"""The question of the turn that is told; elsewhere the first."""


def told(page: Page) -> str:
    """The page as a turn goes: what is asked, a line written, what was sent."""
    orders, said = page.locator("#orders"), page.locator("#said")
    expect(said).to_have_attribute("data-state", "empty")
    parts = ["# The bar", page.locator(".bar").aria_snapshot(), "# What is asked", orders.aria_snapshot()]
    page.locator('.part[data-kind="open"] .chip').first.click()
    expect(said).to_have_attribute("data-state", "all")
    parts += ["# A line is written", page.locator(".sheet").aria_snapshot()]
    page.get_by_role("button", name="Send the orders").click()
    page.locator(".receipt.good").wait_for()
    parts += ["# It was sent", page.locator("#orders > .receipt").aria_snapshot()]
    return "\n".join(parts) + "\n"


@pytest.mark.night
@pytest.mark.parametrize("title", GAMES)
def test_a_turn_reads_as_it_was_read(state_dir: Path, chromium: Browser, title: str) -> None:
    """The bar, the questions, a written line with its judgement, and the receipt, in roles and names alone.

    A file that is not there is written, and the test fails once so that somebody reads it.
    """
    harness, _, game = opened(state_dir, title, asks=TOLD.get(title, "any"), words="aloud")
    with at_orders(harness, game, chromium, 1280) as (page, _noted):
        now = told(page)
    file = ALOUD / f"{title}.txt"
    if not file.exists():
        file.parent.mkdir(exist_ok=True)
        file.write_text(now, encoding="utf-8")
        pytest.fail(f"{file.name} was written: read it, and keep it")
    assert now == file.read_text(encoding="utf-8")
