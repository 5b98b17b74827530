"""A strange file is refused in a sentence, and at once: everything in it is bounded before it is used."""

import io
import json
import lzma
import random
import subprocess
import sys
import time
import zipfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import engine
from engine.kernel.codec import load
from engine.kernel.dice import MAX_SIDES, HmacDraws
from engine.kernel.run import fold
from pbem.archive import container, replay
from pbem.archive import verify as verifying
from pbem.archive.container import MANIFEST, RECORDS, NotAnArchive, read_container, to_canonical_json
from pbem.archive.contents import TOO_MUCH, archive_of, parse
from pbem.archive.replay import find_difference
from pbem.archive.verify import BROKEN, VerificationReport, verify
from pbem.cli.record import archive as command
from pbem.common.cpu_budget import BudgetExceeded, hard_limit
from pbem.service.archive import files
from tests.archive.files import finished
from tests.archive.mutated_archives import mutated
from tests.budget import budget
from tests.saves.make_archives import HERE
from tests.service.server_fixtures import GAME_TYPES, build, start_game
from tests.toy.rules import Toy


def packed(**members: bytes) -> bytes:
    """A file with these bytes as its members."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as file:
        for name, content in members.items():
            file.writestr(f"{name}.jsonl", content)
    return out.getvalue()


def test_a_draw_of_no_such_die_is_refused() -> None:
    """A die with no sides, or with more than the numbers drawn from, raises instead of going on for ever."""
    for sides in (0, -1, MAX_SIDES + 1, 1 << 65, 10**400):
        with pytest.raises(ValueError, match="outcomes"):
            HmacDraws(b"seed", b"luck").roll("a", sides)
    assert 1 <= HmacDraws(b"seed", b"luck").roll("a", MAX_SIDES) <= MAX_SIDES


SURROGATES = (rb'"\ud800"', rb'{"\udfff":1}', rb'["\ud83d"]', b'"\xed\xa0\x80"', b"\xff")
NUMBERS = (b"9" * 5_000, b"9" * 20, b"-" + b"9" * 19, b"1.5", b"1e9", b"NaN", b"Infinity")
FORMS = (b"[" * 100_000, b'{"a":1,"a":2}', b"[1, 2]", b"")


def test_a_line_that_no_file_has_is_refused_in_a_sentence() -> None:
    """Lone surrogates, broken text, endless numbers and depths, and other spellings: a sentence, and no traceback."""
    for line in (*SURROGATES, *NUMBERS, *FORMS):
        for member in ("manifest", "entries", "press"):
            blob = packed(**{"manifest": b"{}\n", member: line + b"\n"})
            with pytest.raises(NotAnArchive, match=r"\.$"):
                read_container(blob)
            verdict = verify(blob)
            assert verdict.code == BROKEN, line
            assert verdict.claims[0].faults[0].endswith(".")


def test_millions_of_lines_are_refused_before_they_are_read() -> None:
    """More lines than any game has cost no more than their count."""
    blob = packed(manifest=b"{}\n", press=b"1\n" * 3_000_000)
    begun = time.process_time()
    with pytest.raises(NotAnArchive, match="more or longer lines"):
        read_container(blob)
    assert time.process_time() - begun < 5


def test_the_bounds_leave_room_for_every_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """A member at the bound is read; one line more, or a longer one, is not."""
    monkeypatch.setattr(container, "MAX_LINES", 3)
    monkeypatch.setattr(container, "LONGEST_LINE", 8)
    good = container.build_container({MANIFEST: ({},), "press.jsonl": (1, "123456", 3)})
    assert read_container(good)["press.jsonl"] == (1, "123456", 3)
    for lines in ((1, 2, 3, 4), ("1234567",)):
        with pytest.raises(NotAnArchive, match="more or longer lines"):
            read_container(container.build_container({MANIFEST: ({},), "press.jsonl": lines}))
    assert json.loads(container.to_canonical_json((1 << 63) - 1)) == (1 << 63) - 1


def test_a_manifest_that_names_endless_entries_is_refused(tmp_path: Path) -> None:
    """The number of entries is compared with those that are there before one is made of it."""
    harness = build(tmp_path)
    game = start_game(harness, "toy", 2)
    members = dict(read_container(files.export_game(harness.resolver, game)))
    members[MANIFEST] = ({**members[MANIFEST][0], "entries": 10**17},)
    with pytest.raises(NotAnArchive, match="entries"):
        parse(container.build_container(members))


# --- what a file makes the rules do


@pytest.fixture
def whole() -> bytes:
    """The file of a finished game."""
    return finished()[0]


def faults(verdict: VerificationReport) -> dict[str, tuple[str, ...]]:
    """What speaks against each claim that does not hold."""
    return {finding.claim: finding.faults for finding in verdict.claims if finding.faults}


class Endless(Toy):
    """Rules that never come to an end with a question."""

    def resolve(self, *_: Any, **__: Any) -> None:
        """Go on for ever."""
        while True:
            pass


class Boundless(Toy):
    """Rules that never come to an end with a fact."""

    def apply(self, *_: Any, **__: Any) -> None:
        """Go on for ever."""
        while True:
            pass


def test_an_entry_that_takes_too_much_work_is_given_up(whole: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """The entry is named, those after it are left, and all other claims are looked at."""
    monkeypatch.setattr(replay, "ENTRY_S", 0.05)
    found = faults(verify(whole, "", {"toy": Endless()}))
    assert set(found) == {"adjudication"}
    first, rest = found["adjudication"]
    assert first.startswith("Entry 2 (")
    assert first.endswith("it takes more work than any entry of a game.")
    assert rest == "The entries after it are not told again."


def test_a_file_that_takes_too_much_work_is_given_up(whole: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Facts that never add up end their claim in a sentence; a whole file has a budget, whatever it is spent on."""
    for module in (replay, verifying):
        monkeypatch.setattr(module, "ENTRY_S", 0.05)
    assert faults(verify(whole, "", {"toy": Boundless()}))["fold"] == (TOO_MUCH,)
    monkeypatch.setattr(verifying, "FILE_S", 0.0)
    begun = time.process_time()
    found = faults(verify(whole, "", {"toy": Endless()}))
    assert time.process_time() - begun < 5
    assert found["adjudication"]
    assert {sentence for claim, said in found.items() if claim != "adjudication" for sentence in said} <= {TOO_MUCH}


def test_a_command_that_looks_at_files_has_bounded_memory() -> None:
    """What asks for more gets an error of its own, not the machine's last page."""
    limited = "from pbem.common import cpu_budget\ncpu_budget.MOST_MEMORY = 1 << 30\nwith cpu_budget.limit_memory()"
    code = f"{limited}: bytes(1 << 31)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert found.stderr.rstrip().endswith("MemoryError")
    code = f"{limited}: pass\nbytes(1 << 31)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_file_that_takes_too_much_memory_is_given_up(whole: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is a sentence wherever it happens."""

    def no_memory(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(verifying, "fold", no_memory)
    assert faults(verify(whole, "", GAME_TYPES)) == {"fold": (TOO_MUCH,)}
    monkeypatch.setattr(container, "read_container", no_memory)
    assert faults(verify(whole, "", GAME_TYPES)) == {"container": (TOO_MUCH,)}


def test_few_bytes_do_not_stand_for_many(whole: bytes) -> None:
    """A seat is told each event once: places of a large one are not taken a million times."""
    members = read_container(whole)
    large = json.loads(to_canonical_json(members[RECORDS][1]))
    large["record"]["events"][0] = "x" * 200_000
    for told in large["parts"].values():
        told[:] = [0] * 200_000
    altered = {**members, RECORDS: (members[RECORDS][0], large, *members[RECORDS][2:])}
    begun = time.process_time()
    found = faults(verify(container.build_container(altered), "", GAME_TYPES))
    assert "more often of something than it happened" in found["parts"][0]
    assert time.process_time() - begun < 20


OTHERS: tuple[object, ...] = ([], {}, 7, None, True)
MISTAKEN: tuple[tuple[str, object], ...] = (
    *((name, value) for name in ("rules", "game", "title", "state", "rules_version") for value in OTHERS),
    ("options", {"a": []}),
    ("options", []),
    ("entries", True),
    ("created_at", "x"),
    ("ended_at", []),
)


def test_a_manifest_of_other_types_is_refused(whole: bytes) -> None:
    """Whatever stands where a name or a number should, the container is refused in a sentence."""
    members = read_container(whole)
    for name, value in MISTAKEN:
        verdict = verify(
            container.build_container({**members, MANIFEST: ({**members[MANIFEST][0], name: value},)}), "", GAME_TYPES
        )
        assert list(faults(verdict)) == ["container"], (name, value)


def test_words_of_a_file_do_not_command_the_terminal(whole: bytes, tmp_path: Path) -> None:
    """What a sentence quotes of the file has no control characters, and an end."""
    members = read_container(whole)
    for name in ("format", "rules"):
        path, said = tmp_path / "game.zip", {name: "\x1b[2J" + "x" * 10_000}
        path.write_bytes(container.build_container({**members, MANIFEST: ({**members[MANIFEST][0], **said},)}))
        printed = CliRunner().invoke(command, ["verify", str(path)]).output
        assert "\x1b" not in printed
        assert len(max(printed.splitlines(), key=len)) < 1_000


def test_what_is_given_with_a_file_is_bounded_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file beyond the bound is not read to its end, and a receipt may stand on one line, however long."""
    path = tmp_path / "large.zip"
    path.write_bytes(b"x" * 2_000)
    monkeypatch.setattr(container, "MAX_BYTES", 1_000)
    found = CliRunner().invoke(command, ["verify", str(path)])
    assert found.exit_code == BROKEN
    assert "larger than 1000 bytes" in found.output
    for receipt in ("pbem receipt 1: " + "x" * 2_000, "x" * 300, "\u00e9" * 4_000):
        found = CliRunner().invoke(command, ["verify", str(path), "--receipt", receipt])
        assert "No receipt was found" in found.output
        assert isinstance(found.exception, SystemExit)


# --- files changed at random


def test_a_file_changed_at_random_is_told_in_sentences(whole: bytes) -> None:
    """Whatever is changed in its lines: no traceback, no hang, and a sentence for each thing that does not fit."""
    members, chance = read_container(whole), random.Random(11)
    plain = {name: tuple(json.loads(to_canonical_json(line)) for line in lines) for name, lines in members.items()}
    begun = time.process_time()
    for _ in range(budget(12, 600)):
        name = chance.choice([name for name, lines in plain.items() if lines])
        lines, row = list(plain[name]), chance.randrange(len(plain[name]))
        lines[row] = mutated(lines[row], chance)
        verdict = verify(container.build_container({**plain, name: tuple(lines)}), "", GAME_TYPES)
        assert all(said.endswith(".") for finding in verdict.claims for said in finding.faults)
    assert time.process_time() - begun < 120


def test_a_position_changed_at_random_ends_by_itself() -> None:
    """The rules of every game take any position and any orders: they come to an end, with an entry or an error."""
    for seed, path in enumerate(sorted(HERE.glob("*.zip.xz"))):
        replay_from_anywhere(path, seed, times=budget(12, 3_000))


def replay_from_anywhere(path: Path, seed: int, times: int) -> None:
    """Tell entries of a kept file again from changed positions, with changed records."""
    book, chance = archive_of(read_container(lzma.decompress(path.read_bytes()))), random.Random(seed)
    rules = engine.GAMES[book.manifest.rules]
    for _ in range(times):
        number = chance.randrange(2, book.manifest.entries + 1)
        lines = [book.snapshots[number - 2], book.wholes[number - 1].plain]
        changed = chance.choice((0, 0, 1))
        lines[changed] = mutated(json.loads(to_canonical_json(lines[changed])), chance)
        begun = time.process_time()
        with hard_limit(replay.ENTRY_S):
            try:
                before, record = (load(to_canonical_json(line)) for line in lines)
                find_difference(rules, before, record, before)
                fold(rules, before, record.events)
            except BudgetExceeded:
                raise
            except Exception:  # noqa: BLE001 - a claim turns any error into a sentence
                pass
        assert time.process_time() - begun < replay.ENTRY_S / 2, (path.name, seed, number)
