"""A whole server over minutes, its processes killed at first: no letter lost, no table that stands still."""

from pathlib import Path

import pytest

from pbem.bench import hours
from pbem.bench.hours import FIGURES, Plan, measure

pytestmark = pytest.mark.slow


def test_processes_that_are_killed_lose_no_letter_and_stop_no_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each figure of each minute is told and drawn; each minute of the first half somebody dies."""
    monkeypatch.setattr(hours, "MINUTE_S", 8.0)
    said: list[str] = []
    found = measure(Plan("renaissance", 3, 2, 4, 1.0, 3), said.append, plots=tmp_path)
    assert (found["lost"], found["stood_still"], found["trouble"]) == ([], {}, "")
    assert found["counts"].get("letters in two shapes", 0) == 0
    assert sum(number for what, number in found["counts"].items() if what.startswith("deaths of ")) == 2
    assert found["counts"]["letters out"] > found["counts"]["letters in"] > 3
    assert [row["minute"] for row in found["minutes"]] == [1, 2, 3, 4] == list(range(1, len(said) + 1))
    assert all(row["memory_mb"] > 50 and row["open_files"] > 20 for row in found["minutes"])
    assert {path.stem for path in tmp_path.glob("*.svg")} == set(FIGURES)
