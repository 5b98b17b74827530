"""When a gate closes: grace, second thoughts, wait and ready, clocks, reminders, absences."""

from pathlib import Path

import pytest

from pbem.service.base.calendar import DeadlineRule
from pbem.service.deadlines import gate_timing
from pbem.service.deadlines.gate_timing import InvalidAbsence
from pbem.store.models import OutboundEmail, User
from tests.service.server_fixtures import ServerHarness, build
from tests.service.timed_games import HOUR, advance_and_run, load_question, load_seat, start_timed_game

DAY = 24 * HOUR


def user(harness: ServerHarness, number: int) -> User:
    """A player's row."""
    return next(row for row in harness.load_rows(User) if row.email == f"p{number}@games.test")


def test_an_answer_in_the_grace_counts_and_is_late(state_dir: Path) -> None:
    """After the deadline and within the grace the gate waits; what comes then counts, and its author was late."""
    harness = build(state_dir)
    game = start_timed_game(harness, 2, rhythm=DeadlineRule(24, grace=120))
    harness.reply("s1", "BID 1")
    advance_and_run(harness, hours=25)
    assert harness.load_game(game).entry == 1
    harness.reply("s2", "BID 3")
    assert harness.load_state(game).board.coins["s2"] == 5
    assert (user(harness, 1).turns_on_time, user(harness, 2).turns_asked, user(harness, 2).turns_on_time) == (1, 1, 0)
    harness.reply("s1", "PASS")
    advance_and_run(harness, hours=25)
    assert harness.load_game(game).entry == 2
    advance_and_run(harness, hours=1)
    assert harness.load_game(game).entry == 3, "when the grace ends without an answer, the gate closes"


def test_the_last_mover_may_change_their_mind(state_dir: Path) -> None:
    """With a window of twenty minutes the gate waits after the last answer, and another set begins it anew."""
    harness = build(state_dir)
    game = start_timed_game(harness, 2, rhythm=DeadlineRule(24, linger=20))
    advance_and_run(harness, minutes=1)
    harness.reply("s1", "BID 1")
    harness.reply("s2", "BID 2")
    assert harness.load_game(game).entry == 1
    advance_and_run(harness, minutes=15)
    harness.reply("s2", "BID 4")
    advance_and_run(harness, minutes=15)
    assert harness.load_game(game).entry == 1
    advance_and_run(harness, minutes=6)
    assert harness.load_game(game).entry == 2
    assert harness.load_state(game).board.coins["s2"] == 4
    assert [row.state for row in harness.load_rows(OutboundEmail) if row.kind == "report"] == ["sent"] * 2, "one each"


def test_ready_ends_the_window(state_dir: Path) -> None:
    """A player who says READY with their orders needs no second thoughts: if all do, the gate closes at once."""
    harness = build(state_dir)
    game = start_timed_game(harness, 2, rhythm=DeadlineRule(24, linger=20))
    advance_and_run(harness, minutes=1)
    harness.reply("s1", "BID 1", "READY")
    receipt = harness.reply("s2", "BID 2", "PRÊT")
    assert [(c.name, c.outcome) for c in receipt.commands] == [("ready", "done")]
    assert harness.load_game(game).entry == 2


def test_wait_holds_a_gate_until_its_deadline_and_ready_lets_it_go(state_dir: Path) -> None:
    """WAIT keeps a complete gate open, up to the deadline at the latest; nobody else is told."""
    harness = build(state_dir)
    game = start_timed_game(harness, 2, 24)
    harness.reply("s1", "BID 1", "WAIT")
    other = harness.reply("s2", "BID 2")
    assert "'wait'" not in repr(other)
    assert not other.settled
    assert harness.load_game(game).entry == 1
    harness.reply("s1", "READY")
    assert harness.load_game(game).entry == 2
    harness.reply("s1", "PASS", "ATTENDRE")
    harness.reply("s2", "PASS")
    advance_and_run(harness, hours=23)
    assert harness.load_game(game).entry == 2
    advance_and_run(harness, hours=1)
    assert harness.load_game(game).entry == 3
    assert user(harness, 1).turns_asked == user(harness, 1).turns_on_time == 2


def test_an_empty_confirmed_set_is_no_miss(state_dir: Path) -> None:
    """A player who passes is on time, though their orders are empty, and the default is not told of them."""
    harness = build(state_dir)
    start_timed_game(harness, 2, 24)
    for number in (1, 2):
        harness.reply(f"s{number}", "BID 0")
    harness.reply("s1", "PASS")
    assert load_question(harness, "s1", "march").state == "passed"
    advance_and_run(harness, hours=24)
    assert (user(harness, 1).turns_on_time, user(harness, 2).turns_on_time) == (2, 1)
    assert load_seat(harness, "s1").missed == 0
    assert load_seat(harness, "s2").missed == 1


def test_a_refused_set_is_a_draft(state_dir: Path) -> None:
    """A set that is refused is no answer, and withdrawing an accepted one leaves none."""
    harness = build(state_dir)
    start_timed_game(harness, 2, 24)
    harness.reply("s1", "BID 99")
    assert (load_question(harness, "s1").state, load_question(harness, "s1").answered_at) == ("invalid", None)
    harness.reply("s1", "BID 2")
    harness.reply("s1", "BID 99")
    assert load_question(harness, "s1").state == "submitted"
    harness.reply("s1", "WITHDRAW")
    assert (load_question(harness, "s1").state, load_question(harness, "s1").answered_at) == ("unanswered", None)


def test_reminders_come_at_the_distances_of_the_table(state_dir: Path) -> None:
    """At each named distance each player who still owes gets one letter, the last one saying so; nobody else does."""
    harness = build(state_dir)
    start_timed_game(harness, 2, 72, reminder_hours=(48, 12))
    harness.reply("s1", "BID 1")
    for _ in range(17):
        advance_and_run(harness, hours=4)
    told = [(a.seat, f.last) for a, f in harness.sent if a.kind == "reminder"]
    assert told == [("s2", False), ("s2", True)]


def test_a_clock_runs_only_beyond_the_free_time(state_dir: Path) -> None:
    """With ten hours free for a question, answers within them cost nothing, and later ones what they took beyond."""
    harness = build(state_dir)
    game = start_timed_game(harness, 2, 24, time_bank=48 * 60, delay_minutes=10 * 60)
    assert load_question(harness, "s1").due_at == harness.mailer.now() + 58 * HOUR
    advance_and_run(harness, hours=9)
    harness.reply("s1", "BID 1")
    advance_and_run(harness, hours=11)
    harness.reply("s2", "BID 1")
    assert harness.load_game(game).entry == 2
    assert (load_seat(harness, "s1").time_bank_ms, load_seat(harness, "s2").time_bank_ms) == (48 * HOUR, 38 * HOUR)
    due = load_question(harness, "s2", "march").due_at
    assert due == harness.mailer.now() + 48 * HOUR
    advance_and_run(harness, hours=58)
    assert load_seat(harness, "s2").time_bank_ms == 0


def test_an_absence_moves_what_is_asked_later_and_never_what_runs(state_dir: Path) -> None:
    """An absence leaves a running deadline alone; the next question's time does not run meanwhile."""
    harness = build(state_dir)
    start_timed_game(harness, 2, 24)
    running = load_question(harness, "s2").due_at
    for days in ("2026-02-30 2026-03-04", "9999-12-30 9999-12-31", "0001-01-01 0001-01-02"):
        unclear = harness.reply("s2", "BID 1", f"ABSENT {days}")
        assert ([c.outcome for c in unclear.commands], unclear.sets[0].taken) == (["refused"], True)
    receipt = harness.reply("s2", "BID 1", "ABSENT 2026-03-02 2026-03-04")
    assert [(c.name, c.outcome) for c in receipt.commands] == [("away", "done")]
    assert load_question(harness, "s2").due_at == running
    advance_and_run(harness, hours=20)
    harness.reply("s1", "BID 2")
    assert load_question(harness, "s1", "march").due_at == harness.mailer.now() + DAY
    assert load_question(harness, "s2", "march").due_at == harness.mailer.now() + DAY + 64 * HOUR


def test_an_absence_that_cannot_stand_is_refused(state_dir: Path) -> None:
    """An absence lies ahead, ends after it begins, lasts a month at most, and overlaps no other."""
    harness = build(state_dir)
    start_timed_game(harness, 2, 24)
    now, who = harness.web.now(), user(harness, 1).id
    gate_timing.add_absence(harness.web, who, now + 10 * DAY, now + 14 * DAY)
    wrong = {(-3, -1): "past", (5, 4): "backwards", (5, 5): "backwards", (1, 40): "too_long", (500, 510): "too_far"}
    for (since, until), code in {**wrong, (8, 12): "overlaps"}.items():
        with pytest.raises(InvalidAbsence) as refused:
            gate_timing.add_absence(harness.web, who, now + since * DAY, now + until * DAY)
        assert refused.value.code == code
    assert len(gate_timing.list_upcoming_absences(harness.web, who)) == 1


def test_an_absence_can_be_called_off_by_its_owner_alone(state_dir: Path) -> None:
    """Three may be announced at a time; each goes by its number, for nobody else."""
    harness = build(state_dir)
    start_timed_game(harness, 2, 24)
    now, who = harness.web.now(), user(harness, 1).id
    for n in range(3):
        gate_timing.add_absence(harness.web, who, now + 2 * n * DAY, now + (2 * n + 1) * DAY)
    with pytest.raises(InvalidAbsence, match="too_many"):
        gate_timing.add_absence(harness.web, who, now + 20 * DAY, now + 21 * DAY)
    first = gate_timing.list_upcoming_absences(harness.web, who)[0][0]
    assert not gate_timing.cancel_absence(harness.web, user(harness, 2).id, first)
    assert gate_timing.cancel_absence(harness.web, who, first)
    assert len(gate_timing.list_upcoming_absences(harness.web, who)) == 2
