"""How this package writes several values into one string of bytes, and reads them back.

Everything that is signed, authenticated or hashed goes through `encode_tuple`: each value carries its kind and its
length, so two different lists of values never give the same bytes and nothing can slide from one field into
the next.  The first value is always a tag that names the format and its version.
"""

from __future__ import annotations

Part = str | int | bytes


class CryptoError(Exception):
    """Anything that this package refuses.  Its text never holds a key, a plain text or a part of one."""


class DecryptionError(CryptoError):
    """A record that could not be opened."""


class TamperedError(DecryptionError):
    """A record that was altered, moved, signed by nobody known, or sealed for another key."""

    def __init__(self, what: str, why: str) -> None:
        """`what` names the kind of record and `why` the check that failed; neither is content."""
        super().__init__(
            f"This {what} cannot be opened: {why}. Only a record that was left as it was sealed, "
            "in the place it was sealed for, can be."
        )
        self.what, self.why = what, why


class UnknownKey(DecryptionError):
    """A record under a key that this process does not hold: too old, too new, or of another role."""

    def __init__(self, what: str, name: str) -> None:
        """`name` is the public name of the key: its version, or the start of its public half's digest."""
        super().__init__(
            f"This {what} was sealed under key {name}, which this process does not hold. "
            "It opens where that key is still in the key file."
        )
        self.what, self.name = what, name


BYTES = b"b"
"""What `encode_tuple` writes before the length of bytes."""


def encode_tuple(tag: str, *parts: Part) -> bytes:
    """Write a tag and values, injectively.  Numbers are 0 .. 2^64-1; text is UTF-8.

    It is one loop: a letter's way through the server packs a thousand values.
    """
    written: list[bytes] = []
    for part in (tag, *parts):
        if isinstance(part, bytes):
            mark, content = BYTES, part
        elif isinstance(part, str):
            mark, content = b"s", _utf8(part)
        elif isinstance(part, bool) or not 0 <= part < 1 << 64:
            raise CryptoError("A number in a sealed record must lie between 0 and 2^64-1.")
        else:
            mark, content = b"n", part.to_bytes(8, "big")
        written += (mark, len(content).to_bytes(4, "big"), content)
    return b"".join(written)


def _utf8(text: str) -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        raise CryptoError("A name in a sealed record must be text that UTF-8 can write.") from None


class Reader:
    """Reads in order what `encode_tuple` wrote; anything unexpected is `TamperedError`, by the record's name alone."""

    def __init__(self, what: str, tag: str, blob: bytes) -> None:
        """Start reading `blob`, which must begin with `tag`."""
        self._what, self._blob, self._at = what, blob, 0
        if self._next(b"s") != tag.encode():
            raise self.error()

    def error(self) -> TamperedError:
        """What to raise when the form of the record is wrong."""
        return TamperedError(self._what, "it does not have the form of one")

    def _next(self, mark: bytes) -> bytes:
        head = self._blob[self._at : self._at + 5]
        if len(head) < 5 or head[:1] != mark:
            raise self.error()
        start = self._at + 5
        self._at = start + int.from_bytes(head[1:], "big")
        if self._at > len(self._blob):
            raise self.error()
        return self._blob[start : self._at]

    def blob(self, length: int | None = None) -> bytes:
        """The next value, bytes, of this length if one is given."""
        content = self._next(b"b")
        if length is not None and len(content) != length:
            raise self.error()
        return content

    def text(self) -> str:
        """The next value, text."""
        try:
            return self._next(b"s").decode("utf-8")
        except UnicodeDecodeError:
            raise self.error() from None

    def number(self) -> int:
        """The next value, a number."""
        content = self._next(b"n")
        if len(content) != 8:
            raise self.error()
        return int.from_bytes(content, "big")

    def expect_end(self) -> None:
        """Nothing may follow."""
        if self._at != len(self._blob):
            raise self.error()


def round_up(length: int, step: int) -> int:
    """A length rounded up to a whole number of steps."""
    return -(-length // step) * step


def pad(plain: bytes, step: int) -> bytes:
    """Fill up to a whole number of steps, so that the length of what is sealed tells little."""
    return (len(plain).to_bytes(4, "big") + plain).ljust(round_up(len(plain) + 4, step), b"\0")


def unpad(what: str, filled: bytes) -> bytes:
    """Undo `pad`; the filling must be zeros."""
    end = 4 + int.from_bytes(filled[:4], "big")
    if len(filled) < 4 or end > len(filled) or filled[end:].strip(b"\0"):
        raise TamperedError(what, "its filling is not as it was sealed")
    return filled[4:end]
