"""One connection for many letters, as long as it lasts."""

import contextlib
import smtplib
import socket
import threading
from collections.abc import Iterator
from io import BufferedIOBase

import pytest

from pbem.mail.smtp_client import LETTERS_PER_CONNECTION, Accepted, Rejected, Relay, SmtpClient
from pbem.mail.smtp_commands import run_pipelined


class Far:
    """A relay that says what it is told to, and hangs up when it is told to."""

    def __init__(self) -> None:
        """Listen on a port of its own."""
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = int(self.socket.getsockname()[1])
        self.connections = 0
        self.letters: list[bytes] = []
        self.hang_up_after = 10**6
        self.refuse_recipients = False
        self.refusal = b"550 no\r\n"
        self.extensions: list[str] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                line, _ = self.socket.accept()
            except OSError:
                return
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.connections += 1
            threading.Thread(target=self._serve, args=(line,), daemon=True).start()

    def _serve(self, line: socket.socket) -> None:
        taken = 0
        with line, line.makefile("rb") as reader:
            line.sendall(b"220 far\r\n")
            for said in reader:
                verb = said[:4].upper()
                if verb == b"EHLO":
                    *more, last = ("far", *self.extensions)
                    line.sendall("".join([*(f"250-{word}\r\n" for word in more), f"250 {last}\r\n"]).encode())
                    continue
                if verb == b"DATA":
                    line.sendall(b"354 go\r\n")
                    *body, end = _until_a_dot(reader)
                    if end != b".\r\n":
                        return
                    self.letters.append(b"".join(body))
                    taken += 1
                if verb == b"RCPT" and self.refuse_recipients:
                    line.sendall(self.refusal)
                    if self.refusal.startswith(b"421"):
                        return
                else:
                    line.sendall(b"250 ok\r\n")
                if verb == b"QUIT" or taken >= self.hang_up_after:
                    return


def _until_a_dot(reader: BufferedIOBase) -> Iterator[bytes]:
    """The lines of a letter, and the one that ends it; a connection that ends before ends with nothing."""
    while line := reader.readline():
        yield line
        if line == b".\r\n":
            return
    yield b""


@pytest.fixture(params=["", "PIPELINING"], ids=["in turn", "at once"])
def far(request: pytest.FixtureRequest) -> Iterator[Far]:
    """A relay for one test, that hears commands in turn, or together."""
    found = Far()
    found.extensions = [request.param] if request.param else []
    yield found
    found.socket.close()


@pytest.fixture
def connected_client(far: Far) -> Iterator[SmtpClient]:
    """A client that is connected to that relay."""
    found = SmtpClient(Relay("127.0.0.1", far.port, timeout=5.0))
    yield found
    found.quit()


def hand_over(connected_client: SmtpClient) -> Accepted | Rejected:
    """One letter."""
    return connected_client.send(b"Subject: x\r\n\r\ny\r\n", "a@games.test", "b@player.test")


def test_letters_share_a_connection(far: Far, connected_client: SmtpClient) -> None:
    """Letters that follow each other go over one connection, but never too many of them."""
    answers = [hand_over(connected_client) for _ in range(LETTERS_PER_CONNECTION + 1)]
    assert all(isinstance(answer, Accepted) for answer in answers)
    assert (far.connections, len(far.letters)) == (2, LETTERS_PER_CONNECTION + 1)


def test_a_connection_that_is_gone_is_opened_anew(far: Far, connected_client: SmtpClient) -> None:
    """Where the relay hung up in between, the letter goes over a new connection at once, and once."""
    far.hang_up_after = 1
    assert all(isinstance(hand_over(connected_client), Accepted) for _ in range(3))
    assert (far.connections, len(far.letters)) == (3, 3)


def test_a_refusal_is_not_tried_again_at_once(far: Far, connected_client: SmtpClient) -> None:
    """A refusal is told in the relay's words, and the next letter starts afresh."""
    assert isinstance(hand_over(connected_client), Accepted)
    far.refuse_recipients = True
    refused = hand_over(connected_client)
    assert isinstance(refused, Rejected)
    assert (refused.permanent, refused.is_unexplained, refused.code) == (False, True, 550)
    far.refuse_recipients = False
    assert isinstance(hand_over(connected_client), Accepted)
    assert (far.connections, len(far.letters)) == (2, 2)


def test_a_relay_that_closes_in_the_middle_is_a_passing_trouble(far: Far, connected_client: SmtpClient) -> None:
    """What it said last is told, and no letter was given to it."""
    far.refuse_recipients, far.refusal = True, b"421 closing\r\n"
    refused = hand_over(connected_client)
    assert isinstance(refused, Rejected)
    assert (refused.permanent, refused.subject, refused.code) == (False, "relay", 421)
    assert far.letters == []


@pytest.mark.parametrize("end", ["\r\n", ""], ids=["ended", "not ended"])
def test_a_letter_arrives_as_it_is(far: Far, connected_client: SmtpClient, end: str) -> None:
    """Lines that begin with a dot have one more on the way (RFC 5321 4.5.2), and the last line ends."""
    message = f"Subject: x\r\n\r\n.\r\n..two\r\nthree.{end}".encode()
    assert isinstance(connected_client.send(message, "a@games.test", "b@player.test"), Accepted)
    assert far.letters == [b"Subject: x\r\n\r\n..\r\n...two\r\nthree.\r\n"]


def test_a_relay_that_hears_all_at_once_is_told_all_at_once() -> None:
    """It need not answer before it has heard sender, recipient and DATA; one that offers nothing is told one by one."""
    near, there = socket.socketpair()
    with near, there, there.makefile("rb") as reader, contextlib.closing(smtplib.SMTP()) as server:
        server.sock = near
        near.settimeout(20)
        answers = run_pipelined(server, "a@games.test", (), "b@player.test", b"x\r\n")
        there.sendall(b"250 ok\r\n250 ok\r\n354 go\r\n250 taken\r\n")
        assert [next(answers)[0], next(answers)[0]] == [250, 250]
        heard = [reader.readline() for _ in range(3)]
        assert heard == [b"MAIL FROM:<a@games.test>\r\n", b"RCPT TO:<b@player.test>\r\n", b"DATA\r\n"]
        assert next(answers)[0] == 250


def test_no_envelope_says_a_command_of_its_own() -> None:
    """What is said of a sender is one line, whatever was written into it."""
    with pytest.raises(ValueError, match="one line"):
        next(run_pipelined(smtplib.SMTP(), "a@games.test", ("SIZE=2\r\nRSET",), "b@player.test", b"x\r\n"))


def test_a_relay_that_is_not_there_is_a_passing_trouble(far: Far, connected_client: SmtpClient) -> None:
    """If nobody listens the letter is refused for now, and nothing is raised."""
    far.socket.shutdown(socket.SHUT_RDWR)
    far.socket.close()
    refused = hand_over(connected_client)
    assert isinstance(refused, Rejected)
    assert (refused.permanent, refused.subject) == (False, "relay")
