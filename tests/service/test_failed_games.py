"""A game that cannot go on: its players still get their receipts, other games go on, and it goes on when mended."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete

from engine.kernel.orders import Orders, Question
from engine.kernel.table import Table
from engine.kernel.viewers import Seat
from pbem.service.deadlines import gate_timing
from pbem.service.pages import game_pages
from pbem.service.resolver import resolution
from pbem.service.tasks import jobs, resolve_game
from pbem.service.tasks.health import list_problems
from pbem.store.models import Game, JournalEntry, OutboundEmail
from tests.service.server_fixtures import GAME_TYPES, ServerHarness, build, start_game
from tests.toy.board import Board
from tests.toy.rules import Toy


class Defective(Toy):
    """A game whose rules fail when bids are opened."""

    def resolve(self, table: Table[Board], gate: str, answers: Mapping[Seat, Orders]) -> None:
        """A defect, with something secret in its text."""
        raise KeyError(f"zebra {answers}")


class Restless(Toy):
    """A game that answers its own questions without end."""

    def resolve(self, table: Table[Board], gate: str, answers: Mapping[Seat, Orders]) -> None:
        """Ask the same again."""
        table.ask(*(Question(f"{gate}~", seat, "bid") for seat in answers))


def run_failing_tasks(harness: ServerHarness) -> int:
    """Do all tasks, those that fail too; how many failed."""
    failed = 0
    while harness.queued_tasks:
        try:
            harness.run_task(*harness.queued_tasks.pop(0))
        except (KeyError, resolution.TooManyEntries):
            failed += 1
    return failed


def stuck(folder: Path) -> tuple[ServerHarness, str]:
    """A game with a defect in which both have bid."""
    harness = build(folder, installed={"toy": Defective()})
    game = start_game(harness, "toy", 2)
    harness.receive_reply(harness.reply_token("s1"), ["BID 3", "ON PARRY: PARRY Oak Shield"])
    harness.receive_reply(harness.reply_token("s2"), ["BID 1"])
    assert run_failing_tasks(harness) == 1
    return harness, game


def test_a_stuck_game_still_answers_and_goes_on_when_it_is_mended(state_dir: Path) -> None:
    """Receipts are completed though each visit fails; with its rules mended, the next letter brings the game on.

    The text of the error, which may hold orders, is written nowhere; its class and the number of tries are.
    """
    harness, game = stuck(state_dir)
    assert (
        harness.load_game(game).failure,
        harness.load_game(game).resolve_attempts,
        harness.load_game(game).entry,
    ) == ("KeyError", 1, 1)
    assert b"zebra" not in b"".join(path.read_bytes() for path in state_dir.glob("test.sqlite3*"))
    harness.receive_reply(harness.reply_token("s1"), ["STATUS"])
    run_failing_tasks(harness)
    assert [r.topic for r in harness.sent_facts("receipt")[-1].stored_reactions] == ["shield"]
    assert {row.state for row in harness.load_rows(OutboundEmail)} == {"sent"}
    stop(harness)
    assert harness.load_game(game).resolve_attempts == resolve_game.MOST_TRIES
    harness.configure(installed=GAME_TYPES)
    harness.reply("s2", "BID 2")
    assert (
        harness.load_game(game).entry,
        harness.load_game(game).failure,
        harness.load_game(game).resolve_attempts,
    ) == (2, None, 0)
    assert harness.load_state(game).board.coins == {"s1": 5, "s2": 8}


def stop(harness: ServerHarness) -> None:
    """Let the sweep try until it gives up."""
    for _ in range(2 * resolve_game.MOST_TRIES):
        harness.advance_time(seconds=6)
        jobs.requeue_stuck_work(harness.scheduler)
        run_failing_tasks(harness)


def test_a_game_that_stops_is_told_once_and_goes_on_when_its_operator_says_so(
    state_dir: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Where and by what class of error, in a letter, in the log and by the doctor; no secret.

    After `pbem game resume` it is visited again, and told again if it stops again.
    """
    harness, game = stuck(state_dir)
    stop(harness)
    (letter,) = harness.sent_facts("master")
    assert [(said.code, dict(said.terms)) for said in letter.lead] == [
        ("game_stopped", {"entry": 1, "text": "KeyError"})
    ]
    assert [a.to_address for a, _ in harness.sent if a.kind == "master"] == ["p1@games.test"]
    assert [line for line in caplog.messages if "stopped" in line] == [
        f"game {game} stopped after entry 1: KeyError; pbem game resume"
    ]
    (told,) = [line for line in list_problems(harness.resolver) if game in line]
    assert ("at entry 1" in told, "KeyError" in told, f"pbem game resume {game}" in told) == (True, True, True)
    assert resolve_game.resume_game(harness.web, game)
    stop(harness)
    assert len(harness.sent_facts("master")) == 2
    harness.configure(installed=GAME_TYPES)
    assert resolve_game.resume_game(harness.web, game)
    run_failing_tasks(harness)
    assert (harness.load_game(game).entry, harness.load_game(game).failure) == (2, None)
    assert not resolve_game.resume_game(harness.web, "nothere")


def test_other_games_go_on(state_dir: Path) -> None:
    """What stops one game stops no other."""
    installed: Mapping[str, Any] = {"toy": Defective(), "fine": Toy()}
    harness = build(state_dir, installed=installed)
    bad = start_game(harness, "toy", 2)
    harness.sent.clear()
    good = start_game(harness, "fine", 2)
    mine = {str(a.seat): str(a.token) for a, _ in harness.sent if a.kind == "started" and a.game == good}
    for seat, token in mine.items():
        harness.receive_reply(token, ["BID 1"], f"<{seat}@p>")
    run_failing_tasks(harness)
    assert harness.load_game(good).entry == 2
    assert harness.load_game(bad).entry == 1


def test_a_game_that_runs_in_circles_is_stopped(state_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that makes entries without end is put before its operator, and leaves none of them behind."""
    monkeypatch.setattr(resolution, "MAX_ENTRIES", 20)
    monkeypatch.setattr(gate_timing, "is_overdue", lambda at, row: True)
    harness = build(state_dir, installed={"toy": Restless()})
    game = ""
    with pytest.raises(resolution.TooManyEntries):
        game = start_game(harness, "toy", 2)
    found = harness.load_rows(Game)[0]
    assert game == ""
    assert (found.state, found.entry, found.failure) == ("dealing", 0, "TooManyEntries")


def test_a_report_asked_for_again_tells_what_the_last_one_told_and_counts_once(state_dir: Path) -> None:
    """It begins where that one began, or with the turn that is named, and has an address of its own.

    Neither the list of reports nor where the page's story begins changes with it; HELP is answered in the receipt.
    """
    harness = build(state_dir)
    game = start_game(harness, "toy", 2)
    for seat in ("s1", "s2"):
        harness.reply(seat, "BID 1")
    told = [f for a, f in harness.sent if a.kind == "report" and a.seat == "s1"][-1]
    with harness.web.db.snapshot() as session:
        before = game_pages.list_reports(session, game, "s1")
    receipt = harness.reply("s1", "REPORT", "HELP bid", "STATUS")
    assert [(c.name, c.outcome) for c in receipt.commands] == [("report", "sent"), ("help", "done"), ("status", "done")]
    assert sorted(address.kind for address, _ in harness.sent[-2:]) == ["receipt", "report"]
    assert harness.sent_facts("report")[-1].events == told.events != ()
    harness.reply("s1", "REPORT 1")
    assert harness.sent_facts("report")[-1].events[-len(told.events) :] == told.events
    with harness.web.db.snapshot() as session:
        assert game_pages.list_reports(session, game, "s1") == before != []
    assert [s.taken for s in harness.reply("s1", "PASS").sets] == [True]


def test_a_journal_that_lacks_its_last_entry_is_told_of(state_dir: Path) -> None:
    """The game is named, and no other one; nothing is said of a journal that is whole."""
    harness = build(state_dir)
    torn, whole = start_game(harness, "toy", 2), start_game(harness, "toy", 2)
    assert not any("journal" in line for line in list_problems(harness.resolver))
    with harness.resolver.db.transaction() as session:
        session.execute(delete(JournalEntry).where(JournalEntry.game_id == torn))
    said = [line for line in list_problems(harness.resolver) if "missing from its journal" in line]
    assert len(said) == 1
    assert torn in said[0]
    assert whole not in said[0]
