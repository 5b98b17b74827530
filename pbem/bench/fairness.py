"""What one quiet player waits for while somebody floods a real server: pages, checks of orders, receipts.

The quiet player asks for a page and a check at a steady rate, each timed from the moment it was due, and writes a
letter a second, timed from the server's "250" to the receipt.  Floods go on for as long as the player is watched, and
come from people with a seat of their own, or from strangers; the gates close once.
"""

import asyncio
import secrets
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cache, partial
from http.client import HTTPConnection
from itertools import count
from pathlib import Path
from statistics import quantiles
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode

from sqlalchemy import update

import engine
from engine.kernel.viewers import Seat
from pbem.bench.browser import GamePage, Request, load_page, sign_in
from pbem.bench.in_process import InProcessServer
from pbem.bench.server import prepare, running
from pbem.bench.smtp import Relay, SmtpSender
from pbem.bench.tables import SEEDS, PlayedGame, finish_work, game_id, play_bot_game, store_game
from pbem.config.settings import Settings
from pbem.crypto import new_token
from pbem.mail.addresses import bounce_address, reply_address, table_address
from pbem.ops.servers import Postgres
from pbem.service.base.services import Services
from pbem.service.mail import assembly
from pbem.store.models import QuestionRow
from pbem.web import WebConfig

WATCHED_S: Final = 20.0
"""How long the player is watched, with each flood and without one."""
RATES: Final = {"page": 2.0, "check": 1.0, "receipt": 1.0}
"""Requests and letters a second of the quiet player."""
PATIENCE_S: Final = 120.0
"""How long a page and the last receipt are waited for; a receipt that has not come by then counts as that late."""
CALM_S: Final = 5.0
AGAIN_S: Final = 10.0
"""How often the letters of a flood are sent again."""
CHECKS, STRANGE, SEATED, LARGE, GATES = 28, 24, 12, 40, 60
"""Checks at a time; letters of strangers, of many orders and of 100 kB; tables whose gates close together."""
LINES: Final = 399
_LINE: Final = "IF I HOLD Roma AND IF I HOLD Paris: IF I HOLD Milano: PLACE Roma {}"
_QUIET, _FLOODER, _FIRST = 0, 1, 2
"""The tables of the quiet player and of the one who floods; those whose gates close come after them."""

Say = Callable[[str], None]
Flood = Callable[[threading.Event], None]


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


def measure(title: str, workers: int, postgres: bool = False, say: Say = lambda text: None) -> dict[str, Any]:
    """Measure with so many mailers and resolvers, on a server of its own for each flood and for none.

    What the player waited for each thing, `late` receipts when the flood ends, and how long until they had come.
    """
    found = {}
    for name in ("none", *FLOODS):
        with Postgres() if postgres else nullcontext() as database:
            found[name] = _measure(title, workers, name, database.url if database is not None else "")
        say(f"{workers} workers, {name}: {found[name]}")
    return found


def _measure(title: str, workers: int, flood: str, database: str) -> dict[str, Any]:
    variables = {"PBEM_MAILER_WORKERS": str(workers), "PBEM_RESOLVER_WORKERS": str(workers)}
    variables |= {"PBEM_REQUESTS_PER_MINUTE": "100000", "PBEM_EMAILS_PER_HOUR": "100000"}
    if database:
        variables["PBEM_DATABASE_URL"] = database
    with tempfile.TemporaryDirectory(prefix="pbem-fairness-") as folder:
        settings = prepare(Path(folder), **variables)
        server = InProcessServer(settings, datetime.now(UTC))
        resolver = server.services["resolver"]
        users = [store_game(resolver, game, number, 24)[0] for number, game in enumerate(_games(title, flood))]
        finish_work(resolver)
        cookies = sign_in(server.services["web"], users[:_FIRST])
        with running(settings):
            doors = [_door(settings, resolver, number, users[number], cookies[number]) for number in range(_FIRST)]
            floods = Floods(settings, resolver, doors[_FLOODER])
            found = asyncio.run(
                _watch(Watch(settings, doors[_QUIET]), FLOODS[flood](floods) if flood in FLOODS else None)
            )
        server.close()
    return found


def _games(title: str, flood: str) -> Iterator[PlayedGame]:
    """Games up to their second turn, where the first seat owes an answer, and others do who will not give one."""
    rules, seats = engine.rules(title), tuple(Seat(f"s{n + 1}") for n in range(4))
    played = [_play(title, seats, seed + 1) for seed in range(SEEDS)]
    for number in range(_FIRST + GATES * (flood == "gates")):
        game = played[number % SEEDS]
        yield game.until(
            next(
                n
                for n in range(len(game.entries))
                if rules.turn(game.entries[n].after.position) == 2
                and game.waits_for(n, seats[0])
                and game.waits_for(n, seats[1])
            )
        )


@cache
def _play(title: str, seats: tuple[Seat, ...], seed: int) -> PlayedGame:
    return play_bot_game(engine.rules(title), seats, seed)


def _door(settings: Settings, services: Services, number: int, user: int, cookie: str) -> Door:
    with services.db.transaction() as session:
        token = assembly.create_reply_token(session, game_id(number), "s1", 10**6, services.now(), holder=user)
    with closing(_connect(settings)) as line:
        page = load_page(line, game_id(number), cookie)
    address = reply_address(token, settings.mail_domain, settings.mailbox_local_part)
    return Door(f"t{number}s1@players.localhost", address, page)


def _connect(settings: Settings) -> HTTPConnection:
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
        with closing(_connect(self.settings)) as line:
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
            await self.sender.send(self.door.address, self.door.reply_to, _letter(self.door, mark, line))
            self.watched.sent[mark] = time.monotonic()


def _beats(rate: float, until: float) -> Iterator[float]:
    began = time.monotonic()
    return (began + n / rate for n in range(int((until - began) * rate)))


def _summary(seconds: Sequence[float]) -> dict[str, float]:
    cuts = quantiles([*seconds, *seconds], n=20, method="inclusive")
    return {"p50_s": round(cuts[9], 3), "p95_s": round(cuts[18], 3), "worst_s": round(max(seconds), 3)}


def _letter(door: Door, mark: str, body: str) -> bytes:
    return (
        f"From: {door.address}\r\nTo: {door.reply_to}\r\nSubject: Re: orders\r\nMessage-ID: <{mark}>\r\n"
        f"MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n{body}\r\n"
    ).encode()


class Floods:
    """What holds a server up; each flood lasts until it is stopped."""

    def __init__(self, settings: Settings, services: Services, door: Door) -> None:
        self.settings, self.services, self.door = settings, services, door
        self._numbers = count()

    def _orders(self) -> str:
        """Lines of which no two are equal."""
        return "\n".join(_LINE.format(next(self._numbers) % 10**6) for _ in range(LINES))

    def checks(self, stop: threading.Event) -> None:
        """So many checks at a time, each followed by the next; those that are refused come as often as pages allow."""
        fields = dict(parse_qsl(self.door.page.check.form))

        def check() -> None:
            while not stop.is_set():
                text = self._orders()[:19_900]
                request = replace(self.door.page.check, form=urlencode({**fields, "text": text}))
                try:
                    with closing(_connect(self.settings)) as line:
                        request.send(line)
                except (OSError, LookupError):
                    stop.wait(60 * CHECKS / WebConfig.requests_per_minute)

        threads = [threading.Thread(target=check) for _ in range(CHECKS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def gates(self, stop: threading.Event) -> None:
        """The deadlines of many tables are due at once."""
        with self.services.db.transaction() as session:
            theirs = QuestionRow.game_id.in_([game_id(_FIRST + number) for number in range(GATES)])
            now = self.services.now()
            session.execute(update(QuestionRow).where(theirs).values(due_at=now, closes_at=now))

    def letters(self, many: int, write: Callable[[int], tuple[str, bytes]], stop: threading.Event) -> None:
        """So many letters at once, and again after a while."""

        async def send() -> None:
            sender = SmtpSender(self.settings.smtp_listen.port if self.settings.smtp_listen is not None else 0)
            while not stop.is_set():
                for number in range(many):
                    try:
                        await sender.send(self.door.address, *write(number))
                    except ConnectionError:  # refused: a sender goes on with the next
                        sender.close()
                await asyncio.to_thread(stop.wait, AGAIN_S)
            sender.close()

        asyncio.run(send())

    def strange(self, number: int) -> tuple[str, bytes]:
        """To a bounce address that nobody was given, or to a table."""
        domain, name = self.settings.mail_domain, self.settings.mailbox_local_part
        to = bounce_address(new_token(), domain, name) if number % 2 else table_address(game_id(_QUIET), domain, name)
        head = f"From: x{number}@strangers.localhost\r\nTo: {to}\r\nMessage-ID: <{secrets.token_hex(8)}@strangers>\r\n"
        return to, f"{head}\r\n{_large_text(400_000)}".encode()

    def seated(self, number: int) -> tuple[str, bytes]:
        return self.door.reply_to, _letter(self.door, f"{secrets.token_hex(8)}@flood.localhost", self._orders())

    def large(self, number: int) -> tuple[str, bytes]:
        text = f"{self._orders()}\r\n{_large_text(100_000 - 30_000)}"
        return self.door.reply_to, _letter(self.door, f"{secrets.token_hex(8)}@flood.localhost", text)


def _large_text(size: int) -> str:
    line = "On Monday I wrote to you: IF I HOLD Roma AND I HOLD Paris: PLACE Roma 1\r\n"
    return line * (size // len(line))


FLOODS: Final[Mapping[str, Callable[[Floods], Flood]]] = {
    "checks": lambda floods: floods.checks,
    "letters of strangers": lambda floods: partial(floods.letters, STRANGE, floods.strange),
    "letters of many orders": lambda floods: partial(floods.letters, SEATED, floods.seated),
    "large letters": lambda floods: partial(floods.letters, LARGE, floods.large),
    "gates": lambda floods: floods.gates,
}
"""Each goes on until it is stopped."""


async def _watch(watch: Watch, flood: Flood | None) -> dict[str, Any]:
    await watch.relay.start(watch.relay_port)
    stop = threading.Event()
    try:
        await watch.run(CALM_S)  # what a process loads with its first letter is loaded
        going_on = asyncio.create_task(asyncio.to_thread(flood, stop)) if flood is not None else None
        found = await watch.run(WATCHED_S)
        stop.set()
        if going_on is not None:
            await going_on
        return found
    finally:
        stop.set()
        watch.sender.close()
        await watch.relay.stop()
