"""Letters are read before any lock is taken, within a budget, and only if they came to an address that somebody has."""

from pathlib import Path
from typing import Any

import pytest

from pbem.common import cpu_budget
from pbem.common.states import InboundState
from pbem.crypto import new_token
from pbem.service.base.services import ParsedEmail
from pbem.service.mail import inbox_queue
from pbem.service.tasks import analysis
from tests.service.server_fixtures import ServerHarness, build, start_game


@pytest.fixture
def harness(state_dir: Path) -> ServerHarness:
    """A game of two that has just begun."""
    made = build(state_dir)
    start_game(made, "toy", 2, 24)
    return made


def reading(harness: ServerHarness, read: Any) -> list[str]:
    """Have letters read by something else; the recipients of those that were."""
    recipients: list[str] = []

    def reader(raw: bytes, recipient: str, null_sender: bool) -> ParsedEmail:
        recipients.append(recipient)
        arrived: ParsedEmail = read(raw)
        return arrived

    harness.configure(parse_email=reader)
    return recipients


def test_a_letter_to_nobody_is_not_parsed(harness: ServerHarness) -> None:
    """Whatever a stranger writes to an address that does not exist costs one look-up, is done with, and unanswered."""
    read, before, token = reading(harness, lambda raw: 1 / 0), len(harness.sent), new_token()
    known = [f"{name}@games.test" for name in (f"o+{token}", f"t+{token}", f"x+{token}", "nobody", "o+", "postmaster")]
    for address in (*known, "", "@"):
        inbox_queue.store_message(harness.smtp, (address,), b"x" * 1_000)
    harness.run_queued_tasks()
    assert (read, len(harness.sent)) == ([], before)
    assert {row.state for row in harness.load_inbound_emails()} == {InboundState.PROCESSED}
    assert not {row.id for row in harness.load_inbound_emails()} & harness.load_bodies().keys()


def test_a_letter_that_takes_too_much_work_is_put_aside_with_an_answer(
    harness: ServerHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is tried once more, its sender is asked to send it again, and nobody else is held up."""
    monkeypatch.setattr(analysis, "LETTER_S", 0.0)

    def endless(raw: bytes) -> ParsedEmail:
        while b"slow" in raw:
            cpu_budget.check()
        return ParsedEmail(
            "ordinary", False, "reply", harness.reply_token("s1"), "p1@games.test", "<m@x>", "Re:", ("BID 1",)
        )

    reading(harness, endless)
    inbox_queue.store_message(harness.smtp, (f"o+{harness.reply_token('s1')}@games.test",), b"From: a@b.c\r\n\r\nslow")
    with pytest.raises(cpu_budget.BudgetExceeded):
        harness.run_queued_tasks()
    assert [row.state for row in harness.load_inbound_emails()] == [InboundState.RECEIVED]
    harness.advance_time(minutes=1)
    with pytest.raises(cpu_budget.BudgetExceeded):
        harness.requeue_stuck_work()
    harness.run_queued_tasks()
    assert [(row.state, row.attempts, row.error) for row in harness.load_inbound_emails()] == [
        (InboundState.QUARANTINED, 2, "BudgetExceeded")
    ]
    assert [facts.kind for address, facts in harness.sent if address.kind == "notice"] == ["too_much"]


def test_a_letter_that_came_as_the_machine_stood_still_counts(harness: ServerHarness) -> None:
    """What took too long once, for whatever reason, and does not the next time, is a letter like any other."""
    spent = [True, False]

    def slow_once(raw: bytes) -> ParsedEmail:
        if spent.pop(0):
            raise cpu_budget.BudgetExceeded
        return ParsedEmail(
            "ordinary", False, "reply", harness.reply_token("s1"), "p1@games.test", "<m@x>", "Re:", ("BID 1",)
        )

    reading(harness, slow_once)
    inbox_queue.store_message(harness.smtp, (f"o+{harness.reply_token('s1')}@games.test",), b"From: a@b.c\r\n\r\nBID 1")
    with pytest.raises(cpu_budget.BudgetExceeded):
        harness.run_queued_tasks()
    harness.advance_time(minutes=1)
    harness.requeue_stuck_work()
    assert [row.state for row in harness.load_inbound_emails()] == [InboundState.PROCESSED]
    assert len(harness.sent_facts("receipt")) == 1


def test_no_lock_is_held_while_a_letter_is_read(harness: ServerHarness) -> None:
    """While one letter is being read, orders of another seat are taken at once."""
    other = ParsedEmail(
        "ordinary", False, "reply", harness.reply_token("s2"), "p2@games.test", "<2@x>", "Re:", ("BID 2",)
    )

    def meanwhile(raw: bytes) -> ParsedEmail:
        if raw == b"second":
            return other
        inbox_queue.store_message(harness.smtp, (f"o+{harness.reply_token('s2')}@games.test",), b"second")
        harness.run_task(*harness.queued_tasks.pop())
        return ParsedEmail(
            "ordinary", False, "reply", harness.reply_token("s1"), "p1@games.test", "<1@x>", "Re:", ("BID 1",)
        )

    reading(harness, meanwhile)
    inbox_queue.store_message(harness.smtp, (f"o+{harness.reply_token('s1')}@games.test",), b"first")
    harness.run_queued_tasks()
    assert {row.state for row in harness.load_inbound_emails()} == {InboundState.PROCESSED}
    assert len(harness.sent_facts("receipt")) == 2
