"""A release as somebody gets it: built, installed into an empty environment, and played from."""

import hashlib
import json
import os
import re
import subprocess
import tarfile
import tomllib
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.tar_extraction import extract

ROOT = Path(__file__).resolve().parent.parent
VERSION = str(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"])

pytestmark = pytest.mark.night


def ran(*words: str | Path, cwd: Path = ROOT) -> str:
    """Run a program; what it wrote."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PBEM_", "PYTHON", "VIRTUAL_ENV"))}
    done = subprocess.run([str(word) for word in words], cwd=cwd, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def built() -> Iterator[Path]:
    """What `make release` leaves, from an environment of its own."""
    with TemporaryDirectory(prefix="pbem-rel-") as name:
        folder = Path(name)
        env = {**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
        reached = subprocess.run(
            ["make", "release", "TREE=any", f"VENV={folder / 'venv'}", f"DIST={folder / 'dist'}"],
            cwd=ROOT,
            env=env,
            capture_output=True,
            text=True,
            check=False,
        )
        if "No matching distribution" in reached.stderr or "ConnectionError" in reached.stderr:
            pytest.skip("no index of packages can be reached")
        assert reached.returncode == 0, reached.stderr
        yield folder / "dist"


def test_a_release_is_four_files_and_their_digests(built: Path) -> None:
    """Wheel, source archive, list of parts, and the digest of each."""
    names = {path.name for path in built.iterdir()}
    wanted = {f"pbem-{VERSION}{end}" for end in ("-py3-none-any.whl", ".tar.gz", ".cdx.json")}
    assert names == {*wanted, "SHA256SUMS"}
    lines = (built / "SHA256SUMS").read_text().splitlines()
    digests = {name: digest for digest, name in (line.split() for line in lines)}
    assert digests == {name: hashlib.sha256((built / name).read_bytes()).hexdigest() for name in wanted}


def test_the_list_of_parts_is_the_lock(built: Path) -> None:
    """Every package that a server installs stands in it, in its version, and no other."""
    parts = json.loads((built / f"pbem-{VERSION}.cdx.json").read_text())
    lock = (ROOT / "requirements/run.lock").read_text()
    locked = set(re.findall(r"^([a-z0-9._-]+)(?:\[[^\]]*\])?==([^\s;\\]+)", lock, re.MULTILINE))
    assert parts["bomFormat"] == "CycloneDX"
    assert {(part["name"], part["version"]) for part in parts["components"]} == locked
    assert parts["metadata"]["component"]["version"] == VERSION


def test_the_source_archive_makes_the_same_wheel(built: Path, tmp_path: Path) -> None:
    """Out of the source archive alone comes a wheel with the same files; the tests and the locks are in it."""
    with tarfile.open(built / f"pbem-{VERSION}.tar.gz") as file:
        extract(file, tmp_path)
    tree = tmp_path / f"pbem-{VERSION}"
    assert {"tests", "requirements", "deploy", "CHANGELOG.md"} <= {path.name for path in tree.iterdir()}
    ran(built.parent / "venv/bin/python", "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path, cwd=tree)
    name = f"pbem-{VERSION}-py3-none-any.whl"
    ours, theirs = (zipfile.ZipFile(folder / name) for folder in (built, tmp_path))
    assert {one.filename: one.CRC for one in ours.infolist()} == {one.filename: one.CRC for one in theirs.infolist()}


def test_an_empty_environment_plays_from_the_wheel(built: Path, tmp_path: Path) -> None:
    """Installed by the lock of the demo and nothing else, the wheel plays a turn by mail, all seats by bots."""
    venv.create(tmp_path / "venv", with_pip=True)
    pip = (tmp_path / "venv/bin/python", "-m", "pip", "install", "-q", "--only-binary", ":all:")
    ran(*pip, "--require-hashes", "-r", ROOT / "requirements/demo.lock", cwd=tmp_path)
    ran(*pip, "--no-deps", built / f"pbem-{VERSION}-py3-none-any.whl", cwd=tmp_path)
    where = ran(tmp_path / "venv/bin/python", "-c", "import pbem; print(pbem.__file__)", cwd=tmp_path)
    assert where.startswith(str(tmp_path))
    with TemporaryDirectory(prefix="pbem-rel-") as state:  # a socket's name must be short
        demo = (tmp_path / "venv/bin/pbem", "demo", "--auto", "--turns", "1", "--json", "--state", state)
        figures = json.loads(ran(*demo, cwd=tmp_path).splitlines()[-1])
    assert figures["turns"] == 1
    assert figures["receipts"] > 0
    assert figures["reports"] > 0


def test_the_changelog_has_a_section_of_the_version() -> None:
    """What has changed since the version before stands under the number of this one, with its day."""
    assert re.search(rf"^## \[{re.escape(VERSION)}\] - \d{{4}}-\d\d-\d\d$", (ROOT / "CHANGELOG.md").read_text(), re.M)
