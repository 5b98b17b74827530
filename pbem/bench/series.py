"""Figures one after the other in time: how much each grows, and a chart of it."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from engine.kernel.pictures import Theme
from engine.kernel.plots import Called, Line, chart
from pbem.bench.players import LANGUAGE


def growth(numbers: Sequence[float]) -> float:
    """How much more there is in the last quarter than in the second: 1.0 is none."""
    quarter = max(1, len(numbers) // 4)
    before, after = numbers[quarter : 2 * quarter] or numbers[:1], numbers[-quarter:]
    return round(sum(after) / len(after) / max(1.0, sum(before) / len(before)), 2)


def draw(rows: Sequence[Mapping[str, int]], along: str, names: Sequence[str], folder: Path) -> None:
    """Write a chart of each of the named figures into a folder, which is made; `along`: the figure that counts on."""
    folder.mkdir(parents=True, exist_ok=True)
    turns = [row[along] for row in rows]
    for look, name in enumerate(names):
        line = Line(Called(name, look), [row[name] for row in rows])
        drawn = chart(name.replace("_", " "), turns, [line], LANGUAGE, Theme.LIGHT)
        (folder / f"{name}.svg").write_text(drawn, encoding="utf-8")
