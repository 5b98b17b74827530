"""The lean ends of the bench: a relay that takes every letter, and a writer that keeps its connection."""

import asyncio
import re
from base64 import b64decode
from collections.abc import Callable
from dataclasses import dataclass
from quopri import decodestring
from typing import Final

PER_CONNECTION: Final = 80
"""Letters over one connection; the entrance allows somewhat more."""

Taken = Callable[[str, bytes], None]


class Relay:
    """An SMTP server that says yes to everything (RFC 5321, as far as our own sender speaks it)."""

    def __init__(self, taken: Taken) -> None:
        """`taken` is told each letter: the recipient and the bytes."""
        self._taken = taken
        self.port = 0

    async def start(self, port: int) -> None:
        """Open."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", port)
        self.port = port

    async def stop(self) -> None:
        """Close."""
        self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        recipients: list[str] = []
        writer.write(b"220 sink\r\n")
        try:
            while line := await reader.readline():
                verb = line[:4].upper()
                if verb == b"RCPT":
                    recipients.append(line.partition(b"<")[2].partition(b">")[0].decode("ascii", "replace"))
                if verb == b"DATA":
                    writer.write(b"354 go\r\n")
                    raw = await reader.readuntil(b"\r\n.\r\n")
                    for recipient in recipients:
                        self._taken(recipient, raw)
                    recipients = []
                if verb == b"EHLO":
                    writer.write(b"250-sink\r\n250 PIPELINING\r\n")
                else:
                    writer.write(b"221 bye\r\n" if verb == b"QUIT" else b"250 ok\r\n")
                if verb == b"QUIT":
                    break
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass  # the far end hung up, or the bench is over
        finally:
            writer.close()


class Writer:
    """One connection to the entrance, over which letters go one after the other."""

    def __init__(self, port: int) -> None:
        """The entrance's port."""
        self._port = port
        self._lock, self._sent = asyncio.Lock(), 0
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def send(self, sender: str, recipient: str, raw: bytes) -> None:
        """Hand a letter over; returns when it was accepted, raises ConnectionError if it was not."""
        async with self._lock:
            if self._streams is None or self._sent >= PER_CONNECTION:
                await self._connect()
            for line in (f"MAIL FROM:<{sender}>", f"RCPT TO:<{recipient}>", "DATA"):
                await self._say(line)
            if self._streams is not None:
                self._streams[1].write(raw + b"\r\n.\r\n")
                await self._answer()
            self._sent += 1

    async def _connect(self) -> None:
        self.close()
        self._streams, self._sent = await asyncio.open_connection("127.0.0.1", self._port), 0
        await self._answer()
        await self._say("EHLO bench")

    async def _say(self, line: str) -> None:
        if self._streams is not None:
            self._streams[1].write(line.encode("ascii") + b"\r\n")
            await self._answer()

    async def _answer(self) -> None:
        if self._streams is None:
            raise ConnectionError("not connected")
        while True:
            line = await self._streams[0].readline()
            if not line or line[:1] not in b"23":
                raise ConnectionError(f"the entrance answered {line[:60]!r}")
            if line[3:4] != b"-":
                return

    def close(self) -> None:
        """Hang up; who sends after that connects again."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


@dataclass(frozen=True)
class Read:
    """What the bench wants to know of a letter."""

    reply_to: str
    answers: bool
    text: str


_REPLY_TO = re.compile(rb"^Reply-To:\s*(?:[^<\r\n]*<)?([^>\s]+)", re.IGNORECASE | re.MULTILINE)
_PLAIN = re.compile(rb"Content-Type: text/plain.*?\r\n\r\n(.*?)\r\n--=", re.IGNORECASE | re.DOTALL)
_CODED = re.compile(rb"Content-Transfer-Encoding:\s*(\S+)", re.IGNORECASE)


_ANSWERED = re.compile(rb"^In-Reply-To:\s*<([^>]+)>", re.IGNORECASE | re.MULTILINE)
_KEY = re.compile(rb"^Message-ID:\s*<([^>]*)>", re.IGNORECASE | re.MULTILINE)


def letter_key(raw: bytes) -> str:
    """What makes a letter the same letter: its Message-ID."""
    found = _KEY.search(raw)
    return found.group(1).decode("ascii", "replace") if found else ""


def answered_key(raw: bytes) -> str:
    """The Message-ID of the letter that a letter answers; empty if it answers none."""
    found = _ANSWERED.search(raw)
    return found.group(1).decode("ascii", "replace") if found else ""


def read(raw: bytes) -> Read:
    """Reply address and plain text, found without a whole parse: the bench must not be what it measures."""
    found = _REPLY_TO.search(raw)
    plain = _PLAIN.search(raw)
    text = b""
    if plain is not None:
        head, text = plain.group(0)[: plain.start(1) - plain.start(0)], plain.group(1)
        coded = _CODED.search(head)
        way = coded.group(1).lower() if coded else b"7bit"
        text = b64decode(text) if way == b"base64" else decodestring(text) if way == b"quoted-printable" else text
    answers = b"auto-replied" in raw[:4000].lower()
    return Read(found.group(1).decode("ascii") if found else "", answers, text.decode("utf-8", "replace"))
