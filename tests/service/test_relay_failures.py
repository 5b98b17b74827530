"""A relay that refuses, is slow or away: no letter is lost over it, and no task ends later than it should."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from sqlalchemy import update

from pbem.crypto import EmailContext, seal_email
from pbem.crypto.encoding import encode_tuple
from pbem.service.base.services import DeliveryFailure, RenderedEmail
from pbem.service.mail import delivery, outbox
from pbem.service.tasks.health import list_problems
from pbem.store.models import Outage, OutboundEmail, OutboundEmailBody, User
from tests.service.server_fixtures import Hall, build, seated


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


def hall_with(folder: Path, relay: Relay) -> Hall:
    """A table of two, with this relay."""
    hall = build(folder)
    seated(hall, "toy", 2)
    hall.everywhere(send_email=relay)
    return hall


def receipts(hall: Hall) -> list[OutboundEmail]:
    """The receipts, whatever has become of them."""
    return [row for row in hall.rows(OutboundEmail) if row.kind == "receipt"]


def days_of_tries(hall: Hall, days: int) -> None:
    """Let the clock run and every letter be tried when it is due."""
    for _ in range(days * 4):
        hall.pass_time(hours=6)
        delivery.run_delivery_loop(hall.post)
        hall.settle()


REASONS = ("relay 0", "letter 550 5.7.1", "recipient 450")


@pytest.mark.parametrize("why", REASONS)
def test_a_letter_outlives_whatever_is_not_its_readers_fault(why: str, state_dir: Path) -> None:
    """Refused for a week for a reason that may be mended, a letter waits whole, and goes out at once when told to."""
    relay = saying(DeliveryFailure(why, away=why.startswith("relay")))
    hall = hall_with(state_dir, relay)
    hall.say("s1", "STATUS")
    days_of_tries(hall, 7)
    (row,) = receipts(hall)
    assert (row.state, row.key in hall.contents()) == ("rendered", True)
    assert not [user for user in hall.rows(User) if user.bounced_at] + hall.rows(Outage)
    assert [line for line in list_problems(hall.play) if why in line and "pbem mail flush" in line]
    relay.answer = lambda message: None
    assert outbox.retry_all(hall.web) == 1
    hall.settle()
    assert relay.taken == ["p1@games.test"]
    assert [row.state for row in receipts(hall)] == ["sent"]


def test_a_reader_who_cannot_be_reached_is_marked(state_dir: Path) -> None:
    """Where the reader's own box is at fault the letter ends at once, and their clock stands still."""
    hall = hall_with(state_dir, saying(DeliveryFailure("recipient 550 5.1.1", is_permanent=True)))
    hall.say("s1", "STATUS")
    assert [(row.state, row.key in hall.contents()) for row in receipts(hall)] == [("failed", False)]
    assert [user.email for user in hall.rows(User) if user.bounced_at] == ["p1@games.test"]
    assert [outage.cause for outage in hall.rows(Outage)] == ["bounce"]


BARE = DeliveryFailure("recipient 550", without_picture=True)


def test_a_bare_refusal_of_everybody_is_the_relays(state_dir: Path) -> None:
    """A relay that turns everybody away with a bare 550 has a fault of its own: nobody is marked, nothing is lost."""
    hall = hall_with(state_dir, saying(None))
    for seat in ("s1", "s2"):
        hall.say(seat, "STATUS")
    hall.everywhere(send_email=saying(BARE))
    for seat in ("s1", "s2"):
        hall.say(seat, "STATUS")
    days_of_tries(hall, 7)
    assert sorted(row.state for row in receipts(hall)) == ["rendered", "rendered", "sent", "sent"]
    assert not [user for user in hall.rows(User) if user.bounced_at]


def test_a_bare_refusal_of_one_among_others_is_theirs(state_dir: Path) -> None:
    """Refused again with a bare 550 after the relay took a letter to somebody else, a reader cannot be reached."""
    relay = Relay(lambda message: BARE if message.recipient.startswith("p1@") else None)
    hall = hall_with(state_dir, relay)
    hall.say("s1", "STATUS")
    assert [row.state for row in receipts(hall)] == ["rendered"]
    hall.pass_time(seconds=1)
    hall.say("s2", "STATUS")
    days_of_tries(hall, 1)
    assert sorted(row.state for row in receipts(hall)) == ["failed", "sent"]
    assert [user.email for user in hall.rows(User) if user.bounced_at] == ["p1@games.test"]


def heap(hall: Hall, number: int) -> None:
    """So many letters to be sent."""
    keys = hall.post.mailer_keys
    sealed = [seal_email(keys.mailer, keys.signing, EmailContext(f"k{n}", "rendered"), wire(n)) for n in range(number)]
    with hall.post.db.transaction() as session:
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
    hall = hall_with(state_dir, relay)
    heap(hall, delivery.BATCHES * outbox.BATCH + 1)
    delivery.run_delivery_loop(hall.post)
    assert len(relay.asked) == delivery.BATCHES * outbox.BATCH
    assert hall.woken == [("send_outbound_emails", "")]


def test_a_task_ends_though_the_relay_is_slow(state_dir: Path) -> None:
    """With a relay that takes a letter in twenty seconds a task ends after a minute, and what is left is free."""
    relay = saying(None)
    hall = hall_with(state_dir, relay)

    def slowly(message: RenderedEmail) -> None:
        hall.pass_time(seconds=20)

    relay.answer = slowly
    heap(hall, outbox.BATCH)
    delivery.run_delivery_loop(hall.post)
    assert len(relay.taken) <= 1 + delivery.WHILE_MS // 20_000
    assert not [row for row in hall.rows(OutboundEmail) if row.claimed_at]
    for _ in range(outbox.BATCH):
        delivery.run_delivery_loop(hall.post)
    assert sorted(relay.taken) == sorted({f"r{n}@player.test" for n in range(outbox.BATCH)})


def test_a_relay_that_is_away_is_asked_once_a_task(state_dir: Path) -> None:
    """One letter finds out that the relay is away; the others wait no longer for it, and go first the next time."""
    relay = saying(DeliveryFailure("relay 0", away=True))
    hall = hall_with(state_dir, relay)
    heap(hall, 3 * outbox.BATCH)
    for n in range(3):
        delivery.run_delivery_loop(hall.post)
        assert relay.asked == [f"r{m}@player.test" for m in range(n + 1)]
    assert hall.woken == []
    relay.answer = lambda message: None
    hall.pass_time(minutes=2)
    delivery.run_delivery_loop(hall.post)
    assert len(relay.taken) == 3 * outbox.BATCH
