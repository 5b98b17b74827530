"""The clock costs what is due, not what there is: how it finds its work, and what it leaves alone."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from pbem.service.base.calendar import HOUR_MS
from pbem.service.base.services import DeliveryFailure
from pbem.service.deadlines import gate_timing
from pbem.service.mail import outbox
from pbem.service.tasks import health, jobs, reminders
from pbem.store.database import Database
from pbem.store.games import load_open_questions
from pbem.store.models import Game, OutboundEmail, QuestionRow
from tests.service.server_fixtures import ServerHarness, build, start_game

GROWING = (
    "sealed_orders",
    "questions",
    "games",
    "journal_entries",
    "inbound_emails",
    "outbound_emails",
    "seats",
    "capabilities",
    "users",
    "seat_views",
)
"""Tables of which a server has more the more games it has, and the longer it runs."""


@contextmanager
def record_statements(*databases: Database) -> Iterator[list[tuple[str, Any]]]:
    """The statements that are sent meanwhile, with their parameters."""
    found: list[tuple[str, Any]] = []

    def note(connection: Any, cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        found.append((statement, parameters))

    engines = {id(database.engine): database.engine for database in databases}
    for engine in engines.values():
        event.listen(engine, "before_cursor_execute", note)
    yield found
    for engine in engines.values():
        event.remove(engine, "before_cursor_execute", note)


def wide(harness: ServerHarness, statements: list[tuple[str, Any]]) -> list[str]:
    """The steps of these statements that read a whole table or all games that go on, as SQLite says."""
    found = []
    with harness.web.db.engine.connect() as connection:
        for statement, parameters in statements:
            if statement.startswith(("SELECT", "UPDATE", "DELETE")):
                plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
                found += [f"{step[3]}: {statement}" for step in plan if _wide(str(step[3]))]
    return found


def _wide(step: str) -> bool:
    return (step.startswith("SCAN") and step.split()[1] in GROWING) or "ix_games_state" in step


@pytest.mark.parametrize(
    "look", [jobs.enqueue_due_games, reminders.send_due, jobs.requeue_stuck_work, jobs.run_mail_jobs]
)
def test_no_look_at_the_clock_reads_a_whole_table(tmp_path: Path, look: Any) -> None:
    """What is due is found by an index, whatever number of games there are and however long they run.

    Only tables to hold are looked for among all that go on.  So are figures of what went out lately.
    """
    harness = build(tmp_path)
    start_game(harness, "toy", 2, 48)
    row = next(row for row in harness.load_rows(OutboundEmail) if row.state == "sent")
    row.attempts, row.error = 1, "relay 451"
    with record_statements(harness.mailer.db, harness.scheduler.db) as statements:
        look(harness.scheduler if look is jobs.enqueue_due_games else harness.mailer)
        health.sent_since(harness.mailer.db, harness.mailer.now() - 60_000, harness.mailer.now())
        with harness.mailer.db.snapshot() as session:
            outbox.is_recipient_specific(session, row, DeliveryFailure("relay 451", is_permanent=True))
    assert len(statements) >= 3
    steps = wide(harness, statements)
    assert [step.startswith("SEARCH games") and "outages" in step for step in steps] == [True] * (
        look is jobs.run_mail_jobs
    )


def test_a_table_that_waits_to_be_played_is_not_asked_for_again(state_dir: Path) -> None:
    """However often the clock is looked at before a resolver comes, the table is woken once."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 2, 48)
    harness.advance_time(hours=49)
    for _ in range(3):
        harness.run_scheduled_jobs()
    assert [subject for task, subject in harness.queued_tasks if task == "resolve_game"] == [game]
    harness.run_queued_tasks()
    assert harness.load_game(game).entry == 2


def test_many_tables_that_are_due_at_once_are_asked_for_in_turns(
    state_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One look asks for so many tables and no more; the next one goes on with the others, and none is left behind."""
    monkeypatch.setattr(jobs, "AT_ONCE", 2)
    harness = build(state_dir)
    games = {start_game(harness, "toy", 2, 48) for _ in range(3)}
    harness.advance_time(hours=49)
    assert [jobs.enqueue_due_games(harness.scheduler) for _ in range(3)] == [2, 1, 0]
    assert {subject for task, subject in harness.queued_tasks if task == "resolve_game"} == games


def test_a_sweep_wakes_few_of_many_tables_that_wait(state_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where play is behind, a sweep does not add to its work: it wakes those that have waited longest, and no more."""
    monkeypatch.setattr(jobs, "MAX_REQUEUED", 1)
    harness = build(state_dir)
    first, second = start_game(harness, "toy", 2, 48), start_game(harness, "toy", 2, 48)
    with harness.resolver.db.transaction() as session:
        for back, game in ((20_000, second), (10_000, first)):
            session.get_one(Game, game).resolve_requested_at = harness.resolver.now() - back
    jobs.requeue_stuck_work(harness.scheduler)
    assert [subject for task, subject in harness.queued_tasks if task == "resolve_game"] == [second]
    harness.run_queued_tasks()
    harness.requeue_stuck_work()
    assert harness.load_game(first).resolve_requested_at is None


def test_a_shortened_deadline_is_reminded_of_at_once(state_dir: Path) -> None:
    """A question whose time was shortened is reminded of at once, and then no more."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 2, 240)
    harness.advance_time(hours=100)
    harness.run_scheduled_jobs()
    assert harness.sent_facts("reminder") == []
    with harness.mailer.db.transaction() as session:
        table = session.get_one(Game, game)
        for row in load_open_questions(session, game):
            gate_timing.set_deadline(table, row, harness.mailer.now() + 20 * HOUR_MS)
    harness.run_scheduled_jobs()
    harness.run_queued_tasks()
    assert sorted(str(a.seat) for a, _ in harness.sent if a.kind == "reminder") == ["s1", "s2"]
    assert {row.remind_at for row in harness.load_rows(QuestionRow) if row.is_blocking} == {None}
