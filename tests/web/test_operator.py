"""The operator's page: there for operators alone, opened by a code, read-only but for acts that a code confirms."""

import re
from typing import Any

import pytest
from sqlalchemy import text, update
from werkzeug.test import TestResponse

from pbem.common.states import OutboundState
from pbem.service.deadlines import interruptions
from pbem.service.tasks import resolve_game
from pbem.service.tasks.operator_page import load_overview
from pbem.store.models import Game, OperatorAction, OutboundEmail, SecondFactor
from tests.service.server_fixtures import start_game
from tests.service.timed_games import advance_and_run
from tests.web.authenticator import Authenticator
from tests.web.conftest import Town
from tests.web.form_browser import Browser
from tests.web.statements import counted

ROOT = "root@players.test"


class Desk:
    """A server with one operator, who is signed in and has an authenticator."""

    def __init__(self, town: Town) -> None:
        self.town, self.harness = town, town.harness
        self.serve(operator_emails=frozenset({ROOT}))
        self.guest = town.browser(ROOT)
        self.without = self.guest.get("/operator").text
        self.codes = Authenticator(town.harness, town.user(ROOT))

    def serve(self, **fields: Any) -> None:
        """The pages are those of a server with these fields from now on."""
        self.harness.configure(**fields)
        shown = self.town.app.extensions["pbem"]
        self.town.app.extensions["pbem"] = type(shown)(self.harness.web, shown.config, shown.narrator_for)

    def enter(self, code: str = "") -> int:
        """Send a code, that of now unless another is given; the status."""
        return self.guest.post("/operator", {"code": code or self.codes.code()}).status_code

    def open(self) -> Browser:
        """Open the page; the next code is another."""
        assert self.enter() == 303
        self.harness.advance_time(seconds=60)
        return self.guest

    @property
    def shown(self) -> str:
        """The page."""
        return self.guest.get("/operator").text

    def act(self, act: str, game: str, code: str = "") -> TestResponse:
        """Send the form of the acts."""
        return self.guest.post("/operator", {"act": act, "game": game, "code": code or self.codes.code()})

    def outcomes(self) -> list[tuple[str, str, str]]:
        """What was asked for, at which table, and what came of it."""
        return [(row.action, row.subject, row.outcome) for row in self.harness.load_rows(OperatorAction)]


@pytest.fixture
def desk(town: Town) -> Desk:
    """An operator before the page."""
    return Desk(town)


# --- who comes in


def test_to_others_the_page_is_not_there(desk: Desk) -> None:
    """Who is not named in the environment finds nothing, signed in or not, like at an address that never was."""
    for guest in (desk.town.browser(), desk.town.browser("p1@games.test")):
        there, nowhere = guest.get("/operator"), guest.get("/nowhere")
        assert (there.status_code, there.text) == (404, nowhere.text)


def test_a_code_opens_the_page_for_half_an_hour(desk: Desk) -> None:
    """An operator without a second factor is told how to get one and sees nothing else; after a code the page is open;
    when its time is over it asks for another.
    """
    assert f"pbem keys enrol {ROOT}" in desk.without
    assert desk.town.game not in desk.without
    desk.open()
    assert 'name="act"' in desk.shown
    desk.harness.advance_time(minutes=31)
    assert 'name="act"' not in desk.shown


@pytest.mark.parametrize(("steps", "good"), [(-2, False), (-1, True), (0, True), (1, True), (2, False)])
def test_a_clock_may_be_a_step_off(desk: Desk, steps: int, good: bool) -> None:
    """Codes of the step before and the step after are taken, and none further away."""
    assert desk.enter(desk.codes.code(steps)) == (303 if good else 422)


def test_a_code_works_once(desk: Desk) -> None:
    """A code that was used opens nothing and confirms nothing, in any browser."""
    code = desk.codes.code()
    assert desk.enter(code) == 303
    assert desk.town.browser(ROOT).post("/operator", {"code": code}).status_code == 422
    assert desk.act("hold", desk.town.game, code).status_code == 422
    assert desk.outcomes() == []


def test_few_codes_can_be_tried(desk: Desk) -> None:
    """After some wrong codes within the hour the right one is not taken either; in the next hour it is."""
    assert [desk.enter("000000") for _ in range(12)] == [422] * 12
    assert desk.enter() == 422
    desk.harness.advance_time(hours=1)
    assert desk.enter() == 303


def test_a_new_enrolment_ends_the_one_before(desk: Desk) -> None:
    """With a new secret the old codes are wrong, and a page that they opened closes; no secret lies in the clear."""
    (row,) = desk.harness.load_rows(SecondFactor)
    secret = re.search(r"secret=([A-Z2-7]+)", desk.codes.uri)
    assert secret
    assert secret[1].encode() not in row.secret_ciphertext
    desk.open()
    again = Authenticator(desk.harness, desk.town.user(ROOT))
    assert 'name="act"' not in desk.shown
    assert desk.enter() == 422
    assert desk.enter(again.code()) == 303


# --- what it shows


def test_the_page_says_what_is_stuck_and_why(desk: Desk) -> None:
    """A game that stopped, with the class of its trouble; letters without an answer, by reason; a clock that has not
    ticked for a minute; a disk with little room.
    """
    advance_and_run(desk.harness)
    desk.open()
    assert "Nothing is stuck." in desk.shown
    desk.serve(check_disk=lambda: 12_345_678)
    assert "has 12 MB left" in desk.shown
    assert "Nothing is stuck." not in desk.shown
    desk.serve(check_disk=lambda: 10**12)
    desk.harness.simulate_downtime(seconds=120)
    assert "The scheduler last ran 120 s ago" in desk.shown
    assert "Nothing is stuck." not in desk.shown
    with desk.harness.web.db.transaction() as session:
        stopped = update(Game).where(Game.id == desk.town.game)
        session.execute(stopped.values(failure="ZeroDivisionError", resolve_attempts=20))
    desk.harness.receive_reply("x" * 26, ["BID 1"])
    desk.harness.run_queued_tasks()
    for said in (f'class="mono">{desk.town.game}', "ZeroDivisionError", "1 × to a reply address that never existed"):
        assert said in desk.shown


def test_the_page_costs_the_same_and_opens_nothing_secret(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """As many statements with four games as with one; few rows are counted exactly, and of many no whole table is read.

    No name of a table or a player, no address but one's own, and no word that was written is on the page.
    """
    rows = {row.table: (row.number, row.how) for row in load_overview(desk.harness.web).rows}
    assert rows["games"] == (1, "exactly")
    assert rows["seat_views"][0] > 2
    with counted(desk.harness) as before:
        assert load_overview(desk.harness.web).stuck == ()
    for _ in range(3):
        start_game(desk.harness, "toy", 2)
    with counted(desk.harness) as after:
        assert load_overview(desk.harness.web).stuck == ()
    assert len(before) == len(after)
    monkeypatch.setattr("pbem.service.tasks.operator_page.MOST_COUNTED", 2)
    rows = {row.table: (row.number, row.how) for row in load_overview(desk.harness.web).rows}
    assert rows["seat_views"] == (2, "over")
    desk.open()
    assert "× <span" in desk.shown
    assert desk.harness.load_rows(Game)[0].title not in desk.shown
    assert set(re.findall(r"[\w.]+@[\w.]+", desk.shown)) <= {ROOT}


# --- what it does


def test_hold_and_release_are_carried_out_by_play(desk: Desk) -> None:
    """A table that is held is paused until it is released; its people are told, and both acts stay on the page."""
    game = desk.town.game

    def paused() -> bool:
        with desk.harness.web.db.snapshot() as session:
            return interruptions.find_pause(session, game) is not None

    desk.open()
    assert desk.act("hold", game).status_code == 303
    assert desk.outcomes() == [("hold", game, "")]
    assert "not done yet" in desk.shown
    desk.harness.run_queued_tasks()
    assert paused()
    assert [facts.cause for facts in desk.harness.sent_facts("deadline_changed")] == ["pause", "pause"]
    desk.harness.advance_time(seconds=60)
    assert desk.act("release", game).status_code == 303
    desk.harness.run_queued_tasks()
    assert not paused()
    assert desk.outcomes() == [("hold", game, "done"), ("release", game, "done")]
    assert "root, put a table on hold" in desk.shown


def test_a_game_that_stopped_is_retried(desk: Desk) -> None:
    """A game that stopped after too many failures is visited again."""
    desk.open()
    with desk.harness.web.db.transaction() as session:
        stopped = {
            "failure": "ZeroDivisionError",
            "resolve_attempts": resolve_game.MOST_TRIES,
            "resolve_requested_at": 1,
        }
        session.execute(update(Game).where(Game.id == desk.town.game).values(**stopped))
    desk.act("retry", desk.town.game)
    desk.harness.run_queued_tasks()
    game = desk.harness.load_game(desk.town.game)
    assert (game.failure, game.resolve_attempts, game.resolve_requested_at) == (None, 0, None)
    assert desk.outcomes() == [("retry", desk.town.game, "done")]


def test_an_act_that_cannot_be_uses_no_code(desk: Desk) -> None:
    """For a table that is not there nothing is filed, and the same code confirms the next act."""
    desk.open()
    code = desk.codes.code()
    assert desk.act("hold", "nowhere", code).status_code == 422
    assert desk.act("burn", desk.town.game, code).status_code == 422
    assert desk.outcomes() == []
    assert desk.act("letters", "", code).status_code == 303
    desk.harness.run_queued_tasks()
    assert desk.outcomes() == [("letters", "", "nothing")]


def test_an_act_that_was_forgotten_is_found(desk: Desk) -> None:
    """Where the message to play was lost the sweep finds the act; one that waited for too long is not done."""
    desk.open()
    desk.act("hold", desk.town.game)
    desk.harness.queued_tasks.clear()
    desk.harness.requeue_stuck_work()
    assert desk.outcomes() == [("hold", desk.town.game, "done")]
    desk.harness.advance_time(seconds=60)
    desk.act("release", desk.town.game)
    desk.harness.queued_tasks.clear()
    desk.harness.advance_time(minutes=16)
    desk.harness.requeue_stuck_work()
    assert desk.outcomes()[1] == ("release", desk.town.game, "old")


def test_an_act_that_the_web_did_not_sign_is_not_done(desk: Desk) -> None:
    """A row that was put into the database, or changed there, is not believed, and holds up no other act."""
    desk.open()
    other = start_game(desk.harness, "toy", 2)
    desk.act("hold", desk.town.game)
    with desk.harness.web.db.transaction() as session:
        session.execute(text("UPDATE operator_actions SET subject = :other"), {"other": other})
    desk.harness.advance_time(seconds=60)
    desk.act("hold", desk.town.game)
    desk.harness.run_queued_tasks()
    with desk.harness.web.db.snapshot() as session:  # as rows that may not be believed
        outcomes = session.execute(text("SELECT outcome FROM operator_actions ORDER BY id")).scalars()
        assert list(outcomes) == ["failed", "done"]


@pytest.mark.parametrize("language", ["en", "fr"])
def test_letters_that_have_not_arrived_are_listed_with_the_servers_words(desk: Desk, language: str) -> None:
    """Delayed, given up, refused or not handed over: each has its row, and what a mail server said is text."""
    guest, said = desk.open(), "550 5.1.1 <b>nobody</b> here"
    guest.post("/language", {"language": language, "back": "/"}, page="/")
    keys = [row.key for row in desk.harness.load_rows(OutboundEmail)][:4]
    assert "550" not in desk.shown
    with desk.harness.mailer.db.transaction() as session:
        for key, state in zip(keys, ("delayed", "given_up", "refused", "rendered"), strict=True):
            row = session.get_one(OutboundEmail, key)
            row.state, row.error, row.server_reply = OutboundState(state), "recipient 550", said
    assert desk.shown.count("550 5.1.1 &lt;b&gt;nobody&lt;/b&gt; here") == 4
