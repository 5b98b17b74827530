"""The pages of a seat that is offered, and of a table that wants to approve."""

from pathlib import Path

import pytest

from pbem.service.seats import open_tables, tables
from tests.service.hall import build, seated
from tests.service.masterly import HOST, ask, meant, user
from tests.web.conftest import Town
from tests.web.guests import Browser, site

GUEST = "guest@games.test"


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_link_of_an_offered_seat_acts_by_its_button_alone(town: Town, language: str) -> None:
    """Looking does nothing, since scanners follow links; the button takes the seat once, and then the link is void."""
    hall = town.hall
    user(hall, GUEST)
    meant(hall, town.game, f"REPLACE p2 BY {GUEST}")
    link = hall.of("seat")[-1].frame.links.act.removeprefix("https://games.test")
    guest = Browser(town.app)
    guest.client.set_cookie("lang", language)
    for _ in range(2):
        assert guest.get(link).status_code == 200
    assert "p2" in guest.get(link).text
    assert guest.post(link, {"act": "nonsense"}).status_code == 200
    done = guest.post(link, {"act": "take"})
    assert done.status_code == 200
    assert f"/games/{town.game}" in done.text
    hall.settle()
    assert guest.get(link).status_code == 404
    assert town.browser(GUEST).get(f"/games/{town.game}").status_code == 200
    assert town.browser("p2@games.test").get(f"/games/{town.game}").status_code == 404


def test_the_button_of_an_offer_declines_and_a_table_may_refuse(town: Town) -> None:
    """A person who sits at the table by now reads why they cannot have the seat."""
    hall = town.hall
    meant(hall, town.game, f"REPLACE p2 BY {GUEST}")
    link = hall.of("seat")[-1].frame.links.act.removeprefix("https://games.test")
    assert Browser(town.app).post(link, {"act": "decline"}).status_code == 200
    hall.settle()
    assert town.browser("p2@games.test").get(f"/games/{town.game}").status_code == 200
    meant(hall, town.game, f"REPLACE p2 BY {GUEST}", f"PROMOTE {GUEST}")
    link = hall.of("seat")[-1].frame.links.act.removeprefix("https://games.test")
    meant(hall, town.game, "OPEN DECK", who=GUEST)
    assert Browser(town.app).post(link, {"act": "take"}).status_code == 409


def test_the_list_of_open_tables_asks_where_a_table_approves(town: Town) -> None:
    """Its button asks, and says so; then the page says that an answer is awaited, with a button to withdraw."""
    hall = town.hall
    game = tables.create(hall.web, user(hall, HOST), "toy", "Iris", 2, {}, 48)
    hall.settle()
    open_tables.settle(hall.web, game, True)
    ask(hall, game, "APPROVAL ON")
    guest = town.browser(GUEST)
    assert "Ask for a seat" in guest.get("/tables/open").text
    assert guest.post("/tables/open", {"game": game, "words": "luck"}).headers["Location"] == "/tables/open"
    shown = guest.get("/tables/open").text
    assert "the answer comes to you by letter" in shown
    assert guest.post("/tables/open", {"game": game, "act": "withdraw"}).status_code == 303
    assert "Ask for a seat" in guest.get("/tables/open").text
    guest.post("/tables/open", {"game": game, "words": "luck"})
    ask(hall, game, f"REFUSE {GUEST}")
    assert guest.post("/tables/open", {"game": game}).status_code == 409


def test_a_seat_on_offer_is_asked_for_where_the_table_approves(town: Town) -> None:
    """The page of open seats says that its master is asked first."""
    hall = town.hall
    ask(hall, town.game, "APPROVAL ON")
    hall.say("s2", "RESIGN YES")
    answer = town.browser(GUEST).post("/seats", {"game": town.game, "seat": "s2"})
    assert answer.status_code == 200
    assert "Its game master has been told by letter" in answer.text


def test_a_spectator_switches_letters_on_and_off(state_dir: Path) -> None:
    """The table's page has a button for it, and each letter a link at its foot that works without signing in."""
    hall = build(state_dir)
    game = seated(hall, "toy", 2, watchers="open")
    town = Town(hall, site(hall), game)
    guest = town.browser(GUEST)
    assert guest.post("/watch", {"act": "watch", "game": game}).status_code == 303
    assert 'value="letters"' in guest.get("/watch").text
    assert guest.post("/watch", {"act": "letters", "game": game}).status_code == 303
    assert 'value="silence"' in guest.get("/watch").text
    for seat in ("s1", "s2"):
        hall.say(seat, "BID 0")
    link = hall.of("onlooker")[-1].frame.links.mute.removeprefix("https://games.test")
    nobody = Browser(town.app)
    assert "Rose" in nobody.get(link).text
    assert 'value="silence"' in guest.get("/watch").text
    assert nobody.client.post(link).status_code == 200
    assert 'value="letters"' in guest.get("/watch").text
    assert nobody.get("/onlooker/" + "x" * 26).status_code == 404
