"""Looking for words where they must not be: in files, whatever coding hides them."""

import base64
import quopri
import random
import zlib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.bilingual import words
from tests.service.server_fixtures import forget_saved_states
from tests.toy import board

LONGEST_INFLATED = 8192
LETTERS_OF_WORDS = "bcdfghjklmnpqrstvwxz"


def word(dice: random.Random) -> str:
    """A word that stands nowhere by chance; with an accent, so that quoting changes it."""
    return "".join(dice.choice(LETTERS_OF_WORDS) for _ in range(12)) + "é"


def renamed_cards(patch: pytest.MonkeyPatch, dice: random.Random) -> dict[str, str]:
    """Call all cards of the smallest game by random words; which word stands for which."""
    names = {old: word(dice) for old in board.CARDS}
    for table in (board.SHIELDS, board.WARES, board.CARDS):
        before = list(table.items())
        for key, _ in reversed(before):  # taken back the other way round, so that they stand in their order again
            patch.delitem(table, key)
        for key, value in before:
            shown = words(names[key], names[key])
            patch.setitem(table, names[key], (value[0], shown) if isinstance(value, tuple) else shown)
    forget_saved_states(patch)
    return names


@cache
def codings(word: str) -> tuple[bytes, ...]:
    """A word as it may stand in bytes: plain, UTF-16, hex, quoted-printable, base64 at each of its three places."""
    return tuple(filter(None, _codings(word)))


def _codings(word: str) -> Iterator[bytes]:
    for text in {word, word.upper(), word.lower()}:
        plain = text.encode()
        yield plain
        yield text.encode("utf-16-le")
        yield text.encode("utf-16-be")
        yield plain.hex().encode()
        yield plain.hex().upper().encode()
        yield quopri.encodestring(plain)
        for shift in range(3):
            coded = base64.b64encode(b"\0" * shift + plain)
            yield coded[-(-shift * 4 // 3) : len(coded) - 4].rstrip(b"=")


def inflated(blob: bytes) -> Iterator[bytes]:
    """Whatever begins anywhere in these bytes as a zlib or gzip stream, or as a bare deflated one."""
    for start in range(len(blob)):
        head = blob[start : start + 2]
        if head in (b"\x78\x01", b"\x78\x5e", b"\x78\x9c", b"\x78\xda", b"\x1f\x8b"):
            yield _inflated(blob[start:], 47)
        elif head and head[0] & 6 in (2, 4):  # a first block with fixed or its own codes
            yield _inflated(blob[start : start + 2048], -15)


def _inflated(blob: bytes, wbits: int) -> bytes:
    try:
        return zlib.decompressobj(wbits).decompress(blob, LONGEST_INFLATED)
    except zlib.error:
        return b""


def found_in(blob: bytes, words: Iterable[str], *, deep: bool = False) -> set[str]:
    """Which of the words stand in these bytes; `deep`: in what can be inflated from any place of them as well."""
    patterns = {word: codings(word) for word in words}
    places = [blob, *(text for text in inflated(blob) if len(text) > 8)] if deep else [blob]
    return {word for word, ways in patterns.items() if any(way in place for place in places for way in ways)}


def files(folder: Path) -> dict[str, bytes]:
    """Everything below a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
