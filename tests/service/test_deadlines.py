"""Deadlines: said in advance, reminded once, closed with the default; and rows of finished work are deleted."""

from pathlib import Path

import pytest

from pbem.service.tasks import jobs
from pbem.store.models import Capability, InboundEmail, OutboundEmail, QuestionRow, ResolverRequest
from tests.service.server_fixtures import build, seated
from tests.service.timed_games import HOUR, tick


@pytest.mark.both_databases
def test_a_gate_is_closed_with_the_default_at_its_deadline(state_dir: Path) -> None:
    """A seat that has not answered in time gets the default and is named for it, and the others' answers count."""
    hall = build(state_dir)
    game = seated(hall, "toy", 2, 48)
    hall.say("s1", "BID 3")
    tick(hall, hours=47)
    assert hall.game(game).entry == 1
    tick(hall, hours=1)
    assert hall.game(game).entry == 2
    defaulted = [e for e in hall.of("report")[-1].events if type(e).__name__ == "Defaulted"]
    assert [(e.seat, e.topic) for e in defaulted] == [("s2", "bid")]
    assert hall.position(game).board.coins == {"s1": 5, "s2": 8}


def test_a_letter_after_the_deadline_and_before_the_tick_closes_the_gate(state_dir: Path) -> None:
    """The deadline holds when anybody looks at the game after it; what comes with that look still counts."""
    hall = build(state_dir)
    game = seated(hall, "toy", 2, 48)
    hall.pass_time(hours=49)
    hall.say("s1", "BID 3")
    tick(hall)
    assert hall.position(game).board.coins["s1"] == 5


def test_who_owes_is_reminded_once_and_nobody_else(state_dir: Path) -> None:
    """In the last third of the time, at most a day, each player who has not answered gets one reminder."""
    hall = build(state_dir)
    seated(hall, "toy", 2, 72)
    hall.say("s1", "BID 3")
    tick(hall, hours=47)
    assert hall.of("reminder") == []
    for _ in range(4):
        tick(hall, hours=3)
    assert [a.seat for a, _ in hall.sent if a.kind == "reminder"] == ["s2"]
    assert hall.of("reminder")[0].questions[-1].due is not None
    assert [s.taken for s in hall.say("s2", "BID 1").sets] == [True]


def test_an_interruption_has_half_the_time(state_dir: Path) -> None:
    """A reaction, for which all others wait, is due after half the table's deadline."""
    hall = build(state_dir)
    seated(hall, "toy", 2, 48)
    for line in ("BID 0", "PASS"):
        hall.say("s2", line)
        hall.say("s1", "BID 0" if line == "BID 0" else "ATTACK Mill")
    row = next(row for row in hall.rows(QuestionRow) if row.is_reaction)
    assert row.due_at == row.opened_at + 24 * HOUR


@pytest.mark.both_databases
def test_what_nobody_was_told_of_is_found_again(state_dir: Path) -> None:
    """With every message to the workers lost, the sweep alone brings a letter to its receipt and a gate to its end."""
    hall = build(state_dir)
    game = seated(hall, "toy", 2)
    hall.everywhere(enqueue=lambda task, subject: None)
    hall.write_in(hall.token("s1"), ["BID 3"])
    hall.write_in(hall.token("s2"), ["BID 1"])
    found: list[tuple[str, str]] = []
    for _ in range(6):
        hall.pass_time(seconds=6)
        hall.everywhere(enqueue=lambda task, subject: found.append((task, subject)))
        jobs.requeue_stuck_work(hall.post)
        hall.everywhere(enqueue=lambda task, subject: None)
        while found:
            hall.work(*found.pop())
    assert hall.game(game).entry == 2
    assert len(hall.of("receipt")) == 2
    assert len(hall.of("report")) == 2


@pytest.mark.both_databases
def test_tidying_deletes_what_is_done_and_nothing_that_a_game_needs(state_dir: Path) -> None:
    """A month on, letters and receipts are gone; the game goes on from the report that was sent."""
    hall = build(state_dir)
    game = seated(hall, "toy", 2)
    hall.say("s1", "BID 3")
    hall.say("s2", "STATUS")
    before = {row.key for row in hall.rows(OutboundEmail) if row.from_entry is not None}
    hall.pass_time(days=40)
    jobs.delete_expired_rows(hall.post)
    assert hall.rows(InboundEmail) == []
    assert hall.rows(ResolverRequest) == []
    kept = {row.key for row in hall.rows(OutboundEmail)}
    assert before <= kept
    assert not [key for key in kept if key.startswith("receipt.")]
    assert [row for row in hall.rows(Capability) if row.purpose == "reply"]
    hall.say("s2", "BID 1")
    assert hall.game(game).entry == 2
