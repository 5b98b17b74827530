"""The board for everybody, boards of finished games, and charts: pictures of public things, the same for all."""

import re
from pathlib import Path

from engine import GAMES
from pbem.store.models import TurnStatistics
from tests.service.server_fixtures import ServerHarness, build, start_game
from tests.web.conftest import Town
from tests.web.form_browser import site


def rounds(harness: ServerHarness, count: int) -> None:
    """Let deadlines pass, so that the game goes on by itself."""
    for _ in range(count):
        harness.advance_time(hours=25)
        harness.run_scheduled_jobs()
        harness.run_queued_tasks()


def town_of(folder: Path, title: str = "toy", players: int = 2) -> Town:
    """A game with deadlines."""
    harness = build(folder) if title == "toy" else build(folder, installed=GAMES)
    return Town(harness, site(harness), start_game(harness, title, players, 24))


def test_charts_follow_what_everybody_can_count(state_dir: Path) -> None:
    """The page has a table for each figure with a column a turn, and a chart that says the same numbers."""
    town = town_of(state_dir)
    rounds(town.harness, 8)
    page = town.browser("p1@games.test").get(f"/games/{town.game}/charts")
    turns = sorted(row.turn for row in town.harness.load_rows(TurnStatistics))
    assert len(turns) > 1
    assert all(f'<th scope="col" class="number">{turn}</th>' in page.text for turn in turns)
    svg = town.browser("p2@games.test").get(f"/games/{town.game}/chart.svg?figure=coins")
    assert (svg.status_code, svg.mimetype) == (200, "image/svg+xml")
    for seat, coins in town.harness.load_state(town.game).board.coins.items():
        line = svg.text.split(f"{seat} {turns[0]}: ")[1].split(".")[0]
        assert line.endswith(f"{turns[-1]}: {coins}")
    assert town.browser("p1@games.test").get(f"/games/{town.game}/chart.svg?figure=hands").status_code == 404


def test_figures_lie_sealed(state_dir: Path) -> None:
    """No figure can be read in the database: it is sealed like every public view."""
    town = town_of(state_dir)
    rows = town.harness.load_rows(TurnStatistics)
    assert rows
    assert not any(b"coins" in row.ciphertext for row in rows)


def test_what_nobody_can_count_has_no_chart(state_dir: Path) -> None:
    """Goods lie behind screens in Patchistory; charts begin with the second turn, before that a table says all."""
    town = town_of(state_dir, "patchistory", 3)
    guest = town.browser("p1@games.test")
    rounds(town.harness, 2)
    first = guest.get(f"/games/{town.game}/charts").text
    assert ("chart.svg" in first, "begin with the second turn" in first) == (False, True)
    assert 'id="politics"' in first
    while len(town.harness.load_rows(TurnStatistics)) < 2:
        rounds(town.harness, 1)
    page = guest.get(f"/games/{town.game}/charts").text
    assert "begin with the second turn" not in page
    assert "chart.svg?figure=politics&amp;" in page
    assert 'id="culture"' not in page


def test_the_common_board_is_the_same_for_all_and_holds_no_hand(state_dir: Path) -> None:
    """Each player gets the same bytes of what everybody sees; a browser that has them is told so."""
    town = town_of(state_dir)
    rounds(town.harness, 2)
    one, other = (town.browser(f"p{n}@games.test") for n in (1, 2))
    address = f"/games/{town.game}/board.svg"
    drawn = one.get(address)
    assert drawn.status_code == 200
    assert other.get(address).text == drawn.text
    assert drawn.headers["Cache-Control"] == "no-store"
    hands = town.harness.load_state(town.game).board.hands
    assert not any(str(card) in drawn.text for hand in hands.values() for card in hand)
    again = one.client.get(address, headers={"If-None-Match": drawn.headers["ETag"]})
    assert again.status_code == 304
    assert address in one.get(f"/games/{town.game}/table").text


def test_a_finished_game_shows_its_board_entry_by_entry(state_dir: Path) -> None:
    """Each entry of a record has the picture of that moment, as the chosen viewer saw it."""
    town = town_of(state_dir)
    while town.harness.load_game(town.game).state == "running":
        rounds(town.harness, 1)
    guest = town.browser("p1@games.test")
    page = guest.get(f"/records/{town.game}")
    address = page.text.split('<figure class="map" id="map"')[1].split('<img src="')[1].split('"')[0]
    assert address.startswith(f"/records/{town.game}/public/")
    assert guest.get(address).mimetype == "image/svg+xml"
    assert guest.get(address.replace("/public/", "/s2/")).status_code == 200
    assert guest.get(f"/records/{town.game}/public/99999/map.svg").status_code == 404
    assert town.browser("stranger@games.test").get(address).status_code == 404


def test_a_board_of_zones_is_on_the_page_in_words_and_in_parts(state_dir: Path) -> None:
    """Headed as a board; below the picture the same in words; each zone can be chosen, by a name the picture knows."""
    town = town_of(state_dir)
    guest = town.browser("p1@games.test")
    page = guest.get(f"/games/{town.game}").text
    assert "<p>Harbour: -; Mill: -; Abbey: -.</p>" in page
    assert '<h2 id="map-title" class="unseen">The board</h2>' in page
    live = guest.get(f"/games/{town.game}/map.svg?live=1").text
    parts = re.findall(r'<option value="([\d ]+)" data-crop="([\w-]+)"', page)
    assert {"towns", "turns", "turns-2", "hand"} <= {name for _, name in parts}
    for box, name in parts:
        assert f'<view id="zone-{name}" viewBox="{box}"/>' in live
        assert f'viewBox="{box}"' in guest.get(f"/games/{town.game}/map.svg?crop={name}").text
