"""One request over real sockets: bounded in time and size, and under TLS only to a host that proves its name."""

import datetime
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from socket import create_server, socket

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from pbem.discord import wire
from pbem.discord.guard import Target
from pbem.discord.wire import ANSWER_BYTES, NotSent, UnknownOutcome, send_request
from tests.discord.test_guard import resolving

HOST, SECRET = "hooks.example.com", "/a/secret/path"
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

Answering = Callable[[socket, threading.Event], None]


@contextmanager
def listening(answer: Answering, tls: ssl.SSLContext | None = None) -> Iterator[tuple[int, list[bytes]]]:
    """A server for one request: its port, and what it understood of what came."""
    heard: list[bytes] = []
    ended = threading.Event()

    def serve() -> None:
        with (
            suppress(OSError),
            place.accept()[0] as raw,
            tls.wrap_socket(raw, server_side=True) if tls else raw as line,
        ):
            came = line.recv(65_536)
            while came and not came.endswith(b"\r\n\r\n{}"):  # unread bytes would break the line off
                came += line.recv(65_536)
            heard.append(came)
            answer(line, ended)

    with create_server(("127.0.0.1", 0)) as place:
        thread = threading.Thread(target=serve)
        thread.start()
        yield place.getsockname()[1], heard
        ended.set()
        thread.join(20)
    assert not thread.is_alive()


def at_once(line: socket, ended: threading.Event) -> None:
    """A good answer."""
    line.sendall(OK)


def silent(line: socket, ended: threading.Event) -> None:
    """None at all."""
    ended.wait(60)


def dripping(line: socket, ended: threading.Event) -> None:
    """Byte by byte, each soon enough, for ever."""
    line.sendall(b"HTTP/1.1 200 OK\r\nX: ")
    while not ended.wait(0.02):
        line.sendall(b"x")


def endless(line: socket, ended: threading.Event) -> None:
    """A body without end, as fast as it is read."""
    line.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
    while not ended.is_set():
        line.sendall(b"x" * 65_536)


def heads(line: socket, ended: threading.Event) -> None:
    """More headers than anybody needs."""
    line.sendall(b"HTTP/1.1 200 OK\r\n" + b"".join(b"X-%d: y\r\n" % n for n in range(5000)) + b"\r\n")


def waits(line: socket, ended: threading.Event) -> None:
    """Bidden to go on, again and again."""
    while not ended.wait(0.001):
        line.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")


def certified(folder: Path, name: str) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """Contexts of a server of this name, and of a client that trusts it."""
    key = ec.generate_private_key(ec.SECP256R1())
    issuer = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(issuer)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(7)
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    plain = serialization.NoEncryption()
    private = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
    (folder / "pair.pem").write_bytes(private + made.public_bytes(serialization.Encoding.PEM))
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(folder / "pair.pem")
    client = ssl.create_default_context(cadata=made.public_bytes(serialization.Encoding.PEM).decode())
    return server, client


def request_server(port: int, *, secure: bool = False) -> wire.HttpResponse:
    """One request to that server."""
    return send_request(Target(HOST if secure else "127.0.0.1", port, SECRET, secure), "POST", b"{}", {}, loopback=True)


# --- bounds


@pytest.mark.parametrize("answer", [silent, dripping, heads, waits])
def test_whatever_does_not_answer_in_time_is_cut(answer: Answering, monkeypatch: pytest.MonkeyPatch) -> None:
    """Silence, drips, floods of headers and endless 1xx answers end by themselves, and count as not known."""
    monkeypatch.setattr(wire, "SECONDS", 0.4)
    with listening(answer) as (port, heard):
        with pytest.raises(UnknownOutcome):
            request_server(port)
        assert heard


def test_of_a_long_answer_only_the_beginning_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """An endless answer takes no more room than any other."""
    with listening(endless) as (port, _):
        found = request_server(port)
    assert (found.status, len(found.body)) == (200, ANSWER_BYTES)


# --- under TLS


def test_under_tls_the_other_side_proves_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The approved number is connected to, and must prove the name before anything is said."""
    server, client = certified(tmp_path, HOST)
    monkeypatch.setattr(wire, "_tls", lambda: client)
    resolving(monkeypatch, "127.0.0.1")
    with listening(at_once, server) as (port, heard):
        assert request_server(port, secure=True).body == b"ok"
    assert heard[0].startswith(b"POST " + SECRET.encode())
    assert b"\r\nHost: " + HOST.encode() in heard[0]


@pytest.mark.parametrize("trusted", [True, False])
def test_who_cannot_prove_it_is_told_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trusted: bool) -> None:
    """With another name, or an unknown issuer, the line is closed before a word of ours goes over it."""
    server, client = certified(tmp_path, HOST if not trusted else "other.example.com")
    monkeypatch.setattr(wire, "_tls", lambda: client if trusted else ssl.create_default_context())
    resolving(monkeypatch, "127.0.0.1")
    with listening(at_once, server) as (port, heard):
        with pytest.raises(NotSent) as unsent:
            request_server(port, secure=True)
        assert unsent.value.why == "tls"
    assert heard == []


def test_under_tls_too_the_time_is_over_some_day(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit of time holds under TLS as well."""
    server, client = certified(tmp_path, HOST)
    monkeypatch.setattr(wire, "_tls", lambda: client)
    monkeypatch.setattr(wire, "SECONDS", 0.4)
    resolving(monkeypatch, "127.0.0.1")
    with listening(waits, server) as (port, heard):
        with pytest.raises(UnknownOutcome):
            request_server(port, secure=True)
        assert heard
