"""Which version runs: that of the package, and in a checkout between two releases the commit as well."""

import subprocess
from importlib.metadata import version
from pathlib import Path


def describe_version(folder: Path = Path(__file__).parents[2]) -> str:
    """Return the version of the package in `folder`; `1.0.0+g1a2b3c4.dirty` if it is a checkout and no release.

    A checkout is a release if the tag of its version is on what is checked out, and nothing in it was changed.
    """
    released = version("pbem")
    if not (folder / ".git").exists():
        return released
    try:
        commit, dirty = _git(folder, "rev-parse", "--short", "HEAD"), bool(_git(folder, "status", "--porcelain"))
        tagged = f"v{released}" in _git(folder, "tag", "--points-at", "HEAD").split()
    except (OSError, subprocess.CalledProcessError):
        return f"{released}+checkout"
    return released if tagged and not dirty else f"{released}+g{commit}{'.dirty' if dirty else ''}"


def _git(folder: Path, *words: str) -> str:
    line = ["git", "-C", str(folder), *words]
    return subprocess.run(line, capture_output=True, text=True, check=True, timeout=10).stdout.strip()
