"""A server at home: one machine, one user, an ordinary mailbox.  What `pbem setup` asks, tries and writes."""

import os
import socket
import ssl
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from imap_tools import MailboxLoginError

from pbem.common import parsers
from pbem.common.addresses import InvalidAddress, parse_mail_address
from pbem.config import env_file
from pbem.config.mailbox import LONGEST_NAME, Tls, parse_local_part
from pbem.config.settings import Settings
from pbem.crypto import KeyFolder
from pbem.crypto.tokens import new_token
from pbem.mail import imap, imap_message, smtp_client
from pbem.mail.addresses import reply_address
from pbem.store.schema import upgrade

IMPLICIT_TLS_PORTS: Final = (993, 465)
STARTTLS_PORTS: Final = (143, 587, 25)
CONNECT_S: Final = 20.0
_LOGIN_REFUSED: Final = frozenset({530, 534, 535, 538})
"""RFC 4954 §6: what a server answers that wants another login."""
LOOK_S: Final = 1.0
"""How often to look whether the letter to ourselves has come."""


class SetupError(Exception):
    """The server cannot be set up so.  The text says what was found and what would do, and nothing was written.

    `question`: the answer that is to be given again (`address`, `password`, `incoming`, `outgoing`), if it is one.
    """

    def __init__(self, text: str, question: str = "") -> None:
        super().__init__(text)
        self.question = question


@dataclass(frozen=True)
class MailServer:
    """A mail server of the provider's."""

    host: str
    port: int
    tls: Tls


@dataclass(frozen=True)
class SetupAnswers:
    """What was asked.  `name`: what stands before the @ where only this address is ours, empty for a whole domain."""

    address: str
    password: str = field(repr=False)
    incoming: MailServer
    outgoing: MailServer
    name: str

    @property
    def domain(self) -> str:
        """The domain of the mailbox."""
        return self.address.rpartition("@")[2]

    @property
    def mailbox(self) -> imap.ImapSettings:
        """Where letters are fetched."""
        where = self.incoming
        return imap.ImapSettings(where.host, where.port, self.address, self.password, where.tls, timeout=20.0)

    @property
    def relay(self) -> smtp_client.Relay:
        """Where letters are sent."""
        where = self.outgoing
        tls = "implicit" if where.tls == "tls" else where.tls
        return smtp_client.Relay(where.host, where.port, self.address, self.password, tls, self.domain, timeout=20.0)


def parse_address(written: str) -> str:
    """The address of a mailbox; raises SetupError."""
    try:
        return parse_mail_address(written)
    except InvalidAddress:
        raise SetupError(
            f"“{parsers.parse_printable(written)}” is no mail address; expected one such as games@example.org.",
            "address",
        ) from None


def parse_url(written: str, local: str) -> str:
    """The address of the pages, `local` for none; raises SetupError."""
    try:
        url = parsers.parse_web_address(written.strip()) if written.strip() else local
    except ValueError:
        url = ""
    if not url or (url.startswith("http://") and url != local and not parsers.is_local(urlsplit(url).hostname or "")):
        told = f"“{parsers.parse_printable(written)}” is no address of pages that others can open"
        raise SetupError(f"{told}; expected one such as https://games.example.org, or none.")
    return url


def guess_name(address: str, *, catch_all: bool) -> str:
    """What stands before the plus sign in our addresses; raises SetupError."""
    local, _, domain = address.rpartition("@")
    if catch_all:
        return ""
    try:
        return parse_local_part(local)
    except ValueError:
        told = f"“{local}” leaves no room for a plus sign and what stands behind it"
        wanted = f"a mailbox whose name has at most {LONGEST_NAME} letters and digits, and no plus sign"
        raise SetupError(f"{told}; expected {wanted}, or that all of {domain} comes to it.", "address") from None


def guess_server(written: str, usual: int, question: str) -> MailServer:
    """A server as HOST or HOST:PORT; how it is spoken to follows from the port.  Raises SetupError."""
    host, colon, port = written.strip().rpartition(":")
    if not colon:
        host, port = written.strip(), str(usual)
    try:
        place = parsers.parse_host(host), parsers.parse_between(1, 65535)(port)
    except ValueError:
        told = f"“{parsers.parse_printable(written)}” is no server"
        raise SetupError(
            f"{told}; expected its name, or its name and port such as mail.example.org:{usual}.", question
        ) from None
    return MailServer(*place, _tls_of(*place))


def _tls_of(host: str, port: int) -> Tls:
    if port in IMPLICIT_TLS_PORTS:
        return "tls"
    if parsers.is_local(host):
        return "none"
    return "starttls" if port in STARTTLS_PORTS else "tls"


def probe_mailbox(answers: SetupAnswers, patience_s: float, sleep: Callable[[float], None] = time.sleep) -> int:
    """Send a letter to ourselves and fetch it again; returns how many other letters lie there.  Raises SetupError."""
    _check_server(answers.incoming, "incoming", "IMAP", "993")
    _check_server(answers.outgoing, "outgoing", "mail that goes out", "465 or 587")
    try:
        with imap.log_in(answers.mailbox) as line:
            view = imap.Inbox(line)
            others = len(view.list_messages())
            to = reply_address(new_token(), answers.domain, answers.name)
            _send_probe(answers, to)
            _wait_for_message(answers, view, to, patience_s, sleep)
            return others
    except MailboxLoginError:
        raise SetupError(f"{answers.incoming.host} does not accept {_LOGIN}", "password") from None
    except imap.AWAY:
        server = answers.incoming
        raise SetupError(
            f"What answers on port {server.port} of {server.host} does not speak IMAP, or broke off: "
            "look up the server and port for IMAP in your provider's help.",
            "incoming",
        ) from None


_LOGIN: Final = (
    "this address with this password: check both. Many providers want a password of its own for programs (an “app "
    "password”), which you make on their pages, and some want IMAP to be switched on there."
)


def _check_server(server: MailServer, question: str, purpose: str, usual: str) -> None:
    """Connect to a server, with TLS where it begins so. Raises SetupError with the cause."""
    host, port = server.host, server.port
    advice = f"look up the server and port for {purpose} in your provider's help (often {usual})."
    try:
        with socket.create_connection((host, port), CONNECT_S) as line:
            if server.tls == "tls":
                ssl.create_default_context().wrap_socket(line, server_hostname=host).close()
        return
    except ssl.SSLCertVerificationError as error:
        told = f"{host} shows a certificate that does not hold for this name ({error.verify_message})"
        advice = "use the name that your provider gives, and check the clock of this machine."
    except ssl.SSLError:
        told = f"{host} does not speak TLS on port {port}"
    except socket.gaierror:
        told = f"There is no machine called {host}, or this one is not online"
    except ConnectionRefusedError:
        told = f"Nothing listens on port {port} of {host}"
    except TimeoutError:
        told = f"{host} does not answer on port {port}"
    except OSError as error:
        told = f"{host} cannot be reached on port {port} ({error.strerror or 'the line broke off'})"
    raise SetupError(f"{told}: {advice}", question)


def _send_probe(answers: SetupAnswers, to: str) -> None:
    letter = EmailMessage()
    letter["From"], letter["To"], letter["Subject"] = answers.address, to, "A letter of this server to itself"
    letter["Date"] = datetime.now(UTC)
    letter["Message-ID"] = f"<{to}>"
    letter["Auto-Submitted"] = "auto-generated"  # RFC 3834 §5: nobody answers it
    letter.set_content("It shows that letters go out and come in.\n")
    answer = smtp_client.send_message(answers.relay, letter.as_bytes(), answers.address, to)
    if isinstance(answer, smtp_client.Rejected):
        host = answers.outgoing.host
        if answer.code in _LOGIN_REFUSED:
            raise SetupError(f"{host} does not accept {_LOGIN}", "password")
        if not answer.code:
            told = f"What answers on port {answers.outgoing.port} of {host} did not take a letter, or broke off"
            raise SetupError(
                f"{told}: look up the server and port for mail that goes out in your provider's help.", "outgoing"
            )
        told = f"{host} did not take a letter from {answers.address} ({answer.code} {answer.text})"
        raise SetupError(f"{told}: this address may send only from its own account.", "outgoing")


def _wait_for_message(
    answers: SetupAnswers, view: imap.Inbox, to: str, patience_s: float, sleep: Callable[[float], None]
) -> None:
    end = time.monotonic() + patience_s
    mark = _probe_mark(to)
    while not (found := view.list_messages(f'UNDELETED TO "{mark}"')):
        if time.monotonic() > end:
            way = "plus-addresses" if answers.name else f"all addresses of {answers.domain}"
            told = f"A letter that was sent to {to} did not come within {patience_s:.0f} s"
            raise SetupError(
                f"{told}: does this mailbox get letters to {way}? Look among those taken for unwanted, too."
            )
        sleep(LOOK_S)
    raw = view.fetch(found[0], answers.mailbox.most_bytes) or b""
    view.move(found[0], imap.DONE)
    if imap_message.parse_fetched(raw, answers.domain, answers.name).recipients != (to,):
        raise SetupError(f"A letter that was sent to {to} came without this address: the provider changes addresses.")


def _probe_mark(address: str) -> str:
    """What is searched for: the part of an address of ours that no other letter has."""
    return address.partition("@")[0].rpartition("+")[2]


def write_configuration(folder: Path, answers: SetupAnswers, url: str, zone: str, owner: str) -> Path:
    """Write environment, password and keys, and make the tables; returns the file of the environment.

    `owner`: the address of the person who runs the server, if they gave one.

    Raises SetupError where there is a server already: nothing is overwritten.
    """
    env, secret = folder / "pbem.env", folder / "mailbox-password"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    _write_private(secret, f"{answers.password}\n")
    variables = _environment_lines(folder, answers, url, zone, owner, secret)
    settings = Settings.from_env(variables, keys_exist=False)
    if not settings.keys_dir.exists():
        KeyFolder.create(settings.keys_dir)
    upgrade(settings.database_url)
    _write_private(env, env_file.format_env_file(variables))
    return env


def require_empty_folder(folder: Path) -> Path:
    """The whole name of a folder that a server can be set up in; raises SetupError."""
    place = folder.expanduser().absolute()
    try:
        parsers.parse_absolute_path(str(place))
    except ValueError:
        raise SetupError(f"A server cannot lie in {place}; expected a folder without ?, # or % in its name.") from None
    if (place / "pbem.env").exists():
        raise SetupError(f"There is a server in {place} already; take another --folder, or move its pbem.env away.")
    return place


def _environment_lines(
    folder: Path, answers: SetupAnswers, url: str, zone: str, owner: str, secret: Path
) -> dict[str, str]:
    named = {"PBEM_MAILBOX_LOCAL_PART": answers.name} if answers.name else {}
    person = {"PBEM_ADMIN_EMAIL": owner, "PBEM_OPERATOR_EMAILS": owner} if owner else {}
    incoming, outgoing = answers.incoming, answers.outgoing
    return {
        "PBEM_PUBLIC_URL": url,
        "PBEM_TIME_ZONE": zone,
        "PBEM_SIGN_UP": "invitation",
        "PBEM_STATE_DIR": str(folder),
        "PBEM_KEYS_DIR": str(folder / "keys"),
        "PBEM_DATABASE_URL": f"sqlite:///{folder}/pbem.sqlite3",
        "PBEM_BROKER_URL": f"redis+socket://{folder}/broker.sock?virtual_host=0",
        "PBEM_ALLOW_SHARED_USER": "yes",
        "PBEM_MAIL_DOMAIN": answers.domain,
        **named,
        **person,
        "PBEM_MAILBOX_HOST": incoming.host,
        "PBEM_MAILBOX_PORT": str(incoming.port),
        "PBEM_MAILBOX_TLS": incoming.tls,
        "PBEM_MAILBOX_USER": answers.address,
        "PBEM_MAILBOX_PASSWORD_FILE": str(secret),
        "PBEM_RELAY_HOST": outgoing.host,
        "PBEM_RELAY_PORT": str(outgoing.port),
        "PBEM_RELAY_TLS": outgoing.tls,
        "PBEM_RELAY_USER": answers.address,
        "PBEM_RELAY_PASSWORD_FILE": str(secret),
        "PBEM_MAIL_PROBE_INTERVAL_MINUTES": "60",
    }


def _write_private(path: Path, text: str) -> None:
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(text)


def local_zone() -> str:
    """The zone that this machine is set to, by its name; UTC where it has none."""
    _, found, name = os.path.realpath("/etc/localtime").rpartition("/zoneinfo/")
    try:
        return parsers.parse_zone(name) if found else "UTC"
    except ValueError:
        return "UTC"
