"""Games of packages: found by their entry points, and refused one by one."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

import engine
from pbem import games
from pbem.cli import main
from pbem.narration import folders as places
from tests.toy import RULES


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    """Leave the registry, the folders and what was found as they were."""
    known, folders = dict(engine.GAMES), places.folders()
    games.install.cache_clear()
    yield
    games.install.cache_clear()
    engine.GAMES.clear()
    engine.GAMES.update(known)
    places._FURTHER[:] = folders[1:]


@pytest.fixture
def offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The entry points of a package that stands beside this one."""
    found = tmp_path / "beside-1.dist-info"
    found.mkdir()
    found.joinpath("METADATA").write_text("Metadata-Version: 2.1\nName: beside\nVersion: 1\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    return found / "entry_points.txt"


def test_a_game_of_a_package_is_found_by_its_entry_point(offered: Path) -> None:
    """Its rules are registered under its name, and its templates are searched after ours."""
    offered.write_text("[pbem.games]\ntoy = tests.toy:RULES\n")
    assert games.install() == {}
    assert engine.rules("toy") is RULES
    assert places.folders()[-1] == Path(__file__).parent / "toy" / "templates"
    assert places.folders()[0] == places.templates()


def test_games_are_installed_once(offered: Path) -> None:
    """A second call finds what the first one found."""
    offered.write_text("[pbem.games]\ntoy = tests.toy:RULES\n")
    assert games.rules_of("toy") is games.rules_of("toy")
    assert len(places.folders()) == len(set(places.folders()))


@pytest.mark.parametrize(
    ("point", "reason"),
    [
        ("chess = no_such_package:RULES", "ModuleNotFoundError: No module named 'no_such_package'"),
        ("chess = tests.toy:RULES", "ValueError: tests.toy:RULES is not the rules of a game called chess"),
        ("chess = tests.toy:__all__", "ValueError: tests.toy:__all__ is not the rules of a game called chess"),
        ("chess = tests.toy:Rules", "AttributeError: module 'tests.toy' has no attribute 'Rules'"),
    ],
)
def test_a_game_that_cannot_be_loaded_stops_no_other(offered: Path, point: str, reason: str) -> None:
    """What is wrong with one package is said, and the games of the others are there."""
    offered.write_text(f"[pbem.games]\n{point}\ntoy = tests.toy:RULES\n")
    assert games.install() == {"chess": reason}
    assert "chess" not in engine.GAMES
    assert "toy" in engine.GAMES


def test_a_package_does_not_take_the_place_of_a_game(offered: Path) -> None:
    """A game that is there already is kept."""
    name, kept = next(iter(engine.GAMES.items()))
    offered.write_text(f"[pbem.games]\n{name} = tests.test_games:IMPOSTOR\n")
    IMPOSTOR.meta = kept.meta
    assert games.install() == {name: f"ValueError: there is a game {name} already"}
    assert engine.GAMES[name] is kept


class _Impostor:
    """Something that bears the name of a game."""

    meta: object = None


IMPOSTOR = _Impostor()


def test_a_game_without_words_is_named_with_what_is_missing(offered: Path) -> None:
    """The list of games ends with 1 and says what a game lacks; so does a demo of it, before it starts."""
    offered.write_text("[pbem.games]\ntoy = tests.toy:RULES\n")
    listed = CliRunner().invoke(main, ["games"])
    assert listed.exit_code == 1
    assert "toy cannot be told (en): " in listed.output
    shown = CliRunner().invoke(main, ["demo", "--auto", "--title", "toy"])
    assert shown.exit_code == 1
    assert "toy cannot be told (fr): " in shown.output


def test_a_game_that_is_not_loaded_is_listed_with_its_reason(offered: Path) -> None:
    """The list of games names it, and what becomes of its tables."""
    offered.write_text("[pbem.games]\nchess = no_such_package:RULES\n")
    listed = CliRunner().invoke(main, ["games"])
    assert "The game chess could not be loaded, and its tables are held: ModuleNotFoundError" in listed.output
