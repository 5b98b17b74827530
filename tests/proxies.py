"""The samples of proxies in `deploy/`, run as they are but for ports, paths and times: real ones on the loopback."""

import contextlib
import os
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from email.message import Message
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path

import pytest

from pbem.ops.servers import free_port
from tests.mail.postfix import until

DEPLOY = Path(__file__).resolve().parent.parent / "deploy"
KINDS = ("nginx", "caddy")
HOST = "games.example.org"
_NGINX = """
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
_CADDY = """
{{
	admin off
	http_port {plain}
	https_port {port}
	local_certs
	skip_install_trust
	import pbem-options.caddy
}}
import pbem.caddy
"""


@dataclass(frozen=True)
class Proxy:
    """A proxy that runs: which, its port and its folder. `plain`: its port without TLS."""

    kind: str
    port: int
    folder: Path
    plain: int

    def connected(self, to: str = "127.0.0.1") -> ssl.SSLSocket:
        """A connection to it, with TLS."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        return context.wrap_socket(socket.create_connection((to, self.port), timeout=60), server_hostname=HOST)

    def ask_plainly(self, path: str, to: str = "127.0.0.1") -> tuple[int, str, Message]:
        """The same without TLS."""
        asked = HTTPConnection(to, self.plain, timeout=60)
        with contextlib.closing(asked):
            answer = _answered(asked, "GET", path, b"", {})
            return answer.status, answer.read().decode("utf-8", "replace"), answer.headers

    def ask(self, path: str, method: str = "GET", body: bytes = b"", **headers: str) -> tuple[int, str, Message]:
        """Status, text and headers of a page, asked for as a browser does."""
        asked = HTTPConnection(HOST)
        asked.sock = self.connected()
        with contextlib.closing(asked):
            answer = _answered(asked, method, path, body, headers)
            return answer.status, answer.read().decode("utf-8", "replace"), answer.headers

    def written(self) -> str:
        """All that lies in its folder: logs, and whatever else it has written."""
        files = [path for path in self.folder.rglob("*") if path.is_file()]
        return "\n".join(path.read_bytes().decode("utf-8", "replace") for path in files)


def _answered(asked: HTTPConnection, method: str, path: str, body: bytes, headers: dict[str, str]) -> HTTPResponse:
    """The answer, also where it came, and the connection was closed, before all of the body was sent."""
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        asked.request(method, path, body or None, {"Host": HOST, **headers})
    return asked.getresponse()


def needed(kind: str) -> None:
    """Skip the calling test where there is no such proxy."""
    if shutil.which(kind) is None:
        pytest.skip(f"no {kind} is installed")


def running(kind: str, folder: Path, pages: int, changes: Sequence[tuple[str, str]] = ()) -> "_Started":
    """The sample of a proxy in front of a port, as a process of its own; what a test changes in it must be there."""
    folder.mkdir()
    return {"nginx": _nginx, "caddy": _caddy}[kind](folder, [("127.0.0.1:8000", f"127.0.0.1:{pages}"), *changes])


_Started = contextlib.AbstractContextManager[Proxy]


@contextlib.contextmanager
def _nginx(folder: Path, changes: Sequence[tuple[str, str]]) -> Iterator[Proxy]:
    port, plain = free_port(), free_port()
    (folder / "acme").mkdir()
    key = ["-keyout", str(folder / "key"), "-out", str(folder / "cert"), "-subj", f"/CN={HOST}"]
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *key]
    subprocess.run(made, check=True, capture_output=True, timeout=60)
    here = (
        ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
        ("listen [::]:443 ssl", f"listen [::1]:{port} ssl"),
        ("listen 80;", f"listen 127.0.0.1:{plain};"),
        ("listen [::]:80;", f"listen [::1]:{plain};"),
        ("/var/www/html", str(folder / "acme")),
        (f"/etc/ssl/{HOST}.pem", str(folder / "cert")),
        (f"/etc/ssl/private/{HOST}.key", str(folder / "key")),
        ("/var/log/nginx/pbem.log", str(folder / "pbem.log")),
    )
    sample = _changed("nginx/pbem.conf", [*here, *changes])
    user = "root" if os.geteuid() == 0 else "nobody"
    (folder / "nginx.conf").write_text(_NGINX.format(folder=folder, sample=sample, user=user), "utf-8")
    command = ["nginx", "-e", str(folder / "errors"), "-p", str(folder), "-c", str(folder / "nginx.conf")]
    with _process(Proxy("nginx", port, folder, plain), command, [*command, "-t"]) as proxy:
        yield proxy


@contextlib.contextmanager
def _caddy(folder: Path, changes: Sequence[tuple[str, str]]) -> Iterator[Proxy]:
    port, plain = free_port(), free_port()
    names = ("pbem.caddy", "pbem-options.caddy")
    for name in names:
        here = [(old, new) for old, new in changes if old in (DEPLOY / "caddy" / name).read_text("utf-8")]
        (folder / name).write_text(_changed(f"caddy/{name}", here), "utf-8")
    (folder / "Caddyfile").write_text(_CADDY.format(port=port, plain=plain), "utf-8")
    file = ["--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]
    with _process(Proxy("caddy", port, folder, plain), ["caddy", "run", *file], ["caddy", "validate", *file]) as proxy:
        yield proxy


def _changed(name: str, changes: Sequence[tuple[str, str]]) -> str:
    sample = (DEPLOY / name).read_text("utf-8")
    for old, new in changes:
        assert old in sample
        sample = sample.replace(old, new)
    return sample


@contextlib.contextmanager
def _process(proxy: Proxy, command: list[str], check: list[str]) -> Iterator[Proxy]:
    """Start it, if it finds no fault with its configuration; whatever it stores and says is in its folder."""
    homes = dict.fromkeys(("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"), str(proxy.folder))
    env = {"PATH": os.environ["PATH"], **homes}
    tried = subprocess.run(check, check=False, capture_output=True, text=True, timeout=60, env=env)
    assert tried.returncode == 0, tried.stderr
    with (
        (proxy.folder / "said").open("wb") as said,
        subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=said, stderr=said, env=env) as process,
    ):
        try:
            until(lambda: _serves(proxy), proxy.kind)
            yield proxy
        finally:
            process.terminate()
            process.wait(60)


def _serves(proxy: Proxy) -> bool:
    """Return True once it has a certificate to show."""
    with contextlib.suppress(OSError), proxy.connected():
        return True
    return False
