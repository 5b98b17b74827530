"""Mail that does not arrive, over real sockets: the next way is used, once, and its reader is told why."""

import email
import json
import re
import smtplib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from email.message import EmailMessage
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from engine.age_of_renaissance.catalogue import CARDS
from engine.kernel.secrets import truth
from pbem.app import deliver_message, render_email, to_inbound_email
from pbem.config.settings import Settings
from pbem.mail.smtp_client import Relay, SmtpClient
from pbem.mail.smtp_server import Envelope, Server, ServerConfig
from pbem.service.base.services import Recipient, RenderedEmail
from pbem.service.mail import delivery, inbox_queue
from pbem.service.masters import api
from pbem.store.models import OutboundEmail, SeatRow
from tests.discord.fake_discord import Fake
from tests.discord.linked_games import Town, due, step, town

ANN, BOB = "700000000000001", "700000000000002"
PLAYER, ELSEWHERE = "p2@games.test", "bob@players.test"


@dataclass
class Mails:
    """The relay that takes our letters, and the entrance that takes letters to us; both listen on the loopback."""

    at: Town
    relay: Server
    door: Server
    dead: set[str] = field(default_factory=set)
    taken: list[Envelope] = field(default_factory=list)

    def ask(self) -> None:
        """The next question is put, with a deadline, and told in the channel and by letters."""
        step(self.at)
        due(self.at)
        self.at.announce(2, seconds=20)
        delivery.deliver(self.at.harness.mailer)

    def refuse(self) -> None:
        """The next question is put; the relay says twice that it knows no such player, and takes other letters."""
        self.dead.add(PLAYER)
        self.ask()
        self.at.harness.advance_time(seconds=1)
        api.send_address(self.at.harness.web, self.at.host, self.at.game)
        delivery.deliver(self.at.harness.mailer)
        self.at.harness.advance_time(seconds=5)
        delivery.deliver(self.at.harness.mailer)

    def to_them(self) -> list[Envelope]:
        """The letters to the player that were taken."""
        return [one for one in self.taken if PLAYER in one.recipients]

    def write(self, to: str, letter: EmailMessage, sender: str) -> None:
        """Somebody writes to us, and all that comes of it happens."""
        with smtplib.LMTP("127.0.0.1", self.door.port, timeout=60) as line:
            line.sendmail(sender, [to], letter.as_bytes())
        self.at.harness.run_queued_tasks()

    def answer(self, *lines: str) -> None:
        """The player answers their last letter."""
        last = self.to_them()[-1].raw.decode()
        to = re.search(r"^Reply-To: (\S+)", last, re.MULTILINE)
        assert to is not None
        letter = EmailMessage()
        letter["From"], letter["To"], letter["Message-ID"] = ELSEWHERE, to[1], f"<{len(self.taken)}@players.test>"
        letter.set_content("\n".join(lines))
        self.write(to[1], letter, ELSEWHERE)

    def channel_messages(self) -> list[dict[str, object]]:
        """What the channel was told about letters that do not arrive."""
        return [body for body in self.at.fake.new() if "do not arrive" in str(body["content"])]


@pytest.fixture
def mails(state_dir: Path, fake: Fake) -> Iterator[Mails]:
    """A table of three whose letters go over sockets both ways; all its questions have a deadline."""
    at = town(state_dir, fake)
    at.account("p1@games.test", ANN)
    at.account(PLAYER, BOB)
    settings = replace(Settings.with_embedded(state_dir), mail_domain="games.test")
    taken: list[Envelope] = []
    dead: set[str] = set()
    relay = Server(taken.append, lambda a: a not in dead, ServerConfig("127.0.0.1", 0, "smtp", "relay.test"))
    door = Server(
        lambda e: void(inbox_queue.store_message(at.harness.smtp, e.recipients, e.raw, e.sender == "")),
        lambda a: True,
        ServerConfig("127.0.0.1", 0, "lmtp", "games.test"),
    )
    relay.start()
    door.start()
    courier = SmtpClient(Relay("127.0.0.1", relay.port, timeout=5.0))

    def write(facts: Any, address: Recipient) -> RenderedEmail:
        at.harness.sent.append((address, facts))
        return render_email(settings, facts, address)

    at.harness.mailer = replace(
        at.harness.mailer,
        render_email=write,
        send_email=partial(deliver_message, courier),
        parse_email=partial(to_inbound_email, settings),
    )
    at.link()
    yield Mails(at, relay, door, dead, taken)
    courier.quit()
    relay.stop()
    door.stop()


def void(_: object) -> None:
    """Nothing is answered."""


def others_know_nothing_of_it(at: Town) -> None:
    """No message to the channel names a card that the player alone has seen."""
    board, told = at.harness.load_state(at.game).board, json.dumps([one.body for one in at.fake.taken])
    with truth():
        hands = {seat: {card.value for card in power.hand} for seat, power in board.powers.items()}
    names = {seat: {CARDS[card].words.printed("en") for card in hand} for seat, hand in hands.items()}
    shown = {CARDS[card].words.printed("en") for card in board.discard}
    assert names["s2"] - shown
    assert [name for name in names["s2"] - shown if name in told] == []


# --- three ways to fail


def test_an_address_that_the_relay_refuses(mails: Mails) -> None:
    """After 550 at RCPT the player is called on in the channel, once, with nothing private; other letters arrive."""
    mails.dead.add(PLAYER)
    mails.ask()
    for _ in range(3):
        mails.at.announce(2, minutes=10)
    assert [body["allowed_mentions"] for body in mails.channel_messages()] == [{"parse": [], "users": [BOB]}]
    assert "correct the address" in str(mails.channel_messages()[0]["content"])
    assert {one.recipients for one in mails.taken} >= {("p1@games.test",), ("p3@games.test",)}
    assert mails.to_them() == []
    others_know_nothing_of_it(mails.at)
    assert mails.at.fake.refused() == []


def test_a_letter_that_comes_back_later(mails: Mails) -> None:
    """After a report of failure to the letter's bounce address (RFC 3464) the player is called on in the channel."""
    mails.ask()
    assert mails.channel_messages() == []
    failed = EmailMessage()
    failed["From"], failed["To"] = "MAILER-DAEMON@mx.players.test", mails.to_them()[-1].sender
    failed["Subject"], failed["Message-ID"] = "Undelivered Mail Returned to Sender", "<bo@mx.players.test>"
    failed["Auto-Submitted"] = "auto-replied"
    ours = email.message_from_bytes(mails.to_them()[-1].raw)["Message-ID"]
    raw = failed.as_bytes().rstrip() + REPORT.replace(b"OURS", ours.encode())
    with smtplib.LMTP("127.0.0.1", mails.door.port, timeout=60) as line:
        line.sendmail("", [mails.to_them()[-1].sender], raw)
    mails.at.harness.run_queued_tasks()
    mails.at.announce(3, seconds=20)
    assert [body["allowed_mentions"] for body in mails.channel_messages()] == [{"parse": [], "users": [BOB]}]
    others_know_nothing_of_it(mails.at)


REPORT = b"""
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="m0"

--m0
Content-Type: text/plain

Sorry.
--m0
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.players.test

Final-Recipient: rfc822; p2@games.test
Action: failed
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 unknown user

--m0
Content-Type: text/rfc822-headers

Message-ID: OURS

--m0--
"""


def test_a_relay_that_is_down(mails: Mails) -> None:
    """After an hour in which nothing leaves, each player who owes an answer is called on, once and no sooner."""
    mails.relay.stop()
    mails.ask()
    for _ in range(5):
        mails.at.announce(1, minutes=11)
        delivery.deliver(mails.at.harness.mailer)
    assert mails.channel_messages() == []
    for _ in range(6):
        mails.at.announce(1, minutes=11)
        delivery.deliver(mails.at.harness.mailer)
    owing = {row.seat for row in mails.at.harness.load_rows(SeatRow)}
    assert len(mails.channel_messages()) == len(owing) == 3
    assert sorted(str(body["allowed_mentions"]) for body in mails.channel_messages()) == sorted(
        str({"parse": [], "users": who}) for who in ([ANN], [BOB], [])
    )
    assert {row.state for row in mails.at.harness.load_rows(OutboundEmail) if row.kind == "report"} == {"rendered"}


# --- and is told why


def test_a_player_is_told_why_when_a_letter_reaches_them_again(mails: Mails) -> None:
    """Once the address works and the player writes, one letter tells them that mail came back, since when, and
    where they were called on.  A new failure later is told again.
    """
    mails.ask()
    known = mails.to_them()[-1]
    mails.refuse()
    mails.at.announce(2, seconds=20)
    assert len(mails.channel_messages()) == 1
    mails.dead.clear()
    mails.answer("STATUS")  # to an old letter, the newest that they have: they are sent a new address
    mails.answer("STATUS")
    mails.at.announce(3, seconds=20)
    delivery.deliver(mails.at.harness.mailer)
    why = [one.raw for one in mails.to_them() if one is not known and b"Discord" in one.raw]
    assert len(why) == 1
    mails.at.announce(3, minutes=20)
    delivery.deliver(mails.at.harness.mailer)
    assert len([one for one in mails.to_them() if b"Discord" in one.raw]) == 1
    assert len(mails.channel_messages()) == 1
    mails.refuse()
    mails.at.announce(2, seconds=20)
    assert len(mails.channel_messages()) == 2
