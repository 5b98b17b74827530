"""Several questions to one seat at one gate: each has its own place in letters, receipts and files."""

from pathlib import Path

import pytest

import engine
from engine.kernel.names import Seat
from pbem.archive.verify import verify
from pbem.narration.line_receipts import sets_of
from pbem.narration.seat_narrator import SeatNarrator
from pbem.service.records import archive
from pbem.store.models import BallotRow, DecisionRow
from tests.service.hall import TITLES, Hall, build, seated

A = Seat("s1")


def fair(hall: Hall) -> str:
    """A table at its first fair."""
    game = seated(hall, "toy", 2, 24, fair="yes")
    hall.say("s1", "BID 1")
    hall.say("s2", "BID 0")
    hall.say("s1", "PASS")
    hall.say("s2", "PASS")
    return game


def answered(hall: Hall) -> list[str]:
    """The questions that have an answer."""
    return sorted(f"{row.seat} {row.gate}" for row in hall.rows(DecisionRow) if row.answered_at is not None)


def test_each_question_of_a_gate_is_answered_by_its_number(state_dir: Path) -> None:
    """Two letters may answer two questions of one gate; it closes when the last answer is in."""
    hall = build(state_dir)
    game = fair(hall)
    first = hall.say("s1", "FOR TURN 1 STALL 2", "OFFER 3 hay")
    assert [(s.asks, s.number, s.taken) for s in first.sets] == [("stall", 2, True)]
    assert answered(hall) == ["s1 stall/1#2"]
    entry = hall.game(game).entry
    hall.say("s1", "STALL 1: OFFER 2 grain")
    assert answered(hall) == ["s1 stall/1#1", "s1 stall/1#2"]
    hall.say("s2", "PASS STALL 1", "DAY 1 STALL 2", "OFFER 1 grain")
    assert hall.game(game).entry == entry + 1
    assert hall.position(game).board.ribbons == {A: 2}


def test_a_letter_that_names_no_number_is_refused_and_changes_nothing(state_dir: Path) -> None:
    """Where two questions of one name are open, an answer must say to which it belongs."""
    hall = build(state_dir)
    fair(hall)
    hall.say("s1", "STALL 1", "OFFER 3 grain")
    receipt = hall.say("s1", "OFFER 2 grain")
    problems = [line.problem.code for one in receipt.sets for line in one.lines]
    assert problems == ["ambiguous", "ambiguous"]
    assert answered(hall) == ["s1 stall/1#1"]


def test_what_is_proposed_names_its_question(state_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The line that a receipt proposes for one of two questions can be sent as it stands."""
    monkeypatch.setitem(engine.GAMES, "toy", TITLES["toy"])
    hall = build(state_dir)
    fair(hall)
    receipt = hall.say("s1", "STALL 2: OFFER 100 grain")
    telling = SeatNarrator(receipt.frame, receipt.view)
    (told,) = sets_of(telling, receipt)
    assert (told.topic, told.lines[0].nearest) == ("stall 2", "FOR TURN 1 STALL 2: OFFER 1 Grain")


def test_one_of_two_answers_is_taken_back_by_its_number(state_dir: Path) -> None:
    """`WITHDRAW STALL 2` leaves the answer to the first stall where it lies."""
    hall = build(state_dir)
    fair(hall)
    hall.say("s1", "STALL 1: OFFER 1 grain", "STALL 2: OFFER 1 grain")
    hall.say("s1", "WITHDRAW STALL 2")
    assert [row.gate for row in hall.rows(BallotRow) if row.standing and row.seat == "s1"] == ["stall/1#1"]
    assert answered(hall) == ["s1 stall/1#1"]


def test_a_missed_question_takes_its_default_and_the_other_its_answer(state_dir: Path) -> None:
    """When the deadline passes, what was answered counts, and what was not takes the default."""
    hall = build(state_dir)
    game = fair(hall)
    hall.say("s1", "STALL 2: OFFER 2 grain")
    hall.pass_time(hours=25)
    hall.tick()
    hall.settle()
    assert hall.position(game).board.ribbons == {A: 1}


def test_the_file_of_such_a_game_verifies(state_dir: Path) -> None:
    """What was sealed for each question is what the record says was answered to it."""
    hall = build(state_dir)
    game = fair(hall)
    hall.say("s1", "STALL 1: OFFER 2 grain", "STALL 2: OFFER 1 grain")
    hall.say("s1", "STALL 2: OFFER 2 grain")
    hall.say("s2", "STALL 1: OFFER 3 grain", "PASS STALL 2")
    for _ in range(12):
        hall.pass_time(hours=25)
        hall.tick()
        hall.settle()
    assert hall.game(game).state == "over"
    found = verify(archive.export(hall.play, game), hall.of("over")[0].root_digest, TITLES)
    assert {finding.claim for finding in found.findings if not finding.holds} == set()
