"""A receipt is finished as its letter is answered, kept finished in the same transaction, and sent by the same task."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from pbem.service.base.services import DeliveryFailure, RenderedEmail
from pbem.service.mail import delivery, inbox
from pbem.service.tasks import inbound_handler
from pbem.store.models import OutboundEmail, SealedOrdersRow
from tests.service.server_fixtures import ServerHarness, build, start_game

pytestmark = pytest.mark.both_databases


@pytest.fixture
def harness(state_dir: Path) -> ServerHarness:
    """A game of two that has just begun."""
    made = build(state_dir)
    start_game(made, "toy", 2)
    return made


def test_a_receipt_goes_out_with_the_task_that_read_its_letter(harness: ServerHarness) -> None:
    """It is finished before the transaction that files the orders, kept finished with them, and sent after it."""
    states: list[Sequence[str]] = []
    harness.configure(
        send_email=lambda message: states.append([row.state for row in harness.load_rows(OutboundEmail)][-1:])
    )
    harness.receive_reply(harness.reply_token("s1"), ["BID 3"])
    assert inbox.process_batch(harness.mailer, inbound_handler, delivery)
    assert states == [["rendered"]]
    assert {row.state for row in harness.load_rows(OutboundEmail)} == {"sent"}
    assert ("send_outbound_emails", "") not in harness.queued_tasks


def test_a_receipt_says_the_same_whenever_it_is_finished(harness: ServerHarness) -> None:
    """Its facts and address are those that it has where it is laid out first, and opened and finished by another."""
    worded: list[tuple[Any, Any]] = []
    write = harness.mailer.render_email
    assert write is not None

    def twice(facts: Any, address: Any) -> Any:
        worded.append((facts, address))
        if len(worded) == 1:
            raise RuntimeError("at once it fails")
        return write(facts, address)

    harness.configure(render_email=twice)
    harness.reply("s1", "BID 3")
    assert len(worded) == 2
    assert worded[0] == worded[1]
    assert len(harness.sent_facts("receipt")) == 1


def test_a_receipt_that_the_relay_does_not_take_is_tried_later(harness: ServerHarness) -> None:
    """What could not be sent with its letter's task waits as any letter does, and goes out with the same bytes."""
    harness.configure(send_email=lambda message: DeliveryFailure("451", away=True))
    harness.reply("s1", "BID 3")
    assert [row.state for row in harness.load_rows(OutboundEmail) if row.kind == "receipt"] == ["rendered"]
    taken: list[RenderedEmail] = []
    harness.configure(send_email=taken.append)
    harness.advance_time(minutes=5)
    delivery.deliver(harness.mailer)
    assert [message.wire for message in taken] == [b"receipt." + harness.load_inbound_emails()[0].id.encode()]


def test_letters_of_several_tables_are_filed_together(harness: ServerHarness) -> None:
    """All orders that lie there are filed and answered by one transaction, whichever tables they belong to."""
    tokens = [harness.reply_token(seat) for seat in ("s1", "s2")]
    start_game(harness, "toy", 2)
    tokens += [harness.reply_token(seat) for seat in ("s1", "s2")]
    for token in tokens:
        harness.receive_reply(token, ["BID 3"])
    passed: list[str] = []
    harness.configure(fault_point=passed.append)
    assert inbox.process_batch(harness.mailer, inbound_handler, delivery)
    assert passed.count("inbox.before_commit") == 1
    assert {row.state for row in harness.load_inbound_emails()} == {"processed"}
    assert len(harness.sent_facts("receipt")) == len(harness.load_rows(SealedOrdersRow)) == 4


def test_two_workers_do_not_read_the_same_letters(harness: ServerHarness) -> None:
    """The letters of a sender whose letters one has begun to read are left to it: the other finds nothing to do."""
    for line in ("BID 1", "BID 2"):
        harness.receive_reply(harness.reply_token("s1"), [line])
    harness.queued_tasks.clear()
    read, others = harness.mailer.parse_email, list[bool]()
    assert read is not None

    def meanwhile(raw: bytes, recipient: str, null_sender: bool) -> Any:
        others.append(inbox.process_batch(harness.mailer, inbound_handler))
        return read(raw, recipient, null_sender)

    harness.configure(parse_email=meanwhile)
    assert inbox.process_batch(harness.mailer, inbound_handler)
    assert inbox.process_batch(harness.mailer, inbound_handler)
    assert others == [False, False]
    assert {row.state for row in harness.load_inbound_emails()} == {"processed"}


def test_one_message_has_all_letters_read_that_lie_there(harness: ServerHarness) -> None:
    """Its own letter may be done: then the others are read, and so is one that came while the message was sent."""
    for seat in ("s1", "s2"):
        harness.receive_reply(harness.reply_token(seat), ["BID 1"])
    assert inbox.process_batch(harness.mailer, inbound_handler, most=1)
    assert inbox.process_batch(harness.mailer, inbound_handler, delivery)
    assert {row.state for row in harness.load_inbound_emails()} == {"processed"}
    assert not inbox.process_batch(harness.mailer, inbound_handler, delivery)


def test_where_many_lie_there_more_are_asked_for(harness: ServerHarness) -> None:
    """A batch may have left some: the next message has them read, and the last one finds that nothing is left."""
    for number in range(inbox.BATCH_SIZE + 2):
        harness.receive_reply(harness.reply_token("s1"), [f"BID {number}"])
    harness.queued_tasks.clear()
    assert inbox.process_batch(harness.mailer, inbound_handler, delivery)
    assert ("process_inbound_emails", "") in harness.queued_tasks
    while inbox.process_batch(harness.mailer, inbound_handler, delivery):
        pass
    harness.queued_tasks.clear()
    assert not inbox.process_batch(harness.mailer, inbound_handler, delivery)
    assert ("process_inbound_emails", "") not in harness.queued_tasks
    assert {row.state for row in harness.load_inbound_emails()} == {"processed"}


def test_a_second_worker_reads_what_the_first_has_left(harness: ServerHarness) -> None:
    """Whoever finds letters in the hands of another one reads others, though those came later."""
    for number in range(inbox.BATCH_SIZE + 2):
        harness.receive_reply(harness.reply_token("s1" if number % 2 else "s2"), [f"BID {number}"])
    read, others = harness.mailer.parse_email, list[bool]()
    assert read is not None

    def meanwhile(raw: bytes, recipient: str, null_sender: bool) -> Any:
        if not others:
            others.append(False)
            others.append(inbox.process_batch(harness.mailer, inbound_handler, delivery))
        return read(raw, recipient, null_sender)

    harness.configure(parse_email=meanwhile)
    assert inbox.process_batch(harness.mailer, inbound_handler, delivery, most=1)
    assert others == [False, True]
    harness.run_queued_tasks()
    assert {row.state for row in harness.load_inbound_emails()} == {"processed"}


def test_a_letter_that_fails_leaves_the_others_to_be_read(harness: ServerHarness) -> None:
    """A message without a letter's name ends with the first failure, when all others are answered."""
    for seat in ("s1", "s2"):
        harness.receive_reply(harness.reply_token(seat), ["BID 1"])
    read, failed = harness.mailer.parse_email, list[str]()
    assert read is not None

    def fails(raw: bytes, recipient: str, null_sender: bool) -> Any:
        if failed:
            return read(raw, recipient, null_sender)
        failed.append(recipient)
        raise RuntimeError("the first one")

    harness.configure(parse_email=fails)
    with pytest.raises(RuntimeError, match="the first one"):
        inbox.process_batch(harness.mailer, inbound_handler, delivery)
    assert sorted(row.state for row in harness.load_inbound_emails()) == ["processed", "received"]
