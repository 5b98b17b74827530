"""Reminders of many tables: so many at a look, together, each once, whatever comes between."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.service.base.services import REMINDER_POINTS
from pbem.service.tasks import reminders
from pbem.store.models import QuestionRow
from tests.service.server_fixtures import ServerHarness, build, start_game
from tests.service.test_scheduler_cost import record_statements


def tables(harness: ServerHarness, number: int) -> list[str]:
    """So many tables of two, at which the deadline is near."""
    games = [start_game(harness, "toy", 2, 48) for _ in range(number)]
    harness.run_scheduled_jobs()
    harness.advance_time(hours=40)
    return games


def reminded(harness: ServerHarness) -> list[tuple[str | None, str | None]]:
    """To which seats of which tables reminders were sent, in order."""
    harness.run_queued_tasks()
    return sorted((to.game, to.seat) for to, _ in harness.sent if to.kind == "reminder")


def all_seats(games: list[str]) -> list[tuple[str, str]]:
    """The two seats of each of these tables."""
    return sorted((game, seat) for game in games for seat in ("s1", "s2"))


def at_point(harness: ServerHarness, where: str, act: Callable[[], None]) -> None:
    """Let something happen the first time that post passes a point."""
    left = [act]
    harness.mailer = replace(harness.mailer, fault_point=lambda name: left.pop()() if name == where and left else None)


def test_a_round_is_bounded_and_goes_on_at_the_next_look(state_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One look reminds of so many questions and no more; the next goes on with the others, and none is left behind."""
    monkeypatch.setattr(reminders, "AT_ONCE", 2)
    harness = build(state_dir)
    games = tables(harness, 3)
    for number in (2, 4, 6, 6):
        harness.run_scheduled_jobs()
        assert len(reminded(harness)) == number
    assert reminded(harness) == all_seats(games)


def test_reminders_of_many_tables_are_written_together(state_dir: Path) -> None:
    """Each table more costs at most three statements: what its seats saw, looked for twice, and its share of a few."""
    harness = build(state_dir)
    counts = []
    for number in (2, 6):
        games = tables(harness, number)
        with record_statements(harness.mailer.db) as statements:
            assert reminders.send_due(harness.mailer) == 2 * len(games)
        counts.append(len(statements))
        harness.run_queued_tasks()
    assert counts[1] - counts[0] <= 4 * 3


@pytest.mark.parametrize("where", REMINDER_POINTS)
def test_a_round_that_is_cut_off_is_done_once(state_dir: Path, where: str) -> None:
    """A worker that dies before its round is written, or just after, neither loses a reminder nor sends it twice."""
    harness = build(state_dir)
    games = tables(harness, 2)

    def die() -> None:
        raise KeyboardInterrupt

    at_point(harness, where, die)
    with pytest.raises(KeyboardInterrupt):
        reminders.send_due(harness.mailer)
    harness.queued_tasks.clear()
    harness.run_scheduled_jobs()
    harness.requeue_stuck_work()
    assert reminded(harness) == all_seats(games)


def test_who_answers_meanwhile_is_not_reminded(state_dir: Path) -> None:
    """What was prepared is written only where nothing of it has changed: who has answered by then gets no letter."""
    harness = build(state_dir)
    (game,) = tables(harness, 1)

    def answer() -> None:
        harness.receive_reply(str(harness.last_recipient("s1").token), ["BID 3"])
        harness.run_task(*harness.queued_tasks.pop(0))

    at_point(harness, "reminders.prepared", answer)
    assert reminders.send_due(harness.mailer) == 1
    assert reminded(harness) == [(game, "s2")]


def test_who_withdraws_is_reminded_after_all(state_dir: Path) -> None:
    """An answer that is taken back after the reminder would have been due leaves a player who is reminded at once."""
    harness = build(state_dir)
    (game,) = tables(harness, 1)
    harness.reply("s1", "BID 3")
    harness.run_scheduled_jobs()
    assert reminded(harness) == [(game, "s2")]
    harness.reply("s1", "WITHDRAW")
    for _ in range(3):
        harness.run_scheduled_jobs()
    assert reminded(harness) == all_seats([game])
    assert {row.remind_at for row in harness.load_rows(QuestionRow) if row.is_blocking} == {None}


def test_a_table_that_cannot_be_reminded_takes_no_other_ones_place(
    state_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A round that is full of a table without rules leaves the next to the others; that table is looked at later."""
    monkeypatch.setattr(reminders, "AT_ONCE", 2)
    harness = build(state_dir)
    held, other = tables(harness, 2)
    with harness.web.db.transaction() as session:
        session.get_one(type(harness.load_game(held)), held).rules_version = "gone"
        for row in session.query(QuestionRow).filter(QuestionRow.game_id == held):
            row.remind_at = 0
    for _ in range(2):
        reminders.send_due(harness.mailer)
    assert reminded(harness) == all_seats([other])
    with harness.web.db.transaction() as session:
        session.get_one(type(harness.load_game(held)), held).rules_version = harness.load_game(other).rules_version
    harness.advance_time(milliseconds=reminders.LATER_MS + 1)
    reminders.send_due(harness.mailer)
    assert reminded(harness) == all_seats([held, other])
