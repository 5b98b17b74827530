"""A real Postfix on the loopback, with the files of `deploy/postfix` as they are and a configuration of its own."""

import contextlib
import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from pbem.ops.servers import free_port
from tests.mail.dovecot import until as until

FILES = Path(__file__).resolve().parents[2] / "deploy" / "postfix"
SERVICES = Path("/etc/postfix/master.cf.proto")

_HERE = """
compatibility_level = 3.6
queue_directory = {folder}/queue
data_directory = {folder}/data
maillog_file = {folder}/log/mail
maillog_file_prefixes = {folder}
myhostname = mx.games.example.org
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mydestination =
alias_maps =
alias_database =
default_transport = error:outbound mail is off
players = smtp:[127.0.0.1]:{players}
transport_maps = inline:{{ {{ games.test = $players }} {{ example.org = $players }} }}
smtpd_authorized_xclient_hosts = 127.0.0.1
"""
"""What a test adds: where things lie, whom it may write to, and that it may say which machine it speaks for."""


@dataclass(frozen=True)
class Postfix:
    """A server that runs: where it listens, and its folder."""

    port: int
    folder: Path

    def log(self) -> str:
        """What it has logged."""
        path = self.folder / "log" / "mail"
        return path.read_text("utf-8", "replace") if path.exists() else ""

    def configure(self, *lines: str) -> None:
        """Set these parameters in its configuration, each once, and let them hold."""
        path, names = self.folder / "etc" / "main.cf", {line.split(" =")[0] for line in lines}
        kept = [line for line in path.read_text("utf-8").splitlines() if line.split(" =")[0] not in names]
        path.write_text("\n".join([*kept, *lines]) + "\n", "utf-8")
        command = ["postfix", "-c", str(self.folder / "etc"), "reload"]
        subprocess.run(command, check=True, capture_output=True, stdin=subprocess.DEVNULL, timeout=60)

    def queue(self) -> str:
        """What waits in its queue."""
        asked = ["postqueue", "-c", str(self.folder / "etc"), "-p"]
        return subprocess.run(asked, capture_output=True, text=True, check=False, timeout=60).stdout


def needed() -> None:
    """Skip the calling test, saying why, where there is no Postfix or nobody who may start it."""
    if shutil.which("postfix") is None or not SERVICES.exists():
        pytest.skip("no Postfix is installed")
    if os.geteuid() != 0:
        pytest.skip("Postfix is started by root only")


@contextlib.contextmanager
def running(folder: Path, players: int, door: int) -> Iterator[Postfix]:
    """A Postfix that delivers to `door` as the snippet says, and to `players` what is for players and the operator."""
    port, etc = free_port(), folder / "etc"
    for place in (etc, folder / "queue", folder / "data", folder / "log"):
        place.mkdir(parents=True)
    shutil.chown(folder / "data", "postfix", "postfix")
    for name in ("pbem-addresses", "pbem-aliases"):
        shutil.copy(FILES / name, etc)
    key = ["-keyout", str(folder / "key"), "-out", str(folder / "cert"), "-subj", "/CN=mx.games.example.org"]
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *key]
    subprocess.run(made, check=True, capture_output=True, timeout=60)
    (etc / "pbem-tls.pem").write_text((folder / "key").read_text() + (folder / "cert").read_text())
    snippet = (FILES / "main.cf.snippet").read_text("utf-8").replace("127.0.0.1:2424", f"127.0.0.1:{door}")
    (etc / "main.cf").write_text(_HERE.format(folder=folder, players=players) + snippet)
    (etc / "master.cf").write_text("\n".join(_service(line, port) for line in _services()) + "\n")
    command = ["postfix", "-c", str(etc)]
    subprocess.run([*command, "start"], check=True, capture_output=True, stdin=subprocess.DEVNULL, timeout=120)
    try:
        until(lambda: listens(port), "Postfix")
        yield Postfix(port, folder)
    finally:
        subprocess.run([*command, "stop"], check=False, capture_output=True, stdin=subprocess.DEVNULL, timeout=120)


def _services() -> list[str]:
    """The services of the distribution, but those that hand letters to other programs."""
    lines = SERVICES.read_text("utf-8").splitlines()
    return [line for line in lines if line[:1].isalpha() and line.split()[-1] != "pipe"]


def _service(line: str, port: int) -> str:
    """One service, in its own folder and not in a changed root, which would need files of its own."""
    fields = line.split()
    fields[4] = "n"
    return " ".join([f"127.0.0.1:{port}" if fields[1] == "inet" else fields[0], *fields[1:]])


def listens(port: int) -> bool:
    """Return True if somebody listens on a port of the loopback."""
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=5):
        return True
    return False
