"""The samples of proxies in `deploy/`: what they promise, by real ones in front of the real pages."""

import contextlib
import re
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from flask import Flask, request

from pbem.crypto import new_token
from pbem.service.access.permissions import Permission
from pbem.store.models import OutboundEmail
from pbem.web import serve
from pbem.web.routes import ROUTES
from tests import proxies
from tests.mail.postfix import until
from tests.proxies import DEPLOY, HOST, Proxy
from tests.service.server_fixtures import ServerHarness, build
from tests.web.form_browser import site

SECRET = [route.rule for route in ROUTES if route.permission is Permission.BEARER]
"""Addresses that let in whoever has them."""
TIMES = {"nginx": ("_timeout 15s;", "_timeout 2s;"), "caddy": ("read_header 15s", "read_header 2s")}
WAITS = {
    "nginx": ("proxy_read_timeout 60s", "proxy_read_timeout 1s"),
    "caddy": ("header_timeout 60s", "header_timeout 1s"),
}


@pytest.fixture
def harness(state_dir: Path) -> ServerHarness:
    """A server whose pages are asked for."""
    return build(state_dir)


@pytest.fixture(params=[pytest.param(kind, marks=pytest.mark.long) for kind in proxies.KINDS])
def kind(request: pytest.FixtureRequest) -> str:
    """Each of the proxies that is installed."""
    proxies.needed(request.param)
    return str(request.param)


Start = Callable[..., contextlib.AbstractContextManager[Proxy]]


@pytest.fixture
def start(kind: str, tmp_path: Path) -> Start:
    """Starts pages with a proxy in front of them, and what a test changes in its sample."""

    @contextlib.contextmanager
    def started(app: Flask, *changes: tuple[str, str]) -> Iterator[Proxy]:
        server = serve.build_server(app, "127.0.0.1", 0, proxies=1)
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        try:
            with proxies.running(kind, tmp_path / kind, server.effective_port, changes) as proxy:
                yield proxy
        finally:
            server.close()
            server.task_dispatcher.shutdown()
            thread.join(10)

    return started


def pages(harness: ServerHarness) -> Flask:
    """The real pages, told that they lie behind a proxy."""
    return site(harness, trusted_proxies=1, host=HOST, is_secure=True)


def secrets(token: str) -> list[str]:
    """Every address that lets in, with a token in it."""
    return [rule.replace("<token>", token).replace("<table>", "rose") for rule in SECRET]


def test_the_sample_for_nginx_knows_every_address_that_lets_in() -> None:
    """Its pattern, the same in both places, fits every route of bearers and none that everybody may know."""
    sample = (DEPLOY / "nginx" / "pbem.conf").read_text("utf-8")
    (pattern,) = set(re.findall(r"~ ?(\^/\(\S+/)", sample))
    assert sample.count(pattern) == 2
    assert len(SECRET) > 10
    assert [path for path in secrets(new_token()) if not re.search(pattern, path)] == []
    others = [route.rule for route in ROUTES if route.permission is not Permission.BEARER]
    assert [rule for rule in others if re.search(pattern, rule)] == []


def test_pages_are_served_and_secret_addresses_are_not_logged(start: Start, harness: ServerHarness) -> None:
    """A page comes through the proxy; nothing that it writes has an address of any route that lets somebody in."""
    secret = new_token()
    with start(pages(harness)) as proxy:
        assert {proxy.ask(path)[0] for path in secrets(secret)} <= {200, 302, 303, 404, 410}
        assert proxy.ask("/sign-in")[0] == 200
        until(lambda: proxy.kind == "caddy" or "GET /sign-in " in proxy.written(), "the log")
        assert secret not in proxy.written()


def test_pages_answer_over_both_families_and_without_tls_lead_to_it(start: Start, harness: ServerHarness) -> None:
    """IPv4 and IPv6 alike; port 80 shows no page of the proxy's own, and keeps the addresses that let in to itself."""
    secret = new_token()
    with start(pages(harness)) as proxy:
        for family in ("127.0.0.1", "::1"):
            with proxy.connected(family) as line:
                line.sendall(f"GET /sign-in HTTP/1.1\r\nHost: {HOST}\r\nConnection: close\r\n\r\n".encode())
                assert line.makefile("rb").readline().split()[1] == b"200"
            status, _, headers = proxy.ask_plainly(f"/sign-in/{secret}", family)
            assert status in (301, 308)
            assert re.fullmatch(rf"https://{HOST}(:{proxy.port})?/sign-in/{secret}", str(headers["Location"]))
        assert secret not in proxy.written()


def test_nginx_shows_what_an_authority_of_certificates_asks_for(tmp_path: Path) -> None:
    """A certificate is had by the usual way (RFC 8555 §8.3), while nothing else is shown without TLS."""
    proxies.needed("nginx")
    with proxies.running("nginx", tmp_path / "nginx", 9) as proxy:
        asked = "/.well-known/acme-challenge/word"
        path = proxy.folder / "acme" / asked.lstrip("/")
        path.parent.mkdir(parents=True)
        path.write_text("proof")
        assert proxy.ask_plainly(asked)[:2] == (200, "proof")


def test_secret_addresses_are_not_logged_while_the_pages_are_dead(kind: str, tmp_path: Path) -> None:
    """Where nobody answers the proxy, it says so in its log, without the addresses that let in."""
    secret, known = new_token(), new_token()
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        with proxies.running(kind, tmp_path / kind, nobody.getsockname()[1]) as proxy:
            for path in secrets(secret):
                status, _, headers = proxy.ask(path, "POST", known.encode(), Cookie=known)
                assert status == 502
                assert kind == "caddy" or headers.get_all("Referrer-Policy") == ["no-referrer"]
            assert proxy.ask("/sign-in")[0] == 502
            until(lambda: "refused" in proxy.written(), "the log")
            assert secret not in proxy.written()
            assert known not in proxy.written()


def test_secret_addresses_are_not_logged_while_the_pages_hang(kind: str, tmp_path: Path) -> None:
    """Where the pages take connections and answer nothing, in time or with too many waiting, they are not logged."""
    secret, changes = new_token(), [WAITS[kind]]
    if kind == "nginx":
        changes.append(("pbem_readers 50", "pbem_readers 1"))
    with (
        socket.create_server(("127.0.0.1", 0)) as mute,
        proxies.running(kind, tmp_path / kind, mute.getsockname()[1], changes) as proxy,
        ThreadPoolExecutor(len(SECRET)) as readers,
    ):
        statuses = {status for status, _, _ in readers.map(proxy.ask, secrets(secret))}
        assert statuses == ({503, 504} if kind == "nginx" else {504})
        assert proxy.ask("/sign-in")[0] == 504
        until(lambda: re.search("timed out|timeout", proxy.written()), "the log")
        assert secret not in proxy.written()


def test_what_a_reader_claims_of_themselves_is_dropped(start: Start) -> None:
    """The pages are told the name that was asked for, and by whom, as the proxy saw it."""
    app = Flask("told")
    app.add_url_rule("/", view_func=lambda: dict(request.headers))
    claims: dict[str, Any] = {
        "X-Forwarded-For": "203.0.113.9",
        "X-Forwarded-Proto": "http",
        "X-Forwarded-Host": "evil.test",
    }
    with start(app) as proxy:
        told = proxy.ask("/", **claims)[1]
    assert "203.0.113.9" not in told
    assert "evil.test" not in told
    for name, value in {"Host": HOST, "For": "127.0.0.1", "Proto": "https"}.items():
        assert re.search(rf'{name}":"{value}"', told), told


def test_forms_are_taken_and_only_over_tls(start: Start, harness: ServerHarness) -> None:
    """A sign-in form of a page under the public address is accepted, and its cookie is for TLS alone."""
    with start(pages(harness)) as proxy:
        status, text, headers = proxy.ask("/sign-in")
        cookie = str(headers["Set-Cookie"])
        assert status == 200
        assert "Secure" in cookie
        assert headers.get_all("Referrer-Policy") == ["no-referrer"]
        found = re.search(r'name="csrf_token"[^>]*value="([^"]+)"', text)
        assert found is not None
        form = urlencode({"csrf_token": found[1], "address": "new@players.test"}).encode()
        sent = {
            "Content-Type": "application/x-www-form-urlencoded",
            "Cookie": cookie.partition(";")[0],
            "Origin": f"https://{HOST}",
            "Referer": f"https://{HOST}/sign-in",
        }
        assert proxy.ask("/sign-in", "POST", form, **sent)[0] in (200, 302, 303)
    assert [row.kind for row in harness.load_rows(OutboundEmail)] == ["signin"]


def test_requests_that_drip_are_cut_off_and_hold_up_nobody(start: Start, harness: ServerHarness, kind: str) -> None:
    """Two hundred requests of one peer that arrive byte by byte end after their time; others are answered meanwhile."""
    with start(pages(harness), TIMES[kind]) as proxy, contextlib.ExitStack() as stack:
        slow = [stack.enter_context(proxy.connected()) for _ in range(200)]
        for one in slow:
            one.sendall(f"GET /sign-in HTTP/1.1\r\nHost: {HOST}\r\nX: ".encode())
        assert proxy.ask("/sign-in")[0] == 200
        end = time.monotonic() + 60
        while slow and time.monotonic() < end:
            slow = [one for one in slow if _drips(one)]
            time.sleep(0.2)
    assert slow == []


def test_what_is_too_large_never_reaches_the_pages(kind: str, tmp_path: Path) -> None:
    """A body beyond the limit is refused by the proxy, whether or not there are pages."""
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        with proxies.running(kind, tmp_path / kind, nobody.getsockname()[1]) as proxy:
            assert proxy.ask("/sign-in", "POST", b"x" * 1_100_000)[0] == 413
            assert proxy.ask("/sign-in", "POST", b"x" * 900_000)[0] == 502


def _drips(one: ssl.SSLSocket) -> bool:
    """Send one byte more; False once the other side has hung up."""
    one.settimeout(0.001)
    try:
        one.sendall(b"a")
        return one.recv(1) != b""
    except TimeoutError:
        return True
    except OSError:
        return False
