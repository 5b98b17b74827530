"""Finding words in bytes, whatever they were wrapped in.

All words looked for begin with the same mark, so that what holds no mark need not be searched for each of them.
"""

import base64
import re
import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

MARK: Final = "qzvx"
"""Four letters that no word of any language begins with."""
RAW_LIMIT: Final = 256 * 1024
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
    if MARK.encode().hex().encode() in lower or MARK.upper()[:1].encode().hex().encode() in lower:
        plain = (word for word in wanted for form in _cases(word) if form.encode().hex().encode() in lower)
        found |= set(plain)
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
        sure = (before + len(plain)) // 3 * 4
        yield coded[4 if before else 0 : sure]


def _inflated(data: bytes) -> Iterator[bytes]:
    """What comes out where deflated data may begin: at each zlib or gzip head, and in small data anywhere."""
    for at in (match.start() for match in re.finditer(rb"[\x08-\x78\x1f]", data)):
        head = data[at : at + 2]
        if head == b"\x1f\x8b" or (len(head) == 2 and head[0] & 15 == 8 and int.from_bytes(head, "big") % 31 == 0):
            yield from _opened(data[at:], 47)
    if len(data) <= RAW_LIMIT:
        for at in range(len(data)):
            yield from _opened(data[at : at + RAW_LIMIT], -15)


def _opened(data: bytes, window: int) -> Iterator[bytes]:
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
    """Every value of every table, by itself: what a compressed value holds begins at its first byte."""
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as line:
        names = [row[0] for row in line.execute("select name from sqlite_master where type = 'table'")]
        for name in names:
            for row in line.execute(f'select * from "{name}"'):
                yield from (bytes(v) if isinstance(v, bytes) else str(v).encode() for v in row if v is not None)
    line.close()


def files_with(folder: Path, words: Iterable[str], leave_out: frozenset[str] = frozenset()) -> dict[str, set[str]]:
    """The files below a folder that hold any of the words, with which; `leave_out` names folders not looked into."""
    wanted = frozenset(words)
    found: dict[str, set[str]] = {}
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        place = path.relative_to(folder)
        if place.parts[0] in leave_out:
            continue
        here = found_in(path.read_bytes(), wanted) | found_in(str(place).encode(), wanted)
        if path.suffix == ".sqlite3":
            for cell in cells(path):
                here |= found_in(cell[:RAW_LIMIT], wanted, deep=False)
                here |= {w for at in range(8) for made in _opened(cell[at:], -15) for w in _in_plain(made, wanted)}
        if here:
            found[str(place)] = here
    return found
