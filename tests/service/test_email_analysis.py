"""Letters are read before any lock is taken, within a budget, and only if they came to an address that somebody has."""

from pathlib import Path
from typing import Any

import pytest

from pbem.common import cpu_budget
from pbem.common.states import InboundState
from pbem.crypto import new_token
from pbem.service.base.services import ParsedEmail
from pbem.service.mail import intake
from pbem.service.tasks import analysis
from tests.service.server_fixtures import Hall, build, seated


@pytest.fixture
def hall(state_dir: Path) -> Hall:
    """A game of two that has just begun."""
    made = build(state_dir)
    seated(made, "toy", 2, 24)
    return made


def reading(hall: Hall, read: Any) -> list[str]:
    """Have letters read by something else; the recipients of those that were."""
    recipients: list[str] = []

    def reader(raw: bytes, recipient: str, null_sender: bool) -> ParsedEmail:
        recipients.append(recipient)
        arrived: ParsedEmail = read(raw)
        return arrived

    hall.everywhere(parse_email=reader)
    return recipients


def test_a_letter_to_nobody_is_not_parsed(hall: Hall) -> None:
    """Whatever a stranger writes to an address that does not exist costs one look-up, is done with, and unanswered."""
    read, before, token = reading(hall, lambda raw: 1 / 0), len(hall.sent), new_token()
    known = [f"{name}@games.test" for name in (f"o+{token}", f"t+{token}", f"x+{token}", "nobody", "o+", "postmaster")]
    for address in (*known, "", "@"):
        intake.store_message(hall.door, (address,), b"x" * 1_000)
    hall.settle()
    assert (read, len(hall.sent)) == ([], before)
    assert {row.state for row in hall.letters_in()} == {InboundState.PROCESSED}
    assert not {row.id for row in hall.letters_in()} & hall.contents().keys()


def test_a_letter_that_takes_too_much_work_is_put_aside_with_an_answer(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is tried once more, its sender is asked to send it again, and nobody else is held up."""
    monkeypatch.setattr(analysis, "LETTER_S", 0.0)

    def endless(raw: bytes) -> ParsedEmail:
        while b"slow" in raw:
            cpu_budget.check()
        return ParsedEmail("ordinary", False, "reply", hall.token("s1"), "p1@games.test", "<m@x>", "Re:", ("BID 1",))

    reading(hall, endless)
    intake.store_message(hall.door, (f"o+{hall.token('s1')}@games.test",), b"From: a@b.c\r\n\r\nslow")
    with pytest.raises(cpu_budget.BudgetExceeded):
        hall.settle()
    assert [row.state for row in hall.letters_in()] == [InboundState.RECEIVED]
    hall.pass_time(minutes=1)
    with pytest.raises(cpu_budget.BudgetExceeded):
        hall.sweep()
    hall.settle()
    assert [(row.state, row.attempts, row.error) for row in hall.letters_in()] == [
        (InboundState.QUARANTINED, 2, "BudgetExceeded")
    ]
    assert [facts.kind for address, facts in hall.sent if address.kind == "notice"] == ["too_much"]


def test_a_letter_that_came_as_the_machine_stood_still_counts(hall: Hall) -> None:
    """What took too long once, for whatever reason, and does not the next time, is a letter like any other."""
    spent = [True, False]

    def slow_once(raw: bytes) -> ParsedEmail:
        if spent.pop(0):
            raise cpu_budget.BudgetExceeded
        return ParsedEmail("ordinary", False, "reply", hall.token("s1"), "p1@games.test", "<m@x>", "Re:", ("BID 1",))

    reading(hall, slow_once)
    intake.store_message(hall.door, (f"o+{hall.token('s1')}@games.test",), b"From: a@b.c\r\n\r\nBID 1")
    with pytest.raises(cpu_budget.BudgetExceeded):
        hall.settle()
    hall.pass_time(minutes=1)
    hall.sweep()
    assert [row.state for row in hall.letters_in()] == [InboundState.PROCESSED]
    assert len(hall.of("receipt")) == 1


def test_no_lock_is_held_while_a_letter_is_read(hall: Hall) -> None:
    """While one letter is being read, orders of another seat are taken at once."""
    other = ParsedEmail("ordinary", False, "reply", hall.token("s2"), "p2@games.test", "<2@x>", "Re:", ("BID 2",))

    def meanwhile(raw: bytes) -> ParsedEmail:
        if raw == b"second":
            return other
        intake.store_message(hall.door, (f"o+{hall.token('s2')}@games.test",), b"second")
        hall.work(*hall.woken.pop())
        return ParsedEmail("ordinary", False, "reply", hall.token("s1"), "p1@games.test", "<1@x>", "Re:", ("BID 1",))

    reading(hall, meanwhile)
    intake.store_message(hall.door, (f"o+{hall.token('s1')}@games.test",), b"first")
    hall.settle()
    assert {row.state for row in hall.letters_in()} == {InboundState.PROCESSED}
    assert len(hall.of("receipt")) == 2
