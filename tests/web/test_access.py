"""For whom each address is: the table of routes, tried with everybody on everything."""

from collections.abc import Mapping

from werkzeug.routing import Rule

from pbem.service.access.permissions import Who
from pbem.service.seats import tables
from pbem.vault import new_token
from pbem.web.api import OPERATIONS, PREFIX
from pbem.web.routes import ROUTES
from tests.web.conftest import Town
from tests.web.guests import Browser, hidden

GUESTS = ("nobody", "stranger", "other", "own")

AWAY, NOTHING, HERE = "sent to sign in", "not found", "let in"

MAY: Mapping[Who, Mapping[str, str]] = {
    Who.ANYBODY: dict.fromkeys(GUESTS, HERE),
    Who.BEARER: dict.fromkeys(GUESTS, HERE),
    Who.OPERATOR: dict.fromkeys(GUESTS, NOTHING),
    Who.USER: {"nobody": AWAY, "stranger": HERE, "other": HERE, "own": HERE},
    Who.TABLE: {"nobody": AWAY, "stranger": NOTHING, "other": HERE, "own": HERE},
    Who.SEAT: {"nobody": AWAY, "stranger": NOTHING, "other": HERE, "own": HERE},
    Who.ANSWERS: {"nobody": AWAY, "stranger": NOTHING, "other": HERE, "own": HERE},
    Who.SEES: {"nobody": AWAY, "stranger": NOTHING, "other": HERE, "own": HERE},
    Who.MASTERS: {"nobody": AWAY, "stranger": NOTHING, "other": NOTHING, "own": HERE},
    Who.HOST: {"nobody": AWAY, "stranger": NOTHING, "other": NOTHING, "own": HERE},
    Who.RECORD: {"nobody": AWAY, "stranger": NOTHING, "other": NOTHING, "own": NOTHING},
    Who.INVITED: {"nobody": AWAY, "stranger": NOTHING, "other": NOTHING, "own": NOTHING},
}
"""`own` is the host's seat, `other` a second seat of the same game; nobody is invited to a game under way.

Such a game has no record that could be looked at.
"""


def known(town: Town) -> set[str]:
    """The rules of the map, without the folder of static files."""
    rules: list[Rule] = list(town.app.url_map.iter_rules())
    return {rule.rule for rule in rules if rule.endpoint != "static"}


def test_there_is_no_address_but_those_of_the_table(town: Town) -> None:
    """The map of addresses is the table of routes and that of what programs can ask, methods included."""
    asked = {PREFIX + operation.path for operation in OPERATIONS}
    assert known(town) == {route.rule for route in ROUTES} | asked
    for rule in town.app.url_map.iter_rules():
        if rule.endpoint != "static" and rule.rule not in asked:
            route = next(route for route in ROUTES if route.rule == rule.rule)
            assert (rule.methods or set()) - {"HEAD"} == set(route.methods)


def came(guest: Browser, method: str, path: str) -> str:
    """What became of a request: a POST brings the key of a form of the guest's own session."""
    if method == "GET":
        answer = guest.client.get(path)
    else:
        key = hidden(guest.client.get("/sign-in").text, "csrf_token")
        answer = guest.client.post(path, data={"csrf_token": key})
    if answer.status_code == 303 and answer.headers["Location"] == "/sign-in":
        return AWAY
    if answer.status_code == 404:
        return NOTHING
    assert answer.status_code < 500
    return HERE


def test_everybody_on_every_address(town: Town) -> None:
    """Nobody, a stranger, another seat and the own seat get on each address what the table says, and no more."""
    stranger = town.user("stranger@games.test")
    entry = town.hall.game(town.game).entry
    for route in ROUTES:
        if "token" in route.rule:
            continue
        path = route.rule.replace("<game>", town.game).replace("<int:entry>", str(entry))
        path = path.replace("<viewer>", "public").replace("<title>", "toy")
        for method in route.methods:
            for name in GUESTS:
                guest = Browser(town.app)
                if name != "nobody":
                    user = {"stranger": stranger, "other": town.user("p2@games.test")}.get(name)
                    guest.sign_in(town.hall, user or town.user("p1@games.test"))
                assert came(guest, method, path) == MAY[route.who][name], (method, path, name)


def test_a_game_that_is_not_there_and_one_of_others_look_the_same(town: Town) -> None:
    """A stranger cannot tell whether a game exists."""
    guest = town.browser("stranger@games.test")
    there, nowhere = guest.get(f"/games/{town.game}"), guest.get("/games/bcdfghjkmnpq")
    assert (there.status_code, there.text) == (nowhere.status_code, nowhere.text)


def test_a_link_that_was_never_made_opens_nothing(town: Town) -> None:
    """Made-up tokens are found nowhere, in any form."""
    guest = town.browser()
    for token in (new_token(), "x", "..", "%00", new_token() * 3):
        assert guest.get(f"/join/{token}").status_code == 404
        assert guest.get(f"/invitations/{token}").status_code == 404
        assert guest.client.post(f"/invitations/{token}").status_code == 404
        assert guest.get(f"/unsubscribe/{token}/{town.game}").status_code == 404
        assert guest.client.post(f"/unsubscribe/{token}/{town.game}").status_code == 404
        assert guest.get(f"/sign-in/{token}").status_code in (200, 404)
        assert guest.post(f"/sign-in/{token}", page="/sign-in").status_code in (404, 410)
    assert guest.get("/games/" + town.game).status_code == 303


def test_a_seat_sees_no_report_of_another(town: Town) -> None:
    """An entry's report is that of the reader's own seat, in answer to any request."""
    entry = town.hall.game(town.game).entry
    own = town.browser("p1@games.test").get(f"/games/{town.game}/reports/{entry}").text
    other = town.browser("p2@games.test").get(f"/games/{town.game}/reports/{entry}").text
    assert own != other
    assert own.count("Dealt") == other.count("Dealt") == 1


def test_a_seat_in_one_game_opens_no_other(town: Town) -> None:
    """A player of one game is a stranger in another."""
    with town.hall.web.db.writing() as session:
        host = tables.user_of(town.hall.web, session, "q1@games.test").id
    elsewhere = tables.create(town.hall.web, host, "toy", "Other", 2, {})
    town.hall.settle()
    assert town.browser("p1@games.test").get(f"/games/{elsewhere}").status_code == 404
