"""A real Dovecot on the loopback, a plain process with a folder of its own, and one mailbox in it."""

import contextlib
import imaplib
import os
import pwd
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pytest

from pbem.mail.imap import ImapSettings
from pbem.ops.servers import Child, free_port

PROGRAM = shutil.which("dovecot", path=f"{os.environ.get('PATH', '')}:/usr/sbin") or ""
USER, PASSWORD = "games@provider.test", "Xyzzy 9 & co"
PATIENCE = 120.0
_numbers = count()

_CONFIG = """
base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/log
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
auth_failure_delay = 0
default_internal_user = {user}
default_internal_group = {group}
default_login_user = {user}
first_valid_uid = 1
first_valid_gid = 1
mail_location = maildir:{folder}/mail
mailbox_idle_check_interval = 1 secs
imap_capability = {capability}
passdb {{
  driver = passwd-file
  args = scheme=plain username_format=%u {folder}/people
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={folder}/home
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
service anvil {{
  chroot =
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service stats {{
  chroot =
}}
"""


@dataclass
class Dovecot:
    """A server that can be stopped and started again, and what lies in its mailbox."""

    folder: Path
    port: int
    child: Child
    owner: pwd.struct_passwd

    def box(self, **other: object) -> ImapSettings:
        """The mailbox, as who fetches from it knows it."""
        known = {"host": "127.0.0.1", "port": self.port, "user": USER, "password": PASSWORD, "tls": "none"}
        return ImapSettings(**{**known, **other})  # type: ignore[arg-type]

    def start(self) -> None:
        """Start, and return when it greets."""
        as_user = self.owner if os.geteuid() == 0 else None
        self.child.launch([PROGRAM, "-F", "-c", str(self.folder / "conf")], {"PATH": os.environ["PATH"]}, as_user)
        self.child.wait_until(self._greets)

    def _greets(self) -> bool:
        with contextlib.suppress(OSError, imaplib.IMAP4.error):
            line = imaplib.IMAP4("127.0.0.1", self.port, 10)
            line.logout()
            return True
        return False

    def stop(self) -> None:
        """End it and all its sessions, which it would let live on for seconds."""
        if self.child.is_alive():
            os.killpg(self.child.pid, signal.SIGKILL)
        self.child.stop(signal.SIGKILL)

    def clear(self) -> None:
        """Make its mailbox anew, with nothing in it."""
        shutil.rmtree(self.folder / "mail", ignore_errors=True)
        for part in ("", "tmp", "new", "cur"):
            place = self.folder / "mail" / part
            place.mkdir(mode=0o700)
            os.chown(place, self.owner.pw_uid, self.owner.pw_gid)

    def deliver(self, raw: bytes, delivered_to: str = "") -> None:
        """Put a letter into the INBOX, as what delivers mail does."""
        name = f"{time.time_ns()}.{os.getpid()}_{next(_numbers)}.test"
        draft, place = (self.folder / "mail" / part / name for part in ("tmp", "new"))
        above = f"Delivered-To: {delivered_to}\r\n".encode() if delivered_to else b""
        draft.write_bytes(above + raw)
        os.chown(draft, self.owner.pw_uid, self.owner.pw_gid)
        draft.rename(place)

    def holds(self, name: str = "") -> list[bytes]:
        """The letters of a folder, oldest first; by default those of the INBOX."""
        place = self.folder / "mail" / (f".{name}" if name else "")
        while True:
            found = [path for part in ("new", "cur") for path in (place / part).glob("*")]
            with contextlib.suppress(FileNotFoundError):  # one was moved while it was looked at: look again
                return [path.read_bytes() for path in sorted(found, key=lambda path: path.name)]


def needed() -> None:
    """Skip the calling test, saying why, where there is no Dovecot."""
    if not PROGRAM:
        pytest.skip("no Dovecot is installed (dovecot-imapd)")


def until(found: Callable[[], object], what: str) -> None:
    """Wait for a condition; AssertionError where it does not come true in time."""
    end = time.monotonic() + PATIENCE
    while not found():
        assert time.monotonic() < end, f"waited in vain for {what}"
        time.sleep(0.02)


@contextlib.contextmanager
def running(folder: Path, capability: str = "") -> Iterator[Dovecot]:
    """A Dovecot in an empty folder; `capability`: all that it says that it can, where that is not what it can."""
    owner = pwd.getpwnam("nobody") if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())
    for name in ("run", "state", "home", *(f"mail/{part}" for part in ("tmp", "new", "cur"))):
        (folder / name).mkdir(parents=True, mode=0o700)
    port = free_port()
    here = {"folder": folder, "port": port, "capability": capability}
    who = {"user": owner.pw_name, "group": "nogroup" if os.geteuid() == 0 else owner.pw_name}
    text = _CONFIG.format(**here, **who, uid=owner.pw_uid, gid=owner.pw_gid)
    (folder / "conf").write_text(text if capability else text.replace("imap_capability = \n", ""))
    (folder / "people").write_text(f"{USER}:{{PLAIN}}{PASSWORD}\n")
    (folder / "log").touch()
    for path in (folder, *folder.rglob("*")):
        os.chown(path, owner.pw_uid, owner.pw_gid)
    server = Dovecot(folder, port, Child("dovecot", folder / "out", signal.SIGTERM), owner)
    server.start()
    try:
        yield server
    finally:
        server.stop()
