"""A game of a package is installed in an empty environment, and played there by letters."""

import json
import subprocess
import sysconfig
import venv
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from pbem.games import GROUP, load_templates
from pbem.stub import test_game, write

ROOT = Path(__file__).resolve().parents[1]
PARTS = ("engine", "pbem", "worker", "mail_templates")


@pytest.fixture
def python(state_dir: Path) -> Path:
    """The interpreter of an environment with this server and what it needs, and nothing else of this project."""
    served = state_dir / "served"
    served.mkdir()
    for part in PARTS:
        (served / part).symlink_to(ROOT / part)
    venv.create(state_dir / "env", with_pip=False)
    bare = next((state_dir / "env").glob("lib/python*/site-packages"))
    beside = {str(load_templates(point.module).parents[1]) for point in entry_points(group=GROUP)}
    (bare / "served.pth").write_text("\n".join((str(served), sysconfig.get_path("purelib"), *sorted(beside), "")))
    return state_dir / "env" / "bin" / "python"


def run(python: Path, *words: str, code: int = 0) -> str:
    """What a program of the environment says; it ends with `code`."""
    done = subprocess.run(
        [python, "-m", *words], cwd=python.parent, capture_output=True, text=True, timeout=240, check=False
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


def installed(python: Path, project: Path) -> None:
    """The package of a folder is in the environment; nothing is fetched."""
    run(
        python,
        "pip",
        "install",
        "--quiet",
        "--no-index",
        "--no-deps",
        "--no-build-isolation",
        "--editable",
        str(project),
    )


def played(python: Path, title: str, state: Path) -> dict[str, object]:
    """What a demo of the game comes to, in which all seats are played by letters."""
    said = run(
        python,
        "pbem.cli.main",
        "demo",
        "--auto",
        "--title",
        title,
        "--players",
        "3",
        "--turns",
        "1",
        "--json",
        "--state",
        str(state),
    )
    result: dict[str, object] = json.loads(said.splitlines()[-1])
    return result


@pytest.mark.long
def test_a_new_game_is_played_by_letters_as_it_is_written(python: Path, state_dir: Path, tmp_path: Path) -> None:
    """What `pbem dev new-game` writes can be installed, told, shown and played at once."""
    written = write("stones", tmp_path)
    assert all(file.is_file() for file in written)
    installed(python, tmp_path / "stones")
    assert "stones  1  Stones" in run(python, "pbem.cli.main", "game", "types")
    assert int(str(played(python, "stones", state_dir)["turns"])) >= 1


@pytest.mark.parametrize("name", ["my-game", "9men", ""])
def test_a_name_that_no_package_can_have_is_refused(name: str, tmp_path: Path) -> None:
    """Nothing is written for such a name."""
    with pytest.raises(ValueError, match="cannot be the name of a game"):
        write(name, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    """A game that was begun is kept."""
    write("stones", tmp_path)
    with pytest.raises(FileExistsError):
        write("stones", tmp_path)


def test_a_new_game_begins_with_a_test_of_its_rules_that_passes(tmp_path: Path) -> None:
    """It is written beside the package, and called after the game."""
    assert tmp_path / "stones" / "tests" / "test_stones.py" in write("stones", tmp_path)
    test_game.test_the_highest_single_offer_scores_and_everybody_pays()
    test_game.test_the_game_ends_after_its_last_turn()


def test_the_words_of_the_stub_are_those_of_the_game(tmp_path: Path) -> None:
    """Nothing in the new package speaks of a stub."""
    written = {str(file.relative_to(tmp_path)): file.read_text(encoding="utf-8") for file in write("stones", tmp_path)}
    assert [path for path, text in written.items() if "stub" in (path + text).lower()] == []
