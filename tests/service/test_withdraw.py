"""WITHDRAW and PREVIEW: what was not opened can be taken back, and nothing is filed by a look."""

from pathlib import Path

from pbem.store.models import QuestionRow, SealedOrdersRow
from tests.service.server_fixtures import Hall, build, seated


def answered(hall: Hall, seat: str) -> dict[str, bool]:
    """Which of a seat's questions have an answer."""
    return {row.topic: row.answered_at is not None for row in hall.rows(QuestionRow) if row.seat == seat}


def test_a_withdrawn_set_counts_no_more(state_dir: Path) -> None:
    """After WITHDRAW the seat owes its answer again, and the gate waits for it."""
    hall = build(state_dir)
    game = seated(hall, "toy", 2)
    hall.say("s1", "BID 3")
    receipt = hall.say("s1", "WITHDRAW")
    assert [(c.name, c.outcome) for c in receipt.commands] == [("withdraw", "done")]
    assert not answered(hall, "s1")["bid"]
    hall.say("s2", "BID 1")
    assert hall.game(game).entry == 1
    hall.say("s1", "BID 0")
    assert hall.game(game).entry == 2


def test_withdraw_takes_back_what_it_names_or_everything(state_dir: Path) -> None:
    """WITHDRAW MARCH takes back the march alone; without a name the set, what was filed ahead, and the riders.

    Where there is nothing to take back, the receipt says that nothing was done.
    """
    hall = build(state_dir)
    seated(hall, "toy", 2)
    hall.say("s1", "BID 3", "FOR MARCH", "ATTACK Mill")
    receipt = hall.say("s1", "WITHDRAW MARCH")
    assert [s.topic for s in receipt.stored_orders] == ["bid"]
    hall.say("s1", "FOR MARCH", "ATTACK Mill", "ON PARRY: PARRY Oak Shield")
    receipt = hall.say("s1", "WITHDRAW")
    assert (receipt.stored_orders, receipt.stored_reactions) == ((), ())
    assert not [row for row in hall.rows(SealedOrdersRow) if row.is_current]
    assert hall.say("s1", "WITHDRAW").commands[0].outcome == "nothing"


def test_an_old_letter_takes_back_no_newer_answer(state_dir: Path) -> None:
    """A letter that answers an older report cannot withdraw what answers a question put since."""
    hall = build(state_dir)
    game = seated(hall, "toy", 2)
    token = hall.token("s1")
    hall.say("s1", "BID 0")
    hall.say("s2", "BID 0")
    hall.say("s1", "ATTACK Mill")
    hall.write_in(token, ["WITHDRAW"])
    hall.settle()
    assert answered(hall, "s1")["march"]
    hall.say("s2", "PASS")
    assert hall.game(game).entry > 2


def test_a_preview_changes_nothing(state_dir: Path) -> None:
    """PREVIEW shows what the lines would come to; no set, rider or withdrawal of its letter has any effect."""
    hall = build(state_dir)
    seated(hall, "toy", 2)
    hall.say("s1", "BID 3")
    receipt = hall.say("s1", "PREVIEW", "BID 1", "ON PARRY: PARRY Oak Shield", "WITHDRAW", "FOR MARCH", "ATTACK Mill")
    assert not any(s.taken for s in receipt.sets)
    assert [(r.kind, r.gate) for r in hall.rows(SealedOrdersRow)] == [("orders", "bid/1")]
    assert answered(hall, "s1")["bid"]


def test_a_newer_set_replaces_the_older_and_a_refused_one_leaves_it(state_dir: Path) -> None:
    """The receipt of a second set names the commitment of the first; one that cannot stand changes nothing."""
    hall = build(state_dir)
    game = seated(hall, "toy", 2)
    first, second = hall.say("s1", "BID 8").sets[0], hall.say("s1", "BID 0").sets[0]
    assert second.replaces == first.commitment
    receipt = hall.say("s1", "BID 9")
    assert [s.taken for s in receipt.sets] == [False]
    assert [s.topic for s in receipt.stored_orders] == ["bid"]
    hall.say("s2", "BID 1")
    assert hall.position(game).board.coins == {"s1": 8, "s2": 7}
