"""A server that tells of a letter in the moment in which we begin to listen is heard at once."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from imap_tools import MailBoxUnencrypted

from pbem.mail import imap
from pbem.mail.imap import DONE, OTHER, Inbox

ANSWERS = {
    b"CAPABILITY": b"* CAPABILITY IMAP4rev1 IDLE MOVE\r\n",
    b"SELECT": b"* 0 EXISTS\r\n* OK [UIDVALIDITY 1] that\r\n",
    b"UID": b"* SEARCH\r\n",
    b"LOGOUT": b"* BYE\r\n",
    b"LIST": "".join(f'* LIST () "/" "{name}"\r\n' for name in ("INBOX", DONE, OTHER)).encode(),
}


@contextmanager
def saying(at_idle: bytes) -> Iterator[int]:
    """A server that says these bytes, in one packet, when it is asked to tell of letters; its port."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=_served, args=(listening, at_idle), daemon=True)
        thread.start()
        yield listening.getsockname()[1]
    thread.join(30)


def _served(listening: socket.socket, at_idle: bytes) -> None:
    line, _ = listening.accept()
    with line, line.makefile("rb") as asked:
        line.sendall(b"* OK ready\r\n")
        waiting = b""
        for words in (one.split() for one in asked):
            if words == [b"DONE"]:
                line.sendall(waiting + b" OK told\r\n")
            elif words[1] == b"IDLE":
                waiting = words[0]
                line.sendall(at_idle)
            else:
                line.sendall(ANSWERS.get(words[1], b"") + words[0] + b" OK done\r\n")


@pytest.mark.parametrize("at_idle", [b"+ idling\r\n* 1 EXISTS\r\n", b"* 1 EXISTS\r\n+ idling\r\n"])
def test_a_letter_told_of_as_we_begin_to_listen_ends_the_wait(monkeypatch: pytest.MonkeyPatch, at_idle: bytes) -> None:
    """Whether it comes with the word that the server listens or before it, nobody waits for the next look."""
    monkeypatch.setattr(imap, "IDLE_S", 3600.0)
    with saying(at_idle) as port, MailBoxUnencrypted("127.0.0.1", port).login("games", "x") as line:
        view, stop, heard = Inbox(line), threading.Event(), threading.Event()
        assert view.list_messages() == []

        def wait() -> None:
            view.wait(stop)
            heard.set()

        waiting = threading.Thread(target=wait, daemon=True)
        waiting.start()
        told = heard.wait(20)
        stop.set()
        waiting.join(30)
        assert told
        line.client.noop()  # the line is good for the next command
