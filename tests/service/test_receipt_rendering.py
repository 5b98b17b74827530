"""A receipt is finished as its letter is answered, kept finished in the same transaction, and sent by the same task."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from pbem.service.base.services import DeliveryFailure, RenderedEmail
from pbem.service.mail import delivery, inbox
from pbem.service.tasks import inbound_handler
from pbem.store.models import OutboundEmail, SealedOrdersRow
from tests.service.server_fixtures import Hall, build, seated

pytestmark = pytest.mark.both_databases


@pytest.fixture
def hall(state_dir: Path) -> Hall:
    """A game of two that has just begun."""
    made = build(state_dir)
    seated(made, "toy", 2)
    return made


def test_a_receipt_goes_out_with_the_task_that_read_its_letter(hall: Hall) -> None:
    """It is finished before the transaction that files the orders, kept finished with them, and sent after it."""
    states: list[Sequence[str]] = []
    hall.everywhere(send_email=lambda message: states.append([row.state for row in hall.rows(OutboundEmail)][-1:]))
    hall.write_in(hall.token("s1"), ["BID 3"])
    assert inbox.process_email(hall.post, hall.woken.pop(0)[1], inbound_handler, sender=delivery)
    assert states == [["rendered"]]
    assert {row.state for row in hall.rows(OutboundEmail)} == {"sent"}
    assert ("send_outbound_emails", "") not in hall.woken


def test_a_receipt_says_the_same_whenever_it_is_finished(hall: Hall) -> None:
    """Its facts and address are those that it has where it is laid out first, and opened and finished by another."""
    worded: list[tuple[Any, Any]] = []
    write = hall.post.render_email
    assert write is not None

    def twice(facts: Any, address: Any) -> Any:
        worded.append((facts, address))
        if len(worded) == 1:
            raise RuntimeError("at once it fails")
        return write(facts, address)

    hall.everywhere(render_email=twice)
    hall.say("s1", "BID 3")
    assert len(worded) == 2
    assert worded[0] == worded[1]
    assert len(hall.of("receipt")) == 1


def test_a_receipt_that_the_relay_does_not_take_is_tried_later(hall: Hall) -> None:
    """What could not be sent with its letter's task waits as any letter does, and goes out with the same bytes."""
    hall.everywhere(send_email=lambda message: DeliveryFailure("451", away=True))
    hall.say("s1", "BID 3")
    assert [row.state for row in hall.rows(OutboundEmail) if row.kind == "receipt"] == ["rendered"]
    taken: list[RenderedEmail] = []
    hall.everywhere(send_email=taken.append)
    hall.pass_time(minutes=5)
    delivery.deliver(hall.post)
    assert [message.wire for message in taken] == [b"receipt." + hall.letters_in()[0].id.encode()]


def test_letters_of_several_tables_are_filed_together(hall: Hall) -> None:
    """All orders that lie there are filed and answered by one transaction, whichever tables they belong to."""
    tokens = [hall.token(seat) for seat in ("s1", "s2")]
    seated(hall, "toy", 2)
    tokens += [hall.token(seat) for seat in ("s1", "s2")]
    for token in tokens:
        hall.write_in(token, ["BID 3"])
    letter = hall.woken[0][1]
    passed: list[str] = []
    hall.everywhere(fault_point=passed.append)
    assert inbox.process_email(hall.post, letter, inbound_handler, inbox.QUARANTINE_REASON, delivery)
    assert passed.count("inbox.before_commit") == 1
    assert {row.state for row in hall.letters_in()} == {"processed"}
    assert len(hall.of("receipt")) == len(hall.rows(SealedOrdersRow)) == 4


def test_two_workers_do_not_read_the_same_letters(hall: Hall) -> None:
    """What one has begun to read with others is left to it; the other one's own task finds nothing to do."""
    for seat in ("s1", "s2"):
        hall.write_in(hall.token(seat), ["BID 1"])
    (_, first), (_, second) = hall.woken
    hall.woken.clear()
    read, others = hall.post.parse_email, list[bool]()
    assert read is not None

    def meanwhile(raw: bytes, recipient: str, null_sender: bool) -> Any:
        others.append(inbox.process_email(hall.post, second, inbound_handler, inbox.QUARANTINE_REASON))
        return read(raw, recipient, null_sender)

    hall.everywhere(parse_email=meanwhile)
    assert inbox.process_email(hall.post, first, inbound_handler, inbox.QUARANTINE_REASON)
    assert others == [False, False]
    assert {row.state for row in hall.letters_in()} == {"processed"}


def test_one_message_has_all_letters_read_that_lie_there(hall: Hall) -> None:
    """Its own letter may be done: then the others are read, and so is one that came while the message was sent."""
    for seat in ("s1", "s2"):
        hall.write_in(hall.token(seat), ["BID 1"])
    (_, first), _ = hall.woken
    assert inbox.process_email(hall.post, first, inbound_handler)
    assert inbox.process_batch(hall.post, first, inbound_handler, delivery)
    assert {row.state for row in hall.letters_in()} == {"processed"}
    assert not inbox.process_batch(hall.post, first, inbound_handler, delivery)


def test_where_many_lie_there_more_are_asked_for(hall: Hall) -> None:
    """A full batch may have left some: the next message has them read, and the last one finds that nothing is left."""
    for number in range(inbox.QUARANTINE_REASON + 2):
        hall.write_in(hall.token("s1"), [f"BID {number}"])
    letter = hall.woken[0][1]
    hall.woken.clear()
    assert inbox.process_batch(hall.post, letter, inbound_handler, delivery)
    assert ("process_inbound_email", "") in hall.woken
    hall.woken.clear()
    assert inbox.process_batch(hall.post, "", inbound_handler, delivery)
    assert ("process_inbound_email", "") not in hall.woken
    assert {row.state for row in hall.letters_in()} == {"processed"}


def test_a_second_worker_reads_what_the_first_has_left(hall: Hall) -> None:
    """Whoever finds letters in the hands of another one reads others, though those came later."""
    for number in range(inbox.QUARANTINE_REASON + 2):
        hall.write_in(hall.token("s1" if number % 2 else "s2"), [f"BID {number}"])
    letter = hall.woken[0][1]
    read, others = hall.post.parse_email, list[bool]()
    assert read is not None

    def meanwhile(raw: bytes, recipient: str, null_sender: bool) -> Any:
        if not others:
            others.append(False)
            others.append(inbox.process_batch(hall.post, letter, inbound_handler, delivery))
        return read(raw, recipient, null_sender)

    hall.everywhere(parse_email=meanwhile)
    assert inbox.process_batch(hall.post, letter, inbound_handler, delivery)
    assert others == [False, True]
    assert {row.state for row in hall.letters_in()} == {"processed"}


def test_a_letter_that_fails_leaves_the_others_to_be_read(hall: Hall) -> None:
    """A message without a letter's name ends with the first failure, when all others are answered."""
    for seat in ("s1", "s2"):
        hall.write_in(hall.token(seat), ["BID 1"])
    read, failed = hall.post.parse_email, list[str]()
    assert read is not None

    def fails(raw: bytes, recipient: str, null_sender: bool) -> Any:
        if failed:
            return read(raw, recipient, null_sender)
        failed.append(recipient)
        raise RuntimeError("the first one")

    hall.everywhere(parse_email=fails)
    with pytest.raises(RuntimeError, match="the first one"):
        inbox.process_batch(hall.post, "", inbound_handler, delivery)
    assert sorted(row.state for row in hall.letters_in()) == ["processed", "received"]
