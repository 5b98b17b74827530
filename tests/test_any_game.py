"""Kernel, server and workers know every game, and none of them."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from engine import GAMES
from engine.kernel.workload import HasBenchmark
from pbem.bench.engine import find_gates
from pbem.cli.main import main

ROOT = Path(__file__).resolve().parents[1]
GENERAL = ("pbem", "worker", "engine/kernel")


def sources() -> list[Path]:
    """Everything that is written by hand in the rooms that serve all games."""
    found = (path for room in GENERAL for path in (ROOT / room).rglob("*"))
    return [path for path in found if path.is_file() and path.suffix not in (".pyc", ".woff2", ".png", ".ico")]


def test_no_general_room_names_a_game() -> None:
    """A game is in the registry and in its own folders; nothing else knows its name."""
    texts = {path: path.read_text("utf-8", "replace") for path in sources()}
    assert len(texts) > 100
    assert [path.relative_to(ROOT) for path, text in texts.items() if any(title in text for title in GAMES)] == []


MEASURED = [title for title, rules in GAMES.items() if isinstance(rules, HasBenchmark)]
SIZES = [
    (title, size, rules.meta.seats[0])
    for title, rules in GAMES.items()
    if (size := next((n for n in range(2, 7) if n not in rules.meta.seats), 0))
][:1]
"""A game, a number of players that it is not for, and the first that it is for."""


@pytest.mark.long
@pytest.mark.parametrize("title", MEASURED)
def test_every_game_can_be_measured(title: str) -> None:
    """Each game has an early and a late gate of all seats that comes to something."""
    early, late = find_gates(title)
    assert early.turn < late.turn
    assert min(early.events, late.events) > len(early.answers)
    assert len(early.answers) == len(late.answers) > 1


@pytest.mark.parametrize("command", [("demo", "--auto")], ids=" ".join)
def test_a_title_that_is_no_game_is_refused(command: tuple[str, ...]) -> None:
    """The name of an unknown game is answered with the known ones, before anything is started."""
    found = CliRunner().invoke(main, [*command, "--title", "chess"])
    assert found.exit_code == 1
    assert "there is no game 'chess'; there is: " in found.output


@pytest.mark.parametrize(
    "command", [("demo", "--auto", "--players"), ("dev", "bench", "cycle", "--seats")], ids=" ".join
)
@pytest.mark.parametrize(("title", "size", "first"), SIZES)
def test_a_table_of_another_size_is_refused(title: str, size: int, first: int, command: tuple[str, ...]) -> None:
    """A table of a size that the game has not is answered with the sizes that it has, before anything is started."""
    found = CliRunner().invoke(main, [*command, str(size), "--title", title])
    assert found.exit_code == 1
    assert f"{title} is not for {size} players; it is for {first}, " in found.output
