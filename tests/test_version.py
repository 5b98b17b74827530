"""What a version is called, and what is not released under it."""

import shutil
import subprocess
from importlib.metadata import version
from pathlib import Path

import pytest
from click.testing import CliRunner

from pbem.cli.main import main
from pbem.ops.version import describe_version

ROOT = Path(__file__).parents[1]


def git(folder: Path, *words: str) -> None:
    """Run git in a folder."""
    names = ("-c", "user.name=a", "-c", "user.email=a@b.test", "-c", "commit.gpgsign=false", "-c", "tag.gpgsign=false")
    subprocess.run(["git", *names, *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout with all that is asked before a release is built, committed."""
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "-m", "Add")
    return tmp_path


def test_the_program_says_its_version() -> None:
    """`pbem --version` begins with the version of the package."""
    found = CliRunner().invoke(main, ["--version"])
    assert (found.exit_code, found.stdout.startswith(f"pbem {version('pbem')}")) == (0, True)


def test_only_a_tagged_commit_is_called_by_the_version_alone(checkout: Path) -> None:
    """A commit without the tag has a local part, and so has a change that is not committed."""
    released = version("pbem")
    assert describe_version(checkout).startswith(f"{released}+g")
    git(checkout, "tag", f"v{released}")
    assert describe_version(checkout) == released
    (checkout / "Makefile").write_text("changed")
    assert describe_version(checkout).endswith(".dirty")
    shutil.rmtree(checkout / ".git")
    assert describe_version(checkout) == released, "installed from a package"


def test_no_release_is_built_of_changes_or_under_a_version_that_exists(checkout: Path) -> None:
    """`make release` says what to do, and builds nothing."""

    def refusal() -> str:
        made = subprocess.run(["make", "release-tree"], cwd=checkout, capture_output=True, text=True, check=False)
        return made.stdout if made.returncode else ""

    assert refusal() == ""
    (checkout / "new").write_text("x")
    assert "commit or stash these changes first" in refusal()
    (checkout / "new").unlink()
    git(checkout, "tag", f"v{version('pbem')}")
    assert "raise the version in pyproject.toml" in refusal()
