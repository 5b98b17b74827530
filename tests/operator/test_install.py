"""`deploy/install` on a bare Debian: set up, again without harm, a turn played by mail and page, taken away."""

import http.client
import re
import shutil
import smtplib
import ssl
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import mkdtemp

import pytest

from engine import GAMES
from pbem import env_file
from pbem.app import services_of
from pbem.broker import Waker
from pbem.config import Settings
from pbem.demo.post_office import PostOffice
from pbem.demo.run import free_port
from tests.crashes.server import ADDRESSES, Server
from tests.operator import machine
from tests.operator.machine import Session

pytestmark = [pytest.mark.slow, pytest.mark.timeout(3600)]
DOMAIN, PERSON = "games.example.org", "operator@example.org"
INSTALL = f"/src/deploy/install {DOMAIN} {PERSON}"


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


class Machine(Server):
    """A server that was installed: players write to its Postfix, which sends what it is given to their post office."""

    session: Session

    def start(self, roles: object = None) -> None:
        """Open the players' post office, and start the units."""
        port = free_port()
        self.post = PostOffice(self.settings.state_dir / "mailboxes", port, lambda mail: None)
        self.post.start()
        way = f"inline:{{ {{ players.localhost = smtp:[127.0.0.1]:{port} }} }}"
        code, said = self.session.do(f"postconf -e 'transport_maps = {way}' && postfix reload")
        assert code == 0, said
        self.units = self.session.begin_units()
        self.services = services_of(self.settings, "web", Waker(self.settings))

    def stop(self) -> None:
        """The units end with the session."""
        self.post.stop()
        self.services.db.close()

    def look(self) -> None:
        """Every unit still runs."""
        for name, pid in self.units.items():
            inside = self.session.folder / "var/log/units" / name
            running = Path(f"/proc/{self.session.pid}/root/proc/{pid}").exists()
            assert running, f"{name} ended: {inside.read_text(errors='replace')[-1500:]}"

    def quiet(self) -> bool:
        """Nothing is left to do."""
        with self.services.db.reading() as look:
            asked = (
                "SELECT count(*) FROM letters_out WHERE state IN ('draft', 'wire', 'waits')",
                "SELECT count(*) FROM letters_in WHERE state = 'stored'",
                "SELECT count(*) FROM games WHERE play_wanted IS NOT NULL",
            )
            return not any(look.connection().exec_driver_sql(one).scalar() for one in asked)

    def pass_time(self) -> None:
        """Nobody dies here, so nothing need look old."""
        self.services.wake("sweep", "")

    def troubles(self) -> str:
        """What the units wrote."""
        logs = (self.session.folder / "var/log/units").iterdir()
        return "\n".join(f"{log.name}: {log.read_text(errors='replace')[-1500:]}" for log in logs)

    def _sent(self, sender: str, recipient: str, wire: bytes) -> bool:
        try:
            with smtplib.SMTP("127.0.0.1", 25, timeout=60) as line:
                line.sendmail(sender, [recipient], wire)
        except (OSError, smtplib.SMTPException):
            self.resent += 1
            return False
        return True


class Reader:
    """A browser that comes through the proxy."""

    def __init__(self) -> None:
        self.cookies: dict[str, str] = {}

    def ask(self, path: str, form: str = "") -> tuple[int, str, str]:
        """Status, text, and where it leads on."""
        trusting = ssl._create_unverified_context()
        with closing(http.client.HTTPSConnection("127.0.0.1", 443, timeout=60, context=trusting)) as line:
            return self._asked(line, path, form)

    def _asked(self, line: http.client.HTTPSConnection, path: str, form: str) -> tuple[int, str, str]:
        head = {"Host": DOMAIN, "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        if form:
            head |= {"Content-Type": "application/x-www-form-urlencoded"}
        line.request("POST" if form else "GET", path, form or None, head)
        answer = line.getresponse()
        for cookie in answer.msg.get_all("Set-Cookie") or ():
            name, _, value = cookie.split(";")[0].partition("=")
            self.cookies[name] = value
        return answer.status, answer.read().decode(), answer.getheader("Location", "")

    def send(self, path: str, **fields: str) -> tuple[int, str, str]:
        """Send the form of a page."""
        _, page, _ = self.ask(path)
        token = re.search(r'name="csrf_token" value="([^"]+)"', page)
        assert token is not None, page
        return self.ask(path, "&".join(f"{name}={value}" for name, value in {"csrf_token": token[1], **fields}.items()))


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """A folder of the players' own."""
    (tmp_path / "players").mkdir(mode=0o700)
    return tmp_path / "players"


def settings_of(found: Session, state: Path) -> Settings:
    """The settings that the script wrote, as they are reached from out here."""
    env = env_file.parse((found.folder / "etc/pbem/pbem.env").read_text(encoding="utf-8"))
    sockets = f"/proc/{found.pid}/root/run/postgresql"
    here = {
        "PBEM_STATE_DIR": str(state),
        "PBEM_KEYS_DIR": str(found.folder / "etc/pbem/keys"),
        "PBEM_DATABASE_URL": f"postgresql://pbem@/pbem?host={sockets}",
        "PBEM_ONE_USER": "yes",
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
        keys = (bare / "etc/pbem/keys/play").stat().st_ino
        config = (bare / "etc/pbem/pbem.env").read_text()
        assert DOMAIN in config
        hba = (bare / "etc/postgresql").glob("*/main/pg_hba.conf")
        before = {path: path.read_text() for path in [*hba, bare / "etc/postfix/main.cf"]}
        assert "is left as it is" in installed(found)
        assert (bare / "etc/pbem/keys/play").stat().st_ino == keys
        assert {path: path.read_text() for path in before} == before

        server = Machine(settings_of(found, state), next(iter(GAMES)))
        server.session = found
        server.start()
        try:
            server.deal()
            entry = server.outcome().entry
            server.round()
            assert server.outcome().entry > entry
            assert server.resent == 0
            mail = server.post.boxes[ADDRESSES[1]][-1].message()
            assert f"d={DOMAIN}" in str(mail["DKIM-Signature"]), "what goes out is signed"
            read_a_page(server)
        finally:
            server.stop()

    with machine.session(bare) as found:
        code, said = found.do("/src/deploy/install --remove")
        assert code == 0, said
        assert not (bare / "opt/pbem").exists()
        assert not list((bare / "etc/systemd/system").glob("pbem*"))
        assert (bare / "etc/pbem/keys/play").exists(), "keys and data stay until --all is said"
        code, said = found.do("/src/deploy/install --remove --all")
        assert code == 0, said
        assert not (bare / "etc/pbem").exists()
        assert not any(line.startswith("pbem") for line in (bare / "etc/passwd").read_text().splitlines())
        assert "pbem" not in (bare / "etc/postfix/main.cf").read_text()
        assert not any("pbem" in path.read_text() for path in before if path.exists())


def read_a_page(server: Machine) -> None:
    """Sign in by a letter's link, through the proxy, and look at the table."""
    reader = Reader()
    assert reader.ask("/readyz")[:2] == (200, "ok\n")
    seen = len(server.post.boxes[ADDRESSES[0]])
    assert reader.send("/sign-in", address=ADDRESSES[0].replace("@", "%40"))[0] == 200
    server.until("the link", lambda: len(server.post.boxes[ADDRESSES[0]]) > seen)
    link = re.search(rf"https://{re.escape(DOMAIN)}(/sign-in/\S+)", server.post.boxes[ADDRESSES[0]][-1].text)
    assert link is not None
    assert reader.send(link[1])[0] == 303
    status, page, _ = reader.ask(f"/games/{server.game}")
    assert status == 200
    assert "Rose" in page


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
    with machine.session(bare) as found:
        code, told = found.do(f"/src/deploy/install {words}")
        assert (code, said in told) == (1, True), told
        assert not (bare / "etc/pbem").exists()
