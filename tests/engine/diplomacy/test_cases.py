"""Public cases: positions and orders of L. B. Kruijswijk's DATC 2.4 and 3.0, and of real games, as data."""

import json
from pathlib import Path
from typing import Any

import pytest

from engine.diplomacy.positions import POSITIONS
from engine.kernel.sandbox import check_case

CASES: list[dict[str, Any]] = json.loads(Path(__file__).with_name("cases.json").read_text("utf-8"))


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_a_public_case_ends_as_the_judges_agree(case: dict[str, Any]) -> None:
    """Units and dislodged units are those that the case expects."""
    assert [difference for _, difference in check_case(POSITIONS, case)] == [""]
