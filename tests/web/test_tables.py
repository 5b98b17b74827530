"""Making a table, inviting, joining."""

from tests.service.server_fixtures import start_game
from tests.web.conftest import Town
from tests.web.form_browser import Browser, hidden


def make_table(guest: Browser, **fields: str) -> str:
    """Send the form of a new table; where it led."""
    shown = guest.get("/tables/new?game=toy").text
    sent = {"form": hidden(shown, "form"), "game": "toy", "name": "Tulip", "players": "2", "hours": "48", **fields}
    answer = guest.post("/tables/new", sent, page="/tables/new?game=toy")
    return answer.headers.get("Location", "")


def test_a_table_is_made_with_its_options_and_invitations(town: Town) -> None:
    """Every option is offered with its words; the letters go out; the game begins when the last seat is taken."""
    host = town.browser("host@games.test")
    form = host.get("/tables/new?game=toy").text
    for words in ("sealed", "in order", "go on", "drop the rest", "pace", "turns"):
        assert words in form
    path = make_table(host, addresses="guest@games.test", **{"o.pace": "in_order"})
    assert path.startswith("/games/")
    town.harness.run_queued_tasks()
    shown = host.get(path).text
    assert "invited: guest@games.test" in shown
    assert "in order" in shown
    assert "48 hours" in shown
    assert str(town.harness.load_game(path.rpartition("/")[2]).seed_digest) in shown
    invited = town.browser("guest@games.test")
    assert "You are invited" in invited.get("/").text
    seen = invited.get(path).text
    assert "host@games.test" not in seen
    assert "guest@games.test" not in seen.partition("<main")[2]
    assert invited.post(f"{path}/accept", {"words": "cat"}, page=path).status_code == 303
    town.harness.run_queued_tasks()
    assert town.harness.load_game(path.rpartition("/")[2]).state == "running"
    assert "asks bid" in invited.get(path).text


def test_a_form_that_cannot_stand_says_what_would(town: Town) -> None:
    """Nothing is made, what was written stays, and the reason is a sentence."""
    host = town.browser("host@games.test")
    for fields, said in (
        ({"addresses": "nonsense"}, "is not an e-mail address"),
        ({"addresses": "a@b.test c@d.test e@f.test"}, "more people than there are free seats (1)"),
        ({"hours": "-4"}, "whole number from 0"),
        ({"hours": "1e3"}, "whole number from 0"),
        ({"players": "9"}, "cannot be played by 9"),
        ({"name": " "}, "needs a name"),
        ({"o.pace": "sideways"}, "This game has no such option"),
    ):
        assert make_table(host, **fields) == ""
        assert host.last is not None
        assert host.last.status_code == 422
        assert said in host.last.text
    assert "Tulip" not in host.get("/").text
    sent = {"form": hidden(host.get("/tables/new?game=toy").text, "form")}
    for _ in range(2):
        make_table(host, **sent)
    assert host.get("/").text.count("Tulip") == 1, "one form makes one table"


def test_the_link_of_an_invitation_takes_the_seat_by_its_button(town: Town) -> None:
    """Looking does nothing; the button takes the seat once, with words for the deal and a name."""
    host = town.browser("host@games.test")
    path = make_table(host, addresses="guest@games.test")
    town.harness.run_queued_tasks()
    link = town.harness.sent_facts("invitation")[-1].frame.links.act.removeprefix("https://games.test")
    guest = town.browser()
    assert "invites you" in guest.get(link).text
    assert "What is played" in guest.get(link).text
    assert town.harness.load_game(path.rpartition("/")[2]).state == "open"
    assert "You have a seat." in guest.post(link, {"words": "meow", "name": "Grace"}).text
    town.harness.run_queued_tasks()
    assert town.harness.load_game(path.rpartition("/")[2]).state == "running"
    assert "You have a seat." in guest.get(link).text
    assert "Grace" in host.get(path).text


def test_a_host_invites_later_while_a_seat_is_free(town: Town) -> None:
    """More than the free seats is refused with the number; nobody but the host may invite."""
    host = town.browser("host@games.test")
    path = make_table(host, players="3")
    town.harness.run_queued_tasks()
    assert host.post(f"{path}/invite", {"addresses": "a@b.test, c@d.test, e@f.test"}, page=path).status_code == 422
    assert host.post(f"{path}/invite", {"addresses": "a@b.test"}, page=path).status_code == 303
    town.harness.run_queued_tasks()
    assert len(town.harness.sent_facts("invitation")) == 2
    assert "invited: a@b.test" in host.get(path).text


def test_what_is_owed_comes_first(town: Town) -> None:
    """The home page names the question and its deadline, and sorts what waits for an answer before the rest."""
    host = town.browser("p1@games.test")
    make_table(host, name="Aaa")
    town.harness.run_queued_tasks()
    text = host.get("/").text
    assert "Orders due: Bids" in text
    assert text.index("Rose") < text.index("Aaa")


def test_each_table_of_ones_own_says_what_matters_in_its_card(town: Town) -> None:
    """Game, turn, the others, what is owed and until when, and how long that is; with a picture."""
    start_game(town.harness, "toy", 3, 48)
    cards = town.browser("p1@games.test").get("/").text.partition('class="cards tables"')[2]
    card = next(part for part in cards.split("<li")[1:] if "p3" in part)
    for said in (
        "The Small Market",
        "turn 1",
        "with p2, p3",
        "Orders due: Bids",
        "In 2 days",
        "/game-types/toy/cover.svg",
    ):
        assert said in card, said
