"""A run of the tests whose time is bounded, run as it is."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import LONGEST

ROOT = Path(__file__).resolve().parent.parent
TESTS = """
import pytest

@pytest.mark.slow
def test_long(): pass

def test_short(): pass
"""


CASES = [("0", "2 passed"), ("60", "2 passed"), ("0.00001", "1 passed, 1 skipped")]


@pytest.mark.parametrize(("minutes", "told"), CASES)
def test_long_tests_that_begin_too_late_are_skipped_and_counted(tmp_path: Path, minutes: str, told: str) -> None:
    """After the time of a run no long test begins, and its last line says so; what is short is always run."""
    (tmp_path / "test_it.py").write_text(TESTS, "utf-8")
    asked = ("-m", "pytest", "-q", "-n", "0", "-p", "tests.conftest", "-p", "no:cacheprovider", "-c", "pyproject.toml")
    command = [sys.executable, *asked, "--minutes", minutes, str(tmp_path)]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300).stdout
    assert told in said
    assert ("1: no long test begins after" in said) is ("skipped" in told)


def test_the_longest_files_are_files_of_tests() -> None:
    """What is to begin first is there."""
    assert [name for name in LONGEST if not (ROOT / "tests" / name).is_file()] == []
