"""Key pairs of post that live a day: a file each, in a folder of post's own, away from the database and its copies.

Letters are sealed to the newest pair.  Once no letter waits that a pair opens, its file is destroyed, and nobody opens
any more what logs, replicas and copies of the database keep of the letters sealed to it.  Nothing of a pair stays in
memory: a file that is gone is gone for all workers at once.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from pbem.vault.files import PRIVATE, flush_folder, read_ring, write_ring
from pbem.vault.keys import Guarded, PostKey, PostPublic, fresh_pair_secret, parcel_key

KIND = "post day"
LOCK = ".lock"


class DayKeys(Guarded):
    """The pairs in one folder; all post workers of a server share it."""

    __slots__ = ("_folder",)

    def __init__(self, folder: Path) -> None:
        """`folder`: made when it is first needed."""
        self._folder = folder

    @contextmanager
    def alone(self) -> Iterator[bool]:
        """Hold the folder: True, or False where another worker holds it just now."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(self._folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            yield _locked(handle)
        finally:
            os.close(handle)

    def fresh(self) -> PostPublic:
        """A new pair, flushed to the disk; its public half."""
        secret = fresh_pair_secret()
        public = PostKey([secret]).public()
        write_ring(self._path(public.name), KIND, {1: secret}, PRIVATE)
        return public

    def holds(self, public: PostPublic) -> bool:
        """Return True if the pair of this public half is here."""
        return self._path(public.name).exists()

    def opening(self, parcel: bytes) -> PostKey | None:
        """The pair that a parcel was sealed to; None if it is not here.  `Tampered` if that is no parcel."""
        path = self._path(parcel_key("letter", parcel))
        return PostKey(read_ring(path, KIND, PRIVATE).values()) if path.exists() else None

    def destroy_but(self, kept: Collection[bytes]) -> int:
        """Destroy every pair but those of these names, and what a crash left of one; how many files that was."""
        stays = {LOCK, *(self._path(name).name for name in kept)}
        gone = [path for path in self._folder.iterdir() if path.name not in stays]
        for path in gone:
            _destroy(path)
        if gone:
            flush_folder(self._folder)
        return len(gone)

    def _path(self, name: bytes) -> Path:
        return self._folder / f"{name.hex()}.keys"


def _locked(handle: int) -> bool:
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
