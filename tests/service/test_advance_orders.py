"""Sets filed ahead: for a phase to come, sealed, judged when it opens, ended when it is over."""

from pathlib import Path

import pytest

from pbem.store.models import QuestionRow, SealedOrdersRow
from tests.service.server_fixtures import ServerHarness, build, start_game


def kinds(harness: ServerHarness) -> list[str]:
    """Which kinds of sealed orders are stored, with their gates."""
    return sorted(f"{row.kind} {row.gate}" for row in harness.load_rows(SealedOrdersRow) if row.is_current)


def test_a_set_sent_ahead_answers_its_question_when_it_opens(state_dir: Path) -> None:
    """A march sent with the bid is sealed anew when marches are asked, and its author owes nothing."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 2)
    receipt = harness.reply("s1", "BID 1", "FOR MARCH", "ATTACK Mill")
    assert [(s.topic, s.taken) for s in receipt.sets] == [("bid", True), ("march", True)]
    assert kinds(harness) == ["advance march/1", "orders bid/1"]
    harness.reply("s2", "BID 0")
    assert kinds(harness) == ["orders march/1"]
    report = harness.sent_facts("report")[0]
    assert [s.topic for s in report.stored_orders] == ["march"]
    harness.reply("s2", "PASS")
    assert harness.load_game(game).entry > 2


def test_a_set_that_cannot_stand_when_its_question_opens_is_asked_again(state_dir: Path) -> None:
    """What was legal in form alone is judged when its phase opens; its author is told line by line, and is asked."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 2)
    harness.reply("s1", "BID 8", "FOR MARCH", "ATTACK Mill WITH 8")
    harness.reply("s2", "BID 0")
    refused = [e for f in harness.sent_facts("report") for e in f.events if type(e).__name__ == "AdvanceOrdersRefused"]
    assert [(e.seat, e.topic) for e in refused] == [("s1", "march")]
    assert refused[0].rulings[0].problem.code == "too_dear"
    assert kinds(harness) == []
    assert {d.seat for d in harness.load_state(game).core.questions if d.blocking} == {"s1", "s2"}


@pytest.mark.parametrize(("failures", "owing"), [("next", {"s2"}), ("again", {"s1", "s2"})])
def test_a_set_that_was_overtaken_in_part_serves_where_lines_may_fail(
    failures: str, owing: set[str], state_dir: Path
) -> None:
    """Where the table goes on with the next line, a set of which one line still stands owes no further letter."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 2, failures=failures)
    harness.reply("s1", "BID 3", "FOR MARCH", "ATTACK Mill WITH 1", "ATTACK Abbey WITH 8")
    harness.reply("s2", "BID 0")
    answered = {row.seat for row in harness.load_rows(QuestionRow) if row.answered_at is not None}
    assert {d.seat for d in harness.load_state(game).core.questions if d.blocking} - answered == owing


def test_a_mistake_in_a_set_ahead_is_asked_about(state_dir: Path) -> None:
    """A line that was never possible is a mistake, not overtaken: its author may correct it."""
    harness = build(state_dir)
    start_game(harness, "toy", 2, failures="next")
    harness.reply("s1", "BID 3", "FOR MARCH", "ATTACK Mill WITH 1", "SELL Iron Shield")
    harness.reply("s2", "BID 0")
    refused = [e for f in harness.sent_facts("report") for e in f.events if type(e).__name__ == "AdvanceOrdersRefused"]
    assert [r.problem.code for e in refused for r in e.rulings if r.problem is not None] == ["not_a_ware"]


def test_a_newer_set_ahead_replaces_the_older_and_neither_answers_the_open_phase(state_dir: Path) -> None:
    """The receipt names the commitment that is replaced, the older set is destroyed, and the open phase still waits."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 2)
    first = harness.reply("s1", "FOR MARCH", "ATTACK Mill").sets[0]
    second = harness.reply("s1", "FOR MARCH", "ATTACK Abbey").sets[0]
    assert second.replaces == first.commitment
    harness.reply("s2", "BID 0")
    assert harness.load_game(game).entry == 1
    assert kinds(harness) == ["advance march/1", "orders bid/1"]
    harness.reply("s1", "BID 0")
    assert [row.kind for row in harness.load_rows(SealedOrdersRow)] == ["orders"]


def test_an_old_letter_files_nothing_ahead(state_dir: Path) -> None:
    """A reply to an older report may answer what it asked, but nothing that came up since."""
    harness = build(state_dir)
    start_game(harness, "toy", 2)
    token = harness.reply_token("s1")
    harness.reply("s1", "BID 0")
    harness.reply("s2", "BID 0")
    for seat in ("s1", "s2"):
        harness.reply(seat, "PASS")
    harness.receive_reply(token, ["FOR MARCH", "ATTACK Mill"])
    harness.run_queued_tasks()
    assert kinds(harness) == []
    assert harness.sent_facts("notice")[-1].kind == "stale"


def test_words_for_luck_that_no_set_brings_are_not_said_to_count(state_dir: Path) -> None:
    """LUCK beside a set is mixed in and told; alone it is listed with the talk, since nothing is drawn from it."""
    harness = build(state_dir)
    start_game(harness, "toy", 2)
    beside, alone = harness.reply("s1", "BID 1", "LUCK my cat"), harness.reply("s1", "LUCK my cat")
    assert (beside.luck, beside.skipped) == (("my cat",), ())
    assert (alone.luck, alone.skipped) == ((), ((1, "LUCK my cat"),))


def test_a_march_that_asks_its_author_again_waits_for_them(state_dir: Path) -> None:
    """A set sent ahead that ends in ASK ME owes a letter only where it comes to that."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 2, failures="next")
    harness.reply("s1", "BID 6", "FOR MARCH", "IF I HOLD Mill: ATTACK Abbey ELSE ASK ME")
    harness.reply("s2", "BID 0")
    harness.reply("s2", "PASS")
    assert [(d.gate, d.seat) for d in harness.load_state(game).core.questions if d.blocking] == [("march/1~1", "s1")]
    told = [e for f in harness.sent_facts("report") for e in f.events if type(e).__name__ == "QuestionRepeated"]
    assert [(e.seat, e.line) for e in told] == [("s1", 0)]
    harness.reply("s1", "PASS")
    assert harness.load_state(game).board.turn == 2
