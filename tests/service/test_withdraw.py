"""WITHDRAW and PREVIEW: what was not opened can be taken back, and nothing is filed by a look."""

from pathlib import Path

from pbem.store.models import QuestionRow, SealedOrdersRow
from tests.service.server_fixtures import ServerHarness, build, start_game


def answered(harness: ServerHarness, seat: str) -> dict[str, bool]:
    """Which of a seat's questions have an answer."""
    return {row.topic: row.answered_at is not None for row in harness.load_rows(QuestionRow) if row.seat == seat}


def test_a_withdrawn_set_counts_no_more(state_dir: Path) -> None:
    """After WITHDRAW the seat owes its answer again, and the gate waits for it."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 2)
    harness.reply("s1", "BID 3")
    receipt = harness.reply("s1", "WITHDRAW")
    assert [(c.name, c.outcome) for c in receipt.commands] == [("withdraw", "done")]
    assert not answered(harness, "s1")["bid"]
    harness.reply("s2", "BID 1")
    assert harness.load_game(game).entry == 1
    harness.reply("s1", "BID 0")
    assert harness.load_game(game).entry == 2


def test_withdraw_takes_back_what_it_names_or_everything(state_dir: Path) -> None:
    """WITHDRAW MARCH takes back the march alone; without a name the set, what was filed ahead, and the reactions.

    Where there is nothing to take back, the receipt says that nothing was done.
    """
    harness = build(state_dir)
    start_game(harness, "toy", 2)
    harness.reply("s1", "BID 3", "FOR MARCH", "ATTACK Mill")
    receipt = harness.reply("s1", "WITHDRAW MARCH")
    assert [s.topic for s in receipt.stored_orders] == ["bid"]
    harness.reply("s1", "FOR MARCH", "ATTACK Mill", "ON PARRY: PARRY Oak Shield")
    receipt = harness.reply("s1", "WITHDRAW")
    assert (receipt.stored_orders, receipt.stored_reactions) == ((), ())
    assert not [row for row in harness.load_rows(SealedOrdersRow) if row.is_current]
    assert harness.reply("s1", "WITHDRAW").commands[0].outcome == "nothing"


def test_an_old_letter_takes_back_no_newer_answer(state_dir: Path) -> None:
    """A letter that answers an older report cannot withdraw what answers a question put since."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 2)
    token = harness.reply_token("s1")
    harness.reply("s1", "BID 0")
    harness.reply("s2", "BID 0")
    harness.reply("s1", "ATTACK Mill")
    harness.receive_reply(token, ["WITHDRAW"])
    harness.run_queued_tasks()
    assert answered(harness, "s1")["march"]
    harness.reply("s2", "PASS")
    assert harness.load_game(game).entry > 2


def test_a_preview_changes_nothing(state_dir: Path) -> None:
    """PREVIEW shows what the lines would come to; no set, reaction or withdrawal of its letter has any effect."""
    harness = build(state_dir)
    start_game(harness, "toy", 2)
    harness.reply("s1", "BID 3")
    receipt = harness.reply(
        "s1", "PREVIEW", "BID 1", "ON PARRY: PARRY Oak Shield", "WITHDRAW", "FOR MARCH", "ATTACK Mill"
    )
    assert not any(s.taken for s in receipt.sets)
    assert [(r.kind, r.gate) for r in harness.load_rows(SealedOrdersRow)] == [("orders", "bid/1")]
    assert answered(harness, "s1")["bid"]


def test_a_newer_set_replaces_the_older_and_a_refused_one_leaves_it(state_dir: Path) -> None:
    """The receipt of a second set names the commitment of the first; one that cannot stand changes nothing."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 2)
    first, second = harness.reply("s1", "BID 8").sets[0], harness.reply("s1", "BID 0").sets[0]
    assert second.replaces == first.commitment
    receipt = harness.reply("s1", "BID 9")
    assert [s.taken for s in receipt.sets] == [False]
    assert [s.topic for s in receipt.stored_orders] == ["bid"]
    harness.reply("s2", "BID 1")
    assert harness.load_state(game).board.coins == {"s1": 8, "s2": 7}
