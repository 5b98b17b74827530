"""How values written as text are read: each of these gives what a value means, or raises ValueError."""

import re
from collections.abc import Callable, Iterable
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo


def parse_printable(raw: str) -> str:
    """What was written, fit to be printed: one line, not too long."""
    clean = "".join(c if c.isprintable() else "?" for c in raw)
    return clean if len(clean) <= 80 else clean[:77] + "..."


def parse_choice(word: str, words: Iterable[str]) -> str:
    """One of these words; raises ValueError."""
    if word not in words:
        raise ValueError
    return word


MAX_NUMBER = 999_999_999
"""A number that any database can hold."""


def parse_age_recipient(raw: str) -> str:
    """A public key of age: bech32 with the prefix `age`."""
    if not re.fullmatch(r"age1[02-9ac-hj-np-z]{58}", raw):
        raise ValueError
    return raw


def parse_whole(raw: str, low: int = 0, high: int = MAX_NUMBER) -> int:
    """A whole number within bounds, in ASCII digits."""
    if not re.fullmatch(r"[0-9]{1,12}", raw) or not low <= int(raw) <= high:
        raise ValueError
    return int(raw)


def parse_between(low: int, high: int) -> Callable[[str], int]:
    """A reader of whole numbers within bounds."""
    return partial(parse_whole, low=low, high=high)


def parse_host(raw: str) -> str:
    """A host name or an IP address, without brackets."""
    try:
        return str(ip_address(raw.strip("[]")))
    except ValueError:
        return raw if raw == "localhost" else parse_domain(raw, dots=0)


def parse_domain(raw: str, dots: int = 1) -> str:
    """A domain name in ASCII, in small letters (RFC 1035 §2.3.1, RFC 1123 §2.1)."""
    name = raw.lower()
    labels = name.split(".")
    good = all(re.fullmatch(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?", label) for label in labels)
    if not good or len(name) > 200 or len(labels) <= dots:
        raise ValueError
    return name


def parse_web_address(raw: str) -> str:
    """An address of pages, without a slash at its end."""
    parts = urlsplit(raw)
    plain = not (parts.username or parts.password or parts.query or parts.fragment)
    if parts.scheme not in ("http", "https") or not plain or not parts.hostname:
        raise ValueError
    parse_host(parts.hostname)
    _ = parts.port  # raises ValueError where it is no number
    return raw.rstrip("/")


def parse_zone(raw: str) -> str:
    """A time zone by its name."""
    try:
        return ZoneInfo(raw).key
    except KeyError:
        raise ValueError(raw) from None


def parse_absolute_path(raw: str) -> Path:
    """An absolute path that can stand within the address of a database or a socket."""
    path = Path(raw)
    if not path.is_absolute() or set(raw) & set("?#%"):
        raise ValueError
    return path


def parse_folder(raw: str) -> Path:
    """The absolute path of a folder that is there."""
    path = parse_absolute_path(raw)
    if not path.is_dir():
        raise ValueError
    return path


def is_local(host: str) -> bool:
    """Return True if a host is this machine itself."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
