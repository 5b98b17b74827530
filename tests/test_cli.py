"""The command line: what is printed, and how a command ends."""

import json
import os
import threading
from collections.abc import Mapping
from pathlib import Path
from unittest.mock import patch

import pytest
from click.testing import CliRunner, Result

import engine
from pbem.app import build_services
from pbem.cli import main as commands
from pbem.cli import terminal
from pbem.cli.main import main
from pbem.config.settings import Settings
from pbem.service.access import users
from pbem.store.models import User
from tests import server_templates
from tests.toy.rules import Toy
from tests.traps import set_traps


def call(*arguments: str, env: Mapping[str, str] | None = None, typed: str = "") -> Result:
    """Call a command with an environment of its own."""
    return CliRunner().invoke(main, list(arguments), env=dict(env or {}), input=typed)


@pytest.fixture
def server(tmp_path: Path) -> Mapping[str, str]:
    """The variables of a server with keys and an empty database."""
    settings = Settings.with_embedded(tmp_path)
    server_templates.copy_keys(settings.keys_dir)
    server_templates.copy_migrated_database(tmp_path / "pbem.sqlite3")
    return settings.variables


@pytest.fixture(autouse=True)
def _toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The smallest game can be played like any other."""
    monkeypatch.setitem(engine.GAMES, "toy", Toy())


def test_simulate_prints_one_object() -> None:
    """With --json the output is one object that says what was played."""
    words = ("--players", "2", "--games", "2", "--seed", "7", "--option", "pace=in_order", "--json")
    found = call("dev", "simulate", "toy", *words)
    assert found.exit_code == 0, found.output
    result = json.loads(found.stdout)
    assert (result["games"], result["finished"], result["problems"]) == (2, 2, [])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("chess",), "there is no game 'chess'"),
        (("toy", "--players", "6"), "not for 6 players"),
        (("toy", "--players", "2", "--option", "pace=hasty"), "no option pace=hasty"),
        (("toy", "--players", "2", "--option", "pace"), "NAME=VALUE"),
    ],
)
def test_simulate_says_what_cannot_be(arguments: tuple[str, ...], said: str) -> None:
    """A slip is answered with a sentence, never with a traceback."""
    found = call("dev", "simulate", *arguments)
    assert found.exit_code != 0
    assert said in found.output
    assert "Traceback" not in found.output


def test_a_server_without_settings_is_refused_in_sentences() -> None:
    """Each missing setting is named in a sentence before anything is started."""
    found = call("up", env={"PBEM_STATE_DIR": "", "PBEM_MAIL_DOMAIN": ""})
    assert found.exit_code == 1
    assert "PBEM_MAIL_DOMAIN is missing" in found.output
    assert "PBEM_DATABASE_URL is missing" in found.output


def test_a_demo_seats_as_many_as_the_game_needs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Seven for Diplomacy, four where a game takes four."""
    seated: list[int] = []

    def run(state: Path, *, players: int, **_: object) -> int:
        seated.append(players)
        return 0

    monkeypatch.setattr("pbem.demo.run.run", run)
    for title in ("diplomacy", "renaissance"):
        assert call("demo", "--title", title, "--state", str(tmp_path)).exit_code == 0
    assert seated == [7, 4]


def test_a_demo_that_cannot_start_says_why_and_stops_what_it_started(tmp_path: Path) -> None:
    """In a folder whose name is too long for the broker's socket: one sentence, and its post office is closed."""
    before = set(threading.enumerate())
    found = call("demo", "--auto", "--state", str(tmp_path / ("long" * 30)))
    assert found.exit_code == 1
    assert "choose a state folder with a shorter name" in found.output
    assert isinstance(found.exception, SystemExit)
    begun = set(threading.enumerate()) - before
    for thread in begun:
        thread.join(10)
    assert not any(thread.is_alive() for thread in begun)


def test_keys_are_made_once(tmp_path: Path) -> None:
    """Keys that exist are never overwritten."""
    env = Settings.with_embedded(tmp_path).variables
    assert call("keys", "init", env=env).exit_code == 0
    again = call("keys", "init", env=env)
    assert again.exit_code == 1
    assert "No keys were written" in again.output


def test_keys_rotate_and_retire(server: Mapping[str, str]) -> None:
    """A key is added, then the old ones are forgotten, and the doctor finds the keys in order."""
    assert call("keys", "rotate", "master", env=server).exit_code == 0
    assert call("keys", "prune", "master", env=server, typed="n\n").exit_code == 1
    assert call("keys", "prune", "master", env=server, typed="y\n").exit_code == 0
    assert "keys" not in call("doctor", env=server).output


def test_what_was_signed_is_believed_after_its_key_is_gone(tmp_path: Path, server: Mapping[str, str]) -> None:
    """`keys prune signing` signs every row under the newest key before it deletes the older ones."""
    settings = Settings.with_embedded(tmp_path)
    services = build_services(settings, "web")
    with services.db.transaction() as session:
        number = users.get_or_create_user(services, session, "ann@games.test").id
    assert call("keys", "rotate", "signing", env=server).exit_code == 0
    assert call("keys", "prune", "signing", env=server, typed="y\n").exit_code == 0
    with build_services(settings, "web").db.snapshot() as session:
        assert session.get_one(User, number).email == "ann@games.test"


def test_a_server_without_a_key_file_does_not_start(server: Mapping[str, str]) -> None:
    """A process that lacks a file of its keys says which, and how it is made."""
    (Path(server["PBEM_STATE_DIR"]) / "keys" / "smtp" / "verify.pub").unlink()
    refused = call("up", env=server)
    assert (refused.exit_code, "pbem keys init" in refused.output) == (1, True)


def test_no_command_that_pbem_starts_imports_from_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a folder that holds a `click.py`, or a file named like any other module, it imports none of them."""
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    monkeypatch.chdir(here := set_traps(tmp_path / "here"))
    call("dev", "bench", "--help", env={})
    with commands._run_command("--help") as started:
        assert started.wait() == 0
    assert not (here / "imported").exists()


def test_doctor_says_when_the_database_lacks_its_tables(tmp_path: Path) -> None:
    """A database without tables gives a sentence and an exit code."""
    settings = Settings.with_embedded(tmp_path)
    server_templates.copy_keys(settings.keys_dir)
    found = call("doctor", env=settings.variables)
    assert found.exit_code == 1
    assert "database" in found.output


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("game", "list", "--json"), 0, ""),
        (("migrate",), 0, ""),
        pytest.param(("mail", "unanswered"), 0, "", marks=pytest.mark.night),
        pytest.param(("mail", "sent"), 0, "", marks=pytest.mark.night),
        (("mail", "flush"), 0, "0"),
        pytest.param(("game", "channels"), 0, "", marks=pytest.mark.night),
        (("game", "resume", "nowhere"), 1, "nowhere"),
        (("keys", "enrol", "root@games.test"), 1, "PBEM_OPERATOR_EMAILS"),
    ],
)
def test_commands_of_the_day_end_well(server: Mapping[str, str], words: tuple[str, ...], code: int, said: str) -> None:
    """On a server without games the runbook's commands find nothing, and say so without an error of the program's."""
    found = call(*words, env=server)
    assert (found.exit_code, said in found.output) == (code, True), found.output
    assert not isinstance(found.exception, Exception) or isinstance(found.exception, SystemExit)


def test_an_operator_is_enrolled_by_command(server: Mapping[str, str]) -> None:
    """The command prints what an authenticator takes in, once the address is named in the settings."""
    found = call("keys", "enrol", "root@games.test", env={**server, "PBEM_OPERATOR_EMAILS": "root@games.test"})
    assert found.exit_code == 0, found.output
    assert found.stdout.startswith("otpauth://totp/")


def test_a_position_is_tried_without_a_server(tmp_path: Path) -> None:
    """`pbem try` prints what comes of orders; a position that names no game is refused."""
    file = tmp_path / "position.json"
    position = {"phase": "S1901M", "units": {"France": ["A PAR"]}, "orders": {"France": ["par bur", "\ud800"]}}
    file.write_text(json.dumps({"game": "diplomacy", **position}))
    found = call("try", str(file))
    assert json.loads(found.stdout)["units"] == [["France", "A BUR"]]
    file.write_text(json.dumps({"game": "toy", "players": 2, "board": {"coins of s1": 3}}))
    assert call("try", str(file)).exit_code == 0
    for wrong, said in (
        ("[]", "one position"),
        ("{}", 'no "game"'),
        ("{", "no JSON"),
        ('{"game": "chess"}', "no game 'chess'"),
    ):
        file.write_text(wrong)
        found = call("try", str(file))
        assert (found.exit_code, said in found.output) == (1, True), found.output


def test_cases_are_counted_and_a_failure_ends_with_1(tmp_path: Path) -> None:
    """`pbem try --cases` names each case that differs; one that cannot be read fails."""
    case = {"id": "a", "phase": "S1901M", "units": {"France": ["A PAR"]}, "expect": {"France": ["A PAR"]}}
    file = tmp_path / "cases.json"
    file.write_text(json.dumps([case]))
    found = call("try", "--cases", str(file))
    assert (found.exit_code, found.stdout) == (0, "1 passed, 0 failed\n")
    file.write_text(json.dumps([case, {**case, "id": "b", "expect": {}}, {**case, "units": 7}, 7, {"phases": 7}]))
    found = call("try", "--cases", str(file))
    assert (found.exit_code, found.stdout.splitlines()[-1]) == (1, "1 passed, 4 failed")


def test_commands_find_the_settings_of_a_server_at_home(tmp_path: Path) -> None:
    """In the folder that set-up takes by default; what is set in the environment counts more."""
    (tmp_path / "pbem").mkdir()
    (tmp_path / "pbem" / "pbem.env").write_text("PBEM_TIME_ZONE=Europe/Rome\n")
    plain = {name: value for name, value in os.environ.items() if not name.startswith("PBEM_")}
    cases: tuple[tuple[dict[str, str], str | None], ...] = (
        ({}, "Europe/Rome"),
        ({"PBEM_STATE_DIR": str(tmp_path)}, None),
    )
    for given, zone in cases:
        with patch.dict(os.environ, {**plain, "HOME": str(tmp_path), **given}, clear=True):
            terminal.load_default_env()
            assert os.environ.get("PBEM_TIME_ZONE") == zone
