"""What `deploy/` says is what the program understands."""

import configparser
import os
import re
import runpy
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psycopg
import pyrage
import pytest
from sqlalchemy.engine import make_url

from pbem import env_file, manager, sentinels
from pbem.cli import main
from pbem.config import Settings
from pbem.mail.addresses import bounce_address, reply_address, table_address
from pbem.reading import VARIABLES, ConfigError
from pbem.servers import Postgres
from pbem.vault import KeyFolder
from tests.mail.dovecot import until

ROOT = Path(__file__).parent.parent
DEPLOY = ROOT / "deploy"
EXAMPLE = (DEPLOY / ".env.example").read_text(encoding="utf-8")
UNITS = sorted((DEPLOY / "systemd").glob("pbem*"))
KEYED = ("web", "door", "post", "play")
USUAL = (*KEYED, "clock")
ROLES = (*USUAL, "metrics")


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
    assert (f" PBEM_KEYS_DIR=/etc/pbem/keys/{role} " in service["ExecStart"]) == (role in KEYED)
    assert f" PBEM_STATE_DIR=/var/lib/pbem/{role} " in service["ExecStart"]
    others = [other for other in ROLES if other != role]
    assert not any(f"keys/{other}" in text for other in others)
    wanted = unit(DEPLOY / "systemd" / "pbem.target")["Unit"]["Wants"].split()
    assert wanted.count(path.name) == (role in USUAL), "figures are for those who name an address for them"


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_no_unit_sets_what_the_file_of_settings_overrules(path: Path) -> None:
    """To systemd a variable of an EnvironmentFile= counts more than one of Environment=, wherever the two stand."""
    assert "\nEnvironment=PBEM_" not in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("role", ROLES)
def test_a_process_is_started_again_however_often_it_ends(role: str) -> None:
    """While its database is away a process ends at once each time: systemd does not give up on it."""
    found = unit(DEPLOY / "systemd" / f"pbem-{role}.service")
    assert found["Service"]["Restart"] == "always"
    assert found["Service"]["Type"] == "notify"
    assert int(found["Service"]["WatchdogSec"]) > 10 * manager.LOOK_S
    assert found["Unit"]["StartLimitIntervalSec"] == "0"


def test_users_differ() -> None:
    """No two processes share a user, for then they would share keys."""
    users = [unit(DEPLOY / "systemd" / f"pbem-{role}.service")["Service"]["User"] for role in ROLES]
    assert len(set(users)) == len(ROLES)


@pytest.mark.parametrize("path", [path for path in UNITS if path.suffix == ".service"], ids=lambda path: path.name)
def test_no_unit_is_exposed(path: Path) -> None:
    """Systemd itself rates each unit, that of the backups too, at 3 or less of 10."""
    if shutil.which("systemd-analyze") is None:
        pytest.skip("no systemd-analyze is installed")
    asked = ["systemd-analyze", "security", "--offline=true", str(path)]
    told = subprocess.run(asked, capture_output=True, text=True, check=False, timeout=60)
    rated = re.search(r"Overall exposure level for \S+: ([0-9.]+)", told.stdout)
    if rated is None:
        pytest.skip("this systemd-analyze rates no files")
    assert float(rated[1]) <= 3.0


def test_the_backup_has_a_user_a_folder_and_a_role() -> None:
    """What the unit of the backups needs is made by the runbook: its user, its folder, its way into the database."""
    service = unit(DEPLOY / "systemd" / "pbem-backup.service")["Service"]
    folder = service["ExecStart"].split()[1]
    steps = first_start()
    assert service["User"] in steps[0]
    assert f"install -d -m 700 -o {service['User']} -g {service['Group']} {folder}" in steps[2]
    assert folder in service["ReadWritePaths"].split()
    assert service["User"] in identities()


def identities() -> list[str]:
    """The system users who act as the one role of the database."""
    lines = (DEPLOY / "postgresql" / "pg_ident.conf").read_text(encoding="utf-8").splitlines()
    found = [line.split() for line in lines if line and not line.startswith("#")]
    assert {(name, role) for name, _, role in found} == {("pbem", "pbem")}
    return [user for _, user, _ in found]


def test_a_copy_that_fails_is_told_to_the_operator() -> None:
    """The unit of the backups starts another when it fails, which writes a letter by a script that is there."""
    wanted = unit(DEPLOY / "systemd" / "pbem-backup.service")["Unit"]["OnFailure"]
    assert wanted == "pbem-failed@%n.service"
    service = unit(DEPLOY / "systemd" / "pbem-failed@.service")["Service"]
    assert service["ExecStart"] == "/opt/pbem/deploy/failed %i"
    assert os.access(DEPLOY / "failed", os.X_OK)


def test_every_user_of_the_database_is_let_in() -> None:
    """The users of all units, and root for the commands, are mapped to the role that the example names."""
    users = {unit(path)["Service"]["User"] for path in UNITS if path.suffix == ".service"}
    assert sorted(identities()) == sorted([*users, "root"])
    url = env_file.parse(EXAMPLE)["PBEM_DATABASE_URL"]
    assert make_url(url).username == make_url(url).database == "pbem"


@contextmanager
def added(postgres: Postgres, without: str = "") -> Iterator[None]:
    """Our lines in PostgreSQL's two files, but for one that holds a word."""
    data = postgres.folder / "data"
    before = {name: (data / name).read_text() for name in ("pg_ident.conf", "pg_hba.conf")}
    try:
        for name, text in before.items():
            ours = (DEPLOY / "postgresql" / name).read_text(encoding="utf-8").splitlines(keepends=True)
            (data / name).write_text("".join(line for line in ours if not without or without not in line) + text)
        postgres.run("SELECT pg_reload_conf()")
        yield
    finally:
        for name, text in before.items():
            (data / name).write_text(text)
        postgres.run("SELECT pg_reload_conf()")


@pytest.mark.parametrize("view", ["pg_hba_file_rules", "pg_ident_file_mappings"])
def test_postgresql_understands_its_lines(view: str, postgres: Postgres) -> None:
    """PostgreSQL itself finds no fault with the lines for its two files."""
    with added(postgres), psycopg.connect(f"host={postgres.folder} user=postgres dbname=postgres") as line:
        rows = line.execute(f"SELECT error FROM {view}").fetchall()
    assert rows
    assert all(error is None for (error,) in rows), rows


def test_the_operator_is_let_in_as_the_role(postgres: Postgres) -> None:
    """With the lines, root reaches the database as the role of the server without a password; without them, not."""
    if os.geteuid() != 0:
        pytest.skip("whether root is let in can be tried by root only")

    def let_in() -> bool:
        with suppress(psycopg.OperationalError), psycopg.connect(f"host={postgres.folder} user=pbem dbname=pbem"):
            return True
        return False

    for words in ("CREATE ROLE pbem LOGIN", "CREATE DATABASE pbem OWNER pbem"):
        postgres.run(words)
    try:
        with added(postgres, without="root"):
            until(lambda: not let_in(), "the lines without root")
            with added(postgres):
                until(let_in, "the line with root")
    finally:
        for words in ("DROP DATABASE pbem", "DROP ROLE pbem"):
            postgres.run(words)


def first_start() -> list[str]:
    """The numbered steps of the first start on a server."""
    text = (DEPLOY / "README.md").read_text(encoding="utf-8").split("### By hand")[1].split("\n### ")[0]
    steps = re.split(r"^\d+\. ", text, flags=re.MULTILINE)[1:]
    assert len(steps) == 8
    return steps


def test_addresses_of_several_machines_are_understood(state_dir: Path) -> None:
    """The two lines that name several hosts are settings, for libpq and Celery too, and for the scripts for copies."""
    chapter = (DEPLOY / "README.md").read_text(encoding="utf-8").split("## On several machines")[1].split("\n## ")[0]
    named = dict(re.findall(r"^ *(PBEM_\w+)=(\S+)$", chapter, re.MULTILINE))
    plain = Settings.embedded(state_dir, role="clock")
    settings = Settings.from_env({**plain.variables, **named}, "clock")
    made = make_url(settings.database_url)
    _, arguments = made.get_dialect()().create_connect_args(made)
    assert (arguments["host"], arguments["port"]) == ("one,two", "5432,5432")
    assert sentinels.celery_options(settings.broker_url) == {"master_name": "pbem"}
    asked = subprocess.run(
        [sys.executable, str(DEPLOY / "database"), "env"],
        env={"PATH": os.environ["PATH"], **named},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    told = dict(line.partition("=")[::2] for line in asked.stdout.splitlines())
    assert {told[name] for name in ("PGHOST", "PGPORT", "PGTARGETSESSIONATTRS")} == {
        "one,two",
        "5432,5432",
        "read-write",
    }


def test_the_runbook_makes_things_before_it_uses_them() -> None:
    """The command is in PATH before it is called; folders are there before keys and tables; no shell reads settings."""
    steps = first_start()
    whole = "".join(steps)
    assert "ln -s /opt/pbem/.venv/bin/pbem /usr/local/bin/pbem" in steps[1]
    made, keys, tables = (
        whole.index(words) for words in ("mkdir -p -m 755 /etc/pbem /var/lib/pbem", "keys init", " migrate")
    )
    assert made < keys < tables
    assert steps[4].index("keys init") < steps[4].index("chown -R pbem-web")
    calls = re.findall(r"^ *pbem (.*)$", whole, re.MULTILINE)
    assert calls
    assert all(words.startswith("--env /etc/pbem/pbem.env") for words in calls)
    assert ". /etc/pbem/pbem.env" not in whole


def test_keys_are_made_as_the_runbook_says(tmp_path: Path) -> None:
    """With the example as it stands, the command of the containers' way makes the keys, a folder for each process."""
    assert "PBEM_STATE_DIR=/tmp PBEM_KEYS_DIR=$PWD/deploy/keys pbem --env deploy/.env keys init" in (
        DEPLOY / "README.md"
    ).read_text(encoding="utf-8")
    env = {"PATH": os.environ["PATH"], "PBEM_STATE_DIR": "/tmp", "PBEM_KEYS_DIR": str(tmp_path / "keys")}
    line = [sys.executable, "-m", "pbem.cli", "--env", str(DEPLOY / ".env.example"), "keys", "init"]
    made = subprocess.run(line, env=env, cwd=ROOT, capture_output=True, text=True, check=False, timeout=120)
    assert made.returncode == 0, made.stderr
    assert {path.name for path in (tmp_path / "keys").iterdir()} == set(KEYED)


def test_the_proxy_and_the_pages_go_by_one_name() -> None:
    """The sample of a proxy passes the name that readers asked for, and it is that of the example's pages."""
    proxy = (DEPLOY / "nginx" / "pbem.conf").read_text(encoding="utf-8")
    assert "proxy_set_header Host $host;" in proxy
    named = re.search(r"server_name (\S+);", proxy)
    assert named is not None
    assert env_file.parse(EXAMPLE)["PBEM_PUBLIC_URL"] == f"https://{named[1]}"


def test_no_command_line_holds_the_password_of_the_database(tmp_path: Path) -> None:
    """PostgreSQL's programs are told in their environment whom to ask: any user may read a command line."""
    seen = tmp_path / "seen"
    for name in ("pg_dump", "pg_restore", "psql"):
        program = tmp_path / name
        program.write_text(
            f'#!/bin/sh\necho "$0 $* | $PGHOST $PGPORT $PGUSER $PGPASSWORD $PGDATABASE $PGSSLMODE" >> {seen}\n'
        )
        program.chmod(0o755)
    url = "postgresql+psycopg://pbem:Xy%20zzy9@db.example.org:5433/games?sslmode=verify-full"
    for script in ("backup", "restore"):
        env = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "PBEM_DATABASE_URL": url}
        called = [str(DEPLOY / script), str(tmp_path / "copies")]
        subprocess.run(called, env=env, capture_output=True, check=False, timeout=60)
    lines = [line.split(" | ") for line in seen.read_text().splitlines()]
    assert [line[0].split()[0].rpartition("/")[2] for line in lines] == ["pg_dump", "pg_restore", "psql"]
    assert all(told == "db.example.org 5433 pbem Xy zzy9 games verify-full" for _, told in lines)
    assert not any("Xy" in words or "postgresql" in words for words, _ in lines)
    assert "--dbname games" in lines[1][0]


def test_the_example_names_every_variable_and_no_other() -> None:
    """The example names all that can be set, and only that."""
    named = set(re.findall(r"^#? ?(PBEM_[A-Z_]+)=", EXAMPLE, re.MULTILINE))
    assert named == VARIABLES


def example(state: Path) -> dict[str, str]:
    """The variables that the example sets, with folders that exist here."""
    return env_file.parse(EXAMPLE) | {"PBEM_STATE_DIR": str(state), "PBEM_KEYS_DIR": str(state / "keys")}


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


COMMON = re.compile(r"^x-here: &here\n((?:  .+\n)+)", re.MULTILINE)
OWN = re.compile(r"^  ([a-z]+):\n(?:    .*\n)*?    environment: \{<<: \*here, (.+)\}$", re.MULTILINE)


def in_containers() -> dict[str, dict[str, str]]:
    """What the compose file sets for each process, beside the file of settings."""
    text = (DEPLOY / "compose.yml").read_text(encoding="utf-8")
    common = COMMON.search(text)
    assert common is not None
    pairs = [line.strip().split(": ", 1) for line in common[1].splitlines()]
    here = {name: value.strip('"') for name, value in pairs}
    own = {name: dict(part.split(": ", 1) for part in words.split(", ")) for name, words in OWN.findall(text)}
    return {name: here | {key: value.strip('"') for key, value in words.items()} for name, words in own.items()}


@pytest.mark.parametrize("role", ROLES)
def test_the_example_works_in_containers_as_it_stands(role: Any, tmp_path: Path) -> None:
    """With what the compose file sets, the example starts every process there: the two do not contradict each other."""
    keys, secret = tmp_path / "keys", tmp_path / "database-url"
    KeyFolder.create(keys)
    secret.write_text("postgresql://pbem:Xyzzy9@database/pbem\n")
    secret.chmod(0o400)
    set_there = in_containers()[role]
    assert set_there["PBEM_STATE_DIR"] == f"/var/lib/pbem/{role}"
    assert (set_there["PBEM_KEYS_DIR"], set_there["PBEM_DATABASE_URL_FILE"]) == ("/keys", "/etc/pbem/database-url")
    here = {"PBEM_STATE_DIR": str(tmp_path), "PBEM_KEYS_DIR": str(keys / role), "PBEM_DATABASE_URL_FILE": str(secret)}
    settings = Settings.from_env(env_file.parse(EXAMPLE) | set_there | here, role)
    assert settings.broker_url == "redis://broker:6379/0"
    assert "database/pbem" in settings.database_url


def services() -> dict[str, str]:
    """The text of each service of the compose file."""
    text = (DEPLOY / "compose.yml").read_text(encoding="utf-8").split("\nservices:\n")[1].split("\nnetworks:")[0]
    return dict(re.findall(r"^  ([a-z]+):\n((?:(?:    .*)?\n)+)", text, re.MULTILINE))


def test_every_container_is_asked_whether_it_is_well() -> None:
    """Each service that goes on running has a health check, and those with a port are asked at it."""
    found = services()
    assert set(found) == {"database", "broker", "migrate", "backup", *ROLES}
    assert all(("healthcheck:" in text) == (name != "migrate") for name, text in found.items())
    for name in ("web", "door", "metrics"):
        port = re.search(r'ports: \["127\.0\.0\.1:(\d+):', found[name])
        assert port is not None
        assert f"('127.0.0.1', {port[1]})" in found[name]
    assert all(f'"worker.{name}"' in found[name] for name in ("post", "play", "clock"))


def test_no_container_starts_before_the_tables_are_made() -> None:
    """Processes wait for the tables, and what makes the tables for the database alone."""
    text = (DEPLOY / "compose.yml").read_text(encoding="utf-8")
    part = text.split("x-part: &part\n")[1].split("\nservices:")[0]
    assert "migrate: {condition: service_completed_successfully}" in part
    found = services()
    assert [name for name, words in found.items() if "    depends_on:" in words] == ["migrate"]
    assert "database: {condition: service_healthy}" in found["migrate"]
    assert "migrate:" not in found["migrate"]


def test_a_container_owns_its_volume() -> None:
    """A volume takes the place of a folder of the image that belongs to the user who writes there."""
    docker = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    assert 'install -d -m 700 -o "pbem-${role%:*}" -g pbem "/var/lib/pbem/${role%:*}"' in docker
    for role in ROLES:
        assert f'"{role}:/var/lib/pbem/{role}"' in services()[role]


COPYING = ("backup", "copies", "daily", "database")


def test_no_key_and_no_secret_is_sent_to_the_builder() -> None:
    """The builder gets what the Dockerfile copies, and nothing else of the folder that lies beside keys and secrets."""
    docker = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    lines = (DEPLOY / "Dockerfile.dockerignore").read_text(encoding="utf-8").splitlines()
    kept = [line for line in lines if line and not line.startswith("#")]
    sent = {line.removeprefix("!") for line in kept if line.startswith("!")}
    copied = {
        name for words in re.findall(r"^COPY (?!--from)(.+) \S+$", docker, re.MULTILINE) for name in words.split()
    }
    assert kept[0] == "*"
    assert sent == copied
    assert {name for name in sent if name.startswith("deploy")} == {f"deploy/{name}" for name in COPYING}


def test_compose_users_differ() -> None:
    """Each role has its own uid, the one that the image was made with."""
    text = (DEPLOY / "compose.yml").read_text(encoding="utf-8")
    docker = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    for role, uid in zip(ROLES, range(7101, 7107), strict=True):
        assert f'command: [run, {role}]\n    user: "{uid}:7100"' in text
        assert f"{role}:{uid}" in docker
    assert 'user: "7107:7100"' in services()["backup"]
    assert "--uid 7107 " in docker


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


def run(
    script: str, argument: Path, url: str, *more: str, word: str = "", **variables: str
) -> subprocess.CompletedProcess[str]:
    """Call one of the scripts, by the interpreter that runs us."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    env = {"PATH": path, "PBEM_DATABASE_URL": url, **variables}
    return subprocess.run(
        [str(DEPLOY / script), *filter(None, [word]), str(argument), *more],
        env=env,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
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


def test_a_copy_opens_only_with_the_key_that_the_server_does_not_hold(tmp_path: Path) -> None:
    """With a public key of the operator's a copy is encrypted, no plain one stays, and only the other half opens it."""
    identity = pyrage.x25519.Identity.generate()
    place, copies, kept = tmp_path / "pbem.sqlite3", tmp_path / "copies", tmp_path / "identity"
    kept.write_text(f"# made today\n{identity}\n")
    with sqlite3.connect(place) as base:
        base.execute("CREATE TABLE t (x)")
        base.execute("CREATE TABLE beats (name PRIMARY KEY, at)")
        base.execute("INSERT INTO t VALUES ('qzvxjword')")
    base.close()
    made = run("backup", copies, f"sqlite:///{place}", PBEM_BACKUP_KEY=str(identity.to_public()))
    assert made.returncode == 0, made.stderr
    (copy,) = copies.iterdir()
    assert copy.name.endswith(".sqlite3.age")
    assert b"qzvxjword" not in copy.read_bytes()
    place.unlink()
    for other in ((), (str(place.with_name("nothing")),)):
        assert run("restore", copy, f"sqlite:///{place}", *other).returncode != 0
    back = run("restore", copy, f"sqlite:///{place}", str(kept))
    assert back.returncode == 0, back.stderr
    again = sqlite3.connect(place)
    assert again.execute("SELECT x FROM t").fetchall() == [("qzvxjword",)]
    again.close()


def test_a_key_that_is_none_leaves_no_copy_behind(tmp_path: Path) -> None:
    """Where a copy cannot be encrypted, no plain one is left; and processes refuse such a setting."""
    sqlite3.connect(tmp_path / "pbem.sqlite3").close()
    made = run("backup", tmp_path / "copies", f"sqlite:///{tmp_path}/pbem.sqlite3", PBEM_BACKUP_KEY="age1zzz")
    assert made.returncode != 0
    assert list((tmp_path / "copies").iterdir()) == []
    with pytest.raises(ConfigError, match="PBEM_BACKUP_KEY"):
        Settings.from_env({**Settings.embedded(tmp_path).variables, "PBEM_BACKUP_KEY": "age1zzz"}, keys_exist=False)


def test_copies_are_thinned_by_age(tmp_path: Path) -> None:
    """A year of nightly copies becomes those of two days, a dozen days, some weeks and a year of months, in any case
    the newest; and what is thinned each night keeps as much as what is thinned once.
    """
    now, day = time.time(), 86_400
    code = runpy.run_path(str(DEPLOY / "copies"))
    every = {int(now - number * day) for number in range(800)}
    once = code["kept"](every, now)
    ages = sorted(int((now - moment) / day) for moment in once)
    assert ages[:3] == [0, 1, 2]
    assert 12 <= len([age for age in ages if age <= 14]) <= 15
    assert 25 <= len(ages) <= 36
    assert 330 <= ages[-1] <= 365
    nightly: set[int] = set()
    for moment in sorted(every):
        nightly = code["kept"](nightly | {moment}, moment)
    assert len(nightly) >= len(once) - 6
    for age in (3, 10, 30, 80, 200, 330):
        assert any(abs((now - moment) / day - age) <= 31 for moment in nightly), age
    assert code["kept"]({int(now - 900 * day)}, now), "the newest stays, however old it is"


def test_thinning_touches_copies_alone(tmp_path: Path) -> None:
    """Only files that are named as copies are ever deleted."""
    for name in ("pbem-20200101T000000Z.dump", "pbem-20200102T000000Z.dump.age", "notes", "pbem-20200101T000000Z"):
        (tmp_path / name).touch()
    assert run("copies", tmp_path, "", word="thin").returncode == 0
    assert {path.name for path in tmp_path.iterdir()} == {
        "pbem-20200102T000000Z.dump.age",
        "notes",
        "pbem-20200101T000000Z",
    }


@pytest.mark.parametrize("name", ["backup", "restore", "install"])
def test_a_script_is_understood_by_any_shell(name: str) -> None:
    """The scripts are plain sh, which reads them to the end without a complaint."""
    read = subprocess.run(["sh", "-n", str(DEPLOY / name)], capture_output=True, text=True, check=False, timeout=60)
    assert (read.returncode, read.stderr) == (0, "")


def test_the_script_makes_what_the_units_need() -> None:
    """`install` makes every user that a unit or the database knows, and installs every part of the project."""
    written = (DEPLOY / "install").read_text(encoding="utf-8")
    roles = re.search(r'^roles="([a-z ]+)"$', written, re.MULTILINE)
    parts = re.search(r'^parts="(.+)"$', written, re.MULTILINE)
    assert roles is not None
    assert parts is not None
    assert {f"pbem-{role}" for role in roles[1].split()} == set(identities()) - {"root"}
    assert {"deploy", "engine", "mail_templates", "pbem", "pyproject.toml", "requirements", "worker"} <= set(
        parts[1].split()
    )
    assert all((ROOT / part).exists() for part in parts[1].split())


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
