"""Weeks of several tables, with people as they are and faults by chance: no game stuck, no letter lost."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from pbem.bench.soak import FIGURES, FLAT

pytestmark = pytest.mark.slow


def test_weeks_of_faults_leave_nothing_behind(tmp_path: Path) -> None:
    """Workers die, wake-up calls go lost, mailboxes and the relay are away; in the end all is in order.

    In a process of its own: what other tests left in this one would be counted as memory.
    """
    line = [sys.executable, "-m", "pbem.cli", "bench", "soak", "--games", "4", "--weeks", "4", "--seed", "2", "--json"]
    done = subprocess.run([*line, "--plots", str(tmp_path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["stuck"], found["lost"], found["complaints"]) == ([], [], [])
    counts = found["counts"]
    assert counts.get("letters in two shapes", 0) == 0
    assert min(counts["deaths"], counts["wake-up calls lost"], counts["times the relay was away"]) > 0
    assert counts["letters in"] > 50
    grown = {name: found["growth"][name] for name in FLAT if found["growth"][name] > 1.2}
    assert not grown, found["weeks"]
    assert sum(told.startswith("week ") for told in done.stderr.splitlines()) == 4
    assert {path.stem for path in tmp_path.glob("*.svg")} == set(FIGURES)
