"""The doctor looks at the server as others meet it: each part that is broken has its sentence."""

import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from pbem.broker import redis_client
from pbem.config.settings import Settings
from pbem.mail.smtp_server import Server, ServerConfig
from pbem.ops import backup_folder, doctor, outside
from pbem.ops.servers import Valkey, free_port
from tests import certificates


@contextmanager
def pages(status: int, said: bytes) -> Iterator[int]:
    """Pages that answer like this; their port."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status if self.headers["Host"].startswith("127.0.0.1:") else 400)
            self.end_headers()
            self.wfile.write(said)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()
        thread.join(10)


@pytest.fixture
def settings(state_dir: Path) -> Settings:
    """A server in production, whose door is not open."""
    found = Settings.with_embedded(state_dir, lmtp_port=free_port(), smtp_port=free_port())
    return replace(found, production=True, public_url=f"http://127.0.0.1:{free_port()}")


def said_of(settings: Settings, word: str) -> list[str]:
    """What is said of a part."""
    return [line for line in outside.list_problems(settings) if word in line]


def test_pages_that_answer_are_no_problem(settings: Settings) -> None:
    """The sign of life of the web process comes through by the public address."""
    with pages(200, b"ok\n") as port:
        assert said_of(replace(settings, public_url=f"http://127.0.0.1:{port}"), "pages") == []


@pytest.mark.parametrize(
    ("status", "said", "sentence"),
    [(502, b"", "answer 502: start pbem-web"), (200, b"Welcome to nginx!", "are not ours (status 200)")],
)
def test_a_proxy_without_pages_behind_it_is_named(settings: Settings, status: int, said: bytes, sentence: str) -> None:
    """The web process is stopped, or another server answers by that name."""
    with pages(status, said) as port:
        (line,) = said_of(replace(settings, public_url=f"http://127.0.0.1:{port}"), "pages")
    assert sentence in line
    assert "over IPv4 (127.0.0.1)" in line


def test_a_proxy_that_is_stopped_is_named(settings: Settings) -> None:
    """Nobody listens at the public address."""
    (line,) = said_of(settings, "pages")
    assert "do not answer (Connection refused): start the proxy and pbem-web" in line


def test_a_name_without_an_address_is_named(settings: Settings) -> None:
    """DNS does not know the name of the pages."""
    (line,) = said_of(replace(settings, public_url="https://games.invalid"), "games.invalid")
    assert "games.invalid has no address in DNS" in line


def test_what_speaks_no_tls_is_named(settings: Settings) -> None:
    """The port of https is a plain one."""
    with pages(200, b"ok\n") as port:
        (line,) = said_of(replace(settings, public_url=f"https://127.0.0.1:{port}"), "pages")
    assert "do not speak TLS" in line


@pytest.mark.parametrize(
    ("days", "trusted", "sentence"),
    [
        (
            -1,
            True,
            "show a certificate that browsers refuse (certificate has expired): put one there that others trust",
        ),
        (
            90,
            False,
            "show a certificate that browsers refuse (self-signed certificate): put one there that others trust",
        ),
        (5, True, "have a certificate for 5 more days only: renew it"),
    ],
)
def test_a_certificate_that_does_not_hold_is_named(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, days: int, trusted: bool, sentence: str
) -> None:
    """It has ended, nobody vouches for it, or it ends within days."""
    file, port = certificates.write(tmp_path, days), free_port()
    if trusted:
        monkeypatch.setenv("SSL_CERT_FILE", str(file))
    with certificates.shown(file, port):
        (line,) = said_of(replace(settings, public_url=f"https://127.0.0.1:{port}"), "pages")
    assert sentence in line


def test_a_mail_door_that_is_shut_is_named(settings: Settings) -> None:
    """The smtp process is stopped, so that no letter comes in; one that greets is no problem."""
    names = ("PBEM_LMTP_LISTEN", "PBEM_SMTP_LISTEN")
    shut = said_of(settings, "mail door")
    assert [name in line for name, line in zip(names, shut, strict=True)] == [True, True]
    with (
        Server(lambda envelope: None, lambda address: True, ServerConfig(protocol="lmtp")) as lmtp,
        Server(lambda envelope: None, lambda address: True, ServerConfig(protocol="smtp")) as smtp,
    ):
        ports = dict(zip(names, (lmtp.port, smtp.port), strict=True))
        listening = {name: f"127.0.0.1:{port}" for name, port in ports.items()}
        assert said_of(replace(settings, variables={**settings.variables, **listening}), "mail door") == []


def test_something_else_at_the_mail_door_is_named(settings: Settings) -> None:
    """What does not greet as a mail server does is none."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        address = f"127.0.0.1:{other.getsockname()[1]}"

        def greet() -> None:
            with other.accept()[0] as line:
                line.sendall(b"SSH-2.0\r\n")

        greeter = threading.Thread(target=greet, daemon=True)
        greeter.start()
        variables = {"PBEM_LMTP_LISTEN": address}
        assert len(said_of(replace(settings, variables=variables), "does not greet")) == 1
        greeter.join(10)


def test_backups_that_are_not_made_are_named(tmp_path: Path) -> None:
    """None at all, none since a day, or a file that is none; a folder that is not there is no installed server's."""
    folder = tmp_path / "backups"
    assert outside.check_backups(folder) == []
    folder.mkdir()
    part = folder / f"pbem-{stamp(0)}.dump.part"
    part.touch()
    assert outside.check_backups(folder) == [], "the first is being written"
    os.utime(part, (0, 0))
    assert "There is no backup" in outside.check_backups(folder)[0]
    (folder / f"pbem-{stamp(30)}.dump").write_bytes(b"PGDMP")
    assert "is 30 hours old" in outside.check_backups(folder)[0]
    copy = folder / f"pbem-{stamp(1)}.dump"
    copy.write_bytes(b"PGDMP")
    assert outside.check_backups(folder) == []
    copy.write_bytes(b"")
    assert "is no backup, though it is named like one" in outside.check_backups(folder)[0]


def stamp(hours: int) -> str:
    """The name of a moment that is over."""
    return time.strftime(backup_folder.STAMP, time.gmtime(time.time() - 3600 * hours - 60))


def test_a_broker_that_drops_calls_is_named(state_dir: Path) -> None:
    """With a bound on its memory it must not evict what it holds."""
    settings = Settings.with_embedded(state_dir)
    with Valkey(settings.state_dir), redis_client.connect(settings.redis_url, 5.0) as client:
        assert not any("drops calls" in line for line in doctor.list_problems(settings, None))
        client.config_set("maxmemory", "3mb")
        client.config_set("maxmemory-policy", "allkeys-lru")
        (line,) = (line for line in doctor.list_problems(settings, None) if "drops calls" in line)
        assert "maxmemory-policy allkeys-lru" in line


def test_what_is_off_because_it_is_not_set_is_said(settings: Settings) -> None:
    """Alerts, the operator's page, encryption of backups, figures, and pages for players."""
    assert [line.split(":")[0].split(".")[0] for line in doctor.list_off(settings)] == [
        "Alerts",
        "The operator's page",
        "Encrypted backups",
        "Figures for Prometheus",
        "Pages for players",
    ]
    shut = doctor.list_off(replace(settings, sign_up="invitation"))
    assert sum("no operator may come in" in line for line in shut) == 1
    everything = {"PBEM_BACKUP_AGE_RECIPIENT": "age1x", "PBEM_METRICS_LISTEN": "127.0.0.1:9464"}
    people = frozenset({"olga@games.test"})
    full = replace(settings, admin_email="olga@games.test", operator_emails=people, public_url="https://games.test")
    assert doctor.list_off(replace(full, variables=everything)) == []
