"""Games of packages: found by their entry points, and refused one by one."""

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner

import engine
from engine.kernel.position import Position
from engine.kernel.rules import View
from engine.kernel.viewers import Viewer
from pbem import games
from pbem.cli.game_check import list_problems
from pbem.cli.main import main
from pbem.narration import folders as places
from pbem.narration import game_texts, glossary, narrator
from pbem.web import locales as page_words
from tests.toy import RULES
from tests.toy.board import Board
from tests.toy.rules import Toy


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    """Leave the registry, the folders and what was found as they were."""
    known, folders = dict(engine.GAMES), list(places._FURTHER)
    games.install_games.cache_clear()
    for title in list(known)[1:]:  # one other game will do
        del engine.GAMES[title]
    yield
    games.install_games.cache_clear()
    engine.GAMES.clear()
    engine.GAMES.update(known)
    places._FURTHER[:] = folders


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
    assert games.install_games() == {}
    assert engine.rules("toy") is RULES
    assert games.load_templates("tests.toy") == Path(__file__).parent / "toy" / "templates"
    assert games.load_templates("tests.toy") in places.template_folders()
    assert places.template_folders()[0] == places.template_root()


def test_games_are_installed_once(offered: Path) -> None:
    """A second call finds what the first one found."""
    offered.write_text("[pbem.games]\ntoy = tests.toy:RULES\n")
    assert games.load_rules("toy") is games.load_rules("toy")
    assert len(places.template_folders()) == len(set(places.template_folders()))


@pytest.mark.parametrize(
    ("point", "reason"),
    [
        ("chess = no_such_package:RULES", "ModuleNotFoundError: No module named 'no_such_package'"),
        ("chess = tests.toy:RULES", "ValueError: tests.toy:RULES is the rules of toy, not of a game called chess"),
        ("chess = tests.toy:__all__", "ValueError: tests.toy:__all__ is not the rules of a game"),
        ("chess = tests.toy:Rules", "AttributeError: module 'tests.toy' has no attribute 'Rules'"),
    ],
)
def test_a_game_that_cannot_be_loaded_stops_no_other(offered: Path, point: str, reason: str) -> None:
    """The trouble of one package is told, and the games of the others are there."""
    offered.write_text(f"[pbem.games]\n{point}\ntoy = tests.toy:RULES\n")
    assert games.install_games() == {"chess": reason}
    assert "chess" not in engine.GAMES
    assert "toy" in engine.GAMES


def test_a_package_that_fails_says_in_which_line(offered: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever writes a game finds the place."""
    package = offered.parent / "chequers"
    package.mkdir()
    (package / "__init__.py").write_text("from chequers.rules import RULES\n")
    (package / "rules.py").write_text("\nRULES = 1 / 0\n")
    monkeypatch.syspath_prepend(str(offered.parent))
    offered.write_text("[pbem.games]\nchequers = chequers:RULES\n")
    assert games.install_games() == {"chequers": "ZeroDivisionError: division by zero (chequers/rules.py, line 2)"}


def test_a_package_does_not_take_the_place_of_a_game(offered: Path) -> None:
    """A game that is already there is kept."""
    name, kept = next(iter(engine.GAMES.items()))
    offered.write_text(f"[pbem.games]\n{name} = tests.test_games:IMPOSTOR\n")
    IMPOSTOR.meta = kept.meta
    assert games.install_games() == {name: f"ValueError: there is a game {name} already"}
    assert engine.GAMES[name] is kept


class _Impostor:
    """Something that bears the name of a game."""

    meta: object = None


IMPOSTOR = _Impostor()


@dataclass(frozen=True)
class Fault:
    """A template of the smallest game that is spoilt, and what is said of it."""

    path: str
    spoilt: Callable[[str], str]
    said: str

    def __str__(self) -> str:
        return self.said


NARRATION = "narration/en/toy.j2"
_LINES = (Path(__file__).parent / "toy" / "templates" / NARRATION).read_text(encoding="utf-8").splitlines()
BIDS = next(number for number, line in enumerate(_LINES, 1) if "bid for the top" in line)
"""The line of the template that is spoilt; it is met as the code that was made of it."""
FAULTS = (
    Fault(
        NARRATION,
        lambda text: text.replace("macro Sold(", "macro Told("),
        f"MissingTemplate, {NARRATION} has no macro Sold",
    ),
    Fault(NARRATION, lambda text: text.replace("macro ask_bid(", "macro ask("), f"{NARRATION} has no macro ask_bid"),
    Fault(NARRATION, lambda text: text + "{% macro", "TemplateSyntaxError"),
    Fault(
        NARRATION, lambda text: text.replace("bid for the top", "{{ bid.for }} the top"), f"({NARRATION}, line {BIDS})"
    ),
    Fault(NARRATION, lambda text: text.replace("r.view.known", "r.view.unknown"), "'dict object' has no attribute"),
    Fault("boards/toy.html", lambda text: text.replace("shown.view", "shown.sight"), "(boards/toy.html, line "),
    Fault("boards/toy.html", lambda text: text + "{{ told.name('town', 'mill').the }}", "has no attribute 'the'"),
)


@pytest.fixture
def templates(offered: Path, tmp_path: Path) -> Iterator[Path]:
    """The smallest game, installed, with templates of its own that can be spoilt; what was read of it is forgotten."""
    offered.write_text("[pbem.games]\ntoy = tests.toy:RULES\n")
    copied = tmp_path / "templates"
    shutil.copytree(Path(__file__).parent / "toy" / "templates", copied)
    games.install_games()
    places._FURTHER[:] = [copied]
    _forget()
    yield copied
    _forget()


def _forget() -> None:
    for known in (glossary.load_glossary, narrator.narrator, game_texts.load_game_texts, page_words.load_catalogue):
        known.cache_clear()


def test_the_smallest_game_can_be_told_and_shown(templates: Path) -> None:
    """Nothing is missing where nothing was taken away."""
    assert list_problems("toy") == ()


@pytest.mark.parametrize(
    "fault", [pytest.param(one, marks=pytest.mark.night if n % 3 else ()) for n, one in enumerate(FAULTS)], ids=str
)
def test_what_a_game_lacks_is_named_with_file_and_line(templates: Path, fault: Fault) -> None:
    """Whoever writes a game reads what is wrong, and where."""
    path = templates / fault.path
    text = fault.spoilt(path.read_text(encoding="utf-8"))
    assert text != path.read_text(encoding="utf-8")
    path.write_text(text, encoding="utf-8")
    assert any(fault.said in line for line in list_problems("toy")), list_problems("toy")


def test_a_game_that_cannot_be_told_is_listed_so_and_not_started(templates: Path) -> None:
    """The list of games and a demo of the game say what is wrong, and end with 1."""
    for template in templates.glob("narration/*/toy.j2"):
        template.unlink()
    for command in (["game", "types"], ["demo", "--auto", "--title", "toy"]):
        found = CliRunner().invoke(main, command)
        assert found.exit_code == 1
        assert f"toy cannot be told (en): TemplateNotFound, there is no template {NARRATION}" in found.output


class Mute(Toy):
    """Rules whose view lacks what letters are headed with."""

    def present_view(self, seen: Position[Board], viewer: Viewer) -> View:
        """The turn alone."""
        return {"turn": 1}


def test_a_view_that_lacks_its_phase_is_named(templates: Path) -> None:
    """What `present` must give every viewer is said."""
    engine.GAMES["toy"] = Mute()
    game_texts.load_game_texts.cache_clear()
    assert any("`present` gives s1 no phase" in line for line in list_problems("toy"))


def test_a_game_that_is_not_loaded_is_listed_with_its_reason(offered: Path) -> None:
    """The list of games names it, and what becomes of its tables; it ends with 1."""
    offered.write_text("[pbem.games]\nchess = no_such_package:RULES\n")
    listed = CliRunner().invoke(main, ["game", "types"])
    assert listed.exit_code == 1
    assert "The game chess could not be loaded, and its tables are held: ModuleNotFoundError" in listed.output
