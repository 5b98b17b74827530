"""An ordinary mailbox that our letters are fetched from, where no mail server hands them over: its settings."""

import re
from dataclasses import dataclass, field
from typing import Final, Literal, get_args

from pbem.common import parsers
from pbem.config.env_reader import PRIVATE, EnvReader

Tls = Literal["none", "starttls", "tls"]
PORTS: Final = {"tls": 993, "starttls": 143, "none": 143}
LONGEST_NAME: Final = 35
"""What leaves room for a plus sign and a token before the @ (RFC 5321 §4.5.3.1.1)."""


@dataclass(frozen=True, slots=True)
class MailboxSettings:
    """Where letters are fetched: a server that speaks IMAP, and who we are to it."""

    host: str
    port: int
    user: str
    password: str = field(repr=False)
    tls: Tls = "tls"


def load_mailbox(reading: EnvReader) -> MailboxSettings | None:
    """The mailbox that is to be fetched from, with its user and password; None where none is named."""
    host = reading.optional("PBEM_MAILBOX_HOST", parsers.parse_host, "the name of a server that speaks IMAP", "")
    tls = _tls(reading.optional("PBEM_MAILBOX_TLS", _tls, "tls, starttls or none", "tls"))
    port = reading.number("PBEM_MAILBOX_PORT", PORTS[tls], 1, 65535)
    user, password = reading.get_raw("PBEM_MAILBOX_USER"), reading.secret("PBEM_MAILBOX_PASSWORD_FILE")
    if not reading.get_raw("PBEM_MAILBOX_HOST"):
        for name in ("PBEM_MAILBOX_USER", "PBEM_MAILBOX_PASSWORD_FILE"):
            if reading.get_raw(name):
                reading.add_error(name, "is set while PBEM_MAILBOX_HOST is not", "both, or neither")
        return None
    if not user:
        reading.add_error("PBEM_MAILBOX_USER", "is missing while PBEM_MAILBOX_HOST is set", "the user of the mailbox")
    if not reading.get_raw("PBEM_MAILBOX_PASSWORD_FILE"):
        reading.add_error("PBEM_MAILBOX_PASSWORD_FILE", "is missing while PBEM_MAILBOX_HOST is set", PRIVATE)
    if tls == "none" and host and not parsers.is_local(host):
        reading.add_error("PBEM_MAILBOX_TLS", 'is "none" though a password is sent', "tls or starttls")
    return MailboxSettings(host, port, user, password, tls) if host and user and password else None


def parse_name(reading: EnvReader) -> str:
    """The part before the @ of the one address that all our letters come to; empty where all of the domain is ours."""
    expected = f"what stands before the @, of at most {LONGEST_NAME} letters, digits, dots, dashes and no plus sign"
    return reading.optional("PBEM_MAILBOX_LOCAL_PART", parse_local_part, expected, "")


def parse_local_part(raw: str) -> str:
    """The name of a mailbox in small letters, as it can stand before a plus sign; raises ValueError."""
    if not re.fullmatch(rf"[a-z0-9][a-z0-9._-]{{0,{LONGEST_NAME - 1}}}", raw.lower()):
        raise ValueError
    return raw.lower()


def _tls(raw: str) -> Tls:
    for known in get_args(Tls):
        if raw.lower() == known:
            found: Tls = known
            return found
    raise ValueError
