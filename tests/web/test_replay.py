"""What happened, as the pages tell it: since one's last order, entry by entry, with what moves from where to where."""

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from engine.kernel.languages import DEFAULT
from engine.kernel.secrets import seen_by
from engine.kernel.viewers import Seat
from pbem.service.archive import library
from pbem.service.game import seat_views
from pbem.service.seats import spectators, substitutes
from pbem.store.models import SeatView
from tests.archive.bots import play_on
from tests.archive.files import steady
from tests.bot_games import OURS
from tests.service.server_fixtures import ServerHarness, build, start_game
from tests.service.test_missed_deadlines import newcomer, offered
from tests.web.boards import opened
from tests.web.conftest import Town
from tests.web.form_browser import site
from tests.web.statements import counted


def patched(text: str, changes: list[tuple[int, int, str]]) -> str:
    """A picture with some of its pieces replaced, as the page's script does it."""
    pieces, at = re.findall(r"<[^<]*", text), 0
    made: list[str] = []
    for start, count, put in changes:
        made += [*pieces[at:start], put]
        at = start + count
    return "".join((*made, *pieces[at:]))


def steps(town: Town, path: str, who: str = "p2@games.test") -> Any:
    """The steps at an address."""
    return town.browser(who).get(f"{path}/steps").get_json()


def last_entry(town: Town, seat: str) -> int:
    """The last entry of which a seat was shown something."""
    return max(row.entry for row in town.harness.load_rows(SeatView) if row.viewer == seat and row.kind == "view")


def test_the_news_tell_all_since_ones_last_order(state_dir: Path) -> None:
    """Who won the auction for what is in sight, though another report came since."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 2, pace="in_order")
    harness.reply("s1", "BID 2")
    harness.reply("s2", "BID 1")
    harness.reply("s1", "ATTACK Mill WITH 1")
    town = Town(harness, site(harness), game)
    shown = town.browser("p2@games.test").get(f"/games/{game}").text
    news = shown[shown.index('id="news"') : shown.index('id="talk"')]
    assert "Since your last order" in news
    assert len(re.findall(r'data-steps="/games/\w+/history/\d+/steps"', news)) >= 2
    assert "Bought" in news


def test_before_the_first_order_the_news_tell_how_the_game_began(town: Town) -> None:
    """Nothing is said of an order that nobody gave."""
    news = town.browser("p2@games.test").get(f"/games/{town.game}").text.partition('id="news"')[2]
    assert "Since your last order" not in news
    assert "/history/1/steps" in news


@pytest.mark.parametrize(
    "title", [pytest.param(one, marks=pytest.mark.night if n else ()) for n, one in enumerate(OURS)]
)
def test_the_steps_of_an_entry_lead_from_the_board_before_to_the_one_after(state_dir: Path, title: str) -> None:
    """A step for each sentence; with their changes, the picture before becomes the picture after."""
    harness, _, game = opened(state_dir, title, rounds=3, words="steps")
    town = Town(harness, site(harness), game)
    entries = sorted(row.entry for row in harness.load_rows(SeatView) if row.viewer == "s1" and row.kind == "view")
    moved = 0
    for before, entry in list(pairwise(entries))[-2:]:
        part = steps(town, f"/games/{game}/history/{entry}", "p1@games.test")
        page = town.browser("p1@games.test").get(f"/games/{game}/history/{entry}").text
        story = page.partition('class="story"')[2].partition("</ol>")[0]
        assert len(part["steps"]) == story.count("<li>")
        picture = part["picture"]
        assert picture == drawn(harness, game, before)
        for step in part["steps"]:
            picture = patched(picture, step["changes"])
            moved += len(step["moves"])
        assert not part["steps"] or picture == drawn(harness, game, entry)
    assert moved


def drawn(harness: ServerHarness, game: str, entry: int) -> str:
    """The first seat's board after an entry, without marks of change."""
    with harness.web.db.snapshot() as session, seen_by("s1"):
        position = seat_views.load_view(harness.web, session, game, "s1", entry)
        assert position is not None
        rules: Any = harness.web.rules(harness.load_game(game).rules)
        return str(rules.draw(rules.present_view(position, Seat("s1")), DEFAULT, live=True))


def test_a_movement_says_what_from_where_to_where(town: Town) -> None:
    """The coins of a bid go to the bank, a card comes: with its face for its owner, face down for the other."""
    town.harness.reply("s1", "BID 2")
    town.harness.reply("s2", "BID 1")
    entry = last_entry(town, "s1")
    mine, theirs = (moves(town, f"/games/{town.game}/history/{entry}", who) for who in ("p1", "p2"))
    assert any((m["from"], m["to"], m["count"]) == (["coins", "s1"], ["table", ""], 2) for m in mine)
    assert [m["face"] for m in mine if m["card"] and m["face"]]
    assert [(m["from"], m["to"], m["face"]) for m in theirs if m["card"]] == [(["table", ""], ["coins", "s1"], "")]


def moves(town: Town, path: str, who: str) -> list[Any]:
    """What moves at an address, for somebody."""
    return [move for step in steps(town, path, f"{who}@games.test")["steps"] for move in step["moves"]]


def test_a_finished_game_opens_at_its_beginning_with_its_turns_by_name(over: Town) -> None:
    """The slider has a name for each entry; going to a place of it leads to that entry, for every viewer."""
    guest = over.browser("p2@games.test")
    shown = guest.get(f"/records/{over.game}").text
    assert 'rel="prev"' not in shown
    assert f"/records/{over.game}/public/1/steps" in shown
    names = re.findall(r'data-names="([^"]*)"', shown)[0].split("|")
    assert names[0] == "Set-up"
    assert names[1] == "[en] turn_name · Bids"
    assert f'max="{len(names)}"' in shown
    place = names.index(names[1], 2) + 1
    for viewer in ("public", "s1"):
        answer = guest.get(f"/records/{over.game}/{viewer}?step={place}")
        there = guest.get(answer.headers["Location"]).text
        assert f'aria-valuetext="{names[1]}"' in there
        assert steps(over, answer.headers["Location"])["steps"]


def test_a_spectator_watches_a_running_game_from_its_beginning(state_dir: Path) -> None:
    """The same pages, with what everybody at the table was shown, and no seat's own story."""
    harness = steady(build(state_dir))
    game = start_game(harness, "toy", 2, watchers="open")
    play_on(harness, game, 4)
    town = Town(harness, site(harness), game)
    fan = town.browser("fan@games.test")
    spectators.follow(harness.web, town.user("fan@games.test"), game)
    table = fan.get(f"/games/{game}/table").text
    assert f'href="/games/{game}/replay"' in table
    first = fan.get(f"/games/{game}/replay").headers["Location"]
    assert first == f"/games/{game}/replay/1"
    shown = fan.get(first).text
    assert 'rel="next"' in shown
    assert "Dealt" not in shown
    assert steps(town, first, "fan@games.test")["steps"] is not None
    assert fan.get(f"/games/{game}/board.svg?entry=1").status_code == 200
    assert fan.get(f"/games/{game}/history/1").status_code == 404
    assert fan.get(f"/games/{game}/history/1/steps").status_code == 404


def test_a_substitute_sees_nothing_of_what_their_predecessor_was_told(state_dir: Path) -> None:
    """The first entry of their time has a board, but no story of the time before; no steps lead there either."""
    harness = build(state_dir)
    game = offered(harness)
    nora = newcomer(harness)
    substitutes.take_over(harness.web, nora, game, "s2")
    harness.run_queued_tasks()
    found = library.load_seat_entry(harness.web, nora, game, "s2", harness.load_game(game).entry)
    assert found is not None
    assert {event.visible_to for event in found.page.events} <= {None}
    first = library.load_seat_entry(harness.web, nora, game, "s2", found.entries[0])
    assert first is not None
    assert [event for event in first.page.events if event.visible_to is not None] == []
    part = library.load_steps(harness.web, nora, game, "s2", found.entries[0], own=True)
    assert part is not None
    assert (part.before, part.events) == (None, ())
    assert library.load_steps(harness.web, nora, game, "s2", 1, own=True) is None


def test_a_step_costs_the_same_however_long_the_game_is(over: Town) -> None:
    """As many statements late in a game as early, each for rows of one entry."""
    entries = library.load_entry(over.harness.web, over.user("p2@games.test"), over.game)
    assert entries is not None
    costs = {_rows(over, entry) for entry in (entries.entries[2], entries.entries[-2])}
    assert len(costs) == 1


def _rows(town: Town, entry: int) -> int:
    with counted(town.harness) as asked:
        library.load_steps(town.harness.web, town.user("p2@games.test"), town.game, "public", entry)
    return len(asked)
