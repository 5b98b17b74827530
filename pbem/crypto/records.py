"""Positions, journal and views at rest, bound to their game, entry and kind.

Filling and compression.  Every record is filled to steps, so its length tells no card by the length of its
name. Compression before encryption shrinks a repeated word: where one blob holds both somebody's secret and
words that a player chose (a LUCK line, a message, a quoted letter), a reader of lengths in the database
could try words until the blob gets shorter.  So `compress` is the caller's promise that the plain text holds
no words chosen by a player, as in a snapshot made of the game's own names and numbers; journal kinds with
free text leave it off, or name the part of them that holds none.

A seat's view is nearly what everybody may see: it is compressed beside that, which its readers have too.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

from pbem.crypto.encoding import Reader, TamperedError, encode_tuple, pad, unpad
from pbem.crypto.keys import (
    RESOLVER_ONLY,
    PositionKey,
    SigningKey,
    SymmetricRing,
    VerifyKeys,
    ViewKey,
)

ENTRY_STEP, DEFLATED_STEP = 1024, 512
_PLAIN, _DEFLATED, _BESIDE, _PARTLY = b"\0", b"\1", b"\2", b"\3"
_ALONE, _WITH_ANOTHER = "pbem view 1", "pbem view beside another 1"
_IN_PARTS = "pbem parts 1"
_WINDOW = 1 << 15  # so much of another text deflate looks back on
_LEVEL = 3  # most of the gain for states of some ten kilobytes, at a third of the time of level 6


def seal_entry(
    key: PositionKey,
    game: str,
    entry: int,
    kind: str,
    plain: bytes,
    *,
    compress: bool = False,
    wordless: bytes = b"",
    opened: bool = False,
) -> bytes:
    """Encrypt one part of a journal entry; `kind` names the part (position, events, draws, answers …).

    `wordless`: a stretch of the plain text of which alone `compress` could be promised.  `opened`: nothing in it is
    secret any more: it is kept as small as can be.
    """
    content = _compress_part(plain, wordless) if wordless else _compress(plain, compress, opened)
    return key.encrypt("entry", encode_tuple("pbem entry 1", game, entry, kind), content)


def unseal_entry(key: PositionKey, game: str, entry: int, kind: str, blob: bytes) -> bytes:
    """Open what `seal_entry` made for the same game, entry and kind; else `TamperedError`."""
    return _decrypt(key, "entry", encode_tuple("pbem entry 1", game, entry, kind), blob)


@dataclass(frozen=True)
class ViewContext:
    """Whose view, of which entry, and which part: the redacted position, the redacted events …

    `viewer` is a seat's name or the public's; `holder` is the number of the person who held the seat then, 0 if nobody.
    """

    game: str
    entry: int
    viewer: str
    kind: str
    holder: int = 0

    def to_bytes(self) -> bytes:
        """What is bound into seal and signature."""
        return encode_tuple("pbem view context 1", self.game, self.entry, self.viewer, self.kind, self.holder)


@dataclass(frozen=True)
class View:
    """What one viewer may see of one place, before it is sealed.

    `compress`: it holds no words that a player chose.  `base`: a text much like this one, free of players' words too,
    that is needed again to open it.  `base_plain`: nothing in it is secret any more.
    """

    context: ViewContext
    plain: bytes = field(repr=False)
    compress: bool = False
    base: bytes = field(default=b"", repr=False)
    base_plain: bool = False


def seal_view(
    key: ViewKey, signing: SigningKey, context: ViewContext, plain: bytes, *, compress: bool = False
) -> bytes:
    """Encrypt what one viewer may see, and sign it: its readers hold the key too, and must not write any."""
    return seal_views(key, signing, [View(context, plain, compress)])[0]


def seal_views(key: ViewKey, signing: SigningKey, views: Sequence[View], *, apart: bool = False) -> list[bytes]:
    """The same for several views, which are signed together; each is opened and believed by itself.

    `apart`: each is signed by itself, which takes longer and is smaller.
    """
    encode = cache(_encode_content)  # what several viewers see alike is compressed once
    contents = [encode(view.plain, view.base, view.compress, view.base_plain) for view in views]
    boxes = [key.encrypt("view", v.context.to_bytes(), content) for v, content in zip(views, contents, strict=True)]
    places = [_signed_bytes(view.context, box) for view, box in zip(views, boxes, strict=True)]
    signatures = [signing.sign("view", place) for place in places] if apart else signing.sign_batch("view", places)
    parts = zip(views, boxes, signatures, strict=True)
    return [encode_tuple(_WITH_ANOTHER if view.base else _ALONE, box, signed) for view, box, signed in parts]


def _encode_content(plain: bytes, base: bytes, compress: bool, opened: bool) -> bytes:
    return _compress_with_base(plain, base, opened) if base else _compress(plain, compress, opened)


def is_delta_encrypted(blob: bytes) -> bool:
    """Return True if another text is needed to open a view."""
    return blob.startswith(encode_tuple(_WITH_ANOTHER))


def unseal_view(key: ViewKey, verify: VerifyKeys, context: ViewContext, blob: bytes, beside: bytes = b"") -> bytes:
    """Open a view that a resolver made for this place, with the text that it was sealed beside; else
    `TamperedError`.
    """
    reader = Reader("view", _WITH_ANOTHER if is_delta_encrypted(blob) else _ALONE, blob)
    box, signed = reader.blob(), reader.blob()
    reader.expect_end()
    verify.verify("view", _signed_bytes(context, box), signed, RESOLVER_ONLY)
    return _decrypt(key, "view", context.to_bytes(), box, beside)


def _signed_bytes(context: ViewContext, box: bytes) -> bytes:
    return encode_tuple("pbem view place 1", context.to_bytes(), box)


def _compress(plain: bytes, compress: bool, opened: bool) -> bytes:
    if compress or opened:
        level, step = _compressed_size(opened)
        return pad(_DEFLATED + zlib.compress(plain, level), step)
    return pad(_PLAIN + plain, ENTRY_STEP)


def _compressed_size(opened: bool) -> tuple[int, int]:
    """How hard to compress, and to what steps to fill."""
    return (9, 1) if opened else (_LEVEL, DEFLATED_STEP)


def _compress_with_base(plain: bytes, another: bytes, opened: bool) -> bytes:
    level, step = _compressed_size(opened)
    deflater = zlib.compressobj(level, zdict=another[-_WINDOW:])
    return pad(_BESIDE + deflater.compress(plain) + deflater.flush(), step)


def _compress_part(plain: bytes, wordless: bytes) -> bytes:
    before, found, after = plain.partition(wordless)
    return pad(_PARTLY + encode_tuple(_IN_PARTS, before, zlib.compress(found, _LEVEL), after), ENTRY_STEP)


def _decrypt(key: SymmetricRing, what: str, context: bytes, box: bytes, beside: bytes = b"") -> bytes:
    content = unpad(what, key.decrypt(what, context, box))
    how, inside = content[:1], content[1:]
    if how == _PLAIN:
        return inside
    try:
        if how == _PARTLY:
            return _decompress_part(what, inside)
        return _decompress(inside, beside) if how == _BESIDE else zlib.decompress(inside)
    except zlib.error:
        raise TamperedError(what, "its inside is not as it was sealed") from None


def _decompress_part(what: str, parts: bytes) -> bytes:
    reader = Reader(what, _IN_PARTS, parts)
    before, found, after = reader.blob(), reader.blob(), reader.blob()
    reader.expect_end()
    return before + zlib.decompress(found) + after


def _decompress(inside: bytes, another: bytes) -> bytes:
    inflater = zlib.decompressobj(zdict=another[-_WINDOW:])
    return inflater.decompress(inside) + inflater.flush()
