"""A tree of hashes: one hash stands for several records, and a short path shows that a record is among them.

Merkle tree over SHA-256 as RFC 9162 §2.1 has it: the first byte sets apart what is hashed of a record from what is
hashed of two hashes, so that neither can be taken for the other.
"""

import hashlib
from collections.abc import Iterator, Sequence

HASH = 32
"""Bytes of a hash."""


def build(records: Sequence[bytes]) -> tuple[bytes, list[bytes]]:
    """The hash that stands for at least one record, and for each record its path (RFC 9162 §2.1.1, §2.1.3.1)."""
    return _build([_hash_leaf(record) for record in records])


def _build(leaves: Sequence[bytes]) -> tuple[bytes, list[bytes]]:
    if len(leaves) == 1:
        return leaves[0], [b""]
    half = _largest_power_below(len(leaves))
    (left, of_left), (right, of_right) = _build(leaves[:half]), _build(leaves[half:])
    return _hash_node(left, right), [*(path + right for path in of_left), *(path + left for path in of_right)]


def root_from_path(record: bytes, place: int, size: int, path: bytes) -> bytes:
    """The hash that stands for `size` records if this one is at `place` among them, counted from 0, and this its path.

    Raises ValueError where there is no such place, or no path of this length leads from it (RFC 9162 §2.1.3.2).
    """
    sides = list(_sides(place, size))
    if not 0 <= place < size or len(path) != HASH * len(sides):
        raise ValueError("no path of this tree")
    found = _hash_leaf(record)
    for number, is_left in enumerate(sides):
        other = path[number * HASH : (number + 1) * HASH]
        found = _hash_node(found, other) if is_left else _hash_node(other, found)
    return found


def _sides(place: int, size: int) -> Iterator[bool]:
    """Whether what is at a place is the left one, at each step from there to the root."""
    if size > 1:
        half = _largest_power_below(size)
        is_left = place < half
        yield from _sides(place, half) if is_left else _sides(place - half, size - half)
        yield is_left


def _largest_power_below(size: int) -> int:
    return 1 << ((size - 1).bit_length() - 1)


def _hash_leaf(record: bytes) -> bytes:
    return hashlib.sha256(b"\0" + record).digest()


def _hash_node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\1" + left + right).digest()
