"""Whole exchanges of letters with a real server, in a closed loop: throughput, time to a receipt, CPU and memory.

A cycle of a game: each seat's orders arrive by SMTP, the gate is resolved, receipts and reports reach the relay.  The
server is `pbem up` on an empty folder; the players run here and use the same processors.  First the loop runs as fast
as it can, then at half that rate, for which the time from the server's "250" to the receipt is measured.
"""

import asyncio
import tempfile
import time
from itertools import count
from pathlib import Path
from statistics import quantiles
from typing import Any, Final

from pbem.app import build_services
from pbem.bench.players import BenchGame, Players, Seat, Sets
from pbem.bench.server import cpu_ms, memory_mb, prepare, running
from pbem.bench.smtp import Relay, SmtpSender
from pbem.broker.task_queue import TaskQueue
from pbem.config.settings import Settings

STEADY_S: Final = 25.0
WARM_UP_S: Final = 5.0
PATIENCE_S: Final = 90.0
"""How long a game may be silent before it counts as stuck."""
QUIET_S: Final = 2.0
"""How long after a letter a game that waits for fewer seats than answered is taken to be complete."""
SPARE: Final = 3
"""Games that are created for each that is played at a time: one ends after some forty gates, and the next follows."""


class Loop:
    """The players of all games, and what they measure."""

    def __init__(self, settings: Settings, players: Players, games: int) -> None:
        """`games` are played at a time."""
        if settings.relay is None or settings.smtp is None:
            raise LookupError("the bench needs an entrance and a relay")
        self.players, self.games = players, games
        self.relay, self.relay_port, self.door_port = Relay(self._arrived), settings.relay.port, settings.smtp.port
        self.senders = [SmtpSender(self.door_port) for _ in range(games)]
        self.next_games = list(players.games)
        self.news = {game.name: asyncio.Event() for game in players.games}
        self.sent_at: dict[str, float] = {}
        self.cycles = 0
        self.receipts_s: list[float] = []
        self.stuck: list[str] = []
        self._letters, self._tasks = count(), set[asyncio.Task[None]]()

    def _arrived(self, recipient: str, raw: bytes) -> None:
        seat = self.players.by_address.get(recipient)
        if seat is None:
            return
        letter, sets = self.players.read(seat, raw)
        if letter.is_receipt and recipient in self.sent_at:
            self.receipts_s.append(time.monotonic() - self.sent_at[recipient])
        if sets:
            task = asyncio.ensure_future(self._write(seat, letter.reply_to, sets))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        self.news[seat.table.name].set()

    async def _write(self, seat: Seat, recipient: str, sets: Sets) -> None:
        sender = self.senders[next(self._letters) % len(self.senders)]
        await sender.send(seat.address, recipient, self.players.write(seat, recipient, sets))
        self.sent_at[seat.address] = time.monotonic()

    async def begin(self) -> None:
        """Bring all games to where all seats are asked at once; a game may ask them one by one at first."""

        async def begin(game: BenchGame) -> None:
            await self._asked(game, self.players.size)
            while len(game.waiting) < self.players.size and not game.over:
                await self._cycle(game)

        await asyncio.gather(*(begin(game) for game in self.players.games))

    async def play(self, rate: float | None, until: float) -> None:
        """Play `games` games at a time until a moment; `rate`: cycles a second in all, or as fast as possible."""
        began, beats = time.monotonic(), count()

        async def play() -> None:
            while time.monotonic() < until:
                if not self.next_games:
                    raise LookupError("all games ended before the time was over: play more games at a time")
                game = self.next_games.pop(0)
                while not game.over and time.monotonic() < until:
                    due = began + next(beats) / rate if rate else 0.0
                    await asyncio.sleep(max(0.0, due - time.monotonic()))
                    await self._cycle(game)
                if not game.over:
                    self.next_games.append(game)

        await asyncio.gather(*(play() for _ in range(self.games)))

    async def _cycle(self, game: BenchGame) -> None:
        """Answer all that is asked; a cycle counts if all seats were asked."""
        asked, game.waiting = game.waiting, {}
        await asyncio.gather(*(self._write(game.seats[a], to, sets) for a, (to, sets) in asked.items()))
        await self._asked(game, len(asked))
        self.cycles += len(asked) == self.players.size

    async def _asked(self, game: BenchGame, seats: int) -> None:
        """Wait until so many seats are asked, or fewer and no more letters come."""
        limit, news = time.monotonic() + PATIENCE_S, self.news[game.name]
        while not game.over and len(game.waiting) < max(1, seats):
            news.clear()
            try:
                await asyncio.wait_for(news.wait(), QUIET_S if game.waiting else max(0.01, limit - time.monotonic()))
            except TimeoutError:
                if not game.waiting:
                    game.over = True
                    self.stuck.append(game.name)
                return


# --- measuring


def measure(title: str, seats: int, games: int, post: int, play: int, database: str) -> dict[str, Any]:
    """Measure with so many workers; `database`: the address of an empty PostgreSQL database, or empty for SQLite."""
    variables = {"PBEM_MAILER_WORKERS": str(post), "PBEM_RESOLVER_WORKERS": str(play)}
    if database:
        variables["PBEM_DATABASE_URL"] = database
    with tempfile.TemporaryDirectory(prefix="pbem-cycle-") as folder:
        settings = prepare(Path(folder), **variables)
        loop = Loop(settings, Players(title, seats, games * (1 + SPARE)), games)
        found = asyncio.run(_measure(loop, settings))
    on = "PostgreSQL" if database else "SQLite"
    return {"title": title, "seats": seats, "games": games, "post": post, "play": play, "database": on, **found}


async def _measure(loop: Loop, settings: Settings) -> dict[str, Any]:
    await loop.relay.start(loop.relay_port)
    try:
        with running(settings) as pid:
            await asyncio.to_thread(loop.players.create_games, build_services(settings, "web", TaskQueue(settings)))
            await loop.begin()
            return await _figures(loop, pid)
    finally:
        for sender in loop.senders:
            sender.close()
        await loop.relay.stop()


async def _figures(loop: Loop, pid: int) -> dict[str, Any]:
    await loop.play(None, time.monotonic() + WARM_UP_S)
    before, own = cpu_ms(pid), time.process_time()
    rate, cycles = await _rate(loop, None)
    spent = {name: ms - before[name] for name, ms in cpu_ms(pid).items()}
    own = 1000 * (time.process_time() - own)
    memory = memory_mb(pid)
    loop.receipts_s.clear()
    half, _ = await _rate(loop, rate / 2)
    cuts = quantiles(loop.receipts_s, n=20, method="inclusive")
    return {
        "cycles_per_second": round(rate, 2),
        "cpu_ms_per_cycle": {name: round(ms / cycles, 1) for name, ms in spent.items()},
        "players_share": round(own / (own + sum(spent.values())), 3),
        "memory_mb": {"all": round(sum(memory.values()), 1), **memory},
        "half_rate": round(half, 2),
        "receipt_p50_ms": round(cuts[9] * 1000, 1),
        "receipt_p95_ms": round(cuts[18] * 1000, 1),
        "stuck": loop.stuck,
    }


async def _rate(loop: Loop, rate: float | None) -> tuple[float, int]:
    """Play for a while; returns cycles a second, and how many they were."""
    began, loop.cycles = time.monotonic(), 0
    await loop.play(rate, began + STEADY_S)
    return loop.cycles / (time.monotonic() - began), max(1, loop.cycles)
