"""The sample of a proxy in `deploy/nginx`, run as it is: a real nginx on the loopback in front of the real pages."""

import contextlib
import os
import re
import shutil
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from email.message import Message
from http.client import HTTPSConnection
from pathlib import Path
from urllib.parse import urlencode

import pytest

from pbem.demo.run import free_port
from pbem.service.access.permissions import Who
from pbem.store.models import LetterOut
from pbem.vault import new_token
from pbem.web import serve
from pbem.web.routes import ROUTES
from tests.mail.postfix import until
from tests.service.hall import Hall, build
from tests.web.guests import site

SAMPLE = Path(__file__).resolve().parent.parent / "deploy" / "nginx" / "pbem.conf"
HOST = "games.example.org"
_AROUND = """
daemon off;
pid {folder}/pid;
error_log {folder}/errors;
user {user};
events {{ }}
http {{
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
{sample}
}}
"""


@dataclass(frozen=True)
class Proxy:
    """An nginx that runs: its port and folder."""

    port: int
    folder: Path

    def ask(self, path: str, method: str = "GET", body: bytes = b"", **headers: str) -> tuple[int, str, Message]:
        """Status, text and headers of a page, asked for as a browser does."""
        asked = HTTPSConnection("127.0.0.1", self.port, timeout=60, context=_trusting())
        with contextlib.closing(asked):
            asked.request(method, path, body or None, {"Host": HOST, **headers})
            answer = asked.getresponse()
            return answer.status, answer.read().decode("utf-8", "replace"), answer.headers

    def log(self) -> str:
        """The paths that were logged."""
        path = self.folder / "pbem.log"
        return path.read_text("utf-8") if path.exists() else ""


def _trusting() -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


@pytest.fixture
def hall(state_dir: Path) -> Hall:
    """A server whose pages are asked for."""
    return build(state_dir)


Start = Callable[..., contextlib.AbstractContextManager[Proxy]]


@pytest.fixture
def start(hall: Hall, tmp_path: Path) -> Start:
    """Starts the pages with the proxy in front of them; `seconds`: of its timeouts, which are shorter for a test."""
    if shutil.which("nginx") is None:
        pytest.skip("no nginx is installed")

    @contextlib.contextmanager
    def started(seconds: int = 15) -> Iterator[Proxy]:
        server = serve.listening(site(hall, proxies=1, host=HOST, secure=True), "127.0.0.1", 0, proxies=1)
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        try:
            with _nginx(tmp_path, server.effective_port, seconds) as proxy:
                yield proxy
        finally:
            server.close()
            server.task_dispatcher.shutdown()
            thread.join(10)

    return started


@contextlib.contextmanager
def _nginx(folder: Path, pages: int, seconds: int) -> Iterator[Proxy]:
    """The sample with other ports and paths, as a process of its own."""
    port, sample = free_port(), SAMPLE.read_text("utf-8")
    key = ["-keyout", str(folder / "key"), "-out", str(folder / "cert"), "-subj", f"/CN={HOST}"]
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *key]
    subprocess.run(made, check=True, capture_output=True, timeout=60)
    for old, new in (
        ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
        (f"/etc/ssl/{HOST}.pem", str(folder / "cert")),
        (f"/etc/ssl/private/{HOST}.key", str(folder / "key")),
        ("/var/log/nginx/pbem.log", str(folder / "pbem.log")),
        ("127.0.0.1:8000", f"127.0.0.1:{pages}"),
        (" 15s;", f" {seconds}s;"),
    ):
        assert old in sample
        sample = sample.replace(old, new)
    user = "root" if os.geteuid() == 0 else "nobody"
    (folder / "nginx.conf").write_text(_AROUND.format(folder=folder, sample=sample, user=user), "utf-8")
    command = ["nginx", "-e", str(folder / "errors"), "-p", str(folder), "-c", str(folder / "nginx.conf")]
    tried = subprocess.run([*command, "-t"], check=False, capture_output=True, text=True, timeout=60)
    assert tried.returncode == 0, tried.stderr
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        until(lambda: _listens(port), "nginx")
        yield Proxy(port, folder)
    finally:
        process.terminate()
        process.wait(60)


def _listens(port: int) -> bool:
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0


def test_pages_are_served_and_secret_addresses_are_not_logged(start: Start) -> None:
    """A page comes through the proxy; the log has it, and no address of any route that lets somebody in."""
    secret = new_token()
    bearers = [route.rule for route in ROUTES if route.who is Who.BEARER]
    with start() as proxy:
        for path in bearers:
            proxy.ask(path.replace("<token>", secret).replace("<table>", "rose"))
        assert proxy.ask("/sign-in")[0] == 200
        until(lambda: "GET /sign-in " in proxy.log(), "the log")
        assert len(bearers) > 5
        assert secret not in proxy.log()


def test_forms_are_taken_and_only_over_tls(start: Start, hall: Hall) -> None:
    """A sign-in form of a page under the public address is accepted, and its cookie is for TLS alone."""
    with start() as proxy:
        status, text, headers = proxy.ask("/sign-in")
        cookie = str(headers["Set-Cookie"])
        assert status == 200
        assert "Secure" in cookie
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
    assert [row.kind for row in hall.rows(LetterOut)] == ["signin"]


@pytest.mark.slow
def test_requests_that_drip_are_cut_off_and_hold_up_nobody(start: Start) -> None:
    """Two hundred requests of one peer that arrive byte by byte end after their time; others are answered meanwhile."""
    with start(seconds=2) as proxy, contextlib.ExitStack() as stack:
        slow = [stack.enter_context(_connected(proxy.port)) for _ in range(200)]
        for one in slow:
            one.sendall(f"GET /sign-in HTTP/1.1\r\nHost: {HOST}\r\nX: ".encode())
        assert proxy.ask("/sign-in")[0] == 200
        end = time.monotonic() + 60
        while slow and time.monotonic() < end:
            slow = [one for one in slow if _drips(one)]
            time.sleep(0.2)
    assert slow == []


def test_what_is_too_large_never_reaches_the_pages(start: Start) -> None:
    """A body beyond the limit is refused by the proxy."""
    with start() as proxy:
        assert proxy.ask("/sign-in", "POST", b"x" * 1_100_000)[0] == 413


def _connected(port: int) -> ssl.SSLSocket:
    return _trusting().wrap_socket(socket.create_connection(("127.0.0.1", port), timeout=20), server_hostname=HOST)


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
