"""Random games as another adjudicator plays them: the PyPI package `diplomacy` 1.1.2, in an environment of its own."""

import json
import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from engine.diplomacy.positions import POSITIONS
from engine.kernel.sandbox import check_case
from tests.budget import budget

PYTHON = os.environ.get("PBEM_DIPLOMACY_PYTHON", "")
"""A Python that can import the package."""
_MOVE = re.compile(r"[AF] \S+ - (?P<to>\S+?)(?P<via> VIA)?")


@pytest.mark.night
@pytest.mark.skipif(not PYTHON, reason="set PBEM_DIPLOMACY_PYTHON to a Python with the package diplomacy 1.1.2")
def test_random_games_end_as_another_adjudicator_plays_them() -> None:
    """Phase by phase: units, centres and the next phase are the same, except where a choice of ours is known."""
    program = Path(__file__).with_name("second_opinion.py")
    printed = subprocess.run(
        [PYTHON, str(program), "1", str(budget(10, 200))], capture_output=True, text=True, check=True, timeout=3600
    )
    phases, different, known = 0, [], 0
    for line in printed.stdout.splitlines():
        game = json.loads(line)
        for phase, (name, difference) in zip(game["phases"], check_case(POSITIONS, game), strict=True):
            phases += 1
            if difference and any(place in difference for place in _disputed(phase["orders"])):
                known += 1
            elif difference:
                different.append((name, difference))
    print(f"{phases} phases, {known} that differ as known")
    assert phases > 100
    assert different == []


def _disputed(orders: Mapping[str, Sequence[str]]) -> set[str]:
    """The places where a power supports an attack on its own unit, by sea or by a unit that its own moves against.

    Such a support never counts for dislodging (DATC 6.D.12), and always for not being dislodged head to head (DATC,
    definition of the defend strength). The package does otherwise: the attack that it refuses on land dislodges the
    unit if it comes by sea.
    """
    disputed = set[str]()
    moves = {line.split()[1].partition("/")[0]: line for lines in orders.values() for line in lines}
    powers = {line.split()[1].partition("/")[0]: power for power, lines in orders.items() for line in lines}
    for origin, line in moves.items():
        found = _MOVE.fullmatch(line)
        place = found["to"].partition("/")[0] if found else ""
        if found is None or place not in moves:
            continue
        is_between = found["via"] or f" - {origin}" in moves[place]
        if is_between and any(
            re.search(rf" S [AF] {origin}(/\w+)? - {place}", other) for other in orders[powers[place]]
        ):
            disputed |= {place, origin}
    return disputed


def test_the_known_difference_is_told_from_others() -> None:
    """By the orders of the phase, and where the results differ."""
    orders: dict[str, Any] = {"England": ["A LON - BRE VIA"], "France": ["F BRE H", "A GAS S A LON - BRE"]}
    assert _disputed(orders) == {"LON", "BRE"}
    assert not _disputed({**orders, "France": ["F BRE H"], "Spain": ["A GAS S A LON - BRE"]})
    assert not _disputed({**orders, "England": ["A LON - BRE"]})
    assert _disputed({"England": ["F ENG - BRE"], "France": ["F BRE - ENG", "A GAS S F ENG - BRE"]}) == {"ENG", "BRE"}
