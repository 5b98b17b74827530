"""What an address opens: no page beside the table of routes, and none by a guess or by a seat elsewhere."""

from pbem.crypto import new_token
from pbem.service.seats import tables
from pbem.web.api import OPERATIONS, PREFIX
from pbem.web.routes import ROUTES
from tests.web.conftest import Town


def test_there_is_no_address_but_those_of_the_table(town: Town) -> None:
    """The map of addresses is the table of routes and that of what programs can ask, methods included."""
    methods = {route.rule: set(route.methods) for route in ROUTES}
    asked = {PREFIX + operation.path for operation in OPERATIONS}
    rules = [rule for rule in town.app.url_map.iter_rules() if rule.endpoint != "static"]
    assert {rule.rule for rule in rules} == methods.keys() | asked
    for rule in rules:
        if rule.rule in methods:
            assert (rule.methods or set()) - {"HEAD"} == methods[rule.rule]


def test_a_game_that_is_not_there_and_one_of_others_look_the_same(town: Town) -> None:
    """A stranger cannot tell whether a game exists; a player of one game is a stranger in another."""
    guest = town.browser("stranger@games.test")
    there, nowhere = guest.get(f"/games/{town.game}"), guest.get("/games/bcdfghjkmnpq")
    assert (there.status_code, there.text) == (nowhere.status_code, nowhere.text)
    elsewhere = tables.create(town.harness.web, town.user("q1@games.test"), "toy", "Other", 2, {})
    town.harness.run_queued_tasks()
    assert town.browser("p1@games.test").get(f"/games/{elsewhere}").status_code == 404


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
