"""The chapter "At home" of deploy/README.md, from nothing, by its own commands; then the loss of the machine."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from pbem.ops.servers import free_port
from tests.mail import dovecot
from tests.mail.dovecot import PASSWORD, USER
from tests.mail.provider import Provider
from tests.operator.documents import ROOT, blocks
from tests.operator.machine import PARTS

pytestmark = [pytest.mark.night, pytest.mark.timeout(1800)]
INSTALL, SET_UP, START = ("\n".join(lines) for lines in blocks("At home"))
OWNER = "olga@elsewhere.test"


@pytest.fixture
def provider(tmp_path: Path) -> Iterator[Provider]:
    """A provider of mailboxes."""
    dovecot.needed()
    with TemporaryDirectory(prefix="pbem-dv-") as folder, dovecot.running(Path(folder)) as mailbox:
        found = Provider(tmp_path / "players", mailbox)
        found.start()
        yield found
        found.stop()


class Person:
    """Somebody with the project's folder, a home folder and nothing else."""

    def __init__(self, folder: Path) -> None:
        self.project, self.home = folder / "project", folder / "home"
        self.home.mkdir()
        for part in (*PARTS, "Makefile"):
            whole = ROOT / part
            if whole.is_dir():
                shutil.copytree(whole, self.project / part, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                self.project.mkdir(exist_ok=True)
                shutil.copyfile(whole, self.project / part)

    @property
    def env(self) -> Mapping[str, str]:
        """Their environment; only where pages are shown differs, for others use this machine, too."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PBEM_", "XDG_"))}
        return {**kept, "HOME": str(self.home)}

    def do(self, command: str, typed: str = "", **env: str) -> str:
        """Run a command as it is written, to its end; what it printed."""
        line = ["sh", "-ec", command]
        done = subprocess.run(
            line, cwd=self.project, env={**self.env, **env}, input=typed, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, (command, done.stdout[-2000:], done.stderr[-2000:])
        return done.stdout


def serve_until_well(person: Person, port: int) -> None:
    """Start the server as the chapter says, wait until the doctor finds nothing, and end it by Ctrl-C."""
    here = {"PBEM_HTTP_LISTEN": f"127.0.0.1:{port}", "PBEM_PUBLIC_URL": f"http://127.0.0.1:{port}"}
    with subprocess.Popen(
        ["sh", "-ec", f"exec {START}"],
        cwd=person.project,
        env={**person.env, **here},
        stdout=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdout is not None
        said = server.stdout.readline()
        assert said.startswith(f"Serving http://127.0.0.1:{port} and mail for games@"), said
        try:
            end, found = time.monotonic() + 300, ""
            while "No problems found." not in found:
                assert time.monotonic() < end, found
                found = person.do(".venv/bin/pbem doctor || true", **here)
        finally:
            server.send_signal(signal.SIGINT)
        assert server.wait(120) == 0


def test_the_chapter_makes_a_server_that_survives_its_machine(provider: Provider, tmp_path: Path) -> None:
    """Installed, set up by typed answers, started, well; lost, and put back from a backup and the copy of the keys."""
    person, port = Person(tmp_path), free_port()
    person.do(INSTALL)
    mailbox, relay = f"127.0.0.1:{provider.mailbox.port}", f"127.0.0.1:{provider.port}"
    told = person.do(SET_UP, f"{USER}\n{PASSWORD}\n{mailbox}\n{relay}\nn\n\n{OWNER}\n")
    assert f"{person.home}/pbem" in told
    serve_until_well(person, port)

    folder, copies = person.home / "pbem", tmp_path / "copies"
    person.do(f".venv/bin/pbem backup {tmp_path}/backup")
    copies.mkdir()
    for name in KEPT:
        shutil.move(folder / name, copies / name)
    shutil.rmtree(folder)
    folder.mkdir(mode=0o700)
    for name in KEPT:
        shutil.move(copies / name, folder / name)
    restored = person.do(f".venv/bin/pbem restore {tmp_path}/backup")
    assert "The backup is good" in restored
    serve_until_well(person, port)


KEPT = ("keys", "pbem.env", "mailbox-password")
"""What the document says to keep a copy of."""
