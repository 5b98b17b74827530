"""What `deploy/` says is what the program understands."""

import configparser
import os
import re
import sqlite3
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from pbem.cli import main
from pbem.config import VARIABLES, Settings
from pbem.mail.addresses import bounce_address, reply_address, table_address
from pbem.vault import KeyFolder

ROOT = Path(__file__).parent.parent
DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").glob("pbem*"))
KEYED = ("web", "door", "post", "play")
ROLES = (*KEYED, "clock")


def unit(path: Path) -> configparser.ConfigParser:
    """A unit file; systemd allows a name twice, and the last one is kept here."""
    found = configparser.ConfigParser(strict=False, interpolation=None)
    found.optionxform = str  # type: ignore[assignment,method-assign]
    found.read(path, encoding="utf-8")
    return found


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_units_parse(path: Path) -> None:
    """Every unit has a description and something that it does."""
    found = unit(path)
    assert found["Unit"]["Description"]
    assert set(found.sections()) - {"Unit"}


@pytest.mark.parametrize("role", ROLES)
def test_each_process_has_its_user_and_its_keys(role: str) -> None:
    """A unit runs its own role, as its own user, and is shown its own keys alone."""
    path = DEPLOY / "systemd" / f"pbem-{role}.service"
    service = unit(path)["Service"]
    assert service["User"] == f"pbem-{role}"
    assert service["ExecStart"].endswith(f"pbem run {role}")
    text = path.read_text(encoding="utf-8")
    assert (f"Environment=PBEM_KEYS_DIR=/etc/pbem/keys/{role}\n" in text) == (role in KEYED)
    others = [other for other in ROLES if other != role]
    assert not any(f"keys/{other}" in text for other in others)
    assert unit(DEPLOY / "systemd" / "pbem.target")["Unit"]["Wants"].split().count(path.name) == 1


@pytest.mark.parametrize("role", ROLES)
def test_a_process_is_started_again_however_often_it_ends(role: str) -> None:
    """While its database is away a process ends at once each time: systemd does not give up on it."""
    found = unit(DEPLOY / "systemd" / f"pbem-{role}.service")
    assert found["Service"]["Restart"] == "always"
    assert found["Unit"]["StartLimitIntervalSec"] == "0"


def test_users_differ() -> None:
    """No two processes share a user, for then they would share keys."""
    users = [unit(DEPLOY / "systemd" / f"pbem-{role}.service")["Service"]["User"] for role in ROLES]
    assert len(set(users)) == len(ROLES)


def test_the_example_names_every_variable_and_no_other() -> None:
    """The example names all that can be set, and only that."""
    text = (DEPLOY / ".env.example").read_text(encoding="utf-8")
    named = set(re.findall(r"^#? ?(PBEM_[A-Z_]+)=", text, re.MULTILINE))
    assert named == VARIABLES


def example(state: Path) -> dict[str, str]:
    """The variables that the example sets, with folders that exist here."""
    lines = (DEPLOY / ".env.example").read_text(encoding="utf-8").splitlines()
    env = dict(line.split("=", 1) for line in lines if line.startswith("PBEM_"))
    return env | {"PBEM_STATE_DIR": str(state), "PBEM_KEYS_DIR": str(state / "keys")}


@pytest.mark.parametrize("role", ROLES)
def test_the_example_is_a_server(role: Any, tmp_path: Path) -> None:
    """As it stands, with keys made, the example starts every process."""
    KeyFolder.create(tmp_path / "keys")
    env = example(tmp_path) | {"PBEM_KEYS_DIR": str(tmp_path / "keys" / role)}
    settings = Settings.from_env(env, role)
    assert settings.production
    assert settings.public_url.startswith("https://")


COMMAND = re.compile(r"^  ([a-z]+):\n(?:    .*\n)*?    command: \[([a-z, ]+)\]", re.MULTILINE)


def test_compose_calls_commands_that_exist() -> None:
    """Every process of the compose file is a command of the program, with its own keys."""
    text = (DEPLOY / "compose.yml").read_text(encoding="utf-8")
    called = {service: words.split(", ") for service, words in COMMAND.findall(text) if service != "broker"}
    assert set(called) == {*ROLES, "migrate"}
    for service, words in called.items():
        assert words[0] in main.commands
        if service != "migrate":
            assert words == ["run", service]
            assert (f"./keys/{service}:/keys:ro" in text) == (service in KEYED)


def test_compose_users_differ() -> None:
    """Each role has its own uid, the one that the image was made with."""
    text = (DEPLOY / "compose.yml").read_text(encoding="utf-8")
    docker = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    for role, uid in zip(ROLES, range(7101, 7106), strict=True):
        assert f'command: [run, {role}]\n    user: "{uid}:7100"' in text
        assert f"{role}:{uid}" in docker


def test_the_mail_server_takes_letters_from_the_containers() -> None:
    """The relay that the compose file names lets its network in, and is spoken to as it is set up: without TLS."""
    text = (DEPLOY / "compose.yml").read_text(encoding="utf-8")
    found = re.search(r"subnet: ([0-9./]+)", text)
    assert found is not None
    snippet = (DEPLOY / "postfix" / "main.cf.snippet").read_text(encoding="utf-8")
    allowed = re.search(r"^mynetworks = (.+)$", snippet, re.MULTILINE)
    assert allowed is not None
    assert found[1] in allowed[1].split()
    assert "PBEM_RELAY_HOST: host.docker.internal, PBEM_RELAY_TLS: none" in text


def postfix(name: str) -> str:
    """A setting of the delivered Postfix configuration."""
    snippet = (DEPLOY / "postfix" / "main.cf.snippet").read_text(encoding="utf-8")
    found = re.search(rf"^{name} = (.+)$", snippet, re.MULTILINE)
    assert found is not None, name
    return found[1]


def test_postfix_accepts_no_letter_that_the_door_refuses() -> None:
    """A letter too long to be read is let in and answered; one that the door would not take is refused by Postfix."""
    read_up_to = Settings.embedded(Path("/nowhere")).limits.letter_bytes
    with_its_headers = int(postfix("message_size_limit")) + 20_000
    assert read_up_to < int(postfix("message_size_limit"))
    assert with_its_headers < 2 * read_up_to


def test_postfix_asks_before_it_accepts() -> None:
    """Recipients are checked by their form and at the door; only our own machines may relay."""
    checks = postfix("smtpd_recipient_restrictions").split(", ")
    assert checks == ["permit_mynetworks", "reject_unauth_destination", "reject_unverified_recipient"]
    assert "static:all" not in postfix("virtual_mailbox_maps")
    pattern = re.compile((DEPLOY / "postfix" / "pbem-addresses").read_text("utf-8").split("/")[1])
    domain = "games.example.org"
    ours = [reply_address("k7m2p9q4x8", domain), bounce_address("k7m2p9q4x8", domain), table_address("desk00", domain)]
    assert all(map(pattern.search, ours))
    assert not any(map(pattern.search, [f"ada@{domain}", f"o+K@{domain}", f"x{ours[0]}", f"{ours[0]}.evil.test"]))


def run(script: str, argument: Path, url: str) -> subprocess.CompletedProcess[str]:
    """Call one of the scripts."""
    env = {"PATH": os.environ["PATH"], "PBEM_DATABASE_URL": url}
    return subprocess.run(
        [str(DEPLOY / script), str(argument)], env=env, capture_output=True, text=True, check=False, timeout=60
    )


def test_what_was_backed_up_can_be_restored(tmp_path: Path) -> None:
    """A copy of a database in use gives back what it held when it was made."""
    place, copies = tmp_path / "pbem.sqlite3", tmp_path / "copies"
    base = sqlite3.connect(place)
    base.execute("PRAGMA journal_mode=WAL")
    base.execute("CREATE TABLE t (x)")
    base.execute("CREATE TABLE beats (name PRIMARY KEY, at)")
    base.execute("INSERT INTO t VALUES (1)")
    base.commit()
    made = run("backup", copies, f"sqlite:///{place}")
    assert made.returncode == 0, made.stderr
    base.execute("UPDATE t SET x = 2")
    base.commit()
    base.close()
    (copy,) = copies.iterdir()
    assert copy.stat().st_mode & 0o077 == 0
    back = run("restore", copy, f"sqlite:///{place}")
    assert back.returncode == 0, back.stderr
    again = sqlite3.connect(place)
    assert again.execute("SELECT x FROM t").fetchall() == [(1,)]
    ((name, at),) = again.execute("SELECT name, at FROM beats").fetchall()
    assert (name, abs(at - 1000 * time.time()) < 600_000) == ("restored", True), "the server tells its players"
    again.close()


def test_a_backup_of_nothing_says_so(tmp_path: Path) -> None:
    """Without an address of a database nothing is written, and the reason is told."""
    made = run("backup", tmp_path, "mysql://x")
    assert made.returncode == 1
    assert "PBEM_DATABASE_URL" in made.stderr


def test_postfix_tells_nobody_thousands_of_addresses() -> None:
    """Who tries out addresses is cut off: by mistakes in one visit, by recipients, letters and visits a minute."""
    assert postfix("disable_vrfy_command") == "yes"
    assert int(postfix("smtpd_hard_error_limit")) <= 10
    counts = {what: int(postfix(f"smtpd_client_{what}_rate_limit")) for what in ("connection", "message", "recipient")}
    assert all(0 < count <= 240 for count in counts.values()), counts
    assert 0 < int(postfix("smtpd_client_connection_count_limit")) <= 20
