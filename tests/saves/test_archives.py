"""The archives of the release stay readable, and prove what they proved when they were written."""

import lzma
from pathlib import Path

import pytest

import engine
from pbem.archive.verify import PROVEN, verify
from tests.saves import MOST_BYTES
from tests.saves.make_archives import HERE, finished, path_of

FILES = sorted(HERE.glob("*.zip.xz"))
SHORTEST = min(FILES, key=lambda path: path.stat().st_size)
files = pytest.mark.parametrize("path", FILES, ids=[path.name for path in FILES])


def test_every_game_has_an_archive() -> None:
    """Each registered game has an archive; `python -m tests.saves.make_archives` writes a missing one."""
    assert sorted(path_of(name) for name in engine.GAMES) == FILES


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, marks=() if path == SHORTEST else pytest.mark.long, id=path.name) for path in FILES],
)
def test_a_kept_archive_proves_itself(path: Path) -> None:
    """Container, chain, commitments, seed, draws, fold and origin hold, and every entry is replayed as it was."""
    found = verify(lzma.decompress(path.read_bytes()), path.with_suffix(".root").read_text(encoding="ascii"))
    assert [finding for finding in found.claims if not finding.holds] == []
    assert found.code == PROVEN


@files
def test_a_kept_archive_is_small(path: Path) -> None:
    """An archive can be kept with the sources."""
    assert path.stat().st_size <= MOST_BYTES


@pytest.mark.night
@pytest.mark.timeout(600)
def test_a_whole_game_of_renaissance_verifies(state_dir: Path) -> None:
    """Played to its end on a whole server, Age of Renaissance leaves a file of which every claim holds."""
    blob, digest = finished(state_dir, "age_of_renaissance")
    found = verify(blob, digest)
    assert [f.claim for f in found.claims if f.faults] == []
    assert found.code == PROVEN
