"""The search for canary words finds them, however they were wrapped; a search that finds nothing proves nothing."""

import base64
import gzip
import quopri
import random
import sqlite3
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.canary.byte_search import MARK, Search, found_in

WORD = f"{MARK}malibuton"
TEXT = f"Some text before, then {WORD.capitalize()} and text behind it, é."


def raw_deflate(data: bytes) -> bytes:
    """Deflate without head or checksum."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


WRAPPERS: dict[str, Callable[[str], bytes]] = {
    "plain": lambda text: text.encode(),
    "upper": lambda text: text.upper().encode(),
    "base64": lambda text: base64.b64encode(text.encode()),
    "base64 in lines": lambda text: base64.encodebytes(text.encode() * 3),
    "base64 for addresses": lambda text: base64.urlsafe_b64encode(text.encode()),
    "quoted-printable": lambda text: quopri.encodestring(("x" * 65 + text).encode()),
    "UTF-16 little": lambda text: text.encode("utf-16-le"),
    "UTF-16 big": lambda text: text.encode("utf-16-be"),
    "base64 of UTF-16": lambda text: base64.b64encode(text.encode("utf-16-le")),
    "hex": lambda text: text.encode().hex().encode(),
    "HEX": lambda text: text.encode().hex().upper().encode(),
    "zlib": lambda text: zlib.compress(text.encode()),
    "gzip": lambda text: gzip.compress(text.encode()),
    "raw deflate": lambda text: raw_deflate(text.encode()),
}


@pytest.mark.parametrize("wrap", WRAPPERS.values(), ids=WRAPPERS.keys())
@given(before=st.binary(max_size=9), behind=st.binary(max_size=9), shift=st.integers(0, 3))
def test_a_wrapped_word_is_found(wrap: Callable[[str], bytes], before: bytes, behind: bytes, shift: int) -> None:
    """A word is found in any wrapping, at any alignment, whatever stands around it."""
    data = before + wrap("x" * shift + TEXT) + behind
    assert found_in(data, [WORD, f"{MARK}notthere"]) == {WORD}


def test_a_word_in_a_database_is_found(tmp_path: Path) -> None:
    """A word deflated into one cell of a database, or named in a file's name, is found; a folder left out is not."""
    with sqlite3.connect(tmp_path / "some.sqlite3") as line:
        line.execute("create table t (a text, b blob)")
        line.execute("insert into t values ('x', ?)", (b"\x01\x02" + raw_deflate(TEXT.encode()),))
    line.close()
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / f"{WORD}.log").write_bytes(b"")
    assert Search([WORD]).files(tmp_path, frozenset({"own"})) == {"some.sqlite3": {WORD}}
    assert set(Search([WORD]).files(tmp_path)) == {"some.sqlite3", f"own/{WORD}.log"}


@given(data=st.binary(max_size=2000))
def test_noise_holds_no_word(data: bytes) -> None:
    """Random bytes are searched without error and hold nothing."""
    assert found_in(random.Random(7).randbytes(100) + data, [WORD]) == set()
