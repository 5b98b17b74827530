"""The public beacon at the doors: offered where the server asks it, and told while a phase waits for it."""

from pathlib import Path

import pytest

from pbem.crypto.beacon import QUICKNET
from pbem.narration.facts import PendingRound, ReceiptFacts
from pbem.service.base.services import RequestRefused
from pbem.service.seats import tables
from pbem.store.models import Game
from tests.api.api_client import Program, issued
from tests.beacon_network import install_network
from tests.service.master_commands import get_user_id
from tests.service.server_fixtures import ServerHarness, build, start_game
from tests.service.test_beacon_draws import bid, draw, table, waits
from tests.web.conftest import Town
from tests.web.form_browser import site
from tests.web.test_tables import make_table

HOST = "p1@games.test"


def town(harness: ServerHarness, game: str = "") -> Town:
    """Its pages."""
    return Town(harness, site(harness), game)


def test_the_beacon_is_offered_only_where_the_server_asks_it(state_dir: Path) -> None:
    """Without PBEM_BEACONS no form and no list of programs names it, and to send it all the same is refused."""
    harness = build(state_dir)
    without, number = town(harness), get_user_id(harness, HOST)
    assert "beacon" not in without.browser(HOST).get("/tables/new?game=toy").text
    program = Program(without.app, issued(harness, HOST))
    assert "draws" not in program.get("/game-types").text
    wanted = {"rules": "toy", "title": "L", "players": 2, "options": {"draws": "beacon"}}
    assert "no such option" in program.post("/tables", wanted).text
    with pytest.raises(RequestRefused, match="no_such_option"):
        tables.create(harness.web, number, "toy", "Rose", 2, {"draws": "beacon"})
    harness.configure(beacon=True)
    offered = town(harness)
    assert "public drand beacon" in offered.browser(HOST).get("/tables/new?game=toy").text
    assert "public drand beacon" in Program(offered.app, issued(harness, HOST)).get("/game-types").text


def test_a_table_with_the_beacon_says_so_to_its_guests(state_dir: Path) -> None:
    """The page of the table and the invitation name the choice before anybody sits down; the usual is without."""
    harness = build(state_dir)
    harness.configure(beacon=True)
    at = town(harness)
    host = at.browser(HOST)
    path = make_table(host, addresses="guest@games.test", **{"o.draws": "beacon"})
    usual = make_table(host)
    harness.run_queued_tasks()
    assert "public drand beacon" in host.get(path).text
    assert "public drand beacon" in at.browser("guest@games.test").get(path).text
    (invited,) = harness.sent_facts("invitation")
    assert invited.frame.table.options["draws"] == "beacon"
    assert {row.draw_mixing for row in harness.load_rows(Game) if row.id == usual.rpartition("/")[2]} == {1}
    assert {row.draw_mixing for row in harness.load_rows(Game) if row.id == path.rpartition("/")[2]} == {2}


def test_a_phase_that_waits_says_for_which_round(state_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The pages of seat and table, a program's answer and each receipt name the round and its moment.

    No orders are due until the phase is drawn; then the page goes on as ever.
    """
    install_network(monkeypatch)
    harness, game = table(state_dir)
    at = town(harness, game)
    player, program = at.browser(HOST), Program(at.app, issued(harness, HOST))
    paths = f"/games/{game}", f"/games/{game}/table"

    def asked() -> tuple[bool, bool]:
        questions = program.get(f"/games/{game}/questions").json["questions"]
        return "asks bid" in player.get(paths[0]).text, "bid" in {one["topic"] for one in questions}

    assert not any("The dice will use round" in player.get(path).text for path in paths)
    assert program.get(f"/games/{game}").json["waits"] is None
    assert asked() == (True, True)
    bid(harness)
    number = waits(harness).round
    for path in paths:
        assert f"round {number} of the public drand beacon" in player.get(path).text
    assert "Nothing to do right now" in player.get(paths[0]).text
    assert asked() == (False, False)
    assert program.get(f"/games/{game}").json["waits"]["round"] == number
    late = harness.reply("s1", "BID 5")
    assert isinstance(late, ReceiptFacts)
    assert late.frame.table.waits == PendingRound(number, QUICKNET.round_time(number))
    draw(harness, game)
    shown = player.get(paths[0]).text
    assert "The dice will use round" not in shown
    assert "Nothing to do right now" not in shown


def test_a_table_whose_deal_waits_says_so(state_dir: Path) -> None:
    """Between the last seat and the deal the page of the table names the round."""
    harness = build(state_dir)
    harness.configure(beacon=True)
    game = start_game(harness, "toy", 2, draws="beacon")
    shown = town(harness, game).browser(HOST).get(f"/games/{game}").text
    assert f"round {waits(harness).round} of the public drand beacon" in shown
