"""A bare Debian in a folder, made by debootstrap, whose processes end with the test."""

import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

import pytest

ROOT = Path(__file__).parent.parent.parent
PARTS = "pyproject.toml README.md LICENSE CHANGELOG.md engine pbem worker mail_templates requirements deploy".split()
PORTS = (25, 80, 443, 2424, 6379, 8000, 8891)
"""What listens on a machine where `deploy/install` was run."""
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
_INTO = """
mount --make-rprivate / && mount -t proc proc "$0/proc" && mount --bind /dev "$0/dev" &&
mount -t tmpfs tmpfs "$0/run" && mkdir -p "$0/run/lock" && exec chroot "$0" "$@"
"""


def lacking() -> str:
    """Why no machine can be made here; empty if one can."""
    if os.geteuid() != 0:
        return "only root can make a machine in a folder"
    if shutil.which("debootstrap") is None:
        return "no debootstrap is installed"
    return taken(PORTS)


def taken(ports: Iterable[int]) -> str:
    """Which of these ports somebody listens on; empty if nobody does."""
    found = [port for port in ports if _listens(port)]
    return f"something listens on {found} here" if found else ""


def _listens(port: int) -> bool:
    with socket.socket() as line:
        return line.connect_ex(("127.0.0.1", port)) == 0


def bootstrapped(folder: Path) -> str:
    """Make a bare Debian in a folder, with what lies here of this project in /src; why not, if it cannot be."""
    line = ["debootstrap", "--variant=minbase", "--include=ca-certificates,systemd", "bookworm", str(folder)]
    made = subprocess.run(line, capture_output=True, text=True, check=False, timeout=1200)
    if made.returncode:
        return f"debootstrap could not make a Debian: {made.stdout.splitlines()[-1:]}"
    if CERTIFICATES.exists():  # what this machine trusts, that one does: packages come the same way
        shutil.copyfile(CERTIFICATES, folder / "etc/ssl/certs/ca-certificates.crt")
    shutil.copyfile("/etc/resolv.conf", folder / "etc/resolv.conf")
    refresh(folder)
    return ""


def refresh(folder: Path) -> None:
    """Put the project there as it lies here."""
    shutil.rmtree(folder / "src", ignore_errors=True)
    for part in PARTS:
        whole = ROOT / part
        if whole.is_dir():
            shutil.copytree(
                whole, folder / "src" / part, ignore=shutil.ignore_patterns("__pycache__", ".env", "secrets")
            )
        else:
            (folder / "src").mkdir(exist_ok=True)
            shutil.copyfile(whole, folder / "src" / part)
    shutil.copyfile(Path(__file__).with_name("units.py"), folder / "src" / "units.py")


@dataclass
class Session:
    """A shell of root's within the machine; all that it starts ends with it."""

    folder: Path
    process: subprocess.Popen[str]

    @property
    def pid(self) -> int:
        """The number, out here, of the first process within."""
        return _child(self.process.pid)

    def do(self, command: str) -> tuple[int, str]:
        """Run a command to its end; its exit code, and all that it wrote."""
        mark = "--done--"
        self._into.write(f"{{ {command}\n}} </dev/null 2>&1; code=$?; echo; echo {mark} $code\n")
        self._into.flush()
        lines: list[str] = []
        for line in self._out:
            if line.startswith(mark):
                return int(line.split()[1]), "\n".join(lines)
            lines.append(line.rstrip("\n"))
        raise AssertionError("the machine is gone\n" + "\n".join(lines))

    def begin_units(self) -> dict[str, int]:
        """Start the units; their process ids within."""
        self._into.write("python3 /src/units.py </dev/null &\n")
        self._into.flush()
        answer: dict[str, int] = json.loads(self._out.readline())
        return answer

    def logs(self) -> str:
        """What the units wrote."""
        logs = (self.folder / "var/log/units").iterdir()
        return "\n".join(f"{log.name}: {log.read_text(errors='replace')[-1500:]}" for log in logs)

    @property
    def _into(self) -> IO[str]:
        assert self.process.stdin is not None
        return self.process.stdin

    @property
    def _out(self) -> IO[str]:
        assert self.process.stdout is not None
        return self.process.stdout


def _child(pid: int) -> int:
    return int(Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0])


@dataclass
class Booted(Session):
    """A shell within a machine that systemd runs."""

    first: int

    @property
    def pid(self) -> int:
        """The number, out here, of its systemd."""
        return self.first

    def begin_units(self) -> dict[str, int]:
        """They run already; their process ids within."""
        _, said = self.do("systemctl show -P MainPID -P Wants pbem.target")
        wanted = [name for name in said.split() if name.startswith("pbem-")]
        return {name: int(self.do(f"systemctl show -P MainPID {name}")[1]) for name in wanted}

    def logs(self) -> str:
        """The end of the journal of the units."""
        return self.do("journalctl -u 'pbem-*' -n 60 --no-pager")[1]


def _environment() -> dict[str, str]:
    plain = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8"}
    return plain | ({"PIP_CERT": "/etc/ssl/certs/ca-certificates.crt"} if CERTIFICATES.exists() else {})


@contextmanager
def session(folder: Path) -> Iterator[Session]:
    """A machine that is switched on, and off again."""
    line = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", _INTO, str(folder), "sh"]
    with subprocess.Popen(
        line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=_environment()
    ) as process:
        try:
            yield Session(folder, process)
        finally:
            process.kill()


@contextmanager
def booted(folder: Path) -> Iterator[Booted]:
    """A machine whose first process is systemd, switched on and off; the test is skipped where it cannot boot."""
    if shutil.which("systemd-nspawn") is None:
        pytest.skip("no systemd-nspawn is installed (systemd-container)")
    name = f"pbem-{os.getpid()}"
    line = ["systemd-nspawn", "--boot", "--register=no", "--keep-unit", "--resolv-conf=off", "--console=read-only"]
    with (
        TemporaryFile() as said,
        subprocess.Popen(
            [*line, f"--machine={name}", f"--directory={folder}"], stdin=subprocess.DEVNULL, stdout=said, stderr=said
        ) as process,
    ):
        try:
            first = _first(process, said)
            with _within(first) as shell:
                found = Booted(folder, shell, first)
                code, state = found.do("systemctl is-system-running --wait")
                assert state.strip() in ("running", "degraded"), (code, state)
                yield found
                shell.kill()
        finally:
            for _ in range(2):  # in good order at the first time of asking, at once at the second
                process.terminate()
                with suppress(subprocess.TimeoutExpired):
                    process.wait(90)


def _first(process: "subprocess.Popen[bytes]", said: IO[bytes]) -> int:
    """The number, out here, of the systemd within, once it can be spoken to."""
    for _ in range(600):
        with suppress(OSError, IndexError):
            first = _child(process.pid)
            if Path(f"/proc/{first}/root/run/systemd/private").exists():
                return first
        if process.poll() is not None:
            break
        time.sleep(0.1)
    said.seek(0)
    pytest.skip(f"systemd does not boot in a folder here: {said.read().decode(errors='replace').splitlines()[-1:]}")


def _within(first: int) -> "subprocess.Popen[str]":
    line = ["nsenter", f"--target={first}", "--mount", "--uts", "--ipc", "--pid", "--root", "--wd", "sh"]
    return subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=_environment())
