"""Finished games at the pages: who finds them, what is searched, and each entry as every seat saw it."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from engine.kernel.secrets import truth
from pbem.archive.contents import parse
from pbem.service.access.permissions import Permission, find_membership
from pbem.service.archive import files, library, transfer
from pbem.service.base.database_access import FIRST_PAGE
from pbem.service.mail import delivery
from pbem.store.models import Game
from tests.archive.bots import play_on
from tests.archive.files import finished, steady, verify_file
from tests.service.server_fixtures import build, start_game
from tests.web.conftest import Town
from tests.web.form_browser import site


@pytest.fixture
def blob() -> bytes:
    """A finished game's file."""
    return finished()[0]


def test_the_list_shows_finished_games_of_ones_own(over: Town) -> None:
    """Those who sat at the table find the game by its players, its table and its title; a stranger finds none."""
    guest = over.browser("p2@games.test")
    for words in ("", "rose", "player%201", "ROSE+p2"):
        assert guest.get(f"/records?q={words}").text.count(f'href="/records/{over.game}"') == 1, words
    assert over.game not in guest.get("/records?q=nobody+of+that+name").text
    assert over.game not in over.browser("stranger@games.test").get("/records").text
    assert "/records" in guest.get("/").text
    running = next(row.id for row in over.harness.load_rows(Game) if row.id != over.game)
    assert running not in guest.get("/records").text


def test_the_end_begins_with_the_winner_and_the_order(over: Town) -> None:
    """The sentence that tells who won and who came after them is first, and nothing is offered any more; the page of a
    seat shows the way to the whole game.
    """
    guest = over.browser("p2@games.test")
    last = over.harness.load_game(over.game).entry
    for path in (f"/games/{over.game}", f"/games/{over.game}/table", f"/records/{over.game}/public/{last}"):
        shown = guest.get(path).text
        main = shown.partition("<main")[2]
        assert re.findall(r'class="notice result">([^<]+)', main)[0].startswith("[en] Ended")
        assert main.index('class="notice result"') < main.index("<h2")
        assert ("/orders" in shown, 'class="chip"' in shown, 'value="submit"' in shown) == (False, False, False)
    assert f'href="/records/{over.game}"' in guest.get(f"/games/{over.game}").text


def test_each_entry_is_shown_as_each_seat_saw_it(over: Town) -> None:
    """From the first entry to the last, for everybody and for each seat, with the hand of that seat and no other."""
    guest = over.browser("p2@games.test")
    first = f"/records/{over.game}/s1/1"
    with truth():
        view = library.load_entry(over.harness.web, over.user("p2@games.test"), over.game, "s1", 1)
    assert view is not None
    assert view.earlier is None
    text = guest.get(first).text
    mine = view.page.view["known"]
    assert all(mine["s1"])
    assert all(card in text for card in mine["s1"])
    assert text.count("Dealt") == 1
    path, seen = first, 0
    while path:
        found = guest.get(path)
        assert found.status_code == 200
        seen += 1
        later = found.text.partition('rel="next" href="')[2].partition('"')[0]
        path = later
    assert seen == len(view.entries)
    assert guest.get(f"/records/{over.game}").status_code == 200
    for path in ("s1/0", "s1/9999", "s9/1", "nobody/1", "s1/-1"):
        assert guest.get(f"/records/{over.game}/{path}").status_code == 404


def test_a_game_that_was_brought_here_is_for_everybody(over: Town, blob: bytes) -> None:
    """An imported file is in the list of every signed-in player; its table has no other page."""
    transfer.import_game(over.harness.resolver, blob, "p1@games.test")
    book = parse(blob)
    guest = over.browser("stranger@games.test")
    assert f'href="/records/{book.manifest.game}"' in guest.get("/records").text
    assert guest.get(f"/records/{book.manifest.game}/s3/{book.manifest.entries}").status_code == 200
    host = over.browser("p1@games.test").get(f"/games/{book.manifest.game}")
    assert (host.status_code, host.headers["Location"]) == (303, f"/records/{book.manifest.game}")
    assert "from another server" in over.browser("p1@games.test").get("/").text


def test_the_file_is_handed_out_and_verifies(over: Town, blob: bytes) -> None:
    """Those who may look at a game may have its file, the same that the command writes; nobody else gets it."""
    path = f"/records/{over.game}/file"
    answer = over.browser("p2@games.test").get(path)
    assert answer.headers["Content-Disposition"] == f"attachment; filename={over.game}.zip"
    assert answer.data == files.export_game(over.harness.resolver, over.game)
    assert verify_file(answer.data).code == 0
    assert over.browser("stranger@games.test").get(path).status_code == 404
    assert over.browser().get(path).status_code == 303
    transfer.import_game(over.harness.resolver, blob)
    brought = parse(blob).manifest.game
    assert over.browser("stranger@games.test").get(f"/records/{brought}/file").data == blob


def test_a_game_ends_whatever_becomes_of_its_file(state_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that cannot be laid out holds no last letter back; the operator is told, and the page has none."""

    def failing(*about: object) -> None:
        raise ValueError("not yet")

    monkeypatch.setattr(files, "store_file", failing)
    harness = steady(build(state_dir))
    game = start_game(harness, "toy", 2, turns="1")
    play_on(harness, game)
    while delivery.deliver(harness.mailer):
        pass
    assert (harness.load_game(game).state, harness.load_game(game).failure) == ("over", "its file: ValueError")
    assert len(harness.sent_facts("game_over")) == 2
    town = Town(harness, site(harness), game)
    assert town.browser("p1@games.test").get(f"/records/{game}/file").status_code == 404


def test_rules_that_are_not_installed_hide_the_game(over: Town) -> None:
    """A game that this server cannot tell is not listed, rather than breaking the list."""
    bare = replace(over.harness.web, installed={})
    assert library.list_games(bare, over.user("p1@games.test"), FIRST_PAGE).rows == ()
    assert find_membership(bare, over.user("p1@games.test"), over.game, Permission.RECORD) is None
