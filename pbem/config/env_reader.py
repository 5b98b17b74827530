"""One pass over the environment: what is set, what cannot stand, and a sentence for each complaint."""

from __future__ import annotations

import difflib
import errno
import os
import stat
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final, Literal, TypeVar, cast, get_args
from urllib.parse import SplitResult, urlsplit

from pbem.common import parsers

Role = Literal["web", "smtp", "mailer", "resolver", "scheduler", "metrics", "all"]
"""Which process: pages, the listener for mail, mailers, resolvers, the scheduler, figures; or all in one."""
T = TypeVar("T")


PRIVATE: Final = "a file with the secret on its first line, of mode 0400 or 0600"
_FLAGS: Final[Mapping[str, bool]] = {
    "yes": True,
    "true": True,
    "on": True,
    "1": True,
    "no": False,
    "false": False,
    "off": False,
    "0": False,
}
VARIABLES: Final[frozenset[str]] = frozenset(
    f"PBEM_{name}"
    for name in """
    ADMIN_EMAIL ALLOW_SHARED_USER BACKUP_AGE_RECIPIENT BEACONS BROKER_URL
    BROKER_URL_FILE DATABASE_URL DATABASE_URL_FILE DISCORD_APPLICATION DISCORD_PUBLIC_KEY EMAILS_PER_HOUR
    HTTP_LISTEN KEYS_DIR LMTP_LISTEN MAILBOX_HOST MAILBOX_LOCAL_PART MAILBOX_PASSWORD_FILE MAILBOX_PORT
    MAILBOX_TLS MAILBOX_USER MAILER_WORKERS MAIL_DOMAIN MAIL_PROBE_INTERVAL_MINUTES
    METRICS_LISTEN OPERATOR_EMAILS PICTURES PRODUCTION PUBLIC_URL RELAY_HOST RELAY_PASSWORD_FILE
    RELAY_PORT RELAY_TLS RELAY_USER REQUESTS_PER_MINUTE RESOLVER_WORKERS SIGN_UP SMTP_LISTEN STATE_DIR TIME_ZONE
    TRUSTED_PROXIES
    """.split()
)
"""All that may be set; any other PBEM_ variable is taken for a slip of the pen and refused."""


class ConfigError(Exception):
    """The environment cannot stand.  The text has one sentence a line: the variable, what was found, what would do."""

    def __init__(self, complaints: Iterable[str]) -> None:
        self.complaints = tuple(complaints)
        super().__init__(self.complaints)

    def __str__(self) -> str:
        """The sentences, one a line."""
        return "\n".join(self.complaints)


class EnvReader:
    """One pass over the environment; collects what cannot stand instead of stopping at the first."""

    def __init__(self, env: Mapping[str, str], role: Role) -> None:
        if role not in get_args(Role):
            raise ConfigError([f"There is no role {role!r}; the roles are {', '.join(get_args(Role))}."])
        self.env = env
        self.role: Role = role
        self.complaints: list[str] = []

    def add_error(self, name: str, found: str, expected: str) -> None:
        """Add a sentence; `found` must never hold a secret."""
        self.complaints.append(f"{name} {found}; expected {expected}.")

    def has(self, part: str) -> bool:
        """Return True if a complaint has been made about a variable of such a name."""
        return any(part in complaint.split(" ", 1)[0] for complaint in self.complaints)

    def get_raw(self, name: str) -> str:
        """The value without blanks around it; empty if it is not set."""
        return self.env.get(name, "").strip()

    def check_unknown(self) -> None:
        """Refuse variables of ours that do not exist: a misspelt one would be silently without effect."""
        for name in sorted(self.env):
            if name.startswith("PBEM_") and name not in VARIABLES:
                near = difflib.get_close_matches(name, sorted(VARIABLES), n=1)
                self.add_error(name, "is not a setting", f"{near[0]}, perhaps" if near else "no such variable")

    def optional(self, name: str, parse: Callable[[str], T], expected: str, default: T) -> T:
        """The parsed value, or the default if the variable is unset or malformed (the latter is told)."""
        raw = self.get_raw(name)
        if not raw:
            return default
        try:
            return parse(raw)
        except (ValueError, OSError):
            self.add_error(name, f'is "{parsers.parse_printable(raw)}"', expected)
            return default

    def required(self, name: str, parse: Callable[[str], T], expected: str) -> T | None:
        """The parsed value; None, and a complaint, if it is unset or malformed."""
        if not self.get_raw(name):
            self.add_error(name, "is missing", expected)
            return None
        return self.optional(name, lambda raw: cast("T | None", parse(raw)), expected, None)

    def flag(self, name: str, *, default: bool) -> bool:
        """A yes or no."""
        return self.optional(name, lambda raw: _FLAGS[parsers.parse_choice(raw.lower(), _FLAGS)], "yes or no", default)

    def number(self, name: str, default: int, low: int, high: int) -> int:
        """A whole number within bounds."""
        return self.optional(name, parsers.parse_between(low, high), f"a whole number from {low} to {high}", default)

    def secret(self, name: str) -> str | None:
        """The first line of the file that `name` names; None, and a complaint if it was set, where there is none."""
        if not (raw := self.get_raw(name)):
            return None
        path = Path(raw)
        if trouble := find_secret_problem(path):
            self.add_error(name, f'names "{parsers.parse_printable(raw)}", which {trouble}', PRIVATE)
            return None
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError):
            self.add_error(name, f'names "{parsers.parse_printable(raw)}", which cannot be read as text', PRIVATE)
            return None
        if not lines or not lines[0].strip():
            self.add_error(
                name, f'names "{parsers.parse_printable(raw)}", which is empty', "the secret on its first line"
            )
            return None
        return lines[0].strip()

    def url(self, name: str, schemes: frozenset[str], example: str) -> str:
        """An address from the variable, or with its password from the file that NAME_FILE names; never echoed."""
        value, filed = self.get_raw(name), self.get_raw(f"{name}_FILE")
        if value and filed:
            self.add_error(name, f"is set, and so is {name}_FILE", "only one of the two")
        elif not value and not filed:
            self.add_error(name, f"is missing, and so is {name}_FILE", f"an address such as {example}")
        said = len(self.complaints)
        url = (self.secret(f"{name}_FILE") if filed else value) or ""
        if len(self.complaints) == said and url:
            self._check_url(name, url, schemes, example, filed=bool(filed))
        return url

    def _check_url(self, name: str, url: str, schemes: frozenset[str], example: str, *, filed: bool) -> None:
        try:
            parts: SplitResult | None = urlsplit(url)
        except ValueError:
            parts = None
        if parts is None or parts.scheme not in schemes:
            self.add_error(name, "is an address of no kind known here", f"one such as {example}")
        elif not filed and (parts.password or "password=" in parts.query):
            self.add_error(name, "holds a password", f"the whole address in the file that {name}_FILE names")


MISSING: Final = f"cannot be reached ({os.strerror(errno.ENOENT)})"
"""What is wrong with a file of secrets that is not there."""


def find_secret_problem(path: Path) -> str:
    """What is wrong with a file of secrets (or, .pub, of public keys); empty if nothing is."""
    try:
        found = path.stat()
    except OSError as error:
        return f"cannot be reached ({error.strerror})"
    if not stat.S_ISREG(found.st_mode):
        return "is no file"
    if found.st_mode & (0o022 if path.suffix == ".pub" else 0o077):
        return (
            f"others than its owner may {'replace' if path.suffix == '.pub' else 'open'} ({found.st_mode & 0o777:04o})"
        )
    return "" if os.access(path, os.R_OK) else "this process may not read"
