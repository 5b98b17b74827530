"""A finished game of every released version is read by this one, and proves what it proved then.

Each file in `releases` was written by the program of that release: `make_archives` of its own sources, run from its
commit (0.1.0: the last one of the day that it is dated).  They are never written again.
"""

import json
import lzma
import re
import zipfile
from io import BytesIO
from pathlib import Path

import pytest
from click.testing import CliRunner

from pbem.archive.verify import PROVEN, verify
from pbem.cli import main
from pbem.config import Settings
from pbem.store.schema import create
from pbem.vault import KeyFolder
from tests.saves import MOST_BYTES

ROOT = Path(__file__).parent.parent.parent
HERE = Path(__file__).parent / "releases"
RELEASES = re.findall(r"^## \[(\d+\.\d+\.\d+)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
FORMATS = {"0.1.0": 1}
"""The format of the files of early releases; later ones have format 2."""


def blob(release: str) -> bytes:
    """The file of a release."""
    return lzma.decompress((HERE / f"{release}.zip.xz").read_bytes())


def digest(release: str) -> str:
    """What the last letter of its game gave."""
    return (HERE / f"{release}.zip.root").read_text(encoding="ascii").strip()


def manifest(release: str) -> bytes:
    """What it says of itself."""
    with zipfile.ZipFile(BytesIO(blob(release))) as kept:
        return kept.read("manifest.jsonl")


def test_every_release_left_a_file() -> None:
    """Who adds a release to the changelog keeps a finished game of it."""
    assert sorted(path.name.removesuffix(".zip.xz") for path in HERE.glob("*.xz")) == sorted(RELEASES)
    assert all(path.stat().st_size <= MOST_BYTES for path in HERE.iterdir())


@pytest.mark.parametrize("release", RELEASES)
def test_its_format_is_that_of_its_time(release: str) -> None:
    """The files are of their releases, and not written again by a later one."""
    assert json.loads(manifest(release))["format"] == FORMATS.get(release, 2)


@pytest.mark.parametrize("release", RELEASES)
def test_a_file_of_a_release_proves_itself(release: str) -> None:
    """Every claim holds, each entry is told again to the same end, and its origin is the digest of its letter."""
    assert verify(blob(release), digest(release)).code == PROVEN


@pytest.mark.parametrize("release", RELEASES)
def test_a_file_of_a_release_is_opened_by_a_server(release: str, tmp_path: Path) -> None:
    """`pbem archive import` takes it in, and `export` writes the same game again, which proves as much."""
    settings = Settings.embedded(tmp_path / "state")
    KeyFolder.create(settings.keys_dir)
    create(settings.database_url)
    file, again = tmp_path / "game.zip", tmp_path / "again.zip"
    file.write_bytes(blob(release))
    game = json.loads(manifest(release))["game"]
    state = ("--state", str(settings.state_dir))
    called("archive", "import", str(file), "--host", "ada@games.test", *state)
    called("archive", "export", game, "-o", str(again), *state)
    assert verify(again.read_bytes(), digest(release)).code == PROVEN


def called(*words: str) -> None:
    """Call a command, which must succeed."""
    done = CliRunner().invoke(main, list(words))
    assert done.exit_code == 0, done.output
