"""Whole games by bots: the same each time, checked at every step, and counted."""

from pathlib import Path

import pytest

import engine
from engine import GAMES
from engine.kernel.orders import Problem
from engine.kernel.position import Position
from pbem.ops import simulation
from pbem.ops.simulation import Job, format_table, judge_game, simulate
from tests import rule_marks
from tests.toy.board import Board
from tests.toy.rules import Toy

ROOT = Path(__file__).parent.parent


@pytest.fixture(autouse=True)
def _toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The smallest game can be played like any other."""
    monkeypatch.setitem(engine.GAMES, "toy", Toy())


def test_games_end_without_problems() -> None:
    """So many games are played to their end, and nothing is wrong with any position."""
    result = simulate("toy", 3, 3, 1, {})
    assert (result["games"], result["finished"], result["problems"]) == (3, 3, [])
    assert result["decisions"] > 0
    assert set(result) == {"games", "finished", "problems", "decisions", "seconds"}


def test_the_same_seed_plays_the_same_games() -> None:
    """Title, players, seed and number decide a game."""
    one, other = (judge_game(Job("toy", 2, 0, seed, {}, True)) for seed in (5, 5))
    assert one == other
    assert judge_game(Job("toy", 2, 1, 5, {}, True)).seen != one.seen


def test_a_broken_position_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever an invariant finds stands among the problems, with its game and gate."""

    class Broken(Toy):
        def list_violations(self, position: Position[Board]) -> tuple[Problem, ...]:
            return (Problem("minted", {"count": 1}),)

    monkeypatch.setitem(engine.GAMES, "toy", Broken())
    problems = simulate("toy", 2, 1, 1, {})["problems"]
    assert problems
    assert "minted" in problems[0]


def test_a_game_that_breaks_off_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """An exception ends its game, not the simulation."""

    def broken(*arguments: object) -> None:
        raise ArithmeticError("no such number")

    monkeypatch.setattr(simulation, "play_game", broken)
    result = simulate("toy", 2, 2, 1, {})
    assert result["finished"] == 0
    assert "ArithmeticError: no such number" in result["problems"][1]


@pytest.mark.parametrize(("players", "options"), [(7, {}), (2, {"pace": "hasty"})])
def test_what_cannot_be_played_is_refused(players: int, options: dict[str, str]) -> None:
    """A number of players or an option that the game does not have is refused before anything is played."""
    with pytest.raises(ValueError, match="toy"):
        simulate("toy", players, 1, 1, options)


def test_coverage_counts_and_names_what_is_missing() -> None:
    """Each topic, event and ending is in the table; what did not occur is missing."""
    result = simulate("toy", 2, 2, 1, {}, coverage=True)
    assert set(result["coverage"]) >= {"event", "form", "topic", "ending"}
    nothing = format_table(Toy(), {})
    assert {f"ending/{ending}" for ending in Toy().meta.endings} <= set(nothing["missing"])
    seen = {(kind, name): count for kind, row in result["coverage"].items() for name, count in row.items()}
    assert not {f"{kind}/{name}" for (kind, name), count in seen.items() if count} & set(result["missing"])


def test_marks_name_games_that_there_are() -> None:
    """Where bots cannot bring something about, a test is marked to hold it of a registered game."""
    assert rule_marks.games() <= set(GAMES)


@pytest.mark.parametrize("name", sorted(rule_marks.RULINGS))
def test_every_ruling_of_a_game_is_held(name: str) -> None:
    """All rulings of a game have a test, and no mark names another."""
    assert rule_marks.RULINGS[name] == {thing for kind, thing in rule_marks.held(name) if kind == "ruling"}
