"""Addresses that carry a token: where to reply, where bounces come back to, what a table is called by.

The token is all the identity a letter needs, so an address is a secret of its
owner.  Mail servers fold case and stop at 64 characters before the '@'
(RFC 5321 §4.5.3.1.1); tokens are short, lower case, and safe in both.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from pbem.common.addresses import make_internal

_TOKEN = re.compile(r"[a-z0-9]{6,26}")
_DOMAIN = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?", re.IGNORECASE)
_LOCAL = re.compile(r"(?:([^+@]{1,60})\+)?([obt])[+=-]([a-z0-9]{6,26})")


NO_GAME = frozenset({"desk00", "probe0"})
"""The marks in the From of letters that belong to no table, and in the envelope of those that are not answered."""


class AddressKind(Enum):
    """What mail to an address means; the value is the mark before its token."""

    REPLY = "o"
    BOUNCE = "b"
    TABLE = "t"
    UNKNOWN = ""


@dataclass(frozen=True)
class Address:
    """A local part understood; the token is empty where it is not one of ours."""

    kind: AddressKind
    token: str


def parse_address(address: str) -> Address:
    """What one of our addresses, or its local part alone, stands for; never an error.

    Case does not count, and `=` or `-` pass for the `+` that some servers rewrite.
    """
    local = address.strip().strip("<>").partition("@")[0].strip('"').lower()
    found = _LOCAL.fullmatch(local)
    return Address(AddressKind(found.group(2)), found.group(3)) if found else Address(AddressKind.UNKNOWN, "")


def reply_address(token: str, domain: str, name: str = "") -> str:
    """Where a player's orders go: one token for one seat, game and phase.  ValueError for anything unfit."""
    return _build_address(AddressKind.REPLY, token, domain, name)


def bounce_address(token: str, domain: str, name: str = "") -> str:
    """The envelope sender of one letter, so that its bounce needs no parsing.  ValueError for anything unfit."""
    return _build_address(AddressKind.BOUNCE, token, domain, name)


def table_address(token: str, domain: str, name: str = "") -> str:
    """What a table's letters come from; it takes no orders.  ValueError for anything unfit."""
    return _build_address(AddressKind.TABLE, token, domain, name)


def in_domain(address: str, domain: str) -> bool:
    """Return True if an address is at our mail domain."""
    return address.strip().strip("<>").rpartition("@")[2].lower().rstrip(".") == domain.lower()


def is_local_domain(address: str, domain: str, name: str = "") -> bool:
    """Return True if letters to an address come to us: all of our domain, or of the one mailbox that is ours there."""
    local = address.strip().strip("<>").partition("@")[0].strip('"').lower()
    return in_domain(address, domain) and (not name or local.partition("+")[0] == name)


def has_token_form(address: str, domain: str, name: str = "") -> bool:
    """Return True if we may have given this address away: where it is, and how it is built."""
    found = _LOCAL.fullmatch(address.strip().strip("<>").partition("@")[0].strip('"').lower())
    return found is not None and in_domain(address, domain) and (found.group(1) or "") == name


def _build_address(kind: AddressKind, token: str, domain: str, name: str) -> str:
    if not _TOKEN.fullmatch(token):
        raise ValueError("An address token is 6 to 26 lower-case letters and digits.")
    if not _DOMAIN.fullmatch(domain) or len(domain) > 253:
        raise ValueError("A mail domain is a host name in ASCII.")
    return make_internal(kind.value, token, domain, name)
