"""One connection for many letters, as long as it lasts."""

import socket
import threading
from collections.abc import Iterator

import pytest

from pbem.mail.wire import LETTERS_PER_CONNECTION, Courier, Refused, Relay, Sent


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
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                line, _ = self.socket.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self._serve, args=(line,), daemon=True).start()

    def _serve(self, line: socket.socket) -> None:
        taken = 0
        with line, line.makefile("rb") as reader:
            line.sendall(b"220 far\r\n")
            for said in reader:
                verb = said[:4].upper()
                if verb == b"DATA":
                    line.sendall(b"354 go\r\n")
                    self.letters.append(b"".join(iter(reader.readline, b".\r\n")))
                    taken += 1
                line.sendall(b"550 no\r\n" if verb == b"RCPT" and self.refuse_recipients else b"250 ok\r\n")
                if verb == b"QUIT" or taken >= self.hang_up_after:
                    return


@pytest.fixture
def far() -> Iterator[Far]:
    """A relay for one test."""
    found = Far()
    yield found
    found.socket.close()


@pytest.fixture
def courier(far: Far) -> Iterator[Courier]:
    """A courier to that relay."""
    found = Courier(Relay("127.0.0.1", far.port, timeout=5.0))
    yield found
    found.leave()


def hand_over(courier: Courier) -> Sent | Refused:
    """One letter."""
    return courier.send(b"Subject: x\r\n\r\ny\r\n", "a@games.test", "b@player.test")


def test_letters_share_a_connection(far: Far, courier: Courier) -> None:
    """Letters that follow each other go over one connection, but never too many of them."""
    answers = [hand_over(courier) for _ in range(LETTERS_PER_CONNECTION + 1)]
    assert all(isinstance(answer, Sent) for answer in answers)
    assert (far.connections, len(far.letters)) == (2, LETTERS_PER_CONNECTION + 1)


def test_a_connection_that_is_gone_is_opened_anew(far: Far, courier: Courier) -> None:
    """Where the relay hung up in between, the letter goes over a new connection at once, and once."""
    far.hang_up_after = 1
    assert all(isinstance(hand_over(courier), Sent) for _ in range(3))
    assert (far.connections, len(far.letters)) == (3, 3)


def test_a_refusal_is_not_tried_again_at_once(far: Far, courier: Courier) -> None:
    """A refusal is told in the relay's words, and the next letter starts afresh."""
    assert isinstance(hand_over(courier), Sent)
    far.refuse_recipients = True
    refused = hand_over(courier)
    assert isinstance(refused, Refused)
    assert (refused.permanent, refused.bare, refused.code) == (False, True, 550)
    far.refuse_recipients = False
    assert isinstance(hand_over(courier), Sent)
    assert far.connections == 2


def test_a_relay_that_is_not_there_is_a_passing_trouble(far: Far, courier: Courier) -> None:
    """If nobody listens the letter is refused for now, and nothing is raised."""
    far.socket.shutdown(socket.SHUT_RDWR)
    far.socket.close()
    refused = hand_over(courier)
    assert isinstance(refused, Refused)
    assert (refused.permanent, refused.about) == (False, "relay")
