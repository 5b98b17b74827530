"""Deadlines: said in advance, reminded once, closed with the default; and rows of finished work are deleted."""

from pathlib import Path

import pytest

from pbem.service.tasks import jobs
from pbem.store.models import Capability, InboundEmail, OutboundEmail, QuestionRow, ResolverRequest
from tests.service.server_fixtures import build, start_game
from tests.service.timed_games import HOUR, advance_and_run


@pytest.mark.both_databases
def test_a_gate_is_closed_with_the_default_at_its_deadline(state_dir: Path) -> None:
    """A seat that has not answered in time gets the default and is named for it, and the others' answers count."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 2, 48)
    harness.reply("s1", "BID 3")
    advance_and_run(harness, hours=47)
    assert harness.load_game(game).entry == 1
    advance_and_run(harness, hours=1)
    assert harness.load_game(game).entry == 2
    defaulted = [e for e in harness.sent_facts("report")[-1].events if type(e).__name__ == "Defaulted"]
    assert [(e.seat, e.topic) for e in defaulted] == [("s2", "bid")]
    assert harness.load_state(game).board.coins == {"s1": 5, "s2": 8}


def test_a_letter_after_the_deadline_and_before_the_tick_closes_the_gate(state_dir: Path) -> None:
    """The deadline holds when anybody looks at the game after it; what comes with that look still counts."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 2, 48)
    harness.advance_time(hours=49)
    harness.reply("s1", "BID 3")
    advance_and_run(harness)
    assert harness.load_state(game).board.coins["s1"] == 5


def test_who_owes_is_reminded_once_and_nobody_else(state_dir: Path) -> None:
    """In the last third of the time, at most a day, each player who has not answered gets one reminder."""
    harness = build(state_dir)
    start_game(harness, "toy", 2, 72)
    harness.reply("s1", "BID 3")
    advance_and_run(harness, hours=47)
    assert harness.sent_facts("reminder") == []
    for _ in range(4):
        advance_and_run(harness, hours=3)
    assert [a.seat for a, _ in harness.sent if a.kind == "reminder"] == ["s2"]
    assert harness.sent_facts("reminder")[0].questions[-1].due is not None
    assert [s.taken for s in harness.reply("s2", "BID 1").sets] == [True]


def test_an_interruption_has_half_the_time(state_dir: Path) -> None:
    """A reaction, for which all others wait, is due after half the table's deadline."""
    harness = build(state_dir)
    start_game(harness, "toy", 2, 48)
    for line in ("BID 0", "PASS"):
        harness.reply("s2", line)
        harness.reply("s1", "BID 0" if line == "BID 0" else "ATTACK Mill")
    row = next(row for row in harness.load_rows(QuestionRow) if row.is_reaction)
    assert row.due_at == row.opened_at + 24 * HOUR


@pytest.mark.both_databases
def test_what_nobody_was_told_of_is_found_again(state_dir: Path) -> None:
    """With every message to the workers lost, the sweep alone brings a letter to its receipt and a gate to its end."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 2)
    harness.configure(enqueue=lambda task, subject: None)
    harness.receive_reply(harness.reply_token("s1"), ["BID 3"])
    harness.receive_reply(harness.reply_token("s2"), ["BID 1"])
    found: list[tuple[str, str]] = []
    for _ in range(6):
        harness.advance_time(seconds=6)
        harness.configure(enqueue=lambda task, subject: found.append((task, subject)))
        jobs.requeue_stuck_work(harness.mailer)
        harness.configure(enqueue=lambda task, subject: None)
        while found:
            harness.run_task(*found.pop())
    assert harness.load_game(game).entry == 2
    assert len(harness.sent_facts("receipt")) == 2
    assert len(harness.sent_facts("report")) == 2


@pytest.mark.both_databases
def test_tidying_deletes_what_is_done_and_nothing_that_a_game_needs(state_dir: Path) -> None:
    """A month on, letters and receipts are gone; the game goes on from the report that was sent."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 2)
    harness.reply("s1", "BID 3")
    harness.reply("s2", "STATUS")
    before = {row.key for row in harness.load_rows(OutboundEmail) if row.from_entry is not None}
    harness.advance_time(days=40)
    jobs.delete_expired_rows(harness.mailer)
    assert harness.load_rows(InboundEmail) == []
    assert harness.load_rows(ResolverRequest) == []
    kept = {row.key for row in harness.load_rows(OutboundEmail)}
    assert before <= kept
    assert not [key for key in kept if key.startswith("receipt.")]
    assert [row for row in harness.load_rows(Capability) if row.purpose == "reply"]
    harness.reply("s2", "BID 1")
    assert harness.load_game(game).entry == 2
