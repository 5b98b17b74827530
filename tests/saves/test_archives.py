"""Archives that earlier versions wrote stay readable, and prove what they proved when they were written."""

import lzma
from functools import cache
from pathlib import Path

import pytest

import engine
from pbem.archive.verify import PROVEN, TOLD_OTHERWISE, Verdict, verify
from tests.saves import MOST_BYTES
from tests.saves.make_archives import HERE, finished, path_of

FILES = sorted(HERE.glob("*.zip.xz"))
files = pytest.mark.parametrize("path", FILES, ids=[path.name for path in FILES])


@cache
def verdict(path: Path) -> Verdict:
    """What a file proves, looked at once."""
    return verify(lzma.decompress(path.read_bytes()), path.with_suffix(".root").read_text(encoding="ascii"))


def test_every_game_has_an_archive_of_its_version() -> None:
    """Each registered game has an archive for a release; `python -m tests.saves.make_archives` writes a missing one."""
    assert [name for name in engine.GAMES if not path_of(name).exists()] == []


@files
def test_a_kept_archive_proves_itself(path: Path) -> None:
    """Container, chain, commitments, seed, draws, fold and origin of every file that was ever kept hold for ever."""
    assert [finding for finding in verdict(path).findings if not finding.holds] == []


@files
def test_a_kept_archive_is_told_as_it_was(path: Path) -> None:
    """The present version tells its own archives and those that it goes on with word for word; of others it lists

    where it would tell them differently.
    """
    name, _, version = path.name.removesuffix(".zip.xz").rpartition("-")
    played = version in engine.rules(name).meta.plays
    assert verdict(path).code in ({PROVEN} if played else {PROVEN, TOLD_OTHERWISE})


@files
def test_a_kept_archive_is_small(path: Path) -> None:
    """An archive can be kept with the sources."""
    assert path.stat().st_size <= MOST_BYTES


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_whole_game_of_renaissance_verifies(state_dir: Path) -> None:
    """Played to its end on a whole server, Age of Renaissance leaves a file of which every claim holds."""
    blob, digest = finished(state_dir, "age_of_renaissance")
    found = verify(blob, digest)
    assert [f.claim for f in found.findings if f.faults] == []
    assert found.code == PROVEN
