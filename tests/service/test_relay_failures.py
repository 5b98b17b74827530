"""A relay that refuses, is slow or away: no letter is lost over it, and no task ends later than it should."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from sqlalchemy import update

from pbem.crypto import EmailContext, seal_email
from pbem.crypto.encoding import encode_tuple
from pbem.service.base.services import DeliveryFailure, RenderedEmail
from pbem.service.mail import delivery, delivery_status, outbox
from pbem.service.tasks.health import list_problems
from pbem.store.models import Outage, OutboundEmail, OutboundEmailBody, User
from tests.service.server_fixtures import ServerHarness, build, start_game


@dataclass
class Relay:
    """A relay that answers as told, and what it was asked."""

    answer: Callable[[RenderedEmail], DeliveryFailure | None]
    asked: list[str] = field(default_factory=list)
    taken: list[str] = field(default_factory=list)

    def __call__(self, message: RenderedEmail) -> DeliveryFailure | None:
        """Take a letter or not."""
        self.asked.append(message.recipient)
        refused = self.answer(message)
        if refused is None:
            self.taken.append(message.recipient)
        return refused


def saying(answer: DeliveryFailure | None) -> Relay:
    """A relay that says the same to all."""
    return Relay(lambda message: answer)


def hall_with(folder: Path, relay: Relay) -> ServerHarness:
    """A table of two, with this relay."""
    harness = build(folder)
    start_game(harness, "toy", 2)
    harness.configure(send_email=relay)
    return harness


def receipts(harness: ServerHarness) -> list[OutboundEmail]:
    """The receipts, whatever has become of them."""
    return [row for row in harness.load_rows(OutboundEmail) if row.kind == "receipt"]


def days_of_tries(harness: ServerHarness, days: int) -> None:
    """Let the clock run and every letter be tried when it is due."""
    for _ in range(days * 4):
        harness.advance_time(hours=6)
        delivery.run_delivery_loop(harness.mailer)
        harness.run_queued_tasks()


REASONS = ("relay 0", "letter 550 5.7.1", "recipient 450")


@pytest.mark.parametrize("why", REASONS)
def test_a_letter_outlives_whatever_is_not_its_readers_fault(why: str, state_dir: Path) -> None:
    """Refused for a week for a reason that may be mended, a letter waits whole, and goes out at once when told to."""
    relay = saying(DeliveryFailure(why, away=why.startswith("relay")))
    harness = hall_with(state_dir, relay)
    harness.reply("s1", "STATUS")
    days_of_tries(harness, 7)
    (row,) = receipts(harness)
    assert (row.state, row.key in harness.load_bodies()) == ("rendered", True)
    assert not [user for user in harness.load_rows(User) if user.bounced_at] + harness.load_rows(Outage)
    assert [line for line in list_problems(harness.resolver) if why in line and "pbem mail flush" in line]
    relay.answer = lambda message: None
    assert delivery_status.retry_all(harness.web) == 1
    harness.run_queued_tasks()
    assert relay.taken == ["p1@games.test"]
    assert [row.state for row in receipts(harness)] == ["sent"]


def test_a_reader_who_cannot_be_reached_is_marked(state_dir: Path) -> None:
    """Where the reader's own box is at fault the letter ends at its second try, and their clock stands still."""
    final = DeliveryFailure("recipient 550 5.1.1", is_permanent=True)
    harness = hall_with(state_dir, Relay(lambda message: final if message.recipient.startswith("p1@") else None))
    harness.reply("s1", "STATUS")
    harness.advance_time(seconds=1)
    harness.reply("s2", "STATUS")
    harness.advance_time(seconds=5)
    delivery.run_delivery_loop(harness.mailer)
    states = {row.seat: (row.state, row.key in harness.load_bodies()) for row in receipts(harness)}
    assert states == {"s1": ("refused", False), "s2": ("sent", False)}
    assert [user.email for user in harness.load_rows(User) if user.bounced_at] == ["p1@games.test"]
    assert [outage.cause for outage in harness.load_rows(Outage)] == ["bounce"]


BARE = DeliveryFailure("recipient 550", without_picture=True)


def test_a_bare_refusal_of_everybody_is_the_relays(state_dir: Path) -> None:
    """A relay that turns everybody away with a bare 550 has a fault of its own: nobody is marked, nothing is lost."""
    harness = hall_with(state_dir, saying(None))
    for seat in ("s1", "s2"):
        harness.reply(seat, "STATUS")
    harness.configure(send_email=saying(BARE))
    for seat in ("s1", "s2"):
        harness.reply(seat, "STATUS")
    days_of_tries(harness, 7)
    assert sorted(row.state for row in receipts(harness)) == ["rendered", "rendered", "sent", "sent"]
    assert not [user for user in harness.load_rows(User) if user.bounced_at]


def test_a_bare_refusal_of_one_among_others_is_theirs(state_dir: Path) -> None:
    """Refused again with a bare 550 after the relay took a letter to somebody else, a reader cannot be reached."""
    relay = Relay(lambda message: BARE if message.recipient.startswith("p1@") else None)
    harness = hall_with(state_dir, relay)
    harness.reply("s1", "STATUS")
    assert [row.state for row in receipts(harness)] == ["rendered"]
    harness.advance_time(seconds=1)
    harness.reply("s2", "STATUS")
    days_of_tries(harness, 1)
    assert sorted(row.state for row in receipts(harness)) == ["refused", "sent"]
    assert [user.email for user in harness.load_rows(User) if user.bounced_at] == ["p1@games.test"]


def heap(harness: ServerHarness, number: int) -> None:
    """So many letters to be sent."""
    keys = harness.mailer.mailer_keys
    sealed = [seal_email(keys.mailer, keys.signing, EmailContext(f"k{n}", "rendered"), wire(n)) for n in range(number)]
    with harness.mailer.db.transaction() as session:
        session.execute(update(OutboundEmail).values(state="sent"))
        for n, content in enumerate(sealed):
            session.add(OutboundEmail(key=f"k{n}", kind="notice", state="rendered", created_at=0, due_at=n, attempts=0))
            session.add(OutboundEmailBody(email_key=f"k{n}", content_ciphertext=content))


def wire(number: int) -> bytes:
    """A finished letter, as it is kept."""
    return encode_tuple("pbem letter out 1", b"b+x@games.test", f"r{number}@player.test".encode(), b"x")


def test_a_task_ends_though_the_relay_refuses_all(state_dir: Path) -> None:
    """However many letters wait, one task tries so many and no more; the next goes on behind the others."""
    relay = saying(DeliveryFailure("recipient 450"))
    harness = hall_with(state_dir, relay)
    heap(harness, delivery.BATCHES * outbox.BATCH + 1)
    delivery.run_delivery_loop(harness.mailer)
    assert len(relay.asked) == delivery.BATCHES * outbox.BATCH
    assert harness.queued_tasks == [("send_outbound_emails", "")]


def test_a_task_ends_though_the_relay_is_slow(state_dir: Path) -> None:
    """With a relay that takes a letter in twenty seconds a task ends after a minute, and what is left is free."""
    relay = saying(None)
    harness = hall_with(state_dir, relay)

    def slowly(message: RenderedEmail) -> None:
        harness.advance_time(seconds=20)

    relay.answer = slowly
    heap(harness, outbox.BATCH)
    delivery.run_delivery_loop(harness.mailer)
    assert len(relay.taken) <= 1 + delivery.WHILE_MS // 20_000
    assert not [row for row in harness.load_rows(OutboundEmail) if row.claimed_at]
    for _ in range(outbox.BATCH):
        delivery.run_delivery_loop(harness.mailer)
    assert sorted(relay.taken) == sorted({f"r{n}@player.test" for n in range(outbox.BATCH)})


def test_a_relay_that_is_away_is_asked_once_a_task(state_dir: Path) -> None:
    """One letter finds out that the relay is away; the others wait no longer for it, and go first the next time."""
    relay = saying(DeliveryFailure("relay 0", away=True))
    harness = hall_with(state_dir, relay)
    heap(harness, 3 * outbox.BATCH)
    for n in range(3):
        delivery.run_delivery_loop(harness.mailer)
        assert relay.asked == [f"r{m}@player.test" for m in range(n + 1)]
    assert harness.queued_tasks == []
    relay.answer = lambda message: None
    harness.advance_time(minutes=2)
    delivery.run_delivery_loop(harness.mailer)
    assert len(relay.taken) == 3 * outbox.BATCH
