"""The end of a game: its podium and figures, and the same people once more."""

from pathlib import Path

from pbem.service.seats import bots, tables
from pbem.store.models import Game, SeatRow, User
from tests.archive.bots import play_on
from tests.archive.files import steady
from tests.service.master_commands import get_user_id
from tests.service.server_fixtures import build
from tests.web.conftest import Town
from tests.web.form_browser import Browser, hidden, site


def again(guest: Browser, game: str, form: str = "") -> str:
    """Press the button; where it led."""
    page = f"/games/{game}/end"
    sent = {"form": form or hidden(guest.get(page).text, "form")}
    return guest.post(f"/games/{game}/rematch", sent, page=page).headers.get("Location", "")


def test_the_end_shows_the_order_the_figures_and_what_to_keep(over: Town) -> None:
    """Winner, places, points, figures, one's own story and the file; a stranger finds nothing."""
    guest = over.browser("p2@games.test")
    assert f"/games/{over.game}/end" in guest.get(f"/games/{over.game}").text
    shown = guest.get(f"/games/{over.game}/end").text
    assert shown.count('class="place"') == 2
    assert "Player 1" in shown
    assert f'"/records/{over.game}/s2"' in shown
    assert f"/records/{over.game}/file" in shown
    assert "chart.svg" in shown
    assert over.browser("stranger@games.test").get(f"/games/{over.game}/end").status_code == 404


def test_a_rematch_asks_the_same_people_and_shows_nobody_an_address(over: Town) -> None:
    """The new table has the same game and options; the other is asked by letter, and is shown by name to its host."""
    guest = over.browser("p2@games.test")
    path = again(guest, over.game)
    over.harness.run_queued_tasks()
    shown = guest.get(path).text.partition("<main")[2]
    assert "p1@games.test" not in shown
    assert "Player 1" in shown
    invited = [address.to_address for address, _ in over.harness.sent if address.kind == "invitation"]
    assert invited == ["p1@games.test"]
    new = path.rpartition("/")[2]
    assert over.harness.load_game(new).options == over.harness.load_game(over.game).options
    other = over.browser("p1@games.test")
    other.post(f"{path}/accept", page=path)
    over.harness.run_queued_tasks()
    assert over.harness.load_game(new).state == "running"


def test_a_rematch_that_is_declined_tells_its_host_a_name(over: Town) -> None:
    """The notice names the player as the host knows them; the seat is free, and whoever is asked then is told anew."""
    guest = over.browser("p2@games.test")
    path = again(guest, over.game)
    over.harness.run_queued_tasks()
    token = over.harness.sent_facts("invitation")[-1].frame.links.act.rpartition("/")[2]
    over.harness.receive_reply(token, ["NO"])
    over.harness.run_queued_tasks()
    declined = [facts for facts in over.harness.sent_facts("notice") if facts.kind == "declined"]
    assert [facts.terms["name"] for facts in declined] == ["Player 1"]
    guest.post(f"{path}/invite", {"addresses": "ann@games.test"}, page=path)
    assert "ann@games.test" in guest.get(path).text


def test_one_form_makes_one_rematch_and_a_game_under_way_makes_none(over: Town) -> None:
    """Sent twice, the same form makes one table; before the end there is no such thing."""
    guest = over.browser("p2@games.test")
    form = hidden(guest.get(f"/games/{over.game}/end").text, "form")
    assert again(guest, over.game, form).startswith("/games/")
    assert again(guest, over.game, form) == "/"
    under_way = next(row.id for row in over.harness.load_rows(Game) if row.id != over.game and row.state == "running")
    sent = guest.post(f"/games/{under_way}/rematch", {"form": "x"}, page="/")
    assert sent.headers["Location"] == f"/games/{under_way}"


def test_bots_come_along_to_a_rematch(state_dir: Path) -> None:
    """Who played against a bot has one again, and the game begins at once."""
    harness = steady(build(state_dir), "bots")
    host = get_user_id(harness, "p1@games.test")
    game = tables.create(harness.web, host, "toy", "Rose", 2, {"turns": "1"}, 48)
    bots.seat_bots(harness.web, game, host, "now")
    harness.run_queued_tasks()
    play_on(harness, game)
    harness.run_queued_tasks()
    town = Town(harness, site(harness), game)
    path = again(town.browser("p1@games.test"), game)
    harness.run_queued_tasks()
    new = path.rpartition("/")[2]
    assert harness.load_game(new).state == "running"
    names = {user.id: user.name for user in harness.load_rows(User)}
    players = [names[row.user_id or 0] for row in harness.load_rows(SeatRow) if row.game_id == new]
    assert [name.endswith("(bot)") for name in players] == [False, True]
