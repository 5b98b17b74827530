"""Connections that say nothing, or drip, hold up nobody."""

import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest
from flask import Flask

from pbem import smtp_process
from pbem.mail.smtp_server import ServerConfig
from pbem.web import serve

GET = b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"


@contextmanager
def serving(proxies: int = 0) -> Iterator[int]:
    """A page server on the loopback; its port."""
    app = Flask(__name__)
    app.add_url_rule("/", "home", lambda: "hello")
    server = serve.build_server(app, "127.0.0.1", 0, proxies=proxies)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        yield server.effective_port
    finally:
        server.close()
        server.task_dispatcher.shutdown()
        thread.join(10)


def opened(stack: ExitStack, port: int, said: bytes = b"") -> socket.socket:
    """A connection that has said this."""
    made = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=20))
    made.sendall(said)
    return made


def answered(port: int) -> bool:
    """Return True if an honest reader gets the page."""
    with ExitStack() as stack:
        try:
            reader = opened(stack, port, GET)
            return b"hello" in b"".join(iter(lambda: reader.recv(4096), b""))
        except OSError:
            return False


def test_requests_that_drip_are_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """A request that arrives byte by byte is closed after its time, though something comes all the while."""
    monkeypatch.setattr(serve, "REQUEST_S", 0.3)
    monkeypatch.setattr(serve, "CHECK_INTERVAL_S", 0)
    with serving() as port, ExitStack() as stack:
        slow = opened(stack, port, b"GET / HTTP/1.1\r\nX: ")
        slow.settimeout(0.1)
        assert any(_closed(slow) for _ in range(100))


def _closed(slow: socket.socket) -> bool:
    """Drip once more; True when the other side has hung up."""
    try:
        slow.sendall(b"a")
        return slow.recv(1) == b""
    except TimeoutError:
        return False
    except OSError:
        return True


def test_one_peer_cannot_hold_all_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond its share a peer's connections are closed at once; when it lets go it is served again."""
    monkeypatch.setattr(serve, "PER_PEER", 3)
    with serving() as port:
        with ExitStack() as stack:
            for _ in range(3):
                opened(stack, port, b"GET")
            extra = opened(stack, port)
            assert extra.recv(1) == b""
        assert any(answered(port) for _ in range(20))


def test_behind_a_proxy_its_connections_are_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy is one peer for all readers: it has its own limits."""
    monkeypatch.setattr(serve, "PER_PEER", 3)
    with serving(proxies=1) as port, ExitStack() as stack:
        for _ in range(8):
            opened(stack, port, b"GET")
        assert answered(port)


def test_hundreds_of_connections_leave_room_for_readers() -> None:
    """Two hundred idle connections through a proxy keep no reader from the pages."""
    with serving(proxies=1) as port, ExitStack() as stack:
        for _ in range(200):
            opened(stack, port, b"GET / HTTP/1.1\r\n")
        assert answered(port)


def test_no_peer_may_hold_the_whole_mail_door() -> None:
    """By either protocol a peer has less than all connections of the door."""
    assert all(0 < most < ServerConfig().connections for most in smtp_process.PER_PEER.values())
