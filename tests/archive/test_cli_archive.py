"""The commands about games as files: what they print, how they end, and that a slip is a sentence."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import engine
from pbem import app
from pbem.archive.contents import parse
from pbem.cli.main import main
from pbem.config.settings import Settings
from pbem.crypto import KeyFolder
from pbem.service.archive.files import compact
from pbem.store.models import Heartbeat
from pbem.store.schema import upgrade
from tests.archive.bots import play_on
from tests.archive.files import finished, played, steady
from tests.archive.test_verify import CLAIMS, Changed
from tests.service.server_fixtures import ServerHarness, build, start_game
from tests.service.test_archive_search import build_search_words
from tests.toy.rules import Toy


def call(*arguments: object) -> Result:
    """Call a command."""
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture(autouse=True)
def _toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The smallest game can be played like any other; its facts are told for the search by the tests' own words."""
    monkeypatch.setitem(engine.GAMES, "toy", Toy())
    monkeypatch.setattr(app, "index_words", build_search_words)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A finished game's file, on disk."""
    path = tmp_path / "game.zip"
    path.write_bytes(finished()[0])
    return path


def server(folder: Path) -> Path:
    """A server's state folder, with keys and an empty database."""
    settings = Settings.with_embedded(folder)
    KeyFolder.create(settings.keys_dir)
    upgrade(settings.database_url)
    return folder


def hall_in(folder: Path) -> ServerHarness:
    """A whole server in a state folder, as commands find it there."""
    harness = steady(build(folder, f"sqlite:///{folder}/pbem.sqlite3"))
    assert Settings.with_embedded(folder).keys_dir == folder / "keys"
    return harness


def test_verify_names_each_claim(file: Path) -> None:
    """Each claim is printed on a line, or as an object; without a digest the origin is said to be unproven."""
    found = call("archive", "verify", file)
    assert found.exit_code == 0
    lines = found.output.splitlines()
    heads = [line for line in lines if not line.startswith(" ")]
    assert [line.partition(":")[0] for line in heads] == CLAIMS
    assert all("holds" in line or line.startswith("unproven:     listed") for line in heads)
    assert [line for line in lines if "options of the table: " in line]
    assert [line for line in lines if line.startswith("  s1, default: ")]
    assert "unproven" in lines[-1]
    assert "digest given" in call("archive", "verify", file, "--root", finished()[1]).output
    objects = [json.loads(line) for line in call("archive", "verify", file, "--json").output.splitlines()]
    assert [claim["claim"] for claim in objects if claim["holds"] and not claim["faults"]] == CLAIMS


def test_verify_fails_in_sentences(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An altered file and another digest give exit code 1 and the reason; what a newer program tells otherwise, 3."""
    assert call("archive", "verify", file, "--root", "0" * 64).exit_code == 1
    with monkeypatch.context() as newer:
        newer.setitem(engine.GAMES, "toy", Changed())
        found = call("archive", "verify", file)
        assert (found.exit_code, "told differently" in found.output) == (3, True)
    file.write_bytes(file.read_bytes()[:-1])
    found = call("archive", "verify", file)
    assert found.exit_code == 1
    assert "DOES NOT HOLD" in found.output
    assert "Traceback" not in found.output


def test_a_file_goes_in_and_out(file: Path, tmp_path: Path) -> None:
    """Imported on a server, verified against its journal, exported again: the same file."""
    state, out = server(tmp_path / "state"), tmp_path / "again.zip"
    found = call("archive", "import", file, "--state", state)
    assert (found.exit_code, "archived" in found.output) == (0, True)
    verified = call("archive", "verify", file, "--state", state)
    assert verified.exit_code == 0
    assert "the digest given" in verified.output
    game_id = parse(file.read_bytes()).manifest.game
    assert call("archive", "export", game_id, "-o", out, "--state", state).exit_code == 0
    assert out.read_bytes() == file.read_bytes()


def test_slips_are_answered_in_sentences(file: Path, tmp_path: Path) -> None:
    """An unknown game or folder, a game already here and a file that is none give exit code 1 and a sentence."""
    state = server(tmp_path / "state")
    call("archive", "import", file, "--state", state)
    out = tmp_path / "out.zip"
    none = tmp_path / "text"
    none.write_text("no archive", encoding="ascii")
    for arguments, said in (
        (("export", "nonesuch", "-o", out, "--state", state), "There is no game nonesuch"),
        (("export", "nonesuch", "-o", out, "--state", tmp_path / "none"), "There is no folder"),
        (("import", file, "--state", state), "is on this server already"),
        (("import", none, "--state", state), "no whole zip archive"),
    ):
        found = call("archive", *arguments)
        assert found.exit_code == 1, arguments
        assert said in found.output
        assert "Traceback" not in found.output
    assert not out.exists()
    found = call("transfer", "cancel", "nonesuch", "--yes", "--state", state)
    assert (found.exit_code, "was not handed over" in found.output) == (1, True)


def test_a_game_moves_by_commands(tmp_path: Path) -> None:
    """`transfer key` there, `transfer export` here, `archive import` there: the game runs there, and replays."""
    here, there, out = tmp_path / "here", server(tmp_path / "there"), tmp_path / "moved.zip"
    here.mkdir()
    harness = hall_in(here)
    game_id = start_game(harness, "toy", 2)
    play_on(harness, game_id, 2)
    key = call("transfer", "key", "--state", there).output.strip()
    assert call("replay", "--state", here).output.endswith("all told the same\n")
    found = call("transfer", "export", game_id, key, "-o", out, "--state", here)
    assert (found.exit_code, "closed here" in found.output) == (0, True)
    assert call("replay", "--state", here).output == ""
    assert "exists already" in call("transfer", "export", game_id, key, "-o", out, "--state", here).output
    early = call("archive", "import", out, "--state", there)
    assert (early.exit_code, "before the mailer has run" in early.output) == (1, True)
    app.prepare_worker(Settings.with_embedded(there), "mailer")
    found = call("archive", "import", out, "--state", there)
    assert (found.exit_code, "running" in found.output, "nothing here proves" in found.output) == (0, True, True)
    replayed = call("replay", "--json", "--state", there)
    assert json.loads(replayed.output)["game"] == game_id


def test_finished_games_are_replayed_where_one_asks_for_it(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game that is over, and one that was brought as a file, are told again with --finished, each with its place."""
    harness = steady(hall_in(tmp_path), "another chance")
    over, running = played(harness), start_game(harness, "toy", 2)
    compact(harness.resolver, over)
    brought = call("archive", "import", file, "--host", "p1@games.test", "--state", tmp_path)
    assert brought.exit_code == 0, brought.output
    assert running in call("replay", "--state", tmp_path).output
    found = call("replay", "--finished", "--state", tmp_path)
    assert (found.exit_code, found.output.count("all told the same")) == (0, 3)
    assert [line.split("  ")[0] for line in found.output.splitlines()] == ["1/3", "2/3", "3/3"]
    assert {line.split("  ")[1] for line in found.output.splitlines()} == {
        over,
        running,
        parse(file.read_bytes()).manifest.game,
    }
    monkeypatch.setitem(engine.GAMES, "toy", Changed())
    changed = call("replay", "--finished", "--state", tmp_path)
    assert (changed.exit_code, "ends in ValueError" in changed.output) == (3, True)
    assert f"{over}  Rose  toy 1 -> 2" in changed.output


def test_a_copy_is_proved_by_telling_its_last_entries_again(tmp_path: Path) -> None:
    """A copy is good if this program, with the keys, tells the last entries the same; nothing is written to it."""
    harness = hall_in(tmp_path)
    assert call("replay", "--last", "--state", tmp_path).output == ""
    game_id = start_game(harness, "toy", 2)
    while harness.load_state(game_id).board.turn < 2:
        play_on(harness, game_id, harness.load_game(game_id).entry + 1)
    good = call("replay", "--last", "--state", tmp_path)
    assert (good.exit_code, "the last entry, all told the same" in good.output) == (0, True), good.output
    with harness.resolver.db.snapshot() as session:
        assert session.get(Heartbeat, "restored") is None
    (tmp_path / "keys" / "resolver").rename(tmp_path / "keys" / "lost")
    (tmp_path / "other").mkdir()
    KeyFolder.create(tmp_path / "other" / "keys").folder_of("resolver").rename(tmp_path / "keys" / "resolver")
    lost = call("replay", "--last", "--state", tmp_path)
    assert lost.exit_code == 1
    assert "Traceback" not in lost.output
