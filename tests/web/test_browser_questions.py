"""Every kind of question that a game can ask is answered by clicks alone, on a phone or on a desk.

The kinds come from the game's own topics.  Each is asked in a position of a game between bots, or in one that the
game's own tests build; the position is laid on a table of the server, and its player answers on the page.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from engine import GAMES
from engine.kernel.orders import Question
from engine.kernel.position import Position
from engine.kernel.rules import Rules
from engine.kernel.secrets import redact, seen_by
from engine.kernel.viewers import Seat
from pbem.service.pages import game_pages
from pbem.web import order_builder
from tests.every_game import cases, one_game
from tests.service.master_commands import get_user_id
from tests.service.position_setup import store_position
from tests.service.server_fixtures import ServerHarness, build, start_game
from tests.web.browser_players import in_front
from tests.web.chromium import ASIDE, at_orders

pytestmark = pytest.mark.night

KINDS = [(title, topic.key) for title, rules in GAMES.items() for topic in rules.meta.topics]


@dataclass(frozen=True)
class Asked:
    """A position in which a player is asked something, and the page has something to offer them.

    That is at least one likely line; to leave a game for good is never called likely, and stands among the lists.
    """

    position: Position[Any]
    decision: Question


def _built(title: str) -> Mapping[str, Callable[[], Position[Any]]]:
    """The positions that a game's own tests build for what games hardly reach."""
    if find_spec(f"tests.engine.{title}") is None:
        return {}
    found: Mapping[str, Callable[[], Position[Any]]] = import_module(f"tests.engine.{title}.pages").BUILT
    return found


def _likely(rules: Rules[Any], position: Position[Any], decision: Question) -> bool:
    with seen_by(decision.seat):
        return bool(rules.suggest_orders(redact(position, decision.seat), decision))


def _positions(title: str) -> Iterator[Position[Any]]:
    """Those that are built, then those of whole games between bots."""
    for make in _built(title).values():
        yield make()
    for number in range(cases()[title].games):
        for entry in one_game(title, number)[1].entries:
            yield entry.after.position


@cache
def asked(title: str) -> Mapping[str, Asked]:
    """For each kind of question a position in which it is asked."""
    rules, found = GAMES[title], dict[str, Asked]()
    wanted = {topic.key: topic.is_resignation for topic in rules.meta.topics}
    for position in _positions(title):
        for decision in position.core.questions:
            if decision.topic not in found and (wanted[decision.topic] or _likely(rules, position, decision)):
                found[decision.topic] = Asked(position, decision)
        if wanted.keys() <= found.keys():
            break
    return found


def part_of(harness: ServerHarness, game: str, seat: Seat, asks: str) -> str:
    """The key of the part of the page where an open question is answered."""
    person = get_user_id(harness, f"p{seat.removeprefix('s')}@games.test")
    sections = order_builder.list_sections(game_pages.load_seat_page(harness.web, person, game, seat).grammar)
    return next(key for key, section in sections.items() if section.open and section.topic.key == asks)


@pytest.mark.parametrize(("title", "asks", "width"), [(*kind, 390 if n % 2 else 1280) for n, kind in enumerate(KINDS)])
def test_every_kind_of_question_is_answered_by_clicks(
    state_dir: Path, chromium: Browser, title: str, asks: str, width: int
) -> None:
    """A suggested line, or a way to write, is clicked and sent, and the judge takes it; nothing is written
    by hand, nothing sticks out.
    """
    found = asked(title)
    assert asks in found, f"no position asks {asks}: build one in tests/engine/{title}/pages.py"
    position, decision = found[asks].position, found[asks].decision
    harness = build(state_dir, installed=GAMES)
    game = start_game(harness, title, len(position.core.seats))
    store_position(harness, game, position)
    seats = harness.load_state(game).core.seats
    seat = seats[position.core.seats.index(decision.seat)]
    key = part_of(harness, game, seat, asks)
    with at_orders(harness, game, chromium, width, "#desk", seat=seat) as (page, noted):
        page.locator("#asked .part, #asked .mark").first.wait_for()
        part, leaves = in_front(page, key), GAMES[title].meta.topic(asks).is_resignation
        if leaves:
            part.locator(".verbs button").first.click()
        else:
            part.locator(".chip").first.click()
        expect(page.locator("#text")).not_to_have_value("")
        expect(page.locator("#said")).to_have_attribute("data-state", "command" if leaves else "all")
        assert page.evaluate(ASIDE) <= width
        page.get_by_role("button", name="Send the orders").click()
        page.locator("#orders > .receipt" if leaves else ".receipt.good").wait_for()
        assert noted == []
