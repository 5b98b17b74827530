"""One request over HTTP: to a number that was judged, in bounded time, with a bounded answer, no redirect followed."""

import http.client
import io
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from socket import create_connection, socket
from time import monotonic
from typing import Any, cast

from pbem.discord.guard import InvalidUrl, Target, resolve_host

SECONDS = 8.0
"""How long one request may take from beginning to end."""

CONNECT_SECONDS = 4.0
ANSWER_BYTES = 65_536


@dataclass(frozen=True)
class HttpResponse:
    """What came back; names of headers in small letters."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class NotSent(Exception):
    """Nothing went out, so nothing can have been taken.  `why`: a word."""

    def __init__(self, why: str) -> None:
        """`why`: unknown, inside, connect, tls."""
        super().__init__(why)
        self.why = why


class UnknownOutcome(Exception):
    """It went out, at least in part, and no answer came."""


@cache
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context()


def send_request(
    where: Target,
    method: str,
    body: bytes,
    headers: Mapping[str, str],
    *,
    path: str = "",
    loopback: bool = False,
    seconds: float = 0,
) -> HttpResponse:
    """Send one request; raises NotSent or UnknownOutcome."""
    line = _connect(where, loopback=loopback)
    try:
        return _write_request(
            _TimedSocket(line, monotonic() + (seconds or SECONDS)), where, method, path or where.path, body, headers
        )
    except (OSError, http.client.HTTPException, ValueError):
        raise UnknownOutcome from None
    finally:
        line.close()


@dataclass(frozen=True)
class _TimedSocket:
    """A connection as far as HTTP needs one; all that is done with it ends at one moment.

    Each step is given what time is left: to shut a socket from elsewhere does not end the reading of what the other
    side goes on sending.
    """

    line: socket
    end: float

    def _now(self) -> socket:
        left = self.end - monotonic()
        if left <= 0:
            raise TimeoutError
        self.line.settimeout(left)
        return self.line

    def sendall(self, content: bytes) -> None:
        """Send all of it."""
        self._now().sendall(content)

    def recv_into(self, room: Any) -> int:
        """Receive what comes next."""
        return self._now().recv_into(room)

    def makefile(self, mode: str) -> io.BufferedReader:
        """What comes, as a file."""
        return io.BufferedReader(_SocketReader(self))

    def close(self) -> None:
        """The caller that opened the connection closes it."""


class _SocketReader(io.RawIOBase):
    """What comes over a connection."""

    def __init__(self, line: _TimedSocket) -> None:
        self._line = line

    def readable(self) -> bool:
        return True

    def readinto(self, room: Any) -> int:
        return self._line.recv_into(room)


def _connect(where: Target, *, loopback: bool) -> socket:
    """A connection to a number that may be reached; under TLS the other side proves its name."""
    try:
        found = resolve_host(where, loopback=loopback)
    except InvalidUrl as unfit:
        raise NotSent(unfit.code) from None
    line = _open_tls(where, [number for _, number in found[:3]])
    if not where.is_secure:
        return line
    try:
        return _tls().wrap_socket(line, server_hostname=where.host)
    except (OSError, ValueError):
        line.close()
        raise NotSent("tls") from None


def _open_tls(where: Target, found: list[str]) -> socket:
    for number in found:
        try:
            return create_connection((number, where.port), timeout=CONNECT_SECONDS)
        except OSError:
            continue
    raise NotSent("connect")


def _write_request(
    line: _TimedSocket, where: Target, method: str, path: str, body: bytes, headers: Mapping[str, str]
) -> HttpResponse:
    known = http.client.HTTPConnection(where.host, where.port)
    known.sock = cast(socket, line)
    known.auto_open = 0  # never a connection of its own making: that one would not have been judged
    known.request(method, path, body, {"Host": where.shown_host, "Connection": "close", **headers})
    answer = known.getresponse()
    return HttpResponse(
        answer.status,
        {name.lower(): value for name, value in answer.getheaders()},
        answer.read(ANSWER_BYTES) if answer.status not in (204, 304) else b"",
    )
