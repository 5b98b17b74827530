"""Every command of deploy/README.md is run by a test or a script that a test runs, or is listed with its reason."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "deploy" / "README.md").read_text(encoding="utf-8")
FENCED = re.compile(r"```\n(.*?)```", re.DOTALL)

INSTALLED = "deploy/install"
"""Run on a bare Debian by tests/operator/test_install.py."""
HOSTS, PAST, REHEARSAL = (f"tests/operator/{name}.py" for name in ("hosts", "test_point_in_time", "test_rehearsal"))
HOME, RECORD, CLI = "tests/operator/test_at_home.py", "tests/archive/test_cli_record.py", "tests/test_cli.py"
SYSTEMD, CONTAINERS = "tests/operator/test_install.py", "tests/operator/test_containers.py"
UP = "tests/operator/test_up.py"

RUN: Mapping[str, tuple[str, str]] = {
    # at home
    ".venv/bin/pbem setup": (HOME, '"setup"'),
    ".venv/bin/pbem --env ~/pbem/pbem.env up": (UP, '"up"'),
    "pbem up": (UP, '"up"'),
    # on a server
    "deploy/install games.example.org you@example.org": ("tests/operator/test_install.py", "deploy/install"),
    "deploy/install --remove": ("tests/operator/test_install.py", "--remove"),
    "groupadd --system pbem": (INSTALLED, "groupadd --system pbem"),
    "useradd --system --no-create-home --gid pbem pbem-web": (INSTALLED, "useradd --system --no-create-home"),
    "python3.11 -m venv .venv": (INSTALLED, "-m venv"),
    ".venv/bin/pip install --require-hashes -r requirements/run.lock": (INSTALLED, "--require-hashes"),
    ".venv/bin/pip install --no-deps --no-build-isolation .": (INSTALLED, "--no-deps --no-build-isolation"),
    "ln -s /opt/pbem/.venv/bin/pbem /usr/local/bin/pbem": (INSTALLED, "/usr/local/bin/pbem"),
    "mkdir -p -m 755 /etc/pbem /var/lib/pbem": (INSTALLED, "mkdir -p -m 755 /etc/pbem"),
    "install -d -m 700 -o pbem-backup -g pbem /var/backups/pbem": (
        INSTALLED,
        "install -d -m 700 -o pbem-backup -g pbem",
    ),
    "createuser pbem": (INSTALLED, "createuser pbem"),
    "createdb --owner pbem pbem": (INSTALLED, "createdb --owner pbem pbem"),
    "pbem --env /etc/pbem/pbem.env keys init": (INSTALLED, "program keys init"),
    "chown -R pbem-web: /etc/pbem/keys/web": (INSTALLED, 'chown -R "pbem-$role:pbem"'),
    "chmod 755 /etc/pbem/keys": (INSTALLED, "chmod 755 /etc/pbem/keys"),
    "pbem --env /etc/pbem/pbem.env migrate": (INSTALLED, "program migrate"),
    "pbem --env /etc/pbem/pbem.env doctor": (INSTALLED, "program doctor"),
    "systemctl enable --now pbem.target pbem-backup.timer": (INSTALLED, "systemctl enable -q pbem.target"),
    "systemctl enable --now pbem-post@2 pbem-play@2": (SYSTEMD, "systemctl enable --now pbem-post@2 pbem-play@2"),
    "systemctl enable --now pbem-metrics": (SYSTEMD, "systemctl enable --now pbem-metrics"),
    "journalctl -u 'pbem-*' -o cat | grep '\"game\": \"GAME\"'": (SYSTEMD, "journalctl -u 'pbem-*' -o cat --no-pager"),
    "import pbem-options.caddy": (INSTALLED, "import pbem-options.caddy"),
    "import pbem.caddy": (INSTALLED, "import pbem.caddy"),
    "systemctl reload postgresql": (INSTALLED, "service_is reload postgresql"),
    "PBEM_STATE_DIR=/tmp PBEM_KEYS_DIR=$PWD/deploy/keys pbem --env deploy/.env keys init": (
        CONTAINERS,
        '"keys", "init"',
    ),
    "chown -R 7101 deploy/keys/web": (CONTAINERS, "os.chown(path, uid"),
    "install -d -m 700 -o 7107 deploy/backups": (CONTAINERS, '"backups"'),
    # on several machines
    'pg_basebackup -R -D FOLDER -d "host=one user=replicator application_name=two"': (HOSTS, "pg_basebackup"),
    "ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (one, two)'": (
        HOSTS,
        "ALTER SYSTEM SET synchronous_standby_names",
    ),
    "SELECT pg_reload_conf()": (HOSTS, "pg_reload_conf"),
    "replicaof three 6379": (HOSTS, "replicaof"),
    "sentinel monitor pbem THREE 6379 2": (HOSTS, "sentinel"),
    "sentinel down-after-milliseconds pbem 5000": (HOSTS, "down-after-milliseconds"),
    "PBEM_DATABASE_URL=postgresql://pbem@/pbem?host=one:5432&host=two:5432&target_session_attrs=read-write": (
        HOSTS,
        "target_session_attrs=read-write",
    ),
    "PBEM_BROKER_URL=sentinel://one:26379,two:26379,three:26379/pbem": (HOSTS, "sentinel://"),
    "PBEM_STATE_DIR=/var/lib/pbem/post pbem --env /etc/pbem/pbem.env keys chain": (
        "tests/operator/test_hosts.py",
        '("keys", "chain")',
    ),
    "SELECT pg_promote()": (HOSTS, "SELECT pg_promote()"),
    # letters, channels, daily work
    "pbem letters unanswered": (CLI, '("letters", "unanswered")'),
    "pbem letters retry": (CLI, '("letters", "retry")'),
    "pbem channels list": (CLI, '("channels", "list")'),
    "pbem channels commands > commands.json": ("tests/discord/test_pages.py", '["channels", "commands"]'),
    "pbem doctor": (REHEARSAL, '"doctor"'),
    "pbem game list": (CLI, '"game", "list"'),
    "pbem game retry GAME": (CLI, '("game", "retry", "nowhere")'),
    "pbem operator enrol ADDRESS": (CLI, '("operator", "enrol", '),
    # copies
    "systemctl start pbem-backup": (SYSTEMD, "systemctl start pbem-backup"),
    "deploy/restore FILE IDENTITY": ("tests/test_deploy.py", "restore"),
    'python -c "import pyrage; print(pyrage.x25519.Identity.generate())"': (
        "tests/test_deploy.py",
        "pyrage.x25519.Identity.generate()",
    ),
    "pbem restored --prove": (RECORD, '"restored", "--prove"'),
    "pbem restored": (PAST, '"restored")'),
    "pbem doctor replay": (RECORD, '"doctor", "replay"'),
    "pbem doctor replay --finished": (RECORD, '"doctor", "replay", "--finished"'),
    "archive_mode = on": (PAST, "archive_mode = on"),
    "archive_command = 'test ! -f /var/backups/wal/%f && cp %p /var/backups/wal/%f'": (PAST, "test ! -f {archive}/%f"),
    "pg_basebackup -D FOLDER -c fast": (PAST, '"-c", "fast"'),
    "touch recovery.signal": (PAST, '"recovery.signal").touch()'),
    "restore_command = 'cp /var/backups/wal/%f %p'": (PAST, "restore_command = 'cp"),
    "recovery_target_action = 'promote'": (PAST, "recovery_target_action = 'promote'"),
    "SELECT pg_is_in_recovery()": (PAST, "SELECT pg_is_in_recovery()"),
    # updates and keys
    "pbem migrate": (REHEARSAL, '("migrate",)'),
    "pbem keys rotate KIND": (CLI, '"keys", "rotate"'),
    "pbem keys retire KIND": (CLI, '"keys", "retire"'),
    "make release": ("tests/test_release.py", '"make", "release"'),
}
"""Where each is run, and by which words there."""

NOT_RUN: Mapping[str, str] = {
    "make .venv/.demo": "make lays it by the same rule as the environment that runs the tests",
    "wal_log_hints = on": "for pg_rewind; the test makes the old primary anew, the other way that is named",
    "docker compose -f deploy/compose.yml up -d": "a test reads the file itself, and starts what it says with podman",
    "docker compose -f deploy/compose.yml up -d --scale post=2 --scale play=2": "docker compose is not where tests run",
    "install -d -m 700 -o pbem-post -g pbem /var/lib/pbem/post": "wants a server's users on each of several machines",
    "chown -R pbem-post: /var/lib/pbem/post": "wants a server's users on each of several machines",
    "systemctl mask pbem-web": "wants several machines that systemd runs",
    'curl -X PUT -H "Authorization: Bot TOKEN" -H "Content-Type: application/json" --data @commands.json '
    "https://discord.com/api/v10/applications/APPLICATION/commands": "asks Discord",
    "archive_timeout = 300": "a test waits for no five minutes; it switches the log by hand",
}
"""Why each of the others is not."""


def commands() -> set[str]:
    """The lines between fences, and what is between ticks and has more than one word."""
    lines = (line.strip() for block in FENCED.findall(TEXT) for line in block.splitlines())
    fenced = {line for line in lines if line.strip("{}")}
    ticked = {" ".join(one.split()) for one in re.findall(r"`([^`]+)`", FENCED.sub("", TEXT))}
    return fenced | {one for one in ticked if " " in one}


def test_every_command_is_run_or_has_its_reason() -> None:
    """The lists name all commands of the runbook and no others."""
    assert not set(RUN) & set(NOT_RUN)
    assert commands() == {*RUN, *NOT_RUN}


@pytest.mark.parametrize("command", RUN)
def test_what_runs_a_command_is_there(command: str) -> None:
    """The test or script that is named for a command has the words by which it runs it."""
    where, words = RUN[command]
    assert words in (ROOT / where).read_text(encoding="utf-8")
