"""Finding words in bytes, whatever they were wrapped in.

All words looked for begin with the same mark, so that what holds no mark need not be searched for each of them.
"""

import base64
import hashlib
import re
import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

MARK: Final = "qzvxj"
"""Letters that no word of any language begins with; as many as make even a part of base64 rare."""
RAW_LIMIT: Final = 32 * 1024
"""Up to this size, headless deflate is tried at each offset; beyond it, only where a zlib head stands."""
OUT_LIMIT: Final = 4 * 1024 * 1024


def found_in(data: bytes, words: Iterable[str], *, deep: bool = True) -> set[str]:
    """Those of the words that stand in the bytes: plain, quoted-printable, hex, base64, UTF-16, or deflated."""
    wanted = frozenset(words)
    found = _in_plain(data, wanted)
    if deep:
        for inner in _inflated(data):
            found |= _in_plain(inner, wanted)
    return found


def _in_plain(data: bytes, wanted: frozenset[str]) -> set[str]:
    lower = data.lower()
    found: set[str] = set()
    if b"=\n" in lower or b"=\r\n" in lower:
        lower += re.sub(rb"=\r?\n", b"", lower)
    if MARK.encode() in lower:
        found |= {word for word in wanted if word.encode() in lower}
    for wide in ("utf-16-le", "utf-16-be"):
        if MARK.encode(wide) in lower:
            found |= {word for word in wanted if word.encode(wide) in lower}
    if any(case.encode().hex().encode() in lower for case in _cases(MARK)):
        found |= {word for word in wanted for case in _cases(word) if case.encode().hex().encode() in lower}
    return found | _in_base64(data, wanted)


def _cases(word: str) -> tuple[str, ...]:
    return (word, word.capitalize(), word.upper())


def _in_base64(data: bytes, wanted: frozenset[str]) -> set[str]:
    """Base64 at each of the three alignments, of UTF-8 and of UTF-16; line breaks and both alphabets do not count."""
    flat = re.sub(rb"[\r\n]+", b"", data).replace(b"-", b"+").replace(b"_", b"/")
    shapes = [(case, wide) for case in _cases(MARK) for wide in ("utf-8", "utf-16-le", "utf-16-be")]
    if not any(shape in flat for case, wide in shapes for shape in _shapes(case.encode(wide))):
        return set()
    return {
        word
        for word in wanted
        for case in _cases(word)
        for wide in ("utf-8", "utf-16-le", "utf-16-be")
        if any(shape in flat for shape in _shapes(case.encode(wide)))
    }


def _shapes(plain: bytes) -> Iterator[bytes]:
    """What is sure to stand in base64 of any text that holds these bytes."""
    for before in range(3):
        coded = base64.b64encode(b"\0" * before + plain)
        yield coded[-(-before * 8 // 6) : (before + len(plain)) * 8 // 6]


_HEADS: Final = re.compile(
    b"\x1f\x8b|"
    + b"|".join(
        re.escape(bytes((first, second)))
        for first in range(0x08, 0x80, 0x10)
        for second in range(256)
        if (first * 256 + second) % 31 == 0
    )
)
"""How gzip and zlib begin (RFC 1952 §2.3.1, RFC 1950 §2.2)."""


def _inflated(data: bytes) -> Iterator[bytes]:
    """What comes out where deflated data may begin: at each zlib or gzip head, and in small data anywhere."""
    rest = memoryview(data)  # a file of megabytes has thousands of heads: what follows each is not copied
    for head in _HEADS.finditer(data):
        yield from _opened(rest[head.start() :], 47)
    if len(data) <= RAW_LIMIT:
        for at in range(len(data)):
            yield from _opened(rest[at:], -15)


def _opened(data: bytes | memoryview, window: int) -> Iterator[bytes]:
    """What an inflater makes of data that may be none: nothing, or at least a word's length."""
    inflater = zlib.decompressobj(window)
    made = bytearray()
    try:
        for start in range(0, len(data), 256):
            made += inflater.decompress(data[start : start + 256], OUT_LIMIT)
            if inflater.eof or len(made) > OUT_LIMIT:
                break
    except zlib.error:
        pass
    if len(made) > len(MARK):
        yield bytes(made)


def cells(database: Path) -> Iterator[bytes]:
    """Every value of every table, by itself: what a compressed value holds begins near its first byte."""
    line = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    try:
        for name in [row[0] for row in line.execute("select name from sqlite_master where type = 'table'")]:
            for row in line.execute(f'select * from "{name}"'):
                yield from (bytes(v) if isinstance(v, bytes) else v.encode() for v in row if isinstance(v, bytes | str))
    finally:
        line.close()


class Search:
    """Looks for words that must not be read; what was searched once and has not changed is not searched again.

    `known`: every word there is. A word is added before it is used, so what is older cannot hold it.
    """

    def __init__(self, known: Iterable[str]) -> None:
        self.known = set(known)
        self._found: dict[bytes, frozenset[str]] = {}

    def within(self, data: bytes, *, deep: bool = True) -> frozenset[str]:
        """All known words that the data hold."""
        mark = hashlib.sha256(data).digest()
        if mark not in self._found:
            self._found[mark] = frozenset(found_in(data, self.known, deep=deep))
        return self._found[mark]

    def within_cell(self, data: bytes) -> frozenset[str]:
        """All known words in one value of a database, which may be deflated behind a short head."""
        mark = hashlib.sha256(b"cell" + data).digest()
        if mark not in self._found:
            inside = (made for at in range(min(8, len(data))) for made in _opened(data[at:], -15))
            self._found[mark] = frozenset(word for made in (data, *inside) for word in found_in(made, self.known))
        return self._found[mark]

    def files(self, folder: Path, leave_out: frozenset[str] = frozenset()) -> dict[str, frozenset[str]]:
        """The files below a folder that hold words, with which; `leave_out` names folders not looked into."""
        found: dict[str, frozenset[str]] = {}
        for path in sorted(p for p in folder.rglob("*") if p.is_file()):
            place = path.relative_to(folder)
            if place.parts[0] in leave_out:
                continue
            here = self.within(path.read_bytes()) | self.within(str(place).encode())
            if path.suffix == ".sqlite3":
                here = here.union(*map(self.within_cell, cells(path)))
            if here:
                found[str(place)] = here
        return found
