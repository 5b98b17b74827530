"""Positions, journal and views at rest, bound to their game, entry and kind.

Filling and compression.  Every record is filled to steps, so its length tells no card by the length of its
name. Compression before encryption shrinks a repeated word: where one blob holds both somebody's secret and
words that a player chose (a LUCK line, a message, a quoted letter), a reader of lengths in the database
could try words until the blob gets shorter.  So `compress` is the caller's promise that the plain text holds
no words chosen by a player, as in a snapshot made of the game's own names and numbers; journal kinds with
free text leave it off.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass

from pbem.vault.fields import Reader, Tampered, pack, padded, unpadded
from pbem.vault.keys import ONLY_PLAY, PositionKey, SigningKey, SymmetricRing, VerifyKeys, ViewKey

ENTRY_STEP = 1024
_PLAIN, _DEFLATED = b"\0", b"\1"
_LEVEL = 3  # most of the gain for states of some ten kilobytes, at a third of the time of level 6


def seal_entry(key: PositionKey, game: str, entry: int, kind: str, plain: bytes, *, compress: bool = False) -> bytes:
    """Encrypt one part of a journal entry; `kind` names the part (position, events, draws, answers …)."""
    return _lock(key, "entry", pack("pbem entry 1", game, entry, kind), plain, compress)


def open_entry(key: PositionKey, game: str, entry: int, kind: str, blob: bytes) -> bytes:
    """Open what `seal_entry` made for the same game, entry and kind; else `Tampered`."""
    return _unlock(key, "entry", pack("pbem entry 1", game, entry, kind), blob)


@dataclass(frozen=True)
class ViewContext:
    """Whose view, of which entry, and which part: the redacted position, the redacted events …

    `viewer` is a seat's name or the public's.
    """

    game: str
    entry: int
    viewer: str
    kind: str

    def to_bytes(self) -> bytes:
        """What is bound into seal and signature."""
        return pack("pbem view context 1", self.game, self.entry, self.viewer, self.kind)


def seal_view(
    key: ViewKey, signing: SigningKey, context: ViewContext, plain: bytes, *, compress: bool = False
) -> bytes:
    """Encrypt what one viewer may see, and sign it: its readers hold the key too, and must not write any."""
    box = _lock(key, "view", context.to_bytes(), plain, compress)
    return pack("pbem view 1", box, signing.sign("view", _to_sign(context, box)))


def open_view(key: ViewKey, verify: VerifyKeys, context: ViewContext, blob: bytes) -> bytes:
    """Open a view that a play worker made for this place; else `Tampered`."""
    reader = Reader("view", "pbem view 1", blob)
    box, signed = reader.blob(), reader.blob()
    reader.done()
    verify.check("view", _to_sign(context, box), signed, ONLY_PLAY)
    return _unlock(key, "view", context.to_bytes(), box)


def _to_sign(context: ViewContext, box: bytes) -> bytes:
    return pack("pbem view place 1", context.to_bytes(), box)


def _lock(key: SymmetricRing, what: str, context: bytes, plain: bytes, compress: bool) -> bytes:
    content = _DEFLATED + zlib.compress(plain, _LEVEL) if compress else _PLAIN + plain
    return key.lock(what, context, padded(content, ENTRY_STEP))


def _unlock(key: SymmetricRing, what: str, context: bytes, box: bytes) -> bytes:
    content = unpadded(what, key.unlock(what, context, box))
    if content[:1] == _PLAIN:
        return content[1:]
    try:
        return zlib.decompress(content[1:])
    except zlib.error:
        raise Tampered(what, "its inside is not as it was sealed") from None
