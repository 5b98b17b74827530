"""Lean SMTP ends for the bench: a relay that accepts every letter, and a sender that keeps its connection open."""

import asyncio
from collections.abc import Callable
from typing import Final

PER_CONNECTION: Final = 80
"""Letters a connection; the server's entrance allows somewhat more."""

LONGEST: Final = 4_000_000
"""Bytes of a letter: a receipt says why each of its lines was refused."""

Arrived = Callable[[str, bytes], None]


class Relay:
    """An SMTP server that accepts everything (RFC 5321, as far as the product's sender uses it)."""

    def __init__(self, arrived: Arrived) -> None:
        """`arrived` is called with the recipient and the bytes of each letter."""
        self._arrived = arrived

    async def start(self, port: int) -> None:
        """Listen on a port of the loopback."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", port, limit=LONGEST)

    async def stop(self) -> None:
        """Stop listening."""
        self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        recipients: list[str] = []
        writer.write(b"220 bench\r\n")
        try:
            while line := await reader.readline():
                verb = line[:4].upper()
                if verb == b"RCPT":
                    recipients.append(line.partition(b"<")[2].partition(b">")[0].decode("ascii", "replace"))
                if verb == b"DATA":
                    writer.write(b"354 go on\r\n")
                    raw = await reader.readuntil(b"\r\n.\r\n")
                    for recipient in recipients:
                        self._arrived(recipient, raw)
                    recipients = []
                if verb == b"EHLO":
                    writer.write(b"250-bench\r\n250 PIPELINING\r\n")
                elif verb == b"QUIT":
                    writer.write(b"221 bye\r\n")
                    break
                else:
                    writer.write(b"250 ok\r\n")
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass  # the client hung up, or the bench is over
        finally:
            writer.close()


class SmtpSender:
    """One connection to the server's entrance; letters go over it one after the other."""

    def __init__(self, port: int) -> None:
        """`port`: of the entrance, on the loopback."""
        self._port, self._sent, self._lock = port, 0, asyncio.Lock()
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def send(self, sender: str, recipient: str, raw: bytes) -> None:
        """Send a letter; returns once it is accepted, raises ConnectionError if it is not."""
        async with self._lock:
            if self._streams is None or self._sent >= PER_CONNECTION:
                self.close()
                self._streams, self._sent = await asyncio.open_connection("127.0.0.1", self._port), 0
                await self._say(b"")
                await self._say(b"EHLO bench\r\n")
            for line in (f"MAIL FROM:<{sender}>", f"RCPT TO:<{recipient}>", "DATA"):
                await self._say(f"{line}\r\n".encode("ascii"))
            await self._say(raw + b"\r\n.\r\n")
            self._sent += 1

    async def _say(self, words: bytes) -> None:
        """Write, and read the answer to its last line."""
        if self._streams is None:
            raise ConnectionError("not connected")
        reader, writer = self._streams
        writer.write(words)
        while True:
            line = await reader.readline()
            if not line or line[:1] not in b"23":
                raise ConnectionError(f"the entrance answered {line[:60]!r}")
            if line[3:4] != b"-":
                return

    def close(self) -> None:
        """Close the connection; the next letter opens another."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None
