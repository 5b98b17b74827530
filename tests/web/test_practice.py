"""What a stranger finds: the games with a board each, and a practice table where the judge is the real one."""

import re
from concurrent.futures import ThreadPoolExecutor
from time import sleep

import pytest

from engine import GAMES
from engine.kernel.languages import LANGUAGES
from engine.kernel.pictures import Theme
from pbem.narration.folders import find_path, load_table
from pbem.service.access.permissions import Permission
from pbem.service.seats import open_tables, tables
from pbem.web.routes import ROUTES
from tests.web.conftest import Town
from tests.web.form_browser import hidden, orders


def test_the_landing_page_shows_each_game_with_its_board_and_the_open_tables(town: Town) -> None:
    """A stranger sees each game, its players, its board, and tables with free seats, and no name of who hosts them."""
    host = town.user("host@games.test")
    game = tables.create(town.harness.web, host, "toy", "Tulip", 3, {}, 48)
    town.harness.run_queued_tasks()
    open_tables.set_open(town.harness.web, game, on=True)
    stranger = town.browser()
    shown = stranger.get("/").text
    assert "Try a turn now" in shown
    assert "Tulip" in shown
    assert ">host<" not in shown
    (picture,) = re.findall(r'src="(/game-types/[^"]+)"', shown)
    board = stranger.get(picture)
    assert board.mimetype == "image/svg+xml"
    assert board.text.startswith("<svg")
    assert stranger.get("/game-types/nothing.svg").status_code == 404


def test_a_board_that_strangers_are_shown_is_made_once(town: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many ask at once, and whatever their address says behind the question mark."""
    made = list[Theme]()

    def slow(rules: object, language: str, theme: Theme) -> str:
        made.append(theme)
        sleep(0.05)
        return "<svg/>"

    monkeypatch.setattr("engine.kernel.samples.build_sample", slow)
    paths = [f"/game-types/toy.svg?theme={theme}" for theme in ("", "", "x1", "x2", "dark", "dark")]
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda path: town.app.test_client().get(path), paths))
    assert {answer.text for answer in answers} == {"<svg/>"}
    assert sorted(made) == sorted([Theme.AUTO, Theme.DARK])


def test_a_stranger_tries_a_turn_as_a_guest(town: Town) -> None:
    """One button leads to a table against bots, where orders are judged as anywhere."""
    guest = town.browser()
    answer = guest.post("/practice", {"game": "toy"}, page="/")
    assert answer.status_code == 303
    path = answer.headers["Location"]
    town.harness.run_queued_tasks()
    shown = guest.get(path).text
    assert "Your first turn" in shown
    assert "(bot)" in shown
    town.harness.run_scheduled_jobs()
    town.harness.run_queued_tasks()
    sent = orders(guest, path.rpartition("/")[2], "BID 1", "submit")
    assert "OK" in sent.text
    town.harness.run_queued_tasks()
    assert town.harness.load_game(path.rpartition("/")[2]).entry == 2
    assert guest.get("/").headers["Location"] == path


def test_a_guest_finds_nothing_but_the_practice_table(town: Town) -> None:
    """No page for people who are signed in opens to a guest, unless it is part of the practice table."""
    guest = town.browser()
    path = guest.post("/practice", {"game": "toy"}, page="/").headers["Location"]
    town.harness.run_queued_tasks()
    game = path.rpartition("/")[2]
    closed = {
        r.rule: r.permission
        for r in ROUTES
        if not r.guests and r.permission not in (Permission.ANYBODY, Permission.BEARER)
    }
    assert {"/tables/new", "/settings", "/games/<game>/talk", "/games/<game>/master", "/tables/open"} <= closed.keys()
    for rule, who in closed.items():
        at = rule.replace("<game>", game).replace("<int:entry>", "1")
        if "<" not in at and "GET" in next(r for r in ROUTES if r.rule == rule).methods:
            assert guest.get(at).status_code == (404 if who is Permission.OPERATOR else 403), rule
    key = hidden(guest.get(path).text, "csrf_token")
    sent = guest.client.post(f"/games/{game}/invite", data={"csrf_token": key, "addresses": "a@b.test"})
    assert sent.status_code == 403
    town.harness.run_queued_tasks()
    assert not any(address.to_address == "a@b.test" for address, _ in town.harness.sent)


@pytest.mark.parametrize("title", sorted(GAMES))
def test_each_game_says_what_it_is_and_how_its_first_turn_goes(title: str) -> None:
    """In each language: what it is, how long, how heavy, what is special, and the steps of a first turn."""
    for language in LANGUAGES:
        about = load_table(find_path("about", language, f"{title}.toml"))
        assert find_path("about", language, f"{title}.toml").startswith(f"about/{language}/")
        assert all(about[key] for key in ("what", "length", "weight", "special"))
        assert len(about["first"]["steps"]) >= 3
