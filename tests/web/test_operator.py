"""The operator's page: there for operators alone, opened by a code, read-only but for acts that a code confirms."""

import re
from typing import Any

import pytest
from sqlalchemy import text, update
from werkzeug.test import TestResponse

from pbem.service.access import operators, people
from pbem.service.run import game_visit
from pbem.service.run.overview import overview
from pbem.service.time import pauses
from pbem.store.models import Game, OperatorAct, SecondFactor
from tests.service.hall import seated
from tests.service.test_clock_cost import asked
from tests.service.timed import tick
from tests.web.authenticator import Authenticator
from tests.web.conftest import Town
from tests.web.guests import Browser

ROOT = "root@players.test"


@pytest.fixture
def desk(town: Town) -> tuple[Town, Browser, Authenticator]:
    """A server with one operator, who is signed in and has an authenticator."""
    serve(town, operators=frozenset({ROOT}))
    return town, town.browser(ROOT), Authenticator(town.hall, town.user(ROOT))


def serve(town: Town, **fields: Any) -> None:
    """The pages are those of a server with these fields from now on."""
    town.hall.everywhere(**fields)
    shown = town.app.extensions["pbem"]
    town.app.extensions["pbem"] = type(shown)(town.hall.web, shown.look, shown.narrate)


def opened(desk: tuple[Town, Browser, Authenticator]) -> Browser:
    """The operator, with the page open; the next code is another."""
    town, browser, codes = desk
    assert browser.post("/operator", {"code": codes.code()}).status_code == 303
    town.hall.pass_time(seconds=60)
    return browser


def acted(desk: tuple[Town, Browser, Authenticator], act: str, game: str, code: str = "") -> TestResponse:
    """Send the form of the acts."""
    _, browser, codes = desk
    return browser.post("/operator", {"act": act, "game": game, "code": code or codes.code()})


def outcomes(town: Town) -> list[tuple[str, str, str]]:
    """What was asked for, at which table, and what came of it."""
    return [(row.act, row.subject, row.outcome) for row in town.hall.rows(OperatorAct)]


def test_to_others_the_page_is_not_there(desk: tuple[Town, Browser, Authenticator]) -> None:
    """Who is not named in the environment finds nothing, signed in or not, like at an address that never was."""
    town, _, _ = desk
    for guest in (town.browser(), town.browser("p1@games.test")):
        there, nowhere = guest.get("/operator"), guest.get("/nowhere")
        assert (there.status_code, there.text) == (404, nowhere.text)


def test_an_address_that_nobody_has_proved_is_no_operator(desk: tuple[Town, Browser, Authenticator]) -> None:
    """Who was signed in without a letter, for an address that they only named, finds nothing either."""
    town, _, _ = desk
    token = people.open_session(town.hall.web, town.user(ROOT), proved=False)
    assert not operators.named(town.hall.web, people.person_of(town.hall.web, token))
    proved = people.open_session(town.hall.web, town.user(ROOT))
    assert operators.named(town.hall.web, people.person_of(town.hall.web, proved))


def test_without_a_second_factor_the_page_names_the_command(town: Town) -> None:
    """An operator who has none is told how to get one, and sees nothing else."""
    town.hall.everywhere(operators=frozenset({ROOT}))
    site = town.app.extensions["pbem"]
    town.app.extensions["pbem"] = type(site)(town.hall.web, site.look, site.narrate)
    shown = town.browser(ROOT).get("/operator").text
    assert f"pbem operator enrol {ROOT}" in shown
    assert town.game not in shown


def test_a_code_opens_the_page_for_half_an_hour(desk: tuple[Town, Browser, Authenticator]) -> None:
    """After a code the page is open; when its time is over it asks for another."""
    town, _, _ = desk
    browser = opened(desk)
    assert 'name="act"' in browser.get("/operator").text
    town.hall.pass_time(minutes=31)
    assert 'name="act"' not in browser.get("/operator").text


@pytest.mark.parametrize(("steps", "good"), [(-2, False), (-1, True), (0, True), (1, True), (2, False)])
def test_a_clock_may_be_a_step_off(desk: tuple[Town, Browser, Authenticator], steps: int, good: bool) -> None:
    """Codes of the step before and the step after are taken, and none further away."""
    _, browser, codes = desk
    assert browser.post("/operator", {"code": codes.code(steps)}).status_code == (303 if good else 422)


def test_a_code_works_once(desk: tuple[Town, Browser, Authenticator]) -> None:
    """A code that was used opens nothing and confirms nothing, in any browser."""
    town, browser, codes = desk
    code = codes.code()
    assert browser.post("/operator", {"code": code}).status_code == 303
    assert town.browser(ROOT).post("/operator", {"code": code}).status_code == 422
    assert acted(desk, "hold", town.game, code).status_code == 422
    assert outcomes(town) == []


def test_few_codes_can_be_tried(desk: tuple[Town, Browser, Authenticator]) -> None:
    """After some wrong codes within the hour the right one is not taken either; in the next hour it is."""
    town, browser, codes = desk
    for _ in range(12):
        assert browser.post("/operator", {"code": "000000"}).status_code == 422
    assert browser.post("/operator", {"code": codes.code()}).status_code == 422
    town.hall.pass_time(hours=1)
    assert browser.post("/operator", {"code": codes.code()}).status_code == 303


def test_a_new_enrolment_ends_the_one_before(desk: tuple[Town, Browser, Authenticator]) -> None:
    """With a new secret the old codes are wrong, and a page that they opened closes."""
    town, _, codes = desk
    browser = opened(desk)
    again = Authenticator(town.hall, town.user(ROOT))
    assert 'name="act"' not in browser.get("/operator").text
    assert browser.post("/operator", {"code": codes.code()}).status_code == 422
    assert browser.post("/operator", {"code": again.code()}).status_code == 303


def test_the_secret_is_sealed(desk: tuple[Town, Browser, Authenticator]) -> None:
    """What lies in the database of a second factor is not the secret, in no spelling."""
    town, _, codes = desk
    (row,) = town.hall.rows(SecondFactor)
    secret = re.search(r"secret=([A-Z2-7]+)", codes.uri)
    assert secret
    assert secret[1].encode() not in row.secret_sealed


def test_games_that_go_on_cost_the_page_nothing(desk: tuple[Town, Browser, Authenticator]) -> None:
    """As many statements with four games as with one: what is stuck is picked out by the database."""
    town, _, _ = desk
    counts = []
    for more in (0, 3):
        for _ in range(more):
            seated(town.hall, "toy", 2)
        with asked(town.hall.web.db) as statements:
            assert overview(town.hall.web).stuck == ()
        counts.append(len(statements))
    assert counts[0] == counts[1]


def test_the_page_says_what_is_stuck_and_why(desk: tuple[Town, Browser, Authenticator]) -> None:
    """A game that stopped stands there with the class of its trouble, beside letters without an answer by reason."""
    town, _, _ = desk
    with town.hall.web.db.writing() as session:
        session.execute(update(Game).where(Game.id == town.game).values(trouble="ZeroDivisionError", play_tries=20))
    town.hall.write_in("x" * 26, ["BID 1"])
    town.hall.settle()
    shown = opened(desk).get("/operator").text
    assert f'class="mono">{town.game}' in shown
    assert "ZeroDivisionError" in shown
    assert "1 × to an address that was never given" in shown


def test_the_page_says_that_the_clock_stands_still(desk: tuple[Town, Browser, Authenticator]) -> None:
    """While the clock ticks nothing is said of it; after a minute without a tick the page does."""
    town, _, _ = desk
    tick(town.hall)
    browser = opened(desk)
    assert "Nothing is stuck." in browser.get("/operator").text
    town.hall.stand_still(seconds=120)
    shown = browser.get("/operator").text
    assert "The clock ticked 120 s ago" in shown
    assert "Nothing is stuck." not in shown


def test_the_page_says_that_a_disk_has_little_room(desk: tuple[Town, Browser, Authenticator]) -> None:
    """Where a disk of the server is nearly full the page says how much is left, and not that nothing is stuck."""
    town, _, _ = desk
    browser = opened(desk)
    assert "MB left" not in browser.get("/operator").text
    serve(town, room=lambda: 12_345_678)
    shown = browser.get("/operator").text
    assert "has 12 MB left" in shown
    assert "Nothing is stuck." not in shown


def test_rows_are_counted_up_to_a_bound(
    desk: tuple[Town, Browser, Authenticator], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Few rows are counted exactly; of many the page says what the database knows anyway, and reads no whole table."""
    town, _, _ = desk
    exactly = {row.table: (row.number, row.how) for row in overview(town.hall.web).rows}
    assert exactly["games"] == (1, "exactly")
    assert exactly["views"][0] > 2
    monkeypatch.setattr("pbem.service.run.overview.MOST_COUNTED", 2)
    if not town.hall.web.db.sqlite:
        with town.hall.web.db.writing() as session:
            session.execute(text("ANALYZE views"))
    bounded = {row.table: (row.number, row.how) for row in overview(town.hall.web).rows}
    assert bounded["games"] == (1, "exactly")
    assert bounded["views"] == ((2, "over") if town.hall.web.db.sqlite else (exactly["views"][0], "about"))
    assert "× <span" in opened(desk).get("/operator").text


def test_the_page_opens_nothing_secret(desk: tuple[Town, Browser, Authenticator]) -> None:
    """No name of a table or a player, no address but one's own, and no word that was written stands on the page."""
    town, _, _ = desk
    shown = opened(desk).get("/operator").text
    (game,) = town.hall.rows(Game)
    assert game.title not in shown
    assert set(re.findall(r"[\w.]+@[\w.]+", shown)) <= {ROOT}


def test_hold_and_release_are_carried_out_by_play(desk: tuple[Town, Browser, Authenticator]) -> None:
    """A table that is held is paused until it is released; its people are told, and both acts stay on the page."""
    town, browser, _ = desk
    opened(desk)
    assert acted(desk, "hold", town.game).status_code == 303
    assert outcomes(town) == [("hold", town.game, "")]
    assert "not done yet" in browser.get("/operator").text
    town.hall.settle()
    with town.hall.web.db.reading() as session:
        assert pauses.paused(session, town.game) is not None
    assert [facts.cause for facts in town.hall.of("moved")] == ["pause", "pause"]
    town.hall.pass_time(seconds=60)
    assert acted(desk, "release", town.game).status_code == 303
    town.hall.settle()
    with town.hall.web.db.reading() as session:
        assert pauses.paused(session, town.game) is None
    assert outcomes(town) == [("hold", town.game, "done"), ("release", town.game, "done")]
    assert "root, hold a table" in browser.get("/operator").text


def test_a_game_that_stopped_is_retried(desk: tuple[Town, Browser, Authenticator]) -> None:
    """A game that stopped after too many failures is visited again."""
    town, _, _ = desk
    opened(desk)
    with town.hall.web.db.writing() as session:
        stopped = {"trouble": "ZeroDivisionError", "play_tries": game_visit.MOST_TRIES, "play_wanted": 1}
        session.execute(update(Game).where(Game.id == town.game).values(**stopped))
    acted(desk, "retry", town.game)
    town.hall.settle()
    game = town.hall.game(town.game)
    assert (game.trouble, game.play_tries, game.play_wanted) == (None, 0, None)
    assert outcomes(town) == [("retry", town.game, "done")]


def test_an_act_that_cannot_be_uses_no_code(desk: tuple[Town, Browser, Authenticator]) -> None:
    """For a table that is not there nothing is filed, and the same code confirms the next act."""
    town, _, codes = desk
    opened(desk)
    code = codes.code()
    assert acted(desk, "hold", "nowhere", code).status_code == 422
    assert acted(desk, "burn", town.game, code).status_code == 422
    assert outcomes(town) == []
    assert acted(desk, "letters", "", code).status_code == 303
    town.hall.settle()
    assert outcomes(town) == [("letters", "", "nothing")]


def test_an_act_that_was_forgotten_is_found(desk: tuple[Town, Browser, Authenticator]) -> None:
    """Where the message to play was lost the sweep finds the act; one that waited for too long is not done."""
    town, _, _ = desk
    opened(desk)
    acted(desk, "hold", town.game)
    town.hall.woken.clear()
    town.hall.sweep()
    assert outcomes(town) == [("hold", town.game, "done")]
    town.hall.pass_time(seconds=60)
    acted(desk, "release", town.game)
    town.hall.woken.clear()
    town.hall.pass_time(minutes=16)
    town.hall.sweep()
    assert outcomes(town)[1] == ("release", town.game, "old")


def test_an_act_that_the_web_did_not_sign_is_not_done(desk: tuple[Town, Browser, Authenticator]) -> None:
    """A row that was put into the database, or changed there, is not believed, and holds up no other act."""
    town, _, _ = desk
    opened(desk)
    other = seated(town.hall, "toy", 2)
    acted(desk, "hold", town.game)
    with town.hall.web.db.writing() as session:
        session.execute(text("UPDATE operator_acts SET subject = :other"), {"other": other})
    town.hall.pass_time(seconds=60)
    acted(desk, "hold", town.game)
    town.hall.settle()
    assert outcomes_unchecked(town) == ["failed", "done"]


def outcomes_unchecked(town: Town) -> list[Any]:
    """What came of acts whose rows may not be believed."""
    with town.hall.web.db.reading() as session:
        return list(session.execute(text("SELECT outcome FROM operator_acts ORDER BY id")).scalars())
