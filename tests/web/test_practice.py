"""What a stranger finds: the games with a board each, and a practice table where the judge is the real one."""

import re
from concurrent.futures import ThreadPoolExecutor
from time import sleep
from xml.etree import ElementTree

import pytest

from engine import GAMES
from engine.kernel.covers import HasCover
from engine.kernel.languages import LANGUAGES
from engine.kernel.pictures import Theme
from pbem.narration.folders import find_path, load_table
from pbem.service.access.permissions import Permission
from pbem.service.seats import open_tables, tables
from pbem.web.routes import ROUTES
from tests.archive.bots import play_on
from tests.bot_games import OURS
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
    for picture in re.findall(r'src="(/game-types/[^"]+)"', shown):
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


def test_anybody_watches_the_table_that_bots_play(town: Town) -> None:
    """It is on the first page from the first practice table on; who looks on sees what everybody may see."""
    stranger = town.browser()
    assert stranger.get("/watch").headers["Location"] == "/"
    assert 'href="/watch"' not in stranger.get("/").text
    town.browser().post("/practice", {"game": "toy"}, page="/")
    town.harness.run_queued_tasks()
    assert 'href="/watch"' in stranger.get("/").text
    shown = stranger.get("/watch").text
    assert "(bot)" in shown
    assert "Player 1" not in shown
    assert stranger.get("/watch/board.svg").mimetype == "image/svg+xml"


@pytest.mark.parametrize("title", OURS)
def test_each_game_has_a_cover_of_its_own_drawing(town: Town, title: str) -> None:
    """One picture without a word and without anything from elsewhere; a game without a cover shows its board."""
    rules = GAMES[title]
    assert isinstance(rules, HasCover)
    drawn = rules.cover()
    assert ElementTree.fromstring(drawn).get("viewBox") == "0 0 480 360"
    assert not re.search(r"<text|<image|href|url\((?!#)", drawn)
    assert len(drawn) < 20_000
    assert town.browser().get("/game-types/toy/cover.svg").text == town.browser().get("/game-types/toy.svg").text


def test_a_stranger_tries_a_turn_as_a_guest(town: Town) -> None:
    """One button leads to a table against bots, where orders are judged as anywhere."""
    guest = town.browser()
    answer = guest.post("/practice", {"game": "toy"}, page="/")
    assert answer.status_code == 303
    path = answer.headers["Location"]
    town.harness.run_queued_tasks()
    shown = guest.get(path).text
    assert "(bot)" in shown
    town.harness.run_scheduled_jobs()
    town.harness.run_queued_tasks()
    sent = orders(guest, path.rpartition("/")[2], "BID 1", "submit")
    assert "OK" in sent.text
    town.harness.run_queued_tasks()
    assert town.harness.load_game(path.rpartition("/")[2]).entry == 2
    assert guest.get("/").headers["Location"] == path


def test_a_guest_plays_again_once_a_practice_game_is_over(town: Town) -> None:
    """By one button of its last page, at another table."""
    guest = town.browser()
    path = guest.post("/practice", {"game": "toy"}, page="/").headers["Location"]
    town.harness.run_queued_tasks()
    assert guest.post("/practice", {"game": "toy"}, page=path).headers["Location"] == "/"
    play_on(town.harness, path.rpartition("/")[2])
    town.harness.run_queued_tasks()
    shown = guest.get(f"{path}/end").text
    assert "Play again against bots" in shown
    assert "with the same players" not in shown
    once_more = guest.post("/practice", {"game": "toy"}, page=f"{path}/end").headers["Location"]
    assert once_more.startswith("/games/")
    assert once_more != path


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_stranger_can_practise_in_each_language(town: Town, language: str) -> None:
    """The names that a table has without anybody's doing are none that a table may not have."""
    guest = town.browser()
    guest.client.environ_base["HTTP_ACCEPT_LANGUAGE"] = language
    assert guest.post("/practice", {"game": "toy"}, page="/").status_code == 303
    town.harness.run_queued_tasks()
    assert guest.get("/watch").status_code == 200


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
    """In each language: what it is, how long, how heavy, what is special; the aim in two sentences, the first task."""
    for language in LANGUAGES:
        about = load_table(find_path("about", language, f"{title}.toml"))
        assert find_path("about", language, f"{title}.toml").startswith(f"about/{language}/")
        assert all(about[key] for key in ("what", "length", "span", "weight", "special"))
        assert len(re.findall(r"[.!?](?: |$)", about["first"]["aim"])) == 2
        assert about["first"]["task"]
