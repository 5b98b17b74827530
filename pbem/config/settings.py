"""What a process must know before it starts; the one place where the environment is read.

Every variable begins with PBEM_.  A secret is never the value of a variable: it lies in a file which its process
alone can read.  Whatever is missing or malformed is told at once, a sentence each, in one ConfigError.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from types import MappingProxyType
from typing import Final, cast, get_args
from urllib.parse import urlsplit

from pbem.common import parsers
from pbem.common.addresses import parse_mail_address
from pbem.common.states import SignUp
from pbem.config import mailbox as mailboxes
from pbem.config import redis_sentinel
from pbem.config.chat import ChatSettings, load_chat_settings
from pbem.config.env_reader import (
    MISSING,
    PRIVATE,
    VARIABLES,
    ConfigError,
    EnvReader,
    Role,
    find_secret_problem,
)
from pbem.config.mailbox import MailboxSettings, Tls
from pbem.crypto import beacon
from pbem.crypto.key_folder import REQUIRED_KEYS
from pbem.crypto.keys import Role as KeyRole

PARTS: Final[tuple[KeyRole, ...]] = get_args(KeyRole)
"""The roles that hold keys; a process of role `all` holds those of each."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where to listen."""

    host: str
    port: int

    def __str__(self) -> str:
        """As it is written in a variable; an IPv6 host stands in brackets."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


@dataclass(frozen=True, slots=True)
class Relay:
    """The mail server that takes our letters."""

    host: str
    port: int
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    tls: Tls = "none"


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one stranger may ask of us."""

    max_message_bytes: int = 1_000_000
    emails_per_hour: int = 120
    requests_per_minute: int = 240


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that a process of one role has to know; complete once it exists.

    Each setting is called as its PBEM_ variable.  `relay` is None but for the mailer, `lmtp_listen`, `smtp_listen` and
    `mailbox` but for smtp, `http_listen` but for the web, `metrics_listen` but for the metrics.  `key_folder_of` leads
    to the key files of the own role and of no other.  `variables` are the PBEM_ variables that all this was read from:
    they hold no secret, and hand the same settings on to a child process.
    """

    role: Role
    production: bool
    public_url: str
    mail_domain: str
    state_dir: Path
    database_url: str = field(repr=False)
    broker_url: str = field(repr=False)
    time_zone: str
    keys_dir: Path
    limits: Limits
    relay: Relay | None = None
    lmtp_listen: Address | None = None
    smtp_listen: Address | None = None
    mailbox: MailboxSettings | None = None
    mailbox_local_part: str = ""
    http_listen: Address | None = None
    metrics_listen: Address | None = None
    trusted_proxies: int = 0
    mailer_workers: int = 1
    resolver_workers: int = 1
    mail_probe_interval_minutes: int = 0
    pictures: bool = False
    chat: ChatSettings = field(default_factory=ChatSettings)
    beacons: tuple[str, ...] = ()
    operator_emails: frozenset[str] = frozenset()
    admin_email: str = ""
    sign_up: SignUp = "open"
    variables: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def from_env(cls, env: Mapping[str, str], role: Role = "all", *, keys_exist: bool = True) -> Settings:
        """Read the settings of one role from `env`, or raise ConfigError with every complaint.

        `keys_exist=False` is for the commands that make the keys.
        """
        reading = EnvReader(env, role)
        settings = _read_settings(cls, reading, keys_exist)
        if settings is None or reading.complaints:
            raise ConfigError(reading.complaints)
        return settings

    @classmethod
    def with_embedded(
        cls,
        state_dir: Path,
        *,
        http_port: int = 8000,
        smtp_port: int = 2525,
        lmtp_port: int = 2424,
        relay_port: int = 2526,
        role: Role = "all",
        pictures: bool = False,
    ) -> Settings:
        """The settings of the demo and of tests: all in one folder, which is made, and on the loopback.

        The keys need not exist yet.  `pictures`: with letters.  Raises ConfigError if the folder's name cannot serve.
        """
        folder = state_dir.absolute()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        ports = {"HTTP_LISTEN": http_port, "SMTP_LISTEN": smtp_port, "LMTP_LISTEN": lmtp_port}
        env = {f"PBEM_{name}": f"127.0.0.1:{port}" for name, port in ports.items()}
        env |= {
            "PBEM_PRODUCTION": "no",
            "PBEM_PUBLIC_URL": f"http://127.0.0.1:{http_port}",
            "PBEM_MAIL_DOMAIN": "games.localhost",
            "PBEM_STATE_DIR": str(folder),
            "PBEM_DATABASE_URL": f"sqlite:///{folder}/pbem.sqlite3",
            "PBEM_BROKER_URL": f"redis+socket://{folder}/broker.sock?virtual_host=0",
            "PBEM_RELAY_HOST": "127.0.0.1",
            "PBEM_RELAY_PORT": str(relay_port),
            "PBEM_PICTURES": "yes" if pictures else "no",
        }
        return cls.from_env(env, role, keys_exist=False)

    def key_folder_of(self, holder: KeyRole) -> Path:
        """The folder of a role's key files, for `WebKeys.load` and the like; ConfigError if it is not ours."""
        if holder not in _roles(self.role):
            raise ConfigError([f"A process of role {self.role} holds no keys of {holder}; start one of role {holder}."])
        return _key_folder(self.keys_dir, holder)

    @property
    def has_public_pages(self) -> bool:
        """Return False if the pages are at an address of this machine alone, which no player can open.

        A trial, such as the demo, has all its players here.
        """
        return not self.production or not parsers.is_local(urlsplit(self.public_url).hostname or "")

    @property
    def redis_url(self) -> str:
        """The broker's address as redis-py writes it (Celery has a spelling of its own for sockets)."""
        if not self.broker_url.startswith("redis+socket://"):
            return self.broker_url
        path, _, query = self.broker_url.removeprefix("redis+socket://").partition("?")
        found = re.search(r"virtual_host=(\d+)", query)
        return f"unix://{path}?db={found[1] if found else 0}"


def load_env_file(variables: Mapping[str, str]) -> None:
    """Take variables into the environment of this process and of those that it starts; what is set there stays."""
    for name, value in variables.items():
        os.environ.setdefault(name, value)


def current_environment() -> Mapping[str, str]:
    """The environment of this process, for those who have to pass it on."""
    return os.environ


def import_safely() -> None:
    """Let no process that we start import a module from the working folder, whatever a file there is called."""
    os.environ["PYTHONSAFEPATH"] = "1"


def replace_environment(env: Mapping[str, str]) -> None:
    """Let this process have another environment, as if it had been started with it."""
    os.environ.clear()
    os.environ.update(env)


def _read_settings(cls: type[Settings], reading: EnvReader, keys_exist: bool) -> Settings | None:
    """All settings of the reading's role; None, or complaints in the reading, if they cannot stand."""
    reading.check_unknown()
    reading.optional(
        "PBEM_BACKUP_AGE_RECIPIENT",
        parsers.parse_age_recipient,
        "the public half of a key for age, which begins with age1",
        "",
    )
    production = reading.flag("PBEM_PRODUCTION", default=True)
    state = reading.required("PBEM_STATE_DIR", parsers.parse_folder, "the absolute path of a folder that exists")
    where = reading.optional(
        "PBEM_KEYS_DIR", parsers.parse_absolute_path, "the absolute path of the folder of keys", None
    )
    folder = where or (state or Path("/")) / "keys"
    web, smtp, mailer, metrics = (reading.role in (role, "all") for role in ("web", "smtp", "mailer", "metrics"))
    settings = cls(
        role=reading.role,
        production=production,
        public_url=_public_url(reading, production),
        mail_domain=reading.required(
            "PBEM_MAIL_DOMAIN", parsers.parse_domain, "a domain name such as games.example.org"
        )
        or "",
        state_dir=state or Path("/"),
        database_url=_database(reading),
        broker_url=_broker(reading),
        time_zone=reading.optional(
            "PBEM_TIME_ZONE", parsers.parse_zone, "the name of a time zone such as Europe/Paris", "UTC"
        ),
        keys_dir=folder,
        limits=_limits(reading),
        relay=_relay(reading) if mailer else None,
        lmtp_listen=reading.optional("PBEM_LMTP_LISTEN", _address, _LISTEN, None) if smtp else None,
        smtp_listen=reading.optional("PBEM_SMTP_LISTEN", _address, _LISTEN, None) if smtp else None,
        mailbox=mailboxes.load_mailbox(reading) if smtp else None,
        mailbox_local_part=mailboxes.parse_name(reading),
        http_listen=reading.optional("PBEM_HTTP_LISTEN", _address, _LISTEN, Address("127.0.0.1", 8000))
        if web
        else None,
        metrics_listen=reading.optional("PBEM_METRICS_LISTEN", _address, _LISTEN, None) if metrics else None,
        trusted_proxies=reading.number("PBEM_TRUSTED_PROXIES", 0, 0, 9),
        mailer_workers=reading.number("PBEM_MAILER_WORKERS", 1, 1, 64),
        resolver_workers=reading.number("PBEM_RESOLVER_WORKERS", 1, 1, 64),
        mail_probe_interval_minutes=reading.number(
            "PBEM_MAIL_PROBE_INTERVAL_MINUTES", 15 if production else 0, 0, 1440
        ),
        pictures=reading.flag("PBEM_PICTURES", default=production),
        chat=load_chat_settings(reading, production),
        beacons=_beacons(reading, production),
        admin_email=reading.optional("PBEM_ADMIN_EMAIL", parse_mail_address, "the mail address of a person", ""),
        operator_emails=reading.optional("PBEM_OPERATOR_EMAILS", _addresses, _PEOPLE, frozenset[str]()),
        sign_up=cast("SignUp", reading.optional("PBEM_SIGN_UP", _sign_up, "open, invitation or closed", "open")),
        variables=MappingProxyType({k: v for k, v in reading.env.items() if k in VARIABLES}),
    )
    ways = (settings.lmtp_listen, settings.smtp_listen, settings.mailbox)
    if smtp and not any(ways) and not reading.has("LISTEN") and not reading.has("MAILBOX"):
        expected = f"one of them to be {_LISTEN}, or PBEM_MAILBOX_HOST to name a mailbox to fetch from"
        reading.add_error("PBEM_LMTP_LISTEN", "is not set, nor is PBEM_SMTP_LISTEN", expected)
    if keys_exist and state is not None:
        _check_keys(reading, folder, production)
    return settings


def _public_url(reading: EnvReader, production: bool) -> str:
    """The address of the pages, without a slash at its end; in production it must be https, or this machine's own."""
    expected = "an address such as https://play.example.org"
    url = reading.required("PBEM_PUBLIC_URL", parsers.parse_web_address, expected) or ""
    if production and url.startswith("http://") and not parsers.is_local(urlsplit(url).hostname or ""):
        reading.add_error(
            "PBEM_PUBLIC_URL", f'is "{parsers.parse_printable(url)}"', "https, or PBEM_PRODUCTION=no for a trial"
        )
    return url


def _database(reading: EnvReader) -> str:
    schemes = frozenset({"sqlite", "postgresql", "postgresql+psycopg"})
    return reading.url("PBEM_DATABASE_URL", schemes, "postgresql:///pbem?host=/run/postgresql")


def _broker(reading: EnvReader) -> str:
    schemes = frozenset({"redis", "rediss", "redis+socket", redis_sentinel.SCHEME})
    url = reading.url("PBEM_BROKER_URL", schemes, "redis://127.0.0.1:6379/0")
    try:
        redis_sentinel.parse(url)
    except ValueError:
        expected = "one such as sentinel://one:26379,two:26379,three:26379/pbem"
        reading.add_error("PBEM_BROKER_URL", "names sentinels in a way that is not understood", expected)
    return url


def _beacons(reading: EnvReader, production: bool) -> tuple[str, ...]:
    """The servers of the public beacon; none where tables may not choose it.  A trial may have one without TLS."""
    expected = "addresses such as https://api.drand.sh, with blanks between them"
    none: tuple[str, ...] = ()
    found = reading.optional("PBEM_BEACONS", _web_addresses, expected, none)
    if found and not beacon.is_installed():
        reading.add_error("PBEM_BEACONS", "is set, and what checks the beacon is not installed", beacon.INSTALL)
    if production and any(not address.startswith("https://") for address in found):
        reading.add_error("PBEM_BEACONS", "has an address without TLS", "https")
    return found


def _web_addresses(raw: str) -> tuple[str, ...]:
    return tuple(parsers.parse_web_address(part) for part in raw.split())


def _addresses(raw: str) -> frozenset[str]:
    return frozenset(parse_mail_address(part) for part in raw.split())


def _relay(reading: EnvReader) -> Relay | None:
    """Where letters go out; a user and a password come together or not at all, and never in clear to another host."""
    host = reading.required("PBEM_RELAY_HOST", parsers.parse_host, "the name of the mail server that takes our letters")
    tls = cast("Tls", reading.optional("PBEM_RELAY_TLS", _tls, "none, starttls or tls", _default_tls(host)))
    port = reading.number("PBEM_RELAY_PORT", 465 if tls == "tls" else 25, 1, 65535)
    user, password = reading.get_raw("PBEM_RELAY_USER") or None, reading.secret("PBEM_RELAY_PASSWORD_FILE")
    if user and not reading.get_raw("PBEM_RELAY_PASSWORD_FILE"):
        reading.add_error("PBEM_RELAY_PASSWORD_FILE", "is missing while PBEM_RELAY_USER is set", PRIVATE)
    if password and not user:
        reading.add_error("PBEM_RELAY_USER", "is missing while a password is given", "the user of that password")
    if user and tls == "none" and host and not parsers.is_local(host):
        reading.add_error("PBEM_RELAY_TLS", 'is "none" though a password is sent', "starttls or tls")
    return Relay(host, port, user, password, tls) if host else None


def _limits(reading: EnvReader) -> Limits:
    usual = Limits()
    return Limits(
        emails_per_hour=reading.number("PBEM_EMAILS_PER_HOUR", usual.emails_per_hour, 1, 100_000),
        requests_per_minute=reading.number("PBEM_REQUESTS_PER_MINUTE", usual.requests_per_minute, 1, 100_000),
    )


def _check_keys(reading: EnvReader, folder: Path, production: bool) -> None:
    """The role's own keys are there and private; in production those of other roles are out of reach."""
    roles = _roles(reading.role)
    paths = [_key_folder(folder, holder) / name for holder in roles for name in REQUIRED_KEYS[holder]]
    troubles = [(path, trouble) for path in paths if (trouble := find_secret_problem(path))]
    if len(troubles) == len(paths) > 1 and all(trouble == MISSING for _, trouble in troubles):
        place = parsers.parse_printable(str(folder))
        reading.add_error("PBEM_KEYS_DIR", f'leads to "{place}", which has no keys', _KEY)
        return
    for trouble, alike in groupby(sorted(troubles, key=itemgetter(1)), itemgetter(1)):  # one sentence for each kind
        (first, _), *others = alike
        more = f", and so {len(others)} more files there" if others else ""
        reading.add_error(
            "PBEM_KEYS_DIR", f'leads to "{parsers.parse_printable(str(first))}", which {trouble}{more}', _KEY
        )
    if not production or reading.flag("PBEM_ALLOW_SHARED_USER", default=False):
        return
    for holder in (other for other in PARTS if other not in roles):
        private = (folder / holder / name for name in REQUIRED_KEYS[holder] if name.endswith(".keys"))
        if any(os.access(path, os.R_OK) for path in private):
            place = parsers.parse_printable(str(folder / holder))
            found = f'leads to "{place}", keys that the {reading.role} process could read'
            reading.add_error(
                "PBEM_KEYS_DIR", found, "a user for each role, or PBEM_ALLOW_SHARED_USER=yes to accept it"
            )


def _roles(role: Role) -> tuple[KeyRole, ...]:
    """The roles whose keys a process holds; clock and figures hold none."""
    return PARTS if role == "all" else tuple(part for part in PARTS if part == role)


def _key_folder(folder: Path, holder: KeyRole) -> Path:
    """A role's part of a folder made by KeyFolder; the folder itself if it is that part already."""
    part = folder / holder
    return part if part.is_dir() or not any((folder / name).exists() for name in REQUIRED_KEYS[holder]) else folder


_PEOPLE = "mail addresses of people, with blanks between them"
_LISTEN = "a host and a port such as 127.0.0.1:2424"
_KEY = "the files that pbem keys init makes, of mode 0400 (0444 for .pub)"


def _sign_up(raw: str) -> str:
    return parsers.parse_choice(raw.lower(), get_args(SignUp))


def _tls(raw: str) -> str:
    return parsers.parse_choice(raw.lower(), get_args(Tls))


def _default_tls(host: str | None) -> str:
    return "none" if host is None or parsers.is_local(host) else "starttls"


def _address(raw: str) -> Address:
    host, colon, port = raw.rpartition(":")
    if not colon or (":" in host and not host.startswith("[")):
        raise ValueError
    return Address(parsers.parse_host(host), parsers.parse_between(1, 65535)(port))
