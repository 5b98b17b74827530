"""Whole exchanges of letters through the real entrance, in a closed loop, and what the server needs for it.

One cycle: six order letters by SMTP, their gate resolved, six receipts and six reports rendered, sealed, and taken
by the relay.  The server is `pbem up` on an empty state folder; the players run here and share its processors.
Afterwards the same at half the rate, where a receipt's way is timed from "250" to the relay.
"""

import asyncio
import os
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from statistics import quantiles
from typing import Any, ClassVar, Final

from redis import Redis

from pbem import config
from pbem.app import services_of
from pbem.bench.players import BenchGame, Players, Seat, Sets
from pbem.bench.sink import Relay, Writer
from pbem.broker import Waker
from pbem.config import Settings
from pbem.demo.run import free_port
from pbem.store.schema import create
from pbem.supervisor import python, role_of
from pbem.vault import KeyFolder

STEADY_S: Final = 25.0
WARM_UP_S: Final = 5.0
PATIENCE_S: Final = 90.0
QUIET_S: Final = 2.0
SPARE: Final = 3
"""Tables dealt for each one that is played at a time: a game ends after some forty gates, and the next goes on."""


class Bench:
    """The players of all tables, and the counts."""

    patience_s: ClassVar = PATIENCE_S
    """So long a table may stay silent before it counts as one that stands still."""

    def __init__(self, settings: Settings, title: str, seats: int, games: int, spare: int = SPARE) -> None:
        """`games` tables are played at a time; `spare`: so many are dealt beside each, to be played after it."""
        if settings.relay is None or settings.smtp is None:
            raise LookupError("the bench needs an entrance and a relay")
        self.settings, self.games = settings, games
        self.players = Players(title, seats, games * (1 + spare))
        self.tables = list(self.players.tables)
        self.news = {table.name: asyncio.Event() for table in self.tables}
        self.sent_at: dict[str, float] = {}
        self.relay = Relay(self._arrived)
        self.relay_port, self.door_port = settings.relay.port, settings.smtp.port
        self.cycles: list[float] = []
        self.receipts: list[tuple[float, float]] = []
        self.numbers = count(1)
        self.writers = [Writer(self.door_port) for _ in range(games)]
        self.tasks: set[asyncio.Task[None]] = set()
        self.trouble = ""
        self.stood: list[str] = []

    # --- letters

    def _arrived(self, recipient: str, raw: bytes) -> None:
        seat = self.players.by_address.get(recipient)
        if seat is None:
            return
        letter, sets = self.players.come(seat, raw)
        if letter.answers:
            now = time.monotonic()
            self.receipts.append((now, now - self.sent_at.get(recipient, 0.0)))
        if sets:
            self._later(self._write(seat, letter.reply_to, sets))
        self.news[seat.table.name].set()

    async def _write(self, seat: Seat, recipient: str, sets: Sets) -> None:
        raw = self.players.written(seat, recipient, sets)
        await self._hand(self.writers[next(self.numbers) % len(self.writers)], seat.address, recipient, raw)
        self.sent_at[seat.address] = time.monotonic()

    async def _hand(self, writer: Writer, sender: str, recipient: str, raw: bytes) -> None:
        """Give a letter to the entrance."""
        await writer.send(sender, recipient, raw)

    def _later(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self.tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self.tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            self.trouble = str(task.exception())

    # --- tables

    async def dealt(self) -> None:
        """Wait until all seats of all tables are asked something at once."""
        limit = time.monotonic() + PATIENCE_S + len(self.tables)
        await asyncio.gather(*(self._begun(table, limit) for table in self.tables))

    async def _begun(self, table: BenchGame, limit: float) -> None:
        """Answer for those who are asked one by one at first, whenever no more letters come for a while."""
        news = self.news[table.name]
        while len(table.waiting) < self.players.size:
            news.clear()
            try:
                await asyncio.wait_for(news.wait(), QUIET_S)
            except TimeoutError:
                await self._answered(table)
            if time.monotonic() > limit:
                raise TimeoutError(f"{table.name} was not dealt in time. {self.trouble}")

    async def _answered(self, table: BenchGame) -> int:
        """Answer everything that is asked at a table; how many seats did."""
        asked, table.waiting = table.waiting, {}
        await asyncio.gather(*(self._write(table.seats[a], to, sets) for a, (to, sets) in asked.items()))
        return len(asked)

    async def play(self, pace: float | None, until: float) -> None:
        """Play so many tables at a time until then; `pace`: cycles a second of all together, or as fast as it goes."""
        turns = _beats(pace, time.monotonic())
        await asyncio.gather(*(self._chair(turns, until) for _ in range(self.games)))

    async def _chair(self, turns: Iterator[float], until: float) -> None:
        """Play one table after the other; a table that ended, or stands still, makes room for the next."""
        while time.monotonic() < until:
            if not self.tables:
                raise LookupError("all tables were played to their end before the time was over")
            table = self.tables.pop(0)
            while not table.over and time.monotonic() < until:
                await asyncio.sleep(max(0.0, next(turns) - time.monotonic()))
                await self._cycle(table)
            if not table.over:
                self.tables.append(table)

    async def _cycle(self, table: BenchGame) -> None:
        """Answer everything that is asked; a cycle is counted when all seats that answered have their next report.

        Fewer may be asked next than answered: then no more letters come for a while.
        """
        asked = await self._answered(table)
        if not asked:
            table.over = True
            return
        limit, news = time.monotonic() + self.patience_s, self.news[table.name]
        while not (table.over or len(table.waiting) >= asked):
            news.clear()
            try:
                await asyncio.wait_for(news.wait(), QUIET_S if table.waiting else max(0.01, limit - time.monotonic()))
            except TimeoutError:
                if table.waiting:
                    break
                table.over = True
                self.stood.append(table.name)
        if asked == self.players.size:
            self.cycles.append(time.monotonic())


def _beats(pace: float | None, began: float) -> Iterator[float]:
    """When each cycle may begin."""
    for number in count():
        yield began + number / pace if pace else 0.0


# --- what the machine says


def descendants(pid: int) -> list[int]:
    """A process and all below it."""
    found = [pid]
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        found += descendants(int(child))
    return found


def stack_mb(pid: int) -> dict[str, float]:
    """The proportional share of memory of a process and all below it, in MB, by what they are."""
    shares: dict[str, float] = {}
    for process in descendants(pid):
        name = name_of(process)
        rollup = Path(f"/proc/{process}/smaps_rollup").read_text()
        pss = next(int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Pss:"))
        shares[name] = round(shares.get(name, 0.0) + pss / 1024, 1)
    return shares


def computed_ms(pid: int) -> dict[str, float]:
    """Milliseconds of the processor that a process and all below it have used so far, by what they are."""
    spent: dict[str, float] = {}
    for process in descendants(pid):
        name = name_of(process)
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        ticks = int(fields[11]) + int(fields[12])  # utime and stime, proc(5)
        spent[name] = spent.get(name, 0.0) + 1000 * ticks / os.sysconf("SC_CLK_TCK")
    return spent


def messages(settings: Settings) -> int:
    """How many messages the broker was given so far: each is a task that a worker takes."""
    with Redis.from_url(settings.redis_url) as client:
        found: Any = client.info("commandstats")
    return int(found.get("cmdstat_lpush", {}).get("calls", 0))


def name_of(process: int) -> str:
    """What a process of a server is."""
    own = Path(f"/proc/{process}")
    return process_name((own / "cmdline").read_bytes().split(b"\0"), (own / "comm").read_text().strip())


def process_name(words: Sequence[bytes], called: str) -> str:
    """What a process of a server is, by the words of its command line, or by what it is called if it was forked."""
    if called.startswith("pbem "):
        return role_of(called.removeprefix("pbem "))
    known = {b"web", b"door", b"post", b"play", b"clock", b"up"}
    return next((word.decode() for word in reversed(words) if word in known), "broker")


# --- the whole


def measure(title: str, seats: int, games: int, *, post: int = 1, play: int = 1, database: str = "") -> dict[str, Any]:
    """Cycles a second, how long a receipt takes at half that rate, and the memory of all processes.

    `post`, `play`: so many workers.  `database`: the address of an empty one; empty: one of its own, SQLite.
    """
    with tempfile.TemporaryDirectory(prefix="pbem-cycle-") as folder:
        settings = empty_server(Path(folder), database, PBEM_POST_WORKERS=str(post), PBEM_PLAY_WORKERS=str(play))
        found = asyncio.run(_measure(settings, title, seats, games))
        return {**found, "post_workers": post, "play_workers": play, "on": "PostgreSQL" if database else "SQLite"}


def empty_server(folder: Path, database: str = "", **variables: str) -> Settings:
    """Keys, tables and settings of a new server in a folder; `database`: the address of an empty one, if not SQLite."""
    settings = Settings.embedded(
        folder, http_port=free_port(), smtp_port=free_port(), lmtp_port=free_port(), relay_port=free_port()
    )
    KeyFolder.create(settings.keys_dir)
    more = variables | ({"PBEM_DATABASE_URL": database} if database else {})
    settings = Settings.from_env({**settings.variables, **more})
    create(settings.database_url)
    return settings


async def _measure(settings: Settings, title: str, seats: int, games: int) -> dict[str, Any]:
    bench = Bench(settings, title, seats, games)
    await bench.relay.start(bench.relay_port)
    try:
        with up(settings) as server:
            await answering(bench.door_port)
            services = services_of(settings, "web", Waker(settings))
            await asyncio.to_thread(bench.players.deal, services)
            await bench.dealt()
            return await _figures(bench, server.pid)
    finally:
        for writer in bench.writers:
            writer.close()
        await bench.relay.stop()


@contextmanager
def up(settings: Settings) -> Iterator[subprocess.Popen[bytes]]:
    """A server, `pbem up` with these settings, while the block runs."""
    env = {k: v for k, v in config.environment().items() if not k.startswith("PBEM_")}
    with (settings.state_dir / "up.log").open("wb") as log:
        server = subprocess.Popen(
            [python(), "-m", "pbem.cli", "up"],
            env={**env, **settings.variables},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
    try:
        yield server
    finally:
        server.terminate()
        server.wait(60)


async def _figures(bench: Bench, pid: int) -> dict[str, Any]:
    before, own, sent = computed_ms(pid), time.process_time(), messages(bench.settings)
    rate = await _rate(bench, None, STEADY_S)
    after, done = computed_ms(pid), max(1, len(bench.cycles))
    own, sent = 1000 * (time.process_time() - own), messages(bench.settings) - sent
    spent = {name: after[name] - before[name] for name in before}
    shares = stack_mb(pid)
    bench.receipts.clear()
    half = await _rate(bench, rate / 2, STEADY_S)
    waits = [wait for _, wait in bench.receipts]
    cuts = quantiles(waits, n=20, method="inclusive")
    return {
        "cycles_per_second": round(rate, 2),
        "receipt_p95_ms": round(cuts[18] * 1000, 1),
        "receipt_p50_ms": round(cuts[9] * 1000, 1),
        "half_rate": round(half, 2),
        "stack_mb": round(sum(shares.values()), 1),
        "processes_mb": shares,
        "computed_ms_per_cycle": {name: round(ms / done, 1) for name, ms in spent.items()},
        "messages_per_cycle": round(sent / done, 2),
        "bench_ms_per_cycle": round(own / done, 1),
        "bench_share": round(own / (own + sum(spent.values())), 3),
        "seats": bench.players.size,
        "games": bench.games,
    }


async def _rate(bench: Bench, pace: float | None, seconds: float) -> float:
    """Full cycles a second, the warm-up left out."""
    began = time.monotonic() + (WARM_UP_S if pace is None else 0.0)
    bench.cycles.clear()
    await bench.play(pace, began + seconds)
    ended = time.monotonic()
    return sum(1 for moment in bench.cycles if moment >= began) / (ended - began)


async def answering(port: int, patience_s: float = PATIENCE_S) -> None:
    """Wait until an entrance answers."""
    limit = time.monotonic() + patience_s
    while time.monotonic() < limit:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(0.1)
        else:
            writer.close()
            return
    raise TimeoutError("the server's entrance did not open in time")
