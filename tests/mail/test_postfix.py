"""Turns and letters of strangers through a real Postfix, with the files of `deploy/postfix` as they are."""

import contextlib
import email
import email.policy
import shutil
import smtplib
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from email.message import EmailMessage
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from engine import GAMES
from pbem.app import build_probe, deliver_message, render_email, to_inbound_email
from pbem.config.settings import Settings
from pbem.demo.players import reply_to, template_lines
from pbem.mail.smtp_client import Relay, SmtpClient
from pbem.mail.smtp_server import Envelope, Server, ServerConfig
from pbem.service.base.services import Recipient, RenderedEmail
from pbem.service.deadlines import interruptions
from pbem.service.mail import delivery, delivery_status, inbox_queue
from pbem.service.tasks.health import list_problems, list_unsigned
from pbem.smtp_process import is_local_recipient
from pbem.store.games import load_open_questions
from pbem.store.models import InboundEmail, OutboundEmail, User
from tests.mail.mail_programs import STYLES
from tests.mail.postfix import FILES, Postfix, listens, needed, running, until
from tests.service.server_fixtures import ServerHarness, build, start_game
from tests.service.timed_games import HOUR, advance_and_run, load_extensions

pytestmark = [pytest.mark.long, pytest.mark.timeout(900)]
DOMAIN, RULES = "games.example.org", "age_of_renaissance"
ABROAD = "198.51.100.7"
"""The machine of a stranger, for whom a test speaks (XCLIENT)."""


@dataclass
class Wired:
    """A server whose emails go through Postfix both ways, and the mailboxes of its players."""

    harness: ServerHarness
    postfix: Postfix
    door: Server
    mailboxes: list[Envelope] = field(default_factory=list)
    written: int = 0

    def letters(self, player: str) -> list[EmailMessage]:
        """What a player has got, oldest first."""
        raw = [one.raw for one in self.mailboxes if player in one.recipients]
        return [email.message_from_bytes(one, policy=email.policy.default) for one in raw]

    def hand_over(self, sender: str, recipient: str, raw: bytes) -> tuple[int, bytes]:
        """A letter from elsewhere; what Postfix answers to its recipient, or to its bytes."""
        with smtplib.SMTP("127.0.0.1", self.postfix.port, timeout=120) as line:
            line.ehlo("mx.players.test")
            line.docmd("XCLIENT", f"ADDR={ABROAD} NAME=mx.players.test")
            line.ehlo("mx.players.test")
            line.mail(sender)
            answer = line.rcpt(recipient)
            return line.data(raw) if answer[0] == 250 else answer

    def answer(self, style: str, player: str, original: EmailMessage, lines: list[str]) -> None:
        """A player answers in the style of their mail program, and all that comes of it happens."""
        before = len(self.harness.load_rows(InboundEmail))
        self.written += 1
        raw = STYLES[style](original, lines, player, self.written)
        assert self.hand_over(player, reply_to(original), raw)[0] == 250
        until(lambda: len(self.harness.load_rows(InboundEmail)) > before, "the letter at the door")
        self.harness.run_queued_tasks()


@pytest.fixture
def wired(state_dir: Path) -> Iterator[Wired]:
    """The door, Postfix before it, and players behind Postfix."""
    needed()
    harness = build(state_dir, installed=GAMES)
    harness.configure(mail_domain=DOMAIN)
    settings = replace(Settings.with_embedded(state_dir), mail_domain=DOMAIN)
    mailboxes: list[Envelope] = []
    players = Server(mailboxes.append, lambda address: True, ServerConfig("127.0.0.1", 0, "smtp", "mx.players.test"))
    door = Server(
        lambda e: void(inbox_queue.store_message(harness.smtp, e.recipients, e.raw, e.sender == "")),
        lambda address: is_local_recipient(harness.smtp, address),
        ServerConfig("127.0.0.1", 0, "lmtp", DOMAIN, max_bytes=settings.limits.max_message_bytes * 2),
    )
    with tempfile.TemporaryDirectory(prefix="mail-postfix-") as place, players, door:
        Path(place).chmod(0o755)
        with running(Path(place), players.port, door.port) as postfix:
            courier = SmtpClient(Relay("127.0.0.1", postfix.port, timeout=60.0))

            def write(facts: Any, address: Recipient) -> RenderedEmail:
                harness.sent.append((address, facts))
                return render_email(settings, facts, address)

            harness.mailer = replace(
                harness.mailer,
                render_email=write,
                send_email=partial(deliver_message, courier),
                parse_email=partial(to_inbound_email, settings),
            )
            yield Wired(harness, postfix, door, mailboxes)
            courier.quit()


def void(_: object) -> None:
    """Nothing is answered."""


def test_a_turn_is_played_in_five_mail_styles(wired: Wired) -> None:
    """Five players, each with another mail program, play the first turn of the flagship; each letter is receipted.

    The player on the web page of Gmail uncovers lines of the template inside the quotation, and writes nothing above.
    """
    harness = wired.harness
    game = start_game(harness, RULES, 5)
    players = {style: f"p{number}@games.test" for number, style in enumerate(STYLES, 1)}
    answered: set[str] = set()
    while GAMES[RULES].turn(harness.load_state(game)) < 2:
        for number, (style, player) in enumerate(players.items(), 1):
            if not owes(harness, game, f"s{number}"):
                continue
            waiting = partial(asking, wired, player, answered)
            until(waiting, f"a letter to {player}")
            letters = waiting()
            answered |= {str(letter["Message-ID"]) for letter in letters}
            lines = [lines[0] for lines in template_lines(text(letters[-1]))]
            offered = all(f"\n; {line}\n" in text(letters[-1]) for line in lines)
            wired.answer(style if offered else "apple mail", player, letters[-1], lines)
    assert [one for facts in harness.sent_facts("receipt") for one in facts.sets if not one.taken] == []
    uncovered = [facts for facts in receipts(harness, players["gmail"]) if facts.uncovered]
    assert len(uncovered) >= 4
    assert {style: len(receipts(harness, player)) >= 4 for style, player in players.items()} == dict.fromkeys(
        STYLES, True
    )
    until(lambda: "is empty" in wired.postfix.queue(), "an empty queue")
    assert "status=bounced" not in wired.postfix.log()
    print(f"{wired.written} letters in, {len(wired.mailboxes)} out, {len(uncovered)} uncovered in the quotation")


@contextlib.contextmanager
def signing(folder: Path) -> Iterator[None]:
    """OpenDKIM with the sample of `deploy/postfix`, and a key of its own in the place of the one that it names."""
    keys = folder / "keys"
    keys.mkdir()
    made = ["opendkim-genkey", "--bits=2048", "--selector=pbem", f"--domain={DOMAIN}", f"--directory={keys}"]
    subprocess.run(made, check=True, capture_output=True, timeout=60)
    for path in (keys, *keys.iterdir()):
        shutil.chown(path, "opendkim", "opendkim")
    sample = (FILES / "opendkim.conf").read_text("utf-8").replace("/etc/opendkim/keys", str(keys))
    (folder / "opendkim.conf").write_text(f"{sample}RequireSafeKeys no\n")  # a folder of everybody's lies above it
    command = ["opendkim", "-f", "-x", str(folder / "opendkim.conf")]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as process:
        try:
            until(lambda: listens(8891), "OpenDKIM")
            yield
        finally:
            process.terminate()


def text(letter: EmailMessage) -> str:
    """The plain text of a letter of ours."""
    body = letter.get_body(("plain",))
    return str(body.get_content()).replace("\r\n", "\n") if body is not None else ""


def asking(wired: Wired, player: str, answered: set[str]) -> list[EmailMessage]:
    """The letters to a player with a template that they have not answered."""
    letters = [one for one in wired.letters(player) if str(one["Message-ID"]) not in answered]
    return [one for one in letters if "\n; --- " in text(one) and one["Auto-Submitted"] != "auto-replied"]


def owes(harness: ServerHarness, game: str, seat: str) -> bool:
    """Return True if a seat's player has not answered all that is asked of them."""
    with harness.resolver.db.snapshot() as session:
        return any(row.is_blocking and row.answered_at is None for row in load_open_questions(session, game, seat))


def receipts(harness: ServerHarness, player: str) -> list[Any]:
    """The receipts of a player."""
    return [facts for address, facts in harness.sent if address.kind == "receipt" and address.to_address == player]


# --- strangers, and what every mail domain must have


def test_a_wrong_address_is_refused_before_anything_is_accepted(wired: Wired) -> None:
    """At RCPT: 550 for what is no address of ours and for one with a wrong letter; nothing bounces."""
    start_game(wired.harness, RULES, 3)
    token = wired.harness.reply_token("s1")
    right = f"o+{token}@{DOMAIN}"
    wrong = f"o+{token[:-1]}{'b' if not right.startswith('b', right.index('@') - 1) else 'c'}@{DOMAIN}"
    for address in (wrong, f"ada@{DOMAIN}", f"o+x@{DOMAIN}"):
        code, said = wired.hand_over("forged@victim.test", address, b"From: x@victim.test\r\n\r\nBID 3\r\n")
        assert (address, code) == (address, 550), said
    assert wired.hand_over("ada@victim.test", "someone@victim.test", b"x")[0] == 554
    assert wired.hand_over("p1@games.test", right, b"From: p1@games.test\r\n\r\nSTATUS\r\n")[0] == 250
    until(lambda: len(wired.harness.load_rows(InboundEmail)) == 1, "the letter at the door")
    until(lambda: "is empty" in wired.postfix.queue(), "an empty queue")
    assert [one for one in wired.mailboxes if one.sender == ""] == []


def test_a_letter_that_is_too_long_is_refused_at_once(wired: Wired) -> None:
    """What the door would not take is not accepted by Postfix either; what it would, comes through and is answered."""
    start_game(wired.harness, RULES, 3)
    token = wired.harness.reply_token("s1")
    right = f"o+{token}@{DOMAIN}"
    for size, code in ((1_500_000, 250), (1_950_000, 552)):
        raw = b"From: p1@games.test\r\nMessage-ID: <%d@x>\r\n\r\n" % size + b"a" * 70 + b"\r\nb" * (size // 3)
        assert wired.hand_over("p1@games.test", right, raw[:size] + b"\r\n")[0] == code

    def answers() -> list[str]:
        wired.harness.run_queued_tasks()
        return [facts.kind for facts in wired.harness.sent_facts("notice")]

    until(lambda: bool(answers()), "the answer")
    assert answers() == ["oversized"]


@pytest.mark.parametrize("name", ["postmaster", "abuse"])
def test_what_every_mail_domain_must_have_reaches_the_operator(wired: Wired, name: str) -> None:
    """A letter to these addresses goes to a person."""
    assert wired.hand_over("ada@victim.test", f"{name}@{DOMAIN}", b"From: ada@victim.test\r\n\r\nHelp\r\n")[0] == 250
    until(lambda: bool(wired.letters("operator@example.org")), "the operator's letter")


def test_a_door_that_is_down_is_a_delay(wired: Wired) -> None:
    """While nothing answers behind it, Postfix tells the other side to come again, and refuses nobody for good."""
    address = f"o+zzzzzzzzzzzz@{DOMAIN}"
    wired.door.stop()
    assert wired.hand_over("ada@victim.test", address, b"x")[0] == 450


def test_what_goes_out_is_encrypted_and_signed(wired: Wired) -> None:
    """Postfix offers TLS; OpenDKIM signs letters by the sample, one-click headers (RFC 8058) included."""
    if shutil.which("opendkim") is None:
        pytest.skip("no OpenDKIM is installed")
    with smtplib.SMTP("127.0.0.1", wired.postfix.port, timeout=60) as line:
        line.starttls()
        assert line.ehlo()[0] == 250
    with signing(wired.postfix.folder):
        start_game(wired.harness, RULES, 3)
        until(lambda: len(wired.letters("p1@games.test")) > 0, "a letter")
    signature = str(wired.letters("p1@games.test")[-1]["DKIM-Signature"])
    assert f"d={DOMAIN}" in signature
    assert "s=pbem" in signature
    invitation = wired.letters("p2@games.test")[0]
    assert invitation["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert {"list-unsubscribe", "list-unsubscribe-post"} <= signed_headers(str(invitation["DKIM-Signature"]))


def test_a_letter_to_itself_shows_that_opendkim_is_stopped(
    wired: Wired, state_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Through Postfix and back: unsigned, the doctor says so; signed once OpenDKIM runs, it says nothing."""
    if shutil.which("opendkim") is None:
        pytest.skip("no OpenDKIM is installed")
    monkeypatch.setattr("pbem.mail.smtp_client.IDLE_S", 0.0)  # Postfix asks OpenDKIM once a connection
    harness = wired.harness
    settings = replace(Settings.with_embedded(state_dir), mail_domain=DOMAIN)
    harness.mailer = replace(harness.mailer, probe=partial(build_probe, settings))

    def write_to_itself() -> list[str]:
        before = len(harness.load_rows(InboundEmail))
        harness.advance_time(minutes=16)
        assert interruptions.send_probe(harness.mailer)
        until(lambda: len(harness.load_rows(InboundEmail)) > before, "the letter to itself")
        harness.run_queued_tasks()
        return list_unsigned(harness.resolver)

    (said,) = write_to_itself()
    assert "Letters go out unsigned" in said
    with signing(wired.postfix.folder):
        assert write_to_itself() == []


def signed_headers(signature: str) -> set[str]:
    """What a signature covers (RFC 6376 §3.5)."""
    tags = dict(tag.strip().split("=", 1) for tag in signature.split(";") if "=" in tag)
    return {name.strip().lower() for name in tags["h"].split(":")}


# --- what becomes of letters out

QUICK = (
    "maximal_queue_lifetime = 6s",
    "bounce_queue_lifetime = 60s",
    "delay_warning_time = 1s",
    "queue_run_delay = 1s",
    "minimal_backoff_time = 1s",
    "maximal_backoff_time = 1s",
)
"""A Postfix that tells of a delay after a second, and gives up after some more."""
_REST = "{ games.test = $players } { example.org = $players }"


def fates(wired: Wired, player: str) -> dict[str, tuple[str, str]]:
    """State and server's words of each letter to a player by its kind, after all that has come in was read."""
    wired.harness.run_queued_tasks()
    users = {user.id: user.email for user in wired.harness.load_rows(User)}
    rows = [row for row in wired.harness.load_rows(OutboundEmail) if users.get(row.user_id or 0) == player]
    return {row.kind: (row.state.value, row.server_reply or "") for row in rows}


def has(wired: Wired, player: str, kind: str, state: str) -> bool:
    """Return True if a letter of this kind to a player has come to this state."""
    return fates(wired, player).get(kind, ("", ""))[0] == state


def has_template(wired: Wired, player: str) -> bool:
    """Return True if a player has got a letter with lines to answer."""
    return any("\n; --- " in text(letter) for letter in wired.letters(player))


def test_a_letter_that_postfix_gives_up_costs_its_reader_nothing(wired: Wired) -> None:
    """Nothing answers at a player's server: the delay and the end are known and told, no time and no report is lost."""
    wired.postfix.configure(*QUICK, f"transport_maps = inline:{{ {{ p2@games.test = smtp:[127.0.0.1]:1 }} {_REST} }}")
    harness, seen = wired.harness, set[str]()
    game = start_game(harness, RULES, 3, 24)

    def given_up() -> bool:
        seen.add(fates(wired, "p2@games.test").get("started", ("", ""))[0])
        return "given_up" in seen

    until(given_up, "the letter that is given up")
    assert "delayed" in seen
    assert "refused" in fates(wired, "p2@games.test")["started"][1]  # the connection
    assert [user.email for user in harness.load_rows(User) if user.bounced_at] == ["p2@games.test"]
    until(lambda: any("do not arrive" in text(one) for one in wired.letters("p1@games.test")), "the master's letter")
    for _ in range(5):
        advance_and_run(harness, hours=6)
    assert harness.load_game(game).entry == 1
    wired.postfix.configure(f"transport_maps = inline:{{ {_REST} }}")
    before = len(harness.load_rows(InboundEmail))
    answer = f"o+{harness.reply_token('s2')}@{DOMAIN}"
    assert wired.hand_over("p2@games.test", answer, b"From: p2@games.test\r\n\r\nREPORT\r\n")[0] == 250
    until(lambda: len(harness.load_rows(InboundEmail)) > before, "the letter at the door")
    harness.run_queued_tasks()
    advance_and_run(harness, minutes=1)
    assert {seat for seat, lost in load_extensions(harness) if lost > 24 * HOUR} == {"s2"}
    until(partial(has_template, wired, "p2@games.test"), "the report")


def test_a_postfix_that_refuses_everybody_costs_nobody_anything(wired: Wired) -> None:
    """550 5.1.1 for all: nothing is given up, the operator is told, clocks stop at half time, then all is delivered."""
    restriction = "smtpd_recipient_restrictions ="
    wired.postfix.configure(f"{restriction} check_recipient_access static:{{550 5.1.1 User unknown}}")
    harness, players = wired.harness, [f"p{number}@games.test" for number in (1, 2, 3)]
    game = start_game(harness, RULES, 3, 24)
    for _ in range(10):
        advance_and_run(harness, hours=3)
        delivery.run_delivery_loop(harness.mailer)
    states = {row.state.value for row in harness.load_rows(OutboundEmail)}
    assert states <= {"rendered", "queued", "suppressed"}, states
    assert "550 5.1.1" in fates(wired, players[0])["started"][1]
    assert not [user for user in harness.load_rows(User) if user.bounced_at]
    assert [line for line in list_problems(harness.resolver) if "its own fault" in line]
    assert harness.load_game(game).entry == 1
    wired.postfix.configure(f"{restriction} permit_mynetworks, reject_unauth_destination, reject_unverified_recipient")
    delivery_status.retry_all(harness.web)
    until(lambda: all(has(wired, player, "started", "sent") for player in players), "all letters handed over")
    for player in players:
        until(partial(has_template, wired, player), "a letter")
    for _ in range(3):
        advance_and_run(harness, minutes=1)
    assert {seat for seat, _ in load_extensions(harness)} == {"s1", "s2", "s3"}
