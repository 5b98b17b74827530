"""Which addresses a webhook may have: none that leads into our own network, whatever its name resolves to.

An address is judged when it is given, as far as it can be read; and each time that it is used, by the numbers that its
name stands for at that moment.  The connection is then made to the number judged, so that a name which changes its mind
gains nothing.
"""

import ipaddress
import re
import socket
from dataclasses import dataclass
from urllib.parse import SplitResult, parse_qsl, urlencode, urlsplit

from pbem.discord.special_ranges import is_global

LONGEST = 2000
DISCORD = frozenset({"discord.com", "canary.discord.com", "ptb.discord.com", "discordapp.com"})
_HOOK = re.compile(r"/api(?:/v\d{1,2})?/webhooks/([1-9]\d{5,19})/([A-Za-z0-9_-]{20,100})/?")
_HOST = re.compile(r"(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,62})(\.[a-z0-9_]([a-z0-9_-]{0,62}))*\.?")
_NUMERAL = re.compile(r"(.*\.)?([0-9]+|0x[0-9a-f]*)")
"""A name whose last part is a numeral is a number in another spelling, however many parts it has."""

_NAT64 = ipaddress.ip_network("64:ff9b::/96")
IP = ipaddress.IPv4Address | ipaddress.IPv6Address


class InvalidUrl(Exception):
    """An address that cannot stand; `code` says why in a word."""

    def __init__(self, code: str) -> None:
        """`code`: malformed, https, port, inside, discord, unknown."""
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, repr=False)
class Target:
    """Where a message goes.  Its path is a secret, so it prints nothing."""

    host: str
    port: int
    path: str
    is_secure: bool

    @property
    def shown_host(self) -> str:
        """The host as a header names it: with its port where that is not the usual one."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == (443 if self.is_secure else 80) else f"{host}:{self.port}"


def resolve(form: str, address: str, *, loopback: bool = False, own: str = "") -> Target:
    """Parse the URL of a webhook.  `loopback`: it may lead to this machine (tests).  `own`: our own host's name.

    Raises InvalidUrl.
    """
    if len(address) > LONGEST or not address.isascii() or not address.isprintable() or " " in address:
        raise InvalidUrl("malformed")
    try:
        parts = urlsplit(address)
        port, host = parts.port, (parts.hostname or "").rstrip(".")
    except ValueError:
        raise InvalidUrl("malformed") from None
    if parts.username is not None or parts.password is not None or parts.fragment or not host:
        raise InvalidUrl("malformed")
    secure = parts.scheme == "https"
    if not secure and not (loopback and parts.scheme == "http" and _is_loopback(host)):
        raise InvalidUrl("https")
    if port is not None and port != 443 and not 1024 <= port <= 65535:
        raise InvalidUrl("port")
    _judge_host(host, loopback=loopback, own=own)
    path = _discord_path(host, parts, loopback=loopback) if form == "discord" else _path(parts)
    return Target(host, port or (443 if secure else 80), path, secure)


def _judge_host(host: str, *, loopback: bool, own: str) -> None:
    try:
        number = ipaddress.ip_address(host)
    except ValueError:
        if not _HOST.fullmatch(host) or "." not in host or host.endswith((".localhost", ".local", ".internal")):
            raise InvalidUrl("inside" if _HOST.fullmatch(host) else "malformed") from None
        if _NUMERAL.fullmatch(host):
            raise InvalidUrl("malformed") from None
        if own and (host == own or host.endswith(f".{own}")):
            raise InvalidUrl("inside") from None
        return
    if not _is_reachable(number, loopback=loopback):
        raise InvalidUrl("inside")


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _path(parts: SplitResult) -> str:
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def _discord_path(host: str, parts: SplitResult, *, loopback: bool) -> str:
    """The path of one of Discord's webhooks, in the version of its API that we speak; a thread may be named."""
    found = _HOOK.fullmatch(parts.path)
    if found is None or not (host in DISCORD or (loopback and _is_loopback(host))):
        raise InvalidUrl("discord")
    threads = [(name, value) for name, value in parse_qsl(parts.query) if name == "thread_id" and value.isdecimal()]
    query = f"?{urlencode(threads[:1])}" if threads else ""
    return f"/api/v10/webhooks/{found[1]}/{found[2]}{query}"


def redact(address: str) -> str:
    """An address with its secrets left out: the host, and the number of Discord's webhook."""
    try:
        parts = urlsplit(address)
        host = parts.hostname or "?"
    except ValueError:
        return "?"
    found = _HOOK.fullmatch(parts.path)
    if found:
        return f"{host}/api/webhooks/…{found[1][-4:]}/…"[:120]
    rest = "/…" if len(parts.path) > 1 or parts.query else ""
    return f"{host}{rest}"[:120]


# --- numbers


def resolve_host(where: Target, *, loopback: bool = False) -> list[tuple[int, str]]:
    """Resolve a host name to its addresses: family and number each.  Raises InvalidUrl if one must not be reached.

    One number of ours among several is enough to refuse them all: an honest name does not mix them.
    """
    try:
        found = socket.getaddrinfo(where.host, where.port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    except (OSError, UnicodeError):
        raise InvalidUrl("unknown") from None
    known = [(int(family), str(place[0]).partition("%")[0]) for family, _, _, _, place in found]
    if not known:
        raise InvalidUrl("unknown")
    for _, number in known:
        if not _is_reachable(ipaddress.ip_address(number), loopback=loopback):
            raise InvalidUrl("inside")
    return list(dict.fromkeys(known))


def _is_reachable(number: IP, *, loopback: bool) -> bool:
    """Return True if a number lies in the world outside: in no range with a special purpose (such as link-local, where
    clouds keep their metadata), nor standing for a number of the other family that does.
    """
    if loopback and number.is_loopback:
        return True
    inner = _embedded_ipv4(number)
    if inner is not None:
        return _is_reachable(inner, loopback=False)
    return is_global(number)


def _embedded_ipv4(number: IP) -> ipaddress.IPv4Address | None:
    """The number of version 4 that one of version 6 stands for (RFC 4291 §2.5.5.2, 3056, 4380, 6052)."""
    if isinstance(number, ipaddress.IPv4Address):
        return None
    if number in _NAT64:
        return ipaddress.IPv4Address(int(number) & 0xFFFFFFFF)
    teredo = number.teredo
    return number.ipv4_mapped or number.sixtofour or (teredo[1] if teredo else None)
