"""Weeks of several tables, with people as they are and faults by chance: no game stuck, no letter lost."""

from pathlib import Path

import pytest

from engine import GAMES
from pbem.bench.soak import FIGURES, FLAT, Plan, measure

pytestmark = pytest.mark.slow


def test_weeks_of_faults_leave_nothing_behind(tmp_path: Path) -> None:
    """Workers die, wake-up calls go lost, mailboxes and the relay are away; in the end all is in order."""
    said = list[str]()
    found = measure(Plan(next(iter(GAMES)), 3, 4, 4, 2), said.append, tmp_path)
    assert (found["stuck"], found["lost"], found["complaints"]) == ([], [], [])
    counts = found["counts"]
    assert counts.get("letters in two shapes", 0) == 0
    assert min(counts["deaths"], counts["wake-up calls lost"], counts["times the relay was away"]) > 0
    assert counts["letters in"] > 50
    assert all(found["growth"][name] <= 1.2 for name in FLAT)
    assert len(said) == 4
    assert {path.stem for path in tmp_path.glob("*.svg")} == set(FIGURES)
