"""The files of `deploy/` say what the program understands: units, containers, and mail server."""

import configparser
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import click
import psycopg
import pytest
import yaml  # type: ignore[import-untyped]
from sqlalchemy.engine import make_url

from pbem.cli.main import main
from pbem.config import env_file, redis_sentinel
from pbem.config.env_reader import VARIABLES
from pbem.config.settings import Settings
from pbem.crypto import KeyFolder
from pbem.mail.addresses import bounce_address, reply_address, table_address
from pbem.ops import systemd_notify
from pbem.ops.backup import libpq_variables
from pbem.ops.servers import Postgres
from pbem.ops.supervisor import WORKERS
from pbem.store.schema import upgrade
from tests.operator import runbook

ROOT = Path(__file__).parent.parent
DEPLOY = ROOT / "deploy"
EXAMPLE = (DEPLOY / ".env.example").read_text(encoding="utf-8")
UNITS = sorted((DEPLOY / "systemd").glob("pbem*"))
KEYED = ("web", "smtp", "mailer", "resolver")
USUAL = (*KEYED, "scheduler")
ROLES = (*USUAL, "metrics")


def unit(name: str) -> configparser.ConfigParser:
    """A unit file; systemd allows a name twice, and the last one is kept here."""
    found = configparser.ConfigParser(strict=False, interpolation=None)
    found.optionxform = str  # type: ignore[assignment,method-assign]
    found.read(DEPLOY / "systemd" / name, encoding="utf-8")
    return found


@pytest.mark.parametrize("role", ROLES)
def test_each_process_has_its_user_and_its_keys(role: str) -> None:
    """A unit runs its own role as its own user with its own keys alone, and is started again however often it ends."""
    name = f"pbem-{role}.service"
    found = unit(name)
    service, start = found["Service"], found["Service"]["ExecStart"]
    assert service["User"] == f"pbem-{role}"
    assert start.endswith(f"pbem run {role}")
    assert re.findall(r"PBEM_KEYS_DIR=(\S+)", start) == ([f"/etc/pbem/keys/{role}"] if role in KEYED else [])
    assert f" PBEM_STATE_DIR=/var/lib/pbem/{role} " in start
    assert not any(f"keys/{other}" in start for other in ROLES if other != role)
    assert (service["Restart"], service["Type"], found["Unit"]["StartLimitIntervalSec"]) == ("always", "notify", "0")
    assert 5 * systemd_notify.CHECK_INTERVAL_S < int(service["WatchdogSec"]) == systemd_notify.SILENT_S
    wanted = unit("pbem.target")["Unit"]["Wants"].split()
    assert wanted.count(name) == (role in USUAL), "figures are for those who name an address for them"


def test_no_unit_sets_what_the_file_of_settings_overrules() -> None:
    """To systemd a variable of an EnvironmentFile= counts more than one of Environment=, in whatever order they are."""
    assert [path.name for path in UNITS if "\nEnvironment=PBEM_" in path.read_text(encoding="utf-8")] == []


@pytest.mark.parametrize("path", [path for path in UNITS if path.suffix == ".service"], ids=lambda path: path.name)
def test_no_unit_is_exposed(path: Path) -> None:
    """Systemd itself rates each unit, that of the backups too, at 1.5 or less of 10."""
    if shutil.which("systemd-analyze") is None:
        pytest.skip("no systemd-analyze is installed")
    command = ["systemd-analyze", "security", "--offline=true", str(path)]
    answer = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    rated = re.search(r"Overall exposure level for \S+: ([0-9.]+)", answer.stdout)
    if rated is None:
        pytest.skip("this systemd-analyze rates no files")
    assert float(rated[1]) <= 1.5


@pytest.mark.parametrize("path", [path for path in UNITS if path.suffix == ".service"], ids=lambda path: path.name)
def test_each_unit_has_bounds(path: Path) -> None:
    """No written memory is executed, no other part of the system is seen, and memory, tasks and network have bounds."""
    service = unit(path.name)["Service"]
    assert (service["MemoryDenyWriteExecute"], service["ProcSubset"]) == ("yes", "pid")
    assert service["MemoryMax"] in ("512M", "1G", "2G")
    assert int(service["TasksMax"]) == 64
    writes_to_relay = path.name.startswith(("pbem-mailer", "pbem-doctor", "pbem-failed"))
    network = None if writes_to_relay else "any", None if writes_to_relay else "localhost"
    assert (service.get("IPAddressDeny"), service.get("IPAddressAllow")) == network


def test_a_copy_is_made_where_its_user_may_write_and_a_failure_is_reported() -> None:
    """The unit of the backups may write to its folder, and starts a script that writes a letter when it fails."""
    found = unit("pbem-backup.service")
    assert found["Service"]["ExecStart"].split()[2] in found["Service"]["ReadWritePaths"].split()
    assert found["Unit"]["OnFailure"] == "pbem-failed@%n.service"
    assert unit("pbem-failed@.service")["Service"]["ExecStart"] == "/opt/pbem/deploy/failed %i"
    assert os.access(DEPLOY / "failed", os.X_OK)


def test_every_user_of_the_database_is_made() -> None:
    """`install` makes the users of all units, and copies all parts; the example names no role."""
    users = {unit(path.name)["Service"]["User"] for path in UNITS if path.suffix == ".service"}
    url = make_url(env_file.parse_env_file(EXAMPLE)["PBEM_DATABASE_URL"])
    assert (url.username, url.database) == (None, "pbem")
    script = (DEPLOY / "install").read_text(encoding="utf-8")
    roles = re.search(r'^roles="([a-z ]+)"$', script, re.MULTILINE)
    parts = re.search(r'^parts="(.+)"$', script, re.MULTILINE)
    assert roles is not None
    assert parts is not None
    assert {f"pbem-{role}" for role in roles[1].split()} == users
    needed = {"deploy", "engine", "mail_templates", "pbem", "pyproject.toml", "requirements", "worker"}
    assert needed <= set(parts[1].split())
    assert all((ROOT / part).exists() for part in parts[1].split())


@pytest.fixture
def set_up(postgres: Postgres) -> Iterator[str]:
    """A database that the script for PostgreSQL has made twice, with our line for its users; its socket's folder."""
    hba = postgres.folder / "data" / "pg_hba.conf"
    before = hba.read_text()
    try:
        for _ in range(2):
            runbook.make_logins(postgres.url)
        hba.write_text((DEPLOY / "postgresql" / "pg_hba.conf").read_text(encoding="utf-8") + before)
        postgres.run("SELECT pg_reload_conf()")
        yield str(postgres.folder)
    finally:
        hba.write_text(before)
        postgres.run("SELECT pg_reload_conf()")
        postgres.run("DROP DATABASE pbem WITH (FORCE)")
        for name in ("root", "pbem", *(f"pbem-{role}" for role in (*ROLES, "backup"))):
            postgres.run(f'DROP ROLE "{name}"')


@pytest.mark.long
def test_each_user_is_a_member_of_its_own_role(postgres: Postgres, set_up: str) -> None:
    """Each unit's user signs in and may do what its process may; root is a member of the owner of the tables alone."""
    with psycopg.connect(f"host={set_up} user=postgres dbname=postgres") as line:
        asked = "SELECT error FROM pg_hba_file_rules"
        assert {error for (error,) in line.execute(asked)} == {None}
        members = line.execute(
            "SELECT m.rolname, r.rolname FROM pg_auth_members JOIN pg_roles m ON m.oid = member"
            " JOIN pg_roles r ON r.oid = roleid WHERE m.rolname LIKE 'pbem%' OR m.rolname = 'root'"
        ).fetchall()
        signs_in = "SELECT rolname FROM pg_roles WHERE rolcanlogin AND (rolname LIKE 'pbem%' OR rolname = 'root')"
        logins = {name for (name,) in line.execute(signs_in)}
    users = {unit(path.name)["Service"]["User"] for path in UNITS if path.suffix == ".service"}
    assert sorted(members) == sorted([("root", "pbem"), *((user, user.replace("-", "_")) for user in users)])
    assert logins == {*users, "root", "pbem"}


@pytest.mark.long
def test_the_operator_acts_as_the_owner(set_up: str) -> None:
    """Root reaches the database without a password and makes tables that pbem owns; nobody comes in as another."""
    if os.geteuid() != 0:
        pytest.skip("whether root is let in can be tried by root only")
    upgrade(f"postgresql:///pbem?host={set_up}")
    with psycopg.connect(f"host={set_up} dbname=pbem") as line:
        assert line.execute("SELECT session_user, current_user").fetchone() == ("root", "pbem")
        asked = "SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'public'"
        assert line.execute(asked).fetchall() == [("pbem",)]
    for other in ("pbem", "pbem-resolver"):
        with pytest.raises(psycopg.OperationalError, match="Peer authentication failed"):
            psycopg.connect(f"host={set_up} dbname=pbem user={other}")


# --- the README

README = (DEPLOY / "README.md").read_text(encoding="utf-8")
CALL = re.compile(r"(?:^|[`| /])pbem ((?:--env \S+ )?[a-z][^`|\n]*)", re.MULTILINE)
"""A command of ours, in a sentence, a table or a block, up to its end."""


def test_an_operator_reads_200_lines() -> None:
    """One document, at home first, and a part for each task."""
    assert len(README.splitlines()) <= 200
    assert re.findall(r"^## (.+)$", README, re.MULTILINE) == [
        "At home", "On a server", "On several machines", "Day to day", "Upgrade and restore", "When something is wrong",
    ]  # fmt: skip


@pytest.mark.parametrize("words", sorted({found.strip() for found in CALL.findall(README)}))
def test_each_command_of_the_readme_can_be_typed(words: str) -> None:
    """Its command exists and takes these options and arguments; capitals stand for what one fills in."""
    with main.make_context("pbem", ["--env", "/nowhere", "--help"], resilient_parsing=True) as context:
        command: click.Command = main
        rest = re.sub(r"^--env \S+ ", "", words).replace("KIND", "view").split()
        while isinstance(command, click.Group) and rest and not rest[0].startswith("-"):
            found = command.get_command(context, rest[0])
            assert found is not None, f"pbem {words}: there is no {rest[0]}"
            command, rest = found, rest[1:]
        assert not isinstance(command, click.Group) or command.invoke_without_command, words
        command.make_context(words, rest)


def test_each_file_that_the_readme_names_is_there() -> None:
    """Files of this folder, and what is put where."""
    named = re.findall(
        r"(?<![/\w])((?:deploy|postfix|nginx|caddy|postgresql|systemd|metrics)/[A-Za-z0-9_./-]+)", README
    )
    made = ("deploy/.env", "deploy/keys", "deploy/backups")
    for name in (name for name in named if not name.startswith(made) or name.endswith(".example")):
        assert (ROOT / name).exists() or (DEPLOY / name).exists(), name


# --- settings


def test_addresses_of_several_machines_are_understood(state_dir: Path) -> None:
    """The README's two lines with several hosts are settings, also for libpq and Celery."""
    chapter = (DEPLOY / "README.md").read_text(encoding="utf-8").split("## On several machines")[1].split("\n## ")[0]
    named = dict(re.findall(r"^ *(PBEM_\w+)=(\S+)$", chapter, re.MULTILINE))
    settings = Settings.from_env(
        {**Settings.with_embedded(state_dir, role="scheduler").variables, **named}, "scheduler"
    )
    made = make_url(settings.database_url)
    _, arguments = made.get_dialect()().create_connect_args(made)
    assert (arguments["host"], arguments["port"]) == ("one,two", "5432,5432")
    assert redis_sentinel.celery_options(settings.broker_url) == {"master_name": "pbem"}
    told = libpq_variables(settings.database_url)
    wanted = {"PGHOST": "one,two", "PGPORT": "5432,5432", "PGTARGETSESSIONATTRS": "read-write"}
    assert {name: told[name] for name in wanted} == wanted


def test_the_example_names_every_variable_and_no_other() -> None:
    """The example names all that can be set, and only that."""
    assert set(re.findall(r"^#? ?(PBEM_[A-Z_]+)=", EXAMPLE, re.MULTILINE)) == VARIABLES


def test_the_example_starts_every_process(tmp_path: Path) -> None:
    """As it is, with keys made, the example starts every process, and so it does with what the compose file sets."""
    keys, secret, broker = tmp_path / "keys", tmp_path / "database-url", tmp_path / "broker-url"
    KeyFolder.create(keys)
    secret.write_text("postgresql://pbem-web:Xyzzy9@database/pbem\n")
    broker.write_text("redis://:Xyzzy9@broker:6379/0\n")
    for file in (secret, broker):
        file.chmod(0o400)
    for role in ROLES:
        here = {"PBEM_STATE_DIR": str(tmp_path), "PBEM_KEYS_DIR": str(keys / role)}
        settings = Settings.from_env(env_file.parse_env_file(EXAMPLE) | here, role)  # type: ignore[arg-type]
        assert settings.production
        assert settings.public_url.startswith("https://")
        contained = services()[role]["environment"]
        assert (contained["PBEM_KEYS_DIR"], contained["PBEM_STATE_DIR"]) == ("/keys", f"/var/lib/pbem/{role}")
        assert contained["PBEM_DATABASE_URL_FILE"] == "/etc/pbem/database-url"
        assert contained["PBEM_BROKER_URL_FILE"] == "/etc/pbem/broker-url"
        there = {**contained, **here, "PBEM_DATABASE_URL_FILE": str(secret), "PBEM_BROKER_URL_FILE": str(broker)}
        settings = Settings.from_env(env_file.parse_env_file(EXAMPLE) | there, role)  # type: ignore[arg-type]
        assert settings.broker_url == "redis://:Xyzzy9@broker:6379/0"
        assert "database/pbem" in settings.database_url


# --- containers


@cache
def compose() -> Mapping[str, Any]:
    """The compose file."""
    found: Mapping[str, Any] = yaml.safe_load((DEPLOY / "compose.yml").read_text(encoding="utf-8"))
    return found


def services() -> Mapping[str, Any]:
    """The services of the compose file."""
    found: Mapping[str, Any] = compose()["services"]
    return found


def test_each_container_runs_one_process_as_its_own_user() -> None:
    """Each role is a command of the program with its own user, keys and volume, all of which the image makes."""
    docker = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    assert set(services()) == {"database", "broker", "migrate", "backup", *ROLES}
    assert services()["migrate"]["command"][0] in main.commands
    for uid, role in enumerate(ROLES, 7101):
        found = services()[role]
        assert (found["command"], found["user"]) == (["run", role], f"{uid}:7100")
        assert f"{role}:{uid}" in docker
        keys = [one for one in found["volumes"] if one.endswith(":/keys:ro")]
        assert keys == ([f"./keys/{role}:/keys:ro"] if role in KEYED else [])
        assert f"{role}:/var/lib/pbem/{role}" in found["volumes"]
    assert 'install -d -m 700 -o "pbem-${role%:*}" -g pbem "/var/lib/pbem/${role%:*}"' in docker
    assert services()["backup"]["user"] == "7107:7100"
    assert "--uid 7107 " in docker


def test_every_container_is_asked_whether_it_is_well() -> None:
    """Each service that goes on running has a health check; workers at the broker."""
    assert [name for name, found in services().items() if "healthcheck" not in found] == ["migrate"]
    for name in ("web", "smtp", "metrics"):
        address, outside, inside = services()[name]["ports"][0].split(":")
        assert (address, outside) == ("127.0.0.1", inside)
        assert f"('127.0.0.1', {inside})" in services()[name]["healthcheck"]["test"][3]
    assert all(
        services()[name]["healthcheck"]["test"][-2:] == ["pbem.broker.worker_heartbeats", name] for name in WORKERS
    )


def test_each_container_has_a_login_of_its_own_and_the_broker_a_password(tmp_path: Path) -> None:
    """What makes the passwords gives each user the login of its process; broker and database know what it wrote."""
    if os.geteuid() != 0:
        pytest.skip("only root gives files to the users of containers")
    script = tmp_path / "passwords"
    shutil.copy(DEPLOY / "passwords", script)
    assert [subprocess.run([str(script)], check=False, timeout=60).returncode for _ in range(2)] == [0, 1]
    made = tmp_path / "secrets"
    roles, secret = (made / "logins.sql").read_text(), re.compile(r"//(\S*):(\w{48})@")
    broker = (made / "broker.conf").read_text().removeprefix("requirepass ").strip()
    for name in ("migrate", *ROLES, "backup"):
        found = services()[name]
        (place,) = [made.parent / one.split(":")[0] for one in found["volumes"] if one.endswith(":/etc/pbem:ro")]
        database, told = (secret.search((place / file).read_text()) for file in ("database-url", "broker-url"))
        assert database is not None
        assert told is not None
        assert told[2] == broker
        if name == "migrate":
            assert database.groups() == ("pbem", (made / "database-password").read_text())
        else:
            assert database[1] == f"pbem-{name}"
            assert f"ALTER ROLE \"pbem-{name}\" PASSWORD '{database[2]}';" in roles
        for file in place.iterdir():
            assert (f"{file.stat().st_uid}:7100", file.stat().st_mode & 0o777) == (found["user"], 0o400)
    assert made.stat().st_mode & 0o077 == 0
    (mounted,) = [one for one in services()["broker"]["volumes"] if "broker.conf" in one]
    assert mounted.split(":")[1] == services()["broker"]["command"][1]
    scripts = [one.split(":")[0] for one in services()["database"]["volumes"] if "initdb.d" in one]
    assert scripts == ["./postgresql/setup.sql", "./secrets/logins.sql"]


def test_no_container_starts_before_the_tables_are_made() -> None:
    """Processes wait for the tables, and what makes the tables for the database alone."""
    made, healthy = {"condition": "service_completed_successfully"}, {"condition": "service_healthy"}
    for role in (*ROLES, "backup"):
        assert services()[role]["depends_on"] == {"database": healthy, "broker": healthy, "migrate": made}
    assert services()["migrate"]["depends_on"] == {"database": healthy}


def test_no_key_and_no_secret_is_sent_to_the_builder() -> None:
    """The builder gets what the Dockerfile copies, and nothing else of the folder with keys and secrets."""
    docker = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    lines = (DEPLOY / "Dockerfile.dockerignore").read_text(encoding="utf-8").splitlines()
    kept = [line for line in lines if line and not line.startswith("#")]
    copies = re.findall(r"^COPY (?!--from)(.+) \S+$", docker, re.MULTILINE)
    assert kept[0] == "*"
    assert {line.removeprefix("!") for line in kept if line.startswith("!")} == set(" ".join(copies).split())


# --- mail server


def postfix(name: str) -> str:
    """A setting of the delivered Postfix configuration."""
    snippet = (DEPLOY / "postfix" / "main.cf.snippet").read_text(encoding="utf-8")
    found = re.search(rf"^{name} = (.+)$", snippet, re.MULTILINE)
    assert found is not None, name
    return found[1]


def test_the_mail_server_takes_letters_from_the_containers() -> None:
    """The relay that the compose file names lets its network in, and is spoken to as it is set up: without TLS."""
    (network,) = compose()["networks"]["default"]["ipam"]["config"]
    assert network["subnet"] in postfix("mynetworks").split()
    sends = services()["mailer"]["environment"]
    assert (sends["PBEM_RELAY_HOST"], sends["PBEM_RELAY_TLS"]) == ("host.docker.internal", "none")


def test_postfix_accepts_no_letter_that_the_door_refuses() -> None:
    """A letter too long to be read is let in and answered; one that the door would not take is refused by Postfix."""
    read_up_to, accepted = (
        Settings.with_embedded(Path("/nowhere")).limits.max_message_bytes,
        int(postfix("message_size_limit")),
    )
    assert read_up_to < accepted
    assert accepted + 20_000 < 2 * read_up_to


def test_postfix_asks_before_it_accepts_and_cuts_off_who_guesses() -> None:
    """Recipients are checked by form and at the door, only our machines relay, and guesses at addresses are bounded."""
    checks = postfix("smtpd_recipient_restrictions").split(", ")
    assert checks == ["permit_mynetworks", "reject_unauth_destination", "reject_unverified_recipient"]
    assert "static:all" not in postfix("virtual_mailbox_maps")
    pattern = re.compile((DEPLOY / "postfix" / "pbem-addresses").read_text("utf-8").split("/")[1])
    domain = "games.example.org"
    ours = [reply_address("k7m2p9q4x8", domain), bounce_address("k7m2p9q4x8", domain), table_address("desk00", domain)]
    assert all(map(pattern.search, ours))
    assert not any(map(pattern.search, [f"ada@{domain}", f"o+K@{domain}", f"x{ours[0]}", f"{ours[0]}.evil.test"]))
    assert postfix("disable_vrfy_command") == "yes"
    assert int(postfix("smtpd_hard_error_limit")) <= 10
    counts = {what: int(postfix(f"smtpd_client_{what}_rate_limit")) for what in ("connection", "message", "recipient")}
    assert all(0 < count <= 240 for count in counts.values()), counts
    assert 0 < int(postfix("smtpd_client_connection_count_limit")) <= 20


def test_the_script_of_the_installation_is_understood_by_any_shell() -> None:
    """It is plain sh, which reads it to the end without a complaint."""
    line = ["sh", "-n", str(DEPLOY / "install")]
    read = subprocess.run(line, capture_output=True, text=True, check=False, timeout=60)
    assert (read.returncode, read.stderr) == (0, "")
