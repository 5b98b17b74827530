"""The operator's door: what `pbem gm` prints, and how it ends."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import engine
from pbem.broker import task_queue
from pbem.cli.main import main
from tests.service.master_commands import MASTER, appoint_outsider
from tests.service.server_fixtures import ServerHarness, build, start_game
from tests.toy.rules import Toy


@pytest.fixture(autouse=True)
def _toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The smallest game can be played like any other, and nobody waits for a broker."""
    monkeypatch.setitem(engine.GAMES, "toy", Toy())
    monkeypatch.setattr(task_queue, "TaskQueue", lambda settings: lambda task, subject: None)


@pytest.fixture
def served(state_dir: Path) -> tuple[ServerHarness, str, Path]:
    """A game of two on a server in a folder."""
    harness = build(state_dir, f"sqlite:///{state_dir}/pbem.sqlite3")
    game = start_game(harness, "toy", 2, 48)
    appoint_outsider(harness, game)
    return harness, game, state_dir


def gm(served: tuple[ServerHarness, str, Path], *arguments: str, game: str = "") -> Result:
    """Call the command on the server's folder."""
    return CliRunner().invoke(main, ["gm", game or served[1], *arguments, "--state", str(served[2])])


def test_without_a_line_it_says_how_the_table_stands(served: tuple[ServerHarness, str, Path]) -> None:
    """The first master acts unless one is named, and the exit code is 0."""
    found = gm(served)
    assert found.exit_code == 0
    assert found.output.startswith("STATUS: done\n  Game masters: olga.")
    assert "BIDS 1: no answer yet from" in found.output


def test_what_asks_twice_ends_with_2_and_gives_the_word(served: tuple[ServerHarness, str, Path]) -> None:
    """The same command with the word does it; as JSON the word has a place of its own."""
    found = gm(served, "EJECT p2", "--json")
    assert found.exit_code == 2
    (act,) = json.loads(found.output)["acts"]
    assert (act["line"], act["outcome"], len(act["word"])) == ("EJECT p2", "confirm", 6)
    said = gm(served, "EJECT p2")
    assert "the same command with --confirm" in said.output
    done = gm(served, "EJECT p2", "--confirm", act["word"])
    assert (done.exit_code, done.output.splitlines()[0]) == (0, "EJECT p2: done")


def test_a_refusal_ends_with_1_in_a_sentence(served: tuple[ServerHarness, str, Path]) -> None:
    """A refusal says why, and what would be accepted."""
    found = gm(served, "PROCESS BIDS 9")
    assert (found.exit_code, "You can write PROCESS BIDS 1." in found.output) == (1, True)


@pytest.mark.parametrize(
    ("arguments", "game", "said"),
    [
        ((), "nosuchgame00", "There is no game nosuchgame00"),
        (("STATUS", "--as", "nobody@games.test"), "", "No player has the address nobody@games.test."),
        (("STATUS", "--as", "p9@games.test"), "", "No player has the address"),
    ],
)
def test_slips_are_sentences(
    served: tuple[ServerHarness, str, Path], arguments: tuple[str, ...], game: str, said: str
) -> None:
    """A wrong game or person gives a sentence, not a traceback."""
    found = gm(served, *arguments, game=game)
    assert (found.exit_code, said in found.output) == (1, True)


def test_help_lists_every_act(served: tuple[ServerHarness, str, Path]) -> None:
    """HELP gives a line for each; --as says who asks, and a player is offered less."""
    assert "PROCESS [<phase>] [<turn>]" in gm(served, "HELP", "--as", MASTER).output
    shown = gm(served, "HELP", "--as", "p2@games.test").output
    assert ("PROCESS" in shown, "ELECT <address>" in shown) == (False, True)
