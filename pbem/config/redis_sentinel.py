"""Where the broker is: at one address, or wherever sentinels say that it is now.

`sentinel://one:26379,two:26379,three:26379/NAME` is a broker of several machines: Valkey's own sentinels watch over
those that they call NAME and let a standby take over.  Every other address is one server's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, unquote, urlsplit

SCHEME: Final = "sentinel"
PORT: Final = 26379


@dataclass(frozen=True)
class SentinelUrl:
    """A broker that sentinels watch over."""

    sentinels: tuple[tuple[str, int], ...]
    name: str
    password: str | None

    def to_celery_url(self) -> str:
        """The addresses as Celery writes them."""
        secret = f":{quote(self.password, safe='')}@" if self.password else ""
        return ";".join(f"{SCHEME}://{secret}{host}:{port}" for host, port in self.sentinels)


def parse(url: str) -> SentinelUrl | None:
    """What such an address says; None for the address of one server.  ValueError if it cannot be understood."""
    parts = urlsplit(url)
    if parts.scheme != SCHEME:
        return None
    secret, _, hosts = parts.netloc.rpartition("@")
    name = parts.path.strip("/")
    sentinels = tuple(map(_parse_host, hosts.split(",")))
    if not name or "/" in name:
        raise ValueError("no name")
    return SentinelUrl(sentinels, name, unquote(secret.partition(":")[2]) or None)


def _parse_host(written: str) -> tuple[str, int]:
    parts = urlsplit(f"//{written}")
    if not parts.hostname:
        raise ValueError("no host")
    return parts.hostname, parts.port or PORT


def celery_url(url: str) -> str:
    """The address for Celery."""
    found = parse(url)
    return found.to_celery_url() if found is not None else url


def celery_options(url: str) -> dict[str, object]:
    """What Celery has to know beside it."""
    found = parse(url)
    return {"master_name": found.name} if found is not None else {}
