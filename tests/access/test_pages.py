"""Every page and every call of a program lets in those who may come, and shows them only what they may see."""

from collections.abc import Iterator

import pytest
from werkzeug.test import TestResponse

from pbem.service.access.permissions import REQUIREMENTS, Permission, find_membership
from pbem.web.api import OPERATIONS, PREFIX
from pbem.web.routes import ROUTES as PAGES
from tests.access.matrix import AFTER, CALLS, CALLS_AFTER, GROUPS, ROUTES, VISITORS
from tests.access.world import World, everybody, leaks, path_of
from tests.archive.bots import play_on
from tests.web.form_browser import hidden

AWAY, NOTHING, HERE = "sent to sign in", "not found", "let in"


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    """Everybody at one table, with cards of random names; the last test plays its game to the end."""
    with everybody() as made:
        yield made


def outcome(answer: TestResponse) -> str:
    """What became of a request."""
    if answer.status_code == 303 and answer.headers["Location"] == "/sign-in":
        return AWAY
    assert answer.status_code < 500
    return NOTHING if answer.status_code == 404 else HERE


def expected(visitor: str, lets_in: frozenset[str], who: Permission = Permission.USER) -> str:
    """What becomes of a request; where only operators come, nobody is told that there is a page."""
    if visitor in lets_in:
        return HERE
    return AWAY if visitor == "nobody" and who is not Permission.OPERATOR else NOTHING


def test_every_page_and_call_has_a_row() -> None:
    """A page or call without a row fails here, and so does the row of one that is gone."""
    assert {route.endpoint for route in PAGES} == set(ROUTES)
    assert {operation.name for operation in OPERATIONS} == set(CALLS)
    assert set(AFTER) <= set(ROUTES)
    assert set(CALLS_AFTER) <= set(CALLS)


def test_the_groups_hold_whom_the_table_says(world: World) -> None:
    """The server's one table of permissions holds exactly the people that this one names, for each of its groups."""
    assert set(GROUPS) == set(REQUIREMENTS)
    for who, people in GROUPS.items():
        signed = [visitor for visitor in VISITORS if visitor != "nobody"]
        found = {v for v in signed if find_membership(world.harness.web, world.user(v), world.game, who) is not None}
        assert found == people, who


def test_pages_and_calls_are_for_the_groups_that_they_name() -> None:
    """A page or a call about a table lets in its group; a deputy alone finds no report from before their time."""
    asked = [(route.endpoint, route.permission, ROUTES) for route in PAGES]
    asked += [(operation.name, operation.permission, CALLS) for operation in OPERATIONS]
    for name, who, rows in asked:
        if who in GROUPS:
            assert rows[name].lets_in == GROUPS[who] - (
                {"deputy"} if name in ("report_page", "get_report") else set()
            ), name


@pytest.mark.parametrize("visitor", VISITORS)
def test_pages_let_in_whom_the_table_says_and_show_only_what_is_theirs(world: World, visitor: str) -> None:
    """Each page lets in, sends away or shows nothing, by each method, with no word that the visitor may not read."""
    signed = world.browser(visitor)
    key = hidden(signed.get("/sign-in").text, "csrf_token")
    forbidden = {shows: world.forbidden(visitor, shows) for shows in {row.shows for row in ROUTES.values()}}
    for route in PAGES:
        row, path = ROUTES[route.endpoint], path_of(route.rule, world)
        for method in route.methods:
            sent = {"csrf_token": key} if method == "POST" else None
            guest = signed
            if route.endpoint == "sign_out":
                guest = world.browser(visitor)
                sent = {"csrf_token": hidden(guest.get("/sign-in").text, "csrf_token")}
            answer = guest.client.open(path, method=method, data=sent)
            if "<token>" not in route.rule and not (route.endpoint == "seat_map" and visitor in row.lets_in):
                assert outcome(answer) == expected(visitor, row.lets_in, route.permission), (method, path)
            head = "\n".join(f"{name}: {value}" for name, value in answer.headers)
            found = leaks(f"{head}\n{answer.get_data(as_text=True)}", forbidden[row.shows])
            assert found == set(), (method, path, {n for n, w in world.words.items() if w in found})


def test_the_search_for_words_would_find_them(world: World) -> None:
    """What a visitor may read is found on the page that shows it, so the search for words proves something."""
    shown = world.browser("own").get(f"/games/{world.game}/talk").text
    assert leaks(shown, set(world.words.values())) == {world.words[n] for n in ("public", "secret", "diary")}
    mine = world.cards_hidden_from("public") - world.cards_hidden_from("s2")
    assert mine
    assert leaks(world.browser("own").get(f"/games/{world.game}").text, mine) == mine
    assert leaks(world.browser("deputy").get(f"/games/{world.game}").text, mine) == mine


@pytest.mark.parametrize("visitor", VISITORS)
def test_programs_are_let_in_like_their_owners(world: World, visitor: str) -> None:
    """A call with the visitor's token answers; without one it is 401, for what is not theirs 404, and no word more."""
    client = world.app.test_client()
    forbidden = {shows: world.forbidden(visitor, shows) for shows in {row.shows for row in CALLS.values()}}
    for operation in OPERATIONS:
        row, path = CALLS[operation.name], PREFIX + path_of(operation.path, world)
        headers = world.program(visitor, operation.scope)
        answer = client.open(path, method=operation.method, headers=headers, json={} if operation.body else None)
        status = answer.status_code
        assert status < 500, path
        if visitor == "nobody":
            assert status == 401, path
        elif visitor not in row.lets_in:
            assert status == 404, (path, status)
        elif operation.name not in ("get_own_orders", "get_own_board", "get_public_board", "withdraw_application"):
            assert status != 404, path
        found = leaks(answer.get_data(as_text=True), forbidden[row.shows])
        assert found == set(), (path, {n for n, w in world.words.items() if w in found})


def _requests_afterwards(world: World, visitor: str) -> None:
    """What a program gets of the same game; the smallest one has no pictures, and its file may not be made yet."""
    client = world.app.test_client()
    for operation in OPERATIONS:
        if operation.name in CALLS_AFTER:
            answer = client.get(PREFIX + path_of(operation.path, world), headers=world.program(visitor))
            lets_in = visitor in CALLS_AFTER[operation.name]
            drawn = operation.returns is not None
            assert answer.status_code == (200 if lets_in and drawn else 401 if visitor == "nobody" else 404) or (
                lets_in and not drawn and answer.status_code == 200
            )
            if not lets_in:
                assert leaks(answer.text, set(world.words.values())) == set()


def test_a_finished_game_is_open_to_those_who_sat_there(world: World) -> None:
    """The record of a finished game is open to the seats of its end and the maker of the table, and to nobody else."""
    play_on(world.harness, world.game)
    assert world.harness.load_game(world.game).state == "over"
    paths = {route.endpoint: path_of(route.rule, world) for route in PAGES if route.endpoint in AFTER}
    for visitor in VISITORS:
        guest = world.browser(visitor)
        for endpoint, path in paths.items():
            answer = guest.get(path)
            assert outcome(answer) == expected(visitor, AFTER[endpoint]), (visitor, path)
            if visitor not in AFTER[endpoint]:
                assert leaks(answer.text, set(world.words.values())) == set()
        _requests_afterwards(world, visitor)
    record = world.browser("substitute").get(f"/records/{world.game}/talk").text
    assert leaks(record, set(world.words.values())) >= {world.words[n] for n in ("secret", "diary", "old diary")}
    assert find_membership(world.harness.web, world.user("deputy"), world.game) is None
