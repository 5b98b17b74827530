"""What is made once in a run of the tests: by whichever of its processes asks first, and read by all."""

import fcntl
import os
import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

_run: list[Path] = []


def keep_in(folder: Path) -> None:
    """Share what is made from here on with the other processes of this run; they keep it in the same folder."""
    _run[:] = [folder]


def run_folder() -> Path | None:
    """The folder of the run, or None in a program that runs alone."""
    return _run[0] if _run else None


def load_or_make(name: str, make: Callable[[], T]) -> T:
    """Return what somebody has made under this name in the run, which pickle can carry."""
    if not _run:
        return make()
    path = _run[0] / sha256(name.encode()).hexdigest()
    with locked(path):
        if not path.exists():
            path.write_bytes(pickle.dumps(make()))
        found: T = pickle.loads(path.read_bytes())
    return found


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Only one process at a time is within, for the same path."""
    handle = os.open(path.with_suffix(".lock"), os.O_RDWR | os.O_CREAT)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
