"""Key files: one kind of key each, written once, read at start, refused when others could have read them.

A key file is text: a line that names its kind and format, then one line a version, `number base64`.  The
file of verify keys has lines `role base64`.  Private files may be open to their owner only (0400 or 0600);
public ones may be read by all but written by their owner only, for who replaces a public key reads what is
sealed next.
"""

from __future__ import annotations

import binascii
import os
import stat
import tempfile
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast, get_args

from pbem.crypto.encoding import CryptoError
from pbem.crypto.keys import Role, VerifyKeys

PRIVATE, PUBLIC = 0o400, 0o444


class KeyFileError(CryptoError):
    """A key file that is missing, open to others, or not one; its text names the file, never content."""


def write_lines(path: Path, kind: str, lines: Sequence[tuple[str, bytes]], mode: int) -> None:
    """Write a key file whole or not at all: beside its place, flushed to the disk, then moved there.

    What it replaces keeps its owner: root may change the keys of a process, and that process must read them.
    """
    body = "".join(f"{name} {b64encode(raw).decode()}\n" for name, raw in lines)
    handle, beside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(f"pbem {kind} keys, format 1\n{body}")
            file.flush()
            if path.exists():
                before = path.stat()
                os.fchown(file.fileno(), before.st_uid, before.st_gid)
            os.fchmod(file.fileno(), mode)
            os.fsync(file.fileno())
        os.replace(beside, path)
    except BaseException:
        os.unlink(beside)
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make a new name in this folder survive a loss of power."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def read_lines(path: Path, kind: str, mode: int) -> list[tuple[str, bytes]]:
    """The lines of a key file of this kind, its mode checked on the file that is being read."""
    forbidden = 0o077 if mode == PRIVATE else 0o022
    try:
        with path.open(encoding="ascii") as file:
            found = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
            if found & forbidden:
                raise _mode_error(path, found, mode)
            text = file.read()
    except OSError as error:
        raise KeyFileError(
            f"The key file {path} cannot be read ({error.strerror}); `pbem keys init` writes it."
        ) from None
    except UnicodeDecodeError:
        raise _error(path, kind) from None
    return _parse_lines(path, kind, text)


def _mode_error(path: Path, found: int, mode: int) -> KeyFileError:
    return KeyFileError(
        f"The key file {path} has mode {found:04o}, so that others than its owner can "
        f"{'read' if mode == PRIVATE else 'replace'} it; replace the key, or give the file mode {mode:04o} "
        "if nobody else had access to this machine."
    )


def _error(path: Path, kind: str) -> KeyFileError:
    return KeyFileError(f"The file {path} does not hold {kind} keys in format 1; put back what `pbem keys init` wrote.")


def _parse_lines(path: Path, kind: str, text: str) -> list[tuple[str, bytes]]:
    head, *lines = text.splitlines() or [""]
    if head != f"pbem {kind} keys, format 1" or not lines:
        raise _error(path, kind)
    try:
        found = [(name, b64decode(encoded, validate=True)) for name, encoded in map(_split_line, lines)]
    except (ValueError, binascii.Error):
        raise _error(path, kind) from None
    if any(len(raw) != 32 for _, raw in found):
        raise _error(path, kind)
    return found


def _split_line(line: str) -> tuple[str, str]:
    name, encoded = line.split(" ")
    return name, encoded


def write_ring(path: Path, kind: str, ring: Mapping[int, bytes], mode: int) -> None:
    """Write the versions of one kind of key, oldest first."""
    write_lines(path, kind, [(str(version), ring[version]) for version in sorted(ring)], mode)


def read_ring(path: Path, kind: str, mode: int) -> dict[int, bytes]:
    """The versions of one kind of key, oldest first; a version may stand there once only."""
    lines = read_lines(path, kind, mode)
    if not all(name.isascii() and name.isdigit() for name, _ in lines):
        raise _error(path, kind)
    ring = {int(name): raw for name, raw in lines}
    if len(ring) != len(lines):
        raise _error(path, kind)
    return dict(sorted(ring.items()))


def read_verify_keys(path: Path) -> list[tuple[Role, bytes]]:
    """Each role's public signing keys."""
    lines = read_lines(path, "verify", PUBLIC)
    if not all(name in get_args(Role) for name, _ in lines):
        raise _error(path, "verify")
    return [(cast(Role, name), raw) for name, raw in lines]


def load_verify_keys(path: Path) -> VerifyKeys:
    """The verify keys, ready for use."""
    try:
        return VerifyKeys(read_verify_keys(path))
    except ValueError:
        raise _error(path, "verify") from None
