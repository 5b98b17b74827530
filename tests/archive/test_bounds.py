"""A strange file is refused in a sentence, and at once: everything in it is bounded before it is used."""

import io
import json
import time
import zipfile
from pathlib import Path

import pytest

from engine.kernel.dice import MOST_SIDES, Hmac
from pbem.archive import container
from pbem.archive.container import MANIFEST, NotAnArchive, read
from pbem.archive.contents import parse
from pbem.archive.verify import BROKEN, verify
from pbem.service.records import archive
from tests.service.hall import build, seated


def packed(**members: bytes) -> bytes:
    """A file with these bytes as its members."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as file:
        for name, content in members.items():
            file.writestr(f"{name}.jsonl", content)
    return out.getvalue()


@pytest.mark.parametrize("sides", [0, -1, MOST_SIDES + 1, 1 << 65, 10**400])
def test_a_draw_of_no_such_die_is_refused(sides: int) -> None:
    """A die with no sides, or with more than the numbers drawn from, raises instead of going on for ever."""
    with pytest.raises(ValueError, match="outcomes"):
        Hmac(b"seed", b"luck").die("a", sides)
    assert 1 <= Hmac(b"seed", b"luck").die("a", MOST_SIDES) <= MOST_SIDES


@pytest.mark.parametrize(
    "line",
    [
        rb'"\ud800"',
        rb'{"\udfff":1}',
        rb'["\ud83d"]',
        b'"\xed\xa0\x80"',
        b"\xff",
        b"9" * 5_000,
        b"9" * 20,
        b"-" + b"9" * 19,
        b"1.5",
        b"1e9",
        b"NaN",
        b"Infinity",
        b"[" * 100_000,
        b'{"a":1,"a":2}',
        b"[1, 2]",
        b"",
    ],
    ids=repr,
)
def test_a_line_that_no_file_has_is_refused_in_a_sentence(line: bytes) -> None:
    """Lone surrogates, broken text, endless numbers and depths, and other spellings: a sentence, and no traceback."""
    for member in ("manifest", "entries", "press"):
        blob = packed(**{"manifest": b"{}\n", member: line + b"\n"})
        with pytest.raises(NotAnArchive, match=r"\.$"):
            read(blob)
        verdict = verify(blob)
        assert verdict.code == BROKEN
        assert verdict.findings[0].faults[0].endswith(".")


def test_millions_of_lines_are_refused_before_they_are_read() -> None:
    """More lines than any game has cost no more than their count."""
    blob = packed(manifest=b"{}\n", press=b"1\n" * 3_000_000)
    begun = time.process_time()
    with pytest.raises(NotAnArchive, match="more or longer lines"):
        read(blob)
    assert time.process_time() - begun < 5


def test_the_bounds_leave_room_for_every_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """A member at the bound is read; one line more, or a longer one, is not."""
    monkeypatch.setattr(container, "MOST_LINES", 3)
    monkeypatch.setattr(container, "LONGEST_LINE", 8)
    good = container.build({MANIFEST: ({},), "press.jsonl": (1, "123456", 3)})
    assert read(good)["press.jsonl"] == (1, "123456", 3)
    for lines in ((1, 2, 3, 4), ("1234567",)):
        with pytest.raises(NotAnArchive, match="more or longer lines"):
            read(container.build({MANIFEST: ({},), "press.jsonl": lines}))
    assert json.loads(container.canonical((1 << 63) - 1)) == (1 << 63) - 1


def test_a_manifest_that_names_endless_entries_is_refused(tmp_path: Path) -> None:
    """The number of entries is compared with those that are there before one is made of it."""
    hall = build(tmp_path)
    game = seated(hall, "toy", 2)
    members = dict(read(archive.export(hall.play, game)))
    members[MANIFEST] = ({**members[MANIFEST][0], "entries": 10**17},)
    with pytest.raises(NotAnArchive, match="entries"):
        parse(container.build(members))
