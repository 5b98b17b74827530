"""Several questions to one seat at one gate: each has its own place in letters, receipts and files."""

from pathlib import Path

import pytest

import engine
from engine.kernel.viewers import Seat
from pbem.archive.verify import verify
from pbem.narration.line_receipts import build_sets
from pbem.narration.seat_narrator import SeatNarrator
from pbem.service.archive import files
from pbem.service.game.journal import load_entry, load_game_keys
from pbem.store.models import Game, QuestionRow, SealedOrdersRow, SeatRow
from tests.service.server_fixtures import GAME_TYPES, ServerHarness, build, start_game
from tests.service.test_signed_rows import written
from tests.service.timed_games import HOUR, advance_and_run, start_timed_game

A = Seat("s1")


def fair(harness: ServerHarness) -> str:
    """A table at its first fair."""
    game = start_game(harness, "toy", 2, 24, fair="yes")
    to_the_fair(harness)
    return game


def to_the_fair(harness: ServerHarness) -> None:
    """Bids and marches are given."""
    harness.reply("s1", "BID 1")
    harness.reply("s2", "BID 0")
    harness.reply("s1", "PASS")
    harness.reply("s2", "PASS")


def answered(harness: ServerHarness) -> list[str]:
    """The questions that have an answer."""
    return sorted(f"{row.seat} {row.gate}" for row in harness.load_rows(QuestionRow) if row.answered_at is not None)


def test_each_question_of_a_gate_is_answered_by_its_number(state_dir: Path) -> None:
    """Two letters may answer two questions of one gate; it closes with the last, and the game's file verifies."""
    harness = build(state_dir)
    game = fair(harness)
    first = harness.reply("s1", "FOR TURN 1 STALL 2", "OFFER 3 hay")
    assert [(s.topic, s.number, s.taken) for s in first.sets] == [("stall", 2, True)]
    assert answered(harness) == ["s1 stall/1#2"]
    entry = harness.load_game(game).entry
    harness.reply("s1", "STALL 1: OFFER 2 grain")
    assert answered(harness) == ["s1 stall/1#1", "s1 stall/1#2"]
    harness.reply("s2", "PASS STALL 1", "DAY 1 STALL 2", "OFFER 1 grain")
    assert harness.load_game(game).entry == entry + 1
    assert harness.load_state(game).board.ribbons == {A: 2}
    for _ in range(12):
        advance_and_run(harness, hours=25)
    found = verify(
        files.export_game(harness.resolver, game), harness.sent_facts("game_over")[0].root_digest, GAME_TYPES
    )
    assert {finding.claim for finding in found.claims if not finding.holds} == set()


def test_a_letter_that_names_no_number_is_refused_and_changes_nothing(state_dir: Path) -> None:
    """Where two questions of one name are open, an answer must say to which it belongs."""
    harness = build(state_dir)
    fair(harness)
    harness.reply("s1", "STALL 1", "OFFER 3 grain")
    receipt = harness.reply("s1", "OFFER 2 grain")
    problems = [line.problem.code for one in receipt.sets for line in one.lines]
    assert problems == ["ambiguous", "ambiguous"]
    assert answered(harness) == ["s1 stall/1#1"]


def test_what_is_proposed_names_its_question(state_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The line that a receipt proposes for one of two questions can be sent as it stands."""
    monkeypatch.setitem(engine.GAMES, "toy", GAME_TYPES["toy"])
    harness = build(state_dir)
    fair(harness)
    receipt = harness.reply("s1", "STALL 2: OFFER 100 grain")
    telling = SeatNarrator(receipt.frame, receipt.view)
    (told,) = build_sets(telling, receipt)
    assert (told.topic, told.lines[0].nearest) == ("stall 2", "STALL 2: OFFER 1 Grain")


def test_one_of_two_answers_is_taken_back_by_its_number(state_dir: Path) -> None:
    """`WITHDRAW STALL 2` leaves the answer to the first stall where it lies."""
    harness = build(state_dir)
    fair(harness)
    harness.reply("s1", "STALL 1: OFFER 1 grain", "STALL 2: OFFER 1 grain")
    harness.reply("s1", "WITHDRAW STALL 2")
    assert [row.gate for row in harness.load_rows(SealedOrdersRow) if row.is_current and row.seat == "s1"] == [
        "stall/1#1"
    ]
    assert answered(harness) == ["s1 stall/1#1"]


def test_a_choice_within_a_turn_waits_longer_than_an_interruption(state_dir: Path) -> None:
    """Of a day a stall of the fair has eighteen hours; then what was answered counts, and what was not is a miss."""
    harness = build(state_dir)
    game = fair(harness)
    waits = {(row.due_at or 0) - row.opened_at for row in harness.load_rows(QuestionRow) if row.topic == "stall"}
    assert waits == {18 * HOUR}
    harness.reply("s1", "STALL 1: OFFER 1 hay", "STALL 2: OFFER 2 grain")
    harness.reply("s2", "STALL 2: OFFER 1 grain")
    advance_and_run(harness, hours=17)
    assert harness.load_state(game).board.turn == 1
    advance_and_run(harness, hours=1)
    assert harness.load_state(game).board.turn == 2
    assert harness.load_state(game).board.ribbons == {A: 2}
    assert [row.missed for row in harness.load_rows(SeatRow)] == [0, 1]


def test_what_a_gate_asks_of_a_seat_is_excused_together(state_dir: Path) -> None:
    """One excuse is for all the questions of a gate, which then wait as long as each other."""
    harness = build(state_dir)
    start_timed_game(harness, 2, 24, {"fair": "yes"}, excused_misses=2)
    to_the_fair(harness)
    advance_and_run(harness, hours=18)
    assert [row.excused_misses for row in harness.load_rows(SeatRow)] == [1, 1]
    assert len({row.due_at for row in harness.load_rows(QuestionRow) if row.topic == "stall"}) == 1
    assert all(row.grace_used for row in harness.load_rows(QuestionRow) if row.topic == "stall")


def test_a_clock_runs_once_for_what_is_asked_together(state_dir: Path) -> None:
    """Two questions of one gate cost a seat's clock the time of the longer one, not of both."""
    harness = build(state_dir)
    start_timed_game(harness, 2, 24, {"fair": "yes"}, time_bank=6000)
    to_the_fair(harness)
    before = [row.time_bank_ms or 0 for row in harness.load_rows(SeatRow)]
    harness.advance_time(hours=3)
    harness.reply("s1", "STALL 1: OFFER 1 hay")
    harness.advance_time(hours=2)
    harness.reply("s1", "STALL 2: OFFER 1 hay")
    harness.reply("s2", "PASS STALL 1", "PASS STALL 2")
    after = [row.time_bank_ms or 0 for row in harness.load_rows(SeatRow)]
    assert [then - now for then, now in zip(before, after, strict=True)] == [5 * HOUR, 5 * HOUR]


def test_an_answer_counts_whatever_entry_its_question_is_said_to_be_of(state_dir: Path) -> None:
    """Play knows which entry put each of the questions of a gate, whatever was written into the row of one."""
    harness = build(state_dir)
    game = fair(harness)
    harness.reply("s1", "STALL 1: OFFER 2 grain", "STALL 2: OFFER 3 grain")
    with written(harness, "UPDATE questions SET opening_entry = 0 WHERE seat = 's1' AND topic = 'stall'"):
        harness.reply("s2", "STALL 1: OFFER 1 grain", "STALL 2: OFFER 1 grain")
        entry = harness.load_game(game).entry
        with harness.resolver.db.snapshot() as session:
            row = session.get_one(Game, game)
            record = load_entry(session, load_game_keys(harness.resolver, row), row, entry)
    assert [(one.question, one.seat, one.how) for one in record.counted] == [
        ("stall/1#1", "s1", "orders"),
        ("stall/1#2", "s1", "orders"),
        ("stall/1#1", "s2", "orders"),
        ("stall/1#2", "s2", "orders"),
    ]
