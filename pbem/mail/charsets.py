"""Bytes to characters, and characters to plain ones: what clients do to a line, undone."""

from __future__ import annotations

import binascii
import codecs
import copy
import re
import unicodedata
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message

from pbem.common.text import to_one_line

_NOT_FOR_TEXT = frozenset(
    {"idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined", "utf_7", "mbcs", "oem"}
)
_WESTERN = frozenset({"ascii", "iso8859-1", "cp1252"})

_PLAIN = str.maketrans(
    {
        **dict.fromkeys("\t\u00a0\u1680\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B))), " "),
        **dict.fromkeys("\u2028\u2029\u0085\v\f", "\n"),
        **{chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)},
    }
)
_QUOTES_AND_DASHES = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u00b4\u02bc\u0060", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
        "\u2026": "...",
        "\u00d7": "x",
    }
)
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\ud800-\udfff\ufff0-\ufffb]"
)
# Nobody piles up more; putting endless piles in order would take for ever.
_COMBINING = "".join(re.escape(chr(code)) for code in range(0x300, 0x1F000) if unicodedata.combining(chr(code)))
_PILE = re.compile(f"([{_COMBINING}]{{8}})[{_COMBINING}]+")
_BULLET = re.compile(r"(?:[-*\u2022\u25e6\u25aa\u2023\u00b7]|\d{1,2}[.)])\s+(?=[*_]{0,3}[^\W\d_])")
_EMPHASIS = re.compile(r"([*_]{1,3})(?=\S)(.*\S)\1$")
_MOST_EMPHASIS = 4


def decode(raw: bytes, charset: str) -> tuple[str, bool]:
    """Text from bytes and the charset they claim; True beside it if the claim did not hold and we guessed."""
    codec = _find_codec(charset)
    if codec == "" or codec in _WESTERN:
        return _guess_charset(raw, codec)
    try:
        return raw.decode(codec), False
    except (UnicodeError, LookupError, ValueError):
        return _guess_charset(raw, "")[0], True


def to_bytes(part: Message) -> bytes:
    """The bytes of a part before their transfer encoding (RFC 2045 §6), as far as they can be had.

    The standard library looks at the charset on the way and raises on some:
    it is asked without the header that names one.
    """
    bare = copy.copy(part)
    del bare["Content-Type"]
    raw = bare.get_payload(decode=True)
    return raw if isinstance(raw, bytes) else b""


def _find_codec(charset: str) -> str:
    try:
        name = codecs.lookup(charset.strip("\"' ")).name
    except (LookupError, ValueError, TypeError):
        return ""
    return "" if name.replace("-", "_") in _NOT_FOR_TEXT else name


def _guess_charset(raw: bytes, codec: str) -> tuple[str, bool]:
    """UTF-8 if it is, else what Western clients mean by Latin-1; a claim of Latin-1 is taken at its word."""
    if codec in _WESTERN and codec != "ascii":
        return _decode_western(raw), False
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        return _decode_western(raw), True
    return text, not raw.isascii()


def _decode_western(raw: bytes) -> str:
    try:
        return raw.decode("cp1252")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def to_plain(text: str) -> str:
    """The same text in NFC, with one kind of blank and of line end and nothing that cannot be seen."""
    ended = text.replace("\r\n", "\n").replace("\r", "\n").translate(_PLAIN)
    seen = _INVISIBLE.sub("", ended)
    return seen if seen.isascii() else unicodedata.normalize("NFC", _PILE.sub(r"\1", seen))


def to_plain_line(line: str) -> str:
    """One line of an order letter without what a client adds: typographic quotes, dashes, list marks, emphasis."""
    bare = re.sub(r"\ufffd", "?", line.translate(_QUOTES_AND_DASHES)).strip()
    bare = _BULLET.sub("", bare, count=1) if _BULLET.match(bare) else bare
    for _ in range(_MOST_EMPHASIS):
        if not (emphasised := _EMPHASIS.match(bare)):
            break
        bare = emphasised.group(2).strip()
    return bare


def header_text(value: str, limit: int = 300) -> str:
    """A header as a reader sees it, on one line: encoded words decoded (RFC 2047), at most `limit` characters."""
    raw = value[: limit * 12]
    try:
        pieces = decode_header(raw)
    except (HeaderParseError, binascii.Error, ValueError, UnicodeError):
        pieces = [(raw, None)]
    text = "".join(_decode_piece(piece, charset) for piece, charset in pieces)
    return to_one_line(to_plain(text), limit)


def _decode_piece(piece: str | bytes, charset: str | None) -> str:
    if isinstance(piece, bytes) and charset:
        return decode(piece, charset)[0]
    raw = piece if isinstance(piece, bytes) else piece.encode("utf-8", "surrogateescape")
    return decode(raw, "")[0]


def unflow(text: str, delsp: bool = False) -> str:
    """Lines of a format=flowed text joined again (RFC 3676 §4.5), each paragraph at its own quote depth."""
    done: list[str] = []
    depth, held = 0, list[str]()

    def end() -> None:
        if held:
            done.append(_quote_depth(depth, "".join(held)))
            held.clear()

    for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        quoted, words = _unstuff(line)
        if quoted != depth or words == "-- ":
            end()
        depth, flows = quoted, words.endswith(" ") and words != "-- "
        held.append(words[:-1] if flows and delsp else words)
        if not flows:
            end()
    end()
    return "\n".join(done)


def _unstuff(line: str) -> tuple[int, str]:
    """The quote depth of a flowed line, and its words without the blank that was stuffed before them."""
    words = line.lstrip(">")
    depth = len(line) - len(words)
    return depth, words[1:] if words.startswith(" ") else words


def _quote_depth(depth: int, words: str) -> str:
    return f"{'>' * depth} {words}" if depth else words
