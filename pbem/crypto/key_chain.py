"""Day keys that several machines of the mailer make alike, without a word to one another.

A chain is one secret in a file.  Each step makes the pair of a day and the secret after it, and destroys the secret
before: what is known today opens nothing of earlier days.  Machines that were given the same file reach the same
pairs, one after the other, however far one has fallen behind.  Whoever takes the file can follow it onwards, so it is
made anew after a theft, and never lies in a copy.
"""

import hmac
import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from pbem.crypto.key_files import PRIVATE, KeyFileError, read_ring, write_ring
from pbem.crypto.keys import MailerKey, NonExportable

NAME: Final = "chain"
AHEAD: Final = 1000
"""So many steps a machine may have fallen behind: some years of days."""
_KIND: Final = "post chain"


class DerivedKeyChain(NonExportable):
    """The chain in one folder; whoever calls holds the folder alone."""

    __slots__ = ("_path",)

    def __init__(self, folder: Path) -> None:
        self._path = folder / NAME

    def exists(self) -> bool:
        """Return True if this machine shares its day keys with others."""
        return self._path.exists()

    def create(self) -> Path:
        """Make a chain and return its file; KeyFileError where there is one already."""
        if self.exists():
            raise KeyFileError(
                f"{self._path} is there already: move it away on all machines with a mailer to begin again."
            )
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_ring(self._path, _KIND, {0: os.urandom(32)}, PRIVATE)
        return self._path

    def next(self) -> tuple[int, bytes]:
        """The step after this one, not taken yet: its number, and the secret of its pair."""
        number, secret = self._read()
        return number + 1, _key_pair(_next_secret(secret))

    def find(self, name: bytes) -> tuple[int, bytes] | None:
        """The step whose pair has this name, among those to come; None where it is none of them."""
        number, secret = self._read()
        for step in range(number + 1, number + 1 + AHEAD):
            secret = _next_secret(secret)
            if MailerKey([_key_pair(secret)]).public().name == name:
                return step, _key_pair(secret)
        return None

    def advance(self, to: int) -> None:
        """Take all steps up to this one and destroy what came before; call it once the pair is safe in a file."""
        number, secret = self._read()
        for _ in range(number, to):
            secret = _next_secret(secret)
        self._path.chmod(0o600)
        with self._path.open("r+b") as before:
            size = os.fstat(before.fileno()).st_size
            write_ring(self._path, _KIND, {to: secret}, PRIVATE)
            with suppress(OSError):  # the new file stands, whatever becomes of the old one's blocks
                before.write(bytes(size))
                before.flush()
                os.fsync(before.fileno())

    def _read(self) -> tuple[int, bytes]:
        ring = read_ring(self._path, _KIND, PRIVATE)
        number = max(ring)
        return number, ring[number]


def _next_secret(secret: bytes) -> bytes:
    return hmac.digest(secret, b"pbem post chain 1 next", "sha256")


def _key_pair(secret: bytes) -> bytes:
    return hmac.digest(secret, b"pbem post chain 1 pair", "sha256")
