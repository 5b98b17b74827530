"""The pages of a seat that is offered, and of a table that wants to approve."""

from pathlib import Path

from pbem.service.seats import open_tables, tables
from tests.service.master_commands import HOST, get_user_id, send_commands, send_confirmed
from tests.service.server_fixtures import build, start_game
from tests.web.conftest import Town
from tests.web.form_browser import Browser, site

GUEST = "guest@games.test"


def offered(town: Town, *acts: str) -> str:
    """The path of the link by which the guest is offered the second seat."""
    send_confirmed(town.harness, town.game, f"REPLACE p2 BY {GUEST}", *acts)
    return str(town.harness.sent_facts("seat")[-1].frame.links.act.removeprefix("https://games.test"))


def test_the_link_of_an_offered_seat_acts_by_its_button_alone(town: Town) -> None:
    """Looking does nothing, since scanners follow links; the button declines, or takes the seat once, and then the link
    is void.
    """
    guest = Browser(town.app)
    assert guest.post(offered(town), {"act": "decline"}).status_code == 200
    town.harness.run_queued_tasks()
    assert town.browser("p2@games.test").get(f"/games/{town.game}").status_code == 200
    link = offered(town)
    for _ in range(2):
        assert guest.get(link).status_code == 200
    assert "p2" in guest.get(link).text
    assert guest.post(link, {"act": "nonsense"}).status_code == 200
    done = guest.post(link, {"act": "take"})
    assert (done.status_code, f"/games/{town.game}" in done.text) == (200, True)
    town.harness.run_queued_tasks()
    assert guest.get(link).status_code == 404
    assert town.browser(GUEST).get(f"/games/{town.game}").status_code == 200
    assert town.browser("p2@games.test").get(f"/games/{town.game}").status_code == 404


def test_a_person_who_sits_at_the_table_by_now_cannot_have_the_seat(town: Town) -> None:
    """They read why."""
    link = offered(town, f"PROMOTE {GUEST}")
    send_confirmed(town.harness, town.game, "OPEN DECK", who=GUEST)
    assert Browser(town.app).post(link, {"act": "take"}).status_code == 409


def test_a_table_that_approves_is_asked(town: Town) -> None:
    """The button of an open table, or of an open seat, asks, and says so; then the page says that an answer is awaited,
    with a button to withdraw.
    """
    harness = town.harness
    game = tables.create(harness.web, get_user_id(harness, HOST), "toy", "Iris", 2, {}, 48)
    harness.run_queued_tasks()
    open_tables.set_open(harness.web, game, True)
    send_commands(harness, game, "APPROVAL ON")
    guest = town.browser(GUEST)
    assert "Ask for a seat" in guest.get("/tables/open").text
    assert guest.post("/tables/open", {"game": game, "words": "luck"}).headers["Location"] == "/tables/open"
    assert "the answer comes to you by letter" in guest.get("/tables/open").text
    assert guest.post("/tables/open", {"game": game, "act": "withdraw"}).status_code == 303
    assert "Ask for a seat" in guest.get("/tables/open").text
    guest.post("/tables/open", {"game": game, "words": "luck"})
    send_commands(harness, game, f"REFUSE {GUEST}")
    assert guest.post("/tables/open", {"game": game}).status_code == 409
    send_commands(harness, town.game, "APPROVAL ON")
    harness.reply("s2", "RESIGN YES")
    answer = guest.post("/seats/open", {"game": town.game, "seat": "s2"})
    assert (answer.status_code, "Its game master has got a letter" in answer.text) == (200, True)


def test_a_spectator_switches_letters_on_and_off(state_dir: Path) -> None:
    """The table's page has a button for it, and each letter a link at its foot that works without signing in."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 2, watchers="open")
    town = Town(harness, site(harness), game)
    guest = town.browser(GUEST)
    for act, then in (("watch", 'value="letters"'), ("letters", 'value="silence"')):
        assert guest.post("/spectating", {"act": act, "game": game}).status_code == 303
        assert then in guest.get("/spectating").text
    for seat in ("s1", "s2"):
        harness.reply(seat, "BID 0")
    link = harness.sent_facts("spectator")[-1].frame.links.mute.removeprefix("https://games.test")
    nobody = Browser(town.app)
    assert "Rose" in nobody.get(link).text
    assert 'value="silence"' in guest.get("/spectating").text
    assert nobody.client.post(link).status_code == 200
    assert 'value="letters"' in guest.get("/spectating").text
    assert nobody.get("/spectator/" + "x" * 26).status_code == 404
