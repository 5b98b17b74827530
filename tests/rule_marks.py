"""Which test holds what: the marks by which tests say that they bring a thing of a game about, or hold a ruling.

    @pytest.mark.holds("renaissance", "ruling", "A3", "A17")

A game, a kind of thing, and its names as the coverage of the game has them; of rulings, the numbers in `RULINGS`.
"""

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from engine.kernel.coverage import CoverageItem

ROOT = Path(__file__).parent
RULINGS = {
    "age_of_renaissance": {f"R{number}" for number in range(1, 61)},
    "amalfi": {f"A{number}" for number in range(1, 27)},
    "patchistory": {f"A-{number:02}" for number in range(1, 48)},
    "renaissance": {f"A{number}" for number in range(1, 43)},
}
"""By game, the numbered rulings on how its rulebook is read: each is held by a test."""


@cache
def held(game: str) -> dict[CoverageItem, tuple[str, ...]]:
    """Each thing of a game that tests are marked to hold, with these tests."""
    found: dict[CoverageItem, tuple[str, ...]] = {}
    for name, (marked, kind, *things) in _marks():
        for thing in things if marked == game else ():
            found[kind, thing] = (*found.get((kind, thing), ()), name)
    return found


@cache
def games() -> frozenset[str]:
    """The games that marks name."""
    return frozenset(marked for _, (marked, *_) in _marks())


@cache
def _marks() -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple(mark for path in sorted(ROOT.rglob("test_*.py")) for mark in _marks_in(path))


def _marks_in(path: Path) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The tests of a file with what their marks say; files without a mark are not imported."""
    if "pytest.mark.holds(" in path.read_text(encoding="utf-8"):
        name = ".".join(path.relative_to(ROOT.parent).with_suffix("").parts)
        module: ModuleType = import_module(name)
        for test, function in vars(module).items():
            marks: list[Any] = getattr(function, "pytestmark", []) if test.startswith("test_") else []
            yield from ((f"{name}::{test}", mark.args) for mark in marks if mark.name == "holds")
