"""`deploy/install` on a bare Debian: set up, again without harm, a turn played by mail and page, taken away."""

import re
import shutil
import smtplib
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import mkdtemp

import pytest

from engine import GAMES
from pbem.config import env_file
from pbem.config.settings import Settings
from pbem.ops.servers import free_port
from tests.crashes.server import ADDRESSES
from tests.operator import machine
from tests.operator.documents import block
from tests.operator.machine import Session
from tests.operator.running_server import Elsewhere, Reader, read_a_page

pytestmark = [pytest.mark.night, pytest.mark.timeout(3600)]
DOMAIN, PERSON = "games.example.org", "operator@example.org"
(WRITTEN,) = block("On a server", "deploy/install ")
INSTALL = "/src/" + WRITTEN.replace("games.example.org", DOMAIN).replace("you@example.org", PERSON)
BY_HAND = block("On a server", "groupadd")


@pytest.fixture(scope="module")
def bare() -> Iterator[Path]:
    """A bare Debian, in a folder that every user may enter."""
    if why := machine.lacking():
        pytest.skip(why)
    folder = Path(mkdtemp(prefix="pbem-machine-"))
    folder.chmod(0o755)
    if why := machine.bootstrapped(folder / "root"):
        shutil.rmtree(folder)
        pytest.skip(why)
    yield folder / "root"
    shutil.rmtree(folder)


class Machine(Elsewhere):
    """A server that was installed: players write to its Postfix, which sends what it is given to their post office."""

    session: Session

    def start(self, roles: object = None) -> None:
        """Open the players' post office, and start the units."""
        port = free_port()
        self.open_post_office(port)
        way = f"inline:{{ {{ players.localhost = smtp:[127.0.0.1]:{port} }} }}"
        code, said = self.session.do(f"postconf -e 'transport_maps = {way}' && postfix reload")
        assert code == 0, said
        self.units = self.session.begin_units()

    def check_processes(self) -> None:
        """Every unit still runs."""
        for name, pid in self.units.items():
            running = Path(f"/proc/{self.session.pid}/root/proc/{pid}").exists()
            assert running, f"{name} ended: {self.session.logs()}"

    def troubles(self) -> str:
        """What the units wrote."""
        return self.session.logs()

    def _sent(self, sender: str, recipient: str, wire: bytes) -> bool:
        try:
            with smtplib.SMTP("127.0.0.1", 25, timeout=60) as line:
                line.sendmail(sender, [recipient], wire)
        except (OSError, smtplib.SMTPException):
            self.resent += 1
            return False
        return True


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """A folder of the players' own."""
    (tmp_path / "players").mkdir(mode=0o700)
    return tmp_path / "players"


def settings_of(found: Session, state: Path) -> Settings:
    """The settings that the script wrote, as they are reached from out here."""
    env = env_file.parse_env_file((found.folder / "etc/pbem/pbem.env").read_text(encoding="utf-8"))
    sockets = f"/proc/{found.pid}/root/run/postgresql"
    here = {
        "PBEM_STATE_DIR": str(state),
        "PBEM_KEYS_DIR": str(found.folder / "etc/pbem/keys"),
        "PBEM_DATABASE_URL": f"postgresql:///pbem?host={sockets}",
        "PBEM_ALLOW_SHARED_USER": "yes",
    }
    return Settings.from_env({**env, **here})


def installed(found: Session, proxy: str = "nginx") -> str:
    """Run the script; what it said."""
    code, said = found.do(f"{INSTALL} {proxy}")
    assert code == 0, said[-3000:]
    assert "Done." in said
    return said


def test_a_bare_debian_becomes_a_server_and_is_given_back(bare: Path, state: Path) -> None:
    """One command sets up users, database, keys, units, mail and proxy; a second harms nothing; a turn is played by
    letters through Postfix and by a page through nginx; then all is taken away, first without the data, then with.
    """
    with machine.session(bare) as found:
        said = installed(found)
        assert "v=DKIM1" in said
        keys = (bare / "etc/pbem/keys/resolver").stat().st_ino
        config = (bare / "etc/pbem/pbem.env").read_text()
        assert DOMAIN in config
        hba = (bare / "etc/postgresql").glob("*/main/pg_hba.conf")
        before = {path: path.read_text() for path in [*hba, bare / "etc/postfix/main.cf"]}
        assert "is left as it is" in installed(found)
        assert (bare / "etc/pbem/keys/resolver").stat().st_ino == keys
        assert {path: path.read_text() for path in before} == before

        play(found, state)

    with machine.session(bare) as found:
        code, said = found.do("/src/deploy/install --remove")
        assert code == 0, said
        assert not (bare / "opt/pbem").exists()
        assert not list((bare / "etc/systemd/system").glob("pbem*"))
        assert (bare / "etc/pbem/keys/resolver").exists(), "keys and data stay until --all is said"
        code, said = found.do("/src/deploy/install --remove --all")
        assert code == 0, said
        assert not (bare / "etc/pbem").exists()
        assert not any(line.startswith("pbem") for line in (bare / "etc/passwd").read_text().splitlines())
        assert "pbem" not in (bare / "etc/postfix/main.cf").read_text()
        assert not any("pbem" in path.read_text() for path in before if path.exists())


def play(found: Session, state: Path) -> str:
    """Play a turn by letters, and look at the table through the proxy; which game it was."""
    server = Machine(settings_of(found, state), next(iter(GAMES)))
    server.session = found
    server.start()
    try:
        server.play_a_turn()
        mail = server.post.boxes[ADDRESSES[1]][-1].message()
        assert f"d={DOMAIN}" in str(mail["DKIM-Signature"]), "what goes out is signed"
        read_a_page(server, Reader(DOMAIN))
        return server.game
    finally:
        server.stop()


def test_systemd_runs_what_was_installed_behind_caddy(bare: Path, state: Path) -> None:
    """Under a real systemd, with Caddy: every unit serves, a turn is played, a copy that fails is mailed, a process
    that hangs is started anew; and all is taken away.
    """
    with (bare / "etc/hosts").open("a") as hosts:
        hosts.write(f"127.0.0.1 acme-v02.api.letsencrypt.org acme.zerossl.com {DOMAIN}\n")
    with machine.booted(bare) as found:
        found.do("systemctl disable --now nginx")
        installed(found, "caddy")
        own = bare / "etc/caddy/Caddyfile"
        assert own.read_text().startswith("# begin pbem\n{\n\timport pbem-options.caddy\n}\nimport pbem.caddy\n")
        own.write_text("{\n\tlocal_certs\n\tskip_install_trust\n}\n")
        code, said = found.do(f"{INSTALL} caddy")
        assert (code, "has options of its own" in said) == (1, True), said
        own.write_text(own.read_text().replace("{\n", "{\n\timport pbem-options.caddy\n"))
        code, said = found.do(f"{INSTALL} caddy")
        assert re.findall(r"^(\d)\. ", said, re.MULTILINE) == list("123456"), said
        assert "The server runs. Repair what is named." in said, "the proxy's certificate is its own"
        assert (code, said.count("show a certificate that browsers refuse")) == (1, 1), said
        assert found.do("systemctl --failed --quiet")[1].strip() == ""
        timers = found.do("systemctl list-timers 'pbem-*'")[1]
        assert "pbem-backup.timer" in timers
        assert "pbem-doctor.timer" in timers
        add_processes(found)
        game = play(found, state)
        assert f'"game": "{game}"' in found.do("journalctl -u 'pbem-*' -o cat --no-pager")[1]
        fail_a_copy(found)
        hang_a_process(found)
        assert found.do("/src/deploy/install --remove --all")[0] == 0
        assert found.do("systemctl list-unit-files --no-legend 'pbem*'")[1].strip() == ""
        assert found.do("systemctl list-units --no-legend --state=active 'pbem*'")[1].strip() == ""
        assert own.read_text() == "{\n\tlocal_certs\n\tskip_install_trust\n}\n"
        assert found.do("systemctl is-active caddy")[1].strip() == "active"
    assert not list((bare / "etc/caddy").glob("pbem*"))


def test_the_block_by_hand_makes_a_server(bare: Path) -> None:
    """After what the sentence before it asks for, line by line as it stands; the doctor misses only mail and proxy."""
    with machine.booted(bare) as found:
        packages = (
            "apt-get update -q && apt-get install -qy --no-install-recommends python3.11-venv postgresql redis-server"
        )
        fill_in = "mkdir -p /etc/pbem && cp -R /src /opt/pbem && cp /src/deploy/.env.example /etc/pbem/pbem.env"
        let_in = (
            "hba=$(runuser -u postgres -- psql -qAtc 'SHOW hba_file') && cp $hba /root/before && "
            "cat /src/deploy/postgresql/pg_hba.conf /root/before >$hba && systemctl reload postgresql"
        )
        started = "systemctl daemon-reload && systemctl start postgresql redis-server"
        for words in (packages, started, fill_in, let_in, "cd /opt/pbem", *BY_HAND[:-1]):
            code, said = found.do(words)
            assert code == 0, (words, said)
        assert BY_HAND[-1] == "pbem doctor"
        comes_true(found, "! pbem doctor | grep -e 'sign of life' -e 'mail door'")
        units = " ".join(f"pbem-{part}" for part in ("web", "smtp", "mailer", "resolver", "scheduler"))
        assert found.do(f"systemctl is-active -q {units}")[0] == 0, found.logs()
        assert found.do("systemctl start pbem-backup && ls /var/backups/pbem/*")[0] == 0
        told = [line.split()[0] for line in found.do("pbem doctor 2>/dev/null")[1].splitlines() if line]
        assert set(told) <= {"The", "games.example.org", "Letters"}, told
        assert found.do("cd / && /src/deploy/install --remove --all")[0] == 0


def add_processes(found: Session) -> None:
    """One more worker of each kind, and the figures; all of them serve."""
    config = found.folder / "etc/pbem/pbem.env"
    config.write_text(f"{config.read_text()}PBEM_METRICS_LISTEN=127.0.0.1:9464\n")
    for words in ("systemctl enable --now pbem-mailer@2 pbem-resolver@2", "systemctl enable --now pbem-metrics"):
        code, said = found.do(words)
        assert code == 0, said
    assert found.do("systemctl is-active -q pbem-mailer@2 pbem-resolver@2 pbem-metrics")[0] == 0


def fail_a_copy(found: Session) -> None:
    """The copy of the night can be made; where it cannot, a letter says so."""
    code, said = found.do("systemctl start pbem-backup && ls /var/backups/pbem")
    assert (code, ".dump" in said) == (0, True), said
    code, _ = found.do("chmod 0 /var/backups/pbem; systemctl start pbem-backup")
    assert code != 0
    letter = f"orig_to=<postmaster@{DOMAIN}>"
    comes_true(found, f"journalctl -u 'postfix*' --no-pager | grep -q '{letter}'")


def comes_true(found: Session, condition: str) -> None:
    """Wait for a command to succeed."""
    end = time.monotonic() + 120
    while found.do(condition)[0] != 0:
        assert time.monotonic() < end, (condition, found.logs())
        time.sleep(0.2)


def hang_a_process(found: Session) -> None:
    """A worker that systemd has no word of is ended, and started anew; here after a shorter time than its unit says."""
    folder = "/run/systemd/system/pbem-resolver.service.d"
    soon = f"mkdir -p {folder} && printf '[Service]\\nWatchdogSec=20\\n' >{folder}/soon.conf && systemctl daemon-reload"
    code, said = found.do(f"{soon} && systemctl restart pbem-resolver")
    assert code == 0, said
    before = found.do("systemctl show -P MainPID pbem-resolver")[1].strip()
    found.do("systemctl kill -s STOP pbem-resolver")
    comes_true(found, "journalctl -u pbem-resolver --no-pager | grep -q 'result .watchdog'")
    comes_true(
        found, f"systemctl is-active -q pbem-resolver && [ $(systemctl show -P MainPID pbem-resolver) != {before} ]"
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("Games ada@example.org", "is no domain name"),
        (f"{DOMAIN} ada", "is no mail address"),
        (f"{DOMAIN} {PERSON} apache", "is no proxy known here"),
    ],
)
def test_what_cannot_stand_is_told_before_anything_is_done(bare: Path, words: str, said: str) -> None:
    """A domain, an address or a proxy that cannot stand is a sentence, and nothing was changed."""
    before = (bare / "etc/pbem").exists()
    with machine.session(bare) as found:
        code, told = found.do(f"/src/deploy/install {words}")
        assert (code, said in told) == (1, True), told
        assert (bare / "etc/pbem").exists() == before
