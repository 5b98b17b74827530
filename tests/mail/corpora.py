"""Where fixtures of other projects are found when they are present beside the repository."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LETTERS = ROOT / "tests" / "letters"


def corpora() -> Path:
    """The folder of foreign mail fixtures; skips the calling test, saying so, where there is none."""
    folder = ROOT.parent / "shared" / "stack" / "corpora"
    if not folder.is_dir():
        pytest.skip("the mail fixtures of other projects are not beside this repository")
    return folder
