"""Key pairs of the mailer that live a day: a file each, in its own folder, away from the database and its copies.

Letters are sealed to the newest pair.  Once no letter waits that a pair opens, its file is destroyed, and nobody opens
any more what logs, replicas and copies of the database keep of the letters sealed to it.  Nothing of a pair stays in
memory: a file that is gone is gone for all workers at once.  Mailers on several machines have a folder each, and reach
the same pairs by a chain (`key_chain.py`).
"""

from __future__ import annotations

import fcntl
import os
import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from pbem.crypto.key_chain import NAME, DerivedKeyChain
from pbem.crypto.key_files import PRIVATE, read_ring, sync_folder, write_ring
from pbem.crypto.keys import MailerKey, MailerPublicKey, NonExportable, new_pair_secret, recipient_key_id

KIND = "post day"
LOCK = ".lock"


class DailyKeys(NonExportable):
    """The pairs in one folder; all mailers of a machine share it."""

    __slots__ = ("_chain", "_holder", "folder")

    def __init__(self, folder: Path) -> None:
        """`folder`: made when it is first needed."""
        self.folder = folder
        self._chain = DerivedKeyChain(folder)
        self._holder = 0

    def shares_chain(self) -> bool:
        """Return True if other machines make the same pairs."""
        return self._chain.exists()

    @contextmanager
    def exclusive(self) -> Iterator[bool]:
        """Hold the folder: True, or False where another worker holds it just now."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(self.folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            ours = _try_lock(handle)
            self._holder = threading.get_ident() if ours else 0
            yield ours
        finally:
            self._holder = 0
            os.close(handle)

    def create(self) -> MailerPublicKey:
        """A new pair, flushed to the disk; its public half.  Whoever calls holds the folder alone."""
        if not self.shares_chain():
            return self._store(new_pair_secret())
        step, secret = self._chain.next()
        public = self._store(secret)
        self._chain.advance(step)
        return public

    def has(self, public: MailerPublicKey) -> bool:
        """Return True if the pair of this public half is here, or can be made here."""
        return self._path(public.name).exists() or self._catch_up(public.name)

    def load_opening_keys(self, ciphertext: bytes) -> MailerKey | None:
        """The pair that a ciphertext was sealed to; None if it is not here.  `TamperedError` for anything else."""
        name = recipient_key_id("letter", ciphertext)
        path = self._path(name)
        if not path.exists() and not self._catch_up(name):
            return None
        return MailerKey(read_ring(path, KIND, PRIVATE).values())

    def _store(self, secret: bytes) -> MailerPublicKey:
        """A pair in its file; its public half."""
        public = MailerKey([secret]).public()
        write_ring(self._path(public.name), KIND, {1: secret}, PRIVATE)
        return public

    def _catch_up(self, name: bytes) -> bool:
        """Return True if another machine has gone on to this pair, which is here now too."""
        if not self.shares_chain():
            return False
        if self._holder == threading.get_ident():
            return self._derive_missing(name)
        with self._acquire_lock():
            return self._path(name).exists() or self._derive_missing(name)

    def _derive_missing(self, name: bytes) -> bool:
        found = self._chain.find(name)
        if found is None:
            return False
        step, secret = found
        self._store(secret)
        self._chain.advance(step)
        return True

    @contextmanager
    def _acquire_lock(self) -> Iterator[None]:
        """Hold the folder, however long another worker does: what that destroys must not be what is just made."""
        handle = os.open(self.folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)

    def destroy_except(self, kept: Collection[bytes]) -> int:
        """Destroy every pair but those of these names, and what a crash left of one; how many files that was."""
        stays = {LOCK, NAME, *(self._path(name).name for name in kept)}
        gone = [path for path in self.folder.iterdir() if path.name not in stays]
        for path in gone:
            _destroy(path)
        if gone:
            sync_folder(self.folder)
        return len(gone)

    def _path(self, name: bytes) -> Path:
        return self.folder / f"{name.hex()}.keys"


def _try_lock(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _destroy(path: Path) -> None:
    """Overwrite a file, then remove it: where the disk keeps it in its place, nothing of it is left there."""
    path.chmod(0o600)
    with path.open("r+b") as file:
        file.write(bytes(path.stat().st_size))
        file.flush()
        os.fsync(file.fileno())
    path.unlink()
