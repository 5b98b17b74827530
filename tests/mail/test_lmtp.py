"""The mail entrance, with real sockets: stored first, then answered, for each recipient."""

from __future__ import annotations

import logging
import smtplib
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace

import pytest

from pbem.mail import smtp_server as door
from pbem.mail.addresses import reply_address
from pbem.mail.smtp_server import Envelope, Server, ServerConfig

DOMAIN = "games.example.org"
ONE = reply_address("k7m2p9q4x8", DOMAIN)
TWO = reply_address("b3c4d5f6g7", DOMAIN)
LETTER = b"From: ada@player.example\r\nMessage-ID: <m@player.example>\r\n\r\nPLACE Roma 4\r\n"


PLAIN = ServerConfig()


class Shelf:
    """What `store` was given; it breaks for the addresses in `broken`."""

    def __init__(self) -> None:
        self.letters: list[Envelope] = []
        self.broken: set[str] = set()

    def store(self, envelope: Envelope) -> None:
        if self.broken & set(envelope.recipients):
            raise RuntimeError("secret database text with PLACE Roma")
        self.letters.append(envelope)


def knows(address: str) -> bool:
    """The addresses of our own domain; a question about "broken" breaks."""
    if address.startswith("broken"):
        raise RuntimeError("secret")
    return address.endswith("@" + DOMAIN)


@contextmanager
def listening(shelf: Shelf, entrance: ServerConfig) -> Iterator[Server]:
    """A listener on a free port of loopback, stopped at the end."""
    with Server(shelf.store, knows, entrance) as listener:
        yield listener


@pytest.fixture
def shelf() -> Shelf:
    """An empty shelf."""
    return Shelf()


@contextmanager
def lmtp(shelf: Shelf, entrance: ServerConfig = PLAIN) -> Iterator[smtplib.LMTP]:
    """A client that has said LHLO and MAIL FROM to an LMTP entrance."""
    with listening(shelf, entrance) as listener, smtplib.LMTP("127.0.0.1", listener.port, timeout=60) as client:
        client.ehlo()
        client.mail("ada@player.example")
        yield client


@contextmanager
def smtp(shelf: Shelf) -> Iterator[smtplib.SMTP]:
    """A client connected to an SMTP entrance."""
    with (
        listening(shelf, ServerConfig(protocol="smtp")) as listener,
        smtplib.SMTP("127.0.0.1", listener.port, timeout=60) as client,
    ):
        yield client


def after_data(client: smtplib.SMTP, body: bytes, answers: int) -> list[int]:
    """Send a body and read as many answers as recipients were taken; nothing may be left over."""
    client.putcmd("data")
    assert client.getreply()[0] == 354
    client.send(body + b"\r\n.\r\n")
    codes = [client.getreply()[0] for _ in range(answers)]
    assert client.docmd("noop")[0] == 250
    return codes


def test_stored_then_answered(shelf: Shelf) -> None:
    """A letter is on the shelf, byte for byte, before 250 is heard."""
    with lmtp(shelf) as client:
        client.rcpt(ONE)
        assert after_data(client, LETTER.removesuffix(b"\r\n"), 1) == [250]
        assert shelf.letters == [Envelope("ada@player.example", (ONE,), LETTER, "127.0.0.1")]


def test_each_recipient_has_an_answer_of_their_own(shelf: Shelf) -> None:
    """Of two recipients one cannot be stored: 451 for that one and 250 for the other, in the order of RCPT."""
    shelf.broken = {ONE}
    with lmtp(shelf) as client:
        client.rcpt(ONE)
        client.rcpt(TWO)
        assert after_data(client, LETTER, 2) == [451, 250]
        assert [envelope.recipients for envelope in shelf.letters] == [(TWO,)]


def test_unknown_recipients_are_refused_one_by_one(shelf: Shelf) -> None:
    """An address that is not ours is refused at RCPT, for good; the others go on; a fault of ours is temporary."""
    with lmtp(shelf) as client:
        assert client.rcpt("o+k7m2p9q4x8@elsewhere.example")[0] == 550
        assert client.rcpt("broken@games.example.org")[0] == 451
        assert client.rcpt(TWO)[0] == 250
        assert after_data(client, LETTER, 1) == [250]


def test_a_failing_store_tells_nothing(shelf: Shelf, caplog: pytest.LogCaptureFixture) -> None:
    """What breaks inside is answered 451 without a word of the error; no log line names an address or the letter."""
    caplog.set_level(logging.DEBUG)
    shelf.broken = {ONE}
    with lmtp(shelf) as client:
        client.rcpt(ONE)
        code, text = client.data(LETTER)
        assert code == 451
        assert text.startswith(b"4.3.0")
        assert b"secret" not in text
        assert b"Roma" not in text
    assert not [word for word in ("k7m2p9q4x8", "Roma", "secret") if word in caplog.text]


@pytest.mark.parametrize("recipients", [[ONE], [ONE, TWO]])
def test_oversized_is_refused_for_each(shelf: Shelf, recipients: list[str]) -> None:
    """A letter over the limit gets 552 as many times as it has recipients, and the connection goes on."""
    with lmtp(shelf, ServerConfig(max_bytes=5_000)) as client:
        for recipient in recipients:
            client.rcpt(recipient)
        assert after_data(client, b"x" * 900 + b"\r\n" + (b"y" * 900 + b"\r\n") * 9, len(recipients)) == [552] * len(
            recipients
        )
        assert not shelf.letters
        client.mail("ada@player.example")
        client.rcpt(ONE)
        assert after_data(client, LETTER, 1) == [250]


def test_announced_size_is_refused_at_once(shelf: Shelf) -> None:
    """A letter that says beforehand that it is too large is refused at MAIL FROM."""
    with (
        listening(shelf, ServerConfig(max_bytes=5_000)) as listener,
        smtplib.LMTP("127.0.0.1", listener.port, timeout=60) as client,
    ):
        client.ehlo()
        assert client.mail("ada@player.example", ["size=9000"])[0] == 552


def test_long_lines(shelf: Shelf) -> None:
    """Lines far over 1000 bytes are taken; beyond our own limit each recipient hears 554."""
    with lmtp(shelf, ServerConfig(max_line=20_000)) as client:
        client.rcpt(ONE)
        assert after_data(client, b"x" * 15_000, 1) == [250]
        client.mail("ada@player.example")
        client.rcpt(ONE)
        client.rcpt(TWO)
        assert after_data(client, b"x" * 50_000, 2) == [554, 554]


def conversation(port: int, text: bytes, end: bytes = b"221") -> bytes:
    """Send all at once and read until the goodbye."""
    heard = b""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as wire:
        wire.sendall(text)
        while end not in heard:
            piece = wire.recv(65_536)
            if not piece:
                break
            heard += piece
    return heard


def test_pipelined(shelf: Shelf) -> None:
    """A client that sends all commands in one go gets all answers in order, and PIPELINING is offered (RFC 2033)."""
    with listening(shelf, ServerConfig()) as listener:
        envelope = f"MAIL FROM:<a@player.example>\r\nRCPT TO:<{ONE}>\r\nRCPT TO:<x@y.example>\r\nDATA\r\n".encode()
        heard = conversation(listener.port, b"LHLO me\r\n" + envelope + b"PASS\r\n.\r\nQUIT\r\n")
    codes = [line[:3] for line in heard.split(b"\r\n") if line and line[3:4] == b" "]
    assert codes == [b"220", b"250", b"250", b"250", b"550", b"354", b"250", b"221"]
    assert b"250-PIPELINING" in heard
    assert len(shelf.letters) == 1


@pytest.mark.parametrize("end", [b"\n.\n", b"\n.\r\n", b"\r\n.\n", b"\r.\r", b"\n\x00.\n"])
def test_smuggled_ends_are_no_ends(shelf: Shelf, end: bytes) -> None:
    """Only CRLF.CRLF ends a letter: whatever else looks like it stays inside, and no second letter comes out."""
    hidden = f"MAIL FROM:<evil@player.example>\r\nRCPT TO:<{TWO}>\r\nDATA\r\nPLACE\r\n".encode()
    with listening(shelf, ServerConfig()) as listener:
        start = f"LHLO me\r\nMAIL FROM:<a@player.example>\r\nRCPT TO:<{ONE}>\r\nDATA\r\n".encode()
        conversation(listener.port, start + b"PASS" + end + hidden + b"\r\n.\r\nQUIT\r\n")
    assert [envelope.sender for envelope in shelf.letters] == ["a@player.example"]
    assert hidden.strip() in shelf.letters[0].raw


def test_letters_are_taken_as_they_were_written(shelf: Shelf) -> None:
    """Raw UTF-8, a sender whose address is (SMTPUTF8), a bounce's null sender, lines that begin with a dot."""
    body = "From: zoé@joueur.example\r\n\r\nENCHÈRE 3\r\n.\r\n..x\r\n.y\r\n".encode()
    with smtp(shelf) as client:
        client.sendmail("zoé@joueur.example", [ONE], body, mail_options=["SMTPUTF8", "BODY=8BITMIME"])
        client.sendmail("", [ONE], LETTER)
    assert shelf.letters == [
        Envelope("zoé@joueur.example", (ONE,), body, "127.0.0.1"),
        Envelope("", (ONE,), LETTER, "127.0.0.1"),
    ]


def test_smtp_answers_once(shelf: Shelf) -> None:
    """Over SMTP a letter for two is stored once and answered once; if that breaks, both hear 451."""
    with smtp(shelf) as client:
        client.sendmail("ada@player.example", [ONE, TWO], LETTER)
        assert [envelope.recipients for envelope in shelf.letters] == [(ONE, TWO)]
        shelf.broken = {TWO}
        with pytest.raises(smtplib.SMTPDataError) as told:
            client.sendmail("ada@player.example", [ONE, TWO], LETTER)
        assert told.value.smtp_code == 451


def test_limits_of_a_connection(shelf: Shelf) -> None:
    """Recipients beyond the limit wait for another letter; letters beyond theirs for another connection."""
    with lmtp(shelf, ServerConfig(max_recipients=1, letters_per_connection=1)) as client:
        assert client.rcpt(ONE)[0] == 250
        assert client.rcpt(TWO)[0] == 452
        assert after_data(client, LETTER, 1) == [250]
        client.mail("ada@player.example")
        client.rcpt(ONE)
        assert client.data(LETTER)[0] == 421
        with pytest.raises(smtplib.SMTPServerDisconnected):
            client.docmd("noop")


def test_limits_of_a_peer(shelf: Shelf) -> None:
    """One peer may hold so many connections and no more; when one ends, the next is let in."""
    with listening(shelf, ServerConfig(connections_per_peer=1)) as listener:
        with smtplib.LMTP("127.0.0.1", listener.port, timeout=60) as first:
            first.ehlo()
            with pytest.raises(smtplib.SMTPConnectError) as told:
                smtplib.LMTP("127.0.0.1", listener.port, timeout=60)
            assert told.value.smtp_code == 421
        wait_until(lambda: not listener._peers)
        with smtplib.LMTP("127.0.0.1", listener.port, timeout=60) as second:
            assert second.ehlo()[0] == 250


def wait_until(holds: Callable[[], bool]) -> None:
    """Wait for another thread; the test's own time limit ends a wait that is in vain."""
    pause = threading.Event()
    while not holds():
        pause.wait(0.01)


def test_stopping_lets_a_letter_be_stored() -> None:
    """A letter that is being stored when the listener stops is stored, and its sender hears so."""
    begun, free = threading.Event(), threading.Event()
    kept: list[Envelope] = []

    def slow(envelope: Envelope) -> None:
        begun.set()
        free.wait(60)
        kept.append(envelope)

    listener = Server(slow, knows, ServerConfig())
    listener.start()
    heard: list[bytes] = []
    text = f"LHLO me\r\nMAIL FROM:<a@player.example>\r\nRCPT TO:<{ONE}>\r\nDATA\r\nPASS\r\n.\r\n".encode()
    client = threading.Thread(target=lambda port: heard.append(conversation(port, text)), args=(listener.port,))
    client.start()
    begun.wait(60)
    stopping = threading.Thread(target=listener.stop)
    stopping.start()
    wait_until(lambda: listener._server is not None and not listener._server.is_serving())
    free.set()
    stopping.join(20)
    client.join(20)
    assert len(kept) == 1
    assert b"250 2.0.0" in heard[0]


def test_idle_connections_end(shelf: Shelf) -> None:
    """A client that says nothing for the idle time is hung up on."""
    with listening(shelf, ServerConfig(idle_seconds=0.05)) as listener:
        assert conversation(listener.port, b"LHLO me\r\n").startswith(b"220")


DRIPS = {
    "a command": (b"", b"x"),
    "commands": (b"LHLO me\r\n", b"NOOP\r\n"),
    "a body": (f"LHLO me\r\nMAIL FROM:<a@player.example>\r\nRCPT TO:<{ONE}>\r\nDATA\r\n".encode(), b"x\r\n"),
}


@pytest.mark.parametrize("drip", DRIPS)
def test_connections_that_drip_end(shelf: Shelf, drip: str) -> None:
    """A client that goes on saying something, and never ends a letter, is hung up on."""
    begun, more = DRIPS[drip]
    with (
        listening(shelf, ServerConfig(letter_seconds=0.3)) as listener,
        socket.create_connection(("127.0.0.1", listener.port), timeout=60) as client,
    ):
        client.sendall(begun)
        wait_until(lambda: len(listener._open) == 1)
        while listener._open:
            with suppress(OSError):
                client.sendall(more)
            time.sleep(0.01)
    assert shelf.letters == []


def test_a_connection_that_brings_letters_may_last(shelf: Shelf) -> None:
    """The time for a letter begins anew with each: a mail server may bring one after the other."""
    with lmtp(shelf, ServerConfig(letter_seconds=2)) as client:
        for _ in range(8):
            client.rcpt(ONE)
            time.sleep(0.3)
            after_data(client, LETTER, 1)
            client.mail("ada@player.example")
    assert len(shelf.letters) == 8


def test_a_client_that_never_reads_is_cut_off(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers that nobody reads hold no connection open."""
    monkeypatch.setattr(door, "_STOPPING_WAIT", 0.1)
    with listening(shelf, ServerConfig(letter_seconds=0.3)) as listener, socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2_048)
        client.connect(("127.0.0.1", listener.port))
        client.setblocking(False)
        wait_until(lambda: len(listener._open) == 1)
        while listener._open:
            with suppress(OSError):
                client.send(b"HELP\r\n" * 10_000)
            time.sleep(0.01)


def test_starts_again_after_stopping(shelf: Shelf) -> None:
    """A stopped listener gives its port back, may be stopped twice, and can be started anew on it."""
    listener = Server(shelf.store, knows, ServerConfig())
    listener.start()
    port = listener.port
    with pytest.raises(RuntimeError):
        listener.start()
    with smtplib.LMTP("127.0.0.1", port, timeout=60):
        listener.stop()
        listener.stop()
    with pytest.raises(RuntimeError):
        _ = listener.port
    listener.entrance = replace(listener.entrance, port=port)
    with listener:
        assert listener.port == port


def test_a_taken_port_is_said_at_start(shelf: Shelf) -> None:
    """A port that somebody else holds is an error of start, and leaves nothing running."""
    with listening(shelf, ServerConfig()) as listener:
        second = Server(shelf.store, knows, ServerConfig(port=listener.port))
        with pytest.raises(OSError, match="in use"):
            second.start()
    assert not [thread for thread in threading.enumerate() if thread.name == "mail-entrance"]


def test_lmtp_says_lhlo(shelf: Shelf) -> None:
    """LMTP refuses the greetings of SMTP (RFC 2033 §4.1), and SMTP knows no LHLO."""
    with listening(shelf, ServerConfig()) as listener:
        heard = conversation(listener.port, b"EHLO me\r\nHELO me\r\nLHLO me\r\nQUIT\r\n")
        assert heard.count(b"500 5.5.1") == 2
    with listening(shelf, ServerConfig(protocol="smtp")) as listener:
        assert b'500 Error: command "LHLO"' in conversation(listener.port, b"LHLO me\r\nQUIT\r\n")
