"""One quiet player of a bench: a page and a check at a steady rate, a letter a second, and how long each took."""

import asyncio
import secrets
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from http.client import HTTPConnection
from statistics import quantiles
from typing import Any, Final
from urllib.parse import parse_qsl

from pbem.bench.browser import GamePage, Request
from pbem.bench.smtp import Relay, SmtpSender
from pbem.config.settings import Settings

RATES: Final = {"page": 2.0, "check": 1.0, "receipt": 1.0}
"""Requests and letters a second of the quiet player."""
PATIENCE_S: Final = 120.0
"""How long a page and the last receipt are waited for; a receipt that has not come by then counts as that late."""


@dataclass
class Door:
    """A player's ways in: where letters go, and what the browser sends."""

    address: str
    reply_to: str
    page: GamePage


@dataclass
class Watched:
    """The seconds that the quiet player waited, by what for; `sent` has letters whose receipt has not come."""

    waits: dict[str, list[float]] = field(default_factory=lambda: {name: [] for name in RATES})
    sent: dict[str, float] = field(default_factory=dict)


def connect(settings: Settings) -> HTTPConnection:
    port = settings.http_listen.port if settings.http_listen is not None else 0
    return HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)


class Watch:
    """The quiet player, and the relay at which receipts arrive."""

    def __init__(self, settings: Settings, door: Door) -> None:
        if settings.relay is None or settings.smtp_listen is None:
            raise LookupError("the bench needs an entrance and a relay")
        self.settings, self.door = settings, door
        self.relay, self.relay_port = Relay(self._arrived), settings.relay.port
        self.sender = SmtpSender(settings.smtp_listen.port)
        self.watched = Watched()

    def _arrived(self, recipient: str, raw: bytes) -> None:
        if recipient != self.door.address:
            return
        for mark, since in list(self.watched.sent.items()):
            if mark.encode() in raw[:8_000]:
                self.watched.waits["receipt"].append(time.monotonic() - since)
                del self.watched.sent[mark]

    async def run(self, seconds: float) -> dict[str, Any]:
        """Watch for a while; returns what the player waited for each thing, and how many receipts came late."""
        self.watched = Watched()
        self.sender.close()  # the entrance keeps no connection that was idle for long
        until = time.monotonic() + seconds
        asks = {"page": self.door.page.page, "check": self.door.page.check}
        await asyncio.gather(
            self._write(until), *(asyncio.to_thread(self._ask, name, request, until) for name, request in asks.items())
        )
        late, end = len(self.watched.sent), time.monotonic() + PATIENCE_S
        while self.watched.sent and time.monotonic() < end:
            await asyncio.sleep(0.05)
        drained = PATIENCE_S - (end - time.monotonic()) if late else 0.0
        waits = {**self.watched.waits}
        waits["receipt"] = [*waits["receipt"], *(time.monotonic() - since for since in self.watched.sent.values())]
        return {
            **{name: _summary(taken) for name, taken in waits.items()},
            "late": late,
            "drained_s": round(drained, 1),
        }

    def _ask(self, name: str, request: Request, until: float) -> None:
        with closing(connect(self.settings)) as line:
            for due in _beats(RATES[name], until):
                time.sleep(max(0.0, due - time.monotonic()))
                if time.monotonic() < until:  # after that all others are as late
                    request.send(line)
                self.watched.waits[name].append(time.monotonic() - due)

    async def _write(self, until: float) -> None:
        line = dict(parse_qsl(self.door.page.check.form)).get("text", "PASS")
        for due in _beats(RATES["receipt"], until):
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            mark = f"{secrets.token_hex(8)}@bench.localhost"
            await self.sender.send(self.door.address, self.door.reply_to, order_letter(self.door, mark, line))
            self.watched.sent[mark] = time.monotonic()


def _beats(rate: float, until: float) -> Iterator[float]:
    began = time.monotonic()
    return (began + n / rate for n in range(int((until - began) * rate)))


def _summary(seconds: Sequence[float]) -> dict[str, float]:
    cuts = quantiles([*seconds, *seconds], n=20, method="inclusive")
    return {"p50_s": round(cuts[9], 3), "p95_s": round(cuts[18], 3), "worst_s": round(max(seconds), 3)}


def order_letter(door: Door, mark: str, body: str) -> bytes:
    return (
        f"From: {door.address}\r\nTo: {door.reply_to}\r\nSubject: Re: orders\r\nMessage-ID: <{mark}>\r\n"
        f"MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n{body}\r\n"
    ).encode()
