"""A server at home, with a mailbox at a provider: set up by a few answers, and played on by letters."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import func, select

from engine import GAMES
from pbem.app import build_services, prepare_worker
from pbem.broker.task_queue import TaskQueue
from pbem.cli.main import main
from pbem.config import env_file
from pbem.config import settings as config
from pbem.config.settings import Settings
from pbem.mail.imap import DONE, OTHER
from pbem.ops import service_manager
from pbem.ops.servers import free_port
from pbem.ops.supervisor import ROLES, WORKERS, Supervisor
from pbem.store.models import InboundEmail
from tests.crashes.server import ADDRESSES, Server
from tests.mail import dovecot
from tests.mail.dovecot import PASSWORD, USER, Dovecot
from tests.mail.provider import DOMAIN, NAME, Provider

ROOT = Path(__file__).resolve().parents[2]
WORDS = "said by a stranger"
OWNER = "olga@elsewhere.test"


@pytest.fixture
def mailbox() -> Iterator[Dovecot]:
    """An empty mailbox."""
    dovecot.needed()
    with TemporaryDirectory(prefix="pbem-dv-") as folder, dovecot.running(Path(folder)) as found:
        yield found


@pytest.fixture
def provider(mailbox: Dovecot, state_dir: Path) -> Iterator[Provider]:
    """The provider of that mailbox."""
    found = Provider(state_dir / "players", mailbox)
    found.start()
    yield found
    found.stop()


def set_up(provider: Provider, state: Path, typed: str = "", **other: str) -> Result:
    """Call `pbem setup` with the answers that are right, but for the others; those typed are not given as options."""
    secret = state / "given"
    secret.write_text(f"{PASSWORD}\n")
    right = {
        "--folder": str(state / "pbem"),
        "--address": USER,
        "--password-file": str(secret),
        "--incoming": f"127.0.0.1:{provider.mailbox.port}",
        "--outgoing": f"127.0.0.1:{provider.port}",
        "--wait": "60",
        "--url": "",
        "--person": OWNER,
    }
    if typed:
        right = {name: right[name] for name in ("--folder", "--wait")}
    chosen = right | {f"--{name}".replace("_", "-"): value for name, value in other.items()}
    words = [word for name, value in chosen.items() for word in ((name, value) if name != "--catch-all" else (name,))]
    plus = [] if typed or "--catch-all" in chosen else ["--plus"]
    return CliRunner().invoke(main, ["setup", *words, *plus], input=typed)


def test_seven_answers_make_a_server(provider: Provider, state_dir: Path) -> None:
    """Seven typed answers, a letter to itself, and there is a server whose files are its user's alone."""
    provider.mailbox.deliver(b"From: a@b.test\r\n\r\nof earlier days\r\n")
    answers = [USER, PASSWORD, f"127.0.0.1:{provider.mailbox.port}", f"127.0.0.1:{provider.port}", "n", "", OWNER]
    made = set_up(provider, state_dir, "\n".join(answers) + "\n")
    assert made.exit_code == 0, made.output
    folder = state_dir / "pbem"
    env = env_file.parse_env_file((folder / "pbem.env").read_text())
    settings = Settings.from_env(env)
    assert settings.production
    assert not settings.has_public_pages
    assert settings.sign_up == "invitation"
    assert (settings.admin_email, list(settings.operator_emails)) == (OWNER, [OWNER])
    assert (settings.mail_domain, settings.mailbox_local_part) == (DOMAIN, NAME)
    assert settings.mailbox is not None
    assert settings.relay is not None
    assert settings.mailbox.password == settings.relay.password == PASSWORD
    assert settings.http_listen is not None
    assert settings.http_listen.host == "127.0.0.1", "pages are shown to this machine alone"
    assert [oct((folder / name).stat().st_mode & 0o077) for name in ("", "pbem.env", "mailbox-password")] == ["0o0"] * 3
    assert PASSWORD not in (folder / "pbem.env").read_text()
    for words in ("up", "backup FILE", "restore FILE", "upgrade"):
        assert f"pbem --env {folder}/pbem.env {words}" in made.stdout
    assert f"Move: stop it, copy {folder} to" in made.stdout
    assert "1 letters lie in the mailbox" in made.stdout
    assert len(provider.mailbox.holds(DONE)) == 1, "the letter to itself"
    prepare_worker(settings, "mailer")


def test_it_is_started_at_log_in_if_that_is_wanted(
    provider: Provider, state_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where systemd starts units for users, an eighth answer makes one of theirs; upgrades then stop and start it."""
    monkeypatch.setattr(service_manager, "SYSTEMD", state_dir)
    monkeypatch.setenv("HOME", str(state_dir))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(state_dir))
    (state_dir / "systemd").touch()
    (state_dir / "systemctl").write_text('#!/bin/sh\necho "$*" >>"$HOME/told"\n')
    (state_dir / "systemctl").chmod(0o755)
    monkeypatch.setenv("PATH", f"{state_dir}:{os.environ['PATH']}")
    answers = [USER, PASSWORD, f"127.0.0.1:{provider.mailbox.port}", f"127.0.0.1:{provider.port}", "n", "", OWNER, "y"]
    made = set_up(provider, state_dir, "\n".join(answers) + "\n")
    assert made.exit_code == 0, made.output
    assert "8. Start the server now, and whenever you log in?" in made.stdout
    unit = state_dir / ".config/systemd/user/pbem.service"
    assert f"--env {state_dir}/pbem/pbem.env up" in unit.read_text()
    assert (state_dir / "told").read_text().splitlines() == ["--user daemon-reload", "--user enable --now pbem.service"]
    settings = Settings.from_env(env_file.parse_env_file((state_dir / "pbem" / "pbem.env").read_text()))
    found = service_manager.find_manager(settings, os.environ)
    assert found is not None
    assert found.start_line == "systemctl --user start pbem.service"


def test_a_whole_domain_needs_no_plus_sign(provider: Provider, state_dir: Path) -> None:
    """Where all addresses of a domain come to the mailbox, ours begin with their token's mark."""
    provider.knows_plus, provider.catches_all = False, True
    made = set_up(provider, state_dir, catch_all="")
    assert made.exit_code == 0, made.output
    settings = Settings.from_env(env_file.parse_env_file((state_dir / "pbem" / "pbem.env").read_text()))
    assert (settings.mail_domain, settings.mailbox_local_part) == (DOMAIN, "")


def test_nothing_is_overwritten(provider: Provider, state_dir: Path) -> None:
    """Where there is a server, it is left as it is."""
    (state_dir / "pbem").mkdir()
    (state_dir / "pbem" / "pbem.env").write_text("A=b\n")
    made = set_up(provider, state_dir)
    assert made.exit_code == 1
    assert "There is a server in" in made.stderr
    assert (state_dir / "pbem" / "pbem.env").read_text() == "A=b\n"


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"address": "games"}, "“games” is no mail address"),
        ({"address": "ada+games@provider.test"}, "leaves no room for a plus sign"),
        ({"incoming": "127.0.0.1:none"}, "is no server; expected its name"),
        ({"incoming": "127.0.0.1:1"}, "Nothing listens on port 1 of 127.0.0.1: look up the server and port for IMAP"),
        ({"outgoing": "127.0.0.1:1"}, "Nothing listens on port 1 of 127.0.0.1: look up the server and port for mail"),
        ({"incoming": "mail.invalid"}, "There is no machine called mail.invalid"),
        ({"address": "other@provider.test"}, "does not accept this address with this password"),
        ({"url": "http://games.example.org"}, "is no address of pages that others can open"),
    ],
)
def test_an_answer_that_cannot_stand_is_told(
    provider: Provider, state_dir: Path, other: dict[str, str], said: str
) -> None:
    """Each answer that is wrong is a sentence that says what would do; nothing is written, no password is shown."""
    made = set_up(provider, state_dir, **other)
    assert made.exit_code == 1
    assert said in made.stderr
    assert PASSWORD not in made.output
    assert not (state_dir / "pbem").exists()


def test_only_the_answer_that_was_wrong_is_asked_again(provider: Provider, state_dir: Path) -> None:
    """A wrong port, then a wrong password: each is named without a class of ours, and the other answers stay."""
    mailbox, relay = f"127.0.0.1:{provider.mailbox.port}", f"127.0.0.1:{provider.port}"
    typed = [USER, "wrong", "127.0.0.1:1", relay, "n", mailbox, USER, PASSWORD, "", OWNER]
    made = set_up(provider, state_dir, "\n".join(typed) + "\n")
    assert made.exit_code == 0, made.output
    assert re.findall(r"(\d)\. ", made.stdout.partition("A letter goes out")[0]) == list("12345")
    assert re.findall(r"(\d)\. ", made.stdout.partition("It came")[0].partition("goes out")[2]) == list("31267")
    assert "Nothing listens on port 1" in made.stderr
    assert "does not accept this address with this password" in made.stderr
    assert not re.search(r"[A-Z][a-z]+Error", made.output)


def test_a_letter_that_does_not_come_is_told(provider: Provider, state_dir: Path) -> None:
    """A provider that drops letters with a plus sign is found out before anybody plays."""
    provider.knows_plus = False
    made = set_up(provider, state_dir, wait="1")
    assert made.exit_code == 1
    assert "did not come within 1 s: does this mailbox get letters to plus-addresses?" in made.stderr
    assert not (state_dir / "pbem").exists()


def test_an_address_that_may_not_send_is_told(
    provider: Provider, state_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A provider that takes no letter from this address is quoted, with what to do."""

    async def refuse(*_: object) -> str:
        return "553 5.7.1 Sender address rejected: not owned by user"

    monkeypatch.setattr(Provider, "handle_MAIL", refuse, raising=False)
    made = set_up(provider, state_dir)
    assert made.exit_code == 1
    assert f"did not take a letter from {USER} (553" in made.stderr
    assert "may send only from its own account" in made.stderr


def test_a_file_of_variables_is_taken_as_it_is(tmp_path: Path) -> None:
    """No shell reads the file: signs that mean something to one are only signs; what is set already stays."""
    url = "postgresql:///pbem?host=/run/postgresql&user=pbem"
    (tmp_path / "env").write_text(
        f"# a remark\n\nPBEM_DATABASE_URL={url}\nPBEM_TIME_ZONE='Europe/Paris'\nPBEM_X=\"a b\"\n"
    )
    with patch.dict(os.environ, {"PBEM_TIME_ZONE": "Europe/Rome"}):
        found = CliRunner().invoke(main, ["--env", str(tmp_path / "env"), "migrate"])
        read = {name: config.current_environment()[name] for name in ("PBEM_DATABASE_URL", "PBEM_TIME_ZONE", "PBEM_X")}
    assert "PBEM_X is not a setting" in found.stderr, "which was read from the file"
    assert read == {"PBEM_DATABASE_URL": url, "PBEM_TIME_ZONE": "Europe/Rome", "PBEM_X": "a b"}
    assert "PBEM_X" not in os.environ


@pytest.mark.parametrize("line", ["PBEM_TIME_ZONE", "export A=b", "A='Xyzzy9", "1A=b"])
def test_a_line_that_means_nothing_is_named_by_its_number(tmp_path: Path, line: str) -> None:
    """A file that cannot be read so is refused, and the refusal holds no part of a secret that may stand there."""
    (tmp_path / "env").write_text(f"A=b\n{line}\n")
    found = CliRunner().invoke(main, ["--env", str(tmp_path / "env"), "migrate"])
    assert found.exit_code == 1
    assert "line 2" in found.stderr
    assert "Xyzzy9" not in found.output


class AtHome(Server):
    """All processes of a server at home; players' letters go into its mailbox."""

    provider: Provider

    def rise(self, provider: Provider) -> None:
        """Start everything that `pbem up` starts."""
        self.provider, self.post = provider, provider
        prepare_worker(self.settings, "mailer")
        self.server = Supervisor(self.settings, ROLES, calm_s=0.0)
        self.server.start()
        self.services = build_services(self.settings, "web", TaskQueue(self.settings))

    def fall(self) -> None:
        """Stop it."""
        self.server.stop()
        self.services.db.close()

    def _sent(self, sender: str, recipient: str, wire: bytes) -> bool:
        self.provider.mailbox.deliver(wire, recipient)
        return True

    def quiet(self) -> bool:
        """Nothing lies in the mailbox, either."""
        return not self.provider.mailbox.holds() and super().quiet()

    def answered_letters(self) -> int:
        """How many letters were acted on."""
        with self.services.db.snapshot() as session:
            acted = InboundEmail.fingerprint.is_not(None), InboundEmail.no_reply_reason.is_(None)
            return session.scalar(select(func.count()).select_from(InboundEmail).where(*acted)) or 0

    def stored_letters(self) -> int:
        """How many letters were stored."""
        with self.services.db.snapshot() as session:
            return session.scalar(select(func.count()).select_from(InboundEmail)) or 0


@pytest.fixture
def server(provider: Provider, state_dir: Path) -> Iterator[AtHome]:
    """A server that `pbem setup` has set up, at work, and not in production, so that it can be made to crash."""
    made = set_up(provider, state_dir)
    assert made.exit_code == 0, made.output
    env = env_file.parse_env_file((state_dir / "pbem" / "pbem.env").read_text())
    trial = {
        "PBEM_PRODUCTION": "no",
        "PBEM_MAIL_PROBE_INTERVAL_MINUTES": "0",
        "PBEM_HTTP_LISTEN": f"127.0.0.1:{free_port()}",
    }
    found = AtHome(Settings.from_env(env | trial), next(iter(GAMES)))
    found.rise(provider)
    yield found
    found.fall()


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_a_turn_is_played_through_a_mailbox(server: AtHome) -> None:
    """Dealt and played by letters alone, with the door killed between store and move: each letter counts once."""
    crash = server.settings.state_dir / "crash-at"
    points = iter(("intake.after_commit", "imap.stored", "imap.recorded", "imap.moved") * 9)
    server.provider.mailbox.deliver(f"From: x@y.test\r\n\r\n{WORDS}\r\n".encode())
    server.deal()
    entry = server.outcome().entry

    def fetched() -> bool:
        return not crash.exists() and not server.provider.mailbox.holds()

    def before(number: int) -> None:
        server.until("the letter before", fetched)
        crash.write_text(next(points), encoding="ascii")

    server.round(before=before)
    server.settle()
    assert server.outcome().entry > entry
    written = sum(map(len, server.written.values()))
    assert server.deaths.count("smtp") == written - len(ADDRESSES[1:]) == 3
    assert server.answered_letters() == written
    assert server.stored_letters() == written, "a letter that came again after a crash is stored once"
    assert any(WORDS.encode() in raw for raw in server.provider.mailbox.holds(OTHER))
    assert len(server.provider.mailbox.holds(DONE)) == written + 1, "nothing is deleted; one is of setup"
    assert all(well(server.settings, role) for role in WORKERS)
    asked = CliRunner().invoke(main, ["doctor"], env=dict(server.settings.variables))
    assert asked.stdout.endswith("s ago.\nNo problems found.\n"), asked.output


def well(settings: Settings, role: str) -> bool:
    """Whether a worker's health check, as the compose file has it, finds it well."""
    compose = (ROOT / "deploy" / "compose.yml").read_text(encoding="utf-8")
    found = re.search(rf'test: \["CMD", "python", (.*"{role}")\]', compose)
    assert found is not None
    line = [sys.executable, *json.loads(f"[{found[1]}]")]
    plain = {name: value for name, value in os.environ.items() if not name.startswith("PBEM_")}
    env = {**plain, **settings.variables, "PBEM_ALLOW_SHARED_USER": "yes"}
    return subprocess.run(line, env=env, cwd=ROOT, capture_output=True, check=False, timeout=300).returncode == 0
