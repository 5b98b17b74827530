"""Tables whose game is not installed, or in another version: kept as they are, and let go when it is back."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from engine.kernel import codec
from pbem.common.states import GameState
from pbem.narration.letters import render
from pbem.service.deadlines import interruptions as held
from pbem.service.tasks import health, jobs
from pbem.store.models import InboundEmail, Outage, OutboundEmail
from pbem.web import WebConfig, create_pages
from tests.service.server_fixtures import GAME_TYPES, ServerHarness, build
from tests.service.timed_games import HOUR, advance_and_run, load_question, start_timed_game
from tests.toy.rules import Toy
from tests.toy.second import SECOND
from tests.web.form_browser import Browser


class Newer(Toy):
    """The same game in another version."""

    meta = replace(Toy.meta, version="2")


@pytest.fixture
def take_away(monkeypatch: pytest.MonkeyPatch) -> Callable[[ServerHarness], None]:
    """Starts the server without the game, so that nothing that it saved can be read."""

    def taken(harness: ServerHarness) -> None:
        advance_and_run(harness)
        _forget(monkeypatch)
        harness.configure(installed={})
        advance_and_run(harness)

    return taken


def _forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """The codec knows nothing of the game."""
    for kept in ("_by_name", "_makers"):
        known = {name: made for name, made in getattr(codec, kept).items() if not name.startswith("toy.")}
        monkeypatch.setattr(codec, kept, known)


def bring_back(harness: ServerHarness, monkeypatch: pytest.MonkeyPatch) -> None:
    """The game is installed again."""
    monkeypatch.undo()
    harness.configure(installed=GAME_TYPES)
    advance_and_run(harness)


def test_players_and_operator_are_told_that_a_table_is_held(
    state_dir: Path, take_away: Callable[[ServerHarness], None]
) -> None:
    """Each player gets one letter that says so in their language, and `doctor` a sentence with the reason."""
    harness = build(state_dir)
    game = start_timed_game(harness, 2)
    take_away(harness)
    advance_and_run(harness, hours=1)
    told = [facts for facts in harness.sent_facts("notice") if facts.kind == "held"]
    assert [facts.frame.reader.seat for facts in told] == ["s1", "s2"]
    assert "This table is on hold: its game (toy) is not installed" in " ".join(render(told[0]).text.split())
    french = replace(told[0], frame=replace(told[0].frame, reader=replace(told[0].frame.reader, language="fr")))
    assert "Cette table est suspendue" in render(french).text
    said = [line for line in health.list_problems(harness.resolver) if game in line]
    assert said == [f"Table {game} is held, its deadlines stand still: toy is not installed."]


def test_the_deadlines_of_a_held_table_stand_still(
    state_dir: Path, take_away: Callable[[ServerHarness], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is closed while the game is away; when it is back every deadline moves by that time, and all are told."""
    harness = build(state_dir)
    game = start_timed_game(harness, 2, hours=48)
    due = load_question(harness, "s1").due_at or 0
    take_away(harness)
    for _ in range(10):
        advance_and_run(harness, hours=24)
    assert harness.load_game(game).entry == 1
    assert harness.sent_facts("reminder") == []
    bring_back(harness, monkeypatch)
    assert (load_question(harness, "s1").due_at or 0) - due == 240 * HOUR
    assert [facts.cause for facts in harness.sent_facts("deadline_changed")] == ["installed", "installed"]
    assert [outage.is_compensated for outage in harness.load_rows(Outage)] == [True]


def test_a_letter_to_a_held_table_is_answered(
    state_dir: Path, take_away: Callable[[ServerHarness], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its sender learns why nothing was read, and may send the same orders when the table goes on."""
    harness = build(state_dir)
    game = start_timed_game(harness, 2)
    take_away(harness)
    assert harness.reply("s1", "BID 3") is None
    assert [facts.kind for facts in harness.sent_facts("notice")] == ["held", "held", "held"]
    assert {row.state for row in harness.load_rows(InboundEmail)} == {"processed"}
    bring_back(harness, monkeypatch)
    assert harness.reply("s1", "BID 3").sets[0].taken
    assert harness.reply("s2", "BID 1").sets[0].taken
    assert harness.load_game(game).entry > 1


def test_letters_of_a_held_table_wait(
    state_dir: Path, take_away: Callable[[ServerHarness], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A report that was not sent yet needs the game's words: it waits as long as it takes, and then goes out."""
    harness = build(state_dir)
    game = start_timed_game(harness, 2)
    for seat, line in (("s1", "BID 3"), ("s2", "BID 1")):
        harness.receive_reply(harness.reply_token(seat), [line])
    for task, letter in [woken for woken in harness.queued_tasks if woken[0] == "process_inbound_emails"]:
        harness.run_task(task, letter)
    harness.run_task("resolve_game", game)
    harness.queued_tasks.clear()
    assert harness.load_game(game).entry > 1
    before = len(harness.sent_facts("report"))
    take_away(harness)
    for _ in range(24):
        advance_and_run(harness, hours=12)
        harness.requeue_stuck_work()
    assert len(harness.sent_facts("report")) == before
    assert {row.attempts for row in harness.load_rows(OutboundEmail)} == {0}
    bring_back(harness, monkeypatch)
    harness.requeue_stuck_work()
    assert len(harness.sent_facts("report")) == before + 2
    assert {row.state for row in harness.load_rows(OutboundEmail)} == {"sent"}


def test_other_tables_go_on_beside_a_held_one(state_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For all other tables the clock and the sweep go on and time is given back; a stop of the server stops no task."""
    harness = build(state_dir, installed={**GAME_TYPES, "other": Toy()})
    held, other = start_timed_game(harness, 2), start_timed_game(harness, 2)
    with harness.web.db.transaction() as session:
        session.get_one(type(harness.load_game(held)), held).rules = "gone"
    advance_and_run(harness)
    harness.simulate_downtime(hours=5)
    advance_and_run(harness)
    jobs.requeue_stuck_work(harness.mailer)
    advance_and_run(harness, hours=60)
    assert (harness.load_game(held).entry, harness.load_game(other).entry > 1) == (1, True)


def test_the_page_of_a_held_table_says_so(state_dir: Path, take_away: Callable[[ServerHarness], None]) -> None:
    """The list of one's tables includes it, and each of its pages says why it waits."""
    harness = build(state_dir)
    game = start_timed_game(harness, 2)
    take_away(harness)
    app = create_pages(harness.web, WebConfig(requests_per_minute=100_000))
    guest = Browser(app).sign_in(harness, harness.load_game(game).host_id)
    assert "on hold: its game is not installed here" in guest.get("/").text
    for path in ("", "/table", "/help", "/history/1", "/board.svg", "/deadlines", "/master"):
        shown = guest.get(f"/games/{game}{path}")
        assert (shown.status_code, "This table is on hold" in shown.text) == (503, True), path


def test_a_table_goes_on_by_another_version_if_its_operator_accepts_it(state_dir: Path) -> None:
    """From then on the installed version plays it, and its people are told that it goes on."""
    harness = build(state_dir)
    game = start_timed_game(harness, 2)
    advance_and_run(harness)
    harness.configure(installed={"toy": Newer()})
    advance_and_run(harness)
    (said,) = (line for line in health.list_problems(harness.resolver) if game in line)
    assert said.endswith("it is played by version 1 of toy, and 2 is installed.")
    assert harness.reply("s1", "BID 3") is None
    assert held.accept_version(harness.web, "toy") == 1
    assert held.accept_version(harness.web, "toy") == 0
    advance_and_run(harness)
    assert harness.load_game(game).rules_version == "2"
    assert [facts.cause for facts in harness.sent_facts("deadline_changed")] == ["installed", "installed"]
    assert harness.reply("s1", "BID 3").sets[0].taken


def test_a_table_goes_on_by_itself_under_a_version_that_continues_its_own(state_dir: Path) -> None:
    """Nothing is held, nobody is told anything, and the table remembers which version it was set up under."""
    harness = build(state_dir)
    game = start_timed_game(harness, 2)
    harness.configure(installed={"toy": SECOND})
    advance_and_run(harness)
    assert harness.reply("s1", "BID 3").sets[0].taken
    assert held.accept_version(harness.web, "toy") == 0
    assert harness.load_game(game).rules_version == "1"
    with harness.web.db.transaction() as session:
        session.get_one(type(harness.load_game(game)), game).state = GameState.OVER
    harness.configure(installed={"toy": Newer()})
    advance_and_run(harness)
    assert [facts for facts in harness.sent_facts("notice") if facts.kind == "held"] == []
