"""The sizes in deploy/SCALE.md follow from the costs that stand there."""

import math
import re
from pathlib import Path
from statistics import mean

TEXT = (Path(__file__).parent.parent / "deploy" / "SCALE.md").read_text(encoding="utf-8")
IN, OUT, COMMITS, WORST, SPARE = 4, 8, 10, 0.2, 3
"""Of a cycle: letters in and out, commits; how much of a day comes in its worst hour; how many times more there is."""


def rows(heading: str) -> list[list[str]]:
    """The cells of the table whose first column has this heading."""
    found = re.search(rf"^\| {heading} \|.*\n\|[-|]+\|\n((?:\|.*\n)+)", TEXT, re.MULTILINE)
    assert found is not None
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in found[1].splitlines()]


def test_the_parts_of_a_cycle_add_up() -> None:
    """Door, post and play together are what a cycle costs, within what rounding does."""
    for name, *cells in rows("game"):
        whole, *parts = map(float, cells[:4])
        assert abs(whole - sum(parts)) <= 2, name


def test_sizes_follow_from_costs() -> None:
    """Each figure of a size is computed from the mean of the four games and from what is assumed."""
    games = rows("game")
    cpu, post, play, kept = (mean(float(game[column]) for game in games) for column in (1, 3, 4, 6))
    for row in rows("tables"):
        tables, *told = map(float, row)
        cycles = tables * WORST / 3600
        expected = (
            tables * IN,
            tables * OUT,
            tables * cpu / 1000,
            cycles * cpu / 1000,
            cycles * COMMITS,
            cycles * OUT,
            max(1, math.ceil(SPARE * cycles * post / 1000)),
            max(1, math.ceil(SPARE * cycles * play / 1000)),
            tables * kept * 365 / 1e6,
        )
        for shown, computed in zip(told, expected, strict=True):
            assert abs(shown - computed) <= max(0.06, computed / 200), (tables, shown, computed)
